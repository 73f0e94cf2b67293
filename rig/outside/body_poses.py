"""Additional signal of a front: poses of all bodies."""

from __future__ import annotations

import dataclasses

from ..bus import Bus, Signal
from ..port import Port

#: Name of the signal; it is not on a rig's own bus, since no block reads it.
POSES = "body_poses"


def with_bodies(bus: Bus, bodies: int) -> Bus:
    """Table of signals, extended by the poses of ``bodies`` bodies; unchanged for 0."""
    if bodies == 0:
        return bus
    port = Port("", (7 * bodies,), about="x, y, z [m] and quaternion w, x, y, z of every body")
    return dataclasses.replace(bus, signals={**bus.signals, POSES: Signal(POSES, port, bus.order[-1])})
