"""The towed wheel of Wong and Reece, Part II, agrees with quadrature and with the law while braking."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from contact import BekkerSoil, GroundContact, Tyre, WheelContact, WongReece, named_soil
from contact.kernels.laws.wong_reece_law import EXACT, NO_SLOPE, ROUGH, SEARCH
from contact.kernels.laws.wong_reece_law import wong_reece as ratios
from contact.kernels.stresses import wong_reece as kernel
from contact.laws.wong_reece import _wheel_parameters

from .free_wheel import channels
from .test_wong_reece import AZIMI, COMPACT_SAND, INCH, POUND, integrals


def test_the_towed_wheel_on_compact_sand():
    """On compact sand pull, torque, and the skid of zero torque equal values by quadrature.

    The largest stress is where the shear changes sign.
    """
    size = (COMPACT_SAND, 24.7 * INCH, 6 * INCH, 2006 * POUND)
    wheel = WongReece().towed(*size, 0.1)
    assert -wheel.drawbar_pull / POUND == pytest.approx(488.07, abs=5e-3)
    assert wheel.torque / POUND / INCH == pytest.approx(2328.06, abs=5e-3)
    skid = brentq(lambda i: float(WongReece().towed(*size, i).torque), 0.01, 0.8, xtol=1e-12)
    assert skid == pytest.approx(0.17208, abs=5e-6)
    assert -WongReece().towed(*size, skid).drawbar_pull / POUND == pytest.approx(631.89, abs=5e-3)


def naive_towed(soil, radius, width, theta_1, theta_2, skid):
    """(load, thrust, compaction, torque / r) of Part II by adaptive quadrature, piece by piece."""
    a = math.tan(math.pi / 4 - soil.friction_angle / 2)
    theta_0 = brentq(lambda t: a * math.sin(t) - math.cos(t) + 1 / (1 + skid), 0.0, 1.57, xtol=1e-15)
    front = (1 + skid) * (math.sin(theta_1) - math.sin(theta_0))
    k_v = (front / (theta_1 - theta_0) - 1) / (1 + skid)

    def shear(t):
        if t >= theta_0:
            slid = (1 + skid) * (math.sin(theta_1) - math.sin(t))
            return radius * ((theta_1 - t) * (1 + k_v * (1 + skid)) - slid)
        return radius * ((theta_0 - t) - (1 + skid) * (math.sin(theta_0) - math.sin(t)))

    cuts = {theta_2, theta_0, theta_1, theta_0 + 0.01 * (theta_1 - theta_0)}
    grid = np.linspace(theta_2, theta_0 - 1e-9, 500)  # the shear may have a second zero
    for low, high in itertools.pairwise(grid):
        if shear(low) * shear(high) < 0.0:
            cuts.add(brentq(shear, low, high, xtol=1e-15))
    return integrals(soil, radius, width, (theta_1, theta_0, theta_2), shear, cuts)


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@settings(max_examples=40)
@given(
    n=st.floats(0.2, 1.6), k=st.floats(5e-4, 0.06), c=st.floats(0.0, 2e4), phi=st.floats(0.05, 0.75),
    theta_1=st.floats(0.05, 1.2), share=st.floats(0.05, 0.95), rear=st.floats(0.0, 1.0),
)  # fmt: skip
def test_towed_integrals_are_those_of_part_2(n, k, c, phi, theta_1, share, rear):
    """Wong and Reece's integrals for a towed wheel, wherever in the contact the shear changes sign, and
    for any exit angle up to the entry's."""
    soil = BekkerSoil(0.0, 1e6, n, c, phi, k)
    a, theta_0 = math.tan(math.pi / 4 - phi / 2), share * theta_1
    rolled = math.cos(theta_0) - a * math.sin(theta_0)
    if rolled < 1e-3:  # the shear changes sign at this angle at no skid
        return
    skid, theta_2 = 1 / rolled - 1, -rear * theta_1
    p = _wheel_parameters(soil, 0.4, 0.2, theta_2)
    wanted = naive_towed(soil, 0.4, 0.2, theta_1, theta_2, skid)
    mine = np.array(kernel.forces_at(p, theta_1, 0.0, skid))
    assert np.abs(mine - wanted).max() < 1e-8 * np.abs(wanted).max()


SOILS_AND_LOADS = [
    (COMPACT_SAND, 24.7 * INCH, 6 * INCH, 2006 * POUND),
    (AZIMI, 0.15, 0.1, 165.0),
    (BekkerSoil.sandy_loam(), 0.47, 0.3, 6e3),
    (BekkerSoil.sandy_loam(), 0.47, 0.3, 300.0),
    (named_soil("clayey soil").bekker, 0.4, 0.25, 500.0),
    (named_soil("Upland sandy loam").bekker, 0.47, 0.3, 8e3),
    (named_soil("lean clay").bekker, 0.4, 0.25, 3e3),
]


@pytest.mark.parametrize(("soil", "radius", "width", "load"), SOILS_AND_LOADS)
def test_the_law_brakes_as_part_2_tows(soil, radius, width, load):
    """Near the skid of free rolling the law's forces are Part II's; at one skid the torque is zero."""
    law, tyre = WongReece(), Tyre(2 * radius, width, 0.1)
    size = (soil, radius, width, load)
    free = brentq(lambda i: float(law.towed(*size, i).torque), 1e-4, 2.0, xtol=1e-13)

    def ratios(slip):
        found = (law.thrust_ratio, law.resistance_ratio, law.rolling_moment_ratio)
        return np.array([float(ratio(slip, load, tyre, soil)) for ratio in found])

    for skid in (0.9 * free, free, 1.1 * free):
        wheel = law.towed(*size, skid)
        rolling = wheel.torque / radius - wheel.thrust
        wanted = np.array([wheel.thrust, wheel.compaction, rolling]) / load
        assert ratios(-skid / (1 + skid)) == pytest.approx(wanted, abs=1e-8)
    slips = np.linspace(-1.0, 1.0, 201)
    torque = np.array([ratios(s)[[0, 2]].sum() for s in slips])
    assert np.count_nonzero(np.diff(np.sign(torque))) == 1  # exactly one skid without torque
    skids = np.linspace(1e-6, 1.5, 60)
    falls = np.array([ratios(-i / (1 + i))[[0, 2]].sum() for i in skids])
    assert np.diff(falls).max() < 1e-6


