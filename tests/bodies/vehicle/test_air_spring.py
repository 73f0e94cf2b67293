"""Air springs given by load and volume, alone and in the truck, against statics by hand."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .drives import standing

G = 9.80665


def test_the_table_is_the_polytropic_gas():
    spring = vehicle.AirSpring(load=2e4, volume=0.012, pressure=5e5, exponent=1.3)
    table = np.array(spring.table)
    area = 2e4 / 5e5
    elongation, tension = table.T
    volume = 0.012 + area * elongation
    gas = (5e5 + spring.ambient) * (0.012 / volume) ** 1.3 - spring.ambient
    np.testing.assert_allclose(-tension, area * np.maximum(gas, 0.0), rtol=1e-12, atol=1e-9)
    assert np.interp(0.0, elongation, -tension) == pytest.approx(2e4)
    stiffness = np.interp(1e-3, elongation, tension) - np.interp(-1e-3, elongation, tension)
    assert stiffness / 2e-3 == pytest.approx(1.3 * area**2 * (5e5 + spring.ambient) / 0.012, rel=0.02)
    assert tension[-1] == 0.0  # an air spring never pulls
    assert (np.diff(tension) >= 0.0).all()


def test_the_truck_on_air_stands_at_the_described_height():
    car = vehicle.read("truck_6x6_air")
    mechanism = car.mechanism()
    sim = standing(mechanism)
    sim.run(1)
    loads = {name: reading.load for name, reading in vehicle.wheel_readings(sim).items()}
    weight = G * sum(body.mass for body in mechanism.bodies)
    assert sum(loads.values()) == pytest.approx(weight, rel=1e-4)
    x = np.array([0.0, -3.8, -5.2])  # x of the axles [m]
    carried = np.array(
        [sum(loads[f"{a}_{s}"] for s in ("left", "right")) for a in ("front", "middle", "rear")]
    )
    centre = sum(b.mass * sim.position(b.name)[0] for b in mechanism.bodies) * G / weight
    assert carried @ x / weight == pytest.approx(centre, abs=0.02)
    described = {body.name: body.position for body in mechanism.bodies}["frame"]
    assert sim.position("frame")[2] == pytest.approx(described[2], abs=0.03)
    # force of each bellows: load of its wheel less the weight of the parts below it
    below = {"front": 384.0 / 2 + 145.6 + 194.3 + 25.0 / 2 + 12.0, "rear": 734.0 / 2 + 194.3 + 25.0 / 2}
    for axle, mass in below.items():
        spring = car.part(vehicle.RigidAxle, axle).air_spring
        for side in ("left", "right"):
            assert loads[f"{axle}_{side}"] - mass * G == pytest.approx(spring.load, rel=0.08)


def test_a_spring_is_of_steel_or_of_air():
    car = vehicle.read("truck_6x6_air")
    axle = car.part(vehicle.RigidAxle, "rear")
    with pytest.raises(B.MechanismError, match="spring_table and free_length, or an air_spring"):
        dataclasses.replace(axle, air_spring=None)
    with pytest.raises(B.MechanismError, match="spring_table and free_length, or an air_spring"):
        dataclasses.replace(axle, free_length=0.5)


def test_a_file_removes_a_table_or_a_key_of_its_base():
    robot = 'name = "x"\nbase = "skid_steer"\nremove = ["hard", "contact.combined"]\n'
    assert vehicle.read("skid_steer").hard
    assert vehicle.from_toml(robot).hard is None
    text = 'name = "x"\nbase = "truck"\nremove = ["rigid_axle.front.brake_capacity_N_m"]\n'
    assert vehicle.from_toml(text).part(vehicle.RigidAxle, "front").brake_capacity == 0.0
    with pytest.raises(B.UnknownName, match="did you mean 'rigid_axle.front.brake_capacity_N_m'"):
        vehicle.from_toml(text.replace("capacity", "capacty"))
