"""One band of a GeoTIFF as a grid in metres, with its position on the map."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import shown
from mlcp.kinds import checked
from mlcp.neighbours import need

GEOTIFF = "reading a GeoTIFF"  # name of the feature in the message about a missing rasterio
Window = tuple[float, float, float, float]


@dataclass(frozen=True)
@checked
class MapPlace:
    """Position of the ground's (0, 0) on a map.

    Arguments:
        crs: coordinate system of the map, projected in metres, as text; empty: unknown.
        x, y: map coordinates of that point [m].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    crs: str
    x: float
    y: float

    def to_map(self, x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Map coordinates [m] of points of the ground [m], any shape."""
        return np.asarray(x, float) + self.x, np.asarray(y, float) + self.y

    def from_map(self, x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points of the ground [m] at map coordinates [m], any shape."""
        return np.asarray(x, float) - self.x, np.asarray(y, float) - self.y

    def to_degrees(self, x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Longitude and latitude (WGS 84) [deg] of points of the ground [m], of one dimension.

        Raises:
            ValueError: a map with an unknown coordinate system, points that are not finite.
        """
        if not self.crs:
            raise ValueError("the ground's GeoTIFF has no coordinate system: its place is not known")
        from_x, from_y = (np.atleast_1d(at) for at in np.broadcast_arrays(*self.to_map(x, y)))
        if not (np.isfinite(from_x).all() and np.isfinite(from_y).all()):
            raise ValueError(f"MapPlace.to_degrees: x = {shown(x)}, y = {shown(y)} must be finite")
        warp = need("rasterio.warp", GEOTIFF, "terrain")
        longitude, latitude = warp.transform(self.crs, "EPSG:4326", from_x.ravel(), from_y.ravel())
        return np.array(longitude), np.array(latitude)


@dataclass(frozen=True)
class Band:
    """A band of a raster: (rows, columns), southernmost row first; NaN without data.

    corner: map coordinates of the centre of values[0, 0] [m]; spacing: of columns and rows [m].
    """

    values: NDArray[np.float64]
    spacing: tuple[float, float]
    corner: tuple[float, float]
    crs: str

    def placement(self, georeferenced: bool) -> tuple[tuple[float, float], MapPlace]:
        """Position of values[0, 0] on the ground [m], and of the ground's origin on the map.

        ``georeferenced``: with the map's coordinates; otherwise (0, 0) is at values[0, 0]."""
        if georeferenced:
            return self.corner, MapPlace(self.crs, 0.0, 0.0)
        return (0.0, 0.0), MapPlace(self.crs, *self.corner)


def band_values(file: Any, band: int, window: Any = None) -> NDArray[np.float64]:
    """Values of an open raster's band, by its scale and offset in the file; NaN without data.

    ``window``: as for rasterio, ((first row, end), (first column, end)); None: all.
    """
    values = file.read(band, window=window).astype(float)
    if file.nodata is not None:
        values[values == file.nodata] = np.nan
    return file.scales[band - 1] * values + file.offsets[band - 1]


@checked
def read_band(path: str | Path, band: int, window: Window | None) -> Band:
    """Read a band; one in degrees is projected to metres in its UTM zone, bilinearly, in equal cells.

    Arguments:
        window: x_low, y_low, x_high, y_high of the cells' centres, in metres on the map (of a file in
            degrees: of its zone); None: all.

    Raises:
        ModuleNotFoundError: without rasterio. ValueError: a rotated raster, no such band, or a window
            with less than 2 x 2 cells.
    """
    rasterio = need("rasterio", GEOTIFF, "terrain")
    with rasterio.open(path) as file:
        t = file.transform
        if t.b != 0.0 or t.d != 0.0 or t.a <= 0.0:
            raise ValueError(f"{path} is turned against its coordinates; resample it north up first")
        if not 1 <= band <= file.count:
            raise ValueError(f"{path} has bands 1 to {file.count}, none of number {band}")
        if file.crs is not None and file.crs.is_geographic:
            return _windowed(path, _projected(rasterio, file, band), window)
        x = t.c + t.a * (np.arange(file.width) + 0.5)
        y = t.f + t.e * (np.arange(file.height) + 0.5)
        columns, rows = _within(path, x, y, window)
        part = (int(rows[0]), int(rows[-1]) + 1), (int(columns[0]), int(columns[-1]) + 1)
        values = band_values(file, band, part)
        if t.e < 0.0:  # in most files the northernmost row is first
            values = values[::-1]
        corner = float(x[columns[0]]), float(min(y[rows[0]], y[rows[-1]]))
        crs = "" if file.crs is None else file.crs.to_string()
        return Band(values, (abs(t.a), abs(t.e)), corner, crs)


def _within(path: Any, x: Any, y: Any, window: Window | None) -> tuple[Any, Any]:
    """Columns and rows of a raster whose cells have their centres in a window."""
    if window is None:
        return np.arange(x.size), np.arange(y.size)
    x_low, y_low, x_high, y_high = (float(value) for value in window)
    columns = np.flatnonzero((x >= x_low) & (x <= x_high))
    rows = np.flatnonzero((y >= y_low) & (y <= y_high))
    if columns.size < 2 or rows.size < 2:
        raise ValueError(
            f"window {window} holds less than 2 x 2 cells of {path}, which has x"
            f" {x.min():g} to {x.max():g} m and y {y.min():g} to {y.max():g} m"
        )
    return columns, rows


def _windowed(path: Any, band: Band, window: Window | None) -> Band:
    """Part of ``band`` with the cells' centres in a window."""
    (dx, dy), (x_0, y_0) = band.spacing, band.corner
    x, y = x_0 + dx * np.arange(band.values.shape[1]), y_0 + dy * np.arange(band.values.shape[0])
    columns, rows = _within(path, x, y, window)
    values = band.values[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Band(values, band.spacing, (float(x[columns[0]]), float(y[rows[0]])), band.crs)


def _projected(rasterio: Any, file: Any, band: int) -> Band:
    """Band in degrees projected to its UTM zone, on the rectangle covered by its cells' centres."""
    warp = need("rasterio.warp", GEOTIFF, "terrain")
    t, height, width = file.transform, file.height, file.width
    values = band_values(file, band)
    longitude = t.c + t.a * (np.arange(width) + 0.5)
    latitude = t.f + t.e * (np.arange(height) + 0.5)
    if np.abs(latitude).max() > 84.0 or np.ptp(longitude) > 6.0:
        raise ValueError(
            f"{file.name} is in degrees and reaches latitude {np.abs(latitude).max():.4g} over "
            f"{np.ptp(longitude):.4g} degrees of longitude, which no UTM zone does; project it "
            "to metres first"
        )
    zone = int((0.5 * (longitude[0] + longitude[-1]) + 180.0) // 6.0) % 60 + 1
    north = 0.5 * (latitude[0] + latitude[-1]) >= 0.0
    crs = f"EPSG:{(32600 if north else 32700) + zone}"

    def edge(of_longitude: Any, of_latitude: Any) -> Any:
        of_longitude, of_latitude = np.broadcast_arrays(of_longitude, of_latitude)
        return np.array(warp.transform(file.crs, crs, of_longitude, of_latitude))

    west, east = edge(longitude[0], latitude)[0], edge(longitude[-1], latitude)[0]
    low, high = (edge(longitude, latitude[k])[1] for k in (0, -1))
    if low.mean() > high.mean():
        low, high = high, low
    x_low, x_high, y_low, y_high = west.max(), east.min(), low.max(), high.min()
    dx, dy = (east - west).mean() / max(width - 1, 1), (high - low).mean() / max(height - 1, 1)
    columns, rows = 1 + int((x_high - x_low) / dx), 1 + int((y_high - y_low) / dy)
    if min(columns, rows, width, height) < 2:
        raise ValueError(f"{file.name} has less than 2 x 2 cells")
    found = np.full((rows, columns), np.nan)
    top = y_low + dy * (rows - 1)
    warp.reproject(
        values, found, src_transform=t, src_crs=file.crs, src_nodata=np.nan,
        dst_transform=rasterio.Affine(dx, 0.0, x_low - 0.5 * dx, 0.0, -dy, top + 0.5 * dy),
        dst_crs=crs, dst_nodata=np.nan, resampling=rasterio.enums.Resampling.bilinear,
    )  # fmt: skip
    return Band(found[::-1], (float(dx), float(dy)), (float(x_low), float(y_low)), crs)
