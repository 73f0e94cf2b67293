"""GeoTIFF rasters in and out; rasters that do not match are refused with a sentence."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from contact import checks
from mlcp.kinds import above, checked
from mlcp.neighbours import need

from ..soils import strength_of_class

CACHE = 64  # [MB] GDAL may hold
KEPT = 4  # rasters that a thread keeps open
LEAST, LARGEST = 1e3, 1e8  # [Pa]: no raster's largest cone index is below or above
#: How many Pa a raster's unit is; how many m.
PASCALS = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "psi": 6894.757293168361}


def need_rasterio() -> Any:
    """The module rasterio.

    Raises:
        ModuleNotFoundError: it is not installed; the sentence says how to.
    """
    return need("rasterio", "a map", "mobility")


@contextmanager
def opened(path: Path, mode: str = "r", **profile: Any) -> Iterator[Any]:
    """A raster, with little of it held by GDAL, which else takes a twentieth of the machine's memory.

    Arguments: as of ``rasterio.open``.
    """
    rasterio = need_rasterio()
    with rasterio.Env(GDAL_CACHEMAX=CACHE), rasterio.open(path, mode, **profile) as file:
        yield file


class _Files(threading.local):
    """Open rasters of a thread: GDAL then caches the blocks common to neighbouring windows."""

    def __init__(self) -> None:
        self.open: dict[Any, Any] = {}


_FILES = _Files()


def _kept_open(path: Path) -> Any:
    about = os.stat(path)
    key = str(path), about.st_mtime_ns, about.st_size
    if key not in _FILES.open:
        if len(_FILES.open) >= KEPT:
            _FILES.open.pop(next(iter(_FILES.open))).close()
        _FILES.open[key] = need_rasterio().open(path)
    return _FILES.open[key]


def release() -> None:
    """Close this thread's rasters."""
    for file in _FILES.open.values():
        file.close()
    _FILES.open.clear()


def strange(path: Path, unit: str, most: float) -> str | None:
    """Error of a raster's largest cone index [Pa] as a sentence; None: none."""
    if most > LARGEST or 0.0 < most < LEAST:
        return f"{path}: a largest cone index of {most:.3g} Pa is none; is its unit {unit}?"
    return None


@dataclass(frozen=True)
class Grid:
    """Grid of a raster: two rasters of a map must agree in it.

    Attributes:
        shape: (rows, columns). transform: affine, six numbers. crs: of the plane, as text.
        spacing: (dx, dy) of the cells [m].
    """

    shape: tuple[int, int]
    transform: tuple[float, ...]
    crs: str
    spacing: tuple[float, float]


