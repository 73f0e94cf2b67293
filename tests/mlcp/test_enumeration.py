"""``direct`` against brute force over all active sets where it finds no solution; up to eight rows."""

import pytest

from mlcp import Status, solve
from tests.mlcp import naive
from tests.mlcp.problems import KINDS, mixed_problem


def compare(problem):
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
    assert naive.enumerate_active_sets(*data) is None, solution
    return solution.status


@pytest.mark.parametrize(
    "seeds", [range(50), pytest.param(range(1000, 2000), marks=pytest.mark.slow)], ids=len
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", range(1, 9))
def test_direct_finds_a_solution_wherever_one_exists(n, kind, seeds):
    """3,400 problems, 68,000 if slow: a solution to 1e-10 where one exists, else "infeasible"."""
    for seed in seeds:
        assert compare(mixed_problem(seed, n, kind, True)) is Status.SOLVED
        if n <= 5 or seed % 5 == 0:  # enumeration takes long
            status = compare(mixed_problem(seed, n, kind, False))
            assert status is Status.SOLVED or kind not in ("P", "definite")
