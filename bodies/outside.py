"""The step stage by stage from Python, with a solver that is not part of the compiled run.

The same stages on the same arrays; only "solve contacts" calls :func:`mlcp.solve`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .kernels import layout as L
from .workspace import REORDER, Workspace

SOLVERS = ("osqp", "cvxpy")
ROUNDS = 100


def run_outside(work: Workspace, steps: int, solver: str) -> None:
    """Do ``steps`` steps with the named solver of ``mlcp.SOLVERS``.

    What stops a step halfway, as Ctrl-C, leaves the state as it was at its start.
    """
    for _ in range(steps):
        start = work.state()
        try:
            work.stage("detect", "factor")
            if work.i(L.COUNT_I)[L.STATUS] == REORDER:
                work.renew_order()
                work.i(L.COUNT_I)[L.STATUS] = 0
                work.stage("detect", "factor")
            solve_outside(work, solver)
            work.stage("integrate", "project")
        except BaseException:
            work.restore(start)
            raise
        work.refuse()


def solve_outside(work: Workspace, solver: str) -> None:
    """Stage "solve contacts" with the named solver."""
    from .kernels.data import run_of
    from .kernels.wheels import release_wheels

    count, S = work.i(L.COUNT_I), work.f(L.SCALAR)
    C = int(count[L.CHANNELS])
    if C == 0:
        return
    if count[L.SOIL_WHEELS] > 0:
        solve_soil_outside(work, solver)
        return
    release_wheels.py_func(run_of(work.F, work.N))
    channels = Rows(
        A=work.f(L.DELASSUS).reshape(C, C),
        free=work.f(L.FREE),
        e=work.f(L.CHANNEL_COMPLIANCE),
        b=work.f(L.CHANNEL_BIAS),
        lower=work.f(L.CHANNEL_LOWER),
        upper=work.f(L.CHANNEL_UPPER),
        parent=work.i(L.CHANNEL_PARENT_I),
        coefficient=work.f(L.CHANNEL_COEFFICIENT),
        partner=work.i(L.CHANNEL_PARTNER_I),
        proximal=work.i(L.CHANNEL_SOFT_I),
        live=work.i(L.CHANNEL_LIVE_I),
        z=work.f(L.CHANNEL_IMPULSE),
        active=work.i(L.CHANNEL_ACTIVE_I),
    )
    residual, converged = solve_friction(work, channels, solver)
    count[L.MISSED] += int(not converged)
    S[L.RESIDUAL] = residual
    S[L.RESIDUAL_MAX] = max(S[L.RESIDUAL_MAX], residual)


class Rows(NamedTuple):
    """Rows with friction, as ``contact.kernels.rigid_reduced`` takes them."""

    A: np.ndarray
    free: np.ndarray
    e: np.ndarray
    b: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    parent: np.ndarray
    coefficient: np.ndarray
    partner: np.ndarray
    proximal: np.ndarray
    live: np.ndarray
    z: np.ndarray
    active: np.ndarray


def solve_friction(work: Workspace, rows: Rows, solver: str) -> tuple[float, bool]:
    """The outer loop of ``contact.kernels.rigid_reduced.solve_reduced`` around ``mlcp.solve``."""
    from contact.kernels import rigid_reduced as reduced
    from mlcp import MLCP, SOLVERS, solve

    C = rows.z.size
    index, state = work.i(L.REDUCED_INDEX_I), work.i(L.REDUCED_ACTIVE_I)
    A, V = work.f(L.REDUCED).reshape(C, C), work.f(L.REDUCED_VECTOR)
    n = reduced.gather.py_func(
        C,
        rows.A,
        rows.free,
        rows.e,
        rows.b,
        rows.lower,
        rows.upper,
        rows.parent,
        rows.coefficient,
        rows.proximal,
        rows.live,
        rows.z,
        rows.active,
        index,
        A,
        V,
    )
    if n == 0:
        return 0.0, True
    tolerance = SOLVERS[solver].tolerance
    friction = reduced.start_friction.py_func(
        C, n, index, rows.parent, rows.partner, rows.active, state, A, V
    )
    if friction:
        reduced.bounds_from_normals.py_func(C, n, index, rows.parent, rows.partner, rows.coefficient, V)
    weight, z = V[9 * C : 9 * C + n], V[3 * C : 3 * C + n]
    residual, converged = np.inf, False
    for _ in range(ROUNDS):
        problem = MLCP(
            A[:n, :n] + np.diag(weight), V[:n] - weight * z, V[C : C + n], V[2 * C : 2 * C + n]
        )
        z[:] = solve(problem, solver, z0=z.copy(), raise_on_failure=False).z
        sine = 0.0
        if friction:
            sine = reduced.turn_cones.py_func(C, n, index, rows.partner, A, V, tolerance)
            reduced.bounds_from_normals.py_func(
                C, n, index, rows.parent, rows.partner, rows.coefficient, V
            )
        problem = MLCP(A[:n, :n], V[:n], V[C : C + n], V[2 * C : 2 * C + n])
        residual = problem_residual(problem, z)
        if residual <= 10.0 * tolerance and sine <= 10.0 * tolerance:
            converged = True
            break
    for i in range(n):  # active sets by position, for a later step with `direct`
        state[i] = (z[i] >= V[2 * C + i]) * 1 - (z[i] <= V[C + i]) * 1
    reduced.scatter.py_func(C, n, index, rows.partner, V, state, rows.z, rows.active)
    return residual, converged


def solve_soil_outside(work: Workspace, solver: str) -> None:
    """Soft wheels: ``contact.GroundContact`` pass by pass, on the workspace's own arrays."""
    from contact.kernels.entry import see_grounds

    from .kernels import mixed, soil
    from .kernels.data import run_of

    ground, mix = work.ground(solver), work.i(L.ROW_LIVE_I).size > 0
    C, h = ground.channels, float(work.f(L.SCALAR)[L.STEP])
    if ground.varies:
        at = work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)[: len(ground.wheels)]
        x, y = at[:, 3].copy(), at[:, 4].copy()  # of the contact points
        see_grounds(x, y, work.F, work.N, ground.data.base)
    run = run_of(work.F, work.N)
    if mix:
        mixed.prepare_mixed.py_func(work.F, work.N)
    else:
        soil.prepare_soil.py_func(run, ground.data)
    situation = (
        work.f(L.SOIL_GAP),
        work.f(L.DELASSUS).reshape(C, C),
        work.f(L.SOIL_START),
        work.f(L.FREE),
    )
    if mix:
        ground.solve_by_passes(
            h, *situation, back_end=lambda rows: solve_friction(work, _mixed_rows(work, rows), solver)
        )
    else:
        ground.solve_by_passes(h, *situation)
    soil.book_soil.py_func(run, ground.data)  # tracks are left in the stage "integrate"


def _mixed_rows(work: Workspace, rows: Any) -> Rows:
    """The rows of wheels on soil and of everything hard, as one problem with friction."""
    nothing = work.f(L.ROW_NOTHING)
    return Rows(
        rows.A,
        rows.b,
        nothing,
        nothing,
        rows.lower,
        rows.upper,
        work.i(L.ROW_PARENT_I),
        work.f(L.ROW_COEFFICIENT),
        work.i(L.ROW_PARTNER_I),
        work.i(L.ROW_PROXIMAL_I),
        work.i(L.ROW_LIVE_I),
        rows.z,
        rows.active,
    )


def problem_residual(problem: Any, z: np.ndarray) -> float:
    """Natural residual, recomputed from the problem, as the compiled kernels judge it."""
    from contact.kernels.layout import REST
    from mlcp.kernels.residual import residual_above

    n, rows = z.size, (problem.b, problem.lower, problem.upper, z)
    return float(residual_above(problem.dense_A, *rows, n, np.zeros(4 * n), 0, REST))
