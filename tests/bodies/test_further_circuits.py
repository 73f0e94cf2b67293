"""Crane, random hydraulic circuits and a steering circuit at several steps agree with SciPy's Radau."""

import dataclasses
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bodies import JointSpring, Schedule, Simulation, compile, simulate
from bodies.files import mechanism_from_toml
from bodies.mounting import with_signals
from tests.bodies.oil_cases import LEVER, crane

BORE, ROD = math.pi / 4 * 0.08**2, math.pi / 4 * (0.08**2 - 0.035**2)
WALLS = 1.0 / 31.5e9  # [1/Pa] relative growth of the cylinder's volume with pressure
FULL = 24e-3 / 60.0 / math.sqrt(3.5e6)  # flow coefficient of the valve [m^3/s Pa^-0.5]


def through(drop):
    """Signed square root of a pressure difference [Pa], linear below 0.2 MPa."""
    return drop / math.sqrt(2e5) if abs(drop) < 2e5 else math.copysign(math.sqrt(abs(drop)), drop)


def rates(t, x):
    """Rates of the crane's state: two angles and their rates (Lagrange), two pressures, spool position.

    Pressure widens the cylinder by the fraction ``WALLS`` times pressure, also in the piston's swept
    volume; the published equations neglect this term.
    """
    boom, ball, boom_rate, ball_rate, head, rod, spool = x
    c, s, apart = math.cos(boom), math.sin(boom), ball - boom
    eye = np.array([0.5 * c - math.sqrt(0.75), 0.5 * s])
    length = math.hypot(*eye)
    lever = eye @ (-0.5 * s, 0.5 * c) / length
    u, piston = lever * boom_rate, length - 0.279
    force = BORE * head - ROD * rod - 1e5 * u
    mass = [[226.0, 30.0 * math.sin(apart)], [30.0 * math.sin(apart), 10.0]]
    turning = [
        force * lever - 9.8 * 350.0 * c - 30.0 * math.cos(apart) * ball_rate**2,
        -9.8 * 30.0 * math.sin(ball) + 30.0 * math.cos(apart) * boom_rate**2,
    ]
    if spool > 0.0:
        flows = FULL * spool * through(7.6e6 - head), -FULL * spool * through(rod - 0.1e6)
    else:
        flows = FULL * spool * through(head - 0.1e6), -FULL * spool * through(7.6e6 - rod)
    volumes = BORE * piston, ROD * (0.442 - piston)
    soft = [
        (v + hose) / 1.5e9 + hose / 0.15e9 + v / 31.5e9
        for v, hose in zip(volumes, (3.14e-5, 7.85e-5), strict=True)
    ]
    command = float(np.interp(t, *np.transpose(LEVER.points)))
    return [
        boom_rate,
        ball_rate,
        *np.linalg.solve(mass, turning),
        (flows[0] - BORE * u * (1.0 + WALLS * head)) / soft[0],
        (flows[1] + ROD * u * (1.0 + WALLS * rod)) / soft[1],
        2.0 * math.pi * 35.0 * (command - spool),
    ]


@pytest.fixture(scope="module")
def widened():
    """Radau's solution of ``rates`` until the piston is at the end of its stroke: times [s], length of
    the cylinder [m], pressures of piston and rod side [MPa]."""
    times, rows = np.arange(0.5, 5.9, 0.5), []
    x = np.array([math.pi / 6, 0.0, 0.0, 0.0, 4.4e6, 3.3e6, 0.0])
    for first, last in itertools.pairwise([0.0, 0.5, 2.0, 6.0]):
        inner = times[(times >= first) & (times < last)]
        found = solve_ivp(
            rates, (first, last), x, "Radau", t_eval=[*inner, last], rtol=1e-8,
            atol=[1e-9, 1e-9, 1e-8, 1e-8, 1e-2, 1e-2, 1e-9],
        )  # fmt: skip
        assert found.success
        rows.append(found.y[:, :-1].T)
        x = found.y[:, -1]
    y = np.vstack(rows)
    eyes = np.column_stack([0.5 * np.cos(y[:, 0]) - math.sqrt(0.75), 0.5 * np.sin(y[:, 0])])
    return times, np.linalg.norm(eyes, axis=1), 1e-6 * y[:, 4:6]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("integration", "step", "most"),
    [
        *(("auto", step, 1e-6) for step in (5e-4, 1e-3, 2e-3)),
        ("auto", 4e-3, 2e-5),
        ("auto", 8e-3, 1.4e-4),
        ("centred", 4e-3, 1e-6),
        ("centred", 8e-3, 1e-6),
        *(("backward", step, 0.025 * step) for step in (1e-3, 4e-3, 8e-3)),
    ],
)
def test_the_crane_with_walls_that_widen(widened, integration, step, most):
    """Lengths and pressures of the crane equal Radau's solution of ``rates`` up to the step's error."""
    times, lengths, pressures = widened
    sim, done = Simulation(compile(crane(integration)), step), 0
    for time, length, pressure in zip(times, lengths, pressures, strict=True):
        sim.run(round(time / step) - done)
        done = round(time / step)
        if abs(done * step - time) < 1e-9:
            assert sim.hydraulics.extension("lift") + 0.279 == pytest.approx(length, abs=most)
            assert 1e-6 * sim.hydraulics.pressure("lift") == pytest.approx(pressure, abs=2e-3)
    assert sim.missed == 0


