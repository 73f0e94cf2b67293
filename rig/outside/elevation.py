"""Ground from a GeoTIFF of elevations, with its geographic place, for wheels, receiver and scene."""

from __future__ import annotations

import math
import pathlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contact.terrain import SmoothHeightField
from contact.terrain.geotiff import band_values
from mlcp.checks import shown
from mlcp.neighbours import need

from ..errors import RigError, checked
from .geodesy import Origin

Array = NDArray[np.float64]
WGS84 = "EPSG:4326"
NODES = 4_000_000  # largest number of nodes of the grid
REACH = 500.0  # default half side of the grid [m]
EDGE = 3  # cells read around the wanted window, for the interpolation


@dataclass(frozen=True, eq=False)
class Elevation(SmoothHeightField):
    """Height field in the local tangent plane of an ``Origin``: x east, y north, z up.

    Earth's curvature is included. z = 0 is the file's height at the origin. ``place.geodetic`` of a
    point of the ground gives the file's height, so that a receiver's height agrees with the file. One
    node of the grid lies on the centre of the cell next to the origin, and the spacing is the size of
    that cell. Heights between the nodes are bicubic, as in every ``SmoothHeightField``.

    Arguments:
        place: geographic origin on WGS 84; the file's heights are taken as ellipsoidal.
        file: name of the file.
        reach: half side of the square around the origin [m].
    """

    place: Origin = field(default_factory=lambda: Origin(0.0, 0.0))
    file: str = ""
    reach: float = REACH

    @staticmethod
    @checked
    def read(
        path: str | pathlib.Path, latitude: float | None = None, longitude: float | None = None, *,
        reach: float = REACH, band: int = 1,
    ) -> Elevation:  # fmt: skip
        """Read a GeoTIFF around a place, in degrees or in any projection of rasterio.

        Arguments:
            path: file.
            latitude, longitude: origin of the world [deg]; None: the middle of the file.
            reach: half side of the square around the origin [m].
            band: band with the heights [m].

        Raises:
            RigError: an unreadable file or one without coordinates or such a band, a place outside it,
                missing data, more than 4 million nodes. ImportError: rasterio or pymap3d is missing.
        """
        rasterio = need("rasterio", "elevation from a GeoTIFF", "terrain")
        if not isinstance(reach, int | float) or not 1.0 <= reach <= 1e5:
            raise RigError(f"reach = {shown(reach)} of an elevation must be within 1 to 1e5 m")
        try:
            with rasterio.open(path) as file:
                if band not in file.indexes:
                    raise RigError(f"{path} has bands 1 to {file.count}, none of number {band}")
                return _read(file, path, latitude, longitude, float(reach), band)
        except rasterio.errors.RasterioError as error:
            raise RigError(f"{path} cannot be read as elevation: {error}") from None


class _Cells:
    """Access to a raster by latitude and longitude: column and row of a place, heights of a window."""

    def __init__(self, file: Any, path: Any) -> None:
        if file.crs is None:
            raise RigError(f"{path} does not say where it lies: it has no coordinate system")
        self.file, self.path = file, path
        self._warp = need("rasterio.warp", "elevation from a GeoTIFF", "terrain")

    def at(self, latitude: ArrayLike, longitude: ArrayLike) -> Array:
        """Column and row of places [deg], 0 at the centre of the first cell; shape (2, n)."""
        lat, lon = (np.atleast_1d(np.asarray(v, float)) for v in (latitude, longitude))
        found = self._warp.transform(WGS84, self.file.crs, lon.ravel().tolist(), lat.ravel().tolist())
        return _applied(~self.file.transform, *np.array(found)) - 0.5

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Latitude and longitude [deg] of a column and row."""
        x, y = _applied(self.file.transform, column + 0.5, row + 0.5)
        (lon,), (lat,) = self._warp.transform(self.file.crs, WGS84, [x], [y])
        return lat, lon

    def window(self, found: Array, band: int) -> SmoothHeightField:
        """Height field [m] over column and row, around points ``found``, shape (2, n) (column, row)."""
        size = (self.file.width, self.file.height)
        first = np.maximum(np.floor(found.min(axis=1)).astype(int) - EDGE, 0)
        last = np.minimum(np.ceil(found.max(axis=1)).astype(int) + EDGE + 1, size)
        (c0, r0), (c1, r1) = first.tolist(), last.tolist()
        heights = band_values(self.file, band, ((r0, r1), (c0, c1)))
        holes = np.isnan(heights)
        if holes.any():
            raise RigError(f"{self.path} has cells without data (holes) there: {int(holes.sum())}")
        return SmoothHeightField(heights, origin=(float(c0), float(r0)))


def _applied(t: Any, x: Any, y: Any) -> Array:
    """Affine transform ``t`` of points x, y; shape (2, n)."""
    return np.array([t.a * x + t.b * y + t.c, t.d * x + t.e * y + t.f])


def _read(
    file: Any, path: Any, latitude: float | None, longitude: float | None, reach: float, band: int
) -> Elevation:
    cells = _Cells(file, path)
    middle = cells.place(0.5 * (file.width - 1), 0.5 * (file.height - 1))
    level = Origin(*(m if v is None else v for v, m in zip((latitude, longitude), middle, strict=True)))
    (column,), (row,) = cells.at(level.latitude, level.longitude)
    if not (-0.5 <= column <= file.width - 0.5 and -0.5 <= row <= file.height - 0.5):
        raise RigError(
            f"latitude {level.latitude:g}, longitude {level.longitude:g} lies outside {path}, whose "
            f"middle is at {middle[0]:.5f}, {middle[1]:.5f}"
        )
    near = (round(column), round(row))
    here = np.array(level.local(*cells.place(*near))[:2])
    steps = [
        np.subtract(level.local(*cells.place(near[0] + i, near[1] + j))[:2], here)
        for i, j in ((1, 0), (0, 1))
    ]
    dx, dy = (float(np.hypot(*step)) for step in steps)
    before = [math.floor((reach + at) / step) for at, step in zip(here, (dx, dy), strict=True)]
    after = [math.floor((reach - at) / step) for at, step in zip(here, (dx, dy), strict=True)]
    counts = [a + b + 1 for a, b in zip(before, after, strict=True)]
    if min(counts) < 2 or counts[0] * counts[1] > NODES:
        raise RigError(
            f"a reach of {reach:g} m on cells of {dx:.3g} by {dy:.3g} m makes {counts[0]} by "
            f"{counts[1]} nodes; 2 by 2 to {NODES} are possible"
        )
    corner = here[0] - before[0] * dx, here[1] - before[1] * dy
    x, y = np.meshgrid(corner[0] + dx * np.arange(counts[0]), corner[1] + dy * np.arange(counts[1]))
    geodesy = need("pymap3d", "geodesy", "gnss")

    def geodetic(z: ArrayLike, height: float) -> tuple[Array, Array, Array]:
        return geodesy.enu2geodetic(x, y, z, level.latitude, level.longitude, height)

    lat, lon, _ = geodetic(0.0, 0.0)
    heights = cells.window(np.hstack((cells.at(lat, lon), [[column], [row]])), band)
    place = Origin(level.latitude, level.longitude, float(heights.height(column, row)))
    z = np.zeros_like(x)
    for _ in range(3):  # fixed-point iteration: z changes latitude and longitude only slightly
        lat, lon, above = geodetic(z, place.height)
        z = z + heights.height(*cells.at(lat, lon)).reshape(x.shape) - above
    return Elevation(z, (dx, dy), corner, place=place, file=str(path), reach=reach)
