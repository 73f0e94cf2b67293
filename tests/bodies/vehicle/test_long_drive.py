"""Ten minutes on the road: nothing grows."""

import tracemalloc

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .drives import full_throttle

pytestmark = pytest.mark.slow


def test_ten_minutes_leave_joints_energy_and_memory_as_they_were():
    """Weaving at full throttle: joint errors do not grow, the work adds up, memory stays."""
    weave = B.Schedule(tuple((2.0 * k, 1.5 * (-1.0) ** k * (k > 3)) for k in range(301)))
    model = B.compile(vehicle.load("hmmwv", controls=full_throttle(gear=4, steering=weave)))
    sim = B.Simulation(model, 5e-3, state=B.equilibrium(model), book_work=True)
    engine = next(e for e in model.mechanism.elements if isinstance(e, B.Engine))
    speeds, torques = np.array(engine.full_load).T
    throttle = np.array(engine.throttle.points).T
    engine_work, errors, memory = 0.0, [], []
    k = model.body("crankshaft")
    block = model.body("power pack")
    from bodies.kernels import layout as L

    v = sim.work.f(L.VELOCITY).reshape(-1, 6)
    kinetic = sim.energy().kinetic
    tracemalloc.start()
    for minute in range(10):
        sim.work.f(L.SCALAR)[L.ERROR_M_MAX] = 0.0
        for _ in range(12000):
            omega = v[k, 3:] - v[block, 3:]
            axis = sim.work.f(L.ROTATION).reshape(-1, 3, 3)[block][:, 0]
            before = float(omega @ axis)
            sim.run(1)
            axis = sim.work.f(L.ROTATION).reshape(-1, 3, 3)[block][:, 0]
            after = float((v[k, 3:] - v[block, 3:]) @ axis)
            gas = np.interp(sim.time, *throttle)
            torque = gas * np.interp(before, speeds, torques)
            if gas < 1.0:
                torque -= (1.0 - gas) * np.interp(before, *np.array(engine.motoring).T)
            engine_work += sim.step * torque * 0.5 * (before + after)
        errors.append(sim.joint_error()[0])
        memory.append(tracemalloc.get_traced_memory()[0])
        assert sim.time == pytest.approx(60.0 * (minute + 1))
    tracemalloc.stop()
    assert max(errors) < 1e-6
    assert np.mean(errors[5:]) < 2.0 * np.mean(errors[:5]) + 1e-12
    done = sum(sim.work_done().values()) + engine_work
    assert done == pytest.approx(sim.energy().kinetic - kinetic, abs=5e-3 * engine_work)
    assert max(memory[1:]) - memory[0] < 100_000
    assert sim.residual() < 1e-8
