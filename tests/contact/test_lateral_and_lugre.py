"""Lateral force and LuGre bristles in time steps: equal to the law, passive, within the ellipse."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import (
    BekkerSoil,
    BrixiusLateral,
    ConeIndexSoil,
    Crolla,
    GroundContact,
    LuGre,
    Tyre,
    WheelContact,
)
from contact.kernels.wheel import layout as at
from contact.kernels.wheel import lugre as kernel
from contact.kernels.wheel.bristles import lateral_grip
from tests.refusals import refusals

from .free_wheel import FreeWheel

H, MASS, R = 1e-3, 250.0, 0.381
FREE, LOCKED = FreeWheel(R, MASS), FreeWheel(R, MASS, inertia=1e15)
TYRE, SOIL = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), ConeIndexSoil(4e5)


def wheel(scheme="implicit", **changes):
    changes.setdefault("lateral", Crolla(0.15, 0.8))
    return WheelContact(TYRE, SOIL, regularisation=scheme, **changes)


@settings(max_examples=60)
@given(
    st.floats(-8.0, 8.0),
    st.floats(-3.0, 3.0),
    st.floats(-8.0, 8.0),
    st.booleans(),
    st.sampled_from([1e-4, 1e-3, 1e-2]),
)
def test_implicit_lateral_force_is_the_law_at_the_end_of_the_step(v_x, v_y, rim, ellipse, h):
    described = wheel(ellipse=ellipse, combined="demand")
    ground = GroundContact([described])
    q, v = FREE.step(ground, h, -0.02, (v_x, v_y, 0.0, rim / R))
    load, side = q[at.NORMAL] / h, q[at.LATERAL] / h
    assert ground.report["missed"] == 0.0
    assert side * v[1] <= 1e-9
    slip, angle = -(v[0] - R * v[3]), math.atan2(v[1], max(abs(v[0]), 1e-3))
    v_max = max(abs(v[0]), abs(R * v[3]), 1e-3)
    if v_max <= 1e-3 or abs(v[1]) < 1e-9 or abs(slip) < 1e-9:
        assert abs(side) <= 0.8 * load * (1 + 1e-9)
        return
    share = 1.0
    if ellipse:
        slip = min(1.0, abs(slip) / v_max)
        thrust = float(described.thrust_ratio(slip, load)) / float(described.thrust_ratio(1.0, load))
        lateral = abs(float(Crolla(0.15, 0.8).lateral_ratio(angle))) / 0.8
        share = 1.0 / max(1.0, math.hypot(thrust, lateral))
    wanted = -share * float(Crolla(0.15, 0.8).lateral_ratio(angle)) * load
    assert side == pytest.approx(wanted, abs=1e-7 * load)


def test_soil_can_change_under_a_wheel():
    ground = GroundContact([wheel()])
    before, _ = FREE.step(ground, H, -0.02, (2.0, 0.0, 0.0, 2.4 / R))
    ground.set_soil(0, ConeIndexSoil(1e6))
    after, _ = FREE.step(ground, H, -0.02, (2.0, 0.0, 0.0, 2.4 / R))
    assert after[at.SLIDING] > before[at.SLIDING]


def test_bristle_published_step():
    z = kernel.advance_bristle(0.005, 0.5, 0.5, 3200.0, 3e5, 0.005)
    assert z == pytest.approx(6.075949367e-3, abs=5e-13)
    assert z == kernel.advance_bristle.py_func(0.005, 0.5, 0.5, 3200.0, 3e5, 0.005)


def test_bristle_converges_with_order_1():
    sigma, g, v, t = 3e5, 3200.0, 0.2, 0.02
    exact = g / sigma * -math.expm1(-sigma * v * t / g)
    errors = []
    for steps in (200, 400, 800):
        z = 0.0
        for _ in range(steps):
            z = kernel.advance_bristle(z, v, v, g, sigma, t / steps)
        errors.append(abs(z - exact))
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.1)


@given(
    st.floats(-2.0, 2.0), st.floats(-8.0, 8.0), st.floats(0.0, 8.0), st.floats(1.0, 5e3),
    st.floats(0.0, 1e5), st.floats(0.0, 200.0), st.sampled_from([1e-4, 1e-3, 1e-2]),
)  # fmt: skip
def test_bristle_creates_no_energy(start, v, beside, g, sigma_1, sigma_2, h):
    """A bristle's work on the wheel in a step plus the increase of its own energy is at most 0."""
    sigma_0, speed = 3e5, math.hypot(v, beside)
    old = start * g / sigma_0
    damping = kernel.passive_damping(sigma_1, speed, g)
    new = kernel.advance_bristle(old, v, speed, g, sigma_0, h)
    force = kernel.bristle_force(old, v, speed, g, sigma_0, damping, sigma_2, h)
    stored = 0.5 * sigma_0 * (new * new - old * old)
    assert h * force * v + stored <= 1e-9 * (1.0 + abs(force * v) * h)
    assert abs(new) <= max(abs(old), g / sigma_0) * (1 + 1e-12)
    back = kernel.limited_deflection(old, g, sigma_0)
    assert abs(back) <= g / sigma_0 * (1 + 1e-12)
    assert abs(back) <= abs(old)
    at_zero, slope = kernel.bristle_line(old, speed, g, sigma_0, damping, sigma_2, h)
    assert at_zero - slope * v == pytest.approx(force, rel=1e-9, abs=1e-7)
    for function, args in (
        (kernel.bristle_force, (old, v, speed, g, sigma_0, damping, sigma_2, h)),
        (kernel.bristle_line, (old, speed, g, sigma_0, damping, sigma_2, h)),
        (kernel.passive_damping, (sigma_1, speed, g)),
        (kernel.limited_deflection, (old, g, sigma_0)),
    ):
        assert function(*args) == pytest.approx(function.py_func(*args), rel=1e-12)


