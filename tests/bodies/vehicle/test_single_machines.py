"""Features of single shipped vehicles: the tractor, the robots, anti-roll bars, leaf springs."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.frames import quaternion_matrix
from contact.terrain import HeightField

from .drives import standing
from .test_machines import MACHINES, driven, forces_at_rest


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


@pytest.mark.parametrize("name", ["truck", "truck_6x6_air"])
def test_deflected_springs_do_not_steer_a_truck(name):
    """At rest the front wheels point straight ahead: the drag link is parallel to the upper link."""
    sim = standing(vehicle.load(name, controls={"brake": 1.0}))
    frame = quaternion_matrix(sim.quaternion("frame"))
    for side in ("left", "right"):
        axis = frame.T @ quaternion_matrix(sim.quaternion(f"front_{side} wheel"))[:, 1]
        assert abs(np.arctan2(axis[0], axis[1])) < 2e-4


def test_the_tractor_drives_at_its_gear():
    """At full throttle the engine is between rated and governed speed; the gear sets the rim speeds."""
    sim = driven(vehicle.load("tractor", controls=MACHINES["tractor"].go), 6.0)
    rpm = 2100.0, 2250.0
    speed = sim.velocity("frame")[0]
    low, high = (n * np.pi / 30.0 / (4.4 * 20.0) * 0.9754 for n in rpm)
    assert 0.95 * low < speed < high
    wheels = vehicle.wheel_readings(sim)
    assert all(w.load > 1e4 and abs(w.slip) < 0.05 for w in wheels.values())


def test_the_robots_speed_follows_from_its_motors():
    """A motor's speed at the command 0.8 is 0.8 of 210 rpm less the droop by rolling resistance."""
    sim = driven(vehicle.load("skid_steer", controls=MACHINES["skid_steer"].go), 4.0)
    free = 0.8 * 210.0 * np.pi / 30.0
    torque = 0.02 * 15.0 / 4.0 * 9.80665 * 0.093  # [N m] moment of a wheel's resistance about its axle
    expected = (free - torque / 6.0 * 210.0 * np.pi / 30.0) * 0.093
    assert sim.velocity("frame")[0] == pytest.approx(expected, rel=2e-3)


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
    assert high - low == pytest.approx(0.1, abs=0.015)  # the lower tyre carries and deflects more
    assert abs(sim.quaternion("frame")[1]) < 1e-4
    run = B.simulate(model, 1e-3, 1e-3, state=state)
    left, right = (run.channel_force(f"front_{side}")[-1, 0] for side in ("left", "right"))
    shift = (sim.position("front beam")[2] + 0.02 - 0.05) * roll  # pivot 0.02 m above the beam's centre
    assert left / right == pytest.approx((0.9 - shift) / (0.9 + shift), rel=5e-3)


@pytest.mark.parametrize("standing", ["front_left", "middle_right"])
def test_the_rovers_legs_let_every_wheel_stand(standing):
    """One wheel stands 0.1 m higher: all carry load; the box pitches by the rockers' mean angle."""
    heights = np.zeros((81, 81))
    along = {"front": slice(47, 81), "middle": slice(33, 48), "rear": slice(0, 34)}
    axle, side = standing.split("_")
    heights[slice(44, 81) if side == "left" else slice(0, 37), along[axle]] = 0.1  # below this wheel
    rover = vehicle.read("rover")
    ground = HeightField(heights, (0.05, 0.05), (-2.0, -2.0))
    mechanism = rover.on(law="brixius", cone_index=5e5).mechanism(ground=ground)
    held = [
        B.Motor(name=f"{w.name} hold", joint=f"{w.name} hub", target=0.0, mode="position")
        for w in mechanism.wheels
    ]
    stands = dataclasses.replace(mechanism, elements=(*mechanism.elements, *held))
    sim, loads, places, mass, _ = forces_at_rest(stands)
    assert sum(loads.values()) == pytest.approx(3.71 * mass, rel=5e-3)  # normals tilt near a step
    assert min(loads.values()) > 0.5 * max(loads.values())
    lifted = {k: p[2] - np.median([q[2] for q in places.values()]) for k, p in places.items()}
    assert max(lifted, key=lifted.get) == standing
    assert lifted[standing] == pytest.approx(0.1, abs=0.02)
    left, right = (sim.coordinate(f"{side} rocker pivot") for side in ("left", "right"))
    assert abs(left) > 0.02
    assert left == pytest.approx(-right, abs=1e-6)


