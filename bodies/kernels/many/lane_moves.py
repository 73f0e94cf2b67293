"""Vehicles that take lanes and leave them; what goes between a lane and its own workspace."""

from __future__ import annotations

from mlcp.jit import kernel

from ..data import run_of
from ..records import IDLE, REORDER, RUNNING
from ..slots import FLOATS, INTS, LANES, STATE_FLOATS
from .batch import LEAST, LEFT, VEHICLE, copy_in, copy_out

WIDTH = LANES
WORK, PANELS = FLOATS["contact.rows.work"], FLOATS["panels"]  # slots
ACTIVE = INTS["contact.rows.active"]
# State of the lanes; what only the contacts of one vehicle touch stays in the lane's workspace.
OWN = "contact.grounds.memory", "contact.wheels.bristle"
STATE = tuple(number for path, number in STATE_FLOATS.items() if path not in OWN)


@kernel
def take(F, N, number, k):
    """An array of lane k to its workspace."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        F[WIDTH + k, i] = lanes[WIDTH * i + k]


@kernel
def give(F, N, number, k, given):
    """An array of the workspace ``given`` to lane k."""
    lanes = F.reshape(F.size)
    for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
        lanes[WIDTH * i + k] = F[WIDTH + given, i]


@kernel
def take_active(F, N, k):
    """The active set of lane k's contacts to its workspace."""
    lanes, first = F.reshape(F.size), N[0, 2 * WORK]  # where ``rolling.LaneWork`` has it
    ints = N[0, 2 * ACTIVE]
    for i in range(N[0, 2 * ACTIVE + 1] - ints):
        N[k, ints + i] = int(lanes[WIDTH * (first + i) + k])


@kernel
def give_active(F, N, k, given):
    """The active set of the workspace ``given`` to lane k."""
    lanes, first = F.reshape(F.size), N[0, 2 * WORK]
    ints = N[0, 2 * ACTIVE]
    for i in range(N[0, 2 * ACTIVE + 1] - ints):
        lanes[WIDTH * (first + i) + k] = N[given, ints + i]


@kernel
def board(F, N, todo, states, counters, values, places):
    """The vehicles of a bundle take their lanes; those that have no steps left leave theirs idle.

    Number by number, so that a vector is written at once.
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
        give_active(F, N, k, k)
        if k >= todo.shape[0] or todo[k, LEFT] == 0 or todo[k, LEAST] == 0:
            run_of(F[WIDTH + k], N[k]).count.status = IDLE


@kernel
def keep(F, N, kept):
    """The state of the lanes ``kept``, bits, as it is now, in the lanes' workspaces."""
    lanes = F.reshape(F.size)
    for number in STATE:
        for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
            for k in range(WIDTH):
                if (kept >> k) & 1 == 1:
                    F[WIDTH + k, i] = lanes[WIDTH * i + k]
    for k in range(WIDTH):
        if (kept >> k) & 1 == 1:
            take_active(F, N, k)


@kernel
def wipe(F, N, k):
    """Zeros in lane k's contacts and panels: what is zero in all lanes stays so from the start, and what
    lanes do not use they multiply by zero, so it is finite."""
    lanes = F.reshape(F.size)
    for number in (WORK, PANELS):
        for i in range(N[0, 2 * number], N[0, 2 * number + 1]):
            lanes[WIDTH * i + k] = 0.0


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
            take_active(F, N, leader)
            give_active(F, N, k, leader)
            for place in places:
                lanes[WIDTH * place + k] = lanes[WIDTH * place + leader]
    return leader


@kernel
def leave(F, N, leaving, todo, states, counters):
    """The vehicles in the lanes ``leaving``, bits, go back to their places; those that need Python are
    noted."""
    kept = leaving
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status == REORDER:
            kept &= ~(1 << k)
    keep(F, N, kept)
    for k in range(todo.shape[0]):
        if (leaving >> k) & 1 == 1:
            count, v = run_of(F[WIDTH + k], N[k]).count, todo[k, VEHICLE]
            copy_out(F[WIDTH + k], N[k], states[v], counters[v])
            if count.status != RUNNING:
                wipe(F, N, k)
                todo[k, LEAST] = 0
            count.status = IDLE
