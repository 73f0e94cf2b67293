"""Implausible numbers in a vehicle's file: refused or warned of, with the part's name."""

import math
import re
import warnings

import pytest

import bodies as B
from bodies import vehicle
from bodies.vehicle.plausible import UnlikelyVehicle, wheel_loads
from tests.refusals import refusals

HMMWV, TRACTOR, TRUCK = (
    vehicle.path_of(name).read_text(encoding="utf-8") for name in ("hmmwv", "tractor", "truck")
)


def made(text):
    return vehicle.from_toml(text).mechanism()


def tensions(text, factor):
    """The file's text with the function ``factor`` applied to the forces of its spring tables."""
    pairs = re.compile(r"\[\s*(-?[\d.]+),\s*(-?[\d.]+)\s*\]")
    lines = [
        pairs.sub(lambda m: f"[{m[1]}, {factor(float(m[2]))}]", line)
        if line.startswith("spring_table")
        else line
        for line in text.splitlines()
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("name", [n for n in vehicle.shipped() if n != "trailer"])
def test_the_shipped_vehicles_are_likely(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vehicle.read(name).mechanism()


@pytest.mark.parametrize(("text", "part"), [(HMMWV, "DoubleWishbone 'front'"), (TRUCK, "RigidAxle")])
def test_springs_that_cannot_carry_the_vehicle_are_refused(text, part):
    for factor in (0.01, 0.001):
        with pytest.raises(B.MechanismError, match=f"{part}.*spring pushes with .* N at most"):
            made(tensions(text, lambda f, k=factor: k * f))
    made(tensions(text, lambda f: 0.7 * f))


test_springs_that_pull_where_they_should_push_are_refused = refusals(
    (lambda: made(tensions(HMMWV, lambda f: f + 2e5)), r"front.*its spring pu(shes|lls) with"),
    (lambda: made(tensions(HMMWV, lambda f: -f)), "must not fall in its second column"),
    error=B.MechanismError,
)


def test_static_shares_balance_the_weight():
    car = vehicle.read("hmmwv")
    mechanism, _ = car.assemble()
    loads = wheel_loads(mechanism, 9.81)
    weight = 9.81 * sum(body.mass for body in mechanism.bodies)
    assert sum(loads.values()) == pytest.approx(weight)
    assert loads["front_left"] == pytest.approx(loads["front_right"], rel=1e-2)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_body_far_from_the_wheels_is_warned_of_or_refused(axis):
    def moved(by):
        place = [1.75, 0.0, 0.95]
        place[axis] += by
        return TRACTOR.replace("centre_m = [1.75, 0.0, 0.95]", f"centre_m = {place}")

    assert moved(0.0) == TRACTOR
    with pytest.raises(B.MechanismError, match="CombustionEngine 'engine': body 'power pack' has its"):
        made(moved(94.0))
    with pytest.warns(UnlikelyVehicle, match="CombustionEngine 'engine'.*is that meant"):
        made(moved(11.0))


def test_a_mass_in_tonnes_is_warned_of():
    mass = "mass_kg = 6200.0"
    text = vehicle.path_of("forwarder").read_text(encoding="utf-8")
    assert mass in text
    with pytest.warns(
        UnlikelyVehicle, match=r"'frame' of 6.2 kg has a radius of gyration of 37.* in kg"
    ):
        made(text.replace(mass, "mass_kg = 6.2"))


def test_half_a_gear_is_none():
    """A gear number that is not an integer is refused in a file, as an input and in a schedule."""
    with pytest.raises(B.MechanismError, match="gear of 'gearbox', = 1.5 must be a whole number, -1 to"):
        made(re.sub(r"(?m)^gear = .*$", "gear = 1.5", HMMWV))
    mechanism = vehicle.load("hmmwv")
    with pytest.raises(B.MechanismError, match="must be a whole number"):
        mechanism.check_input("gear", 2.5)
    assert mechanism.check_input("gear", 2.0) == 2.0
    with pytest.raises(B.MechanismError, match=r"gear at 1 s = 0\.5 must be a whole number"):
        vehicle.load("hmmwv", controls={"gear": B.Schedule(((0.0, 0.0), (1.0, 0.5)))})


def test_values_in_degrees_bar_or_psi_are_refused_with_their_conversion():
    for key, value, said in (
        ("gamma_rad", "10", "10 degrees are 0.1745 rad"),
        ("pressure_Pa", "2.2", "2.2 bar are 220000 Pa"),
        ("pressure_Pa", "20", "20 psi are 137895 Pa"),
    ):
        with pytest.raises(B.MechanismError, match=said):
            made(re.sub(rf"(?m)^{key} = [\d.]+", f"{key} = {value}", HMMWV))
    with pytest.raises(B.MechanismError, match=r"heading \[rad\] = 90.0 must .*; 90 degrees are 1.571"):
        made("heading_rad = 90.0\n" + HMMWV)
    with pytest.raises(B.MechanismError, match="^vehicle: gravity.* up, .*; .0, 0, -9.81. points down"):
        made("gravity_m_s2 = [0.0, 0.0, 9.81]\n" + HMMWV)


@pytest.mark.parametrize(
    ("name", "control", "angle"),
    [
        ("hmmwv", "steering", 30.0),
        ("hmmwv_pitman", "steering", -30.0),
        ("tractor", "steering", 20.0),
        ("truck", "steering", 30.0),
        ("forwarder", "steering", 10.0),
        ("rover", "steer_rear_left", 10.0),
    ],
)
def test_a_steering_angle_in_degrees_is_refused_with_its_conversion(name, control, angle):
    said = rf"{angle:g} degrees are {math.radians(angle):.4g} rad"
    for value in (angle, B.Schedule.ramp(angle, 1.0)):
        with pytest.raises(B.MechanismError, match=said):
            vehicle.load(name, controls={control: value})


def test_a_long_value_is_cut_short_in_a_sentence():
    from mlcp.checks import LONGEST, shown

    nested = [[{"a": [1.0] * 9, "b": [[2.0] * 6] * 6, "c": "x" * 200}] * 6] * 6
    assert len(shown(nested)) <= LONGEST
    assert shown([[1.0, 2.0], [3.0, 4.0]]) == "[[1.0, 2.0], [3.0, 4.0]]"
