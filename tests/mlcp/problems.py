"""Random problems for the property tests."""

import numpy as np
from hypothesis import strategies as st

from mlcp import MLCP

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
def psd_problems(draw, max_rows=5):
    """Positive semidefinite problems of every rank, solvable or not."""
    n = draw(st.integers(1, max_rows))
    seed, rank = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, n))
    return random_problem(seed, n, rank, consistent=draw(st.booleans()))


@st.composite
def definite_problems(draw, max_rows=6, skew=False):
    """Positive definite problems: exactly one solution each."""
    n = draw(st.integers(1, max_rows))
    seed = draw(st.integers(0, 2**32 - 1))
    return random_problem(seed, n, n, skew, compliance=0.1, consistent=False)
