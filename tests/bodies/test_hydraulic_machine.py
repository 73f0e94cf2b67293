"""Oil, mechanism, stops and contact solved in one step: a mass on a slide, moved by a cylinder."""

import dataclasses
import math
import re

import numpy as np
import pytest

import bodies as B
import bodies.hydraulics as H
from bodies.files import mechanism_from_toml, mechanism_to_toml
from tests.bodies.oil_cases import ONE, ram_circuit, slide


def over_its_relief():
    """Ram with seals and cushions, extended by its lever; in mid-stroke a load pushes it back, and the
    oil leaves through the port's relief valve (a set-valued law)."""
    circuit = ram_circuit(lever="lever", friction=200.0, cushion=H.Cushion(length=0.04))
    branch = dataclasses.replace(circuit.branches[0], relief=H.Relief(pressure=9e6))
    mechanism = slide(
        dataclasses.replace(circuit, branches=(branch,)), inputs={"lever": 0.0, "load": 0.0}
    )
    load = B.PointForce(
        name="load", body="mass", position=(0, 0, 0), direction=(-1, 0, 0), effort="load"
    )
    return dataclasses.replace(mechanism, elements=(*mechanism.elements, load))


def push_over(sim, lever, first=0, last=12):
    """Run intervals of 50 ms from ``first`` to ``last``: lever from 0.1 s, load from 0.35 to 0.5 s."""
    for k in range(first, last):
        for name, at, value in (("lever", 2, lever), ("load", 7, 60e3), ("load", 10, 0.0)):
            if k == at:
                sim.set_input(name, value)
        sim.run(50)


def test_at_its_relief_in_mid_stroke_it_is_the_same_saved_again_and_in_a_batch(tmp_path):
    model = B.compile(over_its_relief())
    start, levers = B.equilibrium(model), np.array([0.4, 0.7, 0.2])
    alone = []
    for lever in levers:
        sim = B.Simulation(model, 1e-3, state=start)
        push_over(sim, lever, last=8)
        assert sim.hydraulics.pressure("ram")[0] == pytest.approx(9e6, abs=1.0)
        assert 0.05 < sim.hydraulics.extension("ram") < 0.7
        sim.state().save(tmp_path / "state")
        again = B.Simulation(model, 1e-3, state=B.State.load(tmp_path / "state"))
        for one in (sim, again):
            push_over(one, lever, first=8)
            assert one.missed == 0
        assert again.state().floats.tobytes() == sim.state().floats.tobytes()
        alone.append(sim)
    batch = B.Batch(model, len(levers), 1e-3, state=start)
    push_over(batch, levers)
    for read in (B.Batch.position, B.Batch.velocity):
        each = [getattr(sim, read.__name__)("mass") for sim in alone]
        assert read(batch, "mass").tobytes() == np.array(each).tobytes()


@pytest.mark.parametrize("integration", ["auto", "backward", "centred"])
@pytest.mark.parametrize("stops", [False, True])
def test_a_mass_on_a_slide_is_the_benchs(integration, stops):
    circuit = ram_circuit(integration=integration, stops=stops)
    bench = H.Bench(circuit, (H.Rod(mass=1500.0, force=-15e3),)).run(1.5, 1e-3, integration)
    model = B.compile(slide(circuit))
    run = B.simulate(model, 1.5, state=B.equilibrium(model), progress=False)
    assert run.hydraulics.extension("ram") == pytest.approx(bench.length[:, 0], abs=1e-9)
    assert run.hydraulics.pressure("ram") == pytest.approx(bench.pressure[:, 0], rel=1e-6)
    assert run.hydraulics.pump[:, 0] == pytest.approx(bench.line[:, 0], rel=1e-6)
    assert run.missed == 0


