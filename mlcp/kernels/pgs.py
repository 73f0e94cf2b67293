"""Projected Gauss-Seidel: one row at a time, each solved exactly within its bounds."""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.residual import residual_above, row_residual, row_scale

STRETCH = 16  # sweeps over which the contraction is seen, and for which the rows' sizes serve
SLOW = 0.6  # contraction a sweep above which over-relaxation pays
FASTEST = 1.95


@kernel
def relax_row(A, b, lower, upper, z, n, i, relaxation, size):
    """z_i <- clip(z_i - relaxation w_i / a_ii); returns the row's residual before the update."""
    w = b[i]
    for j in range(n):
        w += A[i, j] * z[j]
    r = row_residual(z[i], w, lower[i], upper[i], row_scale(A[i, i]), size)
    if A[i, i] > 0.0:
        z[i] = min(max(z[i] - relaxation * w / A[i, i], lower[i]), upper[i])
    elif w > 0.0 and lower[i] > -math.inf:
        z[i] = lower[i]  # the row does not see itself: only its bounds can stop it
    elif w < 0.0 and upper[i] < math.inf:
        z[i] = upper[i]
    return r


@kernel
def pgs(A, b, lower, upper, z, n, relaxation, symmetric, tol, max_sweeps, deadline, least, work):
    """Projected Gauss-Seidel (SOR) sweeps until the natural residual is below tol.

    z_i <- clip(z_i - relaxation (A z + b)_i / a_ii, lower_i, upper_i),
    i = 1..n, and then n..1 if symmetric.

    Arguments:
        A (N, N), b, lower, upper (N,): the problem; only the leading n are read.
        z (N,): start and result.
        relaxation: in (0, 2); 1 is plain Gauss-Seidel; 0 chooses: plain, and where that is slow
            the factor that suits the contraction seen, omega = 2 / (1 + sqrt(1 - rho)) (Young 1954).
        symmetric: go back through the rows after every forward sweep.
        tol: on the scaled natural residual [-].
        max_sweeps: a forward and a backward pass count as one when symmetric.
        deadline: time of ``clock`` at which to give up; inf for none.
        least: see ``residual.residual_above``; 0 for none.
        work: float64, scratch 4 n long.
    Returns: (sweeps, residual), the residual recomputed from the problem.
    Source: Cryer, The solution of a quadratic programming problem using systematic
        overrelaxation, 1971: converges for symmetric positive definite A.
    """
    for i in range(n):
        z[i] = min(max(z[i], lower[i]), upper[i])
    residual = residual_above(A, b, lower, upper, z, n, work, 0, least)
    adaptive = relaxation == 0.0
    if adaptive:
        relaxation = 1.0
    reference = math.inf  # the residual at the start of the stretch that shows the contraction
    for sweep in range(max_sweeps):
        worst = 0.0
        for i in range(n):
            r = relax_row(A, b, lower, upper, z, n, i, relaxation, work[n + i])
            if not r <= worst:
                worst = r
        if symmetric:
            for k in range(n):
                i = n - 1 - k
                r = relax_row(A, b, lower, upper, z, n, i, relaxation, work[n + i])
                if not r <= worst:
                    worst = r
        if math.isnan(worst):
            return sweep + 1, math.inf
        if adaptive and sweep % STRETCH == STRETCH - 1:
            rho = (worst / reference) ** (1.0 / STRETCH)
            if SLOW < rho < 1.0:
                relaxation = min(FASTEST, 2.0 / (1.0 + math.sqrt(1.0 - rho)))
                adaptive = False
            reference = worst
        # The rows' residuals as met during the sweep cost nothing; only when they look good, or the
        # sizes that they are relative to have aged, is the true one (dearer than a sweep) computed.
        if worst <= 2.0 * tol or sweep % STRETCH == STRETCH - 1:
            residual = residual_above(A, b, lower, upper, z, n, work, 0, least)
            if residual <= tol:
                return sweep + 1, residual
        if is_late(deadline):
            return sweep + 1, residual_above(A, b, lower, upper, z, n, work, 0, least)
    return max_sweeps, residual_above(A, b, lower, upper, z, n, work, 0, least)
