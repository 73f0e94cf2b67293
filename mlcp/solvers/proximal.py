"""Proximal point iteration with Newton steps: symmetric positive semidefinite A, large or sparse.

The same method as ``mlcp.kernels.proximal_newton``, with M^-1 = A and J = I: around a centre c with
w = A c + b and weights k_i = 1 / (delta a_ii), find s with

    s = z(s) - c,      z_i(s) = clip(c_i - k_i (w + A s)_i, lower_i, upper_i)

the minimiser of a convex piecewise quadratic. A Newton step solves (A_FF + 1/k_F) for the rows F
strictly inside their bounds; with an exact line search the steps are finitely many. Only products
with A and Cholesky (or sparse LU) factors of A_FF + 1/k_F are needed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import Answer, Start, late, start_point
from mlcp.status import Status

COLD, WARM, SMALLEST, SHRINK = 1e-4, 1e-8, 3e-9, 1e-2
OUTER, INNER, PATIENCE = 40, 300, 3
HURRY = 40  # most Newton steps in all for an impatient caller


def solve_proximal(
    problem: MLCP, tol: float, start: Start, end: float = np.inf, patient: bool = True
) -> Answer:
    """Solve to a tenth of ``tol`` if rounding allows; A must be symmetric semidefinite.

    end: time of ``mlcp.jit.clock`` at which to give up [s].
    patient: allow many Newton steps; else give up after ``HURRY``.
    """
    p, A = problem, problem.A
    z = start_point(problem, start)
    a = p.diagonal()
    a = np.where(a > 0.0, a, 1.0)
    delta = COLD if start.z is None else WARM
    fixed = np.where(p.lower == p.upper, -1, 0)
    state = fixed if start.active is None else np.array(start.active)
    factors = _Factors(problem)
    steps, stalled, best, best_z, centre = 0, 0, np.inf, z, z
    for outer in range(OUTER):
        w = p.w(z)
        residual = natural_residual(p, z)
        stalled = 0 if residual < 0.5 * best else stalled + 1
        if residual < best:
            best, best_z = residual, z
        if residual <= 0.1 * tol or not np.isfinite(residual):
            break
        if late(end):
            break
        if stalled > 12 or (steps >= HURRY and not patient):
            break
        if outer > 0:
            if outer > 2 and infeasible_direction(p, z - centre):
                return Answer(z, Status.INFEASIBLE, steps)
            delta = max(delta * SHRINK, SMALLEST)
        centre = z
        try:
            z, state, used = _proximal_step(
                p, A, a * delta, centre, w, state, factors, INNER if patient else HURRY, end
            )
        except np.linalg.LinAlgError:
            return Answer(best_z, Status.BACKEND_FAILED, steps)
        steps += used
    extras = {"factorisations": factors.count}
    if best <= tol:
        return Answer(best_z, Status.SOLVED, steps, extras=extras)
    status = Status.TIME_LIMIT if late(end) else Status.ITERATION_LIMIT
    return Answer(best_z, status, steps, extras=extras)


def _proximal_step(p, A, weight, centre, w, state, factors, limit, end):
    """Solve one proximal problem; returns z, the states and the number of Newton steps."""

    def z_free(As):
        return centre - (w + As) / weight

    def side(z):
        return np.where(z <= p.lower, -1, np.where(z >= p.upper, 1, 0))

    # Block exchanges while they make progress: the minimiser of the piece given by the states,
    # then every offending row changes state, from a bound to free and from free to a bound.
    fewest, patience, step = p.n + 1, PATIENCE, 0
    while True:
        step += 1
        held = np.where(state < 0, p.lower, p.upper) - centre
        s = np.where(state == 0, 0.0, held)
        free = np.flatnonzero(state == 0)
        if free.size:
            s[free] = factors.solve(free, weight, -(w + A @ s)[free])
        As = A @ s
        now = side(z_free(As))
        offending = np.count_nonzero(now != state)
        if offending == 0:
            return np.clip(z_free(As), p.lower, p.upper), state, step
        patience = PATIENCE if offending < fewest else patience - 1
        fewest = min(fewest, offending)
        if patience < 0 or late(end):
            break
        state = np.where((state != 0) & (now != state), 0, now)
    # Newton with a line search, which cannot cycle.
    while step < limit and not late(end):
        step += 1
        free_z = z_free(As)
        now = side(free_z)
        z = np.clip(free_z, p.lower, p.upper)
        if np.array_equal(now, state):
            return z, state, step
        state = now
        g = s - (z - centre)
        free = np.flatnonzero(state == 0)
        q = -g
        if free.size:  # (A_FF + 1/k) q_F = -g_F / k - A_FB q_B
            q[free] = 0.0
            right = -weight[free] * g[free] - (A @ q)[free]
            q[free] = factors.solve(free, weight, right)
        Aq = A @ q
        at_zero = q @ (As - A @ (z - centre))
        s, As = _line_search(p, s, As, q, Aq, z_free, centre, at_zero, side, state)
    return np.clip(z_free(As), p.lower, p.upper), state, limit


def _line_search(p, s, As, q, Aq, z_free, centre, at_zero, side, state):
    """Full step if it stays on the piece or still descends, else the minimiser along it."""
    full = As + Aq
    if np.array_equal(side(z_free(full)), state):
        return s + q, full

    def slope(t: float) -> float:
        z = np.clip(z_free(As + t * Aq), p.lower, p.upper)
        return float(Aq @ (s + t * q - (z - centre)))

    low, high, f_low, f_high = 0.0, 1.0, at_zero, slope(1.0)
    t = 1.0
    if f_high > 0.0 and f_low < 0.0:
        last = 0
        for _ in range(40):
            t = (low * f_high - high * f_low) / (f_high - f_low)
            f = slope(t)
            if abs(f) <= 1e-6 * abs(at_zero):
                break
            if f > 0.0:
                high, f_high = t, f
                f_low *= 0.5 if last == 1 else 1.0
                last = 1
            else:
                low, f_low = t, f
                f_high *= 0.5 if last == -1 else 1.0
                last = -1
    return s + t * q, As + t * Aq


class _Factors:
    """Factors of A_FF + diag(weight_F), kept while F and the weight do not change."""

    def __init__(self, problem: MLCP) -> None:
        self.A, self.sparse, self.count = problem.A, problem.sparse, 0
        self._key: tuple[bytes, float] | None = None
        self._solve: Callable[[np.ndarray], np.ndarray] | None = None

    def solve(self, free: np.ndarray, weight: np.ndarray, right: np.ndarray) -> np.ndarray:
        key = (free.tobytes(), float(weight[0]))
        if key != self._key or self._solve is None:
            self._key, self._solve = key, self._factor(free, weight[free])
            self.count += 1
        return self._solve(right)

    def _factor(self, free: np.ndarray, weight: np.ndarray):
        if self.sparse:
            import scipy.sparse as sp
            from scipy.sparse.linalg import splu

            block = self.A[free][:, free] + sp.diags(weight)
            options = dict(SymmetricMode=True)
            try:
                return splu(
                    block.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                    options=options,
                ).solve  # fmt: skip
            except RuntimeError as error:
                raise np.linalg.LinAlgError(str(error)) from None
        from scipy.linalg import cho_factor, cho_solve

        block = self.A[np.ix_(free, free)].copy()
        block[np.diag_indices(len(free))] += weight
        factor = cho_factor(block, lower=True, overwrite_a=True, check_finite=False)
        return lambda right: cho_solve(factor, right, check_finite=False)


def infeasible_direction(problem: MLCP, direction: np.ndarray) -> bool:
    """True if ``direction`` proves that there is no solution (see ``mlcp.kernels.certificate``)."""
    from mlcp.kernels.certificate import CLEAR, FARTHEST, NOISE

    p = problem
    scale = np.sqrt(np.where(p.diagonal() != 0.0, np.abs(p.diagonal()), 1.0))
    step = direction * scale
    length = np.max(np.abs(step))
    if not 0.0 < length < np.inf:
        return False
    step = step / length
    leaves = ((step > 0.0) & (p.upper < np.inf)) | ((step < 0.0) & (p.lower > -np.inf))
    if np.any(np.abs(step[leaves]) > NOISE):
        return False
    v = np.where(leaves, 0.0, step) / scale
    g = np.asarray(p.A.T @ v).ravel()
    farthest = FARTHEST * np.max(np.abs(p.b) / scale) / scale
    upper = np.where(p.upper < np.inf, p.upper, np.maximum(farthest, p.lower))
    lower = np.where(p.lower > -np.inf, p.lower, np.minimum(-farthest, p.upper))
    reach = np.where(g > 0.0, g * upper, g * lower)
    push = v * p.b
    size = np.sum(np.abs(push)) + np.sum(np.abs(reach))
    return bool(np.sum(push) + np.sum(reach) < -CLEAR * size)
