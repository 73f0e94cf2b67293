"""Many vehicles, one after the other through one workspace; only what decides their future moves."""

from __future__ import annotations

from mlcp.jit import entry_point, kernel

from . import layout as L
from .step import DETECT, PROJECT, do_step


@kernel
def copy_out(F, N, state, counters):
    """State of the vehicle in the workspace: the first arrays of floats and of ints."""
    for i in range(state.shape[0]):
        state[i] = F[i]
    first = N[2 * L.N_FLOATS]
    for i in range(counters.shape[0]):
        counters[i] = N[first + i]


@kernel
def copy_in(F, N, state, counters):
    """The same the other way; the soft wheels' impulses lie in the contact problem once more."""
    for i in range(state.shape[0]):
        F[i] = state[i]
    first = N[2 * L.N_FLOATS]
    for i in range(counters.shape[0]):
        N[first + i] = counters[i]
    q, of = N[2 * L.SOIL_Q], N[2 * L.CHANNEL_IMPULSE]
    for i in range(N[2 * L.SOIL_Q + 1] - q):
        F[q + i] = F[of + i]


@entry_point("mlcp", "contact", "bodies", nogil=True)
def visit(source_hash):
    def visit(F, N, parts, todo, states, counters, values, places):
        """Let every vehicle of ``todo`` do its steps; Python runs on meanwhile.

        ``todo`` (m, 2): vehicle, steps; what is left of them stays there when a run ends early.
        ``states``, ``counters``: a row a vehicle. ``values``: its parameters, a row a vehicle, which
        belong at ``places`` of F.
        """
        source_hash
        for m in range(todo.shape[0]):
            k = todo[m, 0]
            copy_in(F, N, states[k], counters[k])
            for j in range(places.shape[0]):
                F[places[j]] = values[k, j]
            ended = -1
            while todo[m, 1] > 0 and ended < 0:
                ended = do_step(F, N, parts, DETECT, PROJECT)
                if ended != 0:
                    todo[m, 1] -= 1
            copy_out(F, N, states[k], counters[k])
        return 0

    return visit
