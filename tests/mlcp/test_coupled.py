"""Friction bounds mu times the normal impulse: that of the last step, iterated, or solved together."""

import numpy as np
import pytest

from mlcp import MLCP, BadProblem, CoupledMLCP, solve_coupled
from tests.mlcp import naive
from tests.mlcp.generators import box_stack
from tests.refusals import refusals


def block(speed, mu=0.5, mass=2.0, h=0.01, g=9.81):
    """A block on a plane: normal row and one friction row; impulses over one step [N s]."""
    base = MLCP(np.eye(2) / mass, [-g * h, speed], [0.0, -np.inf], np.inf)
    return CoupledMLCP(base, [-1, 0], mu)


def test_frozen_bounds_are_the_last_steps_and_the_error_is_told():
    weight = 2.0 * 9.81 * 0.01
    first = solve_coupled(block(1.0), "frozen", z0=[0.5 * weight, 0.0])
    assert first.z[1] == pytest.approx(-0.25 * weight)
    assert first.extras["bound_change"] == pytest.approx(0.25 * weight)
    second = solve_coupled(block(1.0), "frozen", z0=first.z)
    assert second.z[1] == pytest.approx(-0.5 * weight)
    assert second.extras["bound_change"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mu", [0.1, 0.5])
def test_iterated_and_coupled_both_satisfy_the_coupled_problem(seed, mu):
    base = box_stack(2, shake=5e-3, seed=seed).formed()
    rows = np.arange(base.n)
    problem = CoupledMLCP(base, np.where(rows % 3 == 0, -1, rows // 3 * 3), mu)
    for treatment in ("iterated", "coupled"):
        solution = solve_coupled(problem, treatment, raise_on_failure=False)
        at = problem.at(solution.z)
        residual = naive.natural_residual(at.A, at.b, at.lower, at.upper, solution.z)
        if solution.solved:
            assert residual <= 1e-10
        assert solution.solved or treatment == "iterated"


BASE = MLCP(np.eye(2), np.zeros(2), [0.0, -1.0], np.inf)
test_bad_couplings_get_one_sentence = refusals(
    (([5, -1], 0.5), "normal of row 0 is 5"),
    (([-1, 0], -1.0), "mu of row 1 is -1"),
    (([1, -1], 0.5), "row 1 bounds row 0"),
    *(
        (([-1, wrong], 0.5), f"normal of row 1 is {wrong}; it must be")
        for wrong in (-2, 0.7, -5, np.nan, 1)
    ),
    (([-1, 0], [1.0, 2.0, 3.0]), r"mu has shape \(3,\)"),
    of=lambda given: CoupledMLCP(BASE, *given),
    error=BadProblem,
)


SLIDING = CoupledMLCP(BASE, [-1, 0], 0.5)
test_bad_calls_get_one_sentence = refusals(
    (lambda: solve_coupled(SLIDING, z0=["a", "b"]), "z0 must be"),
    (lambda: solve_coupled(BASE), "must be a CoupledMLCP"),
    (lambda: solve_coupled(SLIDING, "couple"), "did you mean 'coupled'"),
)
