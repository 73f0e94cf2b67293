"""A transfer case with a differential lets axles turn at different speeds, unless a lock holds them."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.report.traction import joint_speed
from contact.terrain import HeightField

from .drives import full_throttle

CAR = """
base = "hmmwv_4x4"
name = "centre"

[controls]
centre_lock = 0.0

[[centre_differential]]
name = "centre"
differential = "centre_lock"
lock_capacity_N_m = %s
front = { mass_kg = 4.0, inertia_kg_m2 = [0.02, 0.02, 0.02], centre_m = [0.20, 0.0, 0.12] }
rear = { mass_kg = 4.0, inertia_kg_m2 = [0.02, 0.02, 0.02], centre_m = [0.0, 0.0, 0.12] }

[[propeller_shaft]]
name = "propeller shaft"
driving = "centre rear output"

[[propeller_shaft]]
name = "front propeller shaft"
driving = "centre front output"
"""


def drive(lock, capacity="5000.0", steering=5.0):
    """Turn to the left on firm soil: final speeds of input, front, rear output [rad/s], and the run."""
    car = vehicle.from_toml(CAR % capacity).on(cone_index=1.5e6)
    model = B.compile(car.mechanism(full_throttle(gear=2, steering=steering, centre_lock=lock)))
    run = B.simulate(model, 4.0, 2e-3, record_every=20)
    names = ("transfer output", "centre front output", "centre rear output")
    return np.array([joint_speed(run, f"{name} bearing")[-1] for name in names]), run


def test_it_adds_one_freedom_and_the_front_axle_runs_ahead_in_a_turn():
    """The sum of output speeds is twice the input speed; front wheels run on the larger circle."""
    speeds, run = drive(0.0)
    m = B.mobility(run.model)
    assert (m.freedoms, m.counted, m.redundant) == (21, 21, 0)  # freedoms; 20 without the differential
    assert 2.0 * speeds[0] == pytest.approx(speeds[1] + speeds[2], rel=1e-9)
    assert speeds[1] > 1.02 * speeds[2] > 0.0


def test_locked_both_axles_turn_as_one():
    speeds, run = drive(1.0)
    assert speeds[1] == pytest.approx(speeds[2], rel=2e-4)
    assert abs(run.channel_force("centre lock")[-1, 0]) < 5000.0


def test_a_lock_of_little_capacity_limits_the_slip_and_carries_its_capacity():
    speeds, run = drive(1.0, capacity="40.0")
    assert speeds[1] > 1.002 * speeds[2]
    assert abs(run.channel_force("centre lock")[-1, 0]) == pytest.approx(40.0, rel=1e-9)


def test_an_unknown_lock_gets_the_nearest_name():
    text = (CAR % "5000.0").replace('differential = "centre_lock"', 'differential = "center_lock"')
    with pytest.raises(B.UnknownName, match="did you mean 'centre_lock'"):
        vehicle.from_toml(text).mechanism()


ROCKING = """
base = "tractor"
name = "rocking"

[[centre_differential]]
name = "centre"
front = { mass_kg = 8.0, inertia_kg_m2 = [0.05, 0.05, 0.05], centre_m = [1.05, 0.0, 0.75] }
rear = { mass_kg = 8.0, inertia_kg_m2 = [0.05, 0.05, 0.05], centre_m = [0.85, 0.0, 0.75] }

[[propeller_shaft]]
name = "rear shaft"
driving = "centre rear output"

[[propeller_shaft]]
name = "front shaft"
driving = "centre front output"

[[final_drive]]
name = "front"
differential = "torque-sensing"
"""


def test_a_transfer_case_and_a_differential_drive_an_axle_that_rocks():
    """The left wheels go up a bank: the beam turns, all shafts keep their ratios, all steps converge."""
    heights = np.zeros((17, 120))
    heights[9:, 45:] = 0.12
    ground = HeightField(heights, (0.2, 0.25), (-4.0, -2.0))
    tractor = vehicle.from_toml(ROCKING)
    model = B.compile(tractor.mechanism(full_throttle(gear=3), ground=ground))
    m = B.mobility(model)
    assert (m.freedoms, m.counted, m.redundant) == (12, 12, 0)  # freedoms; 11 in the shipped tractor
    run = B.simulate(model, 6.0, 2e-3, record_every=10)

    def speed(name):
        return joint_speed(run, f"{name} bearing")

    assert abs(run.coordinate("front pivot")).max() > 0.03  # [rad] the front wheel alone on the bank
    np.testing.assert_allclose(
        2.0 * speed("transfer output"),
        speed("centre front output") + speed("centre rear output"),
        atol=1e-8,
    )
    np.testing.assert_allclose(
        2.0 * speed("front pinion"),
        14.41 * (speed("front_left output") + speed("front_right output")),
        atol=1e-7,
    )
    assert run.missed == 0
