"""Motions that others have published are reproduced, with the order of the scheme."""

import pytest

from benchmarks.references import CASES, LEAST_ORDER, run_case
from bodies import Simulation


@pytest.mark.parametrize("name", CASES)
def test_published_reference(name):
    for row in run_case(name):
        assert row["order"] >= LEAST_ORDER, row
        assert row["passed"], row


def test_case_json_has_the_agreed_keys():
    row = run_case("revolute pendulum")[0]
    assert list(row) == [
        "case",
        "quantity",
        "reference",
        "computed",
        "error",
        "step_s",
        "order",
        "passed",
    ]


@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_joint_errors_may_wait_a_step(step):
    """Left to the next step, they stay at the bend of one step, and the motion is the same."""
    case = CASES["pendulum"]
    measured, bend = [], 0.5 * (2.0 * 9.81) * step**2  # at the bottom w^2 = 2 g / L
    for tolerance, largest in ((1e-12, 1e-12), (1.0, 1.001 * bend)):
        simulation = Simulation(case.build(), step, tolerance=tolerance)
        simulation.run(round(case.DURATION / step))
        ends = case.measure(simulation)
        measured.append([abs(ends[k] - reference) for k, reference in case.REFERENCE.items()])
        assert simulation.joint_error()[0] <= largest
    assert measured[1] == pytest.approx(measured[0], rel=0.15)
