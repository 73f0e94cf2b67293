"""Input rasters (GeoTIFF): checks, grid, windows in SI units."""

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
from contact.terrain.geotiff import band_values
from mlcp.kinds import above, checked
from mlcp.neighbours import need

from ..classes import LARGEST, LEAST, PASCALS, OwnClass, read_classes
from ..soils import strength_of_class

CACHE = 64  # cache of GDAL [MB]
KEPT = 4  # largest number of open rasters of a thread


def need_rasterio() -> Any:
    """Import the module rasterio.

    Raises:
        ModuleNotFoundError: it is not installed, with the command for its installation.
    """
    return need("rasterio", "a map", "mobility")


@contextmanager
def opened(path: Path, mode: str = "r", **profile: Any) -> Iterator[Any]:
    """Context manager of an open raster, with a small cache (GDAL's default is 5 % of the memory).

    Arguments: as for ``rasterio.open``.
    """
    rasterio = need_rasterio()
    with rasterio.Env(GDAL_CACHEMAX=CACHE), rasterio.open(path, mode, **profile) as file:
        yield file


class _Files(threading.local):
    """Rasters of a thread, left open so that GDAL's cache serves neighbouring windows."""

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
    """Close all rasters of this thread."""
    for file in _FILES.open.values():
        file.close()
    _FILES.open.clear()


def strange(path: Path, unit: str, most: float) -> str | None:
    """Sentence about an implausible largest cone index ``most`` [Pa] of a raster; None: plausible."""
    if most > LARGEST or 0.0 < most < LEAST:
        return f"{path}: a largest cone index of {most:.3g} Pa is none; is its unit {unit}?"
    return None


@dataclass(frozen=True)
class Grid:
    """Grid of a raster, equal for all rasters of a map.

    Attributes:
        shape: (rows, columns). transform: affine transform, six numbers.
        crs: coordinate system, as text.
        spacing: sides (dx, dy) of the cells [m].
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
        soil, dem: GeoTIFF files of cone index and elevation [m].
        unit: unit of the cone index, a name in ``PASCALS``.
        moisture: GeoTIFF of the soil's moisture [percent of the dry weight]; ``soil`` then has soil
            classes (codes of ``SOIL_CODES``), and the strength is ``strength_of_class``.
        wetness: factor on the moisture [-], above 0, for wetter or drier scenarios.
        land: GeoTIFF of land use, whole numbers.
        limits: speed limits of land uses [m/s] by code, at least 0; 0: closed.
        classes: CSV with the strength of the classes in ``soil``, see ``classes.read_classes``.

    Attributes:
        grid: common grid of all rasters. own: soil classes of the CSV by code.

    Raises:
        ValueError: an unreadable file or one without coordinates, coordinates in degrees, different
            grids, or an implausible cone index in this unit. One sentence each.
        ModuleNotFoundError: rasterio is not installed.
    """

    soil: Path
    dem: Path
    unit: str = "kPa"
    moisture: Path | None = None
    wetness: Annotated[float, above(0.0)] = 1.0
    land: Path | None = None
    limits: Mapping[int, float] = field(default_factory=dict)
    classes: Path | None = None
    own: Mapping[int, OwnClass] = field(init=False, repr=False, compare=False)
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.known("unit", self.unit, PASCALS)
        for code, limit in self.limits.items():
            checks.within("Inputs", f"limit of land use {code}", limit, 0.0, unit="m/s")
        if self.limits and self.land is None:
            raise ValueError("Inputs: limits of land use need a raster of it, land")
        own = {} if self.classes is None else read_classes(self.classes, self.moisture is not None)
        object.__setattr__(self, "own", own)
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
        """Strength of a window [Pa]; nan: unknown.

        Raises:
            ValueError: a truncated file, or an implausibly large cone index.
        """
        found = self.read(self.soil, rows, columns)
        moisture = None if self.moisture is None else self.read(self.moisture, rows, columns)
        if self.own:
            strength = np.full(found.shape, np.nan)
            for code, own in self.own.items():
                mine = found == code
                wet = None if moisture is None else moisture[mine]
                strength[mine] = own.strength(wet, self.wetness)
            return strength
        if moisture is not None:
            return strength_of_class(np.nan_to_num(found, nan=0.0), self.wetness * moisture)
        found *= PASCALS[self.unit]
        most = float(np.nanmax(found, initial=0.0))
        # no lower limit: a window may contain weak soil only; module ``glance`` checks the whole map
        if most > LARGEST:
            raise ValueError(strange(self.soil, self.unit, most))
        return found

    def elevation(self, rows: slice, columns: slice, halo: int) -> np.ndarray:
        """Elevation of a window with a halo of cells [m]; nan: unknown, also beyond the raster.

        Raises:
            ValueError: a truncated file.
        """
        return self.read(self.dem, rows, columns, halo)

    def limit(self, rows: slice, columns: slice) -> np.ndarray:
        """Speed limit of the land use in a window [m/s]; nan: none.

        Raises:
            ValueError: a truncated file.
        """
        found = np.full((rows.stop - rows.start, columns.stop - columns.start), np.nan)
        if self.land is not None:
            codes = self.read(self.land, rows, columns)
            for code, speed in self.limits.items():
                found[codes == code] = speed
        return found

    def read(self, path: Path, rows: slice, columns: slice, halo: int = 0) -> np.ndarray:
        """Window of a raster with a halo of cells, by the file's scale and offset; nan: unknown.

        Raises:
            ValueError: a truncated file.
        """
        rasterio = need_rasterio()
        height, width = self.grid.shape
        top, left = max(rows.start - halo, 0), max(columns.start - halo, 0)
        bottom, right = min(rows.stop + halo, height), min(columns.stop + halo, width)
        try:
            with rasterio.Env(GDAL_CACHEMAX=CACHE):
                file = _kept_open(path)
                found = band_values(file, 1, ((top, bottom), (left, right)))
        except (rasterio.errors.RasterioError, FileNotFoundError) as error:
            raise ValueError(f"{path} is damaged or cut off: {error.__cause__ or error}") from None
        found[~np.isfinite(found)] = np.nan
        whole = np.full(
            (rows.stop - rows.start + 2 * halo, columns.stop - columns.start + 2 * halo), np.nan
        )
        first, second = top - rows.start + halo, left - columns.start + halo
        whole[first : first + found.shape[0], second : second + found.shape[1]] = found
        return whole
