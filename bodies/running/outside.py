"""Time steps run from Python, stage by stage, for contact solvers that are not compiled.

Stages and arrays are those of a compiled step, except the stage "solve", which calls
:func:`mlcp.solve`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.solvers.base import Solver

from ..kernels import records as D
from ..memory.refusal import refuse
from ..memory.workspace import Workspace

ROUNDS = 100  # most iterations in which friction bounds follow the normal impulses


def run_outside(work: Workspace, steps: int, solver: str | Solver) -> None:
    """Take ``steps`` steps with a solver of ``mlcp.SOLVERS``, by name or configured.

    If a step is interrupted, for example by Ctrl-C, the state is that of the step's start.
    """
    for _ in range(steps):
        with work.changing():
            start = work.kept()
            try:
                work.stage("detect", "factor")
                if work.machine.count.status == D.REORDER:
                    work.renew_order()
                    work.machine.count.status = D.RUNNING
                    work.stage("detect", "factor")
                solve_outside(work, solver)
                work.stage("integrate", "project")
            except BaseException:
                work.put_back(start)
                raise
            refuse(work)


def solve_outside(work: Workspace, solver: str | Solver) -> None:
    """Run the stage "solve" of a step with the given solver."""
    from ..kernels.contacts.wheels import release_wheels
    from ..kernels.data import run_of

    count, clock = work.machine.count, work.machine.clock
    if count.channels == 0:
        return
    if count.soil_wheels > 0:
        solve_soil_outside(work, solver)
        return
    release_wheels(run_of(work.F, work.N))
    residual, converged = solve_friction(work, solver)
    count.missed += int(not converged)
    clock.residual = residual
    clock.residual_max = max(clock.residual_max, residual)


def solve_friction(work: Workspace, solver: str | Solver) -> tuple[float, bool]:
    """Solve the hard contacts by iteration of their friction bounds: ``mlcp.solve`` solves the problem
    with constant bounds in each iteration, as in ``contact.kernels.solve.rigid_reduced``.

    Returns the natural residual, and whether it and the directions of the cones have converged.
    """
    from contact.kernels.solve import rigid_reduced as reduced
    from mlcp import MLCP, SOLVERS, solve

    friction = work.friction()
    n = reduced.gather(friction)
    if n == 0:
        return 0.0, True
    tolerance = SOLVERS.find(solver).tolerance
    rubs = reduced.start_friction(friction, n)
    if rubs:
        reduced.bounds_from_normals(friction, n)
    A, b, z, weight = friction.A[:n, :n], friction.b[:n], friction.z[:n], friction.weight[:n]
    lower, upper = friction.lower[:n], friction.upper[:n]
    residual, converged = np.inf, False
    for _ in range(ROUNDS):
        problem = MLCP(A + np.diag(weight), b - weight * z, lower, upper)
        z[:] = solve(problem, solver, z0=z.copy(), raise_on_failure=False).z
        sine = 0.0
        if rubs:
            sine = reduced.turn_cones.py_func(friction, n, tolerance)
            reduced.bounds_from_normals(friction, n)
        residual = problem_residual(MLCP(A, b, lower, upper), z)
        if residual <= 10.0 * tolerance and sine <= 10.0 * tolerance:
            converged = True
            break
    # 1 at the upper bound, -1 at the lower: initial active set of a later step with `direct`
    friction.active[:n] = (z >= upper) * 1 - (z <= lower) * 1
    reduced.scatter(friction, n)
    return residual, converged


def solve_soil_outside(work: Workspace, solver: str | Solver) -> None:
    """Solve wheels on soil by ``contact.GroundContact`` on the workspace's arrays, with a call of the
    solver in each fixed-point iteration (pass)."""
    from contact.kernels.solve.entry import see_grounds

    from ..kernels.contacts import hard, soil
    from ..kernels.data import run_of

    ground, mix = work.ground(solver), work.machine.mixed.given.live.size > 0
    if ground.varies:
        x, y, _ = work.machine.wheel_state.point[: len(ground.wheels)].T.copy()
        see_grounds(x, y, work.F, work.N, ground.data.base)
    run = run_of(work.F, work.N)
    if mix:
        hard.prepare_mixed(run)
    else:
        soil.prepare_soil(run)
    h, contact, channels = float(run.clock.step), run.contact, run.channels
    situation = contact.gap, channels.B, contact.start, channels.free
    if mix:
        ground.solve_by_passes(h, *situation, back_end=lambda rows: solve_friction(work, solver))
    else:
        ground.solve_by_passes(h, *situation)
    soil.write_back_soil(run)  # ruts are written in the stage "integrate"


def problem_residual(problem: Any, z: np.ndarray) -> float:
    """Natural residual of a problem at z, as the compiled kernels compute it."""
    from contact.kernels.wheel.layout import LEAST_BIAS

    residuals = problem.row_residuals(z, LEAST_BIAS)
    return float(np.max(residuals, initial=0.0)) if not np.isnan(residuals).any() else np.inf
