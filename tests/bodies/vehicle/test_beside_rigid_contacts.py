"""A vehicle with a rigid bumper, on wheels on soil, misses no step beside a rigid crate."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import Schedule, vehicle
from contact import BekkerSoil
from contact.rigid import Sphere

CONTROLS = {
    "throttle": Schedule(((0, 0), (0.2, 1), (1.5, 1), (1.51, 0))),
    "gear": 2,
    "clutch": Schedule(((0, 0), (0.2, 0), (1, 1))),
    "brake": Schedule(((0, 0), (1.5, 0), (1.51, 0.6))),
    "steering": Schedule(((0, 0), (0.5, 0), (1, 3), (3, -3))),
}


@pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
@pytest.mark.parametrize(
    ("scheme", "step"),
    [pytest.param("set-valued", 1e-3, marks=pytest.mark.slow), ("implicit", 5e-3)],  # slow to compile
)
def test_a_vehicle_beside_a_crate_misses_no_step(scheme, step):
    changes = dict(regularisation=scheme, soil=BekkerSoil.sandy_loam(), law="wong-reece")
    car = vehicle.read("hmmwv").on(**changes).mechanism(CONTROLS)
    x = next(b for b in car.bodies if b.name == "frame").position[0]
    crate = B.Body("crate", 200.0, (20.0, 20.0, 20.0), position=(x + 2.6, 0.3, 0.41))
    box, ball = B.Box(0.8, 0.8, 0.8), Sphere(0.4)
    contacts = (
        B.RigidContact(name="crate", body="crate", shape=box, surface=B.Plane(), friction=0.5),
        B.RigidContact(
            name="bumper",
            body="frame",
            shape=ball,
            surface=B.Plane(),
            friction=0.4,
            position=(x + 1.5, 0.0, 0.75),
        ),
    )
    both = dataclasses.replace(car, bodies=(*car.bodies, crate), contacts=contacts)
    sim = B.Simulation(B.compile(both), step)
    most = 0.0
    for _ in range(round(2.5 / step)):
        sim.run(1)
        most = max(most, sim.work.contact().rows.report.passes)
    assert sim.missed == 0
    assert most <= 30
    assert np.isfinite(sim.velocity("crate")).all()
