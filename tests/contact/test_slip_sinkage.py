"""Slip-sinkage: a wheel's load at a given sinkage and slip is the integral of eq 9 of Peiret et al."""

import math

import numpy as np
import pytest

from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from contact import SOILS, ConeIndexSoil, GroundContact, Tyre, WheelContact, WongReece
from tests.bodies.mechanisms import drive

from .free_wheel import lead
from .test_wong_reece import naive

TYRE, SAND = Tyre(0.9, 0.25, 0.3, deflection=0.05), SOILS["dry sand"].bekker
R, WIDTH, H = TYRE.radius, TYRE.width, 1e-3


def wheel(**changes):
    return WheelContact(TYRE, SAND, base=SAND, law="wong-reece", slip_sinkage=True, **changes)


def load_at(ground, compression, slip):
    """Load [N] of a wheel with a fixed compression and slip (sliding over rim speed)."""
    return float(lead(ground, H, -compression, (1.0 - slip, 0.0, 0.0, 1.0 / R))[0])


@pytest.mark.parametrize("s", [0.0, 0.05, 0.2, 0.5, 1.0])
def test_the_load_is_the_quadrature_of_eq_9(s):
    ground = GroundContact([wheel()])
    for theta_1 in (0.15, 0.5, 0.9):
        force = naive(SAND, R, WIDTH, theta_1, 0.0, s)[0]
        compression = R * (1.0 - math.cos(theta_1)) + force / TYRE.stiffness
        assert load_at(ground, compression, s) == pytest.approx(force, rel=1e-6)


def test_sinkage_over_slip_is_the_equilibrium_of_the_law():
    """At the law's sinkage plus tyre deflection a wheel carries its load, a braking wheel within 2 %."""
    ground, load = GroundContact([wheel()]), 6000.0
    slips = np.array([-0.9, -0.3, 0.0, 0.1, 0.3, 0.6, 1.0])
    sinkage = WongReece().wheel(SAND, R, WIDTH, load, slips).sinkage
    for s, sunk in zip(slips, sinkage, strict=True):
        s_v = s if s >= 0.0 else s / (1.0 + s)  # sliding over rim speed, the slip of load_at
        found = load_at(ground, sunk + load / TYRE.stiffness, s_v)
        assert found == pytest.approx(load, rel=1e-6 if s >= 0.0 else 2e-2)
    assert (np.diff(sinkage[2:]) > 0.0).all()
    assert wheel().static_compression(load) == pytest.approx(
        sinkage[2] + load / TYRE.stiffness, rel=1e-9
    )


def test_a_wheel_that_spins_digs_in():
    """At the end of a run the sinkage, which lags the slip by one step, is within 1 % of the law's."""
    deep = []
    for torque in (900.0, 1500.0):
        vehicle = QuarterVehicle(600.0, 12.0, wheel(), Schedule.ramp(torque, 0.5), pull=0.0)
        run, record = drive(vehicle, 3.0, 2e-3)
        assert run.missed == 0
        deep.append(record.sinkage[-1])
        load, slip = record.load[-1], record.slip[-1]
        wanted = WongReece().wheel(SAND, R, WIDTH, load, slip).sinkage
        assert deep[-1] == pytest.approx(float(wanted), rel=1e-2)
    assert deep[1] > 1.5 * deep[0]


def test_other_laws_have_no_such_stress():
    with pytest.raises(ValueError, match="slip_sinkage needs the stresses of the law 'wong-reece'"):
        WheelContact(TYRE, ConeIndexSoil(4e5), slip_sinkage=True)
