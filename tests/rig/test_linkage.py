"""Bodies and the oil of their cylinders, stepped at two rates, move as in one solve."""

import dataclasses
import math

import numpy as np
import pytest

import bodies as B
from benchmarks.hydraulic_cases.backhoe import digging
from benchmarks.hydraulic_cases.circuits import bench
from benchmarks.rates import digger
from bodies.hydraulics import Relief
from rig import MultiRate, RigError
from rig.two_rates.linkage import Linkage
from rig.two_rates.oil import Oil, Rods

INERTIA = ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))


def slide(which="bucket", **changes):
    """The hydraulic bench as a body on a slide, with its load as a force on the body."""
    case = bench(which)
    branch = case.circuit.branches[0]
    cylinder = dataclasses.replace(branch.cylinder, joint=f"way of {which}", stops=False, **changes)
    circuit = dataclasses.replace(
        case.circuit, name=f"oil of {which}", branches=(dataclasses.replace(branch, cylinder=cylinder),)
    )
    mass, at = f"mass of {which}", (0, 0, 0)
    elements = (
        B.Prismatic(name=f"way of {which}", body_a="ground", body_b=mass, position=at, axis=(1, 0, 0)),
        B.PointForce(
            name=f"load of {which}",
            body=mass,
            position=at,
            direction=(1, 0, 0),
            effort=case.rods[0].force,
        ),
        circuit,
    )
    body = B.Body(name=mass, mass=case.rods[0].mass, inertia=INERTIA)
    return B.Mechanism("slide", (body,), elements, gravity=B.Gravity((0, 0, 0))), case


def beside(one, other):
    """Two mechanisms joined into one."""
    bodies, elements = (*one.bodies, *other.bodies), (*one.elements, *other.elements)
    return dataclasses.replace(one, bodies=bodies, elements=elements)


def two_rates(mechanism, duration=0.6):
    linkage = Linkage(mechanism, 1e-3)
    oil, start = linkage.oil()
    run = MultiRate(linkage, oil, 1e-3, 1e-3, 1e-4, method="ode3")
    return linkage, run.run(linkage.start, start, duration)[0]


def test_a_body_on_a_slide_is_a_mass_on_the_rod():
    mechanism, case = slide()
    linkage, rods, oil = Linkage(mechanism, 1e-3), Rods(case.rods), Oil(case.circuit)
    runs = [
        MultiRate(slow, oil, 1e-3, 1e-3, 1e-4, method="ode3").run(start, oil.start(rods.load), 0.6)
        for slow, start in ((linkage, linkage.start), (rods, np.array([0.1, 0.0])))
    ]
    assert np.ptp(runs[0][0][:, 0]) > 0.01
    assert runs[0][0] == pytest.approx(runs[1][0], abs=1e-9)


def test_of_several_circuits_each_is_taken_apart_with_its_own_pump():
    bucket, boom = slide("bucket")[0], slide("boom")[0]
    linkage, both = two_rates(beside(bucket, boom))
    assert linkage.circuit.cylinders == ("bucket", "boom")
    for column, alone in enumerate((bucket, boom)):
        _, x = two_rates(alone)
        assert np.ptp(x[:, 0]) > 0.005
        assert both[:, column::2] == pytest.approx(x, abs=1e-12)


def test_rigid_cylinders_and_seals_stay_with_the_bodies():
    stuck, _ = slide("bucket", friction=1e6)
    rigid, _ = slide("boom", rigid=True)
    linkage, x = two_rates(beside(stuck, rigid))
    assert linkage.circuit.cylinders == ("bucket",)
    assert np.ptp(x[:, 0]) < 1e-6
    assert linkage.simulation.coordinate("way of boom") > 0.01
    with pytest.raises(RigError, match="has no hydraulic circuit to take apart"):
        Linkage(rigid, 1e-3)


def test_what_cannot_be_taken_apart_is_a_sentence():
    mechanism, _ = slide()
    dry = B.Mechanism("dry", mechanism.bodies, mechanism.elements[:1])
    with pytest.raises(RigError, match="has no hydraulic circuit to take apart"):
        Linkage(dry, 1e-3)
    with pytest.raises(RigError, match="T = 0.002 s is not the step of the linkage, 0.001 s"):
        Linkage(mechanism, 1e-3).step(np.zeros(2), np.zeros(1), 2e-3)
    *rest, circuit = mechanism.elements
    branch = dataclasses.replace(circuit.branches[0], relief=Relief(pressure=28e6))
    sharp = dataclasses.replace(circuit, branches=(branch,))
    linkage = Linkage(dataclasses.replace(mechanism, elements=(*rest, sharp)), 1e-3)
    with pytest.raises(B.MechanismError, match="'bucket' has one that is set-valued"):
        linkage.oil()


@pytest.mark.slow
def test_the_backhoes_stiffest_cylinder_asks_for_exchanges_within_5_ms():
    """The bucket's frequency on its oil, ``w = sqrt(k/m)``, reaches 400 1/s (k: oil stiffness, m: mass
    at the rod); exchanges are stable below a period of 2/w."""
    model = B.compile(digging())
    sim, fastest = B.Simulation(model, 1e-3, state=B.equilibrium(model)), {}
    for _ in range(24):
        sim.run(500)
        memory = sim.work.oil()
        for branch, now, solve in zip(model.circuit.branches, memory.now, memory.solves, strict=True):
            cylinder = branch.cylinder
            head, rod = cylinder.areas
            left, dead = cylinder.stroke - now.length, cylinder.dead_volume
            k = 1.2e9 * (head**2 / (dead + head * now.length) + rod**2 / (dead + rod * left))
            w = math.sqrt(k * solve.mobility)
            fastest[cylinder.name] = max(w, fastest.get(cylinder.name, 0.0))
    assert max(fastest, key=lambda name: fastest[name]) == "bucket"
    assert fastest["bucket"] == pytest.approx(400.0, rel=0.02)


@pytest.mark.slow
def test_the_backhoe_digs_at_two_rates_as_in_one_solve():
    """Motion at two rates differs from that of one solve, in 3.2 s of digging, by less than 1.5 mm with
    exchanges each ms, and by more with exchanges each 2 ms."""
    exact, _ = digger.one_solve(digger.REFERENCE, 3.2)
    assert np.ptp(exact, axis=0)[:3].max() > 0.2
    one, _ = digger.one_solve(1e-3, 3.2)
    assert np.abs(one - exact).max() < 2e-4
    errors = [np.abs(digger.two_rates(c, c, 1e-4, 3.2) - exact).max() for c in (2e-3, 1e-3)]
    assert errors[1] < 1.5e-3
    assert errors[0] > 1.2 * errors[1]
