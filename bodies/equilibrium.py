"""Static equilibrium: a mechanism at rest on its springs, joints and ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contact import WheelContact
from contact.grounds import soils_of
from contact.terrain import Terrain
from mlcp.checks import shown

from . import checks
from .batch import Batch
from .checks import SimulationError
from .kernels import layout as L
from .model import Model
from .refusal import worst_joint
from .settling import CLOSED, FIRST, Settling
from .state import State
from .workspace import Workspace


def equilibrium(
    model: Model,
    *,
    inputs: Mapping[str, float] | None = None,
    tolerance: float = 1e-7,
    scrub: bool = False,
    rounds: int = 3000,
    patient: bool = True,
    state: State | None = None,
) -> State:
    """The state in which nothing accelerates, all velocities zero, time zero.

    Steps with the velocities set to zero before each: an implicit step from rest is a Newton step
    on the springs, damped by M/h^2; h grows from 5 ms to 1 s as it settles, and ends at 1 ms.
    Contacts, friction and brakes take part with their bounds. Pistons stand where they are described,
    and their oil gets the pressures that hold them. Directions without any stiffness (a
    car that may roll) stay where they are, as long as nothing pushes.

    Arguments:
        model: compiled mechanism.
        inputs: named inputs to hold, e.g. the brake; kept in the returned state.
        scrub: keep the wheels' lateral friction while the springs settle. Without it (default)
            the tyres end free of side force, as after rolling a little; a car across a slope
            needs it, and a vehicle with a free caster, which would swing away, always keeps it.
        tolerance: on the largest acceleration [m/s^2] of a last 1 ms step, angular ones times the
            body's radius of gyration; never less than what the joints' numerical compliance gives
            way under their load, which may be 0.01 m/s^2 at most.
        rounds: at most, a whole number.
        patient: go on until nothing moves any more. Without it, a tenth of the time: to where the
            slowest motion leads, as long as what is left is below the tolerance. Where friction leaves
            the loads open, as under brakes, they may then differ: by 1e-4 in a car, 1 % in a rover.
        state: where to start; default: the described pose.

    Raises:
        SimulationError: it does not settle, and names the body that moves most; joints are apart by more
            than 1e-6 of the mechanism's size; a wheel carries more than its tyre or its ground can
            (deflected beyond the section height, sunk beyond 0.8 of its radius, centre below ground).
        MechanismError: an input, tolerance or number of rounds out of range.
    """
    how = _checked(tolerance, scrub, rounds, patient)
    inputs = {} if inputs is None else inputs
    if not isinstance(inputs, Mapping):
        raise checks.MechanismError(
            f"equilibrium: inputs = {shown(inputs)} must be a dict of names and values"
        )
    batch = Batch(model, 1, FIRST, state=state, tolerance=0.0, projections=3)
    for name, value in inputs.items():
        model.mechanism.check_input(name, value)
        batch.set_input(name, value)
    found = _settle(batch, how, 1)[0]
    if isinstance(found, str):
        raise SimulationError(found)
    return found


def rest_of(
    batch: Batch, tolerance: float, scrub: bool, rounds: int, patient: bool, threads: int
) -> dict[int, State | str]:
    """The equilibrium of every vehicle of a batch that has not stopped, under its inputs, or why it has
    none; as :func:`equilibrium`, each as if it were alone. The batch stays as it is."""
    how = _checked(tolerance, scrub, rounds, patient)
    who = [k for k in range(batch.n) if k not in batch.stopped]
    found: dict[int, State | str] = {}
    alone = batch.model.circuit is not None  # locked pistons are a workspace's, not a vehicle's
    for some in [[k] for k in who] if alone else [who] if who else []:
        lanes = None if batch.lanes else False
        search = batch._likewise(some, FIRST, lanes=lanes, tolerance=0.0, projections=3)
        settled = _settle(search, how, threads)
        found |= {k: settled[j] for j, k in enumerate(some)}
    return found


def _checked(tolerance: Any, scrub: Any, rounds: Any, patient: Any) -> tuple[float, bool, int, bool]:
    return (
        checks.number("equilibrium", "tolerance [m/s^2]", tolerance, 0.0, open_low=True),
        checks.flag("equilibrium", "scrub", scrub),
        checks.whole("equilibrium", "rounds", rounds, 1),
        checks.flag("equilibrium", "patient", patient),
    )


def _settle(batch: Batch, how: tuple[float, bool, int, bool], threads: int) -> list[State | str]:
    """Rest of each vehicle, or why it has none; the batch is of this search alone."""
    search = Settling(batch, *how, threads)
    restless, who = search.settle(), f"equilibrium of {batch.model.mechanism.name!r}"
    refused = dict(batch.stopped)
    for k in range(batch.n):
        if k in restless and k not in refused:
            body, acceleration, allowed = restless[k]
            refused[k] = (
                f"{who}: it does not settle, body {body!r} still accelerates by {acceleration:.3g} "
                f"(allowed {allowed:g}); something may push it without end: hold it with a brake or a "
                "smaller input."
            )
        elif k not in refused:
            space = batch._load(k)
            model = batch[k].model if batch._keys or batch._models[1:] else batch.model
            refused[k] = _joints_apart(space, who) or _cannot_stand(model, space, who)
    search.rest()
    return [refused[k] or batch[k].state() for k in range(batch.n)]


def _joints_apart(space: Workspace, who: str) -> str:
    """Why this is no rest: joints are apart; empty: they are not."""
    joint, error = worst_joint(space)
    if error <= CLOSED * space.f(L.SCALAR)[L.PARTED]:
        return ""
    return (
        f"{who}: joint {joint!r} is {error:.3g} m apart; the "
        "mechanism cannot carry its load: look for a mass, stiffness or pressure in the wrong unit."
    )


def _cannot_stand(model: Model, space: Workspace, who: str) -> str:
    """Which wheel carries more than tyre and ground can, by the last step, by how much, and what to
    change; empty: none."""
    h = space.f(L.SCALAR)[L.STEP]
    frames = space.machine.wheel_state
    wheels = sorted(model.mechanism.wheels, key=lambda w: model.channels[w.name][0])
    for wheel, frame in zip(wheels, frames, strict=True):
        load = float(space.f(L.CHANNEL_IMPULSE)[model.channels[wheel.name][0]]) / h
        if load <= 0.0:
            continue
        if wheel.soil is not None:
            ground = wheel.ground if isinstance(wheel.ground, Terrain) else None
            refusals = [_refusal(there, load) for there in soils_of(wheel.soil, ground)]
            if all(refusals):  # on a map it stands on one of several soils
                return f"{who}: wheel {wheel.name!r} cannot stand: {refusals[0]}"
        deep = -frame.gap
        if deep >= wheel.radius:
            return (
                f"{who}: the centre of wheel {wheel.name!r} is {deep - wheel.radius:.3g} m below ground "
                f"under {load:.4g} N; lighten the vehicle, or make its tyre or ground stiffer."
            )
    return ""


def _refusal(wheel: WheelContact, load: float) -> str:
    """Why the wheel cannot carry a load [N]; empty if it can."""
    try:
        wheel.static_compression(load)
    except ValueError as error:
        return str(error)
    return ""
