"""The compiled functions that Python calls for dense problems; the rest are called by kernels."""

from __future__ import annotations

import math

from mlcp.jit import entry_point
from mlcp.kernels.direct import direct
from mlcp.kernels.newton import newton
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import bias_scale, row_residual, row_scale, size_rows
from mlcp.kernels.sparse import diagonal_of, size_sparse_rows, sparse_pgs

ELIMINATE = 4  # the bilateral rows should be eliminated first


@entry_point("mlcp")
def run_direct(source_hash):
    def run_direct(A, b, lower, upper, z, active, work, max_pivots, cold, eliminate, deadline):
        """``direct``; a cold start sets z and active itself; active <- the sides of the result.

        eliminate: return ELIMINATE at once when half of the rows are bilateral, or one of them
            does not see itself (a_ii <= 0), so that no diagonal pivot exists for it.
        """
        source_hash
        n = b.shape[0]
        bilateral, blind = 0, False
        for i in range(n):
            if lower[i] == -math.inf and upper[i] == math.inf:
                bilateral += 1
                blind = blind or A[i, i] <= 0.0
            if cold:  # rows with one bound start there; rows with two start free
                z[i] = 0.0
                active[i] = 0
                if lower[i] > -math.inf and upper[i] == math.inf:
                    active[i] = -1
                elif upper[i] < math.inf and lower[i] == -math.inf:
                    active[i] = 1
        if eliminate and bilateral > 0 and (blind or (n > 30 and 2 * bilateral >= n)):
            return ELIMINATE, 0
        code, pivots = direct(A, b, lower, upper, z, active, n, work, max_pivots, deadline)
        for i in range(n):
            active[i] = 0
            if z[i] <= lower[i]:
                active[i] = -1
            elif z[i] >= upper[i]:
                active[i] = 1
        return code, pivots

    return run_direct


@entry_point("mlcp")
def run_pgs(source_hash):
    def run_pgs(A, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline, work):
        source_hash
        n = b.shape[0]
        return pgs(A, b, lower, upper, z, n, relaxation, symmetric, tol, max_sweeps, deadline, 0.0, work)

    return run_pgs


@entry_point("mlcp")
def run_sparse_pgs(source_hash):
    def run_sparse_pgs(
        start, column, value, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline, work
    ):
        """``pgs`` with A sparse, by rows; work 5 n long."""
        source_hash
        return sparse_pgs(
            start, column, value, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline,
            work,
        )  # fmt: skip

    return run_sparse_pgs


@entry_point("mlcp")
def run_newton(source_hash):
    def run_newton(A, b, lower, upper, z, tol, max_iterations, deadline, work):
        source_hash
        return newton(A, b, lower, upper, z, b.shape[0], tol, max_iterations, deadline, 0.0, work)

    return run_newton


@entry_point("mlcp")
def run_residual(source_hash):
    def run_residual(A, b, lower, upper, z, residuals, work):
        """residuals <- the natural residual of every row, relative to its size; work 4 n long."""
        source_hash
        n = b.shape[0]
        size_rows(A, b, lower, upper, z, n, work, 0, 0.0)
        for i in range(n):
            scale = row_scale(A[i, i])
            residuals[i] = row_residual(z[i], work[i], lower[i], upper[i], scale, work[n + i])

    return run_residual


@entry_point("mlcp")
def run_sparse_residual(source_hash):
    def run_sparse_residual(start, column, value, b, lower, upper, z, residuals, work):
        """``run_residual`` with A sparse, by rows; work 5 n long."""
        source_hash
        n = b.shape[0]
        diagonal = work[4 * n :]
        diagonal_of(start, column, value, diagonal)
        size_sparse_rows(start, column, value, diagonal, b, lower, upper, z, work)
        for i in range(n):
            scale = row_scale(diagonal[i])
            residuals[i] = row_residual(z[i], work[i], lower[i], upper[i], scale, work[n + i])

    return run_sparse_residual


@entry_point("mlcp")
def scale_box_programme(source_hash):
    def scale_box_programme(A, b, lower, upper, scale, P, q, lo, up):
        """Unit diagonal and max |b| = 1; the upper triangle of A goes to P column by column."""
        source_hash
        n = b.shape[0]
        beta = bias_scale(A, b, n)
        k = 0
        for j in range(n):
            scale[j] = row_scale(A[j, j])
            for i in range(j + 1):
                P[k] = A[i, j] / (scale[i] * scale[j])
                k += 1
            q[j] = b[j] / (scale[j] * beta)
            lo[j] = max(lower[j] * scale[j] / beta, -1e30)
            up[j] = min(upper[j] * scale[j] / beta, 1e30)
        for j in range(n):
            scale[j] = beta / scale[j]

    return scale_box_programme
