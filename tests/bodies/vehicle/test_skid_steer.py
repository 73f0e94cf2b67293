"""The skid-steer robot on soil: it turns by unlike speeds, because its wheels slide."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def turned(left, right, seconds=2.0):
    robot = dataclasses.replace(vehicle.read("skid_steer"), hard=None)
    robot = robot.on(soil=ConeIndexSoil(9e5))
    sim = B.Simulation(B.compile(robot.mechanism({"left": left, "right": right})), 2e-3)
    sim.run(round(seconds / 2e-3))
    assert sim.missed == 0
    return sim


def test_it_turns_on_the_spot_on_soil():
    sim = turned(-0.5, 0.5)
    rate = sim.angular_velocity("frame")[2]
    rolling = 0.5 * 21.99 * 0.093 / 0.1885  # without sliding
    assert 0.2 * rolling < rate < 0.9 * rolling
    assert np.abs(sim.position("frame")[:2]).max() < 1e-6
    other = turned(0.5, -0.5)
    assert other.angular_velocity("frame")[2] == pytest.approx(-rate, rel=1e-6)


@pytest.mark.parametrize(("left", "right"), [(0.3, 0.6), (-0.5, 0.9)])
def test_its_turn_has_the_radius_that_its_slips_make(left, right):
    """Wong, Theory of Ground Vehicles, eqs 6.22 and 6.23: of slips i = 1 - v_x / (r omega)."""
    sim = turned(left, right, 4.0)
    track, ways, rims = 2.0 * 0.1885, {}, 0.0
    for side in ("left", "right"):
        wheel = vehicle.wheel_readings(sim)[f"front_{side}"]
        rim = wheel.v_x - wheel.v_t
        slip = wheel.slip * np.sign(rim)  # over the faster of the two speeds
        ways[side] = rim * (1.0 - (slip if abs(rim) > abs(wheel.v_x) else slip / (1.0 + slip)))
        rims = rim - rims
    rate, v_y = sim.angular_velocity("frame")[2], wheel.v_y
    assert rate == pytest.approx((ways["right"] - ways["left"]) / track, rel=1e-3)
    radius = 0.5 * track * (ways["right"] + ways["left"]) / (ways["right"] - ways["left"])
    speed = np.hypot(radius * rate, v_y - 0.131 * rate)
    assert np.hypot(*sim.velocity("frame")[:2]) == pytest.approx(speed, rel=1e-2)
    assert 0.3 < rate * track / rims < 0.95  # sliding takes the rest
