"""Quick solves of dense problems: a call on plain arrays, and a problem prepared for many b.

Checks and guarantees are those of ``mlcp.solve``: the status follows from the natural residual
recomputed from the problem. Problems not solved by the quick call go through ``solve``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mlcp.kinds import checked
from mlcp.problem import MLCP, vector
from mlcp.solve import solve, tolerance
from mlcp.solvers.base import active_set
from mlcp.solvers.direct import Direct, tools
from mlcp.status import Status

_SOLVED = Status.SOLVED
_FLOAT = np.dtype(np.float64)
MOST = Direct().max_pivots


class Result(NamedTuple):
    """Result of one problem, without the problem itself.

    Fields:
        z, w: (n,) arrays, w = A z + b.
        status: Status; SOLVED only if the recomputed residual is within the tolerance.
        residual: the natural residual [-].
        iterations: number of the solver's iterations.
        active: (n,) int64, -1 where z is at its lower bound, +1 at its upper, 0 elsewhere.
    """

    z: np.ndarray
    w: np.ndarray
    status: Status
    residual: float
    iterations: int
    active: np.ndarray

    @property
    def solved(self) -> bool:
        """True if the status is SOLVED."""
        return self.status is _SOLVED


def full_solve(problem: MLCP, tol: float, raise_on_failure: bool = True) -> Result:
    """Solve with ``solve`` a problem that the quick compiled call has not solved."""
    found = solve(problem, "direct", tol, raise_on_failure=raise_on_failure)
    sides = active_set(problem, found.z)
    z, w = found.z.copy(), found.w.copy()
    return Result(z, w, found.status, found.residual, found.iterations, sides)


def plain(array: Any) -> bool:
    """True if kernels can read the array without a copy: contiguous float64."""
    return type(array) is np.ndarray and array.dtype is _FLOAT and array.flags.c_contiguous


def _solved(problem: tuple[Any, ...], n: int, tol: float) -> Result | None:
    """Result of the compiled call for ``problem = A, b, lower, upper`` of n rows; None if unsolved."""
    run, work = tools(n)
    found = z, w, active = np.empty(n), np.empty(n), np.empty(n, np.int64)
    _code, residual, pivots = run(problem, found, work, True, False, tol, MOST, math.inf)
    return Result(z, w, _SOLVED, residual, pivots, active) if residual <= tol else None


def solve_dense(
    A: np.ndarray,
    b: np.ndarray,
    lower: np.ndarray | float = 0.0,
    upper: np.ndarray | float = np.inf,
    tol: float = 1e-10,
    raise_on_failure: bool = True,
) -> Result:
    """Solve as ``solve(MLCP(A, b, lower, upper))`` does, with less overhead, for small dense problems.

    Contiguous float64 arrays are read as they are, not copied; anything else goes through ``MLCP``.

    Arguments:
        A: (n, n) array; b, lower, upper: (n,) arrays, bounds also scalars; units as of ``MLCP``.
        tol: tolerance on the natural residual of every row [-].
        raise_on_failure: raise MlcpNotSolved instead of returning an unsolved Result.
    Returns: a Result. A problem that the compiled call does not solve goes through ``solve``.
    Raises: the errors of ``MLCP`` and ``solve``.
    """
    if plain(A) and plain(b) and plain(lower) and plain(upper):
        n = b.size
        if A.shape == (n, n) and b.shape == lower.shape == upper.shape == (n,):  # type: ignore[union-attr]
            if type(tol) is not float or not 0.0 < tol < 1.0:
                tol = tolerance(tol)
            found = _solved((A, b, lower, upper), n, tol)
            if found is not None:
                return found
    return full_solve(MLCP(A, b, lower, upper), tolerance(tol), raise_on_failure)


@checked.explained
class Prepared:
    """Problem with fixed A and bounds, for many b; made by ``prepare``.

    Arguments:
        problem: MLCP of which A and the bounds are used, not b.
        tol: tolerance on the natural residual of every row [-].
    """

    def __init__(self, problem: MLCP, tol: float) -> None:
        self._problem, self._tol, self._n = problem, tol, problem.n
        self._A, self._lower, self._upper = problem.A, problem.lower, problem.upper

    @property
    def n(self) -> int:
        """Number of rows."""
        return self._n

    def problem(self, b: np.ndarray | float) -> MLCP:
        """Make the MLCP with the fixed A and bounds and this b."""
        p = self._problem
        return MLCP(p.A, b, p.lower, p.upper, p.row_names)

    @checked.bare
    def solve(self, b: np.ndarray, raise_on_failure: bool = True) -> Result:
        """Solve w = A z + b, lower <= z <= upper, w complementary to z, for this b.

        Arguments:
            b: (n,) array; raise_on_failure: raise MlcpNotSolved instead of returning an unsolved Result.
        Raises: MlcpNotSolved, with problem and solution; BadProblem for a bad b.
        """
        n = self._n
        if not self._problem.sparse:
            if not plain(b) or b.shape != (n,):
                b = vector("b", b, n)
            found = _solved((self._A, b, self._lower, self._upper), n, self._tol)
            if found is not None:
                return found
        return full_solve(self.problem(b), self._tol, raise_on_failure)


@checked.explained
def prepare(
    A: Any,
    lower: np.ndarray | float = 0.0,
    upper: np.ndarray | float = np.inf,
    tol: float | None = None,
) -> Prepared:
    """Check A and the bounds once, for ``.solve(b)`` with many b.

    Arguments:
        A: (n, n) array or scipy.sparse matrix; lower, upper: (n,) arrays or scalars; as of ``MLCP``.
        tol: tolerance on the natural residual of every row [-]; None for the default of ``direct``.
    Raises: BadProblem, ValueError for a bad tol.
    """
    tol = Direct.tolerance if tol is None else tolerance(tol)
    return Prepared(MLCP(A, 0.0, lower, upper), tol)
