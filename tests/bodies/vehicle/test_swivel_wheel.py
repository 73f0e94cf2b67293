"""A robot on three wheels: a caster trails, a steered wheel rolls along its heading."""

import dataclasses
import math

import numpy as np
import pytest

from bodies import JointSpring, MechanismError, Simulation, compile, equilibrium, mobility, vehicle
from bodies.rest.casters import casters

ROBOT = """
name = "three_wheels"

[controls]
left = 0.0
right = 0.0
steer = 0.0

[tyre]
diameter_m = 0.3
width_m = 0.08
section_height_m = 0.03
pressure_Pa = 100000.0

[soil]
name = "sandy loam"

[lateral]
friction = 0.7

[contact]
combined = "sliding"

[[frame]]
name = "frame"
body = { mass_kg = 40.0, inertia_kg_m2 = [1.0, 1.5, 2.0], centre_m = [0.15, 0.0, 0.25] }

[[solid_mounted_axle]]
name = "rear"
wheel_centre_m = [0.0, 0.25, 0.15]
wheel_body = { mass_kg = 3.0, inertia_kg_m2 = [0.02, 0.03, 0.02] }

[[swivel_wheel]]
name = "nose"
pivot_m = [0.5, 0.0, 0.28]
wheel_centre_m = [0.42, 0.0, 0.15]
fork = { mass_kg = 1.0, inertia_kg_m2 = [0.005, 0.005, 0.005] }
wheel_body = { mass_kg = 3.0, inertia_kg_m2 = [0.02, 0.03, 0.02] }

[[hub_drives]]
name = "motors"
axles = ["rear"]
full_load_rpm_N_m = [[0.0, 20.0], [100.0, 0.0]]
motoring_rpm_N_m = [[0.0, 0.0], [100.0, 5.0]]
"""
STEERED = ROBOT.replace("[0.42, 0.0, 0.15]", '[0.5, 0.0, 0.15]\ncontrol = "steer"')


def test_a_caster_trails_the_way_its_pivot_goes():
    model = compile(vehicle.from_toml(ROBOT).mechanism())
    found = mobility(model)
    assert (found.counted, found.freedoms, found.redundant) == (10, 10, 0)
    sim = Simulation(model, 1e-3, state=equilibrium(model))
    assert sim.coordinate("nose swivel") == pytest.approx(0.0, abs=1e-9)  # the fork has not turned
    sim.run(1)
    carried = sum(wheel.load for wheel in vehicle.wheel_readings(sim).values())
    assert carried == pytest.approx(
        9.80665 * sum(body.mass for body in model.mechanism.bodies), rel=1e-3
    )
    sim.set_input("left", 0.2)
    sim.set_input("right", 0.3)
    sim.run(4000)
    yaw = sim.angular_velocity("frame")[2]
    assert yaw > 0.05
    assert sim.angular_velocity("nose fork")[2] == pytest.approx(yaw, rel=0.05)  # a steady turn
    # no side slip: the pivot is 0.5 m ahead of the rear axle, the caster's wheel 0.08 m behind the pivot
    speed = np.linalg.norm(sim.velocity("rear_left wheel")[:2]) + 0.25 * yaw
    wanted = math.atan2(0.5 * yaw, speed) - math.asin(0.08 * yaw / math.hypot(speed, 0.5 * yaw))
    assert sim.coordinate("nose swivel") == pytest.approx(wanted, rel=0.03)
    assert sim.missed == 0


def test_only_a_free_fork_is_a_caster():
    """A freely turning fork is a caster; a steered fork, one with a spring, or a kingpin is not."""
    assert casters(vehicle.from_toml(ROBOT).mechanism()) == {"nose"}
    assert not casters(vehicle.from_toml(STEERED).mechanism())
    held = vehicle.from_toml(ROBOT).mechanism()
    for hinge in ("nose swivel", "nose swivel.angle"):
        spring = JointSpring(name="centring", joint=hinge, stiffness=10.0, damping=0.1)
        assert not casters(dataclasses.replace(held, elements=(*held.elements, spring)))
    assert not any(casters(vehicle.load(name)) for name in ("hmmwv_pitman", "tractor", "rover"))


def test_a_single_wheel_steers_and_is_driven_by_its_own_name():
    robot = vehicle.from_toml(STEERED.replace('axles = ["rear"]', 'axles = ["nose"]'))
    model = compile(robot.mechanism(controls={"left": 0.3, "steer": 0.3}))
    sim = Simulation(model, 1e-3)
    sim.run(2500)
    assert sim.coordinate("nose swivel") == pytest.approx(0.3, abs=1e-9)
    speed = np.linalg.norm(sim.velocity("rear_left wheel")[:2]) + 0.25 * sim.angular_velocity("frame")[2]
    assert sim.angular_velocity("frame")[2] == pytest.approx(speed * math.tan(0.3) / 0.5, rel=0.05)
    assert sim.missed == 0


def test_an_axle_of_one_wheel_is_refused_with_the_part_to_use():
    one = 'name = "rear"\nwheel_centre_m = [0.0, 0.0, 0.15]'
    robot = vehicle.from_toml(ROBOT.replace('name = "rear"\nwheel_centre_m = [0.0, 0.25, 0.15]', one))
    with pytest.raises(MechanismError, match=r"a single one is a \[\[swivel_wheel\]\]"):
        robot.mechanism()
    with pytest.raises(MechanismError, match="axle: 'nos' is unknown; did you mean 'nose'"):
        vehicle.from_toml(ROBOT.replace('axles = ["rear"]', 'axles = ["nos"]')).mechanism()
