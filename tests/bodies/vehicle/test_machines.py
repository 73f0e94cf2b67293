"""Machines beside the full vehicle: a tractor and a skid-steer robot stand, drive, brake and turn."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.builder import quaternion_matrix
from contact.terrain import HeightField, rough_ground

from .drives import full_throttle

G = 9.80665
STEP = 2e-3
#: Full speed and a turn to the left, for each machine; 0.01 m/s is a stop.
GO = {
    "tractor": full_throttle(gear=4),
    "skid_steer": {"left": 0.8, "right": 0.8},
}
TURN = {
    "tractor": full_throttle(gear=5, steering=8.0),
    "skid_steer": {"left": 0.1, "right": 0.9},
}


def opposite(name, controls):
    """The machine's mirror image and the controls of the mirrored turn."""
    car = vehicle.read(name)
    if name == "skid_steer":
        return car, {"left": controls["right"], "right": controls["left"]}
    car = car.with_part(vehicle.CombustionEngine, "engine", turns="left")
    return car, controls | {"steering": -controls["steering"]}


def driven(mechanism, seconds):
    sim = B.Simulation(B.compile(mechanism), STEP)
    sim.run(round(seconds / STEP))
    return sim


@pytest.mark.parametrize(
    ("name", "bodies", "mass", "freedoms"),
    [
        ("tractor", 28, 9391.0, 6 + 1 + 4 - 1 + 1),  # beam; wheels, both axles on one shaft; crankshaft
        ("skid_steer", 5, 15.0, 6 + 4),
    ],
)
def test_bodies_mass_and_freedoms_by_count_and_rank(name, bodies, mass, freedoms):
    mechanism, reasons = vehicle.read(name).assemble()
    assert len(mechanism.bodies) == bodies
    assert sum(b.mass for b in mechanism.bodies) == pytest.approx(mass, abs=1e-9)
    assert min(len(text) for text in reasons.values()) > 10
    m = B.mobility(B.compile(mechanism))
    assert (m.freedoms, m.counted, m.redundant) == (freedoms, freedoms, 0)


def test_the_tractor_has_the_published_mass_centre_and_yaw_inertia():
    bodies = vehicle.load("tractor").bodies
    mass = np.array([b.mass for b in bodies])
    place = np.array([b.position for b in bodies])
    centre = mass @ place / mass.sum()
    assert centre[:2] == pytest.approx([1.20, 0.0], abs=1e-4)  # 1.20 m ahead of the rear axle
    yaw = 0.0
    for b in bodies:
        R = quaternion_matrix(b.orientation)
        yaw += (R @ np.array(b.inertia) @ R.T)[2, 2]
        yaw += b.mass * ((b.position[0] - centre[0]) ** 2 + (b.position[1] - centre[1]) ** 2)
    assert yaw == pytest.approx(35709.0, rel=2e-3)


@pytest.mark.parametrize("name", GO)
def test_it_stands_and_its_wheels_carry_the_weight(name):
    model = B.compile(vehicle.load(name))
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    run = B.simulate(model, 1e-3, 1e-3, state=sim.state())
    mechanism = model.mechanism
    loads = {w.name: run.channel_force(w.name)[-1, 0] for w in mechanism.wheels}
    mass = np.array([b.mass for b in mechanism.bodies])
    centre = mass @ np.array([sim.position(b.name) for b in mechanism.bodies]) / mass.sum()
    weight = mass.sum() * G
    assert sum(loads.values()) == pytest.approx(weight, rel=1e-6)
    front, rear = (sim.position(f"{a}_left wheel")[0] for a in ("front", "rear"))
    share = (centre[0] - rear) / (front - rear)
    for axle, part in (("front", share), ("rear", 1.0 - share)):
        left, right = loads[f"{axle}_left"], loads[f"{axle}_right"]
        assert left == pytest.approx(right, rel=1e-6)
        assert left + right == pytest.approx(part * weight, rel=1e-3)
    sim.run(2000)
    assert np.abs(sim.velocity("frame")).max() < 1e-6


