"""Stage "solve contacts": all channels of the reduced problem at once."""

from __future__ import annotations

from contact.kernels.rigid_reduced import solve_reduced
from mlcp.jit import part

from . import layout as L
from .data import run_of
from .wheels import release_wheels


@part
def solve_contacts(F, N, solver):
    """Solve the reduced contact problem; its residual is part of the result of the step.

    ``solver`` is a constant of the run, so that the others are not compiled into it.
    """
    count, S = L.ints(N, L.COUNT_I), L.floats(F, N, L.SCALAR)
    C = count[L.CHANNELS]
    if C == 0:
        return
    release_wheels(run_of(F, N))
    residual, rounds, converged = solve_reduced(
        C,
        L.floats(F, N, L.DELASSUS).reshape((C, C)),
        L.floats(F, N, L.FREE),
        L.floats(F, N, L.CHANNEL_COMPLIANCE),
        L.floats(F, N, L.CHANNEL_BIAS),
        L.floats(F, N, L.CHANNEL_LOWER),
        L.floats(F, N, L.CHANNEL_UPPER),
        L.ints(N, L.CHANNEL_PARENT_I),
        L.floats(F, N, L.CHANNEL_COEFFICIENT),
        L.ints(N, L.CHANNEL_PARTNER_I),
        L.ints(N, L.CHANNEL_SOFT_I),
        L.ints(N, L.CHANNEL_LIVE_I),
        L.floats(F, N, L.CHANNEL_IMPULSE),
        L.ints(N, L.CHANNEL_ACTIVE_I),
        L.ints(N, L.REDUCED_INDEX_I),
        L.ints(N, L.REDUCED_ACTIVE_I),
        L.floats(F, N, L.REDUCED).reshape((C, C)),
        L.floats(F, N, L.REDUCED_VECTOR),
        L.floats(F, N, L.REDUCED_WORK),
        solver,
        S[L.FRICTION_TOLERANCE],
        S[L.SOLVER_TOLERANCE],
    )
    S[L.RESIDUAL] = residual
    S[L.RESIDUAL_MAX] = max(S[L.RESIDUAL_MAX], residual)
    count[L.ITERATIONS] += rounds
    if converged == 0 or not residual <= S[L.SOLVER_TOLERANCE]:
        count[L.MISSED] += 1
