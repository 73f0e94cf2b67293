"""Data of the cockpit's page: drawing, gauges and levers of a rig."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..rig import Rig

#: Most points of the planned path that a welcome tells.
POINTS = 800
DEGREES = 57.29577951308232
#: label, signal, number in it, factor, unit, digits; a bar where low and high follow.
Gauge = tuple[Any, ...]
DRIVING: tuple[Gauge, ...] = (
    ("speed", "velocity", 0, 3.6, "km/h", 1),
    ("steer angle", "steer_angle", 0, DEGREES, "°", 1),
    ("off track", "off_track", 0, 1.0, "m", 3),
    ("roll", "attitude", 0, DEGREES, "°", 1),
    ("pitch", "attitude", 1, DEGREES, "°", 1),
)
CYLINDERS = ("boom", "crowd", "bucket", "swing left", "swing right")
MOST = 28.0  # [MPa] of a pressure's bar: where the ports' relief valves open
DIGGING: tuple[Gauge, ...] = (
    ("pump", "pump_pressure", 0, 1e-6, "MPa", 1, 0.0, MOST),
    *(
        (f"{name} {side}", "cylinder_pressure", 2 * k + i, 1e-6, "MPa", 1, 0.0, MOST)
        for k, name in enumerate(CYLINDERS)
        for i, side in enumerate(("head", "rod"))
    ),
    ("reach of the tip", "tip_reach", 0, 1.0, "m", 2),
    ("height of the tip", "tip_position", 2, 1.0, "m", 2),
)


def _lever(
    signal: str, label: str, low: float, high: float, keys: tuple[str, str], rate: float, **more: Any
) -> dict[str, Any]:
    """A lever of the page; ``keys`` move it down and up by ``rate`` a second."""
    return {
        "signal": signal,
        "label": label,
        "low": low,
        "high": high,
        "keys": keys,
        "rate": rate,
        **more,
    }


#: ``back``: how fast it returns when it is let go [1/s]; ``pad``: axis of a gamepad and its sign, or
#: the two buttons; ``stick``: on-screen stick and its axis, with the sign as of a gamepad.
DRIVE_LEVERS = [
    _lever("wanted_speed", "speed wanted", -2.0, 8.0, ("ArrowDown", "ArrowUp"), 3.0, unit="m/s",
           buttons=(6, 7)),
    _lever("steering_wheel", "steering", -0.6, 0.6, ("ArrowRight", "ArrowLeft"), 0.6, unit="°",
           factor=DEGREES, back=3.6, pad=(0, -1.0), mirrored=True),
]  # fmt: skip
#: As on machines: left stick swing and crowd, right stick bucket and boom (the pattern of ISO 10968).
DIG_LEVERS = [
    _lever("swing_lever", "swing", -1.0, 1.0, ("d", "a"), 3.0, back=9.0, pad=(0, -1.0),
           stick=(0, 0), ends=("left", "right")),
    _lever("crowd_lever", "crowd", -1.0, 1.0, ("w", "s"), 3.0, back=9.0, pad=(1, 1.0),
           stick=(0, 1), ends=("out", "in")),
    _lever("bucket_lever", "bucket", -1.0, 1.0, ("ArrowRight", "ArrowLeft"), 3.0, back=9.0,
           pad=(2, -1.0), stick=(1, 0), ends=("curl", "dump")),
    _lever("boom_lever", "boom", -1.0, 1.0, ("ArrowUp", "ArrowDown"), 3.0, back=9.0, pad=(3, 1.0),
           stick=(1, 1), ends=("down", "up")),
    _lever("bucket_load", "load in the bucket", 0.0, 5000.0, ("-", "+"), 2500.0, unit="kN", factor=1e-3),
    _lever("digging_force", "soil on the tip", 0.0, 12000.0, (",", "."), 6000.0, unit="kN", factor=1e-3),
]  # fmt: skip


def describe(rig: Rig, name: str = "a rig", *, boundary: ArrayLike | None = None) -> dict[str, Any]:
    """For the welcome of a server whose cockpit drives this rig.

    Arguments:
        rig: with a chassis, or with a linkage: a machine that stands and digs.
        name: that the page shows.
        boundary: corners of the field, shape (n, 2) [m]; None: none.
    """
    if "linkage" in rig.blocks:
        return _digs(rig, name)
    path = rig.site.path
    points = path.points(max(0.5, path.length / POINTS))[:, :2]
    chassis = rig.blocks.get("chassis")
    welcome: dict[str, Any] = {
        "name": name, "kind": "drive", "gauges": DRIVING, "levers": DRIVE_LEVERS, "engage": True,
        "signals": ["position", "attitude", "velocity", "steer_angle", "off_track", "engaged"],
        "path": np.round(points, 3).tolist(),
    }  # fmt: skip
    if boundary is not None:
        welcome["boundary"] = np.round(np.asarray(boundary, float), 3).tolist()
    sizes = {key: getattr(chassis, key, None) for key in ("wheelbase", "track")}
    return welcome | {key: float(size) for key, size in sizes.items() if size is not None}


def _digs(rig: Rig, name: str) -> dict[str, Any]:
    """With its links for a side view: swing axis to the boom's pin, then boom, crowd, bucket."""
    return {
        "name": name, "kind": "dig", "gauges": DIGGING, "levers": DIG_LEVERS,
        "signals": ["joint_angle", "tip_position", "tip_reach", "cylinder_pressure", "pump_pressure"],
        "links": {"pin": (0.35, 0.40), "lengths": (2.80, 1.90, 0.95), "degrees": (35.0, -90.0, -36.0),
                  "ground": -0.9},
    }  # fmt: skip
