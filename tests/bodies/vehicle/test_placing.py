"""A vehicle whose origin (x, y) is given without a height stands on the ground at this point."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.vehicle.placing import ground_height
from contact.terrain import Sine, Slope, SmoothHeightField

from .drives import standing

GROUNDS = {
    "plane": B.Plane((0.0, 0.0, 2.0)),
    "slanted plane": B.Plane((1.0, 0.0, 0.5), (0.1, -0.2, 1.0)),
    "slope": Slope(z_0=3.0, grade_x=0.1, grade_y=-0.05),
    "sine": Sine(amplitude=0.5, wavelength=40.0, heading=0.3),
    "height field": B.HeightField((-50.0, -50.0), (25.0, 25.0), ((0.0, 1.0, 0.5, 2.0, 1.0),) * 5),
}


def gaps(mechanism):
    """Height of every wheel's lowest point above the ground below its centre [m]."""
    return [
        wheel.centre[2] - wheel.radius - ground_height(wheel.ground, *wheel.centre[:2])
        for wheel in mechanism.wheels
    ]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_the_first_wheel_touches_and_none_is_below(ground, heading):
    car = dataclasses.replace(vehicle.read("hmmwv"), origin=(12.0, -7.0), heading=heading)
    mechanism = car.mechanism(ground=GROUNDS[ground])
    found = gaps(mechanism)
    assert min(found) == pytest.approx(0.0, abs=1e-12)
    described = car.mechanism(ground=B.Plane())
    for one, two in zip(mechanism.bodies, described.bodies, strict=True):
        assert one.position[:2] == two.position[:2]


def test_heights_are_those_of_the_grounds():
    plane = GROUNDS["slanted plane"]
    x, y, z = 3.0, 4.0, ground_height(plane, 3.0, 4.0)
    assert np.dot(plane.normal, np.subtract((x, y, z), plane.point)) == pytest.approx(0.0, abs=1e-12)
    field = GROUNDS["height field"]
    assert ground_height(field, -25.0, 25.0) == field.heights[1][3]
    assert ground_height(field, -30.0, 0.0) == pytest.approx(field.heights[1][2])
    assert ground_height(field, 0.0, -37.5) == pytest.approx(0.5 * (0.0 + 1.0))


def test_a_file_gives_two_numbers_and_its_ground():
    text = vehicle.path_of("skid_steer").read_text(encoding="utf-8")
    head, tail = text.split("[controls]", 1)
    place = 'origin_m = [4.0, 3.0]\n\n[ground]\ntype = "slope"\nz_0_m = 8.0\ngrade_x = 0.2\n\n'
    text = f"{head}{place}[controls]{tail}"
    car = vehicle.from_toml(text)
    assert car.origin == (4.0, 3.0)
    mechanism = car.mechanism()
    assert min(gaps(mechanism)) == pytest.approx(0.0, abs=1e-12)
    assert 8.8 < mechanism.bodies[0].position[2] < 9.2
    with pytest.raises(B.MechanismError, match="origin"):
        vehicle.from_toml(text.replace("[4.0, 3.0]", "[4.0]"))


def test_a_ground_without_a_height_there_is_a_sentence():
    beyond = dataclasses.replace(vehicle.read("skid_steer"), origin=(20.0, 20.0))
    upright = B.Plane((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    with pytest.raises(B.MechanismError, match="no height at"):
        beyond.mechanism(ground=upright)


def test_a_start_outside_the_grid_of_heights_is_refused():
    """A start at the grid's corner, with a wheel inside, is accepted; starts outside are refused."""
    flat = SmoothHeightField(np.zeros((5, 9)), (2.0, 3.0), (100.0, 50.0))  # x 100 to 116 m
    robot = vehicle.read("skid_steer")
    for x, y in ((100.0, 50.0), (116.0, 62.0)):
        dataclasses.replace(robot, origin=(x, y)).mechanism(ground=flat)
    for x, y in ((97.0, 55.0), (119.0, 55.0), (105.0, 47.0), (105.0, 65.0)):
        with pytest.raises(B.MechanismError, match="outside .* x 100 to 116 m, y 50 to 62 m"):
            dataclasses.replace(robot, origin=(x, y)).mechanism(ground=flat)


def test_equilibrium_at_coordinates_of_a_map():
    """Wheel loads at coordinates of 5e6 m, whose round-off accelerates light bodies by 0.01 m/s^2, equal
    those at the origin."""
    load = []
    for x, y in ((0.0, 0.0), (402520.3, 5390960.7)):
        car = dataclasses.replace(vehicle.read("hmmwv"), origin=(x, y, 0.0))
        sim = standing(car.mechanism())
        sim.run(1)
        load.append([wheel.load for wheel in vehicle.wheel_readings(sim).values()])
    assert load[1] == pytest.approx(load[0], rel=1e-4)


@pytest.mark.parametrize("heading", [0.0, 1.0])
def test_trailers_are_raised_with_their_towing_vehicle(heading):
    """Trailers kept the height of their file, at which their wheels sink into the soil: the vehicle
    stood 0.12 m too high before its trailer."""
    car = dataclasses.replace(vehicle.read("hmmwv"), origin=(0.0, 0.0), heading=heading)
    trailer = vehicle.read("trailer")
    for ground in (B.Plane(), GROUNDS["slope"]):
        mechanism = car.mechanism(ground=ground, towing=(trailer,))
        assert min(gaps(mechanism)) == pytest.approx(0.0, abs=1e-12)
        lowest = [wheel.centre[2] - wheel.radius for wheel in mechanism.wheels]
        assert min(lowest[:4]) == pytest.approx(min(lowest[4:]), abs=1e-12)
    assert car.raised(towing=(trailer,))[1].origin[:2] == trailer.origin[:2]
    ahead = dataclasses.replace(car, origin=(0.0, 0.0, 0.5))
    assert ahead.raised(towing=(trailer,)) == (ahead, trailer)
