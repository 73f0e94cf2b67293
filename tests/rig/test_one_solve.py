"""A tractor's linkage, wheels, ground and steering oil are solved together."""

import numpy as np
import pytest

from benchmarks.rates.machines import one_solve
from rig.steering import Hydraulic

pytestmark = pytest.mark.slow  # compiles the step with oil and wheels


def test_the_tractor_turns_by_its_own_oil():
    """Valve opening and cylinder area determine the rod's speed; the wheels follow."""
    sim, tick = one_solve(1e-3)
    for _ in range(400):
        tick()
    way = sim.coordinate("front steering slide")
    for _ in range(400):
        tick()
    rate = (sim.coordinate("front steering slide") - way) / 0.4
    oil = Hydraulic()
    edge = oil.opening * (0.3 - oil.dead_band) / (1.0 - oil.dead_band)
    drop = 0.5 * (oil.supply - 1e5 - oil.damping * rate / oil.area)
    assert rate == pytest.approx(edge * 0.65 * np.sqrt(2.0 * drop / 860.0) / oil.area, rel=0.03)
    assert sim.missed == 0
    assert abs(sim.angular_velocity("frame")[2]) > 0.05
    assert sim.joint_error()[0] < 1e-6
