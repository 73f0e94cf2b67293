"""Slip, sinkage and forces read from a wheel: equal for a recorded run and a host's compiled step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts import WheelsOnGround
from contact.kernels.ground.reading import sinking
from contact.kernels.wheel.slip import slip_state
from contact.reading import read

WHEEL = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5))
speeds = st.floats(-30.0, 30.0)


@given(speeds, speeds, st.floats(-0.2, 0.2), st.floats(-10.0, 1e4))
def test_readers_have_the_numbers_of_the_kernels(v_t, v_x, gap, load):
    force, velocity = np.array([[load, 0.0, 0.0, 0.0]]), np.array([[0.0, v_t, 0.0, v_x]])
    felt = read(WHEEL, force, velocity, np.zeros(1), np.array([gap]))
    # the sliding speed, a difference of rim and centre speed, has round-off; slip divides it by 1 mm/s
    assert felt.slip[0] == pytest.approx(slip_state.py_func(v_t, v_x, WHEEL.v_0)[0], abs=1e-11)
    assert felt.sinkage[0] == sinking.py_func(gap, load, WHEEL.tyre.stiffness)[1]


def test_rolling_moment_is_part_of_traction_and_no_part_of_the_sum():
    """Traction is the ground's torque about the axle over the radius: the rolling moment adds to it, not
    to the sum of traction and resistance, the resultant force."""
    force = np.array([[1000.0, 300.0, -20.0, -80.0]])
    velocity, gap = np.array([[0.0, -0.5, 0.1, 2.0]]), np.array([-0.03])
    plain, rolling = (read(WHEEL, force, velocity, np.array([f]), gap) for f in (0.0, 12.0))
    assert rolling.traction - plain.traction == pytest.approx(12.0)
    assert rolling.traction + rolling.resistance == pytest.approx(plain.traction + plain.resistance)
    assert plain.sinkage[0] == pytest.approx(0.03 - 1000.0 / WHEEL.tyre.stiffness)


def test_a_host_is_told_what_a_reader_reads():
    ground, h = WheelsOnGround([WHEEL]), 1e-3
    twist = np.array([[1.0, 0.0, -0.2, 0.0, 3.0, 0.0]])
    ground.solve(h, [[0.0, 0.0, 0.36]], [(0.0, 1.0, 0.0)], twist, twist, np.eye(6) / 100.0)
    force, u = ground.impulses.reshape(1, 4) / h, ground.u_end.reshape(1, 4)
    felt = read(WHEEL, force, u, np.zeros(1), ground.gap + h * u[:, 0])
    told = ground.load, ground.sinkage, ground.sliding, ground.speed
    for there, here in zip(told, (felt.load, felt.sinkage, felt.v_t, felt.v_x), strict=True):
        assert there.tobytes() == here.tobytes()
    assert ground.slip == pytest.approx(felt.slip, abs=1e-14)
    assert ground.load[0] > 0.0
