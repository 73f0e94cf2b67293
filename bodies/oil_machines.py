"""Shipped machines, and the mounting of a tool on a carrier."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import checks
from .checks import checked
from .hydraulics.circuit import Circuit
from .signals import Signal, check_signal

if TYPE_CHECKING:
    from .mechanism import Mechanism

SHIPPED = Path(__file__).parent / "hydraulics"
#: Swing axis of the backhoe on the tractor, centre and shape of the stabilisers [m]; our estimate.
PLACE, FOOT = (-1.3, 0.0, 0.9), (-1.1, 1.3, 0.25)
SHOE = {"diameter": 0.6, "width": 0.45, "section_height": 0.1, "pressure": 4e5}


@checked
def backhoe(signals: Mapping[str, Signal] | None = None, **circuit: Any) -> Mechanism:
    """A backhoe of a loader of some 8 t on the ground: 16 bodies, five cylinders, 4 freedoms.

    Swing axis at the origin, x outward, z up. Data are our estimate, not measured.

    Arguments:
        signals: schedules in place of its inputs: "swing lever" (to the left), "boom lever" (up),
            "crowd lever" (in), "bucket lever" (curl), all -1 to 1; "load", the weight in the bucket,
            and "digging force" on its tip, perpendicular to it and against the curl [N].
        circuit: fields of its :class:`Circuit`: ``pumps``, ``integration``, ``fluid``...

    Raises:
        UnknownName: a signal without an input. MechanismError: a field that the circuit refuses.
    """
    from .files import read_mechanism

    found = read_mechanism(SHIPPED / "backhoe.toml")
    elements = [
        dataclasses.replace(e, **circuit) if isinstance(e, Circuit) else e for e in found.elements
    ]
    return with_signals(dataclasses.replace(found, elements=tuple(elements)), signals or {})


@checked
def backhoe_loader(signals: Mapping[str, Signal] | None = None, **contact: Any) -> Mechanism:
    """The backhoe on the shipped tractor, with stabilisers on the same soil as the wheels.

    Brakes are on and the gearbox is in neutral: inputs "brake" and "gear". The stabilisers are locked
    wheels on the frame, "left stabiliser" and "right stabiliser".

    Arguments:
        signals: schedules in place of inputs of tractor or backhoe, by name.
        contact: of wheels and stabilisers, as for :func:`bodies.vehicle.load`: ``regularisation``,
            ``cone_index`` [Pa]...

    Raises:
        UnknownName: a signal without an input.
    """
    from contact import Tyre

    from . import vehicle
    from .wheel import Wheel

    read = vehicle.read("tractor")
    read = read.on(**contact) if contact else read
    tractor = read.mechanism()
    shoe = dataclasses.replace(read.wheel, tyre=Tyre(**SHOE))
    x, y, z = FOOT
    stands = tuple(
        Wheel(name=f"{side} stabiliser", body="frame", centre=(x, s * y, z), soil=shoe,
              ground=tractor.wheels[0].ground)
        for side, s in (("left", 1.0), ("right", -1.0))
    )  # fmt: skip
    carrier = dataclasses.replace(
        tractor,
        wheels=(*tractor.wheels, *stands),
        inputs={**tractor.inputs, "brake": 1.0, "gear": 0.0},
    )
    return with_signals(mounted(backhoe(), carrier, "frame", PLACE, math.pi), signals or {})


@checked
def with_signals(mechanism: Mechanism, signals: Mapping[str, Signal]) -> Mechanism:
    """Mechanism with schedules or numbers in place of some of its inputs.

    Arguments:
        mechanism: any mechanism with inputs.
        signals: replacements, by the name of the input.

    Raises:
        UnknownName: a signal without an input.
    """
    who = f"mechanism {mechanism.name!r}"
    for name, signal in signals.items():
        if name not in mechanism.inputs:
            raise checks.UnknownName(f"{who}: input", name, mechanism.inputs)
        check_signal(who, name, signal)

    def replaced(item: Any) -> Any:
        if isinstance(item, tuple):
            return tuple(replaced(each) for each in item)
        if not dataclasses.is_dataclass(item) or isinstance(item, type):
            return signals[item] if isinstance(item, str) and item in signals else item
        kept = {f.name: getattr(item, f.name) for f in dataclasses.fields(item) if f.init}
        names = ("name", "body", "body_a", "body_b", "joint")
        new = {name: replaced(value) for name, value in kept.items() if name not in names}
        changed = {name: value for name, value in new.items() if value is not kept[name]}
        return dataclasses.replace(item, **changed) if changed else item

    left = {name: value for name, value in mechanism.inputs.items() if name not in signals}
    elements = tuple(replaced(element) for element in mechanism.elements)
    return dataclasses.replace(mechanism, elements=elements, inputs=left)


@checked
def mounted(
    tool: Mechanism, carrier: Mechanism, body: str, at: tuple[float, ...], heading: float = 0.0
) -> Mechanism:
    """One mechanism of a tool mounted on a body of a carrier.

    Arguments:
        tool: mechanism on the ground; its joints with the ground become joints with ``body``.
        carrier: mechanism that carries the tool, and sets the gravity.
        body: name of the carrier's body.
        at: new position of the tool's origin, world axes of the carrier's described pose [m].
        heading: of the tool's x-axis there, to the left [rad].

    Raises:
        UnknownName: a body that the carrier lacks. MechanismError: a name in both mechanisms.
    """
    from .mechanism import Mechanism
    from .vehicle.rolling import turned

    who = f"mounted: {carrier.name!r}"
    known = [b.name for b in carrier.bodies]
    if body not in known:
        raise checks.UnknownName(f"{who}: body", body, known)
    place = checks.vector(who, "at [m]", at)
    angle = checks.number(who, "heading [rad]", heading, -1e3, 1e3)
    tool = turned(tool, angle, (0.0, 0.0, 0.0)) if angle % (2.0 * math.pi) else tool

    def moved(item: Any) -> Any:
        fields = ("position", "position_b", "centre")
        given = {name: getattr(item, name, None) for name in fields}
        new: dict[str, Any] = {
            name: tuple(a + b for a, b in zip(value, place, strict=True))
            for name, value in given.items()
            if value is not None
        }
        for name in ("body_a", "body_b"):
            if getattr(item, name, None) == "ground":
                new[name] = body
        return dataclasses.replace(item, **new) if new else item

    return Mechanism(
        f"{tool.name} on {carrier.name}",
        (*carrier.bodies, *map(moved, tool.bodies)),
        (*carrier.elements, *map(moved, tool.elements)),
        contacts=(*carrier.contacts, *map(moved, tool.contacts)),
        wheels=(*carrier.wheels, *map(moved, tool.wheels)),
        gravity=carrier.gravity,
        inputs={**carrier.inputs, **tool.inputs},
    )
