"""The backhoe: documented freedoms and geometry, a dig cycle, rest on its bucket, a front loader."""

import dataclasses
import math

import numpy as np
import pytest

import bodies as B
from benchmarks.hydraulic_cases.backhoe import DURATION, JOINTS, digging
from bodies.files import mechanism_from_toml, mechanism_to_toml
from bodies.frames import quaternion_matrix
from bodies.hydraulics import Circuit, backhoe, backhoe_loader, mounted
from bodies.mounting import with_signals
from tests.refusals import refusals

G = 9.80665


@pytest.fixture(scope="module")
def model():
    return B.compile(digging())


@pytest.fixture(scope="module")
def run(model):
    return B.simulate(
        model, DURATION, 1e-3, state=B.equilibrium(model), progress=False, record_work=True
    )


def test_bodies_freedoms_and_circuits_are_the_documented_ones(model):
    found = B.mobility(model)
    assert (len(model.body_index), found.freedoms, found.redundant) == (16, 4, 0)
    each = B.compile(backhoe(pumps="each")).circuit
    assert each.states == 20
    assert model.circuit.states == 16
    assert mechanism_from_toml(mechanism_to_toml(backhoe())) == backhoe()


def test_cylinder_lengths_follow_the_link_geometry():
    """The boom cylinder's length equals the distance of its eyes, calculated from the boom's angle."""

    def turn(angle, point):
        c, s = math.cos(angle), math.sin(angle)
        return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])

    pin, eye = np.array([0.35, 0.40]), np.array([0.55, 0.0])
    mechanism = backhoe({"boom lever": B.Schedule(((0.0, 0.0), (0.1, -0.5)))})
    model = B.compile(mechanism)
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    closed = 1.627013 - 0.507013
    for _ in range(5):
        sim.run(300)
        angle = math.radians(35.0) + sim.coordinate("boom pin")
        length = np.linalg.norm(pin + turn(angle, (1.55, -0.25)) - eye)
        assert sim.hydraulics.extension("boom") + closed == pytest.approx(length, abs=1e-5)


def test_a_dig_cycle_at_a_millisecond(model, run):
    assert run.missed == 0
    assert run.joint_errors[-1].max() < 1e-6
    oil = run.hydraulics
    for branch in model.circuit.branches:
        x = oil.extension(branch.cylinder.name)
        assert 0.0 < x.min() < x.max() < branch.cylinder.stroke
    work = {name: done[-1] - done[0] for name, done in oil.work.items()}
    gap = work["pumped"] - work["done"] - work["lost"] - (oil.energy[-1] - oil.energy[0])
    assert abs(gap) < 1e-3 * work["pumped"]
    booked = sum(work[-1] for work in run.work().values())
    kinetic = run.energy().kinetic
    assert booked == pytest.approx(kinetic[-1] - kinetic[0], abs=1e-12 * work["pumped"])


def test_a_dig_cycle_needs_no_other_elimination_order(model, monkeypatch):
    """The dig cycle needs no new elimination order: 40 ms for computing one would delay a live run."""
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    monkeypatch.setattr(sim.work, "renew_order", lambda: pytest.fail("renewed"))
    sim.run(round(DURATION / 1e-3))
    assert sim.missed == 0


def test_at_a_millisecond_joints_are_where_a_tenth_of_it_has_them(run):
    model = B.compile(digging(integration="centred"))
    fine = B.simulate(
        model, DURATION, 1e-4, state=B.equilibrium(model), record_every=100, progress=False
    )
    assert fine.missed == 0
    for joint in JOINTS:
        assert np.max(np.abs(run.coordinate(joint)[::10] - fine.coordinate(joint))) < 2e-4


def test_each_with_its_own_pump_does_nearly_the_same(run):
    model = B.compile(digging(pumps="each"))
    other = B.simulate(
        model, DURATION, 1e-3, state=B.equilibrium(model), record_every=100, progress=False
    )
    assert other.missed == 0
    assert other.hydraulics.pump.shape[1] == 5
    for joint in JOINTS[1:]:
        apart = np.abs(other.coordinate(joint) - run.coordinate(joint)[::100])
        assert apart.max() < math.radians(3.0)


def test_five_circuits_are_one_with_a_pump_for_each():
    """One circuit with a pump for each cylinder ends with the bytes of five separate circuits."""
    whole = digging(pumps="each")
    (circuit,) = (e for e in whole.elements if isinstance(e, Circuit))
    apart = tuple(
        dataclasses.replace(circuit, name=f"oil of {b.cylinder.name}", branches=(b,), pumps="one")
        for b in circuit.branches
    )
    kept = tuple(e for e in whole.elements if e is not circuit)
    ends = []
    for elements in ((*kept, circuit), (*kept, *apart)):
        model = B.compile(dataclasses.replace(whole, elements=elements))
        assert model.circuit.states == 20
        sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
        sim.run(3000)
        assert sim.missed == 0
        ends.append(sim.state().floats.tobytes())
    assert ends[0] == ends[1]


