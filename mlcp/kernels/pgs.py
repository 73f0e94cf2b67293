"""Projected Gauss-Seidel: one row at a time, each solved exactly within its bounds."""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.one_row import SizeWork, row_residual, row_scale
from mlcp.kernels.residual import residual_above

STRETCH = 16  # sweeps between estimates of the contraction and of the rows' sizes


@kernel
def relaxed(z, w, own, lower, upper, relaxation):
    """New z of one row: clip(z - relaxation w / a_ii, lower, upper); own: a_ii.

    For own <= 0: the bound to which w presses z, or z if this bound is infinite.
    """
    if own > 0.0:
        return min(max(z - relaxation * w / own, lower), upper)
    if w > 0.0 and lower > -math.inf:
        return lower
    if w < 0.0 and upper < math.inf:
        return upper
    return z


@kernel
def relax_row(problem, z, i, relaxation, size):
    """Set z_i to clip(z_i - relaxation w_i / a_ii); return the row's residual before the update."""
    own, lower, upper = problem.A[i, i], problem.lower[i], problem.upper[i]
    w = problem.b[i]
    for j in range(problem.n):
        w += problem.A[i, j] * z[j]
    r = row_residual(z[i], w, lower, upper, row_scale(own), size)
    z[i] = relaxed(z[i], w, own, lower, upper, relaxation)
    return r


@kernel
def sweep_rows(problem, z, relaxation, symmetric, size):
    """Relax all rows forward, and then backward if symmetric; return the largest residual met."""
    n, worst = problem.n, 0.0
    for k in range(2 * n if symmetric else n):
        i = k if k < n else 2 * n - 1 - k
        r = relax_row(problem, z, i, relaxation, size[i])
        if not r <= worst:
            worst = r
    return worst


@kernel
def pgs(problem, z, work, limits, relaxation, symmetric):
    """Do projected Gauss-Seidel (SOR) sweeps until the natural residual is within the tolerance.

    z_i <- clip(z_i - relaxation (A z + b)_i / a_ii, lower_i, upper_i),
    i = 1..n, and then n..1 if symmetric.

    Arguments:
        problem, z, work, limits: those of ``dense_problem``.
        relaxation: in (0, 2); 1 is plain Gauss-Seidel. 0: plain sweeps first; if these contract slowly,
            the factor for the measured contraction rho, 2 / (1 + sqrt(1 - rho)) (Young 1954).
        symmetric: go back through the rows after every forward sweep; both count as one.
    Returns: (sweeps, residual), the residual recomputed from the problem.
    Source: Cryer, The solution of a quadratic programming problem using systematic
        overrelaxation, 1971: converges for symmetric positive definite A.
    """
    W = SizeWork(work, problem.n)
    for i in range(problem.n):
        z[i] = min(max(z[i], problem.lower[i]), problem.upper[i])
    residual = residual_above(problem, z, W, limits.least)
    adaptive = relaxation == 0.0
    if adaptive:
        relaxation = 1.0
    reference = math.inf  # residual before the last STRETCH sweeps
    for sweep in range(limits.most):
        worst = sweep_rows(problem, z, relaxation, symmetric, W.size)
        if math.isnan(worst):
            return sweep + 1, math.inf
        if adaptive and sweep % STRETCH == STRETCH - 1:
            rho = (worst / reference) ** (1.0 / STRETCH)
            if 0.6 < rho < 1.0:  # for a slow contraction over-relaxation is faster
                relaxation = min(1.95, 2.0 / (1.0 + math.sqrt(1.0 - rho)))
                adaptive = False
            reference = worst
        # The sweep gives an estimate of the residual at no cost. The true residual costs more than a
        # sweep: it is computed only if the estimate is small, or after STRETCH sweeps with the same
        # sizes (largest biases of the rows).
        if worst <= 2.0 * limits.tolerance or sweep % STRETCH == STRETCH - 1:
            residual = residual_above(problem, z, W, limits.least)
            if residual <= limits.tolerance:
                return sweep + 1, residual
        if deadline_passed(limits.deadline):
            return sweep + 1, residual_above(problem, z, W, limits.least)
    return limits.most, residual_above(problem, z, W, limits.least)


@kernel
def in_a_step(problem, z, active, work, limits, settings):
    """Call ``pgs`` in a compiled time step (``numbered.solve_numbered``); start and result: z."""
    pgs(problem, z, work, limits, settings.relaxation, settings.symmetric != 0.0)


def work_size(n: int) -> int:
    """Length of the float64 array ``work`` of ``pgs`` for n rows."""
    return SizeWork.length(n)
