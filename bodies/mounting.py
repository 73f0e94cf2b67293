"""Changed copies of mechanisms: turned, moved, mounted on a body of another mechanism, or with signals
in place of inputs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import checks
from .body import GROUND
from .checks import checked
from .signals import Signal, check_signal

if TYPE_CHECKING:
    from .mechanism import Mechanism

#: Fields of bodies, elements, contacts, their surfaces, and wheels that contain points, directions, or
#: names of objects (which are not replaced by signals, even if an input has the same name).
POINTS = ("position", "position_b", "centre", "point")
AXES = ("axis", "axis_b", "spin_axis", "direction", "normal")
DIRECTIONS = (*AXES, "velocity", "angular_velocity", "wind")
NAMES = ("name", "body", "body_a", "body_b", "joint")


@checked
def with_signals(mechanism: Mechanism, signals: Mapping[str, Signal]) -> Mechanism:
    """Copy of a mechanism with schedules or numbers instead of some of its inputs.

    Arguments:
        mechanism: a mechanism with inputs.
        signals: schedules or numbers by the names of the inputs that they replace.

    Raises:
        UnknownName: a name in ``signals`` that is no input.
    """
    who = f"mechanism {mechanism.name!r}"
    for name, signal in signals.items():
        checks.need_known(f"{who}: input", name, mechanism.inputs)
        check_signal(who, name, signal)
    left = {name: value for name, value in mechanism.inputs.items() if name not in signals}
    elements = tuple(replaced(element, signals) for element in mechanism.elements)
    return dataclasses.replace(mechanism, elements=elements, inputs=left)


def replaced(item: Any, signals: Mapping[str, Signal]) -> Any:
    """Copy of an element in which ``signals[name]`` replaces the input ``name``, also in nested
    objects."""
    if isinstance(item, tuple):
        return tuple(replaced(each, signals) for each in item)
    if not dataclasses.is_dataclass(item) or isinstance(item, type):
        return signals[item] if isinstance(item, str) and item in signals else item
    kept = {f.name: getattr(item, f.name) for f in dataclasses.fields(item) if f.init}
    new = {name: replaced(value, signals) for name, value in kept.items() if name not in NAMES}
    changed = {name: value for name, value in new.items() if value is not kept[name]}
    return dataclasses.replace(item, **changed) if changed else item


@checked
def mounted(
    tool: Mechanism, carrier: Mechanism, body: str, at: tuple[float, ...], heading: float = 0.0
) -> Mechanism:
    """Mechanism that consists of a carrier and a tool mounted on one of the carrier's bodies.

    Arguments:
        tool: mechanism on the ground; its joints with the ground become joints with ``body``.
        carrier: mechanism that carries the tool, and sets the gravity.
        body: name of the carrier's body.
        at: position of the tool's origin, world axes, in the pose of the carrier's description [m].
        heading: angle of the tool's x-axis from the world's x-axis, to the left [rad].

    Raises:
        UnknownName: the carrier has no such body. MechanismError: a name that both mechanisms have.
    """
    who = f"mounted: {carrier.name!r}"
    checks.need_known(f"{who}: body", body, [b.name for b in carrier.bodies])
    place = checks.vector(who, "at [m]", at)
    angle = checks.number(who, "heading [rad]", heading, -1e3, 1e3)
    tool = turned(tool, angle, (0.0, 0.0, 0.0)) if angle % (2.0 * math.pi) else tool

    def there(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(moved(item, place, body) for item in items)

    return dataclasses.replace(
        carrier,
        name=f"{tool.name} on {carrier.name}",
        bodies=(*carrier.bodies, *there(tool.bodies)),
        elements=(*carrier.elements, *there(tool.elements)),
        contacts=(*carrier.contacts, *there(tool.contacts)),
        wheels=(*carrier.wheels, *there(tool.wheels)),
        inputs={**carrier.inputs, **tool.inputs},
    )


def each_corner(hulls: Any, place: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Hulls of a :class:`Look` with every corner transformed by ``place``."""
    return tuple(tuple(place(corner) for corner in hull) for hull in hulls)


def moved(item: Any, by: Any, ground: str = GROUND) -> Any:
    """Copy of a body, element, contact (with its surface) or wheel, moved by the vector ``by`` [m].

    Joints with the ground become joints with the body named ``ground``, as do contacts and looks.
    """
    given = {name: getattr(item, name, None) for name in POINTS}
    new: dict[str, Any] = {
        name: tuple(a + b for a, b in zip(value, by, strict=True))
        for name, value in given.items()
        if value is not None
    }
    if hulls := getattr(item, "hulls", ()):
        new["hulls"] = each_corner(hulls, lambda p: tuple(a + b for a, b in zip(p, by, strict=True)))
    if surface := getattr(item, "surface", None):
        new["surface"] = moved(surface, by)
    owners = ("body", "body_a", "body_b")
    new |= {name: ground for name in owners if getattr(item, name, None) == GROUND}
    return dataclasses.replace(item, **new) if new else item


def turned(mechanism: Mechanism, heading: float, about: tuple[float, ...]) -> Mechanism:
    """Copy of a mechanism, turned about a vertical axis: every point x becomes ``p + R_z(heading) (x -
    p)``.

    Arguments:
        mechanism: the mechanism.
        heading: angle of rotation to the left [rad].
        about: point p of the axis [m], world axes.
    """
    c, s = math.cos(heading), math.sin(heading)
    w, z = math.cos(0.5 * heading), math.sin(0.5 * heading)

    def vector(v: Any) -> tuple[float, ...]:
        return (c * v[0] - s * v[1], s * v[0] + c * v[1], v[2])

    def point(p: Any) -> tuple[float, ...]:
        moved = vector([a - b for a, b in zip(p, about, strict=True)])
        return tuple(a + b for a, b in zip(moved, about, strict=True))

    def quaternion(q: Any) -> tuple[float, ...]:
        a, b, d, e = q
        return (w * a - z * e, w * b - z * d, w * d + z * b, w * e + z * a)

    how: dict[str, Any] = dict.fromkeys(POINTS, point)
    how |= dict.fromkeys(DIRECTIONS, vector)
    how["orientation"] = quaternion

    def whole(item: Any) -> Any:
        given = {f: getattr(item, f, None) for f in how}
        if hulls := getattr(item, "hulls", ()):
            return dataclasses.replace(item, hulls=each_corner(hulls, point))
        new = {f: how[f](v) for f, v in given.items() if v is not None}
        if surface := getattr(item, "surface", None):
            new["surface"] = whole(surface)
        return dataclasses.replace(item, **new)

    return dataclasses.replace(
        mechanism,
        bodies=tuple(map(whole, mechanism.bodies)),
        elements=tuple(map(whole, mechanism.elements)),
        contacts=tuple(map(whole, mechanism.contacts)),
        wheels=tuple(map(whole, mechanism.wheels)),
    )
