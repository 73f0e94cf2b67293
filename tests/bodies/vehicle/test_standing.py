"""The standing vehicle: bodies, freedoms, masses, loads."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

from .drives import on_grade

G = 9.80665


@pytest.fixture(scope="module")
def parked():
    """The vehicle at rest on its soil, free to roll: a brake would lock in horizontal tyre forces."""
    model = B.compile(vehicle.load("hmmwv", controls={"gear": 0, "clutch": 0.0}))
    return B.Simulation(model, 1e-3, state=B.equilibrium(model))


def test_forty_five_bodies_of_the_curb_mass_each_with_a_reason():
    mechanism, reasons = vehicle.read("hmmwv").assemble()
    assert len(mechanism.bodies) == 45
    assert sum(b.mass for b in mechanism.bodies) == pytest.approx(2573.0, abs=1e-9)
    assert set(reasons) == {b.name for b in mechanism.bodies}
    assert min(len(text) for text in reasons.values()) > 10


def test_freedoms_by_counting_and_by_rank_are_the_stated_ones():
    """6 of the frame, 6 of the cab, 4 bounces, 4 wheels, the crankshaft: steering is driven."""
    m = B.mobility(B.compile(vehicle.load("hmmwv")))
    assert m.freedoms == m.counted == 6 + 6 + 4 + 4 + 1
    assert m.redundant == 0


def test_wheel_loads_balance_weight_and_centre_of_mass(parked):
    run = B.simulate(parked.model, 1e-3, 1e-3, state=parked.state())
    mechanism = parked.model.mechanism
    loads = {w.name: run.channel_force(w.name)[-1, 0] for w in mechanism.wheels}
    mass = np.array([b.mass for b in mechanism.bodies])
    centre = mass @ np.array([parked.position(b.name) for b in mechanism.bodies]) / mass.sum()
    weight = mass.sum() * G
    assert sum(loads.values()) == pytest.approx(weight, rel=1e-6)
    front, rear = (parked.position(f"{a}_left wheel")[0] for a in ("front", "rear"))
    share = (centre[0] - rear) / (front - rear)
    assert loads["front_left"] + loads["front_right"] == pytest.approx(share * weight, rel=1e-3)
    assert loads["front_left"] == pytest.approx(loads["front_right"], rel=1e-6)
    assert loads["rear_left"] == pytest.approx(loads["rear_right"], rel=1e-6)


def test_rest_on_a_grade_is_the_same_however_forces_combine():
    """Braked on 40 %: the search is without side forces, so their combination has no effect."""
    places = []
    for combined in ("demand", "sliding"):
        car = vehicle.load("hmmwv", controls={"gear": 0, "clutch": 0.0, "brake": 1.0}, combined=combined)
        model = B.compile(on_grade(car, 0.4))
        places.append(B.Simulation(model, 1e-3, state=B.equilibrium(model)).position("frame"))
    assert places[0] == pytest.approx(places[1], abs=1e-6)
