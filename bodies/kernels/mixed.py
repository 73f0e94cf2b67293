"""Stage "solve contacts" where wheels on soil stand beside hard wheels or rigid contacts."""

from __future__ import annotations

from contact.kernels import layout as at
from contact.kernels.mixed import solve_mixed
from mlcp.jit import part

from . import layout as L
from .data import run_of
from .soil import book_soil, prepare_soil, soil_of
from .wheels import release_wheels


@part
def prepare_mixed(F, N):
    """As for wheels on soil alone; and which of the extra rows take part in this step."""
    release_wheels(run_of(F, N))
    prepare_soil(run_of(F, N), soil_of(F, N))
    live, channels = L.ints(N, L.ROW_LIVE_I), L.ints(N, L.CHANNEL_LIVE_I)
    first = at.CHANNELS * L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    row = live.shape[0] - (channels.shape[0] - first)
    for k in range(channels.shape[0] - first):
        live[row + k] = channels[first + k]


@part
def solve_all(F, N, solver):
    """Wheels on soil to their ground law, everything hard to Coulomb's; all rows together."""
    prepare_mixed(F, N)
    contact = soil_of(F, N)
    C, n = L.floats(F, N, L.SOIL_Q).shape[0], L.floats(F, N, L.SOIL_Z).shape[0]
    S = L.floats(F, N, L.SCALAR)
    solve_mixed(
        S[L.STEP],
        contact.settings,
        contact.gap,
        L.floats(F, N, L.DELASSUS).reshape((C, C)),
        contact.start,
        L.floats(F, N, L.FREE),
        contact.wheels,
        contact.rows,
        L.ints(N, L.ROW_PARENT_I),
        L.floats(F, N, L.ROW_COEFFICIENT),
        L.ints(N, L.ROW_PARTNER_I),
        L.ints(N, L.ROW_PROXIMAL_I),
        L.ints(N, L.ROW_LIVE_I),
        L.floats(F, N, L.ROW_NOTHING),
        L.ints(N, L.REDUCED_INDEX_I),
        L.ints(N, L.REDUCED_ACTIVE_I),
        L.floats(F, N, L.REDUCED).reshape((n, n)),
        L.floats(F, N, L.REDUCED_VECTOR),
        L.floats(F, N, L.REDUCED_WORK),
        solver,
        S[L.FRICTION_TOLERANCE],
        S[L.SOLVER_TOLERANCE],
    )
    book_soil(run_of(F, N), contact)
