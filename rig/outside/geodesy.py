"""Geodesy: conversions between latitude, longitude and a rig's local coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mlcp.checks import shown
from mlcp.neighbours import need

from ..errors import RigError


@dataclass(frozen=True)
class Origin:
    """Origin of a rig's local tangent plane on the WGS 84 ellipsoid: x east, y north, z up.

    Arguments:
        latitude: north positive [deg].
        longitude: east positive [deg].
        height: height above the ellipsoid [m].

    Raises:
        RigError: a number that is not finite or out of its range.
    """

    latitude: float
    longitude: float
    height: float = 0.0

    def __post_init__(self) -> None:
        limits = {"latitude": 90.0, "longitude": 180.0, "height": 1e5}
        for name, most in limits.items():
            value = getattr(self, name)
            if not isinstance(value, int | float) or not abs(value) <= most:
                raise RigError(f"{name} = {shown(value)} must be within {-most:g} to {most:g}")

    def geodetic(self, x: float, y: float, z: float = 0.0) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg] and height [m] of a local point x, y, z [m]."""
        found = need("pymap3d", "geodesy", "gnss").enu2geodetic(
            x, y, z, self.latitude, self.longitude, self.height
        )
        return float(found[0]), wrapped(float(found[1])), float(found[2])

    def local(
        self, latitude: float, longitude: float, height: float = 0.0
    ) -> tuple[float, float, float]:
        """Local coordinates x, y, z [m] of a latitude [deg], longitude [deg] and height [m]."""
        found = need("pymap3d", "geodesy", "gnss").geodetic2enu(
            latitude, longitude, height, self.latitude, self.longitude, self.height
        )
        return float(found[0]), float(found[1]), float(found[2])


def wrapped(degrees: float) -> float:
    """Angle [deg] wrapped to the interval [-180, 180)."""
    return (degrees + 180.0) % 360.0 - 180.0


def bearing(heading: float) -> float:
    """Bearing [deg], clockwise from north, of a heading [rad], from x (east) to y (north)."""
    found = (90.0 - math.degrees(heading)) % 360.0
    return 0.0 if found == 360.0 else found
