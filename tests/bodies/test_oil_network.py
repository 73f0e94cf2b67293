"""Five hydraulic cylinders on one pump or on five: states, slope of force over speed, levers, spools."""

import math

import numpy as np
import pytest

import bodies.hydraulics as H
from bodies import MechanismError, Schedule
from bodies.hydraulics.kernels.oil import begin, find_forces, find_impedance
from bodies.hydraulics.kernels.rods import take_step
from bodies.hydraulics.packing import pack
from bodies.hydraulics.tableaux import tableau
from tests.bodies.oil_benches import circuit, five, one, ram, valve


def test_five_circuits_have_twenty_states_or_sixteen_with_one_pump():
    assert five("each").circuit.states == 20
    assert five("one").circuit.states == 16


def memory_of(bench, step, centred):
    memory = pack(bench.circuit, {}, tableau("ode1"), bench._add_load)
    memory.clock.step, memory.pumps.theta[:], memory.pumps.centred[:] = step, 0.3, centred
    bench._start(memory)
    return memory


@pytest.mark.parametrize("pumps", ["one", "each"])
@pytest.mark.parametrize("centred", [0.0, 1.0])
@pytest.mark.parametrize("cushion", [None, H.Cushion(length=0.4, orifice=1e-5)])
def test_impedance_is_the_slope_of_the_forces(pumps, centred, cushion):
    bench = five(pumps, cushion=cushion, extension=0.2)
    memory = memory_of(bench, 1e-3, centred)
    for _ in range(30):
        take_step(memory)
    begin(memory)
    speeds = np.array([s.speed for s in memory.solves])

    def forces(u):
        for k in range(5):
            memory.solves[k].speed = u[k]
        assert find_forces(memory) == 1
        return np.array([s.force for s in memory.solves])

    forces(speeds)
    find_impedance(memory)
    Z = np.array(memory.impedance)
    for k in range(5):
        nudge = 1e-4 * np.eye(5)[k]
        slope = -(forces(speeds + nudge) - forces(speeds - nudge)) / 2e-4
        assert slope == pytest.approx(Z[:, k], rel=1e-3, abs=1e-5 * Z.max())


def test_a_run_equals_its_single_steps():
    bench = five("one")
    compiled = bench.run(0.02, 1e-3)
    memory = memory_of(bench, 1e-3, -1.0)
    for _ in range(20):
        take_step(memory)
    assert np.array_equal(memory.now.length, compiled.length[-1])
    assert np.array_equal(memory.now.x[:, :2], compiled.pressure[-1])


def test_a_lever_by_name():
    bench = H.Bench(circuit(H.Branch(valve=valve("boom lever"), cylinder=ram())), (H.Rod(),))
    with pytest.raises(MechanismError, match="'boom lever' is unknown"):
        bench.run(0.1, 1e-3)
    named = H.Bench(bench.circuit, bench.rods, inputs={"boom lever": 0.5}).run(0.1, 1e-3)
    given = one(command=0.5).run(0.1, 1e-3)
    assert named.length.tobytes() == given.length.tobytes()


@pytest.mark.parametrize("integration", ["backward", "ode4"])
def test_a_lever_beyond_its_end_is_the_lever_at_its_end(integration):
    def run(lever):
        branch = H.Branch(valve=valve("boom lever", bandwidth=35.0), cylinder=ram())
        bench = H.Bench(circuit(branch), (H.Rod(),), inputs={"boom lever": lever})
        return bench.run(0.1, 1e-4, integration)

    assert run(3.0).spool.tobytes() == run(1.0).spool.tobytes()
    assert run(-3.0).length.tobytes() == run(-1.0).length.tobytes()


def test_a_spool_with_a_bandwidth_lags():
    step = Schedule(((0.0, 0.0), (0.1, 0.0), (0.1 + 1e-9, 1.0)))
    slow = valve(step, bandwidth=35.0)
    run = one(valve=slow, compensator=H.Compensator()).run(0.3, 1e-4, "backward")
    tau = 1.0 / (2.0 * math.pi * 35.0)
    at = round((0.1 + tau) / 1e-4)
    assert run.spool[at, 0] == pytest.approx(1.0 - math.exp(-1.0), abs=0.02)
    fine = one(valve=slow, compensator=H.Compensator()).run(0.3, 1e-5, "ode4", record_every=10)
    assert run.spool[:, 0] == pytest.approx(fine.spool[:, 0], abs=0.03)
