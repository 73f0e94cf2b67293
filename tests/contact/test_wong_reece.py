"""The law of Wong and Reece agrees with numbers of two papers, adaptive quadrature and identities."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from contact import (
    BekkerSoil,
    GroundContact,
    PressureSinkageSoil,
    ReeceSoil,
    Tyre,
    WheelContact,
    WongReece,
    named_soil,
)
from contact.kernels.stresses import wong_reece as kernel
from contact.laws.wong_reece import _wheel_parameters
from tests.refusals import refusals

from .free_wheel import lead

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


def test_a_polished_rim_shears_a_weaker_soil_of_the_same_stiffness():
    """The rim reduces friction angle and cohesion of the shear, not the cohesion in Reece's modulus."""
    soil = ReeceSoil(20.0, 3000.0, 0.9, 800.0, 0.55, 0.012, unit_weight=15e3)
    weaker = BekkerSoil(0.0, soil.modulus(0.1), 0.9, 0.54 * 800.0, 0.54 * 0.55, 0.012)
    slips = np.array([-0.8, -0.2, 0.0, 0.1, 0.5])
    smooth = WongReece(rim_friction=0.54).wheel(soil, 0.15, 0.1, 200.0, slips)
    wanted = WongReece().wheel(weaker, 0.15, 0.1, 200.0, slips)
    assert smooth.drawbar_pull == pytest.approx(wanted.drawbar_pull, rel=1e-9)
    assert smooth.torque == pytest.approx(wanted.torque, rel=1e-9)
    assert (smooth.drawbar_pull < WongReece().wheel(soil, 0.15, 0.1, 200.0, slips).drawbar_pull)[
        3:
    ].all()


def integrals(soil, radius, width, angles, shear, cuts):
    """(load, thrust, compaction, torque / r) of the stresses below a wheel by adaptive quadrature.

    angles: of entry, largest pressure and exit; shear: function of the angle, displacement of the soil
    [m]; cuts: angles at which the stresses are not smooth.
    """
    theta_1, theta_m, theta_2 = angles

    def normal(angle):
        rear = theta_1 - (angle - theta_2) / (theta_m - theta_2) * (theta_1 - theta_m)
        mirrored = angle if angle >= theta_m else rear
        lift = max(math.cos(mirrored) - math.cos(theta_1), 0.0)
        return soil.modulus(width) * (radius * lift) ** soil.n

    def tangential(angle):
        strength = soil.cohesion + normal(angle) * math.tan(soil.friction_angle)
        j = shear(angle)
        return math.copysign(strength * -math.expm1(-abs(j) / soil.shear_modulus), j)

    def total(f):
        parts = itertools.pairwise(sorted(cuts))
        area = radius * width
        return area * sum(quad(f, a, b, epsabs=0, epsrel=1e-12, limit=400)[0] for a, b in parts)

    return np.array(
        [
            total(lambda t: normal(t) * math.cos(t) + tangential(t) * math.sin(t)),
            total(lambda t: tangential(t) * math.cos(t)),
            total(lambda t: normal(t) * math.sin(t)),
            total(tangential),
        ]
    )


def naive(soil, radius, width, theta_1, theta_2, slip):
    """(load, thrust, compaction, torque / r) by ``integrals``, cut at the zeros of the shear."""
    span = theta_1 - theta_2
    theta_m = min(
        max((soil.c_1 + soil.c_2 * slip) * theta_1, theta_2 + 0.02 * span), theta_1 - 0.02 * span
    )
    rolled = 1 - slip if slip >= 0 else 1 / (1 + slip)

    def shear(angle):
        return radius * ((theta_1 - angle) - rolled * (math.sin(theta_1) - math.sin(angle)))

    cuts = {theta_2, theta_m, theta_1} | {theta_1 - span * 10.0**-k for k in range(1, 6)}
    grid = np.linspace(theta_2, theta_1 - 1e-9, 2001)
    for a, b in itertools.pairwise(grid):
        if shear(a) * shear(b) < 0.0:
            zero = brentq(shear, a, b, xtol=1e-15)
            near = {zero + sign * span * 10.0**-k for k in range(1, 6) for sign in (1, -1)}
            cuts |= {zero} | {x for x in near if theta_2 < x < theta_1}
    return integrals(soil, radius, width, (theta_1, theta_m, theta_2), shear, cuts)


