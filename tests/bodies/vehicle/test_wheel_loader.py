"""The wheel loader: turning circle, cylinder forces and tipping load against statics; soft soil."""

import dataclasses
import math

import numpy as np
import pytest

from bodies import vehicle
from bodies.frames import quaternion_matrix
from bodies.hydraulics import Circuit

from . import drives

G = 9.80665
RATED = 4500.0  # [kg] rated load
HALF = 1.5  # distance of either axle from the hinge [m]


def standing(mechanism, **inputs):
    """Simulation of the machine from its equilibrium with brakes on; then the brakes are opened."""
    sim = drives.standing(mechanism, brake=1.0, **inputs)
    sim.set_input("brake", 0.0)
    return sim


@pytest.mark.parametrize("seconds", [1.5, 2.6])
def test_both_axles_turn_about_the_meeting_point_of_their_axes(seconds):
    """Turning radius ``l cot(g/2)`` of a machine that rolls on hard ground in neutral.

    l: distance of either axle from the hinge, g: angle of the hinge. The rear shaft is removed, since
    axles on one shaft make tyres slip. The radius is path over yaw angle of an axle's middle, a mean of
    3 s in which the machine sways on its oil and tyres.
    """
    loader = vehicle.read("wheel_loader")
    rear = ("rear shaft", vehicle.PropellerShaft), ("rear", vehicle.FinalDrive)
    parts = tuple(p for p in loader.parts if (p.name, type(p)) not in rear)
    loader = dataclasses.replace(loader, parts=parts)
    sim = standing(loader.mechanism(hard=True, lateral="coulomb"))
    sim.set_input("throttle", 0.2)
    sim.set_input("steering lever", 0.5)
    sim.run(1000 * seconds)
    sim.set_input("steering lever", 0.0)
    sim.run(2500)
    sim.set_input("throttle", 0.0)
    sim.set_input("gear", 0)
    sim.run(5000)
    way, yaw, angle = np.zeros(2), 0.0, 0.0
    for _ in range(300):
        sim.run(10)
        for k, axle in enumerate(("front", "rear")):
            sides = [sim.velocity(f"{axle}_{side} wheel")[:2] for side in ("left", "right")]
            way[k] += np.linalg.norm(0.5 * (sides[0] + sides[1]))
        yaw += sim.angular_velocity("frame")[2]
        angle += sim.coordinate("steering hinge") / 300.0
    assert angle > 0.3 * seconds / 1.5
    assert way / yaw == pytest.approx([HALF / math.tan(0.5 * angle)] * 2, rel=1e-3)
    assert sim.missed == 0


def places(sim, **points):
    """World positions [m] by name; ``points``: (body, position in the described pose) by name."""
    described = {b.name: b for b in sim.model.mechanism.bodies}
    found = {}
    for name, (body, point) in points.items():
        own = described[body]
        local = quaternion_matrix(own.orientation).T @ np.subtract(point, own.position)
        found[name] = sim.position(body) + quaternion_matrix(sim.quaternion(body)) @ local
    return found


def ends_of(mechanism):
    """Points of the linkage by name: (body, point in the described pose)."""
    by = {e.name: e for e in mechanism.elements}
    found = {
        "arm pin": ("front frame", by["arm pin"].position),
        "bucket pin": ("bucket", by["bucket pin"].position),
        "bellcrank pin": ("bellcrank", by["bellcrank pin"].position),
        "link pin": ("link", by["link pin"].position),
        "link eye": ("link", by["link eye"].position),
        "load": ("bucket", by["bucket load"].position),
    }
    for way in ("lift eyes", "tilt eyes"):
        found[f"{way} foot"] = (by[way].body_a, by[way].position)
        found[f"{way} eye"] = (by[way].body_b, by[way].position_b)
    return found


