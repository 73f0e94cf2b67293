"""NMEA 0183: sentences of a GNSS receiver over a serial line or UDP."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

from mlcp.neighbours import need

from ..errors import RigError
from .geodesy import Origin, bearing

#: Knots in a metre a second: a nautical mile is 1852 m.
KNOTS = 3600.0 / 1852.0
#: Mode of VTG and RMC by quality: none, autonomous, differential, real-time kinematic.
MODES = {0: "N", 1: "A", 2: "D", 4: "R"}


@dataclass(frozen=True)
class Fix:
    """GNSS fix, the content of the sentences.

    Arguments:
        time: UTC, with its time zone.
        latitude, longitude: place [deg], north and east positive.
        height: height above the ellipsoid [m].
        course: bearing of the motion, clockwise from north [deg].
        heading: bearing of the machine, clockwise from north [deg].
        speed: speed over ground [m/s].
        quality: 0 none, 1 single, 2 differential, 4 fixed real-time kinematic.

    Raises:
        RigError: a number that is not finite.
    """

    time: dt.datetime
    latitude: float
    longitude: float
    height: float
    course: float
    heading: float
    speed: float
    quality: int = 4

    def __post_init__(self) -> None:
        numbers = (self.latitude, self.longitude, self.height, self.course, self.heading, self.speed)
        if not all(math.isfinite(number) for number in numbers):
            raise RigError(f"a fix must be of finite numbers, not {numbers}")

    @staticmethod
    def of(
        origin: Origin, when: dt.datetime, position: tuple[float, float, float], heading: float,
        speed: float, quality: int = 4,
    ) -> Fix:  # fmt: skip
        """Fix of a local position [m], heading [rad] from x to y, speed [m/s], negative in reverse."""
        lat, lon, height = origin.geodetic(*position)
        course = bearing(heading if speed >= 0.0 else heading + math.pi)
        return Fix(when, lat, lon, height, course, bearing(heading), abs(speed), quality)


def sentences(fix: Fix, kinds: tuple[str, ...] = ("GGA", "VTG", "RMC", "HDT")) -> list[str]:
    """Sentences of a fix, with checksum and line end.

    Arguments:
        fix: GNSS fix.
        kinds: GGA (position, quality), VTG (course, speed), RMC (position, speed, date), HDT (heading).

    Returns:
        Lines from "$GN" to CR LF; minutes of an angle have seven decimals, 0.2 mm.

    Raises:
        RigError: an unknown kind or quality, a time without its zone.

    Source: NMEA 0183 as in the package pynmeagps; the heading of HDT is relative to true north.
    """
    if fix.time.tzinfo is None:
        raise RigError("the time of a fix must have its time zone, such as datetime.timezone.utc")
    utc = fix.time.astimezone(dt.UTC)
    lat, lon = round(fix.latitude, 9), round(fix.longitude, 9)
    place = {
        "time": utc.time(),
        "lat": lat,
        "NS": "N" if lat >= 0.0 else "S",
        "lon": lon,
        "EW": "E" if lon >= 0.0 else "W",
    }
    course, knots = round(fix.course, 3) % 360.0, round(fix.speed * KNOTS, 4)
    has = fix.quality > 0
    if fix.quality not in MODES:
        raise RigError(f"quality = {fix.quality} of a fix must be one of 0, 1, 2, 4")
    fields = {
        "GGA": {**place, "quality": fix.quality, "numSV": 12 if has else 0, "HDOP": 0.8,
                "alt": round(fix.height, 4), "altUnit": "M", "sep": 0.0, "sepUnit": "M"},
        "VTG": {"cogt": course, "cogtUnit": "T", "sogn": knots, "sognUnit": "N",
                "sogk": round(3.6 * fix.speed, 4), "sogkUnit": "K",
                "posMode": MODES[fix.quality]},
        "RMC": {**place, "status": "A" if has else "V", "spd": knots, "cog": course,
                "date": utc.date(), "posMode": MODES[fix.quality]},
        "HDT": {"headingT": round(fix.heading, 3) % 360.0, "headingTu": "T"},
    }  # fmt: skip
    nmea = need("pynmeagps", "NMEA 0183", "gnss")
    lines = []
    for kind in kinds:
        if kind not in fields:
            raise RigError(f"unknown NMEA sentence {kind!r}; known are {', '.join(fields)}")
        message = nmea.NMEAMessage("GN", kind, nmea.GET, hpnmeamode=1, **fields[kind])
        lines.append(message.serialize().decode("ascii"))
    return lines
