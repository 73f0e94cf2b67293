"""Solve a problem with a solver chosen by name; the residual is computed from the problem's numbers."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from mlcp.checks import number, real_array
from mlcp.compiled.compile_count import compiled
from mlcp.delassus import StructuredMLCP
from mlcp.problem import MLCP
from mlcp.solution import MlcpNotSolved, Solution, natural_residual
from mlcp.solvers import SOLVERS
from mlcp.solvers.base import Answer, Solver, Start, active_set
from mlcp.solvers.correction import corrected
from mlcp.solvers.direct import Direct
from mlcp.status import Status

_PROBLEMS = (MLCP, StructuredMLCP)
_REST = Start()
_SOLVED = Status.SOLVED  # stored: access to an enumeration's member takes as long as a copy of an array


def solve(
    problem: MLCP | StructuredMLCP,
    solver: str | Solver = "direct",
    tol: float | None = None,
    z0: np.ndarray | Solution | None = None,
    raise_on_failure: bool = True,
) -> Solution:
    """Find z with w = A z + b complementary to z in its box.

    Arguments:
        problem: an MLCP or StructuredMLCP.
        solver: a name in ``SOLVERS``, or a configured solver such as ``Direct(max_pivots=50)``.
        tol: tolerance on the natural residual of every row [-], see ``Solution.natural_residual``; None
            means the solver's own, 1e-10 except for osqp (1e-9) and cvxpy (1e-6).
        z0: warm start: an (n,) array or an earlier Solution, whose active set is then used too.
        raise_on_failure: raise MlcpNotSolved instead of returning an unsolved Solution.
    Returns: a Solution. Its status follows from the natural residual recomputed from the problem; the
        solver's own status only explains a failure.
    Raises: MlcpNotSolved, with the solution attached; ValueError for an unknown solver, a bad tol or z0,
        or a problem without a property needed by the solver; TypeError for an argument that is not a
        problem or not a solver.
    """
    if not isinstance(problem, _PROBLEMS):
        raise TypeError(
            f"solve takes a problem, MLCP(A, b, lower, upper) or StructuredMLCP; it was given a"
            f" {type(problem).__name__}."
        )
    chosen: Any = SOLVERS.find(solver)  # a solver may refuse a StructuredMLCP by an error
    tol = float(chosen.tolerance) if tol is None else tolerance(tol)
    before, begin, start = compiled[0], time.monotonic(), _REST if z0 is None else _start(problem, z0)
    end = begin + getattr(chosen, "time_limit", math.inf)
    if type(chosen) is Direct and isinstance(problem, MLCP):  # one compiled call before other methods
        tried = chosen.at_once(problem, tol, start.z, end)
        if tried[1] <= tol:  # residual computed by the kernel from the problem's own numbers
            _code, residual, steps, z, w, active = tried
            z.setflags(False)  # pyright: ignore[reportCallIssue]
            w.setflags(False)  # pyright: ignore[reportCallIssue]
            seconds = time.monotonic() - begin
            return Solution(
                z, w, _SOLVED, steps, residual, problem, "direct", tol, active, None, seconds
            )
        answer = chosen.otherwise(problem, tol, start, end, tried)
    else:
        answer = chosen.answer(problem, tol, start)
    answer = answer._replace(z=np.clip(answer.z, problem.lower, problem.upper))
    verdict = _recompute(problem, answer.z)
    if not verdict[0] <= tol:
        answer = corrected(problem, answer, chosen, tol, end)
        verdict = _recompute(problem, answer.z)
    if answer.status is Status.TIME_LIMIT and not verdict[0] <= tol and compiled[0] > before:
        # compilation used up the time limit: try again with compiled kernels
        return solve(problem, solver, tol, z0, raise_on_failure)
    solution = solution_of(problem, answer, chosen.name, tol, verdict, begin)
    if raise_on_failure and not solution.solved:
        raise MlcpNotSolved(problem, solution)
    return solution


def tolerance(tol: object) -> float:
    """Return the tolerance as a float; ValueError unless it is between 0 and 1."""
    value = number("tol", tol, finite=False) if not isinstance(tol, float) else tol
    if not 0.0 < value < 1.0:
        raise ValueError(f"tol is {tol}; it must be between 0 and 1.")
    return value


def solution_of(
    problem: MLCP | StructuredMLCP,
    answer: Answer,
    solver: str,
    tol: float,
    verdict: tuple[float, np.ndarray] | None = None,
    begin: float = float("nan"),
) -> Solution:
    """Make a Solution of a solver's answer, with residual and status from the problem.

    verdict: (natural residual, w), if already computed; begin: start of the solve by
        ``time.monotonic`` [s].
    """
    z = np.array(answer.z, dtype=np.float64)
    residual, w = _recompute(problem, z) if verdict is None else verdict
    if residual <= tol:
        status = Status.SOLVED
    elif not np.all(np.isfinite(z)) and answer.status is not Status.INFEASIBLE:
        failed = answer.status is Status.BACKEND_FAILED
        status = Status.BACKEND_FAILED if failed else Status.NOT_A_NUMBER
    elif answer.status is Status.SOLVED:
        status = Status.INACCURATE
    else:
        status = answer.status
    for vector in (z, w):  # made read-only
        vector.setflags(False)  # pyright: ignore[reportCallIssue]
    return Solution(
        z, w, status, int(answer.iterations), residual, problem, solver, tol,
        answer.active, answer.extras, time.monotonic() - begin,
    )  # fmt: skip


def _recompute(problem: MLCP | StructuredMLCP, z: np.ndarray) -> tuple[float, np.ndarray]:
    """Compute (natural residual, w) at z from the problem's numbers."""
    if isinstance(problem, StructuredMLCP):
        w, _diagonal, residual = problem.recomputed(z)
        return residual, w
    with np.errstate(all="ignore"):
        return natural_residual(problem, z), problem.w(z)


def _start(problem: MLCP | StructuredMLCP, z0: np.ndarray | Solution) -> Start:
    if isinstance(z0, Solution):
        if z0.problem.n != problem.n:
            raise ValueError(f"z0 is a solution with {z0.problem.n} rows; the problem has {problem.n}.")
        active = active_set(problem, z0.z) if z0.active is None else z0.active
        return Start(np.array(z0.z), np.array(active))
    z = start_vector(z0, problem.n)
    return Start(z, active_set(problem, z))


def start_vector(z0: object, n: int) -> np.ndarray:
    """Return a copy (n,) of the start z0; ValueError unless z0 is n finite numbers."""
    z = real_array("z0", z0, error=ValueError)
    if z.shape != (n,) or not np.all(np.isfinite(z)):
        raise ValueError(
            f"z0 must be {n} finite numbers, one a row; it has shape {z.shape}"
            + ("." if z.shape != (n,) else " and holds numbers that are not finite.")
        )
    return z