def test_a_stop_ends_the_stroke_and_the_pump_goes_over_its_relief():
    model = B.compile(slide(ram_circuit(lever="lever"), inputs={"lever": 1.0}))
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model, inputs={"lever": 0.0}))
    sim.set_input("lever", 1.0)
    sim.run(6000)
    oil = sim.hydraulics
    assert oil.extension("ram") == pytest.approx(0.8, abs=1e-9)
    assert sim.velocity("mass")[0] == pytest.approx(0.0, abs=1e-9)
    # no flow into the cylinder: head and line are at the pressure at which the relief takes all flow
    assert oil.pressure("ram")[0] == pytest.approx(oil.pump[0], rel=1e-6)
    assert oil.pump[0] > 25e6
    assert sim.missed == 0
    sim.set_input("lever", -1.0)
    sim.run(1000)
    assert oil.extension("ram") < 0.7


def test_seals_hold_loads_up_to_their_friction():
    """Through a leak a load sinks, unless the seals carry it."""
    for friction, stands in ((20e3, True), (5e3, False)):
        circuit = ram_circuit(lever=0.0, friction=friction, leakage=1e-10)
        model = B.compile(slide(circuit))
        sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
        sim.run(3000)
        moved = sim.hydraulics.extension("ram") - 0.1
        pressure = sim.hydraulics.pressure("ram")
        assert (abs(moved) < 1e-4) == stands
        if not stands:  # the seals carry a part of the load
            head, rod = circuit.branches[0].cylinder.areas
            drag = 5e3 * sim.velocity("mass")[0]
            assert head * pressure[0] - rod * pressure[1] - drag == pytest.approx(10e3, rel=1e-3)


def test_oil_pushes_into_a_contact_in_the_same_solve():
    """A ball on the mass meets a wall, which then carries the oil's force less the mass's weight."""
    circuit = ram_circuit(lever="lever")
    wall = B.RigidContact(
        name="wall",
        body="mass",
        shape=B.Sphere(0.1),
        friction=0.0,
        surface=B.Plane(point=(0.4, 0, 0), normal=(-1.0, 0, 0)),
    )
    model = B.compile(slide(circuit, contacts=(wall,), inputs={"lever": 0.0}))
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model), record_work=True)
    sim.set_input("lever", 0.8)
    sim.run(4000)
    first = sim.model.channels["wall"][0]
    oil, force = sim.hydraulics, sim.work.machine.channels.impulse[first] / 1e-3
    head, rod = circuit.branches[0].cylinder.areas
    pressure = oil.pressure("ram")
    assert oil.extension("ram") == pytest.approx(0.4, abs=1e-6)
    assert force == pytest.approx(head * pressure[0] - rod * pressure[1] - 15e3, rel=1e-6)
    assert pressure[0] > 24e6
    assert sim.missed == 0
    work = sim.work_done()
    assert sum(work.values()) == pytest.approx(sim.energy().kinetic, abs=1e-9 * work["ram"])


@pytest.mark.parametrize("model", ["cone", "box"])
@pytest.mark.parametrize(("friction", "tilt"), [(0.0, 0.0), (0.3, 0.1), (0.8, 0.3), (0.5, -0.4)])
def test_oil_presses_a_flat_face_on_a_wall(friction, tilt, model):
    """Forces at the face's corners are not unique: the slide nearly fixes their tangential motion."""
    circuit = ram_circuit(lever="lever")
    c, s = math.cos(tilt), math.sin(tilt)
    wall = B.RigidContact(
        name="wall",
        body="mass",
        shape=B.Box(0.4, 0.5, 0.3),
        friction=friction,
        friction_model=model,
        surface=B.Plane(point=((0.25 * c + 0.15 * abs(s)) / c, 0, 0), normal=(-c, 0, s)),
    )
    sim = B.Simulation(B.compile(slide(circuit, contacts=(wall,), inputs={"lever": 0.0})), 1e-3)
    for lever in (0.8, -0.3, 0.5):
        sim.set_input("lever", lever)
        sim.run(200)
    assert sim.missed == 0
    assert 0.1 < sim.hydraulics.extension("ram") < 0.8


