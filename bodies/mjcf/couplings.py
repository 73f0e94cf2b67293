"""Gears, motors, engines, brakes, clutches and limits as MuJoCo's equalities, tendons and actuators."""

from __future__ import annotations

import math
from functools import partial
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
        document.equal("joint", c.name, joints[0], joints[1], -terms[1][1] / terms[0][1])
    elif len(joints) == len(terms):
        combined(document, c.who, c.name, terms)
        document.add("equality", "tendon", name=c.name, tendon1=c.name)
    elif len(terms) == 2:
        one, two = (
            combined(document, c.who, f"{c.name}.{k}", ((n, 1.0),)) for k, (n, _) in enumerate(terms)
        )
        document.equal("tendon", c.name, one, two, -terms[1][1] / terms[0][1])
    else:
        raise checks.MechanismError(
            f"{c.who}: to_mjcf cannot combine the length of a spring with two other coordinates."
        )


def gearbox(document: Document, c: Any) -> None:
    """Add a joint equality with the ratio of the initial gear; in a shift ``drives.shift`` changes
    the ratio."""
    joints = [joint for n, _ in c.terms() if (joint := joint_of(document, n)) is not None]
    if len(joints) < 2:
        raise checks.MechanismError(
            f"{c.who}: to_mjcf needs joint coordinates, not the length of a spring."
        )
    ratio = drives.gear_ratio(document.start(c.gear), c.ratios, c.reverse)
    active = "true" if ratio else "false"
    document.equal("joint", c.name, joints[0], joints[1], ratio, active=active)
    document.drive(c.gear, drives.shift, c.name, c.ratios, c.reverse, c.gear)


def motor(document: Document, c: Any) -> None:
    """Add a motor that prescribes a position or a speed."""
    (position_drive if c.mode == "position" else speed_drive)(document, c)


def position_drive(document: Document, c: Any) -> None:
    """Add the equality "joint or tendon = its initial value plus the target"."""
    ((kind, element),) = transmission(document, c.who, c.name, c.joint).items()
    start = text((document.start(c.target), 0.0, 0.0, 0.0, 0.0))
    document.add("equality", kind, name=c.name, polycoef=start, **{f"{kind}1": element})
    document.drive(c.target, drives.position, c.name, c.target)
    if not drives.constant(c.target):
        document.notes.append(
            f"{c.who}: MuJoCo follows a moving target with a lag of about two "
            "time constants of its constraints."
        )


def speed_drive(document: Document, c: Any) -> None:
    """Add a velocity actuator, whose force is bounded if the motor has an effort limit."""
    # [N s/m or N m s/rad] gain; without an effort limit 1e6: a speed error of 1 mm/s under 1 kN
    gain = 1e3 * c.max_effort if c.bounded else 1e6
    more = {"forcerange": text((-c.max_effort, c.max_effort))} if c.bounded else {}
    document.actuator(
        c.name,
        document.start(c.target),
        gainprm=text(gain),
        biastype="affine",
        biasprm=text((0.0, 0.0, -gain)),
        **more,
        **transmission(document, c.who, c.name, c.joint),
    )
    document.drive(c.target, drives.effort, c.name, c.target, 0.0)
    document.notes.append(
        f"{c.who}: a velocity actuator of gain {gain:g}, off by effort/gain; it "
        "needs an integrator that is implicit in velocity."
    )


def friction(document: Document, c: Any) -> None:
    """Add a brake or clutch: dry friction of a tendon over the joints. ``drives.friction`` sets the
    friction's bound before every step."""
    (signal,) = c.signals().values()
    bound = c.capacity * min(max(document.start(signal), 0.0), 1.0)
    combined(document, c.who, c.name, c.terms(), frictionloss=text(bound))
    document.drive(signal, drives.friction, c.name, c.capacity, signal)


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
    """Add an actuator; before every step ``drives.engine`` sets its torque from the engine's tables
    at the present speed."""
    full, motoring = c.tables()
    speed = start_rate(document.geometry.model, c.joint)
    torque = drives.engine_torque(full, motoring, document.start(c.throttle), speed)
    document.drives.append(partial(drives.engine, c.name, full, motoring, c.throttle))
    where = transmission(document, c.who, c.name, c.joint)
    document.actuator(c.name, torque, gainprm="1", **where)


def drag(document: Document, element: Any) -> None:
    """Add the ``drives.drag`` that applies a drag force before every step."""
    document.drives.append(partial(drives.drag, element.body, element.factor, element.wind))


def torque(document: Document, element: Any) -> None:
    """Add an actuator for a torque or force on a coordinate."""
    where = transmission(document, element.who, element.name, element.joint)
    document.drive(element.effort, drives.effort, element.name, element.effort, 0.5)
    document.actuator(element.name, document.start(element.effort), gainprm="1", **where)


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
