"""Cylinders of mechanisms stop at both ends of their stroke under load."""

import dataclasses
import math

import numpy as np
import pytest

from bodies import Schedule, Simulation, compile, equilibrium
from bodies.frames import quaternion_matrix
from bodies.hydraulics import Circuit, EndBuffer, backhoe
from bodies.view.shapes import BARREL, ROD, struts_of

from .oil_cases import crane, ram_circuit, slide

STROKE, PIN = 0.3, np.array([math.cos(math.radians(30.0)), 0.0, 0.0])


def short_crane():
    """The crane with a short stroke: its cylinder extends for 8 s and retracts for 8 s, to both ends."""
    lever = Schedule(((0.0, 0.0), (0.2, 0.8), (8.0, 0.8), (8.3, -0.8), (16.0, -0.8)))
    mechanism = crane()
    (circuit,) = (e for e in mechanism.elements if isinstance(e, Circuit))
    (branch,) = circuit.branches
    branch = dataclasses.replace(
        branch,
        valve=dataclasses.replace(branch.valve, command=lever),
        cylinder=dataclasses.replace(branch.cylinder, stops=True, extension=0.1, stroke=STROKE),
    )
    ended = dataclasses.replace(circuit, branches=(branch,))
    return dataclasses.replace(
        mechanism, elements=tuple(ended if e is circuit else e for e in mechanism.elements)
    )


def watched(sim, cylinder, seconds):
    """Extension [m] and force of the stop on the rod [N] after every step."""
    (row, *_) = sim.model.channels[f"{cylinder} stops"]
    seen = []
    for _ in range(round(seconds / sim.step)):
        sim.run(1)
        seen.append(
            (sim.hydraulics.extension(cylinder), sim.work.machine.channels.impulse[row] / sim.step)
        )
    return np.array(seen).T


def arrivals(force):
    return int(np.sum((force[1:] != 0.0) & (force[:-1] == 0.0)))


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_the_cranes_stop_and_oil_balance_the_load(step):
    """Forces of oil and stop carry boom and ball (virtual work); the stop takes energy."""
    sim = Simulation(compile(short_crane()), step, record_work=True)
    areas = 0.25 * math.pi * np.array([0.08**2, 0.08**2 - 0.035**2])
    for end, sign in ((STROKE, -1.0), (0.0, 1.0)):
        extension, force = watched(sim, "lift", 8.0)
        assert extension.min() > -1e-9
        assert extension.max() < STROKE + 1e-9
        assert extension[-1] == pytest.approx(end, abs=1e-9)
        assert arrivals(force) == 1
        assert (sign * force >= 0.0)[len(force) // 2 :].all()
        boom = sim.position("boom")
        rod = boom - PIN
        arm = (boom[2] * rod[0] - boom[0] * rod[2]) / np.linalg.norm(rod)
        # the boom's centre is its middle: the tip, where the ball hangs, is twice as far
        load = -9.8 * (500.0 + 2.0 * 100.0) * boom[0] / arm
        oil = areas @ (sim.hydraulics.pressure("lift") * (1.0, -1.0))
        assert np.mean(force[-len(force) // 16 :]) == pytest.approx(load - oil, rel=1e-2)
    work = sim.work_done()
    assert work["lift stops"] < 0.0
    kinetic = sim.energy().kinetic
    assert sum(work.values()) == pytest.approx(kinetic, abs=1e-9 * max(map(abs, work.values())))
    assert sim.missed == 0
    assert max(sim.joint_error()) < 1e-6


@pytest.fixture(scope="module")
def loaded():
    model = compile(backhoe())
    return model, equilibrium(model)


@pytest.mark.parametrize(
    ("lever", "way", "cylinder", "stroke"),
    [
        ("boom lever", 1.0, "boom", 0.7),
        ("crowd lever", 1.0, "crowd", 0.7),
        ("crowd lever", -1.0, "crowd", 0.7),
        ("bucket lever", 1.0, "bucket", 0.62),
        ("bucket lever", -1.0, "bucket", 0.62),
        ("swing lever", -1.0, "swing left", 0.29),
        ("swing lever", 1.0, "swing right", 0.29),
    ],
)
def test_a_backhoes_cylinders_end_where_their_stroke_does(loaded, lever, way, cylinder, stroke):
    """With 3000 N in the bucket a lever, fully over for 8 s, moves a cylinder to its stop."""
    model, rest = loaded
    sim = Simulation(model, 5e-3, state=rest, record_work=True)
    sim.set_input("load", 3000.0)
    sim.set_input(lever, way)
    extension, force = watched(sim, cylinder, 8.0)
    assert -1e-5 < extension.min() < extension.max() < stroke + 1e-5
    assert min(abs(extension[-1]), abs(extension[-1] - stroke)) < 1e-7
    assert arrivals(force) <= 2
    assert np.ptp(extension[-200:]) < 1e-6
    work = sim.work_done()
    assert work[f"{cylinder} stops"] < 0.0
    most = max(map(abs, work.values()))
    assert sum(work.values()) == pytest.approx(sim.energy().kinetic, abs=1e-9 * most)
    assert sim.missed == 0
    assert max(sim.joint_error()) < 1e-6


def test_an_end_buffer_carries_the_load_and_the_oil_before_the_stop():
    """Retracted onto its buffer: ``k (l - x) = m g - A_h P_h + A_r P_r``.

    k, l: stiffness and length of the buffer; x: extension; A, P: area and pressure at head (h) and rod
    (r); m g: weight of the load.
    """
    buffer = EndBuffer(length=0.03, stiffness=1e7)
    mechanism = slide(ram_circuit(lever=-0.5, buffer=buffer, damping=2e5))
    sim = Simulation(compile(mechanism), 1e-3)
    sim.run(6000)
    x, (head, rod) = sim.hydraulics.extension("ram"), sim.hydraulics.pressure("ram")
    (cylinder,) = (b.cylinder for b in mechanism.elements[1].branches)
    pressed = 1500.0 * 10.0 - head * cylinder.areas[0] + rod * cylinder.areas[1]
    assert sim.missed == 0
    assert 0.0 < x < buffer.length
    assert buffer.stiffness * (buffer.length - x) == pytest.approx(pressed, rel=1e-6)


def test_a_cylinder_along_a_length_is_drawn_as_barrel_and_rod():
    """A cylinder is drawn by two meshes: the barrel starts at its first eye, the rod at its second."""
    model = compile(crane())
    barrel, rod = struts_of(model)
    assert (barrel.colour, rod.colour) == (BARREL, ROD)
    poses = Simulation(model, 1e-3).poses()
    x, turns = poses[:, :3], [quaternion_matrix(q) for q in poses[:, 3:]]
    at, axes, scale = barrel.pose(x, turns)
    np.testing.assert_allclose(at, PIN, atol=1e-12)
    np.testing.assert_allclose(at + 0.5 * axes[:, 2], 0.5 * np.array([PIN[0], 0.0, 0.5]), atol=1e-9)
    np.testing.assert_allclose(rod.pose(x, turns)[1][:, 2], -axes[:, 2], atol=1e-12)
    assert scale == 1.0
