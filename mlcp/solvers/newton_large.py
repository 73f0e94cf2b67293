"""Semismooth Newton for many rows: the steps of ``kernels.newton`` with LAPACK or sparse factors."""

from __future__ import annotations

import numpy as np

from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import Answer, has_passed
from mlcp.solvers.lu import factored
from mlcp.solvers.scaled import UnitRows
from mlcp.status import Status

PATIENCE = 25  # largest number of successive steps that do not halve the residual
HALVINGS = 50  # largest number of halvings in one line search


def solve_newton(problem: MLCP, tol: float, z: np.ndarray, limit: float, end: float) -> Answer:
    """Do at most ``limit`` steps until the time ``end``; stop when the residual no longer falls."""
    p = problem
    unit = UnitRows(p)
    z, step = _exchange_all(unit, p, tol, z, limit, end)
    best, best_z = natural_residual(p, z), z
    residual, mark, waited = best, best, 0
    while residual > tol and step < limit and waited <= PATIENCE and np.isfinite(residual):
        if has_passed(end):
            return Answer(best_z, Status.TIME_LIMIT, step)
        step += 1
        trial = np.clip(unit.back(_natural_step(unit, unit.into(z))), p.lower, p.upper)
        reached = natural_residual(p, trial)
        if reached <= 0.5 * residual:
            z, residual = trial, reached
        else:
            x = _fischer_step(unit, unit.into(z))
            if x is None:
                break
            z = unit.back(x)
            residual = natural_residual(p, z)
        if residual < best:
            best, best_z = residual, z
        waited = 0 if residual <= 0.5 * mark else waited + 1
        mark = min(mark, residual)
    return Answer(best_z, Status.SOLVED if best <= tol else Status.ITERATION_LIMIT, step)


def _exchange_all(unit: UnitRows, problem: MLCP, tol: float, z: np.ndarray, limit: float, end: float):
    """Return (the best z of active-set steps without a line search, number of steps).

    All rows with a wrong sign are exchanged at once, until a set of free rows recurs: first from z, then
    from the solution without bounds. For M-matrices, as of obstacle and option-pricing problems, the
    second start leads to the solution.
    Source: Hintermueller, Ito & Kunisch, The primal-dual active set strategy as a semismooth Newton
        method, SIAM J. Optim. 13 (2002).
    """
    p, step = problem, 0
    best, least = z, natural_residual(p, z)
    for start, most in (("z", PATIENCE), ("free", limit)):
        x = unit.into(z) if start == "z" else _solved_free(unit, np.zeros(p.n), np.arange(p.n))
        seen, most = set[bytes](), min(step + most, limit)
        while least > tol and step < most and not has_passed(end):
            target = x - unit.w(x)
            free = (target > unit.lower) & (target < unit.upper)
            if free.tobytes() in seen:
                break
            seen.add(free.tobytes())
            x, step = _natural_step(unit, x), step + 1
            trial = np.clip(unit.back(x), p.lower, p.upper)
            reached = natural_residual(p, trial)
            if reached < least:
                best, least = trial, reached
    return best, step


def _natural_step(unit: UnitRows, x: np.ndarray) -> np.ndarray:
    target = x - unit.w(x)
    free = np.flatnonzero((target > unit.lower) & (target < unit.upper))
    there = np.clip(target, unit.lower, unit.upper)
    there[free] = x[free]
    return _solved_free(unit, there, free)


def _solved_free(unit: UnitRows, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Solve w = 0 for x in the free rows; x is unchanged if their matrix is close to singular."""
    solve = factored(unit.block(free)) if free.size else None
    for _refined in range(2 if solve is not None else 0):
        x[free] -= solve(unit.w(x)[free])  # type: ignore[misc]
    return x


def fischer(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return phi(a, b) = a + b - sqrt(a^2 + b^2) and its slopes in a and b, entry by entry."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        h = np.hypot(a, b)
        value = np.where((a > 0.0) & (b > 0.0), 2.0 * a * b / (a + b + h), a + b - h)
        slopes = [np.where(h == 0.0, 1.0 - np.sqrt(0.5), 1.0 - x / h) for x in (a, b)]
    far_a, far_b = np.isinf(a), np.isinf(b)
    value = np.where(h == 0.0, 0.0, np.where(far_a, b, np.where(far_b, a, value)))
    slope_a = np.where(far_a, 0.0, np.where(far_b, 1.0, slopes[0]))
    return value, slope_a, np.where(far_a, 1.0, np.where(far_b, 0.0, slopes[1]))


def _merit(unit: UnitRows, x: np.ndarray):
    """Return half |phi|^2, phi, its slopes in z and w for the boxed map (Billups 1995, eq 2.3.4)."""
    inner, inner_a, inner_b = fischer(unit.upper - x, -unit.w(x))
    value, outer_a, outer_b = fischer(x - unit.lower, -inner)
    return 0.5 * float(value @ value), value, outer_a + outer_b * inner_a, outer_b * inner_b


def _fischer_step(unit: UnitRows, x: np.ndarray) -> np.ndarray | None:
    """End of a Newton step on the boxed Fischer-Burmeister map with line search; None: no descent."""
    merit, phi, d_z, d_w = _merit(unit, x)
    H = unit.mixed(d_z, d_w)
    gradient = np.asarray(H.T @ phi).ravel()
    solve = factored(H)
    step = -gradient if solve is None else -solve(phi)
    slope = float(gradient @ step)
    if not slope < -1e-10 * float(step @ step):
        step, slope = -gradient, -float(gradient @ gradient)
    if not slope < 0.0:
        return None
    t = 1.0
    for _halving in range(HALVINGS):
        if _merit(unit, x + t * step)[0] <= merit + 1e-4 * t * slope:
            return x + t * step
        t *= 0.5
    return None
