"""Cone indices on a grid, the usual result of a survey."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import checked, within

from .. import checks
from ..sinkage import SINKAGES, ConeIndexSinkage
from .geotiff import MapPlace, read_band

#: Units of cone indices in files [Pa].
UNITS = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "psi": 6894.757293168361}


@dataclass(frozen=True, eq=False)
@checked
class ConeIndexField:
    """Cone indices on a regular grid, bilinear between the nodes, constant beyond its edges.

    A wheel's ratios are exactly those of the cone index under it, for any law; its load is within
    1e-3 unless ``levels`` is too small for steps of 5 % in the table.
    In a run laws and loads are tabulated for a number of cone indices: those of the field, if they are
    few, and further ones between them; otherwise equal steps of the logarithm. Between two tabulated
    ones the loads and the laws' parameters that are proportional to the cone index are interpolated.

    Arguments:
        cone_index: cone indices, shape (rows, columns) [Pa], row k at y = origin[1] + k spacing[1]; NaN
            (no data): the cone index of the map's ground.
        spacing: distances of the nodes along x and y [m], above 0.
        origin: x, y of the node cone_index[0, 0] [m].
        levels: largest number of cone indices in the law's table, in [2, 1000].
        sinkage: sinkage law of wheels on the field, as in a ``WheelContact``.
        map_place: position of (0, 0) on the map of a GeoTIFF.

    Raises:
        ValueError: a grid below 2 x 2, cone indices not above 0, naming the field and the range.
    """

    cone_index: ArrayLike
    spacing: tuple[float, float] = (1.0, 1.0)
    origin: tuple[float, float] = (0.0, 0.0)
    levels: Annotated[int, within(2, 1000)] = 64
    sinkage: str | ConeIndexSinkage = "maclaurin"
    map_place: MapPlace | None = None
    _grid: NDArray[np.float64] = field(init=False, repr=False)

    def __repr__(self) -> str:
        return checks.grid_in_words("ConeIndexField", self._grid, "Pa", self.spacing, self.origin)

    def __post_init__(self) -> None:
        owner = "ConeIndexField"
        given = np.array(self.cone_index, dtype=float)
        grid = checks.grid(owner, "cone_index", np.where(np.isnan(given), 1.0, given))
        if not (grid > 0.0).all():
            raise ValueError(f"{owner}.cone_index must be above 0 Pa; the least is {grid.min():g} Pa")
        if np.isnan(given).all():
            raise ValueError(f"{owner}.cone_index has no data at all")
        if isinstance(self.sinkage, str):
            checks.known("sinkage", self.sinkage, SINKAGES)
        checks.spacing(owner, self.spacing)
        object.__setattr__(self, "_grid", given)

    @property
    def grid(self) -> NDArray[np.float64]:
        """Cone indices [Pa], NaN without data."""
        return self._grid

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConeIndexField):
            return NotImplemented
        rest = ("spacing", "origin", "levels", "sinkage")
        same = all(getattr(self, name) == getattr(other, name) for name in rest)
        return same and np.array_equal(self._grid, other._grid, equal_nan=True)

    def __hash__(self) -> int:
        return hash((self._grid.tobytes(), self.spacing, self.origin))

    def filled(self, cone_index: float) -> NDArray[np.float64]:
        """Grid [Pa] with a cone index [Pa] in place of missing data."""
        return np.where(np.isnan(self._grid), cone_index, self._grid)

    def cone_indices(self, cone_index: float) -> NDArray[np.float64]:
        """Cone indices [Pa] of the table of the laws, ascending, at least two; ``cone_index`` [Pa]: in
        place of missing data."""
        found = np.unique(self.filled(cone_index))
        if found.size == 1:
            return np.array([found[0], 2.0 * found[0]])
        # steps of up to 0.05 of the logarithms, for an error of the load below 1e-3
        parts = np.ceil(np.diff(np.log(found)) / 0.05).astype(int)
        if parts.sum() >= self.levels:
            return np.geomspace(found[0], found[-1], self.levels)
        steps = zip(found[:-1], found[1:], parts, strict=True)
        between = [np.geomspace(low, high, n, endpoint=False) for low, high, n in steps]
        return np.concatenate([*between, found[-1:]])

    def at(self, x: ArrayLike, y: ArrayLike, cone_index: float) -> NDArray[np.float64]:
        """Cone index [Pa] at points [m] of any shape; ``cone_index``: in place of missing data."""
        grid = self.filled(cone_index)
        rows, columns = grid.shape
        u = np.clip((np.asarray(x, float) - self.origin[0]) / self.spacing[0], 0.0, columns - 1.0)
        v = np.clip((np.asarray(y, float) - self.origin[1]) / self.spacing[1], 0.0, rows - 1.0)
        i, j = np.minimum(u.astype(int), columns - 2), np.minimum(v.astype(int), rows - 2)
        s, t = u - i, v - j
        below = (1.0 - s) * grid[j, i] + s * grid[j, i + 1]
        above = (1.0 - s) * grid[j + 1, i] + s * grid[j + 1, i + 1]
        return (1.0 - t) * below + t * above

    def on(self, place: MapPlace | None) -> ConeIndexField:
        """The field for a height field whose (0, 0) is at ``place``: the origin is moved accordingly.

        Raises:
            ValueError: maps of different coordinate systems.
        """
        own = self.map_place
        if place is None or own is None or place == own:
            return self
        if place.crs != own.crs:
            raise ValueError(
                f"the cone indices are in {own.crs or 'no known coordinate system'}, the heights in "
                f"{place.crs or 'none'}; bring both to one"
            )
        x, y = self.origin
        return replace(self, origin=(x + own.x - place.x, y + own.y - place.y), map_place=place)

    @classmethod
    @checked
    def from_geotiff(
        cls,
        path: str | Path,
        band: int = 1,
        unit: str = "Pa",
        window: tuple[float, float, float, float] | None = None,
        georeferenced: bool = False,
        levels: Annotated[int, within(2, 1000)] = 64,
        sinkage: str | ConeIndexSinkage = "maclaurin",
    ) -> ConeIndexField:
        """Read cone indices from a GeoTIFF, in metres or degrees.

        Arguments:
            path: path of the file.
            band: number of the raster's band, from 1.
            unit: unit of the band's numbers, Pa, kPa, MPa or psi.
            window: x_low, y_low, x_high, y_high of the cells' centres, on the map or UTM zone [m]; None:
                all.
            georeferenced: whether to keep the file's coordinates; otherwise the centre of the lower
                left cell becomes (0, 0), or stays at its place on the map of a GeoTIFF with heights.
            levels: largest number of cone indices in the law's table, in [2, 1000].
            sinkage: sinkage law of wheels on the field, as in a ``WheelContact``.

        Raises ModuleNotFoundError without the extra ``[terrain]``; ValueError for an unknown unit, a
        rotated raster, or a window with less than 2 x 2 cells.
        """
        checks.known("unit of a cone index", unit, UNITS)
        read = read_band(path, band, window)
        origin, place = read.placement(georeferenced)
        try:
            return cls(read.values * UNITS[unit], read.spacing, origin, levels, sinkage, place)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
