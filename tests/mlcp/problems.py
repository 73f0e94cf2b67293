"""Random problems of few rows."""

import numpy as np
from hypothesis import strategies as st

from mlcp import MLCP

KINDS = ("P", "definite", "semidefinite", "skew", "saddle")
LOWER = np.array([-np.inf, 0.0, -0.5, -1.0])
UPPER = np.array([np.inf, 0.0, 0.5, 2.0])


def random_problem(seed, n, rank, skew=False, compliance=0.0, consistent=True):
    """Random problem: A = R R' of a given rank, plus a skew part; b in A's range if ``consistent``."""
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(n, rank))
    A = R @ R.T + compliance * np.eye(n)
    if skew:
        S = rng.normal(size=(n, n))
        A = A + S - S.T
    b = A @ rng.normal(size=n)
    if not consistent:
        b = b + rng.normal(size=n)
    return MLCP(A, b, rng.choice(LOWER, size=n), rng.choice(UPPER, size=n))


@st.composite
def definite_problems(draw, max_rows=6, skew=False):
    """Positive definite problems: exactly one solution each."""
    n = draw(st.integers(1, max_rows))
    seed = draw(st.integers(0, 2**32 - 1))
    return random_problem(seed, n, n, skew, compliance=0.1, consistent=False)


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
