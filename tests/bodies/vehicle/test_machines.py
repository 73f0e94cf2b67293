"""Every shipped vehicle stands, drives, brakes, turns both ways alike and keeps its joints."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact.terrain import rough_ground

from .drives import full_throttle, standing

STEP = 2e-3
SLOW = B.Schedule(((0.0, 0.0), (1.0, 0.0), (2.0, 1.0)))  # the clutch closes between 1 and 2 s
STEERED = ("steer_front_left", "steer_front_right", "steer_rear_left", "steer_rear_right")


@dataclass(frozen=True)
class Machine:
    """A shipped vehicle and its expected results.

    ``freedoms``: degrees of freedom, 6 of the frame and those of moving parts; ``go``, ``turn``,
    ``stop``: controls to drive ahead, to turn left, to drive and brake; ``far``: least distance [m] in a
    minute on ground of class ``rough`` (ISO 8608); ``behind``: a trailer's towing vehicle.
    """

    bodies: int
    mass: float
    freedoms: int
    go: dict
    turn: dict
    stop: dict
    speed: float  # least speed [m/s] before braking
    rough: str = "D"
    far: float = 50.0
    behind: tuple[str, ...] = ()
    turned: dict = field(default_factory=dict)  # parts changed in the mirrored vehicle
    alike: float = 1e-9  # largest difference between a turn and the mirrored turn [m, m/s, rad/s]


def braked(gear=3, clutch=((0.0, 0.0), (0.2, 0.0), (1.0, 1.0))):
    """Controls: full throttle until 2.8 s, then the clutch opens and the brake closes."""
    return {
        "gear": gear,
        "throttle": B.Schedule(((0.0, 0.0), (0.2, 1.0), (2.8, 1.0), (2.9, 0.0))),
        "clutch": B.Schedule((*clutch, (2.9, 1.0), (3.0, 0.0))),
        "brake": B.Schedule(((0.0, 0.0), (3.0, 0.0), (3.2, 1.0))),
    }


def car(bodies, freedoms, mass=2573.0, **more):
    """Expected results of a variant of the HMMWV."""
    turn = full_throttle(gear=3, steering=5.0)
    return Machine(bodies, mass, freedoms, full_throttle(gear=4), turn, braked(), 2.0, **more)


def motors(left, right, *angles):
    return {"left": left, "right": right, **dict(zip(STEERED, angles, strict=False))}


FADE = B.Schedule(((0.0, 0.8), (2.0, 0.8), (2.1, 0.0)))
LATE = ((0.0, 0.0), (1.0, 0.0), (2.0, 1.0))
FULL = B.Schedule(((0.0, 0.0), (0.2, 1.0)))
FADING = B.Schedule(((0.0, 0.0), (0.2, 1.0), (2.8, 1.0), (2.9, 0.0)))
UP = {"gear": 1, "brake": 0.0, "stabiliser lever": -1.0}
LATE_BRAKE = B.Schedule(((0.0, 0.0), (3.0, 0.0), (3.2, 1.0)))
TRUCK = Machine(
    35,
    15907.0,
    # frame; bounce and roll of axles; wheels, axles on one shaft (-2); crankshaft
    6 + 3 * 2 + 6 - 2 + 1,
    full_throttle(gear=4) | {"clutch": SLOW},
    full_throttle(gear=4, steering=6.0) | {"clutch": SLOW},
    braked(4, LATE),
    2.0,
    turned={vehicle.DragLinkSteering: ("steering", {"side": "right"})},
)

MACHINES = {
    "hmmwv": car(45, 6 + 6 + 4 + 4 + 1),  # frame; cab; bounces; wheels; crankshaft
    "hmmwv_4x4": car(54, 6 + 6 + 4 + 4 - 1 + 1),  # -1: both axles on one shaft
    "hmmwv_pitman": car(47, 6 + 6 + 4 + 4 + 1),
    # freedoms: 20 of hmmwv_4x4; three angles of the hitch's ball, its slide, four bounces, four wheels
    "trailer": car(84, 20 + 3 + 1 + 4 + 4, 2573.0 + 2131.32, behind=("hmmwv_4x4",)),
    "tractor": Machine(
        28,
        9391.0,
        6 + 1 + 4 - 1 + 1,  # frame; beam; wheels, axles on one shaft (-1); crankshaft
        full_throttle(gear=4),
        full_throttle(gear=5, steering=8.0),
        braked(4),
        2.0,
    ),
    "truck": TRUCK,
    "truck_6x6_air": replace(TRUCK, mass=18707.0, alike=1e-6),  # some solves end at their tolerance
    "forwarder": Machine(
        15,
        24990.0,
        6 + 1 + 4 + 8,  # frame; roll of the joint; bogies; wheels
        {"drive": 0.8},
        {"drive": 0.8, "steering": 0.3},
        {"drive": FADE, "brake": B.Schedule(((0.0, 0.0), (2.2, 0.0), (2.4, 1.0)))},
        1.0,
    ),
    "backhoe_loader": Machine(
        48,
        11653.0,
        # frame; beam; wheels (one shaft: -1); engine, turbine; backhoe; legs; loader
        6 + 1 + 4 - 1 + 2 + 4 + 2 + 2,
        UP | {"throttle": FULL},
        UP | {"throttle": FULL, "steering": 8.0},
        UP | {"throttle": FADING, "brake": LATE_BRAKE},
        2.0,
    ),
    "wheel_loader": Machine(
        21,
        15000.0,
        # frame; hinge, pivot; arms, bucket; wheels (one shaft: -1); engine, turbine
        6 + 2 + 2 + 4 - 1 + 2,
        {"throttle": FULL},
        {"throttle": FULL, "steering lever": 0.3},
        {"throttle": FADING, "brake": LATE_BRAKE},
        2.0,
    ),
    "rover": Machine(
        15,
        175.0,
        6 + 1 + 2 + 6,  # frame; differential; bogies; wheels
        motors(0.8, 0.8),
        motors(0.7, 0.9, 0.35, 0.25, -0.35, -0.25),
        motors(FADE, FADE),
        0.02,
        rough="B",
        far=1.0,
    ),
    "skid_steer": Machine(
        5, 15.0, 6 + 4, motors(0.8, 0.8), motors(0.1, 0.9), motors(FADE, FADE), 1.0, rough="B"
    ),
}


def built(name, controls=None, mirror=False, **more):
    """Mechanism of a shipped vehicle, a trailer behind its towing vehicle."""
    machine = MACHINES[name]
    pulls = vehicle.read(machine.behind[0] if machine.behind else name)
    if mirror and any(type(part) is vehicle.CombustionEngine for part in pulls.parts):
        pulls = pulls.with_part(vehicle.CombustionEngine, "engine", turns="left")
    for kind, (part, changes) in machine.turned.items() if mirror else ():
        pulls = pulls.with_part(kind, part, **changes)
    towing = (vehicle.read(name),) if machine.behind else ()
    return pulls.mechanism(controls, towing=towing, **more)


def opposite(controls):
    """The controls of the mirrored turn."""
    found = dict(controls)
    for one, two in (("left", "right"), STEERED[:2], STEERED[2:]):
        if one in controls:
            found |= {one: controls[two], two: controls[one]}
    angles = [name for name in found if name.startswith("steer")]
    return found | {name: -found[name] for name in angles}


def driven(mechanism, seconds, step=STEP):
    sim = B.Simulation(B.compile(mechanism), step)
    sim.run(round(seconds / step))
    return sim


def test_no_shipped_vehicle_is_left_out():
    assert set(MACHINES) == set(vehicle.shipped())


@pytest.mark.parametrize("name", MACHINES)
def test_bodies_mass_and_freedoms_by_count_and_rank(name):
    machine, mechanism = MACHINES[name], built(name)
    reasons = vehicle.read(name).assemble()[1] if not machine.behind else {}
    assert len(mechanism.bodies) == machine.bodies
    assert sum(b.mass for b in mechanism.bodies) == pytest.approx(machine.mass, abs=1e-9)
    assert all(len(text) > 10 for text in reasons.values())
    m = B.mobility(B.compile(mechanism))
    assert (m.freedoms, m.counted, m.redundant) == (machine.freedoms, machine.freedoms, 0)


def forces_at_rest(mechanism):
    """Simulation at rest, wheel loads and positions by name, mass and centre of mass of all bodies."""
    sim = standing(mechanism)
    run = B.simulate(sim.model, 1e-3, 1e-3, state=sim.state())
    loads = {w.name: run.channel_force(w.name)[-1, 0] for w in mechanism.wheels}
    places = {w.name: sim.position(w.body) for w in mechanism.wheels}
    mass = np.array([b.mass for b in mechanism.bodies])
    centre = mass @ np.array([sim.position(b.name) for b in mechanism.bodies]) / mass.sum()
    return sim, loads, places, mass.sum(), centre


@pytest.mark.parametrize("name", MACHINES)
def test_it_stands_and_its_wheels_carry_the_weight(name):
    """Sum of the wheel loads and their moments about both horizontal axes equal those of the weight."""
    mechanism = built(name)
    sim, loads, places, mass, centre = forces_at_rest(mechanism)
    weight = -mass * mechanism.gravity.acceleration[2]
    assert sum(loads.values()) == pytest.approx(weight, rel=1e-6)
    size = np.ptp(np.array(list(places.values())), axis=0)
    for axis in (0, 1):
        moment = sum(load * places[wheel][axis] for wheel, load in loads.items())
        assert moment == pytest.approx(weight * centre[axis], abs=1e-3 * weight * size[axis])
    sim.run(500)
    assert np.abs(sim.velocity("frame")).max() < 1e-6


@pytest.mark.parametrize("name", MACHINES)
def test_it_drives_and_brakes_to_a_stop(name):
    machine = MACHINES[name]
    sim, speeds = driven(built(name, machine.stop), 0.0), []
    for _ in range(40):
        sim.run(100)
        speeds.append(sim.velocity("frame")[0])
    assert sim.missed == 0
    assert max(speeds) > machine.speed
    assert np.abs(sim.velocity("frame")).max() < 1e-2


@pytest.mark.parametrize("name", MACHINES)
def test_a_turn_to_the_right_is_the_mirror_image_of_one_to_the_left(name):
    machine = MACHINES[name]
    left = driven(built(name, machine.turn), 3.0)
    right = driven(built(name, opposite(machine.turn), mirror=True), 3.0)
    assert left.position("frame")[1] > 0.1 * machine.speed
    assert left.angular_velocity("frame")[2] > 0.05 * machine.speed
    for of, flip in (
        ("position", [1, -1, 1]),
        ("velocity", [1, -1, 1]),
        ("angular_velocity", [-1, 1, -1]),
    ):
        np.testing.assert_allclose(
            getattr(left, of)("frame") * flip, getattr(right, of)("frame"), atol=machine.alike
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINES)
def test_a_minute_on_rough_ground_keeps_joints_closed_without_missed_steps(name):
    machine = MACHINES[name]
    length = 40.0 if machine.far < 10.0 else 600.0
    ground = rough_ground(machine.rough, length, width=20.0, seed=1)
    sim = B.Simulation(B.compile(built(name, machine.go, ground=ground)), 1e-3)
    sim.run(60000)
    assert sim.position("frame")[0] > machine.far
    assert max(sim.joint_error()) < 1e-6
    assert sim.missed == 0