def test_the_tractor_drives_at_its_gear_and_brakes_to_a_stop():
    """At full throttle between rated speed and governor; every wheel rolls with it but for its slip."""
    sim = driven(vehicle.load("tractor", controls=GO["tractor"]), 6.0)
    rpm = 2100.0, 2250.0
    speed = sim.velocity("frame")[0]
    low, high = (n * np.pi / 30.0 / (4.4 * 20.0) * 0.9754 for n in rpm)
    assert 0.95 * low < speed < high
    wheels = vehicle.wheel_readings(sim)
    assert all(w.load > 1e4 and abs(w.slip) < 0.05 for w in wheels.values())
    stop = B.Schedule(((0.0, 0.0), (3.0, 0.0), (3.2, 1.0)))
    off = B.Schedule(((0.0, 0.0), (1.0, 1.0), (2.9, 1.0), (3.0, 0.0)))
    gas = B.Schedule(((0.0, 0.0), (0.2, 1.0), (2.8, 1.0), (2.9, 0.0)))
    stopped = driven(
        vehicle.load("tractor", controls={"gear": 4, "throttle": gas, "clutch": off, "brake": stop}), 8.0
    )
    assert stopped.position("frame")[0] > 3.0
    assert np.abs(stopped.velocity("frame")).max() < 1e-2


def test_the_robot_drives_and_brakes_by_its_motors():
    """A motor's speed at the command 0.8 is 0.8 of 210 rpm less what rolling resistance costs."""
    sim = driven(vehicle.load("skid_steer", controls=GO["skid_steer"]), 4.0)
    free = 0.8 * 210.0 * np.pi / 30.0
    torque = 0.02 * 15.0 / 4.0 * G * 0.093  # rolling resistance of a wheel, at the axle's height
    expected = (free - torque / 6.0 * 210.0 * np.pi / 30.0) * 0.093
    assert sim.velocity("frame")[0] == pytest.approx(expected, rel=2e-3)
    stop = B.Schedule(((0.0, 0.8), (2.0, 0.8), (2.1, 0.0)))
    stopped = driven(vehicle.load("skid_steer", controls={"left": stop, "right": stop}), 4.0)
    assert np.abs(stopped.velocity("frame")).max() < 1e-6


def test_the_robot_turns_on_the_spot():
    sim = driven(vehicle.load("skid_steer", controls={"left": -0.5, "right": 0.5}), 4.0)
    assert sim.angular_velocity("frame")[2] > 1.0
    assert np.abs(sim.position("frame")[:2]).max() < 1e-6


@pytest.mark.parametrize("name", TURN)
def test_a_turn_to_the_right_is_the_mirror_image_of_one_to_the_left(name):
    left = driven(vehicle.load(name, controls=TURN[name]), 4.0)
    car, controls = opposite(name, TURN[name])
    right = driven(car.mechanism(controls), 4.0)
    assert left.position("frame")[1] > 0.2
    for of, flip in (
        ("position", [1, -1, 1]),
        ("velocity", [1, -1, 1]),
        ("angular_velocity", [-1, 1, -1]),
    ):
        np.testing.assert_allclose(
            getattr(left, of)("frame") * flip, getattr(right, of)("frame"), atol=1e-9
        )


def test_the_beam_rocks_so_that_the_front_wheels_keep_their_load():
    """A front wheel stands 0.1 m higher: the beam turns about its pivot, the frame stays upright.

    Turned by phi, the contact points shift by h phi below a pivot at height h: (w + h phi) F_left =
    (w - h phi) F_right, half the track being w.
    """
    heights = np.zeros((17, 60))
    heights[9:, 28:] = 0.1
    ground = HeightField(heights, (0.2, 0.25), (-4.0, -2.0))
    off = {"gear": 0, "clutch": 0.0, "brake": 1.0}
    model = B.compile(vehicle.load("tractor", controls=off, ground=ground))
    state = B.equilibrium(model)
    sim = B.Simulation(model, 1e-3, state=state)
    roll = sim.coordinate("front pivot")
    high, low = (sim.position(f"front_{side} wheel")[2] for side in ("left", "right"))
    assert 1.8 * np.sin(roll) == pytest.approx(high - low, abs=1e-3)
    assert high - low == pytest.approx(0.1, abs=0.015)  # the lower tyre carries more, and gives way
    assert abs(sim.quaternion("frame")[1]) < 1e-4
    run = B.simulate(model, 1e-3, 1e-3, state=state)
    left, right = (run.channel_force(f"front_{side}")[-1, 0] for side in ("left", "right"))
    shift = (sim.position("front beam")[2] + 0.02 - 0.05) * roll  # its centre lies 0.02 m below
    assert left / right == pytest.approx((0.9 - shift) / (0.9 + shift), rel=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", GO)
def test_a_minute_on_rough_ground_keeps_the_joints_and_misses_no_step(name):
    ground = rough_ground("D" if name == "tractor" else "B", 260.0, width=20.0, seed=1)
    sim = B.Simulation(B.compile(vehicle.load(name, controls=GO[name], ground=ground)), 1e-3)
    sim.run(60000)
    assert sim.position("frame")[0] > 50.0
    assert max(sim.joint_error()) < 1e-6
    assert sim.missed == 0
