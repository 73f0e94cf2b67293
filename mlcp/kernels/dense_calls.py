"""The compiled functions that Python calls for dense problems; the rest are called by kernels.

They take arrays one by one: a bundle of them would cost Python microseconds a call.
"""

from __future__ import annotations

import math

from mlcp.jit import entry_point
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.direct import PivotWork as PivotWork  # for the callers
from mlcp.kernels.direct import direct, sides_of
from mlcp.kernels.newton import NewtonWork as NewtonWork
from mlcp.kernels.newton import newton
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import SizeWork, bias_scale, row_residual, row_scale, size_rows
from mlcp.kernels.sparse_rows import SparseProblem, fill_diagonal, size_sparse_rows, sparse_pgs

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
        problem = Problem(A, b, lower, upper, n)
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
        code, pivots = direct(problem, z, active, work, Limits(0.0, max_pivots, deadline, 0.0))
        sides_of(problem, z, active)
        return code, pivots

    return run_direct


@entry_point("mlcp")
def run_pgs(source_hash):
    def run_pgs(A, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline, work):
        source_hash
        limits = Limits(tol, max_sweeps, deadline, 0.0)
        return pgs(Problem(A, b, lower, upper, b.shape[0]), z, work, limits, relaxation, symmetric)

    return run_pgs


@entry_point("mlcp")
def run_sparse_pgs(source_hash):
    def run_sparse_pgs(
        start, column, value, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline, work
    ):
        """``pgs`` with A sparse, by rows; the diagonal takes the place of the terms in the work."""
        source_hash
        sizes = SizeWork(work, b.shape[0])
        problem = SparseProblem(start, column, value, sizes.terms, b, lower, upper)
        limits = Limits(tol, max_sweeps, deadline, 0.0)
        return sparse_pgs(problem, z, work, limits, relaxation, symmetric)

    return run_sparse_pgs


@entry_point("mlcp")
def run_newton(source_hash):
    def run_newton(A, b, lower, upper, z, tol, max_iterations, deadline, work):
        source_hash
        limits = Limits(tol, max_iterations, deadline, 0.0)
        return newton(Problem(A, b, lower, upper, b.shape[0]), z, work, limits)

    return run_newton


@entry_point("mlcp")
def run_residual(source_hash):
    def run_residual(A, b, lower, upper, z, least, residuals, work):
        """residuals <- the natural residual of every row, relative to its size.

        least: see ``residual.residual_above``; work ``SizeWork.length(n)`` long.
        """
        source_hash
        W = SizeWork(work, b.shape[0])
        size_rows(Problem(A, b, lower, upper, b.shape[0]), z, W, least)
        for i in range(b.shape[0]):
            residuals[i] = abs(W.gap[i]) * W.scale[i] / W.size[i]

    return run_residual


@entry_point("mlcp")
def run_sparse_residual(source_hash):
    def run_sparse_residual(start, column, value, b, lower, upper, z, residuals, work):
        """``run_residual`` with A sparse, by rows."""
        source_hash
        W = SizeWork(work, b.shape[0])
        problem = SparseProblem(start, column, value, W.terms, b, lower, upper)
        fill_diagonal(problem)
        size_sparse_rows(problem, z, W)
        for i in range(b.shape[0]):
            scale = row_scale(problem.diagonal[i])
            residuals[i] = row_residual(z[i], W.w[i], lower[i], upper[i], scale, W.size[i])

    return run_sparse_residual


@entry_point("mlcp")
def scale_box_programme(source_hash):
    def scale_box_programme(A, b, lower, upper, scale, P, q, lo, up):
        """Unit diagonal and max |b| = 1; the upper triangle of A goes to P column by column."""
        source_hash
        n = b.shape[0]
        beta = bias_scale(Problem(A, b, lower, upper, n))
        k = 0
        for j in range(n):
            scale[j] = row_scale(A[j, j])
            for i in range(j + 1):
                P[k] = A[i, j] / (scale[i] * scale[j])
                k += 1
            q[j] = b[j] / (scale[j] * beta)
            lo[j] = min(max(lower[j] * scale[j] / beta, -1e30), 1e30)
            up[j] = min(max(upper[j] * scale[j] / beta, -1e30), 1e30)
        for j in range(n):
            scale[j] = beta / scale[j]

    return scale_box_programme