def test_energy_of_pump_oil_and_bodies_is_accounted_for():
    for integration, most in (("auto", 1e-3), ("backward", 1.5e-2)):
        model = B.compile(slide(ram_circuit(integration=integration)))
        run = B.simulate(model, 1.5, state=B.equilibrium(model), progress=False)
        oil = run.hydraulics
        work = {name: done[-1] - done[0] for name, done in oil.work.items()}
        stored = oil.energy[-1] - oil.energy[0]
        gap = work["pumped"] - work["done"] - work["lost"] - stored
        assert abs(gap) < most * work["pumped"]
        total = run.energy().springs["oil"]
        assert np.array_equal(total, oil.energy)


def test_a_run_with_oil_is_kept_in_a_file(tmp_path):
    model = B.compile(slide(ram_circuit()))
    run = B.simulate(model, 0.1, state=B.equilibrium(model), progress=False)
    run.save(tmp_path / "run")
    again = B.Trajectory.load(tmp_path / "run", model)
    assert np.array_equal(again.hydraulics.pressure("ram"), run.hydraulics.pressure("ram"))
    assert "ram.head [Pa]" in again.columns()


def test_impossible_input_is_refused_in_one_sentence():
    def refused(match, mechanism):
        with pytest.raises(B.MechanismError, match=match):
            B.compile(mechanism)

    circuit = ram_circuit()
    refused("cylinder 'ram': in a mechanism it needs a joint", slide(ram_circuit(joint=None)))
    refused("cylinder 'ram': joint coordinate: 'slade' is unknown", slide(ram_circuit(joint="slade")))
    refused("cylinder 'ram': input: 'stick' is unknown", slide(ram_circuit(lever="stick")))
    two = slide(circuit)
    rum = renamed(circuit, "oil", "rum", "slide")
    ram = dataclasses.replace(two.elements[0], name="ram")
    with pytest.raises(B.MechanismError, match="the name 'oil' is used twice"):
        dataclasses.replace(two, elements=(*two.elements, rum))
    with pytest.raises(B.MechanismError, match="the name 'ram' is used twice"):
        dataclasses.replace(two, elements=(*two.elements, ram))
    weld = B.Revolute(name="weld", body_a="ground", body_b="mass", axis=(0, 1, 0))
    stuck = dataclasses.replace(two, elements=(*two.elements, weld))
    refused("cylinder 'ram': nothing can move along 'slide'", stuck)
    model = B.compile(two)
    with pytest.raises(B.MechanismError, match="take 'direct', 'pgs' or 'newton'"):
        B.Simulation(model, 1e-3, solver="cvxpy")
    with pytest.raises(B.MechanismError, match="no counterpart in MuJoCo"):
        B.to_mjcf(model)
    sim = B.Simulation(model, 1e-3)
    with pytest.raises(B.UnknownName, match="cylinder: 'rum' is unknown"):
        sim.hydraulics.pressure("rum")
    falling = B.Simulation(B.compile(slide(ram_circuit(stops=False), mass=1e6)), 1e-3)
    with pytest.raises(B.SimulationError, match=re.escape("outside its stroke of 0 to 0.8 m")):
        falling.run(5000)
    with pytest.raises(B.MechanismError, match="it has no hydraulic circuit"):
        _ = B.Simulation(B.compile(dataclasses.replace(two, elements=two.elements[:1])), 1e-3).hydraulics


def test_a_cushion_takes_the_speed_before_the_stop():
    """A cushion, read from a file, more than halves the speed at which the piston meets its stop."""
    arrival = {}
    for cushion in (None, H.Cushion(length=0.04, orifice=2e-6)):
        circuit = ram_circuit(lever="lever", extension=0.6, cushion=cushion)
        text = mechanism_to_toml(slide(circuit, inputs={"lever": 0.0}))
        sim = B.Simulation(B.compile(mechanism_from_toml(text)), 1e-3)
        sim.set_input("lever", 0.8)
        speed = 0.0
        while sim.hydraulics.extension("ram") < 0.799 and sim.time < 5.0:
            speed = sim.velocity("mass")[0]
            sim.run(1)
        sim.run(500)
        assert sim.hydraulics.extension("ram") == pytest.approx(0.8, abs=1e-6)
        assert sim.missed == 0
        arrival[cushion] = speed
    slow, fast = sorted(arrival.values())
    assert slow < 0.5 * fast