# Sinkage exponent n, shear modulus K [m], cohesion c [Pa], slip, entry and exit angle theta_1, theta_2.
CASES = [  # stiff and soft shear, small and large n, every slip
    (0.3, 1e-6, 0.0, 0.2, 0.5, 0.0), (1.8, 1e-5, 5e3, 0.0, 0.3, -0.1), (0.9, 0.025, 1e3, 1.0, 1.2, 0.0),
    (1.0, 0.06, 200.0, 0.05, 0.02, 0.0), (0.7, 1e-3, 0.0, -0.2, 0.6, 0.0),
    (0.8, 0.013, 234.0, -0.9, 0.7, -0.05), (1.46, 8.8e-4, 200.0, 0.0, 0.56, -0.1),
    (0.93, 1.56e-3, 200.0, -0.152, 0.877, -0.1), (0.5, 0.01, 1e3, -1.0, 0.4, 0.0),
    # braking so lightly that the rim never overtakes the soil: all shear is backward, with cohesion
    (1.4, 0.0125, 2e4, -0.23, 0.57, -0.06), (0.2, 0.06, 4e4, -0.225, 0.668, -0.08),
    # the shear changes sign close to an end of the contact
    (0.87, 0.0113, 0.0, -0.456, 1.0, 0.0), (0.7, 0.0876, 300.0, -0.446, 1.0, -0.012),
    # the shear displacement j rises and falls again within a piece of the integration
    (1.361, 7.1e-5, 2e4, -0.329, 0.9025, -0.045), (1.515, 8.4e-4, 2e4, -0.232, 1.09, 0.0),
    (1.55, 2.88e-3, 1e3, -0.1556, 1.035, 0.0), (0.33, 2.2e-6, 0.0, -0.97, 0.77, -0.04),
    # exit far behind the axle, as far as the entry in front
    (1.0, 0.02, 800.0, 0.2, 0.626, -0.593), (0.6, 5e-3, 0.0, 0.0, 0.9, -0.9),
    (1.4, 0.03, 2e3, -0.3, 1.2, -1.1),
    # j comes close to zero once more behind the axle, or crosses it
    (0.4545, 3.125e-4, 0.0, -0.20476, 1.34, -1.34), (0.35, 1e-4, 2e4, -0.01256, 0.394, -0.308),
    (0.9, 2e-4, 300.0, -0.25, 1.34, -1.34),
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
    st.floats(0.3, 1.6),
    st.floats(1e-4, 0.06),
    st.floats(0.0, 5e3),
    st.floats(-0.95, 1.0),
    st.floats(50.0, 5e3),
)
def test_the_stresses_carry_the_load(n, k, c, slip, load):
    p = _wheel_parameters(BekkerSoil(1e3, 1e6, n, c, 0.5, k), 0.4, 0.2, 0.0)
    for skid in (-1.0, max(0.0, -slip / (1.0 + slip))):
        theta_1, *_, carried = kernel.at_load(p, load, slip, skid)
        assert carried == pytest.approx(kernel.forces_at(p, theta_1, slip, skid)[0], rel=1e-11)
        assert carried == pytest.approx(load, rel=1e-9)


@pytest.mark.parametrize("more", [0.999999, 1.001])
def test_close_to_the_most_that_the_soil_can_carry(more):
    """Just below the largest load the entry angle found carries the load; above it, the search may end
    at the deepest angle. The load is not monotone in the angle."""
    soil = BekkerSoil(0.0, 1e6, 0.2, 2e3, 0.5, 1e-4, 0.4, 0.3)
    p = _wheel_parameters(soil, 0.4, 0.2, -0.05)
    angles = np.linspace(0.8, 1.33, 400)
    most = max(kernel.forces_at(p, a, -0.8, -1.0)[0] for a in angles)
    theta_1, _, _, _, carried = kernel.at_load(p, more * most, -0.8, -1.0)
    assert theta_1 == kernel.DEEPEST or carried == pytest.approx(more * most, rel=1e-9)


@pytest.mark.parametrize(("load", "skid"), [(29.1, 2881.0), (1.1, 2881.0), (25.0, 5e4)])
def test_a_locked_wheel_on_sticky_soil_is_carried_just_above_its_axle(load, skid):
    """Cohesion pulls the wheel down almost to its axle: the entry angle is near 90 degrees."""
    soil = BekkerSoil(0.0, 79420.0, 0.8377, 2e4, 0.6871, 0.0071747, 0.4695, 0.32)
    p = _wheel_parameters(soil, 0.4, 0.25, 0.0)
    theta_1, *_, carried = kernel.at_load(p, load, 0.0, skid)
    assert 1.45 < theta_1 < 1.5
    assert carried == pytest.approx(load, rel=1e-9)


