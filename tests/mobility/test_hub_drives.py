"""Maps of hub-driven vehicles: the force balance against the multibody vehicle."""

import dataclasses

import numpy as np
import pytest

import bodies
from bodies import vehicle
from mobility import REASONS, Driver, going, lumped, surface
from mobility.kernels import answers as L
from mobility.kernels.tables import NO_GO
from mobility.performance.limits import balance

FREE = Driver(maximum=100.0, sight=1e4)


def driven(name, strength, slope, seconds):
    """Mean slip and speed [m/s] of the multibody vehicle at the command 1 on a slope."""
    car = vehicle.read(name).on(cone_index=strength)
    down = 9.80665 / np.hypot(1.0, slope)
    gravity = bodies.Gravity((-slope * down, 0.0, -down))
    car = dataclasses.replace(car, gravity=gravity)
    part = next(p for p in car.parts if isinstance(p, vehicle.HubDrives))
    model = bodies.compile(car.mechanism(dict.fromkeys((part.left, part.right), 1.0)))
    sim = bodies.Simulation(model, 2e-3)
    sim.run(round(seconds / 2e-3))
    assert sim.missed == 0
    readings = vehicle.wheel_readings(sim).values()
    total = sum(r.load for r in readings)
    return sum(r.slip * r.load for r in readings) / total, sim.velocity("frame")[0]


@pytest.mark.parametrize(
    ("name", "strength", "slope", "seconds"),
    [
        ("skid_steer", 6e5, 0.0, 4.0),
        ("skid_steer", 6e5, 0.2, 4.0),
        ("forwarder", 9e5, 0.0, 14.0),
        ("forwarder", 9e5, 0.1, 10.0),
    ],
)
def test_slip_and_speed_are_those_of_the_multibody_vehicle(name, strength, slope, seconds):
    found = going(lumped(name), strength, slope, driver=FREE)
    slip, speed = driven(name, strength, slope, seconds)
    assert float(found.slip) == pytest.approx(slip, abs=1e-3)
    assert float(found.speed) == pytest.approx(speed, rel=6e-3)


def test_motors_that_tilt_their_bogies_cost_a_few_percent_of_the_speed_on_a_steep_slope():
    """The force balance has equal loads in a bogie; the motors' torque makes them unequal."""
    found = going(lumped("forwarder"), 9e5, 0.25, driver=FREE)
    slip, speed = driven("forwarder", 9e5, 0.25, 10.0)
    assert float(found.slip) < slip < float(found.slip) + 0.012
    assert 0.92 * float(found.speed) < speed < float(found.speed)


def test_a_law_without_a_cone_index_is_refused_by_the_laws_name():
    with pytest.raises(ValueError, match=r"'rover'.*'wong-reece' has no cone index.*\"brixius\""):
        surface(lumped("rover"))
    lumped(vehicle.read("rover").on(law="brixius")).check_strength()


def test_loads_of_bogies_are_the_statics_of_their_pivots():
    car, mechanism = lumped("forwarder"), vehicle.read("forwarder").mechanism()
    mass = np.array([b.mass for b in mechanism.bodies])
    x = mass @ [b.position[0] for b in mechanism.bodies] / mass.sum()
    front = car.weight * (x + 2.9) / (1.9 + 2.9)
    assert car.loads == pytest.approx([front / 2] * 2 + [(car.weight - front) / 2] * 2, rel=2e-3)


@pytest.mark.parametrize("name", ["skid_steer", "forwarder"])
def test_speed_is_limited_by_the_motors_torque_over_speed(name):
    """On firm ground the torque on a wheel at full speed is its motor's, from the file's table."""
    car = lumped(name)
    part = next(p for p in vehicle.read(name).parts if isinstance(p, vehicle.HubDrives))
    rpm, torque = np.transpose(part.full_load)
    for slope in (0.05, 0.2, 0.3):
        found = going(car, 4e6, slope, driver=FREE)
        assert REASONS[int(found.reason)] == "power and gear"
        spin = float(found.speed) / car.radius / (1.0 - float(found.slip)) * 30.0 / np.pi
        each = balance(car, 4e6, slope)[L.TORQUE] / (2 * len(part.axles))
        assert each == pytest.approx(np.interp(spin, rpm, torque), rel=2e-3)
    assert car.most_torque == pytest.approx(2 * len(part.axles) * max(torque))
    weak = part.full_load[0][1] * 0.02
    slack = vehicle.read(name).with_part(vehicle.HubDrives, "motors", full_load=((0, weak), (50, 0)))
    assert going(lumped(slack), 4e6, 0.3).kind == NO_GO


def test_gravity_is_that_of_the_file():
    rover, mechanism = lumped("rover"), vehicle.load("rover")
    assert rover.weight == pytest.approx(3.71 * sum(b.mass for b in mechanism.bodies))
    assert rover.loads.sum() == pytest.approx(rover.weight)


def test_a_vehicle_that_no_map_can_take_is_a_sentence():
    lever = vehicle.read("forwarder").with_part(vehicle.Bogie, "front", pivot=(1.6, 1.1, 0.64))
    with pytest.raises(ValueError, match="Bogie 'front'.*pivot midway"):
        lumped(lever)
    both = vehicle.read("tractor")
    hub = vehicle.HubDrives(
        name="hubs", axles=("rear",), full_load=((0, 5), (9, 0)), left="x", right="x"
    )
    both = dataclasses.replace(both, parts=(*both.parts, hub), controls={**both.controls, "x": 0.0})
    with pytest.raises(ValueError, match="an engine and hub drives"):
        lumped(both)
