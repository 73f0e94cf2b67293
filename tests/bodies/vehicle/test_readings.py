"""Largest deviation of a wheel's forces (``WheelReading``) from its ground law: ``off_the_law``."""

from dataclasses import replace

import pytest

import bodies as B
from bodies.vehicle import WheelReading, off_the_law
from contact import ConeIndexSoil, Tyre, WheelContact

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
LOAD = 6000.0
R = 0.381


def a_wheel(law="brixius"):
    soil = WheelContact(Tyre(2 * R, 0.2, 0.14), ConeIndexSoil(4e5), law=law)
    return B.Wheel(name="w", body="rim", centre=(0.0, 0.0, R), soil=soil)


def on_the_law(wheel, slip, v_x=2.0):
    """The reading of a wheel that drives ahead exactly on its law."""
    v_t = -slip * v_x / (1.0 - slip) if slip >= 0.0 else -slip * v_x
    soil = wheel.soil
    return WheelReading(
        "w", LOAD, float(soil.thrust_ratio(slip, LOAD)) * LOAD, 0.0,
        float(soil.resistance_ratio(slip, LOAD)) * LOAD, v_t, v_x, 0.0, slip,
        float(soil.rolling_moment_ratio(slip, LOAD)) * LOAD,
    )  # fmt: skip


@pytest.mark.parametrize("law", ["brixius", "brixius-radial", "sand", "clay"])
@pytest.mark.parametrize("slip", [-0.6, -0.1, 0.05, 0.3, 0.8])
def test_a_wheel_on_its_law_is_not_off_it(law, slip):
    assert off_the_law(on_the_law(a_wheel(law), slip), a_wheel(law)) < 1e-12


@pytest.mark.parametrize("force", ["traction", "resistance", "rolling"])
def test_a_force_too_large_is_off_by_its_share_of_the_load(force):
    wheel = a_wheel()
    reading = on_the_law(wheel, 0.3)
    more = replace(reading, **{force: getattr(reading, force) + 0.07 * LOAD})
    assert off_the_law(more, wheel) == pytest.approx(0.07, rel=1e-9)


def test_at_zero_slip_any_thrust_within_the_jump_is_on_the_law():
    wheel = a_wheel()
    jump = float(wheel.soil.thrust_ratio(1e-12, LOAD)) * LOAD
    assert jump > 0.0
    rolling = on_the_law(wheel, 0.0)
    for share in (-1.0, -0.4, 0.0, 0.9):
        assert off_the_law(replace(rolling, traction=share * jump), wheel) < 1e-9
    beyond = replace(rolling, traction=-jump - 0.02 * LOAD)
    assert off_the_law(beyond, wheel) == pytest.approx(0.02, rel=1e-9)


def test_a_wheel_that_rolls_backwards_is_resisted_the_other_way():
    wheel = a_wheel()
    ahead = on_the_law(wheel, 0.2)
    back = replace(
        ahead, traction=-ahead.traction, resistance=-ahead.resistance, v_t=-ahead.v_t, v_x=-ahead.v_x,
        slip=-ahead.slip, rolling=-ahead.rolling,
    )  # fmt: skip
    assert off_the_law(back, wheel) < 1e-12
    assert off_the_law(replace(back, resistance=ahead.resistance), wheel) > 0.05


def test_where_rim_and_centre_go_opposite_ways_it_is_held_against_the_mean_of_both():
    wheel, slip = a_wheel(), 1.0
    driving, braking = (float(wheel.soil.thrust_ratio(s, LOAD)) * LOAD for s in (slip, -slip))
    resistance = [float(wheel.soil.resistance_ratio(s, LOAD)) * LOAD for s in (slip, -slip)]
    rim, v_x = 1.0, -1.0  # opposite speeds: forces are means of driving and braking
    reading = WheelReading(
        "w", LOAD, 0.5 * (driving - braking), 0.0, -0.5 * sum(resistance), v_x - rim, v_x, 0.0, slip, 0.0
    )
    assert off_the_law(reading, wheel) < 1e-12