@given(st.floats(-1.0, 1.0), st.floats(100.0, 3e3))
def test_without_shear_strength_there_is_resistance_only(slip, load):
    soil = BekkerSoil(0.0, 1e6, 0.8, 0.0, 0.0, 0.02)
    wheel = WongReece().wheel(soil, 0.4, 0.2, load, slip)
    assert wheel.torque == 0.0
    assert wheel.drawbar_pull == -wheel.compaction


def test_where_the_thrust_at_zero_slip_exceeds_the_resistance():
    """On soft soil the forces under four regularisations equal the law, driving and braking."""
    soil, radius, width, load = named_soil("Upland sandy loam").bekker, 0.47, 0.3, 8e3
    tyre, law = Tyre(2 * radius, width, 0.1), WongReece()
    assert law.thrust_ratio(0.0, load, tyre, soil) > 1.1 * law.resistance_ratio(0.0, load, tyre, soil)
    for scheme in ("set-valued", "global", "local", "implicit"):
        wheel = WheelContact(tyre, soil, law=law, regularisation=scheme)
        for slip in (-0.5, -0.2, 0.1, 0.5):
            ground = GroundContact([wheel])
            fast = 1.0 / (1.0 - slip) if slip > 0 else 1.0 + slip
            gap = -wheel.static_compression(load)
            for _ in range(2):  # the second step uses the load of the first
                lead(ground, 1e-3, gap, (1.0, 0.0, 0.0, fast / radius))
            forces = {name: float(value[0]) for name, value in ground.forces(1e-3).items()}
            for name, ratio in (("traction", law.thrust_ratio), ("resistance", law.resistance_ratio)):
                wanted = float(ratio(slip, forces["load"], tyre, soil)) * forces["load"]
                assert forces[name] == pytest.approx(wanted, abs=1e-6 * load), (scheme, slip, name)


def test_exit_angle_of_lunar_soil():
    """Forces for an exit angle, given directly or as a share of sinkage, equal quadrature to 1e-8."""
    soil = BekkerSoil(1370.0, 8.14e5, 1.0, 800.0, math.radians(37.2), 0.02, 0.4, 0.15)
    theta_1, share = 0.626, 0.9
    theta_2 = -math.acos(1.0 - share * (1.0 - math.cos(theta_1)))
    assert theta_2 == pytest.approx(-0.593, abs=1e-3)
    by_angle = _wheel_parameters(soil, 0.09, 0.11, theta_2)
    by_share = _wheel_parameters(soil, 0.09, 0.11, 0.0, share)
    one = np.array(kernel.forces_at(by_angle, theta_1, 0.2, -1.0))
    other = np.array(kernel.forces_at(by_share, theta_1, 0.2, -1.0))
    assert other == pytest.approx(one, rel=1e-12)
    wanted = naive(soil, 0.09, 0.11, theta_1, theta_2, 0.2)
    assert np.abs(one - wanted).max() < 1e-8 * wanted[0]
    wheel = WongReece(exit_share=share).wheel(soil, 0.09, 0.11, 64.68, 0.2)
    given = WongReece(exit_angle=-math.acos(1.0 - share * (1.0 - math.cos(wheel.entry_angle))))
    assert given.wheel(soil, 0.09, 0.11, 64.68, 0.2).drawbar_pull == pytest.approx(
        float(wheel.drawbar_pull), rel=1e-8
    )


test_bad_input_is_a_sentence = refusals(
    (lambda: WongReece(exit_angle=0.1), "exit_angle = 0.1 rad"),
    (lambda: WongReece(exit_share=1.2), "exit_share = 1.2"),
    (lambda: WongReece(exit_angle=-0.2, exit_share=0.5), "are both given; give one"),
    (lambda: WongReece().wheel(AZIMI, 0.15, 0.1, 0.0, 0.2), "must be above 0"),
    (lambda: WongReece().wheel(AZIMI, 0.15, 0.1, 10.0, 1.2), "slip = 1.2"),
    (lambda: WongReece().towed(AZIMI, 0.15, 0.1, 10.0, -0.2), "skid"),
    (lambda: WongReece().wheel(AZIMI, 0.0, 0.1, 10.0, 0.2), "radius"),
)
