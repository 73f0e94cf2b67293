"""Motion of a machine for outgoing messages, from a rig's signals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .geodesy import Origin
from .nmea import Fix


@dataclass(frozen=True)
class Motion:
    """Pose and velocity of a machine, true or as measured by its receiver.

    Arguments:
        position: reference point, world axes [m].
        attitude: roll, pitch, yaw [rad], ISO 8855.
        speed: forward positive [m/s].
        yaw_rate: left positive [rad/s].
        quality: quality of the fix, 0 (none) to 4, see the signal "fix_quality".
        taken: time of validity, on the rig's clock [s].
    """

    position: tuple[float, float, float]
    attitude: tuple[float, float, float]
    speed: float
    yaw_rate: float
    quality: int
    taken: float

    @staticmethod
    def of(signals: Callable[[str], Any], now: float, receiver: bool, tick: float = 0.0) -> Motion:
        """Motion from the signals of a rig.

        Arguments:
            signals: function that returns a signal by name.
            now: time at the beginning of a tick [s].
            receiver: True: measured by the rig's receiver; False: the true motion.
            tick: tick of the rig [s]; the age of the fix on the bus is one tick old.
        """
        x, y, z = (float(v) for v in signals("position"))
        roll, pitch, yaw = (float(v) for v in signals("attitude"))
        speed, rate = float(signals("velocity")[0]), float(signals("yaw_rate"))
        if not receiver:
            return Motion((x, y, z), (roll, pitch, yaw), speed, rate, 4, now)
        x, y, z = (float(v) for v in signals("fix_position"))
        yaw, quality = float(signals("fix_heading")), int(signals("fix_quality"))
        taken = max(0.0, now - tick - float(signals("fix_age")))
        return Motion((x, y, z), (roll, pitch, yaw), speed, rate, quality, taken)

    def fix(self, origin: Origin, begun: dt.datetime) -> Fix:
        """GNSS fix of this motion; ``begun``: UTC at the rig's time 0."""
        when = begun + dt.timedelta(microseconds=round(1e6 * self.taken))
        return Fix.of(origin, when, self.position, self.attitude[2], self.speed, self.quality)