def test_the_lateral_envelope_at_speed():
    """The bound of the bristle's lateral force is the lateral law or, if larger, the law's largest force
    times exp(-(slip angle / Stribeck angle)^2), after VDSim; with a Stribeck angle of 0 it is the law.
    """
    load, angles = 2500.0, (0.0, 0.01, 0.03, 0.2)
    for hold, floor in ((0.0, 0.0), (0.03, 1.0)):
        ground = GroundContact([wheel(lugre=LuGre(stribeck_angle=hold))])
        wheels = ground.wheel_arrays
        for angle in angles:
            now = wheels.now[0]
            now.load, now.v_x, now.v_y, now.share = load, 10.0, 10.0 * math.tan(angle), 1.0
            now.lateral.v_x = math.nan
            law = 0.8 * -math.expm1(-angle / 0.15)
            wanted = load * max(law, floor * 0.8 * math.exp(-((angle / 0.03) ** 2)))
            assert lateral_grip(0, wheels) == pytest.approx(wanted, rel=1e-12, abs=1e-9)


def test_a_bristle_beyond_a_shrunken_envelope_keeps_the_force_within_it():
    sigma_0, g, h, v = 3e5, 800.0, 1e-3, -0.05
    z = kernel.limited_deflection(3.0 * g / sigma_0, g, sigma_0)
    assert z == g / sigma_0
    assert abs(kernel.bristle_force(z, v, -v, g, sigma_0, 0.0, 0.0, h)) <= g
    assert kernel.limited_deflection(z, 0.0, sigma_0) == 0.0
    assert kernel.advance_bristle(z, v, -v, 0.0, sigma_0, h) == 0.0


test_bad_input_is_a_sentence = refusals(
    (lambda: LuGre(stribeck_angle=-0.1), "stribeck_angle = -0.1 rad"),
    (lambda: LuGre(sigma_0=0.0), "sigma_0 = 0.0 N/m"),
    (lambda: LuGre(sigma_1=-1.0), "sigma_1 = -1.0"),
    (lambda: Crolla(gamma=0.0), "gamma = 0.0 rad"),
    (lambda: BrixiusLateral("radail"), "did you mean 'radial'"),
)


LAWS_AT_REST = {
    "brixius": SOIL,
    "dry": SOIL,
    "sand": SOIL,
    "clay": ConeIndexSoil(8e5),
    "wong-reece": BekkerSoil.sandy_loam(),
}