PAGE = Path(__file__).parents[2] / "docs" / "hydraulics.md"
TURNS = ((0, 0), (0.1, 0), (0.2, 0.6), (0.5, 0.6), (0.55, -0.8), (1.1, -0.8), (1.15, 0), (1.6, 0))


def steered(t, x):
    """Rates of the steering in docs/hydraulics.md: position and speed of the rack, pressures, spool."""
    s, u, head, rod, spool = x
    area, opening = math.pi / 4 * (0.05**2 - 0.032**2), np.interp(abs(spool), (0.08, 1.0), (0.0, 8e-6))

    def orifice(drop):
        return opening * 0.65 * math.sqrt(2.0 / 860.0) * drop / (drop**2 + 4e8) ** 0.25

    leak = 1e-12 * (head - rod)
    if spool > 0.0:
        flows = orifice(max(12e6 - head, 0.0)) - leak, leak - orifice(rod - 1e5)
    else:
        flows = -orifice(head - 1e5) - leak, leak + orifice(max(12e6 - rod, 0.0))
    return [
        u,
        (area * (head - rod) - 3000.0 * u - 3e5 * s) / 700.0,
        (flows[0] * math.exp(-head / 1.2e9) - area * u) * 1.2e9 / (3e-5 + area * (0.12 + s)),
        (flows[1] * math.exp(-rod / 1.2e9) + area * u) * 1.2e9 / (3e-5 + area * (0.12 - s)),
        2.0 * math.pi * 15.0 * (np.interp(t, *np.transpose(TURNS)) - spool),
    ]


def test_the_steering_of_the_page():
    """A double-rod cylinder with a lagging spool and a spring moves as in Radau's solution."""
    text = re.search(r'^steering = """\n(.*?)"""', PAGE.read_text(encoding="utf-8"), re.M | re.S)[1]
    mechanism = with_signals(mechanism_from_toml(text), {"wheel": Schedule(TURNS)})
    times, x, rows = np.linspace(0.0, 1.6, 401), [0.0, 0.0, 2e6, 2e6, 0.0], []
    for (first, _), (last, _) in itertools.pairwise(TURNS):
        inner = times[(times > first - 1e-9) & (times < last - 1e-9)]
        found = solve_ivp(
            steered, (first, last), x, "Radau", t_eval=[*np.maximum(inner, first), last], rtol=1e-8,
            atol=[1e-11, 1e-10, 0.1, 0.1, 1e-10],
        )  # fmt: skip
        assert found.success
        rows.append(found.y[0, :-1])
        x = found.y[:, -1]
    exact = np.append(np.concatenate(rows), x[0])
    assert np.ptp(exact) > 0.09
    for spring, step, most in (
        ("centred", 1e-3, 6e-6),
        ("centred", 4e-3, 2.5e-4),
        ("backward", 1e-3, 2.1e-4),
    ):
        elements = tuple(
            dataclasses.replace(e, integration=spring) if isinstance(e, JointSpring) else e
            for e in mechanism.elements
        )
        model = compile(dataclasses.replace(mechanism, elements=elements))
        run = simulate(model, 1.6, step, record_every=round(4e-3 / step), progress=False)
        assert run.missed == 0
        assert run.hydraulics.extension("ram") - 0.12 == pytest.approx(exact, abs=most)
