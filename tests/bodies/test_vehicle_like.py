"""Forty-five bodies over rough ground: joints stay closed, with and without redundant ones."""

import pytest

import bodies as B
from benchmarks import vehicle_like


@pytest.mark.parametrize("redundant", [0, 4])
@pytest.mark.parametrize(("step", "allowed"), [(1e-3, 1e-6), (1 / 60, 1e-4)])
def test_joint_error_over_twenty_seconds_of_bumps(redundant, step, allowed):
    model = B.compile(
        vehicle_like.mechanism(redundant=redundant, ground=vehicle_like.bumps(), speed=5.0)
    )
    assert len(model.body_index) == 45
    sim = B.Simulation(model, step)
    sim.run(round(20.0 / step))
    metres, radians = sim.joint_error()
    assert metres < allowed
    assert radians < allowed
    assert sim.missed == 0
    assert sim.position("chassis")[0] > 50.0
    assert 0.6 < sim.position("chassis")[2] < 1.1


def test_elements_add_up_to_sixty_four():
    mechanism = vehicle_like.mechanism()
    couplings = ("steering gear", "gearbox", "differential")
    assert len(mechanism.joints) + len(couplings) == 64
