"""Oil and linkage in one solve: the published crane, and a mass on a slide beside the bench."""

import dataclasses
import math

import numpy as np
import pytest

from bodies import (
    Body,
    Brake,
    Gravity,
    Limit,
    Mechanism,
    MechanismError,
    Prismatic,
    Revolute,
    Schedule,
    Simulation,
    SimulationError,
    SpringDamper,
    UnknownName,
    compile,
)
from bodies.hydraulics import (
    Bench,
    Branch,
    Circuit,
    Compensator,
    ConstantPressure,
    Cylinder,
    Fluid,
    LoadSensingPump,
    Machine,
    MakeUp,
    Relief,
    Rod,
    SpoolValve,
)

ONE = ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))
LEVER = Schedule(((0, 0), (0.5, 0), (2, 0.6), (7, 0.6), (9, -1), (10, 0)))
#: J. Rahikainen et al., Multibody System Dynamics 50 (2020) 143: their equations by SciPy's Radau, equal
#: at relative tolerances of 1e-8 and 1e-10. Length [m], pressures of piston and rod side [MPa].
RADAU = {
    0.5: (0.50004751, 4.16266, 3.46052),
    1.0: (0.50412131, 3.82051, 2.64601),
    2.0: (0.53629516, 4.10269, 2.38530),
    4.0: (0.63293728, 3.94210, 2.49266),
}


def crane():
    """A boom of 1 m at 30 degrees; a ball swings 0.3 m below its tip."""
    c, s = math.cos(math.radians(30.0)), 0.5
    boom = Body(name="boom", mass=500.0, inertia=ONE, position=(c / 2, 0, s / 2))
    ball = Body(name="ball", mass=100.0, inertia=ONE, position=(c, 0, s - 0.3))
    pivot = {"position": (0, 0, 0), "axis": (0, 1, 0)}
    elements = (
        Revolute(name="pivot", body_a="ground", body_b="boom", **pivot),
        Revolute(name="tip", body_a="boom", body_b="ball", position=(c, 0, s), axis=(0, 1, 0)),
        SpringDamper(
            name="way", body_a="ground", body_b="boom", position=(c, 0, 0), position_b=(c / 2, 0, s / 2),
            damping=1e-9,
        ),
        Brake(name="lift", joint="way.length", capacity=0.0),
    )  # fmt: skip
    return compile(Mechanism("crane", (boom, ball), elements, gravity=Gravity((0, 0, -9.8))))


def crane_circuit():
    fluid = Fluid(
        modulus=1.5e9, hose_modulus=0.15e9, wall_modulus=31.5e9, laminar="linear", transition=2e5,
        conserve="volume",
    )  # fmt: skip
    full = 24e-3 / 60.0 / math.sqrt(3.5e6)  # 24 l/min at 3.5 MPa
    edge = (0.0, 0.0), (1.0, full / (fluid.discharge * math.sqrt(2.0 / fluid.density)))
    valve = SpoolValve(command=LEVER, inlet=edge, outlet=edge, bandwidth=35.0, load_check=False)
    cylinder = Cylinder(
        name="lift", bore=0.08, rod=0.035, stroke=0.442, extension=0.221, dead_volume=1e-9,
        hose_volume=(3.14e-5, 7.85e-5), damping=1e5,
    )  # fmt: skip
    branch = Branch(valve=valve, cylinder=cylinder)
    return Circuit(name="crane", fluid=fluid, pump=ConstantPressure(pressure=7.6e6), branches=(branch,))


@pytest.fixture(scope="module")
def crane_model():
    return crane()


def lifted(model, step, integration):
    pressures = {"lift": (4.4e6, 3.3e6)}
    return Machine(
        Simulation(model, step), crane_circuit(), integration=integration, pressures=pressures
    )


@pytest.mark.parametrize("integration", ["auto", "backward", "centred"])
def test_the_crane_is_the_published_one(crane_model, integration):
    machine, at = lifted(crane_model, 1e-3, integration), 0.0
    for time, (length, piston, rod) in RADAU.items():
        machine.run((time - at) / 1e-3)
        at = time
        assert machine.extension("lift") + 0.279 == pytest.approx(length, abs=5e-5)
        assert 1e-6 * machine.pressure("lift") == pytest.approx([piston, rod], abs=1e-3)
    assert machine.missed == 0
    assert max(machine.simulation.joint_error()) < 1e-6


