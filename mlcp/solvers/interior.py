"""Interior-point method for formed problems: positive semidefinite A, symmetric or not.

The method of ``mlcp.kernels.interior`` with the matrix formed: a step solves

    (A + D) dz = -w + mu / (z - lower) - mu / (upper - z),    D = s / (z - lower) + t / (upper - z)

with w = s - t, some 20 times in all. Dense or sparse factors, whatever the active sets are.
Source: Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2
    (1992).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import Answer, late
from mlcp.solvers.scaled import UnitRows
from mlcp.status import Status

STEPS, PATIENCE = 80, 20  # most steps; most steps without halving the residual
RHO = 1e-12  # added to the unit diagonal: makes dependent rows regular, without changing w
CENTRED = 0.3  # target over present mu of two in eight steps without progress: back to the centre
SHORT = 0.99  # fraction of the distance to the nearest bound; more as mu shrinks
VANISHED = 1e-24  # mu / beta^2 below which steps have no effect
FARTHEST = 1e8  # largest |z| / beta: beyond, there is no solution, and w drowns in rounding
TINY = 1e-200


def solve_interior(problem: MLCP, tol: float, end: float = np.inf) -> Answer:
    """Solve to a tenth of ``tol`` if rounding allows; else return an unsolved answer."""
    p = problem
    rows = UnitRows(p)
    path = _Path(rows.A, rows.b, rows.lower, rows.upper)
    best, best_z, mark, waited, step = np.inf, path.z, np.inf, 0, 0
    while True:
        if step > 0 and not np.all(np.abs(path.z) <= FARTHEST):
            break
        z = np.clip(rows.back(path.on_bounds()), p.lower, p.upper)
        residual = natural_residual(p, z)
        if residual < best:
            best, best_z = residual, z
        waited = 0 if residual < 0.5 * mark else waited + 1
        mark = min(mark, residual)
        if best <= 0.1 * tol or step == STEPS or waited > PATIENCE or path.ended():
            break
        if late(end):
            return Answer(best_z, Status.TIME_LIMIT, step)
        try:
            with np.errstate(all="ignore"):
                path.step(waited % 8 > 5)
        except np.linalg.LinAlgError:
            break
        step += 1
    status = Status.SOLVED if best <= tol else Status.ITERATION_LIMIT
    return Answer(best_z, status, step)


class _Path:
    """A point near the central path of w = A z + b, in rows of unit diagonal, and its steps."""

    def __init__(self, A, b: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
        self.A, self.b, self.lower, self.upper = A, b, lower, upper
        self.fixed = lower == upper
        self.low, self.high = np.isfinite(lower) & ~self.fixed, np.isfinite(upper) & ~self.fixed
        self.bounds = max(1, int(np.sum(self.low) + np.sum(self.high)))
        inset = np.minimum(1.0, 0.1 * (upper - lower))
        z = np.where(self.low, np.maximum(0.0, lower + inset), 0.0)
        z = np.where(self.high, np.minimum(z, upper - inset), z)
        self.z = np.where(self.fixed, lower, z)
        self.x = np.where(self.low, self.z - lower, np.inf)
        self.y = np.where(self.high, upper - self.z, np.inf)
        w = A @ self.z + b
        self.s = np.where(self.low, np.maximum(w, 0.0) + 1.0, 0.0)
        self.t = np.where(self.high, np.maximum(-w, 0.0) + 1.0, 0.0)

    def on_bounds(self) -> np.ndarray:
        """z, moved onto bounds that are nearer than w is to zero."""
        return np.where(self.x < self.s, self.lower, np.where(self.y < self.t, self.upper, self.z))

    def ended(self) -> bool:
        """True if the products have vanished, so that steps have no effect."""
        return bool(np.any(self.low | self.high)) and self._mean() < VANISHED

    def _mean(self, length: float = 0.0, dz: Any = 0.0, ds: Any = 0.0, dt: Any = 0.0) -> float:
        """mu, the mean of x s and y t, after a step."""
        x, s = self.x + length * dz, self.s + length * ds
        y, t = self.y - length * dz, self.t + length * dt
        return float(x[self.low] @ s[self.low] + y[self.high] @ t[self.high]) / self.bounds

    def step(self, centred: bool) -> None:
        """Do a predictor and corrector with one factorisation; centred: a step back to the centre."""
        x, y, s, t = self.x, self.y, self.s, self.t
        w = self.A @ self.z + self.b
        D = s / x + t / y + RHO
        free = np.flatnonzero(~self.fixed)
        solve = _factor(self.A, D, free)

        def direction(one, two):
            dz = np.zeros(len(w))
            dz[free] = solve((one / x - two / y - w)[free])
            return dz, one / x - s - s * dz / x, two / y - t + t * dz / y

        def longest(dz, ds, dt) -> float:
            rates = (dz / x, -dz / y, (ds / s)[self.low], (dt / t)[self.high])
            least = min(float(np.min(rate, initial=0.0)) for rate in rates)
            return -1.0 / least if least < 0.0 else np.inf

        mu = self._mean()
        if centred:
            dz, ds, dt = direction(CENTRED * mu, CENTRED * mu)
        else:
            dz, ds, dt = direction(0.0, 0.0)
            length = min(1.0, longest(dz, ds, dt))
            ahead = self._mean(length, dz, ds, dt)
            aim = ahead * (ahead / mu) ** 2 if mu > 0.0 else 0.0
            dz, ds, dt = direction(aim - dz * ds, aim + dz * dt)
        length = min(1.0, max(SHORT, 1.0 - mu) * longest(dz, ds, dt))
        self.z = self.z + length * dz
        self.x, self.y = np.maximum(x + length * dz, TINY), np.maximum(y - length * dz, TINY)
        self.s = np.where(self.low, np.maximum(s + length * ds, TINY), 0.0)
        self.t = np.where(self.high, np.maximum(t + length * dt, TINY), 0.0)


def _factor(A, D: np.ndarray, free: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """A function solving with A + diag(D) of the free rows."""
    if hasattr(A, "nnz"):
        import scipy.sparse as sp
        from scipy.sparse.linalg import splu

        try:
            return splu((A[free][:, free] + sp.diags(D[free])).tocsc()).solve
        except RuntimeError as error:
            raise np.linalg.LinAlgError(str(error)) from None
    from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

    block = A[np.ix_(free, free)]
    block[np.diag_indices(len(free))] += D[free]
    if not np.all(np.isfinite(block)):
        raise np.linalg.LinAlgError("no longer finite")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        factor = lu_factor(block, overwrite_a=True, check_finite=False)
    return lambda right: lu_solve(factor, right, check_finite=False)
