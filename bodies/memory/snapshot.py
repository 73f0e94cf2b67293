"""Snapshots of a running model: taking, check and restoration."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..kernels import records as D
from ..kernels.data import run_of
from ..kernels.slots import STATE_FLOATS, STATE_INTS
from ..state import State
from .elimination import Elimination, eliminated

#: Fields of the clock that are settings of the model or the simulation, not part of a state.
SETTINGS = {
    "step", "gravity", "tolerance", "projections", "friction_tolerance", "recovery", "bounce_speed",
    "solver_tolerance", "parted",
}  # fmt: skip
COUNTED = "steps", "missed", "iterations"  # fields of the record ``Count`` that are part of a state
#: Arrays of impulses, which are in proportion to the step length; so are the impulses of the rolling
#: moments, which are fields of the wheels' records.
IMPULSES = "impulse", "channels.impulse", "contact.rows.z"


def snapshot(work: Any) -> State:
    """Snapshot of all data that determine the further steps of a workspace's run."""
    floats = np.concatenate([work.f(path) for path in STATE_FLOATS])
    ints = np.concatenate([work.i(path) for path in STATE_INTS])
    plan = work.plan
    return State(floats, ints, plan.order, plan.scale, plan.pivot, work.model.digest)


def restore(work: Any, state: State) -> None:
    """Restore a snapshot in a workspace; step length, gravity, tolerance and solver are unchanged.

    Raises:
        MechanismError: a state of another model, or a damaged one; the workspace is unchanged.
    """
    from ..kernels.pose import update_rotations

    floats, ints, plan = _checked(work, state)
    step = work.machine.clock.step
    if not plan.same(work.plan):
        work.install(plan)
    machine = work.machine
    clock, count = machine.clock, machine.count
    theirs = _records(floats.pop("clock"), ints.pop("count"))
    for name in D.ClockRecord.fields.keys() - SETTINGS:
        setattr(clock, name, getattr(theirs[0], name))
    for name in COUNTED:
        setattr(count, name, getattr(theirs[1], name))
    count.status = D.RUNNING
    named = len(work.model.mechanism.inputs)  # constant and scheduled inputs come after these
    machine.input[:named] = floats.pop("input")[:named]
    for path, array in floats.items():
        work.f(path)[:] = array
    for path, array in ints.items():
        work.i(path)[:] = array
    rows = machine.contact.rows
    if theirs[0].step != step:  # impulses of equal forces are in proportion to the step length
        for force in (*map(work.f, IMPULSES), machine.wheel_state.rolling):
            force *= step / theirs[0].step
    if rows.q.size:
        rows.q[:] = machine.channels.impulse
    update_rotations.py_func(run_of(work.F, work.N))


def _checked(
    work: Any, state: State
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], Elimination]:
    """Floats and integers of a state by path, and its elimination, checked against the model.

    Raises MechanismError for a state of another model, or a damaged one.
    """
    from contact.grounds import check_memory

    who, error = f"state, for model {work.model.mechanism.name!r}", checks.MechanismError
    if not isinstance(state, State):
        raise checks.MechanismError(f"{who}: {type(state).__name__} is not a bodies.State.")
    state.check(who)
    if state.model != work.model.digest:
        raise checks.MechanismError(
            f"{who}: it belongs to another model, one of other names, joints, contacts or inputs."
        )
    found: list[dict[str, np.ndarray]] = []
    for name, view, arrays in (("floats", work.f, STATE_FLOATS), ("ints", work.i, STATE_INTS)):
        flat = getattr(state, name)
        sizes = [view(path).size for path in arrays]
        if flat.size != sum(sizes):
            raise checks.MechanismError(
                f"{who}: {name!r} holds {flat.size} numbers, it needs {sum(sizes)}; it is damaged."
            )
        ends = np.cumsum(sizes)
        found.append({p: flat[e - n : e] for p, e, n in zip(arrays, ends, sizes, strict=True)})
    floats, ints = found
    scalars = floats["clock"]  # without joints the smallest pivot and ``parted`` are infinite
    if np.isnan(scalars).any() or not all(np.isfinite(floats[k]).all() for k in floats if k != "clock"):
        raise checks.MechanismError(f"{who}: it holds a number that is not finite.")
    clock, count = _records(scalars, ints["count"])
    if not 0.0 < clock.step < np.inf or not np.isfinite(clock.time):
        raise checks.MechanismError(f"{who}: its time or its step length is no valid number.")
    if any(np.any(np.abs(ints[k]) > 1) for k in ("channels.active", "contact.rows.active")):
        raise checks.MechanismError(f"{who}: an active set may hold -1, 0 and 1 only; it is damaged.")
    if any(getattr(count, name) < 0 for name in COUNTED):
        raise checks.MechanismError(f"{who}: it counts less than 0 steps; it is damaged.")
    grounds = work.contact().grounds.each
    if len(grounds):
        check_memory(who, floats["contact.grounds.memory"], grounds, error)
    plan = work.plan
    if state.order is not plan.order or state.scale is not plan.scale:
        plan = eliminated(work.model.structure, state.order, state.scale, state.pivot)
    return floats, ints, plan


def _records(clock: np.ndarray, count: np.ndarray) -> tuple[Any, Any]:
    """Records of the clock and counts of a state, from their arrays."""
    return D.ClockRecord(clock, count[:0]), D.Count(clock[:0], count)
