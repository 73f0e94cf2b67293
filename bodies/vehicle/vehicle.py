"""A vehicle: parts, controls, wheels and ground, from which a mechanism is built."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from contact import ConeIndexSoil, WheelContact
from contact.rigid import Plane
from contact.sinkage import sinkage_on

from .. import checks
from ..checks import checked
from ..forces import Gravity, JointSpring
from ..joints import Revolute
from ..mechanism import Mechanism
from ..mounting import turned
from ..signals import Schedule, Signal, check_signal
from .drive.hub_drives import HubDrives
from .part import Assembly, Part, Roller, in_order
from .placing import lowest_point, standing_height
from .plausible import check_hitch, check_places, check_springs
from .references import check_references
from .rolling import HardGround, Rolling, axle_of
from .tools.hitch import Hitch

P = TypeVar("P", bound=Part)


@dataclass(frozen=True)
@checked
class Vehicle:
    """Contents of a vehicle's file.

    Arguments:
        name: name of the vehicle.
        parts: parts, built in this order, except that a part comes after the parts that it needs.
        controls: controls by name ("throttle", "brake", "steering", "gear", "clutch"): a number is the
            initial value of an input of that name; a schedule prescribes the control; the name of
            another control stands for its input.
        wheel: tyre, soil, ground law and regularisation of all wheels not in ``wheels``.
        origin: origin of the vehicle's axes, world axes [m]; with two numbers (x, y) its height is that
            at which the first wheel touches the ground, and its trailers are raised with it.
        about: description in the file.
        hard: hard ground instead of soil under all wheels not in ``wheels``; None: soil.
        wheels: tyre and ground for the wheels of an axle ("front") or for one wheel ("front_left").
        ground: terrain; default: the plane z = 0.
        heading: angle of the vehicle's x-axis from the world's x-axis, to the left [rad].
        gravity: acceleration of gravity [m/s^2], world axes.
        bearing_loss: viscous moment in the hub of each wheel not in ``wheels`` over its spin
            [N m s/rad].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    name: str
    parts: tuple[Part, ...]
    controls: Mapping[str, Signal]
    wheel: WheelContact
    origin: tuple[float, ...] = (0.0, 0.0, 0.0)
    about: str = ""
    hard: HardGround | None = None
    wheels: Mapping[str, Rolling] = field(default_factory=dict)
    ground: Any = None
    heading: float = 0.0
    gravity: Gravity = field(default_factory=Gravity)
    bearing_loss: float = 0.0

    def __post_init__(self) -> None:
        checks.text("vehicle", "name", self.name)
        who = f"vehicle {self.name!r}"
        for name, signal in self.controls.items():
            check_signal(who, f"control {checks.text(who, 'the name of a control', name)!r}", signal)
        size = 2 if checks.numbers(self.origin).shape == (2,) else 3
        object.__setattr__(self, "origin", checks.vector(who, "origin [m]", self.origin, size))
        turn = checks.number(who, "heading [rad]", self.heading, -math.tau, math.tau)
        object.__setattr__(self, "heading", turn)

    def __repr__(self) -> str:
        kinds = ", ".join(sorted({type(part).__name__ for part in self.parts}))
        controls = ", ".join(self.controls)
        return f"Vehicle({self.name!r}: {len(self.parts)} parts of {kinds}; controls {controls})"

    def part(self, kind: type[P], name: str) -> P:
        """Part of a given class and name; UnknownName with the nearest name if there is none."""
        found: dict[str, P] = {p.name: p for p in self.parts if type(p) is kind}
        if name not in found:
            raise checks.UnknownName(f"vehicle {self.name!r}: {kind.__name__}", name, found)
        return found[name]

    def with_part(self, kind: type[Part], part: str, **changes: Any) -> Vehicle:
        """Copy of the vehicle with the fields ``changes`` of a part."""
        old = self.part(kind, part)
        new = dataclasses.replace(old, **changes)
        return dataclasses.replace(self, parts=tuple(new if p is old else p for p in self.parts))

    def launched(self, signals: Mapping[str, Signal]) -> dict[str, Signal]:
        """Signals of the vehicle's controls for a start from rest, except controls with a schedule.

        Arguments:
            signals: signals for a vehicle with an engine by control: throttle, gear, clutch. Hub drives
                get the signal of the throttle.
        """
        found = dict(signals)
        for part in self.parts:
            if isinstance(part, HubDrives) and "throttle" in signals:
                found |= dict.fromkeys((part.left, part.right), signals["throttle"])
        return {
            name: signal
            for name, signal in found.items()
            if name in self.controls and not isinstance(self.controls[name], Schedule)
        }

    def on(
        self, *, regularisation: str | None = None, cone_index: float | None = None, **changes: Any
    ) -> Vehicle:
        """Copy of the vehicle with another regularisation, cone index [Pa] or other fields of every
        wheel's contact.

        With a soil or a cone index, wheels on hard ground are put on soil.
        """
        if regularisation is not None:
            changes["regularisation"] = regularisation
        if cone_index is not None:
            changes["soil"] = ConeIndexSoil(cone_index)

        known = [field.name for field in dataclasses.fields(WheelContact)]
        for name in changes:
            if name not in known:
                raise checks.UnknownName(f"vehicle {self.name!r}: field of the contact", name, known)

        def there(contact: WheelContact) -> WheelContact:
            sinkage = sinkage_on(contact.sinkage, changes.get("soil", contact.soil))
            return dataclasses.replace(contact, **{"sinkage": sinkage, **changes})

        soft = "soil" in changes
        wheels = {
            name: dataclasses.replace(r, contact=there(r.contact), hard=None if soft else r.hard)
            for name, r in self.wheels.items()
        }
        hard = None if soft else self.hard
        return dataclasses.replace(self, wheel=there(self.wheel), wheels=wheels, hard=hard)

    def rolling(self, wheel: str) -> Rolling:
        """Tyre and ground given for a wheel, else for the wheel's axle, else for all wheels."""
        common = Rolling(self.wheel, self.hard, self.bearing_loss)
        return self.wheels.get(wheel, self.wheels.get(axle_of(wheel), common))

    def raised(
        self,
        controls: Mapping[str, Signal] | None = None,
        towing: tuple[Vehicle, ...] = (),
        **given: Any,
    ) -> tuple[Vehicle, ...]:
        """Copies of the vehicle and its trailers, with heights; arguments as of :meth:`mechanism`.

        If this vehicle's origin has two numbers, the lowest points of all vehicles are level, and the
        first wheel of all touches the ground: the heights of the trailers' origins are not used.
        """
        if len(self.origin) == 3:
            return (self, *towing)
        first, *behind = (dataclasses.replace(v, origin=(*v.origin[:2], 0.0)) for v in (self, *towing))
        wheels = first.mechanism(controls, **given).wheels
        level = lowest_point(wheels)
        for k, trailer in enumerate(behind):
            whole = first.mechanism(controls, towing=(*behind[:k], trailer), **given).wheels
            rise = level - lowest_point(whole[len(wheels) :], level)
            behind[k] = dataclasses.replace(trailer, origin=(*trailer.origin[:2], rise))
            wheels = whole
        rise = standing_height(self.name, first.mechanism(controls, towing=tuple(behind), **given))
        train = (first, *behind)
        return tuple(dataclasses.replace(v, origin=(*v.origin[:2], v.origin[2] + rise)) for v in train)

    def mechanism(
        self,
        controls: Mapping[str, Signal] | None = None,
        *,
        hard: bool = False,
        ground: Any = None,
        towing: tuple[Vehicle, ...] = (),
        **hard_wheel: Any,
    ) -> Mechanism:
        """Mechanism with the bodies, joints, forces and wheels of all parts.

        Arguments:
            controls: signals by name, in place of the vehicle's own.
            hard: whether wheels on soil are on a default :class:`HardGround` instead.
            ground: plane or height field; default: that of the vehicle.
            towing: trailers behind the vehicle, whose parts are in the same mechanism.
            hard_wheel: fields of :class:`bodies.Wheel` on hard ground: stiffness, friction, lateral, ...

        Raises:
            MechanismError: an unknown control, or parts that do not fit together.
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
        """Mechanism of :meth:`mechanism`, and for each body by name the reason for modelling it."""
        if len(self.origin) == 2:
            given = {"hard": hard, "ground": ground, **hard_wheel}
            first, *behind = self.raised(controls, towing, **given)
            return first.assemble(controls, towing=tuple(behind), **given)
        signals: dict[str, Signal] = dict(self.controls)
        for name, signal in (controls or {}).items():
            if name not in signals:
                raise checks.UnknownName(f"vehicle {self.name!r}: control", name, signals)
            signals[name] = signal
        inputs = {k: float(v) for k, v in signals.items() if not isinstance(v, Schedule | str)}
        named = {k: k if k in inputs else v for k, v in signals.items()}
        elements: list[Any] = []
        on = ground if ground is not None else Plane() if self.ground is None else self.ground
        assemblies: list[Assembly] = []
        for vehicle in (self, *towing):
            roller = vehicle._roller(on, hard, hard_wheel)
            assembly = Assembly(vehicle.name, named, roller, vehicle.origin)
            owners: dict[str, str] = {}
            for part in in_order(vehicle.parts, assembly):
                made = len(assembly.bodies)
                part.build(assembly)
                if not part.remote:
                    owners |= dict.fromkeys((b.name for b in assembly.bodies[made:]), part.who)
            elements += assembly.elements
            vehicle._check_wheels(assembly)
            who = f"vehicle {vehicle.name!r}"
            for part in vehicle.parts:
                if isinstance(part, Hitch) and assemblies:
                    check_hitch(who, assembly.at(part.ball), assemblies)
            check_places(who, assembly, owners)
            check_springs(who, assembly, vehicle.parts, float(np.linalg.norm(self.gravity.acceleration)))
            elements += vehicle._bearings(assembly)
            assemblies.append(assembly)
        for vehicle in (self, *towing):
            check_references(vehicle.name, vehicle.parts, assemblies)
        mechanism = Mechanism(
            " + ".join((self.name, *(t.name for t in towing))),
            tuple(body for assembly in assemblies for body in assembly.bodies),
            tuple(elements),
            wheels=tuple(wheel for assembly in assemblies for wheel in assembly.wheels),
            gravity=self.gravity,
            inputs=inputs,
        )
        if self.heading != 0.0:
            mechanism = turned(mechanism, self.heading, self.origin)
        return mechanism, {k: v for assembly in assemblies for k, v in assembly.reasons.items()}

    def _roller(self, ground: Any, hard: bool, hard_wheel: dict[str, Any]) -> Roller:
        """Function from a wheel's name to the keyword arguments of its :class:`bodies.Wheel`."""
        return lambda name: self.rolling(name).fields(ground, hard, **hard_wheel)

    def _bearings(self, assembly: Assembly) -> list[Any]:
        """Viscous dampers in the bearings of the wheels' hubs."""
        found: list[Any] = []
        for wheel in assembly.wheels:
            loss = self.rolling(wheel.name).bearing_loss
            if loss > 0.0:
                hubs = (e for e in assembly.elements if isinstance(e, Revolute))
                hub = next(e for e in hubs if wheel.body in (e.body_a, e.body_b))
                found.append(
                    JointSpring(name=f"{wheel.name} bearing loss", joint=hub.name, damping=loss)
                )
        return found

    def _check_wheels(self, assembly: Assembly) -> None:
        """Check that no two wheels overlap, and that settings are for wheels that exist."""
        own = [wheel.name for wheel in assembly.wheels]
        known = {*own, *map(axle_of, own)}
        for name in self.wheels:
            if name not in known:
                raise checks.UnknownName(f"vehicle {self.name!r}: wheels: axle or wheel", name, known)
        for one, two in itertools.combinations(assembly.wheels, 2):
            (x, y, z), reach = np.subtract(one.centre, two.centre), one.radius + two.radius
            if math.hypot(x, z) < reach and 2.0 * abs(y) < one.width + two.width:
                pair = axle_of(one.name) == axle_of(two.name)
                single = (
                    " An axle has a wheel a side; a single one is a [[swivel_wheel]]." if pair else ""
                )
                raise checks.MechanismError(
                    f"vehicle {self.name!r}: wheels {one.name!r} and {two.name!r} overlap: their axles "
                    f"are {math.hypot(x, z):.3g} m apart, their radii add up to {reach:.3g} m.{single}"
                )
