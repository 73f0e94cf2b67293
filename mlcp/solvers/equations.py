"""Elimination of equations, the rows of unbounded z, from a problem on which Lemke's path fails.

The path makes the z of equations basic by pivots that keep a matrix semidefinite. The matrix of an
electric circuit may have no such pivot, although its equations (index e) determine z_e by the z_r of
the other rows (index r),
    z_e = -A_ee^-1 (A_er z_r + b_e).
Inserted in the rows r, this gives the Schur complement ``A_rr - A_re A_ee^-1 A_er`` as matrix.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 1.2 (mixed problems).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlcp.problem import MLCP
from mlcp.solvers.lu import solver_of_rows


def without_equations(problem: MLCP, solve: Callable[[MLCP], np.ndarray]) -> np.ndarray | None:
    """Eliminate the equations, solve the other rows by ``solve``, and return all z.

    None without equations, without other rows, or if the equations depend on each other.
    """
    p, A = problem, problem.dense_A
    unbounded = (p.lower == -np.inf) & (p.upper == np.inf)
    rows, others = np.flatnonzero(unbounded), np.flatnonzero(~unbounded)
    if rows.size == 0 or others.size == 0:
        return None
    solved = solver_of_rows(A, rows)
    if solved is None:
        return None
    found = solved(np.column_stack([A[np.ix_(rows, others)], p.b[rows]]))
    schur = A[np.ix_(others, others)] - A[np.ix_(others, rows)] @ found[:, :-1]
    b = p.b[others] - A[np.ix_(others, rows)] @ found[:, -1]
    if not (np.all(np.isfinite(schur)) and np.all(np.isfinite(b))):
        return None
    z = np.empty(p.n)
    z[others] = solve(MLCP(schur, b, p.lower[others], p.upper[others]))
    z[rows] = -found[:, :-1] @ z[others] - found[:, -1]
    return z
