"""Message of a failed search for equilibrium: the accelerating body, the vehicle's travel, a remedy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from contact import ConeIndexSoil
from contact.soil import LEAST_CONE_INDEX

from ..body import GROUND
from ..driveline import Brake, ElectricMotor
from ..forces import SpringDamper
from ..frames import quaternion_matrices
from ..joints import Limit, Revolute
from ..memory.workspace import Workspace
from ..model import Model
from .static_search import Restless


def not_at_rest(
    who: str, model: Model, space: Workspace, why: Restless, travel: str, limit: float
) -> str:
    """Message of a failed search for equilibrium.

    ``travel``: the vehicle's travel in words, or ""; ``limit``: time limit [s] if it has passed, else 0.
    """
    found = f"body {why.body!r} still accelerates by {why.acceleration:.3g} (allowed {why.allowed:g})"
    if limit:
        words = f"no rest within {limit:g} s of computing (time_limit), {found}"
    else:
        words = f"it does not settle, {found}"
    if travel:
        words += f", and it has gone {travel}"
    turned = turned_over(model, space.machine.quaternion.reshape(1, -1), "")[0]
    if turned:
        return f"{who}: {words}; {turned[2:]}"
    return f"{who}: {words}; {_advice(model, space)}"


def _advice(model: Model, space: Workspace) -> str:
    """Likely remedy: another cone index, no motor command, a closed brake, or a smaller slope or
    input."""
    for wheel in model.mechanism.wheels:
        for there in wheel.soils:
            soil = there.soil
            if isinstance(soil, ConeIndexSoil) and soil.cone_index < LEAST_CONE_INDEX:
                return (
                    f"wheel {wheel.name!r} stands on a cone index of {soil.cone_index:g} Pa, which no "
                    f"ground has: {1e3 * soil.cone_index:g} Pa may be meant."
                )
    values = space.machine.input
    for motor in model.mechanism.elements:
        if isinstance(motor, ElectricMotor) and isinstance(motor.command, str):
            if values[model.input(motor.command)] != 0.0:
                return f"its motors drive it: inputs = {{{motor.command!r}: 0.0}}."
    brakes = {e.pressure for e in model.mechanism.elements if isinstance(e, Brake)}
    named = sorted(name for name in brakes if isinstance(name, str))
    shut = [name for name in named if values[model.input(name)] < 1.0]
    if shut:
        return f"something pushes it; hold it with its brake, inputs = {{{shut[0]!r}: 1.0}}."
    if brakes:
        return "its brakes and its wheels hold no more: a smaller slope or input, or firmer ground."
    if model.mechanism.wheels:
        return "it has no brake that would hold it: a smaller slope or input, or scrub=True."
    return "something may push it without end: hold it with a brake or a smaller input."


def turned_over(model: Model, quaternion: NDArray[np.float64], who: str) -> list[str]:
    """Message on each vehicle's overturned suspension arm, with its angle of rotation; "" if there is
    none.

    ``quaternion``: orientations of all bodies of each vehicle, (n, 4 bodies). An arm is a body with a
    spring or a wheel's hinge, connected to a heavier body by a hinge without stops; steep hinges (of
    steerings) are excluded.
    """
    mechanism, index = model.mechanism, model.body_index
    wheels = {wheel.body for wheel in mechanism.wheels}
    springs = {
        body for e in mechanism.elements if isinstance(e, SpringDamper) for body in (e.body_a, e.body_b)
    }
    stopped = {e.joint for e in mechanism.elements if isinstance(e, Limit)}
    hinges = [e for e in mechanism.elements if isinstance(e, Revolute)]
    carriers = {one for h in hinges for one, other in _both(h) if other in wheels}
    mass = {body.name: body.mass for body in mechanism.bodies}
    was = quaternion_matrices(model.machine.quaternion.reshape(-1, 4))
    now, found = quaternion.reshape(len(quaternion), -1, 4), [""] * len(quaternion)
    for hinge in hinges:
        upright = abs(hinge.axis[2]) > 0.7 * float(np.linalg.norm(hinge.axis))
        if upright or hinge.name in stopped or GROUND in (hinge.body_a, hinge.body_b):
            continue
        arm, carrier = sorted((hinge.body_a, hinge.body_b), key=lambda name: mass[name])
        if {arm, carrier} & wheels or arm not in springs | carriers:
            continue
        a, b = index[carrier], index[arm]
        turn = quaternion_matrices(now[:, a]).transpose(0, 2, 1) @ quaternion_matrices(now[:, b])
        turn = (was[a].T @ was[b]).T @ turn
        angle = np.arccos(np.clip(0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0), -1.0, 1.0))
        for k in np.flatnonzero(angle > 1.2):  # [rad] a larger angle is implausible for an arm
            found[k] = found[k] or (
                f"{who}: the suspension has turned over: {arm!r} stands {angle[k]:.3g} rad about "
                f"{hinge.name!r} from where it was described; its spring is too weak, or it needs stops."
            )
    return found


def _both(hinge: Revolute) -> tuple[tuple[str, str], tuple[str, str]]:
    return (hinge.body_a, hinge.body_b), (hinge.body_b, hinge.body_a)
