"""Many vehicles through one workspace a thread; only what decides their future moves."""

from __future__ import annotations

from mlcp.compiled.machine_code import exchange
from mlcp.jit import entry_point, kernel

from ..slots import FLOATS, INTS
from ..stages import DETECT, PROJECT
from ..step import do_step

VEHICLE, LEFT, ALONE, LEAST, TAKEN = range(5)  # columns of ``todo``, see ``visit``
COUNT, Q, IMPULSE = INTS["count"], FLOATS["contact.rows.q"], FLOATS["channels.impulse"]  # slots
VISIT = 100  # steps after which a thread puts a bundle back


@kernel
def copy_out(F, N, state, counters):
    """State of the vehicle in the workspace: the first arrays of floats and of ints."""
    for i in range(state.shape[0]):
        state[i] = F[i]
    first = N[2 * COUNT]
    for i in range(counters.shape[0]):
        counters[i] = N[first + i]


@kernel
def copy_in(F, N, state, counters):
    """The same the other way; the soft wheels' impulses lie in the contact problem once more."""
    for i in range(state.shape[0]):
        F[i] = state[i]
    first = N[2 * COUNT]
    for i in range(counters.shape[0]):
        N[first + i] = counters[i]
    q, of = N[2 * Q], N[2 * IMPULSE]
    for i in range(N[2 * Q + 1] - q):
        F[q + i] = F[of + i]


@kernel
def steps_of_visit(todo, first, width):
    """How many steps the vehicles of a bundle do before they are put back; 0: they have none left.

    Two thirds of what is left, so that all threads end together; never so few that moving them counts.
    """
    steps = 0
    for m in range(first, min(first + width, todo.shape[0])):
        left, least = todo[m, LEFT], todo[m, LEAST]
        if left > 0 and least > 0:  # else it waits for Python
            now = max(least, min(VISIT, 2 * left // 3))
            steps = max(steps, left if left - now < least else now)
    return steps


@kernel
def take_bundle(todo, first, width):
    """Take the bundle for this thread; how many steps to do: 0, it is another's or has none left."""
    if steps_of_visit(todo, first, width) == 0:
        return 0
    if exchange(todo.reshape(todo.size), first * todo.shape[1] + TAKEN, 1) != 0:
        return 0
    return steps_of_visit(todo, first, width)


@kernel
def give_back(todo, first):
    """Others may take the bundle."""
    exchange(todo.reshape(todo.size), first * todo.shape[1] + TAKEN, 0)


@entry_point("mlcp", "contact", "bodies", nogil=True)
def visit(source_hash):
    def visit(F, N, parts, todo, states, counters, values, places):
        """Let every vehicle of ``todo`` do its steps; other threads take others, and Python runs on.

        ``todo`` (m, 5): vehicle, steps left, steps whose contacts lanes solved alone, steps at least
        before it is put back, whether a thread has it. One that needs Python has 0 of the fourth.
        ``states``, ``counters``: a row a vehicle. ``values``: its parameters, a row a vehicle, which
        belong at ``places`` of F.
        """
        source_hash
        count, m, idle = todo.shape[0], 0, 0
        while idle < count:  # until nothing was left to take all the way round
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

    return visit
