"""A vehicle: parts, controls, what its wheels roll on; it expands to a mechanism."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contact import ConeIndexSoil, WheelContact
from contact.rigid import Plane

from .. import checks
from ..body import Body
from ..mechanism import Mechanism
from ..signals import Schedule, Signal, check_signal
from .part import Assembly, Part


@dataclass(frozen=True)
class Vehicle:
    """What a vehicle's file holds.

    Arguments:
        name: of the vehicle.
        parts: in the order in which they are built.
        controls: by name ("throttle", "brake", "steering", "gear", "clutch"): a number makes it an
            input of that name, which starts at that value; a schedule runs by itself.
        wheel: tyre, soil, ground law and scheme of every wheel.
        origin: of the vehicle's axes in the world [m].
        about: what the file says of itself.

    Raises:
        MechanismError: naming the field, its value and what is allowed.
    """

    name: str
    parts: tuple[Part, ...]
    controls: Mapping[str, Signal]
    wheel: WheelContact
    origin: tuple[float, ...] = (0.0, 0.0, 0.0)
    about: str = ""

    def __post_init__(self) -> None:
        checks.text("vehicle", "name", self.name)
        who = f"vehicle {self.name!r}"
        for part in self.parts:
            if not isinstance(part, Part):
                raise checks.MechanismError(f"{who}: parts may hold parts, got {checks.shown(part)}.")
        if not isinstance(self.wheel, WheelContact):
            got = checks.shown(self.wheel)
            raise checks.MechanismError(f"{who}: wheel must be a WheelContact, got {got}.")
        for name, signal in self.controls.items():
            check_signal(who, f"control {checks.text(who, 'the name of a control', name)!r}", signal)
        object.__setattr__(self, "origin", checks.vector(who, "origin [m]", self.origin))
        checks.text(who, "about", self.about, empty=True)

    def part(self, kind: type[Part], name: str) -> Part:
        """The part of a kind and name; UnknownName with the nearest if there is none."""
        found = {p.name: p for p in self.parts if type(p) is kind}
        if name not in found:
            raise checks.UnknownName(f"vehicle {self.name!r}: {kind.__name__}", name, found)
        return found[name]

    def with_part(self, kind: type[Part], part: str, **changes: Any) -> Vehicle:
        """The vehicle with some fields of a part changed."""
        old = self.part(kind, part)
        new = dataclasses.replace(old, **changes)
        return dataclasses.replace(self, parts=tuple(new if p is old else p for p in self.parts))

    def on(
        self, *, regularisation: str | None = None, cone_index: float | None = None, **changes: Any
    ) -> Vehicle:
        """The vehicle with another scheme, cone index [Pa] or other fields of its wheels' contact."""
        if regularisation is not None:
            changes["regularisation"] = regularisation
        if cone_index is not None:
            changes["soil"] = ConeIndexSoil(cone_index)
        return dataclasses.replace(self, wheel=dataclasses.replace(self.wheel, **changes))

    def mechanism(
        self,
        controls: Mapping[str, Signal] | None = None,
        *,
        hard: bool = False,
        ground: Any = None,
        towing: tuple[Vehicle, ...] = (),
        **hard_wheel: Any,
    ) -> Mechanism:
        """Bodies, joints, forces and wheels.

        Arguments:
            controls: signals instead of the vehicle's own, by name.
            hard: wheels on hard, springy ground instead of soil; sideways a force over the slip angle.
            ground: plane or height field; default: the plane z = 0.
            towing: trailers, whose parts join this vehicle's.
            hard_wheel: fields of :class:`bodies.Wheel` on hard ground: stiffness, friction, lateral...
        """
        return self.assemble(controls, hard=hard, ground=ground, towing=towing, **hard_wheel)[0]

    def assemble(
        self,
        controls: Mapping[str, Signal] | None = None,
        *,
        hard: bool = False,
        ground: Any = None,
        towing: tuple[Vehicle, ...] = (),
        **hard_wheel: Any,
    ) -> tuple[Mechanism, dict[str, str]]:
        """The mechanism, and why each of its bodies exists."""
        signals: dict[str, Signal] = dict(self.controls)
        for name, signal in (controls or {}).items():
            if name not in signals:
                raise checks.UnknownName(f"vehicle {self.name!r}: control", name, signals)
            signals[name] = signal
        inputs = {k: float(v) for k, v in signals.items() if not isinstance(v, Schedule | str)}
        named = {k: k if k in inputs else v for k, v in signals.items()}
        bodies: list[Body] = []
        elements: list[Any] = []
        wheels: list[Any] = []
        reasons: dict[str, str] = {}
        for vehicle in (self, *towing):
            wheel: dict[str, Any] = {"ground": Plane() if ground is None else ground}
            if hard:
                tyre = vehicle.wheel.tyre
                wheel |= {"radius": tyre.radius, "width": tyre.width, "stiffness": tyre.stiffness}
                wheel |= hard_wheel
            else:
                wheel["soil"] = vehicle.wheel
            assembly = Assembly(vehicle.name, named, wheel, vehicle.origin)
            for part in vehicle.parts:
                part.build(assembly)
            bodies += assembly.bodies
            elements += assembly.elements
            wheels += assembly.wheels
            reasons |= assembly.reasons
        name = " + ".join((self.name, *(t.name for t in towing)))
        return Mechanism(
            name, tuple(bodies), tuple(elements), wheels=tuple(wheels), inputs=inputs
        ), reasons
