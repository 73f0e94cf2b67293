"""A mechanism taken apart: its bodies at one rate, the oil of its cylinders at another."""

import dataclasses

import numpy as np
import pytest

from benchmarks.hydraulic_cases.circuits import bench
from benchmarks.rates import digger
from bodies import Body, Gravity, Mechanism, PointForce, Prismatic
from rig import MultiRate, RigError
from rig.linkage import Linkage
from rig.oil import Oil, Rods

INERTIA = ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))


def slide(joint="way"):
    """The bucket's bench as a body on a slide, its load a force on it."""
    case = bench("bucket")
    branch = case.circuit.branches[0]
    cylinder = dataclasses.replace(branch.cylinder, joint=joint, stops=False)
    circuit = dataclasses.replace(
        case.circuit, name="oil", branches=(dataclasses.replace(branch, cylinder=cylinder),)
    )
    elements = (
        Prismatic(name="way", body_a="ground", body_b="mass", position=(0, 0, 0), axis=(1, 0, 0)),
        PointForce(
            name="load", body="mass", position=(0, 0, 0), direction=(1, 0, 0), effort=case.rods[0].force
        ),
        circuit,
    )
    mass = Body(name="mass", mass=case.rods[0].mass, inertia=INERTIA)
    return Mechanism("slide", (mass,), elements, gravity=Gravity((0, 0, 0))), case


def test_a_body_on_a_slide_is_a_mass_on_the_rod():
    mechanism, case = slide()
    linkage, rods, oil = Linkage(mechanism, 1e-3), Rods(case.rods), Oil(case.circuit)
    runs = [
        MultiRate(slow, oil, 1e-3, 1e-3, 1e-4, method="ode3").run(start, oil.start(rods.load), 0.6)
        for slow, start in ((linkage, linkage.start), (rods, np.array([0.1, 0.0])))
    ]
    assert np.ptp(runs[0][0][:, 0]) > 0.01
    assert runs[0][0] == pytest.approx(runs[1][0], abs=1e-9)


def test_what_cannot_be_taken_apart_is_a_sentence():
    mechanism, _ = slide()
    dry = Mechanism("dry", mechanism.bodies, mechanism.elements[:1])
    with pytest.raises(RigError, match="has no hydraulic circuit to take apart"):
        Linkage(dry, 1e-3)
    with pytest.raises(RigError, match="T = 0.002 s is not the step of the linkage, 0.001 s"):
        Linkage(mechanism, 1e-3).step(np.zeros(2), np.zeros(1), 2e-3)


@pytest.mark.slow
def test_the_backhoe_digs_at_two_rates_as_in_one_solve():
    """To 3.2 s: the boom is lowered, the crowd taken in, the bucket digs."""
    exact, _ = digger.one_solve(digger.REFERENCE, 3.2)
    assert np.ptp(exact, axis=0)[:3].max() > 0.2
    one, _ = digger.one_solve(1e-3, 3.2)
    assert np.abs(one - exact).max() < 2e-4
    errors = [np.abs(digger.two_rates(c, c, 1e-4, 3.2) - exact).max() for c in (2e-3, 1e-3)]
    assert errors[1] < 1.5e-3
    assert errors[0] > 1.2 * errors[1]