def push(described, angle, share, steps, h=H):
    """Push a locked wheel at an angle [rad] with ``share`` times its capacity in that direction.

    Returns: path [m] (2,) over the second half of the steps, since the wheel takes up its load in the
    first; size of the force relative to the friction ellipse; report of the solver.
    """
    ground = GroundContact([described])
    load = MASS * 9.81
    v, path = np.zeros(4), np.zeros(2)
    gap = -described.static_compression(load)
    slip = described.ground_law.values(1.0, load, TYRE, described.ground)
    capacity_x = abs(slip[0]) + slip[2]
    # At rest the rolling resistance holds only beside bristles, not beside a set-valued thrust; beyond
    # the capacity the wheel slides, with the resistance at full slip.
    gamma = float(described.resistance_ratio(0.0 if share < 1.0 else 1.0, load))
    gamma -= min(float(slip[6]), float(slip[3]))
    if share < 1.0 and described.lugre is None:
        gamma = 0.0
    capacity_y = float(described.lateral.lateral_ratio(1.5, load, TYRE, SOIL))
    reach = 1.0 / math.hypot(math.cos(angle) / capacity_x, math.sin(angle) / capacity_y)
    force = share * load * reach * np.array([math.cos(angle), math.sin(angle)])
    force[0] += math.copysign(max(gamma, 0.0) * load, force[0])  # part taken by the resistance
    for k in range(steps):
        q, v = LOCKED.step(ground, h, gap, v, [*force, 0.0, 0.0])
        v[2] = 0.0
        path += h * v[:2] * (2 * k >= steps - 1)
    z, spun = ground.row_arrays.z, ground.wheel_arrays.each[0].lateral_row
    along, aside = z[at.ROW_TRACTION] + z[at.ROW_STICK], z[spun] + z[spun + 1]
    sizes = math.hypot(along / capacity_x, aside / capacity_y) / q[at.NORMAL]
    return path, sizes, ground.report


@pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
@pytest.mark.parametrize("name", LAWS_AT_REST)
@pytest.mark.parametrize("angle", [0.3, 0.8, 1.3, 2.2])
def test_the_ellipse_holds_at_rest_too(name, angle):
    """A locked wheel rests just inside its ellipse and slides just outside, in any direction."""
    described = wheel(law=name)
    described = dataclasses.replace(described, soil=LAWS_AT_REST[name])
    path, size, report = push(described, angle, 0.97, 200)
    assert np.abs(path).max() < 1e-9
    assert size == pytest.approx(0.97, abs=2e-3)
    assert report["missed"] == 0.0
    path, size, report = push(described, angle, 1.1, 5, h=1e-5)
    assert size == pytest.approx(1.0, abs=1e-4)
    assert np.all(path * [math.cos(angle), math.sin(angle)] >= 0.0)
    assert np.hypot(*path) > 0.0
    assert report["missed"] == 0.0


@pytest.mark.parametrize("combined", ["demand", "sliding"])
@pytest.mark.parametrize("angle", [0.3, 0.8, 1.3])
def test_bristles_share_their_ellipse_at_rest(angle, combined):
    described = wheel(lugre=LuGre(), combined=combined)
    path, size, report = push(described, angle, 0.9, 8000)
    assert np.abs(path).max() < 1e-6
    assert size == pytest.approx(0.9, abs=1e-2)
    assert report["missed"] == 0.0


@pytest.mark.parametrize("angle", [0.3, 0.8, 1.3, 2.2])
def test_bristles_by_the_sliding_hold_just_inside_their_ellipse(angle):
    """A wheel that slides in the first steps comes to rest under a push inside the ellipse (0.98 of it);
    at 1.02 it goes on sliding."""
    described = wheel(law="dry", lugre=LuGre(), combined="sliding")
    path, size, _ = push(described, angle, 0.98, 10000)
    assert np.abs(path).max() < 1e-7
    assert size == pytest.approx(0.98, abs=1e-6)
    path, size, _ = push(described, angle, 1.02, 4000)
    assert np.hypot(*path) > 0.1
    assert size == pytest.approx(1.0, abs=2e-3)
