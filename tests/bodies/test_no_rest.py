"""Vehicles without a static equilibrium: the message of `equilibrium` names the wheel or body."""

import dataclasses

import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil, Tyre, WheelContact


def weighed_down(mass, pressure=2e5, **wheel):
    """Model of a mass on one wheel, guided vertically."""
    soil = WheelContact(Tyre(0.762, 0.2, 0.14, pressure=pressure), ConeIndexSoil(4e5))
    given = {"soil": soil} if not wheel else wheel
    body = B.Body("load", mass, (0.05 * mass,) * 3, position=(0, 0, 0.381))
    post = B.Prismatic(name="post", body_a="ground", body_b="load", axis=(0, 0, 1))
    tyre = B.Wheel(name="tyre", body="load", centre=(0, 0, 0.381), **given)
    return B.compile(B.Mechanism("stand", (body,), (post,), wheels=(tyre,)))


def test_a_tyre_bears_its_section_height_and_no_more():
    """A tyre bears its stiffness pi p sqrt(D b) times its section height of 0.14 m, here 17.2 kN.

    p: inflation pressure (1 bar), D: diameter, b: width.
    """
    low = {"pressure": 1e5}
    bears = Tyre(0.762, 0.2, 0.14, **low).stiffness * 0.14
    B.equilibrium(weighed_down(0.99 * bears / 9.80665, **low))
    words = "wheel 'tyre' cannot stand: .* more than its section height of 0.14 m .* raise its pressure"
    with pytest.raises(B.SimulationError, match=words):
        B.equilibrium(weighed_down(1.01 * bears / 9.80665, **low))
    with pytest.raises(B.SimulationError, match=words):
        B.equilibrium(weighed_down(250.0, pressure=1e4))
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14, **low), ConeIndexSoil(4e5))
    assert wheel.static_compression(0.999 * bears) > 0.13
    with pytest.raises(ValueError, match="section height"):
        wheel.static_compression(1.001 * bears)


def test_no_wheel_stands_with_its_centre_below_ground():
    B.equilibrium(weighed_down(250.0, radius=0.381, stiffness=1e4))
    with pytest.raises(B.SimulationError, match="centre of wheel 'tyre' is .* m below ground"):
        B.equilibrium(weighed_down(250.0, radius=0.381, stiffness=4e3))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        # earlier searches ended at a false equilibrium, 0.29 m deep at 5000 Pa, 1.5e12 m away at 1380 Pa
        ({"pressure": 5000.0}, "wheel '.*' cannot stand"),
        ({"pressure": 1380.0}, "cannot stand|still accelerates|apart"),
    ],
)
def test_a_vehicle_on_flat_tyres_is_refused(change, words):
    v = vehicle.read("hmmwv")
    flat = dataclasses.replace(v.wheel, tyre=dataclasses.replace(v.wheel.tyre, **change))
    model = B.compile(dataclasses.replace(v, wheel=flat).mechanism({"gear": 0, "brake": 1.0}))
    with pytest.raises(B.SimulationError, match=words):
        B.equilibrium(model)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("was", "becomes", "controls"),
    [
        ("mass_kg = 1076.68", "mass_kg = 24000.0", {"throttle": 0.3, "gear": 2}),
        ("mass_kg = 1076.68", "mass_kg = 30000.0", {"throttle": 0.3, "gear": 2}),
        ("mass_kg = 1076.68", "mass_kg = 25000.0", {"throttle": 1.0, "gear": 3}),
        ("mass_kg = 71.1", "mass_kg = 71100.0", {"gear": 0, "brake": 1.0}),
        ("free_length_m = 0.31803", "free_length_m = 1.8", {"gear": 0, "brake": 1.0}),
        ("pressure_Pa = 138000.0", "pressure_Pa = 1380.0", {"gear": 0, "brake": 1.0}),
    ],
)
def test_a_vehicle_with_a_number_in_the_wrong_unit_finds_no_rest(was, becomes, controls):
    text = vehicle.path_of("hmmwv").read_text()
    assert was in text
    wrong = vehicle.from_toml(text.replace(was, becomes, 1))
    # springs too weak for the vehicle raise a MechanismError
    with pytest.raises((B.SimulationError, B.MechanismError)):
        B.equilibrium(B.compile(wrong.mechanism(controls)))


@pytest.mark.parametrize(
    "arguments", [{"tolerance": -1.0}, {"tolerance": "x"}, {"rounds": 0}, {"rounds": 1.5}, {"state": 1}]
)
def test_wrong_arguments_of_equilibrium_are_refused_in_a_sentence(arguments):
    with pytest.raises(B.MechanismError):
        B.equilibrium(weighed_down(250.0), **arguments)
