"""Random problems: each solver returns a Solution or an error of one sentence, and no false "solved".

Residuals are compared here with the sum of the row's own terms, |b_i| + sum |a_ij z_j|.
"""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, SOLVERS, BadProblem, Solution, solve
from mlcp.solvers.base import UnsuitableProblem

SCALES = [1e-300, 1e-150, 1e-12, 1.0, 1.0, 1.0, 1e8, 1e15, 1e150, 1e300]


def draw(rng):
    """A random problem; redundant, tied, infeasible, tiny and huge problems occur."""
    n = int(rng.choice([0, 1, 2, 3, 5, 8, 13]))
    R = rng.normal(size=(n, int(rng.integers(0, n + 2))))
    if rng.random() < 0.4:
        R = np.round(R)  # ties and zeros
    A = R @ R.T
    kind = rng.integers(9)
    if kind == 1:
        A = A + np.eye(n)
    elif kind == 2:
        A = rng.normal(size=(n, n))
    elif kind == 3:
        S = rng.normal(size=(n, n))
        A = A + S - S.T
    elif kind == 4:
        A = np.where(rng.random((n, n)) < 0.3, A, 0.0)
        A = 0.5 * (A + A.T)
    elif kind == 6 and n > 1:  # a linear programme's conditions: zero diagonals
        m = n // 2
        A = np.zeros((n, n))
        A[m:, :m] = np.round(2.0 * rng.normal(size=(n - m, m)))
        A = A - A.T
    elif kind == 7:  # a stack of bodies, one of them heavy
        mass = np.ones(n)
        mass[rng.integers(n) if n else ...] = 10.0 ** rng.uniform(0.0, 8.0)
        J = np.eye(n) - np.eye(n, k=-1)
        A = J @ np.diag(1.0 / mass) @ J.T
    unit = rng.choice(SCALES[2:7], size=n) if rng.random() < 0.3 else np.ones(n)
    b = rng.normal(size=n) * (rng.random(n) < 0.8)
    if n and rng.random() < 0.5:
        b[rng.integers(n)] *= rng.choice(SCALES)
    if rng.random() < 0.2:
        b = b * rng.choice(SCALES)
    if kind == 8:  # uncoupled rows, some with a huge b
        A = np.diag(np.abs(np.diag(A)))
        b = b * rng.choice([1.0, 1.0, 1e12, 3e17, 1e20], size=n)
    lower = rng.choice([-np.inf, -1.0, 0.0, 0.0, 1e-9, -1e12], size=n)
    upper = np.maximum(rng.choice([np.inf, np.inf, 0.0, 0.5, 1e12], size=n), lower)
    return unit[:, None] * A * unit, b * unit, lower / unit, upper / unit


def excess(A, b, lower, upper, z):
    """Largest residual of a row relative to the sum of its own terms, or to a least size."""
    worst, n = 0.0, len(b)
    unit = np.array([np.sqrt(abs(A[i, i])) or 1.0 for i in range(n)])
    with np.errstate(all="ignore"):
        least = np.maximum(np.abs(b) / unit, np.abs(np.clip(0.0, lower, upper)) * unit)
        for _ in range(n):  # effect of an error of 1e-5 in the z of a coupled row
            links = np.abs(A) / unit[:, None] / unit * np.where(A != 0, 1e-5 * least, 0.0)
            least = np.maximum(least, links.max(axis=1, initial=0.0))
    least = np.where(least > 0.0, least, max(least, default=0.0) or 1.0)  # scale of a row without terms
    for i in range(n):
        with np.errstate(all="ignore"):
            w = b[i] + float(np.sum(A[i] * z))
            terms = abs(b[i]) + float(np.sum(np.abs(A[i] * z)))
            own = abs(A[i, i]) or 1.0
            gap = abs(max(min(w, own * (z[i] - lower[i])), own * (z[i] - upper[i])))
        if not np.isfinite(w):
            return np.inf
        if gap > 0.0:
            worst = max(worst, gap / max(terms, own * abs(z[i]), least[i] * unit[i]))
    return worst


def one_sentence(text):
    assert text
    assert "\n" not in text


def ask(rng, seed):
    A, b, lower, upper = draw(rng)
    name = str(rng.choice(list(SOLVERS)))
    settings = dict(time_limit=5.0)
    try:
        problem = MLCP(sp.csr_matrix(A) if rng.random() < 0.3 else A, b, lower, upper)
    except BadProblem as sentence:
        one_sentence(str(sentence))
        return
    z0 = rng.normal(size=len(b)) if rng.random() < 0.3 else None
    try:
        solution = solve(problem, SOLVERS[name](**settings), z0=z0, raise_on_failure=False)
    except UnsuitableProblem as sentence:
        one_sentence(str(sentence))
        return
    assert isinstance(solution, Solution)
    if solution.solved:
        near = 1e-14 + 2.0 * solution.tol
        # A row without terms is compared with the largest term of all rows, though its round-off grows
        # with the sum of all: hence the wide margin.
        assert excess(A, b, lower, upper, solution.z) <= 2e3 * near, (seed, name, solution)


@pytest.mark.parametrize(
    "seeds", [range(150), pytest.param(range(150, 6000), marks=pytest.mark.slow)], ids=len
)
def test_nothing_but_solutions_and_sentences(seeds):
    for seed in seeds:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            ask(np.random.default_rng([seed, 2]), seed)


def test_numbers_that_overflow_in_a_correction_are_a_failure_and_no_error():
    A, b, lower, upper = draw(np.random.default_rng([5, 17332, 19]))  # entries of 1e14, a b of 1e287
    assert not solve(MLCP(A, b, lower, upper), raise_on_failure=False).solved
