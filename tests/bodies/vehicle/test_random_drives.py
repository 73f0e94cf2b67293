"""Random drives: terrain x law x scheme x step under random controls, with checks in every step.

A seeded fuzzer. ``CHECKS`` are functions of the simulation, run after every step; add to them.
"""

import itertools

import numpy as np
import pytest

import bodies as B
from bodies import Schedule, vehicle
from contact import LAWS, BekkerSoil, ConeIndexSoil
from contact import terrain as T
from contact.kernels.solve import entry
from contact.kernels.wheel import layout as at
from contact.schemes.own import LAW_AT

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::contact.OutsideValidity")]
STEPS = [1e-3, 5e-3, 1 / 60, 5e-4, 2e-3]
GROUNDS = [None, T.Sine(0.02, 6.0), T.Plane(grade_x=0.1)]
SCHEMES = ["implicit", "local", "set-valued", "global"]
MOST_PASSES = 30


def random_controls(rng, seconds):
    """Random throttle and brake at nine times, steering 0.5 s after eight of them, and a random gear."""
    times = np.linspace(0.0, seconds, 9)
    throttle = rng.choice([0.0, 0.3, 1.0], 9)
    brake = np.where(rng.random(9) < 0.35, rng.random(9), 0.0)
    turn = [(0.0, 0.0), (0.5, 0.0), *zip(times[1:] + 0.5, rng.uniform(-5.0, 5.0, 8), strict=True)]
    return {
        "throttle": Schedule(tuple(zip(times, throttle, strict=True))),
        "brake": Schedule(tuple(zip(times, brake, strict=True))),
        "steering": Schedule(tuple((float(t), float(a)) for t, a in turn)),
        "clutch": Schedule(((0.0, 0.0), (0.2, 0.0), (1.0, 1.0))),
        "gear": int(rng.choice([-1, 1, 2, 3, 4])),
    }


def finite(sim):
    assert np.isfinite(sim.work.machine.velocity).all()


def agrees(sim):
    assert sim.missed == 0


def forces_push_up_only(sim):
    rows = sim.work.ground("direct").row_arrays
    first = sim.work.contact().wheels.each.row
    assert (rows.z[first + at.ROW_NORMAL] >= 0.0).all()


def friction_takes_energy(sim):
    """Every set-valued friction impulse acts against the sliding velocity at the end of the step."""
    ground = sim.work.ground("direct")
    rows, wheels = ground.row_arrays, ground.wheel_arrays
    for first, channel in zip(wheels.each.row, wheels.each.channel, strict=True):
        for row, along in ((at.ROW_STICK, at.SLIDING), (at.ROW_RESISTANCE, at.CENTRE)):
            assert rows.z[first + row] * rows.u[channel + along] <= 1e-9


def inside_the_ellipse(sim):
    ground = sim.work.ground("direct")
    rows, wheels, h = ground.row_arrays, ground.wheel_arrays, sim.step
    for i, wheel in enumerate(ground.wheels):
        first, sideways = wheels.each[i].row, wheels.each[i].lateral_row
        load = rows.z[first + at.ROW_NORMAL] / h
        if not wheel.ellipse or load < 1.0:
            continue
        now = wheels.now[i]
        largest, law = load * now.lateral.values[2] * h, np.zeros(LAW_AT)
        # as in the solved problem, the bound contains the law's jump of thrust at zero slip
        data = ground.data
        entry.sliding(i, data.F, data.N, data.base, law)
        jump, peak = law[2], law[3]
        x = (rows.z[first + at.ROW_TRACTION] + rows.z[first + at.ROW_STICK]) / (load * (peak + jump) * h)
        y = (rows.z[sideways] + rows.z[sideways + 1]) / largest
        assert np.hypot(x, y) < 1.02


CHECKS = [finite, agrees, forces_push_up_only, friction_takes_energy, inside_the_ellipse]


def random_drive(seed, law, scheme, step, ground, seconds=4.0):
    """A simulation of a random vehicle on random soil under random controls."""
    rng = np.random.default_rng(seed)
    cone_index = 10.0 ** rng.uniform(np.log10(1.2e5), 6.1)
    soil = BekkerSoil.sandy_loam() if law == "wong-reece" else ConeIndexSoil(cone_index)
    name, ellipse = str(rng.choice(["hmmwv", "hmmwv_4x4"])), bool(rng.random() < 0.5)
    combined = ("demand", "sliding")[seed % 2]
    car = vehicle.read(name).on(
        regularisation=scheme, soil=soil, law=law, ellipse=ellipse, combined=combined
    )
    model = B.compile(car.mechanism(random_controls(rng, seconds), ground=ground))
    return B.Simulation(model, step)


CASES = [
    pytest.param(seed, law, scheme, STEPS[seed % 5], GROUNDS[seed % 3], id=f"{seed} {law} {scheme}")
    for seed, (scheme, law) in enumerate(itertools.product(SCHEMES, sorted(LAWS)))
]


@pytest.mark.parametrize(("seed", "law", "scheme", "step", "ground"), CASES)
def test_a_random_drive_keeps_every_promise(seed, law, scheme, step, ground):
    sim = random_drive(seed, law, scheme, step, ground)
    passes = []
    for _ in range(round(4.0 / sim.step)):
        sim.run(1)
        passes.append(sim.work.contact().rows.report.passes)
        for check in CHECKS:
            check(sim)
    assert np.mean(passes) < 8.0
    assert max(passes) <= MOST_PASSES
