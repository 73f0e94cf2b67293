"""Snapshots of a running model: taken, looked at, and put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import checks
from .elimination import Elimination, eliminated
from .kernels import layout as L
from .kernels import records as D
from .kernels.data import run_of
from .state import State

if TYPE_CHECKING:
    from .workspace import Workspace


def snapshot(work: Workspace) -> State:
    """A snapshot of everything that decides the future."""
    floats = np.concatenate([work.f(k) for k in range(L.STATE_FLOATS)])
    ints = np.concatenate([work.i(k) for k in range(L.STATE_INTS)])
    plan = work.plan
    return State(floats, ints, plan.order, plan.scale, plan.pivot, work.model.digest)


def restore(work: Workspace, state: State) -> None:
    """Go back to a snapshot; step, gravity, tolerance and solver stay this workspace's own.

    Raises:
        MechanismError: it is of another model, or damaged; nothing has changed then.
    """
    from .kernels.pose import update_rotations

    floats, ints, plan = _checked(work, state)
    step = float(work.f(L.SCALAR)[L.STEP])
    if not plan.same(work.plan):
        work.install(plan)
    S, count = work.f(L.SCALAR), work.i(L.COUNT_I)
    theirs, counted = floats.pop(L.SCALAR), ints.pop(L.COUNT_I)
    own = np.isin(np.arange(S.size), L.SETTINGS)
    S[:] = np.where(own, S, theirs)
    count[list(L.COUNTED)] = counted[list(L.COUNTED)]
    count[L.STATUS] = D.RUNNING
    named = len(work.model.mechanism.inputs)  # constants and schedules are the model's own
    work.f(L.INPUT)[:named] = floats.pop(L.INPUT)[:named]
    for k, array in floats.items():
        work.f(k)[:] = array
    for k, array in ints.items():
        work.i(k)[:] = array
    if theirs[L.STEP] != step:  # the same forces over another step
        for k in (L.IMPULSE, L.CHANNEL_IMPULSE, L.SOIL_Z):
            work.f(k)[:] *= step / theirs[L.STEP]
        rolling = work.machine.wheel_state.rolling
        rolling *= step / theirs[L.STEP]
    if work.f(L.SOIL_Q).size:
        work.f(L.SOIL_Q)[:] = work.f(L.CHANNEL_IMPULSE)
    update_rotations.py_func(run_of(work.F, work.N))


def _checked(
    work: Workspace, state: State
) -> tuple[dict[int, np.ndarray], dict[int, np.ndarray], Elimination]:
    """A state's arrays by number and its elimination, all of them such as this model can have."""
    from contact.grounds import check_memory

    who, error = f"state, for model {work.model.mechanism.name!r}", checks.MechanismError
    if not isinstance(state, State):
        raise checks.MechanismError(f"{who}: {type(state).__name__} is not a bodies.State.")
    state.check(who)
    if state.model != work.model.digest:
        raise checks.MechanismError(
            f"{who}: it belongs to another model, one of other names, joints, contacts or inputs."
        )
    found: list[dict[int, np.ndarray]] = []
    for name, view, arrays in (("floats", work.f, L.STATE_FLOATS), ("ints", work.i, L.STATE_INTS)):
        flat = getattr(state, name)
        sizes = [view(k).size for k in range(arrays)]
        if flat.size != sum(sizes):
            raise checks.MechanismError(
                f"{who}: {name!r} holds {flat.size} numbers, it needs {sum(sizes)}; it is damaged."
            )
        ends = np.cumsum(sizes)
        found.append({k: flat[e - n : e] for k, (e, n) in enumerate(zip(ends, sizes, strict=True))})
    floats, ints = found
    scalars = floats[L.SCALAR]  # of which a pivot may be infinite
    if np.isnan(scalars).any() or not all(np.isfinite(floats[k]).all() for k in floats if k != L.SCALAR):
        raise checks.MechanismError(f"{who}: it holds a number that is not finite.")
    if not 0.0 < scalars[L.STEP] < np.inf or not np.isfinite(scalars[L.TIME]):
        raise checks.MechanismError(f"{who}: its time or the step of its last impulses is none.")
    if any(np.any(np.abs(ints[k]) > 1) for k in (L.CHANNEL_ACTIVE_I, L.SOIL_ACTIVE_I)):
        raise checks.MechanismError(f"{who}: an active set may hold -1, 0 and 1 only; it is damaged.")
    if np.any(ints[L.COUNT_I][list(L.COUNTED)] < 0):
        raise checks.MechanismError(f"{who}: it counts less than 0 steps; it is damaged.")
    if len(work.i(L.GROUND_I)):
        check_memory(who, floats[L.MEMORY], work.contact().grounds.each, error)
    plan = work.plan
    if state.order is not plan.order or state.scale is not plan.scale:
        plan = eliminated(work.model.structure, state.order, state.scale, state.pivot)
    return floats, ints, plan
