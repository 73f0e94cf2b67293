"""Shapes of terrain: height, normal and soil at a point."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, checked

from .. import checks
from ..kernels.ground import terrain as kernels
from ..soil import BekkerSoil, ConeIndexSoil
from .geotiff import MapPlace, read_band
from .memory import SoilMemory
from .soil_map import SoilMap

Result = NDArray[np.float64] | np.float64
_NO_GRID = np.zeros((2, 2))


@checked
class Terrain(ABC):
    """Base of the shapes: ``number`` and ``parameters()`` for the kernel, ``grid`` of a height field.

    Ground over x and y [m], z up. ``soil_map``: soils by position; None: everywhere the soil of the
    wheel's description. ``memory``: area with ruts; None: no ruts.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    number: int
    soil_map: SoilMap | None
    memory: SoilMemory | None

    @abstractmethod
    def parameters(self) -> NDArray[np.float64]:
        """Parameters of this terrain for the kernels, shape (TERRAIN_FLOATS,)."""

    @property
    def grid(self) -> NDArray[np.float64]:
        """Heights of a height field [m]; a placeholder for the other shapes."""
        return _NO_GRID

    def record(self) -> tuple[NDArray[np.float64], int, int]:
        """Parameters and heights for the kernels, and the numbers of rows and columns of the heights."""
        return np.concatenate([self.parameters(), self.grid.ravel()]), *self.grid.shape

    def _at(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        from ..kernels.ground.terrain_entry import terrain_over

        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        out = np.empty((x.size, 3))
        flat = [np.ascontiguousarray(a.ravel()) for a in (x, y)]
        record, rows, columns = self.record()
        terrain_over(self.number, record, rows, columns, *flat, out)
        return out.reshape(*x.shape, 3)

    def height(self, x: ArrayLike, y: ArrayLike = 0.0) -> Result:
        """Height z [m] of the ground at x, y [m], broadcast together."""
        return self._at(x, y)[..., 0][()]

    def normal(self, x: ArrayLike, y: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Unit normal of the ground, upwards, shape (..., 3)."""
        slopes = self._at(x, y)
        up = np.stack([-slopes[..., 1], -slopes[..., 2], np.ones(slopes.shape[:-1])], axis=-1)
        return up / np.linalg.norm(up, axis=-1, keepdims=True)

    def soil(self, x: float, y: float = 0.0) -> ConeIndexSoil | BekkerSoil | None:
        """Soil at a point, blended near a border; None without a map."""
        return None if self.soil_map is None else self.soil_map.at(x, y)


@dataclass(frozen=True)
class Slope(Terrain):
    """A plane ``z = z_0 + grade_x x + grade_y y``; z_0 [m]; grades are rise over run [-], -2 to 2.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    z_0: float = 0.0
    grade_x: float = 0.0
    grade_y: float = 0.0
    soil_map: SoilMap | None = None
    memory: SoilMemory | None = None
    number = kernels.PLANE

    def __post_init__(self) -> None:
        for name in ("grade_x", "grade_y"):
            checks.grade("Slope", name, getattr(self, name))

    def parameters(self) -> NDArray[np.float64]:
        return _padded(self.z_0, self.grade_x, self.grade_y)


@dataclass(frozen=True)
class Step(Terrain):
    """A step ``rise t^2 (3 - 2 t)``, ``t = (x - x_0)/length`` in [0, 1]; lengths [m].

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    x_0: float
    rise: float
    length: Annotated[float, above(0.0, "m")] = 0.1
    soil_map: SoilMap | None = None
    memory: SoilMemory | None = None
    number = kernels.STEP

    def parameters(self) -> NDArray[np.float64]:
        return _padded(self.x_0, self.rise, self.length)


@dataclass(frozen=True)
class Sine(Terrain):
    """Waves ``z = amplitude sin(2 pi (x cos(heading) + y sin(heading)) / wavelength + phase)``.

    Amplitude and wavelength [m], heading of the waves and phase [rad].

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    amplitude: float
    wavelength: Annotated[float, above(0.0, "m")]
    heading: float = 0.0
    phase: float = 0.0
    soil_map: SoilMap | None = None
    memory: SoilMemory | None = None
    number = kernels.SINE

    def parameters(self) -> NDArray[np.float64]:
        k = 2.0 * math.pi / self.wavelength
        return _padded(
            self.amplitude, 0.0, k * math.cos(self.heading), k * math.sin(self.heading), self.phase
        )


@dataclass(frozen=True, eq=False)
class SmoothHeightField(Terrain):
    """Heights on a regular grid with bicubic interpolation (Catmull-Rom: continuous slopes).

    Arguments:
        heights: heights, shape (rows, columns) [m], row k at y = origin[1] + k spacing[1].
        spacing: distances of the nodes along x and y [m], above 0.
        origin: x, y of the node heights[0, 0] [m].
        map_place: position of the ground's (0, 0) on the map, for a ground from a GeoTIFF.

    The height is constant beyond the grid's edges. This field is for wheels on soil; the one for rigid
    contacts, ``bodies.HeightField``, has its rows along x, so its heights are the transpose of these.

    Raises:
        ValueError: a grid below 2 x 2, heights that are not finite, a spacing not above 0.
    """

    heights: ArrayLike
    spacing: tuple[float, float] = (1.0, 1.0)
    origin: tuple[float, float] = (0.0, 0.0)
    soil_map: SoilMap | None = None
    memory: SoilMemory | None = None
    map_place: MapPlace | None = None
    _grid: NDArray[np.float64] = field(init=False, repr=False)
    _bounds: tuple[float, float] = field(init=False, repr=False)
    number = kernels.FIELD

    def __repr__(self) -> str:
        return checks.grid_in_words("SmoothHeightField", self._grid, "m", self.spacing, self.origin)

    def __post_init__(self) -> None:
        grid = np.ascontiguousarray(checks.grid("SmoothHeightField", "heights", self.heights))
        checks.spacing("SmoothHeightField", self.spacing)
        object.__setattr__(self, "_grid", grid)
        object.__setattr__(self, "_bounds", _bounds(grid, self.spacing))

    @property
    def grid(self) -> NDArray[np.float64]:
        """Heights of the nodes [m], shape (rows, columns)."""
        return self._grid

    def parameters(self) -> NDArray[np.float64]:
        return _padded(*self.origin, *self.spacing, *self._bounds)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SmoothHeightField):
            return NotImplemented
        rest = ("spacing", "origin", "soil_map", "memory")
        return np.array_equal(self._grid, other._grid) and all(
            getattr(self, name) == getattr(other, name) for name in rest
        )

    def __hash__(self) -> int:
        return hash((self._grid.tobytes(), self.spacing, self.origin))

    @classmethod
    @checked
    def from_geotiff(
        cls,
        path: str | Path,
        band: int = 1,
        soil_map: SoilMap | None = None,
        memory: SoilMemory | None = None,
        window: tuple[float, float, float, float] | None = None,
        georeferenced: bool = False,
    ) -> SmoothHeightField:
        """Read a GeoTIFF; one in degrees is projected to its UTM zone first.

        Arguments:
            band: the band of heights [m].
            window: x_low, y_low, x_high, y_high of the cells' centres, on the map or UTM zone [m]; None:
                all.
            georeferenced: whether to keep the file's coordinates; otherwise the centre of the lower
                left cell becomes (0, 0).

        The cone indices of a soil map from a GeoTIFF are positioned by the map's coordinates.

        Raises ModuleNotFoundError without the extra ``[terrain]``; ValueError for a rotated raster,
        holes, a window with less than 2 x 2 cells, or different projections of heights and cone
        indices.
        """
        read = read_band(path, band, window)
        holes = np.count_nonzero(np.isnan(read.values))
        if holes:
            raise ValueError(f"{path} has cells without data (holes): {holes}; fill them first")
        origin, place = read.placement(georeferenced)
        if soil_map is not None:
            soil_map = soil_map.on(place)
        return cls(read.values, read.spacing, origin, soil_map, memory, place)


def _bounds(z: NDArray[np.float64], spacing: tuple[float, float]) -> tuple[float, float]:
    """Bounds of the bicubic surface: second derivative in any direction [1/m], slope [-]."""

    def along(z: NDArray[np.float64]) -> float:
        # second derivative of a cubic between b and c: linear, with its largest value at an end
        a, b, c, d = z[:, :-3], z[:, 1:-2], z[:, 2:-1], z[:, 3:]
        first, last = 2.0 * a - 5.0 * b + 4.0 * c - d, 2.0 * d - 5.0 * c + 4.0 * b - a
        return float(max(np.abs(first).max(), np.abs(last).max()))

    wide = np.pad(z, 1, mode="edge")
    twist = np.abs(np.diff(np.diff(z, axis=0), axis=1)).max() / (spacing[0] * spacing[1])
    straight = max(along(wide) / spacing[0] ** 2, along(wide.T) / spacing[1] ** 2)
    # sums of the absolute weights of Catmull-Rom: at most 1.25 for values, 1.5 for slopes
    slopes = (np.abs(np.diff(z, axis=1 - k)).max() / spacing[k] for k in range(2))
    return float(1.25 * straight + 2.25 * twist), float(1.25 * 1.5 * np.hypot(*slopes))


def _padded(*numbers: float) -> NDArray[np.float64]:
    p = np.zeros(kernels.TERRAIN_FLOATS)
    p[: len(numbers)] = numbers
    return p
