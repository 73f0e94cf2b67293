"""Random complementarity problems of every kind; ``direct`` compared with enumeration of active sets."""

import numpy as np

from mlcp import MLCP, Status, solve
from tests.mlcp import naive

KINDS = ("P", "definite", "semidefinite", "skew", "saddle")


def mixed_problem(seed, n, kind, consistent):
    """A random problem with rows of every sort: without bounds, with one, two or equal bounds.

    kind: "P" (a P-matrix that need not be definite), "definite", "semidefinite" (symmetric, singular),
    "skew" (semidefinite plus a skew part, so that only A + A' is semidefinite), "saddle" (skew
    parts alone on some rows: zero diagonal). consistent: b such that a solution exists.
    """
    rng = np.random.default_rng([seed, n, KINDS.index(kind), consistent])
    R = rng.normal(size=(n, int(rng.integers(1, n + 1))))
    if rng.random() < 0.5:
        R = np.round(R)  # many exact ties and zeros
    A = R @ R.T
    S = rng.normal(size=(n, n))
    if kind == "P":  # triangular with a positive diagonal: every principal minor is positive
        A = np.triu(3.0 * S, 1) + np.diag(0.2 + rng.random(n))
    elif kind == "definite":
        A = A + 0.1 * np.eye(n) + (S - S.T if rng.random() < 0.5 else 0.0)
    elif kind == "skew":
        A = A + S - S.T
    elif kind == "saddle":
        off = rng.random(n) < 0.4
        A = np.where(np.logical_or.outer(off, off), 0.0, A)
        A = A + np.where(np.logical_or.outer(off, off), S - S.T, 0.0)
    lower = rng.choice([-np.inf, -1.0, -0.5, 0.0], size=n)
    upper = rng.choice([np.inf, 2.0, 0.5, 0.0], size=n)
    equal = rng.random(n) < 0.1
    lower[equal] = upper[equal] = 0.3
    if not consistent:
        return MLCP(A, 2.0 * rng.normal(size=n), lower, upper)
    side = rng.choice([-1, 0, 1], size=n)
    z = np.clip(rng.normal(size=n), lower, upper)
    z = np.where((side < 0) & (lower > -np.inf), lower, z)
    z = np.where((side > 0) & (upper < np.inf), upper, z)
    w = np.where(z == lower, rng.random(n), 0.0) - np.where(z == upper, rng.random(n), 0.0)
    return MLCP(A, w - A @ z, lower, upper)


def compare(problem, enumerate_too=True):
    """Check that ``direct`` solves a problem to 1e-10, or calls it infeasible where no solution exists.

    A solution is checked by its residual; only if ``direct`` finds none, enumeration (3^n active
    sets) must find none either. Returns the status.
    """
    data = naive.data(problem)
    solution = solve(problem, raise_on_failure=False)
    if solution.status is Status.SOLVED:
        noise = naive.rounding(*data, solution.z)
        assert naive.natural_residual(*data, solution.z) <= 1e-10 + noise
        return solution.status
    assert solution.status is Status.INFEASIBLE, solution
    assert not enumerate_too or naive.enumerate_active_sets(*data) is None, solution
    return solution.status
