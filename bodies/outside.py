"""The step stage by stage from Python, with a solver that is not part of the compiled run.

The same stages on the same arrays; only "solve contacts" calls :func:`mlcp.solve`.
"""

from __future__ import annotations

import numpy as np

from .kernels import layout as L
from .workspace import Workspace

SOLVERS = ("osqp", "cvxpy")
ROUNDS = 100


def run_outside(work: Workspace, steps: int, solver: str) -> None:
    """Do ``steps`` steps with the named solver of ``mlcp.SOLVERS``."""
    for _ in range(steps):
        work.stage("detect", "factor")
        if work.i(L.COUNT_I)[L.STATUS] == 1:
            work.replan()
            work.i(L.COUNT_I)[L.STATUS] = 0
            work.stage("detect", "factor")
        solve_outside(work, solver)
        work.stage("integrate", "project")


def solve_outside(work: Workspace, solver: str) -> None:
    """The outer loop of ``contact.kernels.rigid_reduced.solve_reduced`` around ``mlcp.solve``."""
    from contact.kernels import rigid_reduced as reduced
    from mlcp import MLCP, SOLVERS, solve

    from .kernels.wheels import release_wheels

    count, S = work.i(L.COUNT_I), work.f(L.SCALAR)
    C = int(count[L.CHANNELS])
    if C == 0:
        return
    if count[L.SOIL_WHEELS] > 0:
        solve_soil_outside(work, solver)
        return
    release_wheels.py_func(work.F, work.N)
    parent, partner = work.i(L.CHANNEL_PARENT_I), work.i(L.CHANNEL_PARTNER_I)
    q, active = work.f(L.CHANNEL_IMPULSE), work.i(L.CHANNEL_ACTIVE_I)
    index, state = work.i(L.REDUCED_INDEX_I), work.i(L.REDUCED_ACTIVE_I)
    A, V = work.f(L.REDUCED).reshape(C, C), work.f(L.REDUCED_VECTOR)
    n = reduced.gather.py_func(
        C, work.f(L.DELASSUS).reshape(C, C), work.f(L.FREE), work.f(L.CHANNEL_COMPLIANCE),
        work.f(L.CHANNEL_BIAS), work.f(L.CHANNEL_LOWER), work.f(L.CHANNEL_UPPER), parent,
        work.i(L.CHANNEL_SOFT_I), work.i(L.CHANNEL_LIVE_I), q, active, index, A, V)
    if n == 0:
        return
    tolerance = SOLVERS[solver].tolerance
    friction = reduced.start_friction.py_func(C, n, index, parent, partner, active, state, A, V)
    if friction:
        reduced.bounds_from_normals.py_func(C, n, index, parent, partner,
                                            work.f(L.CHANNEL_COEFFICIENT), V)
    weight, z = V[9 * C:9 * C + n], V[3 * C:3 * C + n]
    residual = np.inf
    for _ in range(ROUNDS):
        problem = MLCP(A[:n, :n] + np.diag(weight), V[:n] - weight * z, V[C:C + n],
                       V[2 * C:2 * C + n])
        z[:] = solve(problem, solver, z0=z.copy(), raise_on_failure=False).z
        sine = 0.0
        if friction:
            sine = reduced.turn_cones.py_func(C, n, index, partner, A, V, tolerance)
            reduced.bounds_from_normals.py_func(C, n, index, parent, partner,
                                                work.f(L.CHANNEL_COEFFICIENT), V)
        problem = MLCP(A[:n, :n], V[:n], V[C:C + n], V[2 * C:2 * C + n])
        residual = problem_residual(problem, z)
        if residual <= 10.0 * tolerance and sine <= 10.0 * tolerance:
            break
    else:
        count[L.MISSED] += 1
    for i in range(n):  # active sets by position, for a later step with `direct`
        state[i] = (z[i] >= V[2 * C + i]) * 1 - (z[i] <= V[C + i]) * 1
    reduced.scatter.py_func(C, n, index, partner, V, state, q, active)
    S[L.RESIDUAL] = residual
    S[L.RESIDUAL_MAX] = max(S[L.RESIDUAL_MAX], residual)


def solve_soil_outside(work: Workspace, solver: str) -> None:
    """Soft wheels: ``contact.GroundContact`` pass by pass, on the workspace's own arrays."""
    from .kernels import soil

    ground = work.ground(solver)
    soil.prepare_soil.py_func(work.F, work.N)
    C = ground.channels
    ground.solve_by_passes(
        work.f(L.SCALAR)[L.STEP], work.f(L.SOIL_GAP), work.f(L.DELASSUS).reshape(C, C),
        work.f(L.SOIL_START), work.f(L.FREE),
    )
    soil.book_soil.py_func(work.F, work.N)


def problem_residual(problem: object, z: np.ndarray) -> float:
    """Natural residual, recomputed from the problem."""
    from mlcp.solution import natural_residual

    return float(natural_residual(problem, z))  # type: ignore[arg-type]