@dataclass(frozen=True)
@checked
class Inputs:
    """Checked rasters of strength and elevation, and optional ones.

    Arguments:
        soil, dem: GeoTIFF files; cone index, and elevation [m].
        unit: of the cone index, a name in ``PASCALS``.
        moisture: GeoTIFF of the soil's moisture [percent of the dry weight]; the soil's raster then
            holds classes, numbers of ``SOIL_CODES``, and the strength is ``strength_of_class``.
        wetness: factor on the moisture [-], above 0: a wetter or drier scenario.
        land: GeoTIFF of land use, whole numbers.
        limits: speed limit [m/s] of some of these numbers, at least 0; 0: closed.

    Attributes:
        grid: place, size and cells, the same of all.

    Raises:
        ValueError: a file that cannot be read or has no coordinates, degrees, rasters of other place,
            size or coordinates, or a cone index that is not one in this unit. One sentence each.
        ModuleNotFoundError: rasterio is not installed.
    """

    soil: Path
    dem: Path
    unit: str = "kPa"
    moisture: Path | None = None
    wetness: Annotated[float, above(0.0)] = 1.0
    land: Path | None = None
    limits: Mapping[int, float] = field(default_factory=dict)
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.known("unit", self.unit, PASCALS)
        for code, limit in self.limits.items():
            checks.within("Inputs", f"limit of land use {code}", limit, 0.0, unit="m/s")
        if self.limits and self.land is None:
            raise ValueError("Inputs: limits of land use need a raster of it, land")
        one = self._grid(self.soil)
        object.__setattr__(self, "grid", one)
        for path in (self.dem, self.moisture, self.land):
            if path is None:
                continue
            two = self._grid(path)
            for what, word in (
                ("crs", "coordinates"),
                ("shape", "size"),
                ("transform", "place or cells"),
            ):
                mine, other = getattr(one, what), getattr(two, what)
                same = np.allclose(mine, other, rtol=1e-9) if what == "transform" else mine == other
                if not same:
                    raise ValueError(f"{self.soil} and {path} differ in {word}: {mine} and {other}")

    def _grid(self, path: Path) -> Grid:
        rasterio = need_rasterio()
        try:
            with opened(path) as file:
                if file.crs is None:
                    raise ValueError(f"{path} has no coordinate system; give it one (gdal_edit -a_srs)")
                if file.crs.is_geographic:
                    raise ValueError(f"{path} is in degrees; project it to metres first")
                if file.transform.b != 0.0 or file.transform.d != 0.0:
                    raise ValueError(f"{path} is turned against its coordinates; warp it upright first")
                if file.count < 1:
                    raise ValueError(f"{path} has no band")
                if "complex" in file.dtypes[0]:
                    raise ValueError(f"{path} holds complex numbers")
                metre = file.crs.linear_units_factor[1]
                if abs(metre - 1.0) > 1e-9:
                    raise ValueError(f"{path} is in {file.crs.linear_units}; project it to metres first")
                spacing = (abs(file.res[0]), abs(file.res[1]))
                return Grid(file.shape, tuple(file.transform)[:6], file.crs.to_string(), spacing)
        except rasterio.errors.RasterioError as error:
            raise ValueError(f"{path} cannot be read as a GeoTIFF: {error}") from None

    def strength(self, rows: slice, columns: slice) -> np.ndarray:
        """Strength of a window [Pa]; unknown is nan.

        Raises:
            ValueError: a file is cut off, or a cone index beyond that of any soil in its unit.
        """
        found = self.read(self.soil, rows, columns)
        if self.moisture is not None:
            codes = np.nan_to_num(found, nan=0.0)
            return strength_of_class(codes, self.wetness * self.read(self.moisture, rows, columns))
        found *= PASCALS[self.unit]
        most = float(np.nanmax(found, initial=0.0))
        if most > LARGEST:  # a window may be weak, a whole raster is not: see ``glance``
            raise ValueError(strange(self.soil, self.unit, most))
        return found

    def elevation(self, rows: slice, columns: slice, halo: int) -> np.ndarray:
        """Elevation of a window with a halo [m]; unknown, also beyond the raster, is nan.

        Raises:
            ValueError: the file is cut off.
        """
        return self.read(self.dem, rows, columns, halo)

    def limit(self, rows: slice, columns: slice) -> np.ndarray:
        """Speed limit of a window [m/s]; none is nan.

        Raises:
            ValueError: the file is cut off.
        """
        found = np.full((rows.stop - rows.start, columns.stop - columns.start), np.nan)
        if self.land is not None:
            codes = self.read(self.land, rows, columns)
            for code, speed in self.limits.items():
                found[codes == code] = speed
        return found

    def read(self, path: Path, rows: slice, columns: slice, halo: int = 0) -> np.ndarray:
        """A window of one of the rasters with a halo, as it is in the file; unknown is nan.

        Raises:
            ValueError: the file is cut off.
        """
        rasterio = need_rasterio()
        height, width = self.grid.shape
        top, left = max(rows.start - halo, 0), max(columns.start - halo, 0)
        bottom, right = min(rows.stop + halo, height), min(columns.stop + halo, width)
        try:
            with rasterio.Env(GDAL_CACHEMAX=CACHE):
                file = _kept_open(path)
                found = file.read(1, window=((top, bottom), (left, right))).astype(float)
                if file.nodata is not None:
                    found[found == file.nodata] = np.nan
        except (rasterio.errors.RasterioError, FileNotFoundError) as error:
            raise ValueError(f"{path} is damaged or cut off: {error.__cause__ or error}") from None
        found[~np.isfinite(found)] = np.nan
        whole = np.full(
            (rows.stop - rows.start + 2 * halo, columns.stop - columns.start + 2 * halo), np.nan
        )
        first, second = top - rows.start + halo, left - columns.start + halo
        whole[first : first + found.shape[0], second : second + found.shape[1]] = found
        return whole
