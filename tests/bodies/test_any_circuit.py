"""Random hydraulic circuits: no step misses its tolerance, and lengths agree with SciPy's Radau."""

import math
import random

import numpy as np
import pytest

import bodies.hydraulics as H
from benchmarks.hydraulic_cases import circuits, reference
from tests.bodies.oil_benches import circuit, ram, valve


def any_circuit(draw):
    """Random cylinder (bore of 60 to 140 mm) with a mass of 0.5 to 40 t, suitable valves and pump."""
    bore = draw.uniform(0.06, 0.14)
    rod, area = bore * draw.uniform(0.4, 0.75), 0.25 * math.pi * bore**2
    inlet = 10.0 ** draw.uniform(-4.7, -4.1)
    outlet = inlet * draw.uniform(0.8, 2.5)
    drop = draw.uniform(0.6e6, 1.6e6)
    cylinder = ram(
        bore=bore,
        rod=rod,
        extension=draw.uniform(0.15, 0.5),
        damping=10.0 ** draw.uniform(3.3, 4.5),
        dead_volume=10.0 ** draw.uniform(-4.3, -3.2),
    )
    branch = H.Branch(
        valve=valve(
            circuits.lever(draw.uniform(0.3, 1.0)),
            inlet=((0.05, 0.0), (1.0, inlet)),
            outlet=((0.05, 0.0), (1.0, outlet)),
        ),
        compensator=H.Compensator(drop=drop, gain=10.0 ** draw.uniform(-8.5, -7.7)),
        cylinder=cylinder,
        relief=H.Relief(pressure=draw.uniform(22e6, 30e6), slope=1.95e8),
        make_up=H.MakeUp(pressure=8e4, slope=2e7),
    )
    pump = H.LoadSensingPump(
        displacement=draw.uniform(40e-6, 90e-6),
        margin=drop + draw.uniform(0.3e6, 1.2e6),
        line=10.0 ** draw.uniform(-3.3, -2.7),
        relief=H.Relief(pressure=draw.uniform(18e6, 26e6), slope=1.95e8),
    )
    load = -draw.uniform(0.05, 0.7) * 18e6 * area
    rod_end = H.Rod(mass=10.0 ** draw.uniform(2.7, 4.6), force=load)
    return H.Bench(circuit(branch, pump=pump, fluid=H.Fluid(transition=2e5)), (rod_end,))


@pytest.mark.parametrize("step", [5e-4, 1e-3, 5e-3])
def test_no_step_of_any_circuit_is_missed(step):
    """No step of 60 random circuits misses its tolerance as the lever extends the rod under load."""
    draw = random.Random(3)
    for _ in range(60):
        run = any_circuit(draw).run(1.1, step)
        assert run.missed == 0


@pytest.mark.slow
def test_any_circuit_is_near_radau_at_a_millisecond():
    draw = random.Random(4)
    times = np.linspace(0.0, 0.9, 901)
    for _ in range(20):
        bench = any_circuit(draw)
        exact = reference.solve(bench, times, 1e-7)
        run = bench.run(0.9, 1e-3)
        assert run.length[:, 0] == pytest.approx(exact[:, 0], abs=1e-4)
