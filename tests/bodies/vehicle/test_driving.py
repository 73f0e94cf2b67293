"""Drives of the HMMWV: straight, in turns, uphill, over an obstacle, to a stop, with a trailer."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil

from .drives import LOAD, SLIP, TRACTION, G, drive, full_throttle, on_grade, rolling, standing


def test_braked_to_a_stop_on_a_grade_it_stands_for_a_minute():
    """The grade of 0.4 is above the resistance ratio and below the thrust ratio of locked wheels."""
    grade = 0.4
    off = {"gear": 0, "clutch": 0.0}
    sim = rolling(on_grade(vehicle.load("hmmwv", controls=off), -grade), 2.0, step=5e-3)
    _, path = drive(sim, 0.5)
    assert path[-1, 3] > 2.0
    sim.set_input("brake", 1.0)
    wheels, _ = drive(sim, 5.0)
    for wheel in sim.model.mechanism.wheels:
        load = wheels[wheel.name][-1, LOAD]
        gamma, mu = (f(1.0, load) for f in (wheel.soil.resistance_ratio, wheel.soil.thrust_ratio))
        assert gamma < grade < mu
    here = {b: sim.position(b) for b in ("frame", "front_left wheel", "rear_right wheel")}
    sim.run(round(60.0 / sim.step))
    for body, before in here.items():
        assert np.linalg.norm(sim.position(body) - before) < 1e-3
    assert sim.joint_error()[0] < 1e-4


def pull_to_spare(sim, wheels):
    """Thrust of spinning rear wheels less all resistance and the weight's downhill component, over the
    weight.
    """

    def net(wheel):
        load, law = wheels[wheel.name][-1, LOAD], wheel.soil
        if wheel.name.startswith("front"):
            return -float(law.resistance_ratio(0.0, load)) * load
        return float(law.thrust_ratio(1.0, load) - law.resistance_ratio(1.0, load)) * load

    gravity = np.array(sim.model.mechanism.gravity.acceleration)
    mass = sum(b.mass for b in sim.model.mechanism.bodies)
    return sum(map(net, sim.model.mechanism.wheels)) / mass / G + gravity[0] / G


@pytest.mark.parametrize(("grade", "climbs"), [(0.05, True), (0.2, False)])
def test_climbs_until_it_cannot(grade, climbs):
    """A start at full throttle succeeds exactly if the law gives spinning wheels a net pull."""
    uphill = on_grade(vehicle.load("hmmwv", controls=full_throttle(gear=1)), grade)
    sim = rolling(uphill, 0.0)  # brakes hold it while the springs settle
    wheels, path = drive(sim, 4.0)
    if climbs:
        assert path[-1, 0] - path[0, 0] > 1.0
        assert path[-1, 3] > 0.5
    else:
        assert path[-1, 3] < 0.05
        assert wheels["rear_left"][-1, SLIP] > 0.9  # the wheels spin
    early = {k: w[:60] for k, w in wheels.items()}  # loads at the start
    assert (pull_to_spare(sim, early) > 0.0) == climbs


@pytest.mark.parametrize("kind", ["open", "locked"])
def test_one_side_hard_one_side_soft(kind):
    car = vehicle.read("hmmwv").with_part(vehicle.FinalDrive, "rear", differential=kind)
    mechanism = car.mechanism(full_throttle(gear=2))
    hard, soft = (dataclasses.replace(car.wheel, soil=ConeIndexSoil(c)) for c in (7e5, 1.3e5))
    wheels = tuple(
        dataclasses.replace(w, soil=hard if w.name.endswith("left") else soft) for w in mechanism.wheels
    )
    sim = standing(dataclasses.replace(mechanism, wheels=wheels), 2e-3)
    readings, path = drive(sim, 2.5)
    left, right = readings["rear_left"][-1], readings["rear_right"][-1]
    spin = [sim.angular_velocity(f"rear_{side} wheel")[1] for side in ("left", "right")]
    if kind == "open":  # equal torques: the soft side limits traction on the hard side
        assert spin[1] > 3.0 * spin[0]
        assert left[TRACTION] == pytest.approx(right[TRACTION], rel=0.2)
        assert path[-1, 3] < 1.0
    else:  # equal speeds: the hard side pulls with its full traction
        assert spin[1] == pytest.approx(spin[0], rel=1e-3)
        assert left[TRACTION] > 1.5 * right[TRACTION]
        assert path[-1, 3] > 1.5


def test_crosses_a_half_buried_obstacle_with_lift_off_and_landing():
    x = np.arange(-4.0, 40.0, 0.1)
    height = 0.28 * np.clip(np.minimum(x - 4.0, 5.2 - x) / 0.4, 0.0, 1.0)  # a log across the track
    ground = B.HeightField((-4.0, -3.0), (0.1, 6.0), tuple((h, h) for h in height))
    car = vehicle.load("hmmwv", ground=ground, controls={"gear": 0, "clutch": 0.0})
    sim = rolling(car, 8.0, step=1e-3)
    wheels, path = drive(sim, 2.5, record=0.005)
    for name in ("front_left", "rear_right"):
        load = wheels[name][:, LOAD]
        air = load == 0.0
        assert air.any()
        first = int(np.argmax(air))
        assert load[first:].max() > 8e3  # [N] load at the landing
    assert path[-1, 0] > 7.0
    assert np.isfinite(path).all()
    assert sim.joint_error()[0] < 1e-4


@pytest.mark.parametrize(("limit", "slides"), [(15000.0, False), (1500.0, True)])
def test_tows_a_trailer_until_the_hitch_reaches_its_limit(limit, slides):
    trailer = vehicle.read("trailer").with_part(vehicle.Hitch, "hitch", force_limit=limit)
    mechanism = vehicle.read("hmmwv_4x4").mechanism(full_throttle(gear=2), towing=(trailer,))
    model = B.compile(mechanism)
    run = B.simulate(model, 2.5, 2e-3, state=B.equilibrium(model), record_every=10)
    slid = run.coordinate("hitch slide") - run.coordinate("hitch slide")[0]
    force = run.channel_force("hitch limit")[1:, 0]
    assert np.abs(force).max() <= limit * (1.0 + 1e-9)
    if slides:
        assert slid[-1] > 0.2
        assert np.abs(force).max() == pytest.approx(limit, rel=1e-6)
        assert np.ptp(run.position("trailer frame")[:, 0]) < 0.5 * np.ptp(run.position("frame")[:, 0])
    else:
        assert np.abs(slid).max() < 1e-4
        assert run.position("trailer frame")[-1, 0] > run.position("trailer frame")[0, 0] + 0.5


def test_joints_stay_closed_when_the_steering_wheel_jumps():
    """The steering wheel, moved by a position motor, turns by up to 16 rad in one step of 1/60 s."""
    turns = B.Schedule(((0.0, 0.0), (0.5, 8.0), (1.0, -8.0), (1.5, 3.0), (2.0, -5.0)), hold=True)
    mechanism = vehicle.load("hmmwv", controls={"steering": turns})
    sim = rolling(mechanism, 6.0, 1.0 / 60.0)
    sim.run(150)
    assert sim.joint_error()[0] < 1e-3
