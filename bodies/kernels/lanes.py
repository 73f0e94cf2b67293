"""The step of several vehicles of one structure side by side, a lane each, from the kernels of one.

All stages but the contacts run for all lanes at once. The contact problem of each lane is solved by the
kernels of one vehicle, in a workspace of the lane's own: what they read of a step goes there, and their
impulses come back.
"""

from __future__ import annotations

from mlcp.compiled.lanes import lane_viewer
from mlcp.jit import call, entry_point, kernel

from . import layout as L
from .batch import copy_in, copy_out
from .data import Run, run_of
from .step import (
    DETECT,
    FACTOR,
    INTEGRATE,
    POSE,
    PROJECT,
    REORDER,
    RUNNING,
    SOLVE,
    assemble,
    detect,
    factor,
    finish,
    integrate,
    project,
    watch_end,
    watch_pivot,
)
from .wheels import detect_soft_wheels

WIDTH = L.LANES
IDLE = -1  # COUNT[STATUS] of a lane without a vehicle
lanes_of = lane_viewer(Run, WIDTH)

# What the contacts of a lane read of the step, and what they write for it.
READ = (
    L.SCALAR, L.WHEEL_STATE, L.CHANNEL_COMPLIANCE, L.CHANNEL_BIAS, L.CHANNEL_LOWER, L.CHANNEL_UPPER,
    L.DELASSUS, L.FREE,
)  # fmt: skip
WRITTEN = (L.WHEEL_STATE, L.CHANNEL_IMPULSE)
# State that only they touch: it stays in the lane's workspace.
OWN = (L.MEMORY, L.SOIL_Z, L.SOIL_BRISTLE, L.SOIL_U)


@entry_point("mlcp", "contact", "bodies")
def prepare(source_hash):
    def prepare(F, N, stage):
        source_hash
        if stage == DETECT:
            detect(lanes_of(F, N))
            detect_soft_wheels(lanes_of(F, N))
        else:
            assemble(lanes_of(F, N))
        return 0

    return prepare


@entry_point("mlcp", "contact", "bodies")
def eliminate(source_hash):
    def eliminate(F, N, stage):
        source_hash
        factor(lanes_of(F, N))
        return 0

    return eliminate


@entry_point("mlcp", "contact", "bodies")
def advance(source_hash):
    def advance(F, N, stage):
        source_hash
        if stage == INTEGRATE:
            integrate(lanes_of(F, N))
        else:
            project(lanes_of(F, N))
            finish(lanes_of(F, N))
        return 0

    return advance


@kernel
def to_lanes(F, N, number):
    """An array of all workspaces to the lanes."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        for k in range(WIDTH):
            lanes[WIDTH * i + k] = F[WIDTH + k, i]


@kernel
def from_lanes(F, N, number):
    """An array of all lanes to the workspaces."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        for k in range(WIDTH):
            F[WIDTH + k, i] = lanes[WIDTH * i + k]


@kernel
def board(F, N, k, state, counters, values, places):
    """A vehicle takes lane k."""
    copy_in(F[WIDTH + k], N[k], state, counters)
    lanes = F.reshape(F.size)
    for i in range(state.shape[0]):
        lanes[WIDTH * i + k] = state[i]
    for j in range(places.shape[0]):
        F[WIDTH + k, places[j]] = values[j]
        lanes[WIDTH * places[j] + k] = values[j]


@kernel
def keep(F, N, k):
    """The state of lane k as it is now, in the lane's workspace."""
    lanes = F.reshape(F.size)
    for number in range(L.STATE_FLOATS):
        if number not in OWN:
            for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
                F[WIDTH + k, i] = lanes[WIDTH * i + k]


@kernel
def follow(F, N, size, places):
    """Idle lanes become copies of one that runs, so that nothing strange happens in them.

    Returns which one runs, -1: none. ``size``: of a state; ``places``: of parameters.
    """
    lanes, leader = F.reshape(F.size), -1
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status == RUNNING:
            leader = k
    for k in range(WIDTH):
        if leader >= 0 and run_of(F[WIDTH + k], N[k]).count.status == IDLE:
            for i in range(size):
                lanes[WIDTH * i + k] = lanes[WIDTH * i + leader]
            for place in places:
                lanes[WIDTH * place + k] = lanes[WIDTH * place + leader]
    return leader


