"""Ten minutes of driving: errors and memory do not grow."""

import tracemalloc

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .drives import full_throttle

pytestmark = pytest.mark.slow


def test_ten_minutes_leave_joints_energy_and_memory_as_they_were():
    """Weaving at full throttle: joint errors and memory do not grow, and the energy balance closes."""
    weave = B.Schedule(tuple((2.0 * k, 1.5 * (-1.0) ** k * (k > 3)) for k in range(301)))
    model = B.compile(vehicle.load("hmmwv", controls=full_throttle(gear=4, steering=weave)))
    sim = B.Simulation(model, 5e-3, state=B.equilibrium(model), record_work=True)
    errors, memory = [], []
    kinetic = sim.energy().kinetic
    tracemalloc.start()
    for minute in range(10):
        sim.work.machine.clock.error_m_max = 0.0
        sim.run(12000)
        errors.append(sim.joint_error()[0])
        memory.append(tracemalloc.get_traced_memory()[0])
        assert sim.time == pytest.approx(60.0 * (minute + 1))
    tracemalloc.stop()
    assert max(errors) < 1e-6
    assert np.mean(errors[5:]) < 2.0 * np.mean(errors[:5]) + 1e-12
    work = sim.work_done()
    done, by_engine = sum(work.values()), work["engine"]
    assert by_engine > 1e7
    assert done == pytest.approx(sim.energy().kinetic - kinetic, abs=5e-3 * by_engine)
    assert max(memory[1:]) - memory[0] < 100_000
    assert sim.residual() < 1e-8
