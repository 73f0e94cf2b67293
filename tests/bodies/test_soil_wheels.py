"""Wheels on soil in three dimensions: the same motion as the planar quarter vehicle."""

from dataclasses import replace

import numpy as np
import pytest

import bodies as B
from bodies.vehicle import QuarterVehicle
from contact import REGULARISATIONS, BekkerSoil, ConeIndexSoil, Tyre, WheelContact
from mlcp import Direct

from . import naive_quarter
from .test_ground import tandem

R = 0.381


LOAM = BekkerSoil.sandy_loam()


def contact(scheme="implicit", ratio=0.0):
    tyre = Tyre(2 * R, 0.2, 0.14, deflection_ratio=ratio)
    return WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme)


def quarter_mechanism(scheme, torque, speed=1.0, brake=None, lift=0.0, soil=None):
    """Quarter vehicle of Peiret et al. in space: a light slide keeps carrier and wheel upright."""
    held = B.Brake(name="brake", joint="hub0", capacity=brake or 0.0, pressure=1.0)
    soil = soil or contact(scheme)
    more = {"height": lift, "slide": 1e-3, "elements": () if brake is None else (held,)}
    return replace(tandem(B.Plane(), 1, torque, speed, soil, **more), name="quarter")


@pytest.mark.parametrize("scheme", sorted(set(REGULARISATIONS) - {"local-current", "set-valued"}))
def test_quarter_vehicle_in_three_dimensions_moves_as_in_the_plane(scheme):
    planar = QuarterVehicle(250.0, 6.0, contact(scheme), torque=300.0)
    hand = naive_quarter.drive(planar, 4.0, 1e-3, speed=1.0)
    model = B.compile(quarter_mechanism(scheme, 300.0))
    space = B.simulate(model, 4.0, 1e-3)
    assert space.velocity("wheel0")[1:, 0] == pytest.approx(hand.v_x, abs=1e-4)
    assert R * space.angular_velocity("wheel0")[1:, 1] == pytest.approx(R * hand.omega, abs=1e-4)
    assert space.channel_force("tyre0")[-1, 0] == pytest.approx(2452.5, rel=1e-3)
    assert space.missed == 0
    assert space.residuals[-1] < 1e-10


def test_a_wheels_record_is_on_its_law():
    """In steady motion the record's traction and resistance are the law's at its slip, to 1e-8."""
    model = B.compile(quarter_mechanism("implicit", 300.0))
    run = B.simulate(model, 8.0, 1e-3, record_every=1000)
    wheel, law = run.wheel("tyre0"), contact()
    s, load = wheel.slip[-1], wheel.load[-1]
    assert wheel.traction[-1] == pytest.approx(float(law.thrust_ratio(s, load)) * load, rel=1e-8)
    resistance = float(law.resistance_ratio(s, load)) * load
    assert wheel.resistance[-1] == pytest.approx(-resistance, rel=1e-8)
    assert wheel.v_x[-1] == pytest.approx(run.velocity("wheel0")[-1, 0], rel=1e-6)
    omega = run.angular_velocity("wheel0")[-1, 1]
    assert wheel.rim_speed[-1] == pytest.approx(omega * R, rel=1e-6)
    assert 0.0 < wheel.sinkage[-1] < law.static_compression(load)
    assert wheel.forward[-1] == pytest.approx([1, 0, 0], abs=1e-9)
    assert "tyre0.load [N]" in run.columns()


@pytest.mark.parametrize("torque", [450.0, -150.0])
def test_thrust_resistance_and_rolling_moment_of_a_wheel_on_loam(torque):
    """Thrust, resistance and rolling moment are Wong and Reece's, and balance the accelerations."""
    law = WheelContact(Tyre(2 * R, 0.2, 0.14), LOAM, law="wong-reece")
    mechanism = quarter_mechanism("implicit", torque, speed=3.0, soil=law)
    model = B.compile(mechanism)
    run = B.simulate(model, 0.3, 1e-3, record_every=1)
    wheel = run.wheel("tyre0")
    s, load = wheel.slip[-1], wheel.load[-1]
    assert np.sign(s) == np.sign(torque)
    assert wheel.traction[-1] / load == pytest.approx(float(law.thrust_ratio(s, load)), abs=1e-9)
    assert -wheel.resistance[-1] / load == pytest.approx(float(law.resistance_ratio(s, load)), abs=1e-9)
    rho = float(law.rolling_moment_ratio(s, load))
    assert -wheel.rolling_moment[-1] / load / R == pytest.approx(rho, abs=1e-9)
    # balance of moments about the axle, then of forces on the vehicle along x
    spin = np.diff(run.angular_velocity("wheel0")[:, 1])[-1] / 1e-3 * 6.0
    ground = wheel.rolling_moment[-1] - R * wheel.traction[-1]
    assert spin == pytest.approx(torque + ground, abs=0.01 * abs(torque))
    gain = np.diff(run.velocity("carrier0")[:, 0])[-1] / 1e-3 * 250.0
    assert gain == pytest.approx(wheel.traction[-1] + wheel.resistance[-1], rel=1e-3)


class Own:
    """User's solver without a kernel: the step runs stage by stage from Python."""

    name, exact, handles_bilateral, warm_starts = "own", True, True, True
    needs, tolerance = "a P-matrix", 1e-10

    def __init__(self):
        self.calls = 0

    def answer(self, problem, tol, start):
        self.calls += 1
        return Direct().answer(problem, tol, start)


def test_a_solver_of_ones_own_drives_too():
    model, own = B.compile(quarter_mechanism("implicit", 300.0)), Own()
    ends = [
        B.simulate(model, 0.05, 1e-3, solver=solver).velocity("wheel0")[-1] for solver in ("direct", own)
    ]
    assert own.calls >= 50
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


def test_brake_is_one_of_the_rows_and_stops_the_wheel():
    model = B.compile(quarter_mechanism("implicit", 0.0, speed=3.0, brake=2000.0))
    run = B.simulate(model, 3.0, 1e-3)
    assert np.abs(run.velocity("wheel0")[-1]).max() < 1e-6
    assert run.velocity("wheel0")[:, 0].min() > -1e-3
    assert run.missed == 0  # round-off of three redundant rows is no missed step


def test_light_bodies_beside_heavy_ones_come_to_rest():
    """A slide of 1 g beside 250 kg, 1 cm above its rest: ``equilibrium`` finds the static load."""
    mechanism = quarter_mechanism("implicit", 0.0, speed=0.0, brake=1e4, lift=0.01)
    model = B.compile(mechanism)
    state = B.equilibrium(model)
    run = B.simulate(model, 0.1, 1e-3, state=state)
    assert run.wheel("tyre0").load[-1] == pytest.approx(250.0 * 9.81, rel=1e-8)
    assert np.abs(run.velocity("carrier0")).max() < 1e-7
    assert run.missed == 0
