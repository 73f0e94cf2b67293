"""GeoTIFF rasters in and out: what belongs together is checked, what does not is a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

INSTALL = "pip install 'wheelground[mobility]'"
#: How many Pa a raster's unit is; how many m.
PASCALS = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "psi": 6894.757293168361}


def need_rasterio() -> Any:
    """The module rasterio.

    Raises:
        ModuleNotFoundError: it is not installed; the sentence says how to.
    """
    try:
        import rasterio
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"maps need rasterio: {INSTALL}") from None
    return rasterio


@dataclass(frozen=True)
class Grid:
    """What two rasters must share.

    Attributes:
        shape: (rows, columns). transform: affine, six numbers. crs: of the plane, as text.
        spacing: (dx, dy) of the cells [m].
    """

    shape: tuple[int, int]
    transform: tuple[float, ...]
    crs: str
    spacing: tuple[float, float]


@dataclass(frozen=True)
class Inputs:
    """Checked rasters of strength and elevation.

    Arguments:
        soil, dem: GeoTIFF files; cone index, and elevation [m].
        unit: of the cone index, a name in ``PASCALS``.

    Raises:
        ValueError: a file that cannot be read or has no coordinates, degrees, rasters of other place,
            size or coordinates, or a cone index that is not one in this unit. One sentence each.
        ModuleNotFoundError: rasterio is not installed.
    """

    soil: Path
    dem: Path
    unit: str = "kPa"

    def __post_init__(self) -> None:
        from contact import checks

        checks.known("unit", self.unit, PASCALS)
        one, two = self._grid(self.soil), self._grid(self.dem)
        for what in ("crs", "shape", "transform"):
            mine, other = getattr(one, what), getattr(two, what)
            same = np.allclose(mine, other, rtol=1e-9) if what == "transform" else mine == other
            if not same:
                word = {"crs": "coordinates", "shape": "size", "transform": "place or cells"}[what]
                raise ValueError(f"{self.soil} and {self.dem} differ in {word}: {mine} and {other}")

    def _grid(self, path: Path) -> Grid:
        rasterio = need_rasterio()
        try:
            with rasterio.open(path) as file:
                if file.crs is None:
                    raise ValueError(f"{path} has no coordinate system; give it one (gdal_edit -a_srs)")
                if file.crs.is_geographic:
                    raise ValueError(f"{path} is in degrees; project it to metres first")
                if file.transform.b != 0.0 or file.transform.d != 0.0:
                    raise ValueError(f"{path} is turned against its coordinates; warp it upright first")
                if file.count < 1:
                    raise ValueError(f"{path} has no band")
                metre = file.crs.linear_units_factor[1]
                if abs(metre - 1.0) > 1e-9:
                    raise ValueError(f"{path} is in {file.crs.linear_units}; project it to metres first")
                spacing = (abs(file.res[0]), abs(file.res[1]))
                return Grid(file.shape, tuple(file.transform)[:6], file.crs.to_string(), spacing)
        except rasterio.errors.RasterioError as error:
            raise ValueError(f"{path} cannot be read as a GeoTIFF: {error}") from None

    @property
    def grid(self) -> Grid:
        """Place, size and cells, the same of both."""
        return self._grid(self.soil)

    def read(self, which: str, rows: slice, columns: slice, halo: int = 0) -> np.ndarray:
        """A window with a halo: strength [Pa] ("soil") or elevation [m] ("dem"); unknown is nan.

        Beyond the raster's edge the halo is unknown.

        Raises:
            ValueError: the file is cut off, or a cone index beyond what soils have in its unit.
        """
        rasterio = need_rasterio()
        path = self.soil if which == "soil" else self.dem
        height, width = self.grid.shape
        top, left = max(rows.start - halo, 0), max(columns.start - halo, 0)
        bottom, right = min(rows.stop + halo, height), min(columns.stop + halo, width)
        try:
            with rasterio.open(path) as file:
                found = file.read(1, window=((top, bottom), (left, right))).astype(float)
                if file.nodata is not None:
                    found[found == file.nodata] = np.nan
        except rasterio.errors.RasterioError as error:
            raise ValueError(f"{path} is damaged or cut off: {error}") from None
        found[~np.isfinite(found)] = np.nan
        if which == "soil":
            found *= PASCALS[self.unit]
            most = np.nanmax(found, initial=0.0)
            if most > 1e8 or 0.0 < most < 1e3:
                raise ValueError(
                    f"{path}: a largest cone index of {most:.3g} Pa is none; is its unit {self.unit}?"
                )
        whole = np.full(
            (rows.stop - rows.start + 2 * halo, columns.stop - columns.start + 2 * halo), np.nan
        )
        first, second = top - rows.start + halo, left - columns.start + halo
        whole[first : first + found.shape[0], second : second + found.shape[1]] = found
        return whole


def write_layer(path: Path, layer: np.ndarray, grid: Grid, unit: str, words: str) -> None:
    """Write one layer as a GeoTIFF with overviews, whole or not at all.

    Arguments:
        path: of the file. layer: (rows, columns); floats (unknown: nan) or codes (unknown: 0).
        grid: place and coordinates. unit: such as "m/s". words: what it is, with the codes' meaning.
    """
    rasterio = need_rasterio()
    part = path.with_name("." + path.name)
    coded = layer.dtype == np.uint8
    profile = {
        "driver": "GTiff", "height": grid.shape[0], "width": grid.shape[1], "count": 1,
        "dtype": layer.dtype, "crs": grid.crs, "transform": rasterio.Affine(*grid.transform),
        "nodata": 0 if coded else np.nan, "compress": "deflate", "tiled": True,
        "blockxsize": 256, "blockysize": 256,
    }  # fmt: skip
    with rasterio.open(part, "w", **profile) as file:
        file.write(layer, 1)
        file.set_band_unit(1, unit)
        file.set_band_description(1, words)
        levels = [k for k in (2, 4, 8, 16) if min(grid.shape) // k >= 64]
        if levels:
            way = rasterio.enums.Resampling.nearest if coded else rasterio.enums.Resampling.average
            file.build_overviews(levels, way)
    part.replace(path)