def test_an_anti_roll_bar_resists_roll_and_not_bounce():
    """Ends of arms of length a, d apart in height, bear a force k d / a^2 (k: torsional stiffness)."""
    a, d, k = 0.4, 1e-3, 5000.0
    bar = vehicle.AntiRollBar(
        name="bar", left="left block", right="right block", pivot=(0.0, 0.5, 1.0), arm_end=(a, 0.5, 1.0),
        link_end=(a, 0.5, 0.5), stiffness=k, half=vehicle.Piece(mass=1.0, inertia=(0.1, 0.1, 0.1)),
    )  # fmt: skip
    to = vehicle.Assembly("rig", {}, dict, (0.0, 0.0, 0.0))
    to.body("frame", vehicle.Piece(mass=1e3, inertia=(1e3, 1e3, 1e3)), (0.0, 0.0, 1.0))
    to.add(B.Fixed(name="clamp", body_a="ground", body_b="frame"))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        to.body(f"{side} block", vehicle.Piece(mass=5.0, inertia=(0.1, 0.1, 0.1)), (a, 0.5 * sign, 0.5))
        place = {"position": (a, 0.5 * sign, 0.5), "axis": (0.0, 0.0, 1.0)}
        to.add(B.Prismatic(name=side, body_a="ground", body_b=f"{side} block", **place))
        to.add(B.Motor(name=f"{side} drive", joint=side, target=side, mode="position"))
    bar.build(to)
    still = B.Gravity((0.0, 0.0, 0.0))
    force = {}
    for case, ends in (("roll", (0.5 * d, -0.5 * d)), ("bounce", (d, d))):
        rig = B.Mechanism(
            "rig",
            tuple(to.bodies),
            tuple(to.elements),
            gravity=still,
            inputs=dict(zip(("left", "right"), ends, strict=True)),
        )
        model = B.compile(rig)
        run = B.simulate(model, 0.01, 1e-3, state=B.equilibrium(model), reactions=["bar left drop link"])
        force[case] = abs(run.reaction("bar left drop link")[0][-1, 2])
    assert force["roll"] == pytest.approx(k * d / a**2, rel=1e-4)
    assert force["bounce"] < 1e-6


def test_leaf_springs_have_their_stiffness_at_any_heading():
    """A rigid axle, pushed along and across, moves by force / stiffness of both spring packs."""
    van = vehicle.read(Path(__file__).parents[3] / "examples" / "leaf_springs.toml")
    axle = van.part(vehicle.RigidAxle, "rear")
    frame = van.part(vehicle.Frame, "frame")
    for heading in (0.0, 1.2):
        turn = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
        only = dataclasses.replace(
            van,
            parts=(frame, axle),
            heading=heading,
            gravity=B.Gravity((0.0, 0.0, 0.0)),
            origin=(0, 0, 5.0),
        )
        mechanism = only.mechanism({"brake": 1.0})
        for along, k in (((1.0, 0.0), 1.5e6), ((0.0, 1.0), 5e5)):
            where = next(b for b in mechanism.bodies if b.name == "rear axle").position
            push = B.PointForce(
                name="push",
                body="rear axle",
                effort=1000.0,
                turns=False,
                position=tuple(np.add(where, (0.0, 0.0, 0.0476))),
                direction=(*(turn @ along), 0.0),
            )
            clamp = B.Fixed(name="clamp", body_a="ground", body_b="frame")
            rig = dataclasses.replace(mechanism, elements=(*mechanism.elements, clamp, push))
            moved = (standing(rig).position("rear axle") - where)[:2] @ (turn @ along)
            assert moved == pytest.approx(1000.0 / (2.0 * k), rel=0.02)
