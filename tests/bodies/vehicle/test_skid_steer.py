"""The skid-steer robot on soil: it turns by different speeds of its sides, with sliding wheels."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def turned(left, right, seconds=2.0):
    robot = vehicle.read("skid_steer").on(soil=ConeIndexSoil(9e5))
    sim = B.Simulation(B.compile(robot.mechanism({"left": left, "right": right})), 2e-3)
    sim.run(round(seconds / 2e-3))
    assert sim.missed == 0
    return sim


def test_it_turns_on_the_spot_on_soil():
    sim = turned(-0.5, 0.5)
    rate = sim.angular_velocity("frame")[2]
    rolling = 0.5 * 21.99 * 0.093 / 0.1885  # yaw rate without sliding [rad/s]
    assert 0.2 * rolling < rate < 0.9 * rolling
    assert np.abs(sim.position("frame")[:2]).max() < 1e-6
    other = turned(0.5, -0.5)
    assert other.angular_velocity("frame")[2] == pytest.approx(-rate, rel=1e-6)


@pytest.mark.parametrize(("left", "right"), [(0.3, 0.6), (-0.5, 0.9)])
def test_its_turn_has_the_radius_that_its_slips_make(left, right):
    """Turning radius from the slips i = 1 - v_x / (r omega) of both sides.

    Source: Wong, Theory of Ground Vehicles, eqs 6.22 and 6.23.
    """
    sim = turned(left, right, 4.0)
    track, ways, rims = 2.0 * 0.1885, {}, 0.0
    for side in ("left", "right"):
        wheel = vehicle.wheel_readings(sim)[f"front_{side}"]
        rim = wheel.v_x - wheel.v_t
        slip = wheel.slip * np.sign(rim)  # relative to the larger of rim and travel speed
        ways[side] = rim * (1.0 - (slip if abs(rim) > abs(wheel.v_x) else slip / (1.0 + slip)))
        rims = rim - rims
    rate, v_y = sim.angular_velocity("frame")[2], wheel.v_y
    assert rate == pytest.approx((ways["right"] - ways["left"]) / track, rel=1e-3)
    radius = 0.5 * track * (ways["right"] + ways["left"]) / (ways["right"] - ways["left"])
    speed = np.hypot(radius * rate, v_y - 0.131 * rate)
    assert np.hypot(*sim.velocity("frame")[:2]) == pytest.approx(speed, rel=1e-2)
    assert 0.3 < rate * track / rims < 0.95  # the ratio without sliding is 1


def test_a_soil_replaces_its_hard_floor():
    robot = vehicle.read("skid_steer")
    assert robot.hard is not None
    assert robot.on(cone_index=9e5).hard is None
    assert robot.on(regularisation="local").hard is not None


def test_its_pulls_lie_on_its_motors_line():
    """At two drawbar pulls the axle power is that of four motors of torque T_stall (1 - omega/omega_0).

    T_stall: stall torque, omega: speed, omega_0: free speed.
    """
    robot = vehicle.read("skid_steer").on(cone_index=1.2e6)
    table = vehicle.pull_test(robot, [20.0, 60.0], (-0.2, 0.0, 0.1), warm_up=3.0)
    assert table["vehicle.drawbar_pull [N]"] == pytest.approx([20.0, 60.0], rel=1e-3)
    rim = table["vehicle.speed [m/s]"] / (1.0 - table["vehicle.travel_reduction [-]"])
    torque = 4.0 * 6.0 * (1.0 - rim / 0.095 / (210.0 * np.pi / 30.0))
    power = table["vehicle.axle_power [W]"]
    assert power == pytest.approx(torque * rim / 0.095, rel=0.02)
    assert (np.diff(table["vehicle.speed [m/s]"]) < 0.0).all()
