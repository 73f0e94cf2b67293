"""Wong-Reece: numbers for the authors' and Azimi's wheels, adaptive quadrature, identities."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from contact import BekkerSoil, PressureSinkageSoil, ReeceSoil, WongReece
from contact.kernels import wong_reece as kernel
from contact.laws.wong_reece import _wheel_parameters

INCH, POUND, PSI = 0.0254, 4.4482216152605, 6894.757293168
COMPACT_SAND = PressureSinkageSoil(
    k_c=20 * PSI, k_phi=2.5 * PSI / INCH, n=0.47, cohesion=0.10 * PSI,
    friction_angle=math.radians(33.3), shear_modulus=1.5 * INCH, c_1=0.43, c_2=0.32,
)  # fmt: skip
AZIMI = BekkerSoil(0.0, 4.1e5, 0.8, 234.0, math.radians(30.0), 0.013, 0.18, 0.32)


@pytest.mark.parametrize(
    ("slip", "angle", "sinkage", "pull", "torque"),
    [(0.1, 36.44633, 4.83098, 151.4674, 19065.930), (0.4, 37.05992, 4.98926, 373.0623, 25056.944)],
)
def test_the_authors_compact_sand(slip, angle, sinkage, pull, torque):
    wheel = WongReece().wheel(COMPACT_SAND, 24.7 * INCH, 6 * INCH, 2006 * POUND, slip)
    assert math.degrees(wheel.entry_angle) == pytest.approx(angle, abs=5e-6)
    assert wheel.sinkage / INCH == pytest.approx(sinkage, abs=5e-6)
    assert wheel.drawbar_pull / POUND == pytest.approx(pull, abs=5e-5)
    assert wheel.torque / POUND / INCH == pytest.approx(torque, abs=5e-4)


def test_azimi():
    wheel = WongReece().wheel(AZIMI, 0.15, 0.1, 165.0, 0.2)
    assert wheel.entry_angle == pytest.approx(0.662195, abs=5e-7)
    assert wheel.sinkage == pytest.approx(0.031703, abs=5e-7)
    assert wheel.drawbar_pull == pytest.approx(15.6228, abs=5e-5)
    assert wheel.torque == pytest.approx(9.42284, abs=5e-6)
    assert wheel.thrust * 0.15 == pytest.approx(9.028, abs=5e-4)


def naive(soil, radius, width, theta_1, theta_2, slip):
    """(load, thrust, compaction, torque / r) by adaptive quadrature, cut where it is not smooth."""
    span = theta_1 - theta_2
    theta_m = min(
        max((soil.c_1 + soil.c_2 * slip) * theta_1, theta_2 + 0.02 * span), theta_1 - 0.02 * span
    )
    rolled = 1 - slip if slip >= 0 else 1 / (1 + slip)

    def shear(angle):
        return radius * ((theta_1 - angle) - rolled * (math.sin(theta_1) - math.sin(angle)))

    def normal(angle):
        rear = theta_1 - (angle - theta_2) / (theta_m - theta_2) * (theta_1 - theta_m)
        mirrored = angle if angle >= theta_m else rear
        lift = max(math.cos(mirrored) - math.cos(theta_1), 0.0)
        return soil.modulus(width) * (radius * lift) ** soil.n

    def tangential(angle):
        strength = soil.cohesion + normal(angle) * math.tan(soil.friction_angle)
        j = shear(angle)
        return math.copysign(strength * -math.expm1(-abs(j) / soil.shear_modulus), j)

    cuts = {theta_2, theta_m, theta_1} | {theta_1 - span * 10.0**-k for k in range(1, 6)}
    grid = np.linspace(theta_2, theta_1 - 1e-9, 2001)
    for a, b in itertools.pairwise(grid):
        if shear(a) * shear(b) < 0.0:
            zero = brentq(shear, a, b, xtol=1e-15)
            near = {zero + sign * span * 10.0**-k for k in range(1, 6) for sign in (1, -1)}
            cuts |= {zero} | {x for x in near if theta_2 < x < theta_1}
    cuts = sorted(cuts)

    def total(f):
        parts = itertools.pairwise(cuts)
        area = radius * width
        return area * sum(quad(f, a, b, epsabs=0, epsrel=1e-12, limit=200)[0] for a, b in parts)

    return np.array([
        total(lambda t: normal(t) * math.cos(t) + tangential(t) * math.sin(t)),
        total(lambda t: tangential(t) * math.cos(t)),
        total(lambda t: normal(t) * math.sin(t)),
        total(tangential),
    ])  # fmt: skip


CASES = [  # n, K, c, slip, theta_1, theta_2: stiff and soft shear, small and large n, every slip
    (0.3, 1e-6, 0.0, 0.2, 0.5, 0.0), (1.8, 1e-5, 5e3, 0.0, 0.3, -0.1), (0.9, 0.025, 1e3, 1.0, 1.2, 0.0),
    (1.0, 0.06, 200.0, 0.05, 0.02, 0.0), (0.7, 1e-3, 0.0, -0.2, 0.6, 0.0),
    (0.8, 0.013, 234.0, -0.9, 0.7, -0.05), (1.46, 8.8e-4, 200.0, 0.0, 0.56, -0.1),
    (0.93, 1.56e-3, 200.0, -0.152, 0.877, -0.1), (0.5, 0.01, 1e3, -1.0, 0.4, 0.0),
    # braking so lightly that the rim never overtakes the soil: all shear backwards, cohesion too
    (1.4, 0.0125, 2e4, -0.23, 0.57, -0.06), (0.2, 0.06, 4e4, -0.225, 0.668, -0.08),
    # a sign change close to an end of the contact
    (0.87, 0.0113, 0.0, -0.456, 1.0, 0.0), (0.7, 0.0876, 300.0, -0.446, 1.0, -0.012),
    # j rises and falls again within a piece
    (1.361, 7.1e-5, 2e4, -0.329, 0.9025, -0.045), (1.515, 8.4e-4, 2e4, -0.232, 1.09, 0.0),
    (1.55, 2.88e-3, 1e3, -0.1556, 1.035, 0.0), (0.33, 2.2e-6, 0.0, -0.97, 0.77, -0.04),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize(("n", "k", "c", "slip", "theta_1", "theta_2"), CASES)
def test_integrals_to_1e_9_of_adaptive_quadrature(n, k, c, slip, theta_1, theta_2):
    soil = BekkerSoil(0.0, 1e6, n, c, 0.5, k, 0.4, 0.3)
    p = _wheel_parameters(soil, 0.4, 0.2, theta_2)
    mine = np.array(kernel.forces_at(p, theta_1, slip, -1.0))
    if slip > -1.0:
        wanted = naive(soil, 0.4, 0.2, theta_1, theta_2, slip)
        assert np.abs(mine - wanted).max() < 1e-9 * wanted[0]
    plain = np.array(kernel.forces_at.py_func(p, theta_1, slip, -1.0))
    assert mine == pytest.approx(plain, rel=1e-12)


@settings(max_examples=40)
@given(
    st.floats(0.3, 1.6), st.floats(1e-4, 0.06), st.floats(0.0, 5e3), st.floats(-0.95, 1.0),
    st.floats(50.0, 5e3),
)  # fmt: skip
def test_the_stresses_carry_the_load(n, k, c, slip, load):
    soil = BekkerSoil(1e3, 1e6, n, c, 0.5, k)
    wheel = WongReece().wheel(soil, 0.4, 0.2, load, slip)
    p = _wheel_parameters(soil, 0.4, 0.2, 0.0)
    carried = kernel.forces_at(p, float(wheel.entry_angle), slip, -1.0)[0]
    assert carried == pytest.approx(load, rel=1e-9)


@pytest.mark.parametrize("more", [0.999999, 1.001])
def test_close_to_the_most_that_the_soil_can_carry(more):
    """Its load falls and rises with the angle there: found below the most, sunk or found above it."""
    soil = BekkerSoil(0.0, 1e6, 0.2, 2e3, 0.5, 1e-4, 0.4, 0.3)
    p = _wheel_parameters(soil, 0.4, 0.2, -0.05)
    angles = np.linspace(0.8, 1.33, 400)
    most = max(kernel.forces_at(p, a, -0.8, -1.0)[0] for a in angles)
    theta_1, _, _, _, carried = kernel.at_load(p, more * most, -0.8, -1.0)
    assert theta_1 == kernel.DEEPEST or carried == pytest.approx(more * most, rel=1e-9)


@given(st.floats(-1.0, 1.0), st.floats(100.0, 3e3))
def test_without_shear_strength_there_is_resistance_only(slip, load):
    soil = BekkerSoil(0.0, 1e6, 0.8, 0.0, 0.0, 0.02)
    wheel = WongReece().wheel(soil, 0.4, 0.2, load, slip)
    assert wheel.torque == 0.0
    assert wheel.drawbar_pull == -wheel.compaction


def test_rigid_shear_is_mohr_coulomb():
    """K -> 0: tau = c + sigma tan(phi) all along, so torque / r = b r c theta_1 + tan(phi) int sigma."""
    soil = BekkerSoil(0.0, 1e6, 0.8, 300.0, 0.5, 1e-9)
    p = _wheel_parameters(soil, 0.4, 0.2, 0.0)
    torque = kernel.forces_at(p, 0.5, 0.3, -1.0)[3]
    _, _, _, frictionless = kernel.forces_at(
        _wheel_parameters(BekkerSoil(0.0, 1e6, 0.8, 0.0, 0.5, 1e-9), 0.4, 0.2, 0.0), 0.5, 0.3, -1.0
    )
    assert torque - frictionless == pytest.approx(0.4 * 0.2 * 300.0 * 0.5, rel=1e-6)


def test_towed_wheel_rolls_free_at_some_skid():
    law = WongReece()

    def torque(skid):
        return float(law.towed(COMPACT_SAND, 0.63, 0.15, 8e3, skid).torque)

    assert torque(0.01) > 0.0 > torque(0.8)
    skid = brentq(torque, 0.01, 0.8)
    wheel = law.towed(COMPACT_SAND, 0.63, 0.15, 8e3, skid)
    assert wheel.drawbar_pull < 0.0
    assert wheel.entry_angle > 0.0


def test_towed_integrals_are_those_of_part_2():
    soil, radius, width, skid, theta_1 = AZIMI, 0.15, 0.1, 0.3, 0.7
    a = math.tan(math.pi / 4 - soil.friction_angle / 2)
    theta_0 = brentq(lambda t: a * math.sin(t) - math.cos(t) + 1 / (1 + skid), 1e-6, theta_1)
    front = math.sin(theta_1) - math.sin(theta_0)
    k_v = ((1 + skid) * front / (theta_1 - theta_0) - 1) / (1 + skid)

    def shear(t):
        if t >= theta_0:
            slid = (1 + skid) * (math.sin(theta_1) - math.sin(t))
            return radius * ((theta_1 - t) * (1 + k_v * (1 + skid)) - slid)
        return radius * ((theta_0 - t) - (1 + skid) * (math.sin(theta_0) - math.sin(t)))

    theta_m = (soil.c_1 - soil.c_2 * skid) * theta_1

    def tangential(t):
        w = t if t >= theta_m else theta_1 - t / theta_m * (theta_1 - theta_m)
        lift = max(math.cos(w) - math.cos(theta_1), 0.0)
        strength = soil.cohesion + soil.modulus(width) * (radius * lift) ** soil.n * math.tan(
            soil.friction_angle
        )
        j = shear(t)
        return math.copysign(strength * -math.expm1(-abs(j) / soil.shear_modulus), j)

    cuts = sorted((0.0, theta_m, theta_0, theta_1))
    wanted = (
        radius
        * width
        * sum(quad(tangential, a, b, epsrel=1e-11)[0] for a, b in itertools.pairwise(cuts))
    )
    p = _wheel_parameters(soil, radius, width, 0.0)
    assert kernel.forces_at(p, theta_1, 0.0, skid)[3] == pytest.approx(wanted, rel=1e-8)


def test_reece_and_bekker_are_the_same_soil_at_one_width():
    reece = ReeceSoil(5.0, 20.0, 0.9, 800.0, 0.5, 0.02, unit_weight=15e3)
    bekker = BekkerSoil(0.0, reece.modulus(0.2), 0.9, 800.0, 0.5, 0.02)
    one, other = (WongReece().wheel(soil, 0.4, 0.2, 2e3, 0.2) for soil in (reece, bekker))
    assert one.drawbar_pull == pytest.approx(float(other.drawbar_pull), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: WongReece(exit_angle=0.1), "exit_angle = 0.1 rad"),
        (lambda: WongReece().wheel(AZIMI, 0.15, 0.1, 0.0, 0.2), "must be above 0"),
        (lambda: WongReece().wheel(AZIMI, 0.15, 0.1, 10.0, 1.2), "slip = 1.2"),
        (lambda: WongReece().towed(AZIMI, 0.15, 0.1, 10.0, -0.2), "skid"),
        (lambda: WongReece().wheel(AZIMI, 0.0, 0.1, 10.0, 0.2), "radius"),
    ],
)
def test_bad_input_is_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
