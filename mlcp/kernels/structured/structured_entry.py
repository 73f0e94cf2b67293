"""Compiled functions for calls from Python on structured problems (arrays: ``structured_setup``).

``problem = ints, reals, n, nb, bounded``: flat arrays, numbers of rows and bodies, rows with a bound.
``plan = places, blocks``: elimination order and number of the factor's blocks (``order_bodies``); with
blocks = 0 the call makes the plan, and the work must have room for the largest number of blocks.
``point = z, state``: start and result.
Each method is a separate entry point, so that a program compiles only the methods it uses.
"""

from __future__ import annotations

import math

from mlcp.jit import entry_point
from mlcp.kernels.codes import FAILED
from mlcp.kernels.dense.direct import work_size
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.one_row import row_gap
from mlcp.kernels.structured import structured_setup
from mlcp.kernels.structured.body_order import order_bodies
from mlcp.kernels.structured.bounded_rows import reduced_solve
from mlcp.kernels.structured.proximal_newton import proximal_newton, unit_residual
from mlcp.kernels.structured.structured_layout import (
    BodyOrder,
    Iterate,
    ProximalWork,
    Reduced,
    ReducedWork,
    ResidualWork,
)
from mlcp.kernels.structured.unit_mass import row_velocities, velocities
from mlcp.kernels.structured.unit_sizes import block_length

# first proximal weight, relative to diag(A), for a start from rest and for a start from a given point
COLD_WEIGHT, WARM_WEIGHT = 1e-7, 1e-8


@entry_point("mlcp")
def run_plan(ints, n, nb, bounded, places):
    """Compute the elimination plan ``places``, a ``BodyOrder``; return the number of blocks."""
    return order_bodies(n, ints[: n + 1], ints[n + 1 :], bounded, BodyOrder(places, nb, 0))


@entry_point("mlcp")
def run_structured(problem, plan, point, cold, patient, tol, deadline, work):
    """Solve by Newton's method in the velocities (``proximal_newton``), from z and state or from rest.

    Arguments:
        cold: start from rest; z and state need not be filled.
        patient, tol, deadline: see ``proximal_newton``.
        work: float64 scratch of length ``structured_work_size``.
    Returns: (code, steps, factorisations, residual, blocks).
    """
    (ints, reals, n, nb, bounded), (places, blocks), (z, state) = problem, plan, point
    if blocks == 0:
        blocks = order_bodies(n, ints[: n + 1], ints[n + 1 :], bounded, BodyOrder(places, nb, 0))
    N, P = ProximalWork(work, n, nb, ints.shape[0] - n - 1, blocks), BodyOrder(places, nb, blocks)
    S = N.scaled
    R, Z = structured_setup.rows_of(ints, n, S), Iterate(S.z, S.w, S.v, state)
    if not structured_setup.scale_rows(reals, nb, R, S):
        return FAILED, 0, 0, math.inf, blocks
    structured_setup.start_rows(reals, nb, R, S, cold, z, state)
    weight, limits = COLD_WEIGHT if cold else WARM_WEIGHT, Limits(tol, 0, deadline, 0.0)
    code, steps, factored, residual = proximal_newton(R, P, Z, N, weight, patient, limits)
    structured_setup.end_rows(reals, nb, R, S, z, state)
    return code, steps, factored, residual, blocks


@entry_point("mlcp")
def run_reduced(problem, plan, point, cold, tol, deadline, work, dense):
    """Solve by reduction to the bounded rows (``reduced_solve``).
    Arguments are those of ``run_structured``, except ``patient``; ``dense = small, sides``: the array
    ``Reduced.small``, and int64 scratch of one number per bounded row and one per body."""
    (ints, reals, n, nb, bounded), (places, blocks), (z, state) = problem, plan, point
    small, sides = dense
    if blocks == 0:
        blocks = order_bodies(n, ints[: n + 1], ints[n + 1 :], bounded, BodyOrder(places, nb, 0))
    m = bounded.shape[0]
    F, P = ReducedWork(work, n, nb, ints.shape[0] - n - 1, blocks, m), BodyOrder(places, nb, blocks)
    S = F.sizes.scaled
    R, Z = structured_setup.rows_of(ints, n, S), Iterate(S.z, S.w, S.v, state)
    if not structured_setup.scale_rows(reals, nb, R, S):
        return FAILED, 0, 0, math.inf, blocks
    structured_setup.start_rows(reals, nb, R, S, cold, z, state)
    W = Reduced(bounded, sides[:m], sides[m:], small, F)
    code, steps, residual = reduced_solve(R, P, Z, W, Limits(tol, 0, deadline, 0.0))
    structured_setup.end_rows(reals, nb, R, S, z, state)
    return code, steps, 1, residual, blocks


def structured_work_size(n: int, nb: int, x: int, m: int, blocks: int) -> int:
    """Length of the float64 array work; x: number of (row, body) blocks of J, m: of bounded rows."""
    return max(ProximalWork.length(n, nb, x, blocks), ReducedWork.length(n, nb, x, blocks, m))


def small_size(m: int) -> int:
    """Length of ``Reduced.small`` for m bounded rows."""
    return m * m + 4 * m + work_size(m)


@entry_point("mlcp")
def run_structured_residual(problem, z, w, a, residuals, work):
    """Compute w = A z + b, a = diag(A) and the rows' residuals; return the largest residual.

    work: float64 scratch of length ``ResidualWork.length``.
    """
    ints, reals, n, nb, _bounded = problem
    W = ResidualWork(work, n, nb, ints.shape[0] - n - 1)
    S = W.scaled
    R = structured_setup.rows_of(ints, n, S)
    if not structured_setup.scale_rows(reals, nb, R, S):
        return math.inf
    for i in range(n):
        S.z[i] = z[i] * S.scale[i]
    velocities(R, S.z, S.v)
    row_velocities(R, S.z, S.v, S.w)
    worst = unit_residual(R, S.z, S.w, W.size, W.effective, W.reach)
    for i in range(n):
        residuals[i] = abs(row_gap(S.z[i], S.w[i], R.lower[i], R.upper[i])) / W.size[i]
        w[i] = S.w[i] * S.scale[i]
        own = R.e[i]
        for x in range(R.start[i], R.start[i + 1]):
            own = max(own, block_length(R.Y, x))
        a[i] = S.scale[i] * S.scale[i] if own > 0.0 else 0.0
    return worst
