"""Gears, motors, engines, brakes, clutches and limits as MuJoCo's equalities, tendons and actuators."""

from __future__ import annotations

import math
from typing import Any

from .. import checks
from ..driveline import Brake, Clutch, Engine, Gearbox, HalfShaft
from ..forces import Drag, JointSpring, SpringDamper, Torque
from ..joints import Differential, Gear, Limit, Motor, RackAndPinion
from . import drives
from .document import Document
from .geometry import text
from .scalars import combined, joint_of, offset, transmission
from .springs import spring


def gear(document: Document, c: Any) -> None:
    """Add a gear: a joint equality if its coordinates are those of two joints; a tendon equality if it
    has three coordinates or the length of a spring."""
    terms = c.terms()
    joints = [joint for n, _ in terms if (joint := joint_of(document, n)) is not None]
    if len(terms) == 2 and len(joints) == 2:
        ratio = -terms[1][1] / terms[0][1]
        document.add(
            "equality",
            "joint",
            name=c.name,
            joint1=joints[0],
            joint2=joints[1],
            polycoef=text((0.0, ratio, 0.0, 0.0, 0.0)),
        )
    elif len(joints) == len(terms):
        combined(document, c.who, c.name, terms)
        document.add("equality", "tendon", name=c.name, tendon1=c.name)
    elif len(terms) == 2:
        pair = [
            combined(document, c.who, f"{c.name}.{k}", ((n, 1.0),)) for k, (n, _) in enumerate(terms)
        ]
        document.add(
            "equality",
            "tendon",
            name=c.name,
            tendon1=pair[0],
            tendon2=pair[1],
            polycoef=text((0.0, -terms[1][1] / terms[0][1], 0.0, 0.0, 0.0)),
        )
    else:
        raise checks.MechanismError(
            f"{c.who}: to_mjcf cannot combine the length of a spring with two other coordinates."
        )


def gearbox(document: Document, c: Any) -> None:
    """Add a joint equality with the ratio of the initial gear; in a shift a ``drives.Shift`` changes
    the ratio."""
    joints = [joint for n, _ in c.terms() if (joint := joint_of(document, n)) is not None]
    if len(joints) < 2:
        raise checks.MechanismError(
            f"{c.who}: to_mjcf needs joint coordinates, not the length of a spring."
        )
    start = drives.value(c.gear, 0.0, document.geometry.model.mechanism.inputs)
    ratio = drives.gear_ratio(start, c.ratios, c.reverse)
    document.add(
        "equality",
        "joint",
        name=c.name,
        joint1=joints[0],
        joint2=joints[1],
        active="true" if ratio else "false",
        polycoef=text((0.0, ratio, 0.0, 0.0, 0.0)),
    )
    if not drives.constant(c.gear):
        document.drives.append(drives.Shift(c.name, c.ratios, c.reverse, c.gear))


def motor(document: Document, c: Any) -> None:
    """Add a motor that prescribes a position or a speed."""
    (position_drive if c.mode == "position" else speed_drive)(document, c)


def position_drive(document: Document, c: Any) -> None:
    """Add the equality "joint or tendon = its initial value plus the target"."""
    where = transmission(document, c.who, c.name, c.joint)
    start = drives.value(c.target, 0.0, document.geometry.model.mechanism.inputs)
    document.add(
        "equality",
        next(iter(where)),
        name=c.name,
        polycoef=text((start, 0.0, 0.0, 0.0, 0.0)),
        **{f"{k}1": v for k, v in where.items()},
    )
    if not drives.constant(c.target):
        document.drives.append(drives.EqualityConstant(c.name, c.target))
        document.notes.append(
            f"{c.who}: MuJoCo follows a moving target with a lag of about two "
            "time constants of its constraints."
        )


def speed_drive(document: Document, c: Any) -> None:
    """Add a velocity actuator, whose force is bounded if the motor has an effort limit."""
    # [N s/m or N m s/rad] gain; without an effort limit 1e6: a speed error of 1 mm/s under 1 kN
    gain = 1e3 * c.max_effort if c.bounded else 1e6
    more = {"forcerange": text((-c.max_effort, c.max_effort))} if c.bounded else {}
    start = drives.value(c.target, 0.0, document.geometry.model.mechanism.inputs)
    document.actuator(
        c.name,
        start,
        gaintype="fixed",
        gainprm=text(gain),
        biastype="affine",
        biasprm=text((0.0, 0.0, -gain)),
        **more,
        **transmission(document, c.who, c.name, c.joint),
    )
    if not drives.constant(c.target):
        document.drives.append(drives.Effort(c.name, c.target))
    document.notes.append(
        f"{c.who}: a velocity actuator of gain {gain:g}, off by effort/gain; it "
        "needs an integrator that is implicit in velocity."
    )


