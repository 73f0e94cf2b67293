"""Relaxation length sigma: the lateral force lags the slip angle alpha; at rest the tyre is a spring."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import BrixiusLateral, ConeIndexSoil, Crolla, GroundContact, LuGre, Tyre, WheelContact
from tests.refusals import refusals

from .free_wheel import FreeWheel, forget

R, SIGMA = 0.381, 0.4
TYRE, SOIL = Tyre(2 * R, 0.2, 0.14), ConeIndexSoil(6e5)
SIDE = Crolla(0.1, 0.8)
SLOPE = 0.8 / 0.1  # slope of the lateral ratio at zero slip angle [1/rad]
HEAVY = 1e-9 * np.eye(4)  # mobility [1/kg] so small that the velocities stay
DOWN = -0.03  # gap of a loaded wheel [m]


def wheel(sigma=SIGMA, **changes):
    told = dict(lateral=SIDE, law="dry", sinkage="none", damping_time=0.0, relaxation_length=sigma)
    return WheelContact(TYRE, SOIL, **{**told, **changes})


def ratios(contact, velocities, h, gaps=None):
    """Lateral force over load after each step of a wheel led at velocities (v_t, v_y, v_x) [m/s]."""
    found = []
    for k, (v_t, v_y, v_x) in enumerate(velocities):
        u = np.array([0.0, v_t, v_y, v_x])
        q = contact.solve(h, [DOWN if gaps is None else gaps[k]], HEAVY, u, u)
        found.append(q[2] / q[0])
    return np.array(found)


def led(v_y, v_x):
    v_y, v_x = np.broadcast_arrays(np.asarray(v_y, float), v_x)
    return np.stack([np.zeros(v_y.size), v_y, v_x], axis=1)


@pytest.mark.parametrize("v_x", [3.0, -0.5])
def test_a_step_of_steer_is_followed_over_the_length(v_x):
    """After a path x the force is the law's at alpha', ``tan alpha' = tan alpha (1 - exp(-x / sigma))``,
    to first order in the time step."""
    alpha, errors = 0.06, []
    for h in (8e-3, 4e-3, 2e-3):
        way = abs(v_x) * h * np.arange(1, int(12 * SIGMA / abs(v_x) / h))
        mine = ratios(
            GroundContact([wheel()]), led(np.full(way.size, abs(v_x) * math.tan(alpha)), v_x), h
        )
        bent = np.arctan(math.tan(alpha) * -np.expm1(-way / SIGMA))
        errors.append(np.abs(mine + SIDE.lateral_ratio(bent)).max())
        by_steps = math.tan(alpha) * (1.0 - (1.0 + abs(v_x) * h / SIGMA) ** -np.arange(1, way.size + 1))
        assert mine == pytest.approx(-SIDE.lateral_ratio(np.arctan(by_steps)), abs=1e-6)
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.1)
    assert mine[-1] == pytest.approx(-SIDE.lateral_ratio(alpha), rel=2e-5)


@pytest.mark.parametrize("ways", [0.3, 1.0, 4.0])
def test_it_answers_waves_as_a_lag_of_the_first_order(ways):
    """The force follows a wave of alpha by ``1 / (1 + i omega sigma / v)``: frequency omega, speed v."""
    v, h = 5.0, 1e-4
    omega = ways * v / SIGMA
    t = h * np.arange(1, int((6.0 * SIGMA / v + 2.0 * math.tau / omega) / h))
    alpha = 1e-4 * np.sin(omega * t)
    mine = -ratios(GroundContact([wheel()]), led(v * np.tan(alpha), v), h) / (SLOPE * 1e-4)
    last = t > t[-1] - math.tau / omega
    wave = 2.0 * np.mean(mine[last] * np.exp(-1j * omega * t[last])) * 1j
    assert wave == pytest.approx(1.0 / (1.0 + 1j * ways), rel=4e-3)


def test_at_rest_it_is_a_spring_that_does_not_creep():
    """A wheel pushed aside at rest is a spring of cornering stiffness over relaxation length."""
    h, push = 1e-3, 1e-4
    moves = np.r_[np.full(100, push / 0.1), np.zeros(2000)]
    force = ratios(GroundContact([wheel()]), led(moves, 0.0), h)
    assert force[100] == pytest.approx(-SIDE.lateral_ratio(math.atan(push / SIGMA)), rel=1e-6)
    assert np.ptp(force[100:]) < 1e-9
    assert abs(force[99]) > 1.2 * abs(force[100])  # while the wheel moves, a damper's force adds


def test_what_has_slid_is_bent_no_further_than_the_contact_holds():
    """Dragged aside by a metre and back: the force changes sign after a path of the largest deflection,
    sigma tan(3 gamma), sigma: relaxation length, gamma: slip angle that scales the lateral law."""
    h, v = 1e-3, 0.05
    most = SIGMA * math.tan(3.0 * SIDE.gamma)
    drag = np.r_[np.full(20000, v), np.full(40000, -v)]
    force = ratios(GroundContact([wheel()]), led(drag, 0.0), h)
    assert force[19999] == pytest.approx(-0.8, rel=1e-4)
    turned = int(np.argmax(force[20000:] > 0.0)) * h * v
    assert turned == pytest.approx(most, rel=0.05)
    assert force[-1] == pytest.approx(0.8, rel=1e-4)


def test_more_load_puts_unbent_ground_under_the_tyre():
    """A deflected carcass at rest keeps its force as the load grows, and loses it as the load falls."""
    contact, h = GroundContact([wheel(v_0=1e-3)]), 1e-3
    moves = np.r_[np.full(10, 1e-3), np.zeros(300)]
    gaps = np.r_[np.full(110, -0.01), np.linspace(-0.01, -0.03, 100), np.linspace(-0.03, -0.01, 100)]
    load = TYRE.stiffness * -gaps
    force = load * ratios(contact, led(moves, 0.0), h, gaps)
    assert force[209] == pytest.approx(force[109], rel=3e-2)
    assert force[-1] == pytest.approx(force[109] / 3.0, rel=3e-2)


def test_in_the_air_it_straightens():
    contact = GroundContact([wheel()])
    before = ratios(contact, led(np.full(50, 0.1), 1.0), 1e-3)[-1]
    contact.solve(1e-3, [0.1], HEAVY, np.zeros(4), np.zeros(4))
    assert contact.wheel_arrays.bristle[0].y == 0.0
    after = ratios(contact, led([0.0], 1.0), 1e-3)[-1]
    assert before < -0.05
    assert after == 0.0


FREE = FreeWheel(R)
speeds = st.one_of(st.floats(-10.0, 10.0), st.floats(-0.01, 0.01), st.just(0.0))
CONTACTS = {
    (law, sigma): GroundContact(
        [wheel(sigma, law=law, lateral=BrixiusLateral() if law == "brixius" else SIDE)]
    )
    for law in ("brixius", "dry", "clay")
    for sigma in (0.02, 0.5)
}


def stored(contact):
    """Energy of the deflected carcass [J]: integral of its force over the deflection."""
    bristle = contact.wheel_arrays.bristle[0]
    sigma = contact.wheels[0].relaxation_length
    u = np.linspace(0.0, abs(bristle.y), 200)
    angle = np.arctan(u / sigma)
    load, there = contact.wheel_arrays.now[0].load, contact.wheels[0]
    if load <= 0.0:
        return 0.0
    ratio = there.lateral.lateral_ratio(angle, np.full(u.size, load), TYRE, SOIL)
    slope = there.lateral.lateral_ratio(1e-9, load, TYRE, SOIL) / 1e-9
    return float(np.trapezoid(ratio, u) / slope * bristle.firm)


@settings(max_examples=60)
@given(
    case=st.sampled_from(sorted(CONTACTS)),
    v_x=speeds,
    v_y=st.floats(-2.0, 2.0),
    rim=speeds,
    h=st.sampled_from([1e-4, 1e-3, 1e-2]),
    pushes=st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=12),
)
def test_it_gives_back_no_more_than_it_was_given(case, v_x, v_y, rim, h, pushes):
    """The ground's work on a free wheel under lateral impulses plus the carcass' energy is at most 0."""
    contact = CONTACTS[case]
    forget(contact)
    v, work = np.array([v_x, v_y, 0.0, rim / R]), 0.0
    load = 0.0
    for push in pushes:
        struck = np.array([0.0, 0.2 * push, 0.0, 0.0])  # velocity by an impulse within the step [m/s]
        q, v = FREE.step(contact, h, DOWN, v, struck / h / FREE.inverse)
        work += FREE.work(q, v)[0]
        load = max(load, q[0] / h)
        assert contact.row_arrays.report.missed == 0.0
        size = load * SIGMA
        assert work + stored(contact) <= 1e-7 * size


@pytest.mark.parametrize(
    "cycle",
    [
        [(0.0, 0.2, -0.005), (0.0, 0.0, -0.05), (0.0, -0.2, -0.05), (0.0, 0.0, -0.005)],
        [(0.004, 0.2, DOWN), (0.0, 0.0, DOWN), (0.0, -0.2, DOWN), (0.0, 0.0, DOWN)],
    ],
    ids=["load", "thrust"],
)
def test_no_cycle_of_load_or_thrust_pumps_energy(cycle):
    """Cycles of deflection and release at different loads and spins gain no energy."""
    contact, h, n = GroundContact([wheel()]), 1e-3, 200
    work = 0.0
    for _ in range(3):
        for v_t, v_y, gap in cycle:
            u = np.array([0.0, v_t, v_y, 0.0])
            for _ in range(n):
                q = contact.solve(h, [gap], HEAVY, u, u)
                work += float(q[1:] @ u[1:])
        assert work < 0.0


test_where_it_means_nothing_it_is_refused = refusals(
    ({"lateral": None}, "needs a lateral law"),
    ({"lugre": LuGre()}, "bristles have their own"),
    ({"regularisation": "local"}, "it is 'local'"),
    ({"combined": "sliding"}, "it is 'sliding'"),
    ({"slip": "smooth"}, "it is 'smooth'"),
    ({"sigma": -0.1}, "relaxation_length"),
    of=lambda changes: wheel(**changes),
)
