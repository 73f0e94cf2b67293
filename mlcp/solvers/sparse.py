"""Interior points with a sparse L D L', where signs make A symmetric."""

from __future__ import annotations

import numpy as np

from mlcp.problem import MLCP
from mlcp.solvers.base import STATUS, Answer
from mlcp.status import Status


def sparse(problem: MLCP, tol: float, end: float) -> Answer:
    """Interior points where signs make A symmetric (``mlcp.kernels.sparse.sparse_interior``)."""
    from mlcp.kernels.sparse import sparse_entry as kernels

    p, n, many = problem, problem.n, len(problem.csr[2])
    given = *p.csr, p.b, p.lower, p.upper
    ints = np.empty(kernels.sparse_ints(n, many), np.int64)
    floats, z = np.empty(kernels.sparse_floats(n, many)), np.clip(np.zeros(n), p.lower, p.upper)
    filled = kernels.run_sparse_order(given, ints, floats)
    if filled < 0:
        return Answer(z, Status.ITERATION_LIMIT, 0)
    factor = np.empty(filled, np.int64), np.empty(filled)
    code, steps, _residual = kernels.run_sparse_interior(given, ints, floats, factor, z, (tol, end))
    return Answer(z, STATUS[code], steps)
