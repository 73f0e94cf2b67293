"""Static equilibrium: a mechanism at rest on its springs, joints and ground."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from contact import WheelContact
from contact.grounds import soils_of
from contact.terrain import Terrain
from mlcp.checks import shown

from .. import checks
from ..checks import SimulationError, checked
from ..many.fleet import Fleet
from ..memory.refusal import worst_joint
from ..memory.workspace import Workspace
from ..model import Model
from ..signals import Schedule
from ..state import State
from .clock import Clock
from .settling import CLOSED, FIRST, Settling
from .unsettled import turned_over, unsettled


@checked
def equilibrium(
    model: Model,
    *,
    inputs: Mapping[str, float] | None = None,
    tolerance: float = 1e-7,
    scrub: bool = False,
    rounds: int = 3000,
    patient: bool = True,
    state: State | None = None,
    time_limit: float = 60.0,
) -> State:
    """The state in which nothing accelerates, all velocities zero, time zero.

    Steps with the velocities set to zero before each: an implicit step from rest is a Newton step
    on the springs, damped by M/h^2; h grows from 5 ms to 1 s as it settles, and ends at 1 ms.
    Pistons stand where they are described, and their oil gets the pressures that hold them.

    First the springs settle while the wheels resist by a viscous force alone and a hand holds the
    vehicle where it was put: what the tyres would lock in dies away, as after rolling a little. Then
    the hand lets go, and brakes and standing wheels hold what they can. A vehicle that they do not hold
    goes on until it rests elsewhere, which is told, or is refused.

    Arguments:
        model: compiled mechanism.
        inputs: named inputs to hold, e.g. the brake; kept in the returned state.
        scrub: keep the wheels' friction while the springs settle, and with it what it locks in; a
            vehicle with a free caster, which would swing away, always does.
        tolerance: on the largest acceleration [m/s^2] of a last 1 ms step, angular ones times the
            body's radius of gyration; never less than what the joints' numerical compliance gives
            way under their load, which may be 0.01 m/s^2 at most.
        rounds: at most, a whole number.
        patient: go on until nothing moves any more. Without it, a tenth of the time: to where the
            slowest motion leads, as long as what is left is below the tolerance. Where friction leaves
            the loads open, as under brakes, they may then differ: by 1e-4 in a car, 1 % in a rover.
        state: where to start; default: the described pose.
        time_limit: of computing [s], the compiler's time not counted. From two seconds on a line on the
            screen tells how far it is.

    Raises:
        SimulationError: it does not settle, and names the body that moves most, and how far it has gone;
            the time is over; joints are apart by more than 1e-6 of the mechanism's size; a wheel carries
            more than its tyre or its ground can (deflected beyond the section height, sunk beyond 0.8 of
            its radius, centre below ground); a suspension has turned over. The best state so far is its
            ``state``.
        MechanismError: an input, tolerance, time or number of rounds out of range.

    Warns:
        SimulationWarning: the vehicle rests more than a tyre's width from where it was put.
    """
    how = _checked(tolerance, scrub, rounds, patient)
    limit = checks.number("equilibrium", "time_limit [s]", time_limit, 0.0, open_low=True)
    inputs = {} if inputs is None else inputs
    if not isinstance(inputs, Mapping):
        raise checks.MechanismError(
            f"equilibrium: inputs = {shown(inputs)} must be a dict of names and values"
        )
    batch = Fleet(model, 1, FIRST, state=state, tolerance=0.0, projections=3)
    for name, value in inputs.items():
        _check_known(model, name)
        model.mechanism.check_input(name, value)
        batch.set_input(name, value)
    found = _settle(batch, how, 1, limit)[0]
    if found.why:
        error = SimulationError(found.why)
        error.state = found.state
        raise error
    if found.moved:
        warnings.warn(found.moved, checks.SimulationWarning, stacklevel=2)
    return found.state


def rest_of(
    batch: Fleet,
    tolerance: float,
    scrub: bool,
    rounds: int,
    patient: bool,
    threads: int,
    time_limit: float,
) -> dict[int, State | str]:
    """The equilibrium of every vehicle of a batch that has not stopped, under its inputs, or why it has
    none; as :func:`equilibrium`, each as if it were alone. The batch stays as it is."""
    how = _checked(tolerance, scrub, rounds, patient)
    checks.number("equilibrium", "time_limit [s]", time_limit, 0.0, open_low=True)
    who = [k for k in range(batch.n) if k not in batch.stopped]
    found: dict[int, State | str] = {}
    alone = batch.model.circuit is not None  # locked pistons are a workspace's, not a vehicle's
    for some in [[k] for k in who] if alone else [who] if who else []:
        lanes = None if batch.lanes else False
        search = batch.likewise(some, FIRST, lanes=lanes, tolerance=0.0, projections=3)
        settled = _settle(search, how, threads, time_limit * len(some))
        found |= {k: one.why or one.state for k, one in zip(some, settled, strict=True)}
        gone = [f"number {k}: {one.moved}" for k, one in zip(some, settled, strict=True) if one.moved]
        if gone:
            warnings.warn(
                f"{len(gone)} vehicles of the batch, {gone[0]}", checks.SimulationWarning, stacklevel=3
            )
    return found


def _check_known(model: Model, name: str) -> None:
    """Refuse an input that the model has not; one that a schedule runs may be meant."""
    if name in model.input_index:
        return
    error = checks.UnknownName("equilibrium: input", name, model.mechanism.inputs)
    scheduled = any(
        isinstance(getattr(element, key, None), Schedule)
        for element in model.mechanism.elements
        for key in getattr(element, "signal_ranges", {})
    )
    if scheduled:
        error.args = (
            f"{error}; a control that a schedule runs is no input and stands as at time 0: give it a "
            "number instead, then it is an input of that name.",
        )
    raise error


def _checked(tolerance: Any, scrub: Any, rounds: Any, patient: Any) -> tuple[float, bool, int, bool]:
    return (
        checks.number("equilibrium", "tolerance [m/s^2]", tolerance, 0.0, open_low=True),
        checks.flag("equilibrium", "scrub", scrub),
        checks.whole("equilibrium", "rounds", rounds, 1),
        checks.flag("equilibrium", "patient", patient),
    )


class Found(NamedTuple):
    """Rest of a vehicle; why it is none, and how far it has gone for it, empty: neither."""

    state: State
    why: str
    moved: str


def _settle(batch: Fleet, how: tuple[float, bool, int, bool], threads: int, limit: float) -> list[Found]:
    """Rest of each vehicle, or why it has none; the batch is of this search alone."""
    who = f"equilibrium of {batch.model.mechanism.name!r}"
    search = Settling(batch, *how, threads, Clock(who, limit))
    restless, refused = search.settle(), dict(batch.stopped)
    gone = search.gone()
    moved = [""] * batch.n
    width = min((w.width for w in batch.model.mechanism.wheels), default=math.inf)
    for k in range(batch.n):
        space = batch.store.load(k)
        model = batch[k].model if batch.store.keys or batch.store.models[1:] else batch.model
        x, y = gone[k]
        if math.hypot(x, y) > width:
            moved[k] = (
                f"{math.hypot(x, y):.3g} m from where it was put, by ({x:.3g}, {y:.3g}) m along x and y"
            )
        if k in restless and k not in refused:
            refused[k] = unsettled(who, model, space, restless[k], moved[k], limit * search.clock.over)
        elif k not in refused:
            refused[k] = (
                _joints_apart(space, who)
                or turned_over(model, space, who)
                or _cannot_stand(model, space, who)
            )
    search.rest()
    told = [f"{who}: it rests {way}: nothing nearer holds it." if way else "" for way in moved]
    return [Found(batch[k].state(), refused[k], told[k]) for k in range(batch.n)]


def _joints_apart(space: Workspace, who: str) -> str:
    """Why this is no rest: joints are apart; empty: they are not."""
    joint, error = worst_joint(space)
    if error <= CLOSED * space.machine.clock.parted:
        return ""
    return (
        f"{who}: joint {joint!r} is {error:.3g} m apart; the "
        "mechanism cannot carry its load: look for a mass, stiffness or pressure in the wrong unit."
    )


def _cannot_stand(model: Model, space: Workspace, who: str) -> str:
    """Which wheel carries more than tyre and ground can, by the last step, by how much, and what to
    change; empty: none."""
    h = space.machine.clock.step
    frames = space.machine.wheel_state
    wheels = sorted(model.mechanism.wheels, key=lambda w: model.channels[w.name][0])
    for wheel, frame in zip(wheels, frames, strict=True):
        load = float(space.machine.channels.impulse[model.channels[wheel.name][0]]) / h
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
