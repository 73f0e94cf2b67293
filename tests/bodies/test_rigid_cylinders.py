"""Cylinders without oil: the valve sets the speed, independent of the load."""

import dataclasses
import math

import pytest

import bodies as B
import bodies.hydraulics as H
from bodies.files import mechanism_from_toml, mechanism_to_toml
from tests.bodies.oil_cases import ONE, ram_circuit, slide


def rigid_ram(**changes):
    """Circuit whose cylinder is rigid: the valve alone sets its speed."""
    circuit = ram_circuit(lever="lever", rigid=True)
    return dataclasses.replace(circuit, **changes)


@pytest.mark.parametrize(("lever", "side"), [(0.55, 0), (-0.9, 1)])
@pytest.mark.parametrize("mass", [1.0, 1e5])
def test_a_rigid_cylinder_moves_at_the_valves_metered_speed(lever, side, mass):
    circuit = rigid_ram()
    model = B.compile(slide(circuit, mass=mass, inputs={"lever": 0.0}))
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    sim.set_input("lever", lever)
    sim.run(200 if lever > 0.0 else 50)
    (branch,), oil = circuit.branches, circuit.fluid
    area = 60e-6 * (abs(lever) - 0.05) / 0.95
    flow = area * oil.discharge * math.sqrt(2.0 * branch.compensator.drop / oil.density)
    wanted = math.copysign(flow / branch.cylinder.areas[side], lever)
    assert sim.velocity("mass")[0] == pytest.approx(wanted, rel=1e-9)
    sim.run(20_000)  # until the piston rests at the end of its stroke
    assert sim.coordinate("slide") == pytest.approx(0.7 if lever > 0.0 else -0.1, abs=1e-9)
    assert sim.missed == 0
    with pytest.raises(B.MechanismError, match="no hydraulic circuit"):
        _ = sim.hydraulics


def test_without_compensator_a_rigid_cylinder_moves_as_one_without_load():
    edge = ((0.0, 0.0), (1.0, 4e-5))
    valve = H.SpoolValve(command=0.7, inlet=edge, outlet=edge)
    lengths = []
    for rigid in (True, False):
        cylinder = H.HydraulicCylinder(
            name="ram", joint="slide", bore=0.09, rod=0.055, stroke=0.8, extension=0.1, rigid=rigid
        )
        circuit = H.Circuit(
            name="oil",
            pump=H.ConstantPressure(pressure=8e6),
            branches=(H.Branch(valve=valve, cylinder=cylinder),),
        )
        mechanism = dataclasses.replace(slide(circuit, mass=10.0), gravity=B.Gravity((0.0, 0.0, 0.0)))
        sim = B.Simulation(B.compile(mechanism), 1e-3)
        sim.run(300)
        first = sim.coordinate("slide")
        sim.run(300)
        lengths.append(sim.coordinate("slide") - first)
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-2)  # tolerance: the oil's compression


def test_a_rigid_cylinder_beside_one_with_oil():
    ram = ram_circuit(lever=0.3)
    (branch,) = ram.branches
    other = dataclasses.replace(
        branch, cylinder=dataclasses.replace(branch.cylinder, name="other", joint="rail", rigid=True)
    )
    circuit = dataclasses.replace(ram, branches=(branch, other))
    bodies = tuple(B.Body(name=n, mass=1500.0, inertia=ONE) for n in ("mass", "second"))
    ways = tuple(
        B.Prismatic(name=n, body_a="ground", body_b=b, position=(0, 0, 0), axis=(1, 0, 0))
        for n, b in (("slide", "mass"), ("rail", "second"))
    )
    mechanism = B.Mechanism("two", bodies, (*ways, circuit), gravity=B.Gravity((-10.0, 0, 0)))
    assert mechanism_from_toml(mechanism_to_toml(mechanism)) == mechanism
    sim = B.Simulation(B.compile(mechanism), 1e-3)
    sim.run(800)
    assert sim.hydraulics.extension("ram") > 0.12
    assert sim.coordinate("rail") == pytest.approx(sim.coordinate("slide"), rel=0.2)
    with pytest.raises(B.UnknownName, match="'other'"):
        sim.hydraulics.pressure("other")
    with pytest.raises(B.MechanismError, match="'other' is rigid"):
        H.Bench(circuit, (H.Rod(), H.Rod()))