@kernel
def solve_lanes(F, N, parts, leader):
    """The contacts of every lane that runs, one after the other; idle ones follow the leader."""
    for number in READ:
        from_lanes(F, N, number)
    for k in range(WIDTH):
        run = run_of(F[WIDTH + k], N[k])
        if run.count.status == RUNNING:
            watch_pivot(run)
            if run.count.status != RUNNING:
                keep(F, N, k)
        if run.count.status == RUNNING:
            if parts[2 * SOLVE] != 0:
                call(parts[2 * SOLVE], F[WIDTH + k], N[k], SOLVE)
            call(parts[2 * SOLVE + 1], F[WIDTH + k], N[k], SOLVE)
            if parts[2 * INTEGRATE + 1] != 0:
                call(parts[2 * INTEGRATE + 1], F[WIDTH + k], N[k], INTEGRATE)
    lanes, residual = F.reshape(F.size), N[0, 2 * L.SCALAR] + L.RESIDUAL
    for k in range(WIDTH):
        given = leader if run_of(F[WIDTH + k], N[k]).count.status == IDLE else k
        for number in WRITTEN:
            for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
                lanes[WIDTH * i + k] = F[WIDTH + given, i]
        for i in range(residual, residual + 2):  # and the largest so far
            lanes[WIDTH * i + k] = F[WIDTH + given, i]


@kernel
def step_lanes(F, N, parts, leader):
    """One step of all lanes; how those that run have ended it is in their counts."""
    n = F.shape[1]
    lanes, table = F.reshape(F.size)[: WIDTH * n], N[0]
    for stage in range(DETECT, FACTOR + 1):
        call(parts[stage], lanes, table, stage)
    solve_lanes(F, N, parts[POSE + 1 :], leader)
    for stage in range(INTEGRATE, PROJECT + 1):
        call(parts[stage], lanes, table, stage)
    for k in range(WIDTH):
        run = run_of(F[WIDTH + k], N[k])
        if run.count.status == RUNNING:
            for i in range(N[0, 2 * L.SCALAR], N[0, 2 * L.SCALAR + 1]):
                F[WIDTH + k, i] = lanes[WIDTH * i + k]
            watch_end(run)


@entry_point("mlcp", "contact", "bodies", nogil=True)
def visit(source_hash):
    def visit(F, N, parts, todo, states, counters, values, places):
        """As ``batch.visit``, up to ``WIDTH`` vehicles at a time.

        ``F`` (2 WIDTH, n): the lanes' memory, then a workspace for each lane; ``N`` (WIDTH, ...): of
        those. ``parts``: addresses of the lanes' stages, then those of one vehicle.
        """
        source_hash
        count, size = todo.shape[0], states.shape[1]
        for first in range(0, count, WIDTH):
            for k in range(WIDTH):
                m = min(first + k, count - 1)
                v = todo[m, 0]
                board(F, N, k, states[v], counters[v], values[v], places)
                if first + k >= count or todo[m, 1] == 0:
                    run_of(F[WIDTH + k], N[k]).count.status = IDLE
            leader = follow(F, N, size, places)
            while leader >= 0:
                step_lanes(F, N, parts, leader)
                left = False
                for k in range(WIDTH):
                    count_k = run_of(F[WIDTH + k], N[k]).count
                    if count_k.status != IDLE:
                        v, reorder = todo[first + k, 0], count_k.status == REORDER
                        todo[first + k, 1] -= 0 if reorder else 1
                        if count_k.status != RUNNING or todo[first + k, 1] == 0:
                            if not reorder:
                                keep(F, N, k)
                            copy_out(F[WIDTH + k], N[k], states[v], counters[v])
                            count_k.status, left = IDLE, True
                if left:
                    leader = follow(F, N, size, places)
        return 0

    return visit
