"""A vehicle of 45 bodies over rough ground: joints stay closed, with and without redundant joints."""

import pytest

import bodies as B

from .mechanisms import bumps, truck


@pytest.mark.parametrize("redundant", [0, 4])
@pytest.mark.parametrize(("step", "allowed"), [(1e-3, 1e-6), (1 / 60, 1e-4)])
def test_joint_error_over_twenty_seconds_of_bumps(redundant, step, allowed):
    sim = B.Simulation(B.compile(truck(redundant, bumps(), throttle=0.6)), step)
    sim.run(round(20.0 / step))
    metres, radians = sim.joint_error()
    assert metres < allowed
    assert radians < allowed
    assert sim.missed == 0
    assert sim.position("frame")[0] > 20.0
    assert 0.9 < sim.position("frame")[2] < 1.1
