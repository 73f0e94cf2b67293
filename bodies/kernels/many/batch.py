"""Steps of many vehicles of one structure by several threads.

Every thread has one workspace (all arrays of a run). To change the vehicle, a thread copies only the
state and the parameters. "Bundle": the vehicles that a thread steps together, here one.
"""

from mlcp.compiled.machine_code import exchange
from mlcp.jit import entry_point, kernel

from ..slots import FLOATS, INTS
from ..stages import DETECT, PROJECT
from ..step import do_step

VEHICLE, LEFT, ALONE, LEAST, TAKEN = range(5)  # columns of ``todo``, see ``run_chunk``
# numbers of three arrays in a workspace, see ``slots``
COUNT, Q, IMPULSE = INTS["count"], FLOATS["contact.rows.q"], FLOATS["channels.impulse"]
STEPS_PER_CHUNK = 100  # most steps of a bundle before its thread changes to another bundle


@kernel
def copy_out(F, N, state, counters):
    """Copy the state in the workspace to a vehicle's ``state`` (floats) and ``counters`` (integers)."""
    for i in range(state.shape[0]):
        state[i] = F[i]
    first = N[2 * COUNT]
    for i in range(counters.shape[0]):
        counters[i] = N[first + i]


@kernel
def copy_in(F, N, state, counters):
    """Copy a vehicle's state to the workspace; the contact solve of wheels on soil then starts from the
    vehicle's last impulses."""
    for i in range(state.shape[0]):
        F[i] = state[i]
    first = N[2 * COUNT]
    for i in range(counters.shape[0]):
        N[first + i] = counters[i]
    q, of = N[2 * Q], N[2 * IMPULSE]
    for i in range(N[2 * Q + 1] - q):
        F[q + i] = F[of + i]


@kernel
def steps_of_chunk(todo, first, width):
    """Number of steps of a bundle's next chunk; 0: no vehicle of the bundle has steps left.

    Two thirds of the remaining steps, at most ``STEPS_PER_CHUNK``, so that all threads end at about the
    same time; at least the number in the column LEAST, so that the time for copying is negligible.
    """
    steps = 0
    for m in range(first, min(first + width, todo.shape[0])):
        left, least = todo[m, LEFT], todo[m, LEAST]
        if left > 0 and least > 0:  # least = 0: the vehicle has stopped; Python must first handle this
            now = max(least, min(STEPS_PER_CHUNK, 2 * left // 3))
            steps = max(steps, left if left - now < least else now)
    return steps


@kernel
def take_bundle(todo, first, width):
    """Claim a bundle of vehicles for a thread; returns the number of steps to run, or 0 if another
    thread has the bundle or no steps are left."""
    if steps_of_chunk(todo, first, width) == 0:
        return 0
    if exchange(todo.reshape(todo.size), first * todo.shape[1] + TAKEN, 1) != 0:
        return 0
    return steps_of_chunk(todo, first, width)


@kernel
def give_back(todo, first):
    """Release a bundle for other threads."""
    exchange(todo.reshape(todo.size), first * todo.shape[1] + TAKEN, 0)


@entry_point("mlcp", "contact", "bodies", nogil=True)
def run_chunk(F, N, parts, todo, states, counters, values, places):
    """Step every vehicle of ``todo``, in parallel with other threads and without Python's lock.

    ``todo`` (m, 5): number of the vehicle; steps left; steps whose contacts were solved one
    vehicle at a time; least steps of a chunk (0: Python must first handle the stop, for example
    choose a new elimination order); 1 while a thread has claimed the vehicle.
    ``states``, ``counters``: state of each vehicle, one row per vehicle. ``values``: parameters of each
    vehicle, one row per vehicle, copied to the indices ``places`` of F.
    """
    count, m, idle = todo.shape[0], 0, 0
    while idle < count:  # end after a full round in which no vehicle could be claimed
        steps, idle = take_bundle(todo, m, 1), idle + 1
        if steps > 0:
            k, idle = todo[m, VEHICLE], 0
            copy_in(F, N, states[k], counters[k])
            for j in range(places.shape[0]):
                F[places[j]] = values[k, j]
            ended = -1
            while steps > 0 and ended < 0:
                ended = do_step(F, N, parts, DETECT, PROJECT)
                if ended != 0:
                    todo[m, LEFT] -= 1
                    steps -= 1
            copy_out(F, N, states[k], counters[k])
            if ended >= 0:
                todo[m, LEAST] = 0
            give_back(todo, m)
        m = m + 1 if m + 1 < count else 0
    return 0
