"""Stage "solve contacts": all channels of the reduced problem at once."""

from __future__ import annotations

from contact.kernels.data import friction_of
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
    run = run_of(F, N)
    clock, count = run.clock, run.count
    if count.channels == 0:
        return
    release_wheels(run)
    residual, rounds, converged = solve_reduced(
        friction_of(F, N, N[L.FRICTION_PLACE]), solver, clock.friction_tolerance, clock.solver_tolerance
    )
    clock.residual = residual
    clock.residual_max = max(clock.residual_max, residual)
    count.iterations += rounds
    if converged == 0 or not residual <= clock.solver_tolerance:
        count.missed += 1