def test_save_and_restore_give_the_same_bytes(crane_model):
    machine = lifted(crane_model, 1e-3, "auto")
    machine.run(800)
    saved = machine.state()
    machine.run(200)
    first = machine.pressure("lift").tobytes(), machine.simulation.position("ball").tobytes()
    machine.restore(saved)
    machine.run(200)
    assert (machine.pressure("lift").tobytes(), machine.simulation.position("ball").tobytes()) == first


def slide(mass=1500.0, brake=None):
    """A mass on a slide along x, and what else acts on it."""
    body = Body(name="mass", mass=mass, inertia=ONE)
    way = Prismatic(name="slide", body_a="ground", body_b="mass", position=(0, 0, 0), axis=(1, 0, 0))
    ram = brake or Brake(name="ram", joint="slide", capacity=0.0)
    elements = (way, ram)
    return Mechanism("slide", (body,), elements, gravity=Gravity((-10.0, 0, 0)))


def ram_circuit():
    lever = Schedule(((0, 0), (0.2, 0), (0.3, 0.5), (0.8, 0.5), (0.85, 0), (1.1, -0.6)))
    branch = Branch(
        valve=SpoolValve(command=lever, inlet=((0.05, 0), (1, 6e-5)), outlet=((0.05, 0), (1, 9e-5))),
        compensator=Compensator(),
        cylinder=Cylinder(name="ram", bore=0.09, rod=0.055, stroke=0.8, extension=0.1, damping=5e3),
        relief=Relief(pressure=28e6),
        make_up=MakeUp(pressure=9e4),
    )
    return Circuit(name="c", pump=LoadSensingPump(), branches=(branch,))


@pytest.mark.parametrize("integration", ["auto", "backward", "centred"])
def test_a_mass_on_a_slide_is_the_benchs(integration):
    circuit = ram_circuit()
    bench = Bench(circuit, (Rod(mass=1500.0, force=-15e3),)).run(1.5, 1e-3, integration)
    model = compile(slide())
    start = {"ram": tuple(bench.pressure[0, 0])}
    machine = Machine(Simulation(model, 1e-3), circuit, integration=integration, pressures=start)
    for k in range(0, 1500, 100):
        assert machine.extension("ram") == pytest.approx(bench.length[k, 0], abs=1e-9)
        assert machine.pressure("ram") == pytest.approx(bench.pressure[k, 0], rel=1e-6)
        machine.run(100)
    assert machine.missed == 0


def test_one_sentence_for_what_cannot_be():
    circuit = ram_circuit()

    def machine(mechanism, **words):
        return Machine(Simulation(compile(mechanism), 1e-3), circuit, **words)

    with pytest.raises(MechanismError, match="cylinder 'ram' needs a Brake of its name and capacity 0"):
        machine(slide(brake=Brake(name="arm", joint="slide", capacity=0.0)))
    with pytest.raises(MechanismError, match="capacity 0"):
        machine(slide(brake=Brake(name="ram", joint="slide", capacity=5.0)))
    stopped = slide()
    stop = Limit(name="stop", joint="slide", lower=-1.0, upper=1.0)
    stopped = dataclasses.replace(stopped, elements=(*stopped.elements, stop))
    with pytest.raises(MechanismError, match="'stop' is no cylinder"):
        machine(stopped)
    with pytest.raises(MechanismError, match="'forward' is unknown"):
        machine(slide(), integration="forward")
    good = machine(slide())
    with pytest.raises(UnknownName, match="cylinder: 'rum' is unknown"):
        good.pressure("rum")
    with pytest.raises(MechanismError, match="does not fit this circuit"):
        good.restore((good.simulation.state(), np.zeros(3)))
    falling = machine(slide(mass=1e6))
    with pytest.raises(SimulationError, match="'ram': at .* outside its stroke"):
        falling.run(5000)
