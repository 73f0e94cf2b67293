"""Articulated vehicles: bogies, the joint of two frames, cylinders; against hand statics."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from tests.refusals import refusals

from .drives import standing

G = 9.80665
SIDES = ("left", "right")
AXLES = ("first", "second", "third", "fourth")


def rest(car, **inputs):
    """(simulation, loads of wheels [N]) of the vehicle one step after its static equilibrium."""
    sim = standing(car.mechanism(), **{"brake": 1.0} | inputs)
    sim.run(1)
    assert sim.missed == 0
    return sim, {name: reading.load for name, reading in vehicle.wheel_readings(sim).items()}


@pytest.fixture(scope="module")
def forwarder():
    return rest(vehicle.read("forwarder"))


def test_without_a_joint_body_the_frames_do_not_roll():
    """Without its joint body the forwarder has one body and one degree of freedom (roll) less."""
    text = 'base = "forwarder"\nremove = ["articulated_steering.joint.joint_body"'
    text += ', "articulated_steering.joint.roll_stop_rad"]\n'
    rolling, stiff = vehicle.read("forwarder").mechanism(), vehicle.from_toml(text).mechanism()
    assert len(stiff.bodies) == len(rolling.bodies) - 1
    freedoms = [B.mobility(B.compile(m)).freedoms for m in (rolling, stiff)]
    assert freedoms[1] == freedoms[0] - 1


def test_a_bogie_shares_its_load_by_the_lever():
    car = vehicle.read("forwarder").with_part(vehicle.Bogie, "front", pivot=(1.6, 1.1, 0.64))
    _, loads = rest(car, brake=0.0)
    for side in SIDES:
        one, two = loads[f"first_{side}"], loads[f"second_{side}"]
        # moments about the pivot: wheels 1.05 m before and 0.45 m behind it, the beam's centre midway
        weights = 330.0 * G * (1.05 - 0.45) + 650.0 * G * 0.3
        assert 1.05 * one - 0.45 * two == pytest.approx(weights, abs=0.01 * two)


def test_frames_that_roll_carry_their_own_lopsided_loads(forwarder):
    car = vehicle.read("forwarder")
    frame = car.part(vehicle.Frame, "rear frame")
    off = dataclasses.replace(frame.body, centre=(-2.75, 0.1, 1.55))
    sim, loads = rest(car.with_part(vehicle.Frame, "rear frame", body=off))
    beams = np.mean([sim.position(f"rear_{side} beam")[1] for side in SIDES])
    # lateral offset [m] of the rear frame's centre of mass: 0.1 and a shift by its roll on the tyres
    lean = sim.position("rear frame")[1] - beams
    side = {
        pair: sum(loads[f"{a}_left"] - loads[f"{a}_right"] for a in pair)
        for pair in (AXLES[:2], AXLES[2:])
    }
    assert side[AXLES[2:]] == pytest.approx(13100.0 * G * lean / 1.1, rel=0.04)
    assert abs(side[AXLES[:2]]) < 0.02 * side[AXLES[2:]]
    stiff = car.with_part(vehicle.ArticulatedSteering, "joint", joint_body=None, roll_stop=0.0)
    stiff = stiff.with_part(vehicle.Frame, "rear frame", body=off)
    shown = stiff.part(vehicle.FreeElements, "free elements").elements
    without = tuple(look for look in shown if look.body != "joint joint")  # other bodies' shapes
    stiff = stiff.with_part(vehicle.FreeElements, "free elements", elements=without)
    _, loads = rest(stiff)
    assert sum(loads[f"{a}_left"] - loads[f"{a}_right"] for a in AXLES[:2]) > 500.0


def test_an_articulated_vehicle_turns_on_the_circle_of_its_joint(forwarder):
    sim = B.Simulation(forwarder[0].model, 2e-3, state=forwarder[0].state())
    sim.set_input("brake", 0.0)
    sim.set_input("drive", 0.35)
    angle, front, rear = 0.3, 1.6, 3.2  # angle [rad], distances of the bogies' pivots from the joint [m]
    for k in range(1000):
        sim.set_input("steering", angle * (k + 1) / 1000)
        sim.run(1)
    sim.run(2500)
    assert sim.coordinate("joint hinge") == pytest.approx(angle, abs=1e-6)
    # without side slip the front pivot is on a circle of radius (front cos(angle) + rear) / sin(angle)
    radius = (front * np.cos(angle) + rear) / np.sin(angle)
    speed = np.hypot(*sim.velocity("frame")[:2])
    assert speed / sim.angular_velocity("frame")[2] == pytest.approx(radius, rel=0.12)
    assert sim.missed == 0


def test_rate_is_held_up_to_its_torque_and_stops_end_the_joint():
    car = vehicle.read("forwarder")
    steered = {"drive": "rate", "capacity": 2e5}
    strong = car.with_part(vehicle.ArticulatedSteering, "joint", **steered)
    sim, _ = rest(strong)
    sim.set_input("brake", 0.0)
    sim.set_input("steering", 0.2)
    sim.run(1000)
    assert sim.coordinate("joint hinge") == pytest.approx(0.2, abs=2e-3)
    sim.run(4000)
    assert sim.coordinate("joint hinge") == pytest.approx(0.73, abs=1e-3)  # angle of the stop [rad]
    weak = car.with_part(vehicle.ArticulatedSteering, "joint", **steered | {"capacity": 100.0})
    sim, _ = rest(weak)
    sim.set_input("steering", 0.2)
    sim.run(1000)
    assert abs(sim.coordinate("joint hinge")) < 0.02  # the friction of the wheels holds the joint


def test_cylinders_turn_the_joint_by_force_times_lever():
    car = vehicle.read("forwarder").with_part(
        vehicle.ArticulatedSteering,
        "joint",
        drive="cylinders",
        cylinder=((-0.6, 0.35, 0.85), (0.7, 0.45, 0.85)),
    )
    mechanism = car.mechanism()
    force, lever = 5e4, 0.35 + 0.9 / 1.3 * 0.1  # [N]; [m] approximate lever of the force about the pivot
    start, end, pivot = np.array([-0.6, 0.35]), np.array([0.7, 0.45]), np.array([0.3, 0.0])
    along = (end - start) / np.linalg.norm(end - start)
    arm = abs(along[0] * (pivot - start)[1] - along[1] * (pivot - start)[0])
    assert arm == pytest.approx(lever, rel=0.01)
    model = B.compile(mechanism)
    assert B.mobility(model).freedoms == 6 + 1 + 1 + 4 + 8
    # without ground and gravity: forces on both cylinders, or their moment on the hinge, turn it alike
    turned = []
    for efforts in ({"left": -force, "right": force}, None):
        pushes = [B.Torque(name="push", joint="joint hinge", effort=2.0 * force * arm)]
        if efforts is not None:
            pushes = [
                B.Torque(name=f"{s} push", joint=f"joint {s} cylinder", effort=f)
                for s, f in efforts.items()
            ]
        free = dataclasses.replace(
            mechanism, elements=(*mechanism.elements, *pushes), wheels=(), gravity=B.Gravity((0, 0, 0))
        )
        sim = B.Simulation(B.compile(free), 1e-3)
        sim.run(20)
        turned.append(sim.coordinate("joint hinge"))
    assert turned[0] == pytest.approx(turned[1], rel=1e-3)
    assert turned[0] > 0.0


test_a_joint_that_cannot_be_meant_is_refused = refusals(
    ({"capacity": 5.0}, "capacity.*'rate' alone"),
    ({"drive": "rate"}, "capacity.*'rate' alone"),
    ({"joint_body": None}, "roll_stop needs a joint_body"),
    ({"drive": "cylinders"}, "needs a cylinder"),
    ({"drive": "angel"}, "angle"),
    of=lambda change: vehicle.read("forwarder").with_part(
        vehicle.ArticulatedSteering, "joint", **change
    ),
    error=B.MechanismError,
)
test_a_bogie_has_two_axles = refusals(
    *((axles, "axles must be two names") for axles in (("a",), ("a", "a"), ("a", "b", "c"))),
    of=lambda axles: vehicle.read("forwarder").with_part(vehicle.Bogie, "front", axles=axles),
    error=B.MechanismError,
)


def test_parts_are_built_after_those_that_they_need(forwarder):
    car = vehicle.read("forwarder")
    turned = dataclasses.replace(car, parts=car.parts[::-1])
    kinds = {e.name: type(e) for e in turned.mechanism().elements}
    assert kinds == {e.name: type(e) for e in car.mechanism().elements}


def test_hub_drives_find_the_wheels_of_a_part_of_ones_own():
    @vehicle.register
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class PusherAxle(vehicle.SolidMountedAxle):
        """A user's kind of axle, registered last: a vehicle's axles of this kind follow all others."""

    try:
        text = vehicle.path_of("skid_steer").read_text(encoding="utf-8")
        own = text.replace('[[solid_mounted_axle]]\nname = "front"', '[[pusher_axle]]\nname = "front"')
        car = vehicle.from_toml(own)
        parts = [type(part) for part in car.parts]
        assert parts[-2:] == [PusherAxle, vehicle.FreeElements]
        motors = {e.joint for e in car.mechanism().elements if isinstance(e, B.ElectricMotor)}
        assert motors == {f"{axle}_{side} hub" for axle in ("front", "rear") for side in SIDES}
    finally:
        vehicle.PARTS.pop("pusher_axle")
