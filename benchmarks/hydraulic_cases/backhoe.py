"""The backhoe's dig cycle: lower, crowd in, curl, lift, swing, dump and back, in 12 s."""

from __future__ import annotations

from bodies import Schedule
from bodies.hydraulics import backhoe
from bodies.mechanism import Mechanism

DURATION = 12.0  # duration of the cycle [s]
JOINTS = ("swing", "boom pin", "crowd pin", "bucket pin")
SIGNALS = {
    "boom lever": (
        (0.3, 0.0), (0.5, -0.5), (2.0, -0.5), (2.2, 0.0), (5.6, 0.0), (5.9, 0.7), (8.2, 0.7), (8.5, 0.0),
    ),
    "crowd lever": (
        (1.9, 0.0), (2.2, 0.6), (4.0, 0.6), (4.3, 0.0), (9.6, 0.0), (9.9, -0.6), (11.1, -0.6),
        (11.4, 0.0),
    ),
    "bucket lever": (
        (3.2, 0.0), (3.5, 0.5), (5.2, 0.5), (5.5, 0.0), (8.9, 0.0), (9.1, -0.7), (10.1, -0.7),
        (10.4, 0.0),
    ),
    "swing lever": (
        (7.2, 0.0), (7.6, 0.35), (9.0, 0.35), (9.4, 0.0), (10.2, 0.0), (10.5, -0.35), (11.4, -0.35),
        (11.8, 0.0),
    ),
    "load": ((3.0, 0.0), (5.4, 4000.0), (9.2, 4000.0), (10.2, 0.0)),
    "digging force": ((2.2, 0.0), (3.0, 9000.0), (4.6, 9000.0), (5.4, 0.0)),
}  # fmt: skip


def digging(**circuit: object) -> Mechanism:
    """The digging backhoe on fixed ground; ``circuit``: changed fields of its circuit."""
    return backhoe({name: Schedule(points) for name, points in SIGNALS.items()}, **circuit)
