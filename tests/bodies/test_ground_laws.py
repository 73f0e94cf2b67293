"""Quarter vehicle with every ground law and regularisation: steady, on a slope, stopped, reversed."""

import functools

import numpy as np
import pytest
from scipy.optimize import brentq

import bodies as B
from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from contact import (
    LAWS,
    REGULARISATIONS,
    BekkerSoil,
    ConeIndexSoil,
    LuGre,
    Tabulated,
    Tyre,
    UserLaw,
    WheelContact,
)

from .mechanisms import drive

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
TYRE = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2)
CONE = {"sand": 3e5, "clay": 6e5, "clay-run-time": 6e5}
SCHEMES = [*sorted(REGULARISATIONS), "lugre"]
HOLDING = ["set-valued", "implicit", "lugre"]
OTHERS = {  # outside ``LAWS``: measured points, and a function that is not odd in the slip
    "measured": lambda: Tabulated(
        [0.0, 0.1, 0.4, 1.0], [0.02, 0.35, 0.6, 0.55], [0.05, 0.06, 0.08, 0.1]
    ),
    "own": functools.cache(
        lambda: UserLaw(
            lambda s, f: (0.03 + 0.6 * np.tanh(4.0 * s) * 2e4 / (f + 2e4), 0.06 + 0.05 * s**2),
            load=(100.0, 2e4),
            tolerance=1e-6,
        )
    ),
}
NAMES = [*sorted(LAWS), *OTHERS]
LOAD, R = 2452.5, 0.381


def wheel(name, scheme="implicit"):
    soil = BekkerSoil.sandy_loam() if name == "wong-reece" else ConeIndexSoil(CONE.get(name, 4e5))
    bristles = LuGre() if scheme == "lugre" else None
    scheme = "implicit" if bristles else scheme
    law = OTHERS[name]() if name in OTHERS else name
    return WheelContact(TYRE, soil, law=law, regularisation=scheme, lugre=bristles)


def torque_ratio(name, slip):
    """Wheel torque / (radius x load) at a slip: thrust ratio plus ratio of the rolling moment."""
    described = wheel(name)
    rho = described.ground_law.rolling_moment_ratio(slip, LOAD, TYRE, described.ground)
    return described.thrust_ratio(slip, LOAD) + rho


@functools.cache
def steady(name):
    """60 % of the law's largest torque [N m], and the slip with this torque by root search."""
    slips = np.linspace(1e-3, 1.0, 400)
    ratios = torque_ratio(name, slips)
    top = int(np.argmax(ratios))
    wanted = 0.6 * float(ratios[top])
    root = brentq(lambda s: float(torque_ratio(name, s)) - wanted, 1e-9, float(slips[top]), xtol=1e-14)
    return wanted * LOAD * R, root


def quarter(name, scheme, **changes):
    described = dict(mass=250.0, wheel_inertia=6.0, wheel=wheel(name, scheme), pull=50.0)
    return QuarterVehicle(**{**described, **changes})


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
def test_steady_state_is_the_laws_own_root(name, scheme):
    torque, slip = steady(name)
    start = 2.0 if name in ("ice", "wong-reece") else 4.0
    vehicle = quarter(name, scheme, torque=Schedule.constant(torque), pull=200.0)
    run, wheeled = drive(vehicle, 12.0, 2e-3, speed=start, record_every=100)
    assert wheeled.slip[-1] == pytest.approx(slip, abs=1e-6)
    thrust = float(wheel(name).thrust_ratio(slip, LOAD)) * LOAD
    resistance = float(wheel(name).resistance_ratio(slip, LOAD)) * LOAD
    assert 200.0 * wheeled.v_x[-1] ** 2 == pytest.approx(thrust - resistance, abs=5e-3)
    assert run.missed == 0
    assert run.residuals[-1] < 1e-8


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", HOLDING)
def test_stands_on_a_slope_with_the_brake_on(name, scheme):
    grade = 0.8 * float(torque_ratio(name, 1.0))
    vehicle = quarter(name, scheme, slope=grade / 2.0, brake=1e5, pull=0.0)
    run, _ = drive(vehicle, 12.0, 2e-3, record_every=50)
    x = run.position("wheel")[:, 0]
    assert np.ptp(x[run.time > 2.0]) < 1e-4  # before 2 s LuGre's bristles deflect
    assert np.abs(x).max() < 0.01


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["implicit", "global", "lugre"])
def test_starts_stops_and_reverses(name, scheme):
    torque, _ = steady(name)
    push = torque / 0.6 * 0.8
    times, values = (0.0, 1.0, 3.0, 3.5, 6.0, 7.0, 9.0), (0.0, push, push, 0.0, 0.0, -push, -push)
    torques = Schedule(tuple(zip(times, values, strict=True)))
    vehicle = quarter(name, scheme, torque=torques, brake=2.0, pull=20.0)
    run, there = drive(vehicle, 10.0, 2e-3)
    assert there.v_x.max() > 0.05
    assert there.v_x[-1] < 0.05
    assert run.missed == 0
    work = there.traction * (there.v_x - there.rim_speed) + there.resistance * there.v_x
    if scheme != "lugre":  # a bristle returns its stored energy
        assert work.max() <= 1e-6
    mirrored = Schedule(tuple((t, -x) for t, x in torques.points))
    astern, _ = drive(quarter(name, scheme, torque=mirrored, brake=2.0, pull=20.0), 10.0, 2e-3)
    assert run.position("wheel")[:, 0] == pytest.approx(-astern.position("wheel")[:, 0], abs=1e-6)


def test_rolling_moment_has_its_own_row():
    model = B.compile(quarter("wong-reece", "implicit", brake=1.0).mechanism())
    assert model.machine.contact.rows.z.size == 6  # normal, traction, stick, resistance, spin, brake
