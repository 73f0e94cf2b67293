"""Machines on flat rigid feet, also beside wheels on soil, rest by Coulomb friction without creep."""

import dataclasses
import math

import numpy as np
import pytest

import bodies as B
from bodies.oil_machines import backhoe_loader

G, PHI = 9.80665, 0.35


def on_feet(friction):
    """(model, downhill direction): machine of 2 t on four square feet of 0.4 m, slope of 0.35 rad."""
    normal, down = (
        np.array([math.sin(PHI), 0, math.cos(PHI)]),
        np.array([math.cos(PHI), 0, -math.sin(PHI)]),
    )
    turn = (math.cos(PHI / 2), 0.0, math.sin(PHI / 2), 0.0)
    body = B.Body("machine", 2000.0, (700.0, 900.0, 1200.0), tuple(0.6 * normal), turn)
    feet = tuple(
        B.RigidContact(
            name=f"foot {i} {j}", body="machine", shape=B.Box(0.4, 0.4, 0.1), friction=friction,
            surface=B.Plane(normal=tuple(normal)), position=tuple(0.05 * normal + i * down + (0, j, 0)),
        )
        for i in (-1.0, 1.0) for j in (-0.8, 0.8)
    )  # fmt: skip
    return B.compile(B.Mechanism("machine", (body,), contacts=feet)), down


@pytest.mark.parametrize("excess", [1e-2, 1e-4, -1e-4, -1e-2])
def test_it_slides_from_the_angle_of_friction_on(excess):
    """Acceleration g (sin phi - mu cos phi), or zero; work of gravity and friction is kinetic energy.

    phi: angle of the slope, mu: coefficient of friction.
    """
    mu = math.tan(PHI) + excess
    model, down = on_feet(mu)
    sim = B.Simulation(model, 1e-3, record_work=True)
    sim.run(50)
    place, speed = sim.position("machine"), sim.velocity("machine") @ down
    sim.run(1000)
    moved = sim.position("machine") - place
    expected = max(0.0, G * (math.sin(PHI) - mu * math.cos(PHI)))
    assert sim.velocity("machine") @ down - speed == pytest.approx(expected, abs=1e-9)
    assert abs(moved[1]) < 1e-9
    if excess > 0.0:
        assert np.linalg.norm(moved) < 1e-12
    work = sim.work_done()
    assert sum(work.values()) == pytest.approx(sim.energy().kinetic, abs=1e-9)
    assert sum(value for name, value in work.items() if name.startswith("foot")) < 1e-8
    assert sim.missed == 0


@pytest.mark.slow
@pytest.mark.parametrize("model", ["box", "cone"])
@pytest.mark.parametrize("grade", [0.0, 0.3])
def test_a_backhoe_on_flat_feet_beside_wheels_on_soil_does_not_creep(model, grade):
    """Tractor with wheels on soil and flat plates (friction 0.7) for stabilisers, level or on 30 %.

    It moves by less than 1 µm in 5 s.
    """
    loader = backhoe_loader()
    plates = tuple(
        B.RigidContact(
            name=wheel.name, body="frame", shape=B.Box(0.5, 0.5, 0.1), surface=B.Plane(), friction=0.7,
            position=(*wheel.centre[:2], 0.02), friction_model=model,
        )
        for wheel in loader.wheels if "stabiliser" in wheel.name
    )  # fmt: skip
    slope = math.atan(grade)
    rig = dataclasses.replace(
        loader,
        wheels=tuple(wheel for wheel in loader.wheels if "stabiliser" not in wheel.name),
        contacts=plates,
        gravity=B.Gravity((-G * math.sin(slope), 0.0, -G * math.cos(slope))),
    )
    sim = B.Simulation(B.compile(rig), 5e-3, record_work=True)
    sim.run(1600)
    place = sim.position("frame")
    sim.run(1000)
    assert np.linalg.norm(sim.position("frame") - place) < 1e-6
    assert sim.missed == 0
    work = sim.work_done()
    most = max(map(abs, work.values()))
    assert sum(work.values()) == pytest.approx(sim.energy().kinetic, abs=1e-9 * most)