def test_the_pressures_hold_the_moments_about_the_pins():
    """Cylinder force = moment / lever, with moments of the bucket (tilt) and of the arms (lift)."""
    mechanism = vehicle.load("wheel_loader")
    sim = standing(mechanism, load=RATED * G)
    at = places(sim, **ends_of(mechanism))
    axis = quaternion_matrix(sim.quaternion("front frame")) @ np.array([0.0, -1.0, 0.0])
    mass = {b.name: b.mass for b in mechanism.bodies}
    weights = [(sim.position(n), mass[n]) for n in ("arms", "bellcrank", "link", "bucket")]
    weights.append((at["load"], RATED))

    def moment(pin, chosen):
        """Moment of weights about a pin [N m], along the pins' axis."""
        return sum(axis @ np.cross(p - at[pin], (0, 0, -G * m)) for p, m in (weights[k] for k in chosen))

    def arm(pin, start, end):
        """Moment about a pin of a unit force at ``end`` away from ``start``."""
        along = (at[end] - at[start]) / np.linalg.norm(at[end] - at[start])
        return axis @ np.cross(at[end] - at[pin], along)

    def hang(pin, eye):
        """Moment [N m] about a pin of half the link's weight, which hangs at one of the link's eyes."""
        return axis @ np.cross(at[eye] - at[pin], (0.0, 0.0, -0.5 * G * weights[2][1]))

    bucket = moment("bucket pin", [3, 4]) + hang("bucket pin", "link eye")
    push = -bucket / arm("bucket pin", "link pin", "link eye")  # force of the link on its eyes
    crank = moment("bellcrank pin", [1]) + hang("bellcrank pin", "link pin")
    crank += push * arm("bellcrank pin", "link eye", "link pin")
    tilt = -crank / arm("bellcrank pin", "tilt eyes foot", "tilt eyes eye")
    whole = moment("arm pin", range(5)) + tilt * arm("arm pin", "tilt eyes foot", "tilt eyes eye")
    lift = -whole / arm("arm pin", "lift eyes foot", "lift eyes eye")
    oil = [e for e in mechanism.elements if isinstance(e, Circuit)]
    areas = {b.cylinder.name: b.cylinder.areas for circuit in oil for b in circuit.branches}
    for name, force in (("tilt", tilt), ("lift", lift)):
        head, rod = sim.hydraulics.pressure(name)
        assert head * areas[name][0] - rod * areas[name][1] == pytest.approx(force, rel=1e-6)


def test_it_lifts_its_rated_load_to_the_top_and_stays_on_its_wheels():
    """The loader lifts its rated load to the top within 8 s, below the relief pressure of its pump."""
    sim = standing(vehicle.load("wheel_loader"), load=RATED * G)
    sim.set_input("brake", 1.0)
    sim.set_input("lift lever", 1.0)
    highest = 0.0
    for _ in range(80):
        sim.run(100)
        if sim.hydraulics.extension("lift") < 1.0:
            highest = max(highest, float(sim.hydraulics.pump[1]))
    assert sim.hydraulics.extension("lift") > 1.0
    assert sim.position("bucket")[2] > 3.5
    assert 1e7 < highest < 2.4e7
    assert sim.missed == 0


def test_articulated_it_carries_twice_its_rated_load():
    """The rated load is at most half the load that tips it at full lock (ISO 14397)."""
    sim = standing(vehicle.load("wheel_loader"))
    sim.set_input("steering lever", 1.0)
    sim.run(2500)
    sim.set_input("steering lever", 0.0)
    sim.set_input("brake", 1.0)
    assert sim.coordinate("steering hinge") > math.radians(38.0)
    for k in range(40):
        sim.set_input("load", 2.0 * RATED * G * (k + 1) / 40)
        sim.run(50)
    sim.run(2000)
    loads = {name: wheel.load for name, wheel in vehicle.wheel_readings(sim).items()}
    assert loads["rear_left"] + loads["rear_right"] > 5e3


def test_it_drives_and_steers_on_soft_soil_with_its_load():
    """On the soft soil of ASAE D497, 450 kPa, the loader sinks and slips more than on firm soil."""
    far, slip, height = [], [], []
    for cone_index in (4.5e5, 1.2e6):
        sim = standing(vehicle.load("wheel_loader", cone_index=cone_index), load=RATED * G)
        height.append(sim.position("front_left wheel")[2])
        sim.set_input("throttle", 0.8)
        sim.run(2000)
        sim.set_input("steering lever", 0.4)
        sim.run(1000)
        sim.set_input("steering lever", 0.0)
        sim.run(5000)
        assert sim.missed == 0
        far.append(np.linalg.norm(sim.position("frame")[:2]))
        slip.append(np.mean([wheel.slip for wheel in vehicle.wheel_readings(sim).values()]))
        assert sim.angular_velocity("frame")[2] > 0.1
    assert height[0] < height[1] - 0.05
    assert 10.0 < far[0] < far[1]
    assert 2.0 * slip[1] < slip[0] < 0.2
