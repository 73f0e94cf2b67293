"""Correction of an approximate solution by a smaller problem for its error.

A method whose errors are relative to the largest b of all rows gives few digits to rows with a small b.
Rows at a bound with |w| far above the largest error stay at this bound. The error d of the other rows
(K) solves a problem of the same kind,
    w_K + A_KK d  complementary to d,    lower_K - z_K <= d <= upper_K - z_K,
with w_K = (A z + b)_K in place of b. If z + d has a smaller residual than z, it replaces z.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import Answer, Solver, Start
from mlcp.solvers.rounded import cleaned
from mlcp.status import Status

ROUNDS = 6  # largest number of successive corrections
_HELPS = (Status.SOLVED, Status.ITERATION_LIMIT, Status.BACKEND_FAILED, Status.OUT_OF_CLASS)


def corrected(
    problem: MLCP | StructuredMLCP, answer: Answer, solver: Solver, tol: float, end: float
) -> Answer:
    """Correct z of an answer of ``solver`` in the rows not clearly at a bound, if the residual falls."""
    z = np.asarray(answer.z)
    if answer.status not in _HELPS or not np.all(np.isfinite(z)):
        return answer
    if answer.status is Status.OUT_OF_CLASS:
        end = min(end, time.monotonic() + 0.4)  # at most 0.4 s for an A of unknown class
    z = cleaned(problem, z)
    residual, iterations = natural_residual(problem, z), answer.iterations
    for _round in range(ROUNDS):
        left, out = end - time.monotonic(), _surely_at_bounds(problem, z)
        if residual <= tol or out is None or left <= 0.0:
            break
        rows = np.flatnonzero(~out)
        if len(rows) == problem.n and answer.status is not Status.SOLVED and residual > 1e3 * tol:
            break  # the correction would solve the same problem again
        nearer = np.where(z - problem.lower < problem.upper - z, problem.lower, problem.upper)
        base = np.where(out, nearer, z)
        with np.errstate(all="ignore"):
            w = problem.w(base)[rows]
        if not np.all(np.isfinite(w)):
            break
        part = problem.part(rows, w, (problem.lower - base)[rows], (problem.upper - base)[rows])
        limited: Any = replace(solver, time_limit=left) if hasattr(solver, "time_limit") else solver  # type: ignore[type-var]
        found = limited.answer(part, tol, Start())
        step = np.asarray(found.z)
        if not np.all(np.isfinite(step)):
            break
        trial = base
        trial[rows] = np.clip(trial[rows] + step, problem.lower[rows], problem.upper[rows])
        for side, bound in ((part.lower, problem.lower), (part.upper, problem.upper)):
            trial[rows] = np.where(step == side, bound[rows], trial[rows])
        trial = cleaned(problem, trial)
        iterations += found.iterations
        reached = natural_residual(problem, trial)
        if not reached < residual:
            break
        z, residual = trial, reached
        answer = Answer(z, answer.status, iterations, extras=answer.extras)
    if residual <= tol:
        return Answer(z, Status.SOLVED, iterations, extras=answer.extras)
    return answer


def _surely_at_bounds(problem: MLCP | StructuredMLCP, z: np.ndarray) -> np.ndarray | None:
    """Mask of the rows clearly at a bound; None if all rows are, or if z has no error."""
    p = problem
    scale = np.sqrt(np.abs(p.diagonal()))
    scale[scale == 0.0] = 1.0
    with np.errstate(all="ignore"):
        w = p.w(z) / scale**2
        rests = ((w > 0.0) & (z - p.lower <= w)) | ((w < 0.0) & (p.upper - z <= -w))
        gap = np.abs(np.maximum(np.minimum(w, z - p.lower), z - p.upper)) * scale
        error = float(np.max(gap[~rests], initial=0.0))
        error = error if error > 0.0 else float(np.max(gap, initial=0.0))
        out = rests & (np.abs(w) * scale > 1e3 * error)  # |w| far above the error: its sign is certain
    if not 0.0 < error < np.inf or out.all():
        return None
    return out
