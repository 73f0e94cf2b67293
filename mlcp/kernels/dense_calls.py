"""Compiled functions for calls from Python on dense problems.

Here a problem is a plain tuple, ``A, b, lower, upper``: a named tuple would cost Python a microsecond a
call.
"""

from mlcp.jit import entry_point, part
from mlcp.kernels.dense_problem import Limits, Problem, problem_of
from mlcp.kernels.newton import NewtonWork as NewtonWork
from mlcp.kernels.newton import newton
from mlcp.kernels.one_row import SizeWork, row_scale
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import bias_scale, size_rows
from mlcp.kernels.sparse_rows import SparseProblem, fill_diagonal, size_sparse_rows, sparse_pgs


@part
def sparse_problem_of(given, W):
    """Make a ``SparseProblem`` of a tuple (start, column, value, b, lower, upper), A by rows."""
    start, column, value, b, lower, upper = given
    return SparseProblem(start, column, value, W.diagonal, b, lower, upper)


@entry_point("mlcp")
def run_pgs(problem, z, work, limits, relaxation, symmetric):
    """Run projected Gauss-Seidel (``pgs``) on plain tuples; ``limits = tol, max_sweeps, deadline``."""
    tol, most, deadline = limits
    ends = Limits(tol, most, deadline, 0.0)
    return pgs(problem_of(problem), z, work, ends, relaxation, symmetric)


@entry_point("mlcp")
def run_sparse_pgs(given, z, work, limits, relaxation, symmetric):
    """Run projected Gauss-Seidel with a sparse A; diag(A) is written to ``SizeWork.diagonal``."""
    tol, most, deadline = limits
    problem = sparse_problem_of(given, SizeWork(work, z.shape[0]))
    ends = Limits(tol, most, deadline, 0.0)
    return sparse_pgs(problem, z, work, ends, relaxation, symmetric)


@entry_point("mlcp")
def run_newton(problem, z, work, limits):
    """Run semismooth Newton (``newton``) on plain tuples; ``limits = tol, max_iterations, deadline``."""
    tol, most, deadline = limits
    return newton(problem_of(problem), z, work, Limits(tol, most, deadline, 0.0))


@entry_point("mlcp")
def run_residual(given, z, least, found, work):
    """Compute ``found = residuals, reach``: natural residual of each row [-], and the upper limit of the
    row's term in the sizes (largest biases) of other rows.

    least: lower limit of |b| in a row's size, see ``residual.residual_above``; work has the length
    ``SizeWork.length(n)``.
    """
    problem, (residuals, reach) = problem_of(given), found
    W = SizeWork(work, problem.n)
    size_rows(problem, z, W, least)
    for i in range(problem.n):
        residuals[i], reach[i] = abs(W.gap[i]) * W.scale[i] / W.size[i], W.most[i]


@entry_point("mlcp")
def run_sparse_residual(given, z, found, work):
    """Compute ``found = residuals, reach`` as ``run_residual`` does, for a sparse A."""
    W, (residuals, reach) = SizeWork(work, z.shape[0]), found
    problem = sparse_problem_of(given, W)
    fill_diagonal(problem)
    size_sparse_rows(problem, z, W)
    for i in range(z.shape[0]):
        residuals[i], reach[i] = abs(W.gap[i]) * W.scale[i] / W.size[i], W.most[i]


@entry_point("mlcp")
def scale_box_programme(problem, scale, programme):
    """Scale a problem to a unit diagonal and max |b| = 1; P gets the upper triangle of A by columns.

    ``problem = A, b, lower, upper`` is read; ``programme = P, q, lo, up`` and ``scale`` (n,) are
    written: z is ``scale`` times the programme's solution.
    """
    (A, b, lower, upper), (P, q, lo, up) = problem, programme
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