def friction(document: Document, c: Any) -> None:
    """Add a brake or clutch: dry friction of a tendon over the joints. A ``drives.FrictionDrive``
    sets the friction's bound before every step."""
    (signal,) = c.signals().values()
    start = drives.value(signal, 0.0, document.geometry.model.mechanism.inputs)
    bound = c.capacity * min(max(start, 0.0), 1.0)
    combined(document, c.who, c.name, c.terms(), frictionloss=text(bound))
    if not drives.constant(signal):
        document.drives.append(drives.FrictionDrive(c.name, c.capacity, signal))


def limit(document: Document, c: Any) -> None:
    """Add the range of a joint; if the joint has a range already, the range of a tendon over it.

    MuJoCo's stop is a spring and damper of two time steps h: a joint of the speed v that is a distance
    x beyond it after a step leaves it with ``x / (4 h)``, at most v/4.
    """
    zero = offset(document, c.terms())
    bounds = text((c.lower - zero, c.upper - zero))
    joint = joint_of(document, c.joint)
    element = None if joint is None else document.joint_element(joint)
    if element is not None and element.get("range") is None:
        element.set("range", bounds)
    else:
        combined(document, c.who, c.name, c.terms(), range=bounds)
    document.notes.append(f"{c.who}: MuJoCo's stop throws back with up to a quarter of the speed.")


def engine(document: Document, c: Any) -> None:
    """Add an actuator; before every step a ``drives.EngineTorque`` sets its torque from the engine's
    tables at the present speed."""
    model = document.geometry.model
    start = drives.value(c.throttle, 0.0, model.mechanism.inputs)
    full, motoring = c.tables()
    torque = drives.engine_torque(full, motoring, start, start_rate(model, c.joint))
    document.drives.append(drives.EngineTorque(c.name, full, motoring, c.throttle))
    document.actuator(
        c.name, torque, gaintype="fixed", gainprm="1", **transmission(document, c.who, c.name, c.joint)
    )


def drag(document: Document, element: Any) -> None:
    """Add the ``drives.AirDrag`` that applies a drag force before every step."""
    document.drives.append(drives.AirDrag(element.body, element.factor, element.wind))


def torque(document: Document, element: Any) -> None:
    """Add an actuator for a torque or force on a coordinate."""
    where = transmission(document, element.who, element.name, element.joint)
    start = drives.value(element.effort, 0.0, document.geometry.model.mechanism.inputs)
    if not drives.constant(element.effort):
        document.drives.append(drives.Effort(element.name, element.effort, early=0.5))
    document.actuator(element.name, start, gaintype="fixed", gainprm="1", **where)


def start_rate(model: Any, coordinate: str) -> float:
    """Rate of a coordinate in the initial state [rad/s or m/s]."""
    from ..memory.workspace import Workspace

    work = Workspace(model)
    work.stage("detect", "assemble")
    rate = float(work.machine.coordinate_rate[model.coordinate(coordinate)])
    return rate if math.isfinite(rate) else 0.0


#: Function that adds a coupling or force, by its class.
EQUIVALENTS = {
    Gear: gear,
    RackAndPinion: gear,
    Differential: gear,
    Gearbox: gearbox,
    Motor: motor,
    Brake: friction,
    Clutch: friction,
    Limit: limit,
    Engine: engine,
    SpringDamper: spring,
    JointSpring: spring,
    HalfShaft: spring,
    Torque: torque,
    Drag: drag,
}


def coupling_or_force(document: Document, element: Any) -> None:
    """Add a coupling or force by the function of its class in ``EQUIVALENTS``."""
    for kind, write in EQUIVALENTS.items():
        if isinstance(element, kind):
            write(document, element)
            return
    raise checks.MechanismError(
        f"{element.who}: to_mjcf has no counterpart of {type(element).__name__} in MuJoCo; leave it out."
    )
