"""The signal that a front adds to its rig's: where every body is."""

from __future__ import annotations

import dataclasses

from ..bus import Bus, Signal
from ..port import Port

#: Signal that carries where every body is; the bus of a rig has it not, since no block reads it.
POSES = "body_poses"


def with_bodies(bus: Bus, bodies: int) -> Bus:
    """The table of signals and, where there are bodies, one more: where each of them is."""
    if bodies == 0:
        return bus
    port = Port("", (7 * bodies,), about="x, y, z [m] and quaternion w, x, y, z of every body")
    return dataclasses.replace(bus, signals={**bus.signals, POSES: Signal(POSES, port, bus.order[-1])})
