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
    assert robot.wheel.combined == "sliding"
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
