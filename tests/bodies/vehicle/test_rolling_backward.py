"""Energy of vehicles that roll backward in gear: an engine gives none outside its table.

A seeded fuzzer of random controls, in every gear of every vehicle that has an engine.
"""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import terrain as T

from .test_random_drives import random_controls

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
GEARS = {
    "backhoe_loader": 4,
    "hmmwv": 6,
    "hmmwv_4x4": 6,
    "hmmwv_pitman": 6,
    "tractor": 8,
    "truck": 9,
    "truck_6x6_air": 9,
    "wheel_loader": 4,
}  # all shipped vehicles with a combustion engine
EVERY = [(name, gear) for name, last in GEARS.items() for gear in (-1, *range(1, last + 1))]


def known(name, controls):
    """Controls that a vehicle has: with a converter no clutch, with articulated frames no steering."""
    inputs = B.compile(vehicle.load(name)).input_index
    return {key: signal for key, signal in controls.items() if key in inputs}


def moving(car, speed):
    """The described vehicle with all bodies at ``speed`` [m/s] along x, none of them turning."""
    bodies = (dataclasses.replace(b, velocity=(speed, 0.0, 0.0)) for b in car.bodies)
    return B.compile(dataclasses.replace(car, bodies=tuple(bodies)))


def checked_drive(model, seconds, step=1e-3):
    """Run and check: the engine dissipates while it turns backward or beyond its governor, and the
    vehicle's energy gain is the recorded work."""
    sim = B.Simulation(model, step, record_work=True)
    engine = next(e for e in model.mechanism.elements if isinstance(e, B.Engine))
    points = engine.tables()[0]
    governed = points[1 + max(k for k, (_, torque) in enumerate(points) if torque > 0.0)][0]
    start, work, place, rate = sim.energy().kinetic, 0.0, sim.coordinate(engine.joint), 0.0
    for _ in range(round(seconds / step)):
        sim.run(1)
        now, there = sim.work_done()[engine.name], sim.coordinate(engine.joint)
        rates = rate, (there - place) / step
        if max(rates) < 0.0 or min(rates) > governed:
            assert now - work <= 1e-9 * abs(now)
        work, place, rate = now, there, rates[1]
        assert abs(rate) < 4.0 * governed
    gained = sim.energy().kinetic - start
    booked = sim.work_done()
    size = sum(map(abs, booked.values())) + start
    assert sum(booked.values()) == pytest.approx(gained, abs=1e-6 * size)
    return sim


@pytest.mark.parametrize("name", GEARS)
def test_an_engine_that_is_rolled_backward_slows_the_vehicle_and_starts(name):
    """Full throttle in third gear slows a vehicle that rolls backward at 3 m/s below 2.5 m/s in 1 s."""
    controls = known(name, {"throttle": 1.0, "gear": 3, "clutch": 1.0})
    sim = checked_drive(moving(vehicle.load(name, controls=controls, cone_index=1e6), -3.0), 1.0)
    assert sim.velocity("frame")[0] > -2.5


def test_a_truck_in_reverse_on_a_slope_starts_from_standstill():
    ground = T.Plane(grade_x=0.16, grade_y=-0.14)
    controls = {"throttle": 1.0, "gear": -1}
    truck = vehicle.load("truck", controls=controls, cone_index=114e3, ground=ground)
    sim = checked_drive(B.compile(truck), 1.0)
    assert abs(sim.angular_velocity("crankshaft")[0]) < 300.0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "gear"), EVERY)
def test_random_drives_from_rolling_backward_gain_at_most_the_engines_work(name, gear):
    seed = 100 * sorted(GEARS).index(name) + gear + 1
    for k in range(3):
        rng = np.random.default_rng((seed, k))
        controls = random_controls(rng, 3.0) | {"gear": gear}
        if rng.random() < 0.5:
            controls["clutch"] = 1.0
        ground = T.Plane(grade_x=rng.uniform(-0.2, 0.2), grade_y=rng.uniform(-0.15, 0.15))
        cone_index = 10.0 ** rng.uniform(np.log10(1.5e5), 6.3)
        controls = known(name, controls)
        car = vehicle.load(name, controls=controls, cone_index=cone_index, ground=ground)
        back = -1.0 if gear > 0 else 1.0
        checked_drive(moving(car, back * rng.uniform(0.0, 6.0)), 3.0)
