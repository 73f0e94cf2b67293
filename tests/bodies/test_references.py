"""Published benchmark motions: errors are below a limit and proportional to the step (first order)."""

import numpy as np
import pytest

from bodies import Simulation

from .published import andrews, four_bar, pendulum, revolute_pendulum

CASES = {
    "pendulum": pendulum,
    "four-bar": four_bar,
    "andrews": andrews,
    "revolute pendulum": revolute_pendulum,
}
LEAST_ORDER = 0.9


@pytest.mark.parametrize("name", CASES)
def test_published_reference(name):
    """Order of convergence between the two longest steps; a longer step may have a larger error."""
    case = CASES[name]
    model, ends = case.build(), []
    for step in case.STEPS:
        simulation = Simulation(model, step, tolerance=1e-12)
        simulation.run(round(case.DURATION / step))
        ends.append(case.measure(simulation))
    for quantity, reference in case.REFERENCE.items():
        errors = [abs(end[quantity] - reference) for end in ends]
        allowed = case.TOLERANCE[quantity] if isinstance(case.TOLERANCE, dict) else case.TOLERANCE
        for step, error in zip(case.STEPS, errors, strict=True):
            assert error <= allowed * step / case.STEPS[-1], (quantity, step)
        if errors[1] > 0.0:
            order = np.log(errors[0] / errors[1]) / np.log(case.STEPS[0] / case.STEPS[1])
            assert order >= LEAST_ORDER, quantity


@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_joint_errors_may_wait_a_step(step):
    """Corrected only in the next step, a joint's error stays below that of one step, ``w^2 L h^2 / 2``.

    The error of the motion is the same within 15 %. w: speed of the pendulum, L: its length, h: step.
    """
    case = CASES["pendulum"]
    measured, bend = [], 0.5 * (2.0 * 9.81) * step**2  # at the bottom w^2 = 2 g / L
    for tolerance, largest in ((1e-12, 1e-12), (1.0, 1.001 * bend)):
        simulation = Simulation(case.build(), step, tolerance=tolerance)
        simulation.run(round(case.DURATION / step))
        ends = case.measure(simulation)
        measured.append([abs(ends[k] - reference) for k, reference in case.REFERENCE.items()])
        assert simulation.joint_error()[0] <= largest
    assert measured[1] == pytest.approx(measured[0], rel=0.15)
