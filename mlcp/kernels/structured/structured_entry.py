"""Compiled functions for calls from Python on structured problems (arrays: ``structured_setup``).

``problem = ints, reals, n, nb, bounded``: flat arrays, numbers of rows and bodies, rows with a bound.
``plan = places, blocks``: elimination order and number of the factor's blocks (``plan_into``); with
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
from mlcp.kernels.structured.bounded_rows import reduced_solve
from mlcp.kernels.structured.proximal_newton import proximal_newton, unit_residual
from mlcp.kernels.structured.structured_layout import Iterate, Reduced
from mlcp.kernels.structured.unit_mass import row_velocities, velocities
from mlcp.kernels.structured.unit_sizes import block_length

# first proximal weight, relative to diag(A), for a start from rest and for a start from a given point
COLD_WEIGHT, WARM_WEIGHT = 1e-7, 1e-8


@entry_point("mlcp")
def run_plan(ints, n, nb, bounded, places):
    """Compute the elimination plan; arguments and result are those of ``plan_into``."""
    return structured_setup.plan_into(ints, n, nb, bounded, places)


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
        blocks = structured_setup.plan_into(ints, n, nb, bounded, places)
    R, P = structured_setup.rows_of(ints, n, nb, work), structured_setup.plan_of(places, nb, blocks)
    scale, zs, w, real, v, body, L, rest = structured_setup.scratch_of(ints, n, nb, blocks, work)
    if not structured_setup.scale_rows(reals, nb, R, work, scale):
        return FAILED, 0, 0, math.inf, blocks
    structured_setup.start_rows(reals, nb, R, scale, cold, z, state, zs)
    Z, N = (
        Iterate(zs, w, v, state),
        structured_setup.proximal_of(n, nb, real, body, rest[: 36 * blocks], L),
    )
    limits = Limits(tol, 0, deadline, 0.0)
    code, steps, factored, residual = proximal_newton(
        R, P, Z, N, COLD_WEIGHT if cold else WARM_WEIGHT, patient, limits
    )
    structured_setup.end_rows(reals, nb, R, scale, zs, z, state)
    return code, steps, factored, residual, blocks


@entry_point("mlcp")
def run_reduced(problem, plan, point, cold, tol, deadline, work, scratch):
    """Solve by reduction to the bounded rows (``reduced_solve``).
    Arguments are those of ``run_structured``, except ``patient``; scratch: int64, one number per bounded
    row and one per body."""
    (ints, reals, n, nb, bounded), (places, blocks), (z, state) = problem, plan, point
    if blocks == 0:
        blocks = structured_setup.plan_into(ints, n, nb, bounded, places)
    m = bounded.shape[0]
    R, P = structured_setup.rows_of(ints, n, nb, work), structured_setup.plan_of(places, nb, blocks)
    scale, zs, w, real, v, body, L, rest = structured_setup.scratch_of(ints, n, nb, blocks, work)
    if not structured_setup.scale_rows(reals, nb, R, work, scale):
        return FAILED, 0, 0, math.inf, blocks
    structured_setup.start_rows(reals, nb, R, scale, cold, z, state, zs)
    x = 6 * nb * m
    W = Reduced(bounded, rest[:x], rest[x:], scratch[:m], scratch[m:], L, real, body)
    limits = Limits(tol, 0, deadline, 0.0)
    code, steps, residual = reduced_solve(R, P, Iterate(zs, w, v, state), W, limits)
    structured_setup.end_rows(reals, nb, R, scale, zs, z, state)
    return code, steps, 1, residual, blocks


def structured_work_size(n: int, nb: int, x: int, m: int, blocks: int) -> int:
    """Length of the float64 work array; x: number of (row, body) blocks of J, m: of bounded rows."""
    reduced = 6 * nb * m + m * m + 3 * m + work_size(m)
    return structured_setup.setup_size(n, nb, x, blocks) + max(36 * blocks, reduced)


def residual_work_size(n: int, nb: int, x: int) -> int:
    """Length of the work array of ``run_structured_residual``; x: number of (row, body) blocks of J."""
    return 44 * nb + 6 * x + 9 * n


@entry_point("mlcp")
def run_structured_residual(problem, z, w, a, residuals, work):
    """Compute w = A z + b, a = diag(A) and the rows' residuals; return the largest residual.

    work: float64 scratch of length ``residual_work_size``.
    """
    ints, reals, n, nb, _bounded = problem
    R = structured_setup.rows_of(ints, n, nb, work)
    zs, ws, size, effective, v, scale, reach = structured_setup.residual_scratch(ints, n, nb, work)
    if not structured_setup.scale_rows(reals, nb, R, work, scale):
        return math.inf
    for i in range(n):
        zs[i] = z[i] * scale[i]
    velocities(R, zs, v)
    row_velocities(R, zs, v, ws)
    worst = unit_residual(R, zs, ws, size, effective, reach)
    for i in range(n):
        gap = row_gap(zs[i], ws[i], R.lower[i], R.upper[i])
        residuals[i] = abs(gap) / size[i]
        w[i] = ws[i] * scale[i]
        own = R.e[i]
        for x in range(R.start[i], R.start[i + 1]):
            own = max(own, block_length(R.Y, x))
        a[i] = scale[i] * scale[i] if own > 0.0 else 0.0
    return worst
