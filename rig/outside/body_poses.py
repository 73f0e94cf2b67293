"""Signal with the poses of all bodies, for the front (the process with a rig's connections)."""

from __future__ import annotations

import dataclasses

from ..bus import Bus, Signal
from ..port import Port

#: Name of the signal. It is on the front's bus alone: no block of a rig reads it.
POSES = "body_poses"


def with_bodies(bus: Bus, bodies: int) -> Bus:
    """Table of signals, extended by the poses of ``bodies`` bodies; unchanged for 0."""
    if bodies == 0:
        return bus
    port = Port("", (7 * bodies,), about="x, y, z [m] and quaternion w, x, y, z of every body")
    return dataclasses.replace(bus, signals={**bus.signals, POSES: Signal(POSES, port, bus.order[-1])})