def test_the_front_loader_holds_lifts_and_dumps_its_load():
    """The cylinders' forces balance the moments of load and arms; then 1.2 t rise above 3.3 m in 6 s."""
    mechanism = backhoe_loader()
    by = {e.name: e for e in mechanism.elements}
    model, load = B.compile(mechanism), 1200.0 * G
    inputs = {"brake": 1.0, "gear": 0.0, "loader load": load}
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model, inputs=inputs))
    frame, own = (next(b for b in mechanism.bodies if b.name == n) for n in ("frame", "loader bucket"))
    turned = quaternion_matrix(sim.quaternion("frame"))

    def at(point):
        """World position of a point given in the description; valid while no joint has moved."""
        return sim.position("frame") + turned @ np.subtract(point, frame.position)

    for body in ("loader arms", "loader bucket"):
        described = next(b for b in mechanism.bodies if b.name == body).position
        np.testing.assert_allclose(sim.position(body), at(described), atol=1e-9)
    weights = [(own.mass * G, sim.position(own.name)), (load, at(by["load in front"].position))]
    arms = next(b for b in mechanism.bodies if b.name == "loader arms")
    oil = [e for e in mechanism.elements if isinstance(e, Circuit)]
    areas = {b.cylinder.name: b.cylinder.areas for circuit in oil for b in circuit.branches}
    for name, pin, more in (
        ("loader tilt", "loader bucket pin", []),
        ("loader lift", "loader arm pin", [(arms.mass * G, sim.position(arms.name))]),
    ):
        middle, way = at(by[pin].position), by[f"{name} eyes"]
        foot, eye = at(way.position), at(way.position_b)
        arm = np.cross(eye - middle, (eye - foot) / np.linalg.norm(eye - foot))[1]
        moment = sum(np.cross(p - middle, (0, 0, -w))[1] for w, p in (*weights, *more))
        head, rod = sim.hydraulics.pressure(name) * areas[name]
        assert head - rod == pytest.approx(-moment / arm, rel=1e-6)
    sim.set_input("loader lift lever", 1.0)
    sim.run(6000)
    assert sim.position("loader bucket")[2] > 3.3
    sim.set_input("loader lift lever", 0.0)
    sim.set_input("loader tilt lever", -1.0)
    sim.run(3000)
    turn = sim.coordinate("loader arm pin") + sim.coordinate("loader bucket pin")
    assert turn < math.radians(-35.0)  # the bucket empties
    sim.set_input("loader load", 0.0)
    sim.set_input("loader tilt lever", 1.0)
    sim.set_input("loader lift lever", -1.0)
    sim.run(5000)
    assert sim.position("loader bucket")[2] < 0.7
    assert sim.missed == 0


TIP = (-1.3 - 3.71684117, 0.0, 0.9 - 0.50023017)  # [m] tip of the bucket in the tractor's description


def on_a_stop(friction):
    """The backhoe on its tractor; the bucket's tip meets a limit (``friction`` None) or rigid plane."""
    loader = backhoe_loader()
    elements = tuple(map(with_seals, loader.elements))
    if friction is not None:
        ball, centre = B.Sphere(0.1), (TIP[0], TIP[1], TIP[2] + 0.1)
        stop = B.RigidContact(
            name="stop",
            body="bucket",
            shape=ball,
            surface=B.Plane(TIP),
            position=centre,
            friction=friction,
        )
        return dataclasses.replace(loader, elements=elements, contacts=(*loader.contacts, stop))
    prop = B.Length(
        name="prop", body_a="ground", body_b="bucket", position=(*TIP[:2], -99.0), position_b=TIP
    )
    stop = B.Limit(name="stop", joint="prop", lower=99.0, upper=199.0)
    return dataclasses.replace(loader, elements=(*elements, prop, stop))


@pytest.mark.slow
@pytest.mark.parametrize("friction", [None, 0.0, 0.6])
def test_stabilisers_lift_off_and_with_the_levers_shut_it_holds_a_minute(friction):
    """The boom presses the bucket's tip onto a rigid stop until the stabilisers lift off.

    Then the bucket creeps by less than 0.01 mm: on a limit in 60 s, on a contact in 5 s.
    """
    mechanism = on_a_stop(friction)
    model = B.compile(mechanism)
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model, inputs={"brake": 1.0, "gear": 0.0}))

    def carried(name):
        return sim.work.machine.channels.impulse[model.channels[name][0]] / sim.step

    assert all(carried(wheel.name) > 1e3 for wheel in mechanism.wheels)
    sim.set_input("boom lever", -0.3)
    sim.run(900)
    sim.set_input("boom lever", 0.0)
    sim.run(20_000)  # until the swing on the tyres has decayed
    assert carried("stabiliser_left") == carried("stabiliser_right") == 0.0
    before = sim.position("bucket")
    sim.run(60_000 if friction is None else 5000)
    assert np.linalg.norm(sim.position("bucket") - before) < 1e-5
    assert sim.missed == 0


def with_seals(element):
    """The element; a circuit's swing cylinders get seal friction, since oil damps no oscillation."""
    if not isinstance(element, Circuit):
        return element
    branches = tuple(
        dataclasses.replace(b, cylinder=dataclasses.replace(b.cylinder, friction=500.0))
        if "swing" in b.cylinder.name
        else b
        for b in element.branches
    )
    return dataclasses.replace(element, branches=branches)


test_impossible_input_is_refused_in_one_sentence = refusals(
    (lambda: backhoe({"bom lever": 0.0}), "did you mean 'boom lever'"),
    (lambda: mounted(backhoe(), backhoe_loader(), "fram", (0, 0, 0)), "'fram' .* did you mean 'frame'"),
    (lambda: mounted(backhoe(), backhoe_loader(), "frame", (0, 0, 0)), "is used twice"),
    (lambda: with_signals(backhoe(), {"boom lever": math.nan}), "NaN|finite|nan"),
    error=B.MechanismError,
)
