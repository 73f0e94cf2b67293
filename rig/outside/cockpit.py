"""Data for the cockpit's page: panel, outline of the machine, map."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..posed import Posed
from ..rig import Rig

#: Largest number of points of the planned path in the first message to a client.
POINTS = 800
#: Drawing of a planar chassis [m]: overhang beyond the axles; length and width of rear and front wheels.
OVERHANG, WHEELS = 0.6, ((1.4, 0.4), (1.0, 0.3))


def describe(rig: Rig, name: str = "a rig", *, boundary: ArrayLike | None = None) -> dict[str, Any]:
    """Description of a rig for the welcome message of the server, as shown by the cockpit.

    Arguments:
        rig: rig with a panel.
        name: title on the page.
        boundary: corners of the field, shape (n, 2) [m]; None: none.
    """
    panel = rig.panel
    welcome: dict[str, Any] = {
        "name": name,
        "levers": [dataclasses.asdict(lever) for lever in panel.levers],
        "gauges": [dataclasses.asdict(gauge) for gauge in panel.gauges],
        "engage": panel.guidance,
    }
    shown = {gauge.signal for gauge in panel.gauges} | {lever.signal for lever in panel.levers}
    if panel.guidance:
        shown |= {"engage", "engaged"}
    if panel.links is not None:
        welcome["links"] = dataclasses.asdict(panel.links)
        shown.add(panel.links.signal)
    elif "position" in rig.wiring.written:
        path = rig.site.path
        if "guidance" in rig.blocks or "gnss" in rig.blocks:
            points = path.points(max(0.5, path.length / POINTS))[:, :2]
            welcome["path"] = np.round(points, 3).tolist()
        if boundary is not None:
            welcome["boundary"] = np.round(np.asarray(boundary, float), 3).tolist()
        welcome |= _outline(rig)
        shown |= {"position", "attitude", "velocity"}
        shown |= {"steer_angle"} & set(rig.bus.signals)
    return welcome | {"signals": sorted(shown)}


def _outline(rig: Rig) -> dict[str, Any]:
    """Ranges of x, y of the hull from the reference point; x, y, length, width [m], 1 if steered of a
    wheel."""
    chassis: Any = rig.blocks.get("chassis")
    machine: Any = rig.blocks.get("machine")
    if isinstance(machine, Posed):
        return machine_outline(machine) | {"fixed": bool(getattr(machine, "fixed", False))}
    base, half = float(getattr(chassis, "wheelbase", 2.9)), 0.5 * float(getattr(chassis, "track", 1.8))
    hull = [-OVERHANG, base + OVERHANG, -0.9 * half, 0.9 * half]
    wheels = [
        [x, side * half, *size, steered]
        for (x, steered), size in zip(((0.0, 0), (base, 1)), WHEELS, strict=True)
        for side in (1.0, -1.0)
    ]
    return {"hull": hull, "wheels": wheels}


def machine_outline(machine: Any) -> dict[str, Any]:
    """Outline of a machine, axes of the reference body: its bodies and wheels as described."""
    from bodies.frames import quaternion_matrix

    mechanism = machine.described()
    places = {body.name: np.array(body.position) for body in mechanism.bodies}
    origin = places[machine.reference]
    turned = next(b.orientation for b in mechanism.bodies if b.name == machine.reference)
    forward = quaternion_matrix(turned)[:, 0]
    yaw = math.atan2(forward[1], forward[0])  # the page turns the outline by this angle again
    back = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    x, y = back @ np.array([place - origin for place in places.values()])[:, :2].T
    wheels = []
    for wheel in mechanism.wheels:
        at = back @ np.subtract(wheel.centre, origin)[:2]
        wheels.append([float(at[0]), float(at[1]), 2.0 * wheel.radius, 0.5 * wheel.radius, 0])
    spread = [float(f(a)) for a in (x, y) for f in (np.min, np.max)]
    edge = 0.15 * max(spread[1] - spread[0], spread[3] - spread[2], 0.2)
    return {
        "hull": [v + edge * s for v, s in zip(spread, (-1, 1, -1, 1), strict=True)],
        "wheels": wheels,
    }
