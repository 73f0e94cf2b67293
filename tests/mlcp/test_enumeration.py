"""``direct`` against brute force over all active sets where it finds no solution; up to eight rows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcp import Status
from tests.mlcp.enumeration import KINDS, compare, mixed_problem


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 8),
    consistent=st.sampled_from([True, True, False]),
)
def test_direct_finds_a_solution_wherever_one_exists(kind, seed, n, consistent):
    status = compare(mixed_problem(seed, n, kind, consistent))
    if consistent or kind in ("P", "definite"):
        assert status is Status.SOLVED


@pytest.mark.parametrize("consistent", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", range(1, 9))
def test_a_seeded_sweep(n, kind, consistent):
    """3400 problems from seeds: a solution to 1e-10 where one exists, else "infeasible"."""
    for seed in range(50 if consistent or n <= 5 else 10):
        status = compare(mixed_problem(seed, n, kind, consistent))
        if consistent or kind in ("P", "definite"):
            assert status is Status.SOLVED


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", range(1, 9))
def test_a_large_seeded_sweep(n, kind):
    """57,500 problems from seeds; those that may have no solution have up to seven rows."""
    for seed in range(1000, 2000):
        assert compare(mixed_problem(seed, n, kind, True)) is Status.SOLVED
        if n <= 7 and seed % 2 == 0:
            compare(mixed_problem(seed, n, kind, False))