@pytest.mark.parametrize(("soil", "radius", "width", "load"), SOILS_AND_LOADS)
def test_slopes_and_continuity_from_the_locked_to_the_spinning_wheel(soil, radius, width, load):
    law, tyre = WongReece(), Tyre(2 * radius, width, 0.1)
    entry = float(law.wheel(soil, radius, width, load, 0.0).entry_angle)
    near = 0.2 * entry**2  # from this skid on the law is that of Part II
    slips = np.array([-0.95, -0.7, -0.5, -0.35, -0.2, -near, -0.7 * near, -0.3 * near, 0.2, 0.6])
    step = 1e-4 * near
    ahead, behind = (law.thrust_ratio(slips + d, load, tyre, soil) for d in (step, -step))
    slope = law.thrust_slope(slips, load, tyre, soil)
    assert slope == pytest.approx((ahead - behind) / (2 * step), rel=1e-4, abs=1e-4)
    around = np.array([-1e-9, 0.0, 1e-9])
    for ratio in (law.thrust_ratio, law.resistance_ratio, law.rolling_moment_ratio):
        assert np.ptp(ratio(around, load, tyre, soil)) < 1e-6


@pytest.mark.parametrize(("soil", "radius", "width", "load"), SOILS_AND_LOADS)
def test_a_rough_slope_is_the_exact_one_and_changes_no_value(soil, radius, width, load):
    """The slope of thrust over slip by a secant (ROUGH) is within 1e-3 of EXACT, other values equal."""
    p = WongReece().parameters(Tyre(2 * radius, width, 0.1), soil)
    for slip in (-1.0, -0.95, -0.7, -0.45, -0.35, -0.2, -0.02, 0.2, 0.49, 0.51, 1.0):
        exact = ratios(p, slip, load, EXACT, p)
        rough = ratios(p, slip, load, ROUGH, np.zeros(2 * SEARCH))
        assert rough[1] == pytest.approx(exact[1], rel=1e-3, abs=1e-3)
        assert (rough[0], *rough[2:]) == (exact[0], *exact[2:])


@pytest.mark.parametrize(("soil", "radius", "width", "load"), SOILS_AND_LOADS)
def test_a_search_of_the_entry_angle_from_the_last_one_ends_at_the_same_wheel(soil, radius, width, load):
    """A search that starts at the entry angle and slopes of a search at another slip and load gives the
    same ratios."""
    p = WongReece().parameters(Tyre(2 * radius, width, 0.1), soil)
    for slip in (-0.95, -0.7, -0.35, -0.2, -0.02, 0.2, 0.5, 0.9):
        exact, last = ratios(p, slip, load, EXACT, p), np.zeros(2 * SEARCH)
        for off in (0.1, 1e-2, 1e-4, 1e-6, 1e-8):
            last[:] = 0.0
            ratios(p, slip * (1.0 - off), load * (1.0 + 0.5 * off), NO_SLOPE, last)
            for _ in range(2):
                again = ratios(p, slip, load, NO_SLOPE, last)
                assert (again[0], *again[2:]) == pytest.approx((exact[0], *exact[2:]), abs=1e-12)


def test_a_wheel_that_is_pulled_rolls_free_at_part_2s_skid():
    """A wheel without torque, pulled at 1 m/s: skid, pull and rolling moment are Part II's."""
    radius, width, load = 24.7 * INCH, 6 * INCH, 2006 * POUND
    wheel = WheelContact(Tyre(2 * radius, width, 0.1), COMPACT_SAND, law="wong-reece")
    ground = GroundContact([wheel])
    J = channels(radius)
    inverse = np.array([0.0, 0.0, 9.81 / load, 0.1])  # prescribed velocity, free spin
    gap, h, v = -wheel.static_compression(load), 1e-3, np.array([1.0, 0.0, 0.0, 1.0 / radius])
    for _ in range(3000):
        v_free = v - h * np.array([0, 0, 9.81, 0])
        q = ground.solve(h, [gap], (J * inverse) @ J.T, J @ v, J @ v_free)
        v = v_free + inverse * (J.T @ q)
        gap += h * v[2]
    skid = v[0] / (v[3] * radius) - 1.0
    assert skid == pytest.approx(0.17208, abs=5e-6)
    towed = WongReece().towed(COMPACT_SAND, radius, width, load, skid)
    forces = {name: float(value[0]) for name, value in ground.forces(h).items()}
    assert forces["load"] == pytest.approx(load, rel=1e-9)
    assert forces["traction"] == pytest.approx(float(towed.thrust), abs=1e-7 * load)
    assert forces["resistance"] == pytest.approx(float(towed.compaction), rel=1e-7)
    moment = float(towed.torque) - radius * float(towed.thrust)
    assert forces["rolling_moment"] == pytest.approx(moment, abs=1e-7 * load)
    assert (forces["resistance"] - forces["traction"]) / POUND == pytest.approx(631.89, abs=5e-3)