def test_readings_are_unchanged_when_the_run_continues():
    sim = B.Simulation(B.compile(slide(ram_circuit())), 1e-3)
    oil = sim.hydraulics
    before = [oil.extension("ram"), *oil.pressure("ram"), *oil.oil("ram"), oil.spool("ram")]
    kept = [float(value) for value in before]
    sim.run(800)
    assert [float(value) for value in before] == kept
    assert oil.extension("ram") > before[0] + 0.05


def renamed(circuit, name, cylinder, joint):
    """A copy, with a new name, of a circuit of one branch; its cylinder moves the given joint."""
    (branch,) = circuit.branches
    piston = dataclasses.replace(branch.cylinder, name=cylinder, joint=joint)
    return dataclasses.replace(
        circuit, name=name, branches=(dataclasses.replace(branch, cylinder=piston),)
    )


def test_circuits_beside_each_other_move_as_alone():
    """Circuits with different oil, pump and integration move in one mechanism as each would alone."""
    first = ram_circuit()
    other = renamed(ram_circuit(integration="backward", bore=0.12, damping=2e4), "second", "rum", "rail")
    fluid = H.Fluid(modulus=0.9e9, hose_modulus=0.2e9, tank=1.5e5, conserve="volume")
    other = dataclasses.replace(other, fluid=fluid, pump=H.ConstantPressure(pressure=15e6), theta=0.4)
    one = slide(first)
    body = B.Body(name="second mass", mass=900.0, inertia=ONE, position=(0, 3, 0))
    rail = B.Prismatic(
        name="rail", body_a="ground", body_b="second mass", position=(0, 3, 0), axis=(1, 0, 0)
    )
    two = B.Mechanism("rail", (body,), (rail, other), gravity=one.gravity)
    both = B.Mechanism("both", (*one.bodies, body), (*one.elements, *two.elements), gravity=one.gravity)
    both = mechanism_from_toml(mechanism_to_toml(both))
    runs = []
    for mechanism in (both, one, two):
        model = B.compile(mechanism)
        runs.append(B.simulate(model, 1.2, state=B.equilibrium(model), record_work=True, progress=False))
    whole, alone = runs[0], dict(zip(("ram", "rum"), runs[1:], strict=True))
    assert whole.missed == 0
    for name, run in alone.items():
        theirs, ours = run.hydraulics, whole.hydraulics
        assert np.ptp(theirs.extension(name)) > 0.04
        assert ours.extension(name) == pytest.approx(theirs.extension(name), abs=1e-12)
        assert ours.pressure(name) == pytest.approx(theirs.pressure(name), rel=1e-9)
        assert np.all(ours.opening(name) == pytest.approx(theirs.opening(name), abs=1e-12))
    assert whole.hydraulics.pump == pytest.approx(
        np.column_stack([run.hydraulics.pump[:, 0] for run in alone.values()]), rel=1e-9
    )
    springs = whole.energy().springs
    assert set(springs) >= {"oil", "second"}
    for name, run in zip(("oil", "second"), alone.values(), strict=True):
        assert springs[name] == pytest.approx(run.hydraulics.energy, rel=1e-8, abs=1e-6)
    for kind in ("pumped", "done", "lost"):
        total = sum(run.hydraulics.work[kind][-1] for run in alone.values())
        assert whole.hydraulics.work[kind][-1] == pytest.approx(total, rel=1e-9)
    columns = whole.columns()
    assert {"oil.pump 0 [Pa]", "second.pump 0 [Pa]"} <= set(columns)
