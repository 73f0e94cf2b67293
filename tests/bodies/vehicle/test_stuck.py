"""Stuck with spinning wheels: no jitter and no creep under any scheme."""

import numpy as np
import pytest

import bodies as B
from bodies import Schedule, vehicle
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

from ..mechanisms import drive
from .drives import full_throttle

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
TYRE = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0)
LOAD = 250.0 * 9.81
SCHEMES = ["global", "implicit", "local", "set-valued"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("law", ["brixius", "clay-run-time", "sand"])
def test_a_quarter_vehicle_that_the_law_holds_stands_still(law, scheme):
    held = 0
    for step in (1e-4, 1e-3, 5e-3, 1 / 60):
        for cone_index in (6e4, 1.1e5, 1.3e5, 2e5):
            wheel = WheelContact(TYRE, ConeIndexSoil(cone_index), law=law, regularisation=scheme)
            if wheel.thrust_ratio(1.0, LOAD) > wheel.resistance_ratio(1.0, LOAD):
                continue
            for torque in (600.0, -600.0):  # torque [N m] ahead and in reverse
                car = QuarterVehicle(250.0, 6.0, wheel, Schedule.ramp(torque, 0.5))
                run, record = drive(car, 1.5, step)
                if abs(record.slip[-1]) < 0.999:
                    continue
                held += 1
                late = record.v_x[2 * len(record.v_x) // 3 :]
                assert np.sqrt(np.mean((np.diff(late) / step) ** 2)) < 1e-3
                assert np.abs(late).max() * 60.0 < 1e-4  # creep [m] in a minute
                assert run.missed == 0
    assert held >= 4


def test_a_wheel_that_spins_in_place_is_held_sideways():
    """Wheels of a 4x4 with ``combined="demand"`` spin at 110 kPa cone index, creep < 0.1 mm a minute."""
    changes = dict(regularisation="implicit", soil=ConeIndexSoil(1.1e5), combined="demand")
    model = B.compile(vehicle.read("hmmwv_4x4").on(**changes).mechanism(full_throttle()))
    sim = B.Simulation(model, 1 / 60)
    sim.run(480)
    for reading in vehicle.wheel_readings(sim).values():
        assert abs(reading.slip) > 0.99
        assert max(abs(reading.v_x), abs(reading.v_y)) * 60.0 < 1e-4  # creep [m] in a minute
        assert abs(reading.lateral) > 100.0  # a lateral force acts
    assert abs(sim.velocity("frame")[0]) * 60.0 < 1e-4


def test_a_wheel_that_spins_in_place_has_little_lateral_grip():
    """By default the force opposes the sliding: lateral force over traction is v_y over sliding speed.

    A wheel in place hardly moves sideways, so that its traction is nearly the whole force.
    """
    model = B.compile(vehicle.read("hmmwv_4x4").on(soil=ConeIndexSoil(1.1e5)).mechanism(full_throttle()))
    sim = B.Simulation(model, 1 / 60)
    sim.run(480)
    for reading in vehicle.wheel_readings(sim).values():
        sine = reading.v_y / np.hypot(reading.v_t, reading.v_y)
        assert abs(reading.slip) > 0.99
        assert abs(reading.traction / reading.lateral * sine) == pytest.approx(1.0, rel=2e-3)
    assert sim.missed == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("step", [1e-3, 1 / 60])
def test_a_vehicle_digs_in_without_shaking(scheme, step):
    """Wheels spin, cone index 110 kPa: acceleration < 1 mm/s^2 (rms), creep < 0.1 mm a minute."""
    changes = dict(regularisation=scheme, soil=ConeIndexSoil(1.1e5))
    model = B.compile(vehicle.read("hmmwv_4x4").on(**changes).mechanism(full_throttle()))
    sim = B.Simulation(model, step)
    sim.run(round(12.0 / step))
    before, speeds = sim.position("frame"), []
    for _ in range(round(2.0 / step)):
        sim.run(1)
        speeds.append(sim.velocity("frame")[0])
    assert min(abs(r.slip) for r in vehicle.wheel_readings(sim).values()) > 0.99
    assert np.sqrt(np.mean((np.diff(speeds) / step) ** 2)) < 1e-3
    assert np.abs(sim.position("frame") - before)[0] * 30.0 < 1e-4
    assert sim.missed == 0
