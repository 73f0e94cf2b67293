"""Static equilibrium of a mechanism."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import WheelContact

from .. import checks
from ..checks import SimulationError, checked
from ..kernels.records import WheelFrame
from ..many.ensemble import Ensemble
from ..memory.refusal import worst_joint
from ..memory.workspace import Workspace
from ..model import Model
from ..signals import Schedule
from ..state import State
from .clock import SearchClock
from .failure import not_at_rest, turned_over
from .search_rounds import RELATIVE_JOINT_ERROR
from .static_search import FIRST_STEP, StaticSearch


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
    """Static equilibrium: the state without accelerations, all velocities zero, time zero.

    The search consists of implicit steps, each from zero velocities: such a step is a Newton step on the
    springs, damped by M/h^2 (M: mass matrix). The step length h grows from 5 ms to 1 s during the
    search, and ends at 1 ms. Pistons keep their initial positions; the pressures of their oil balance
    the loads.

    In the first phase the wheels have viscous friction only, and the vehicle's position in the plane is
    fixed: locked-in tyre forces decay, as after a short roll. In the second phase the vehicle is free,
    with the static friction of brakes and standing wheels. If this friction is too small, the vehicle
    moves to an equilibrium elsewhere (with a warning), or the search fails.

    Arguments:
        model: compiled mechanism.
        inputs: values of named inputs, e.g. the brake; the returned state has these values.
        scrub: whether the wheels have their static friction, and with it locked-in forces, in the first
            phase as well; always so for a vehicle with a free caster, which would swing without it.
        tolerance: tolerance on the largest acceleration [m/s^2] of a last 1 ms step, angular
            accelerations times the body's radius of gyration. It is raised, to at most 0.01 m/s^2, if
            the joints' numerical compliance under load causes larger accelerations; far from the origin
            also if the round-off of positions does.
        rounds: largest number of steps in each phase.
        patient: whether the search continues until all motion has decayed. Otherwise the slowest motion
            is extrapolated to its limit, within the tolerance, in a third of the time. Loads that
            friction leaves indeterminate, as under brakes, may then differ: by a relative 1e-4 in a
            car, 1 % in a rover.
        state: initial state; default: that of the model.
        time_limit: limit of the computing time [s], without compilation. After two seconds a line on the
            screen shows the progress.

    Raises:
        SimulationError: no equilibrium, with the body that moves most and its travel; time limit;
            a joint error above 1e-6 of the mechanism's size; a wheel loaded beyond the capacity
            of its tyre or ground (deflection beyond the section height, sinkage beyond 0.8 of its
            radius, centre below ground); an overturned suspension. The attribute ``state`` of the error
            is the final state of the search.
        MechanismError: an input, tolerance, time or number of rounds out of range. UnknownName: an
            unknown input.

    Warns:
        SimulationWarning: the vehicle rests more than a tyre's width from its initial position.
    """
    how = checked_settings(tolerance, scrub, rounds, patient, time_limit)
    batch = Ensemble(model, 1, FIRST_STEP, state=state, tolerance=0.0, projections=3)
    for name, value in ({} if inputs is None else inputs).items():
        _check_known(model, name)
        model.mechanism.check_input(name, value)
        batch.set_input(name, value)
    why, moved = _search_rest(batch, how, 1, time_limit)
    state = batch[0].state()
    if why:
        error = SimulationError(why[0])
        error.state = state
        raise error
    if moved:
        warnings.warn(moved[0], checks.SimulationWarning, stacklevel=2)
    return state


def rest_of(
    batch: Ensemble, how: tuple[float, bool, int, bool], threads: int, time_limit: float
) -> list[tuple[Ensemble, list[int], dict[int, str]]]:
    """Search the equilibrium of each running vehicle of a batch under its own inputs.

    The batch is unchanged. ``how``: result of :func:`checked_settings`; ``time_limit``: limit per
    vehicle [s].

    Returns a list of triples: a batch of vehicles in their final states, their numbers in ``batch``, and
    the message of each failed search by number.
    """
    who = [k for k in range(batch.n) if k not in batch.stopped]
    found: list[tuple[Ensemble, list[int], dict[int, str]]] = []
    # vehicles with oil are searched one by one: the state of a vehicle has no record of locked pistons
    alone = batch.model.circuit is not None
    for some in [[k] for k in who] if alone else [who] if who else []:
        lanes = None if batch.lanes else False
        search = batch.likewise(some, FIRST_STEP, lanes=lanes, tolerance=0.0, projections=3)
        why, moved = _search_rest(search, how, threads, time_limit * len(some))
        found.append((search, some, {some[k]: words for k, words in why.items()}))
        if moved:
            k, words = next(iter(moved.items()))
            warnings.warn(
                f"{len(moved)} vehicles of the batch, number {some[k]}: {words}",
                checks.SimulationWarning,
                stacklevel=3,
            )
    return found


def _check_known(model: Model, name: str) -> None:
    """Raise UnknownName for an unknown input; if the mechanism has schedules, the message adds that a
    control with a schedule is no input."""
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


def checked_settings(
    tolerance: Any, scrub: Any, rounds: Any, patient: Any, time_limit: Any
) -> tuple[float, bool, int, bool]:
    """Checked settings of a search: tolerance, scrub, rounds, patient."""
    checks.number("equilibrium", "time_limit [s]", time_limit, 0.0, open_low=True)
    return (
        checks.number("equilibrium", "tolerance [m/s^2]", tolerance, 0.0, open_low=True),
        checks.flag("equilibrium", "scrub", scrub),
        checks.whole("equilibrium", "rounds", rounds, 1),
        checks.flag("equilibrium", "patient", patient),
    )


def _search_rest(
    batch: Ensemble, how: tuple[float, bool, int, bool], threads: int, limit: float
) -> tuple[dict[int, str], dict[int, str]]:
    """Search the equilibrium of each vehicle of a batch; the final states are in the batch.

    ``how``: tolerance, scrub, rounds, patient; ``limit``: time limit of all vehicles together [s].

    Returns by vehicle number the messages of failed searches, and those on a long travel from the
    initial position.
    """
    who = f"equilibrium of {batch.model.mechanism.name!r}"
    search = StaticSearch(batch, *how, threads, SearchClock(who, limit))
    restless, refused = search.solve(), dict(batch.stopped)
    width = min((w.width for w in batch.model.mechanism.wheels), default=math.inf)
    travel = search.travel()
    distance = np.hypot(*travel.T)
    shifts = {
        k: f"{distance[k]:.3g} m from where it was put, by ({travel[k, 0]:.3g}, {travel[k, 1]:.3g})"
        " m along x and y"
        for k in np.flatnonzero(distance > width).tolist()
    }
    turned = turned_over(batch.model, batch.store.rows("quaternion"), who)
    doubtful = _may_not_stand(batch) | search.joints_are_open()
    for k in range(batch.n):
        if k in refused or not (k in restless or turned[k] or doubtful[k]):
            continue
        space, model = batch.store.load(k), batch[k].model
        if k in restless:
            shift = shifts.get(k, "")
            why = not_at_rest(who, model, space, restless[k], shift, limit * search.clock.over)
        else:
            why = _open_joint(space, who) or turned[k] or _cannot_stand(model, space, who)
        if why:
            refused[k] = why
    search.reset()
    notes = {k: f"{who}: it rests {shift}: nothing nearer holds it." for k, shift in shifts.items()}
    return refused, notes


def _may_not_stand(batch: Ensemble) -> NDArray[np.bool_]:
    """Whether each vehicle has a wheel that ``_cannot_stand`` may refuse, (n,).

    A refused load compresses tyre and ground together by at least the section height, or 0.8 of the
    radius if that is smaller; on hard ground by the radius.
    """
    mechanism, variants = batch.model.mechanism, batch.variants
    places = [place for name in batch.varied for place in variants.known[name]]
    if batch.store.models[1:] or any(p.path[-1] in ("diameter", "section_height") for p in places):
        return np.ones(batch.n, bool)
    found = np.zeros(batch.n, bool)
    frames = batch.store.rows("wheel_state").reshape(batch.n, -1, WheelFrame.FLOATS)
    for wheel, frame in zip(mechanism.wheel_order, frames.transpose(1, 0, 2), strict=True):
        if wheel.soil is None:
            most = float(wheel.radius or 0.0)
        else:
            most = min(0.8 * wheel.soil.tyre.radius, wheel.soil.tyre.section_height)
        found |= -WheelFrame.gap.of(frame) > 0.99 * most
    return found


def _open_joint(space: Workspace, who: str) -> str:
    """Message on a joint whose error exceeds ``RELATIVE_JOINT_ERROR``; "" if there is none."""
    joint, error = worst_joint(space)
    if error <= RELATIVE_JOINT_ERROR * space.machine.clock.parted:
        return ""
    return (
        f"{who}: joint {joint!r} is {error:.3g} m apart; the "
        "mechanism cannot carry its load: look for a mass, stiffness or pressure in the wrong unit."
    )


def _cannot_stand(model: Model, space: Workspace, who: str) -> str:
    """Message on a wheel whose tyre or ground cannot carry its load of the last step; "" if there is
    none."""
    h = space.machine.clock.step
    frames = space.machine.wheel_state
    for wheel, frame in zip(model.mechanism.wheel_order, frames, strict=True):
        load = float(space.machine.channels.impulse[model.channels[wheel.name][0]]) / h
        if load <= 0.0:
            continue
        if wheel.soil is not None:
            refusals = [_refusal(there, load) for there in wheel.soils]
            if all(refusals):  # on a soil map: no soil of the map carries the wheel
                return f"{who}: wheel {wheel.name!r} cannot stand: {refusals[0]}"
        deep = -frame.gap
        if deep >= wheel.radius:
            return (
                f"{who}: the centre of wheel {wheel.name!r} is {deep - wheel.radius:.3g} m below ground "
                f"under {load:.4g} N; lighten the vehicle, or make its tyre or ground stiffer."
            )
    return ""


def _refusal(wheel: WheelContact, load: float) -> str:
    """Reason why the wheel cannot carry a load [N]; "" if it can."""
    try:
        wheel.static_compression(load)
    except ValueError as error:
        return str(error)
    return ""
