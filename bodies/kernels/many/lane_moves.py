"""Copies of vehicles into lanes and back, and of arrays between a lane and its own workspace.

A lane is one element of a SIMD register: number i of lane k is at ``WIDTH i + k`` of the lanes' memory.
Every lane also has a workspace, the arrays of a run of one vehicle: row ``WIDTH + k`` of F.
"""

from mlcp.jit import kernel

from ..data import run_of
from ..records import IDLE, REORDER, RUNNING
from ..slots import FLOATS, INTS, LANES, STATE_FLOATS
from .batch import LEAST, LEFT, VEHICLE, copy_in, copy_out

WIDTH = LANES
WORK, PANELS = FLOATS["contact.rows.work"], FLOATS["panels"]  # numbers of arrays, see ``slots``
ACTIVE = INTS["contact.rows.active"]
# OWN: state arrays that are in each lane's workspace only (ruts, bristle deflections of the wheels);
# STATE: numbers of all other float arrays of the state.
OWN = "contact.grounds.memory", "contact.wheels.bristle"
STATE = tuple(number for path, number in STATE_FLOATS.items() if path not in OWN)


@kernel
def lane_to_workspace(F, N, number, k):
    """Copy array ``number`` from lane k to its workspace."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        F[WIDTH + k, i] = lanes[WIDTH * i + k]


@kernel
def workspace_to_lane(F, N, number, k, given):
    """Copy array ``number`` from the workspace of lane ``given`` to lane k."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        lanes[WIDTH * i + k] = F[WIDTH + given, i]


@kernel
def active_to_workspace(F, N, k):
    """Copy the active set of lane k's contacts to its workspace."""
    lanes, first = F.reshape(F.size), N[0, 2 * WORK]  # the active set is first in the work array
    ints = N[0, 2 * ACTIVE]
    for i in range(N[0, 2 * ACTIVE + 1] - ints):
        N[k, ints + i] = int(lanes[WIDTH * (first + i) + k])


@kernel
def workspace_to_active(F, N, k, given):
    """Copy the active set of the contacts from the workspace of lane ``given`` to lane k."""
    lanes, first = F.reshape(F.size), N[0, 2 * WORK]
    ints = N[0, 2 * ACTIVE]
    for i in range(N[0, 2 * ACTIVE + 1] - ints):
        lanes[WIDTH * (first + i) + k] = N[given, ints + i]


@kernel
def board(F, N, todo, states, counters, values, places):
    """Copy the vehicles of a bundle into their lanes. A lane is idle if it has no vehicle, or if its
    vehicle has stopped or has no steps left.

    Outer loops are over the numbers of a state, inner loops over the lanes, so that whole SIMD vectors
    are written.
    """
    lanes, size = F.reshape(F.size), states.shape[1]
    for k in range(WIDTH):
        m = min(k, todo.shape[0] - 1)
        v = todo[m, VEHICLE]
        copy_in(F[WIDTH + k], N[k], states[v], counters[v])
        for j in range(places.shape[0]):
            F[WIDTH + k, places[j]] = values[v, j]
    for i in range(size):
        for k in range(WIDTH):
            lanes[WIDTH * i + k] = F[WIDTH + k, i]
    for place in places:
        for k in range(WIDTH):
            lanes[WIDTH * place + k] = F[WIDTH + k, place]
    for k in range(WIDTH):
        workspace_to_active(F, N, k, k)
        if k >= todo.shape[0] or todo[k, LEFT] == 0 or todo[k, LEAST] == 0:
            run_of(F[WIDTH + k], N[k]).count.status = IDLE


@kernel
def lanes_to_workspaces(F, N, kept):
    """Copy the present state of the lanes in the bit set ``kept`` to their workspaces."""
    lanes = F.reshape(F.size)
    for number in STATE:
        for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
            for k in range(WIDTH):
                if (kept >> k) & 1 == 1:
                    F[WIDTH + k, i] = lanes[WIDTH * i + k]
    for k in range(WIDTH):
        if (kept >> k) & 1 == 1:
            active_to_workspace(F, N, k)


@kernel
def wipe(F, N, k):
    """Set lane k's contact work array and factors to zero.

    A vehicle that has stopped may leave NaN there, and 0 times NaN is NaN. The kernels multiply numbers
    that a lane does not use by zero, and they never overwrite structural zeros.
    """
    lanes = F.reshape(F.size)
    for number in (WORK, PANELS):
        for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
            lanes[WIDTH * i + k] = 0.0


@kernel
def fill_idle_lanes(F, N, size, places):
    """Fill idle lanes with copies of a running lane, so that their arithmetic is that of a valid
    vehicle.

    Returns the number of the copied lane, -1 if no lane runs. ``size``: count of a state's numbers;
    ``places``: indices of the parameters.
    """
    lanes, leader = F.reshape(F.size), -1
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status == RUNNING:
            leader = k
    for k in range(WIDTH):
        if leader >= 0 and run_of(F[WIDTH + k], N[k]).count.status == IDLE:
            for i in range(size):
                lanes[WIDTH * i + k] = lanes[WIDTH * i + leader]
            active_to_workspace(F, N, leader)
            workspace_to_active(F, N, k, leader)
            for place in places:
                lanes[WIDTH * place + k] = lanes[WIDTH * place + leader]
    return leader


@kernel
def return_vehicles(F, N, leaving, todo, states, counters):
    """Copy the vehicles of the lanes in the bit set ``leaving`` back to ``states`` and ``counters``.

    A vehicle that has stopped gets LEAST = 0 in ``todo``: Python must handle the stop. A vehicle that
    needs a new elimination order keeps the state before its last step.
    """
    kept = leaving
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status == REORDER:
            kept &= ~(1 << k)
    lanes_to_workspaces(F, N, kept)
    for k in range(todo.shape[0]):
        if (leaving >> k) & 1 == 1:
            count, v = run_of(F[WIDTH + k], N[k]).count, todo[k, VEHICLE]
            copy_out(F[WIDTH + k], N[k], states[v], counters[v])
            if count.status != RUNNING:
                wipe(F, N, k)
                todo[k, LEAST] = 0
            count.status = IDLE
