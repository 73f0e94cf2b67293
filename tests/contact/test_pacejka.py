"""The magic formula with load dependence against the equations of Pacejka's book, and a tyre file."""

import math
from pathlib import Path

import numpy as np
import pytest

from contact import ConeIndexSoil, GroundContact, Pacejka, PacejkaLateral, Tyre, WheelContact
from tests.refusals import refusals

TYRE = Tyre(0.63, 0.2, 0.12)
LOADS = (300.0, 2000.0, 4000.0, 7000.0, 11000.0)
F_0 = 4000.0
HEAVY = 1e-9 * np.eye(4)


def magic(x, B, C, D, E):
    return D * math.sin(C * math.atan(B * x - E * (B * x - math.atan(B * x))))


def along(kappa, load):
    """Longitudinal force [N] of the tyre in Pacejka's book, by its eqs 4.E9 to 4.E18 without shifts."""
    f = (load - F_0) / F_0
    D = (1.210 - 0.037 * f) * load
    K = load * (21.51 - 0.163 * f) * math.exp(0.245 * f)
    return magic(kappa, K / (1.685 * D), 1.685, D, 0.344 + 0.095 * f - 0.020 * f * f)


def across(alpha, load):
    """Lateral force [N] by eqs 4.E19 to 4.E30 of Pacejka's book without shifts."""
    f = (load - F_0) / F_0
    D = (-0.990 + 0.145 * f) * load
    K = -14.95 * F_0 * math.sin(2.0 * math.atan(load / (2.130 * F_0)))
    return magic(math.tan(alpha), K / (1.193 * D), 1.193, D, -1.003 - 0.537 * f)


@pytest.mark.parametrize("load", LOADS)
def test_thrust_is_the_printed_formula(load):
    law, soil = Pacejka(), None
    for kappa in (-0.999, -0.3, -0.05, 1e-6, 0.04, 0.3, 5.0):
        s = kappa / (1.0 + kappa) if kappa > 0.0 else kappa
        assert law.thrust_ratio(s, load, TYRE, soil) == pytest.approx(
            along(kappa, load) / load, rel=1e-9
        )
        e = 1e-6
        rise = law.thrust_ratio(s + e, load, TYRE, soil) - law.thrust_ratio(s - e, load, TYRE, soil)
        assert law.thrust_slope(s, load, TYRE, soil) == pytest.approx(rise / 2.0 / e, rel=1e-4)
    slips = np.linspace(-1.0, 1.0, 2001)
    peak = law.values(0.1, load, TYRE, soil)[5]
    assert np.abs(law.thrust_ratio(slips, load, TYRE, soil)).max() == pytest.approx(peak, rel=1e-4)


@pytest.mark.parametrize("load", LOADS)
def test_lateral_force_is_the_printed_formula(load):
    law = PacejkaLateral()
    for alpha in (-1.2, -0.2, 1e-6, 0.01, 0.07, 0.5, 1.5):
        wanted = abs(across(alpha, load)) / load * np.sign(alpha)
        assert law.lateral_ratio(alpha, load) == pytest.approx(wanted, rel=1e-9)
    assert law.lateral_ratio(0.1, 3e4) == law.lateral_ratio(0.1, 3.0 * F_0)  # largest load: 3 F_0


def weighted(kappa, alpha, load):
    """Forces [N] at combined slip by Pacejka's weights, eqs 4.E50 to 4.E67 without shifts."""
    beside = math.tan(alpha)
    b_x = 12.35 * math.cos(math.atan(-10.77 * kappa))
    b_y = 6.461 * math.cos(math.atan(4.196 * (beside + 0.015)))
    g_x = math.cos(1.092 * math.atan(b_x * beside))
    g_y = math.cos(1.081 * math.atan(b_y * kappa))
    return g_x * along(kappa, load), g_y * across(alpha, load)


#: Largest slip angle [rad]; largest and mean difference from the forces by weights, over the load.
OFF = ((0.2, 0.07, 0.03), (0.4, 0.15, 0.061), (0.8, 0.20, 0.10))


@pytest.mark.parametrize("slips", [8, 13])
def test_combined_slip_beside_the_books_own(slips):
    """Braking at a slip angle: the similarity method against the fitted weights of Pacejka's book.

    Differences are as documented for slip angles up to 0.2, 0.4 and 0.8 rad, on two grids of slips.
    """
    wheel = WheelContact(
        TYRE, ConeIndexSoil(6e5), law=Pacejka(), lateral=PacejkaLateral(), combined="sliding",
        sinkage="none", damping_time=0.0,
    )  # fmt: skip
    contact, v_x, gap = GroundContact([wheel]), 10.0, -F_0 / TYRE.stiffness
    page = (Path(__file__).parents[2] / "docs/laws/magic_formula.md").read_text(encoding="utf-8")
    for most, worst, mean in OFF:
        off = []
        for kappa in np.linspace(-0.97, -0.015, slips):
            for alpha in np.linspace(0.01, most, slips + 1):
                u = np.array([0.0, -kappa * v_x, v_x * math.tan(alpha), v_x])
                q = contact.solve(1e-3, [gap], HEAVY, u, u) / 1e-3
                assert q[0] == pytest.approx(F_0, rel=1e-9)
                off.append(math.dist(q[1:3], weighted(kappa, alpha, F_0)) / F_0)
                assert q[1] * u[1] + q[2] * u[2] < 0.0
        assert 0.9 * worst < max(off) <= worst
        assert 0.8 * mean < np.mean(off) <= mean
        assert f"| {most:g} | {100 * worst:.0f} | {100 * mean:.0f} |" in page


TIR = """[UNITS]
LENGTH = 'meter'   $ tyre data
[VERTICAL]
FNOMIN                   = 5000    $Nominal wheel load
[SCALING_COEFFICIENTS]
LMUX = 0.8
LKY = 1.1
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.6  $Shape factor
PDX1 = 1.1d0
PDX2 = -5.0E-2
PEX1 = 0.3
PKX1 = 20.0
[LATERAL_COEFFICIENTS]
PCY1 = 1.3
PDY1 = -0.9
PDY2 = 0.1
PEY1 = -0.5
PKY1 = -15.0
PKY2 = 2.0
"""


def test_a_tyres_file(tmp_path):
    path = tmp_path / "tyre.tir"
    path.write_text(TIR)
    assert Pacejka.from_tir(path) == Pacejka(
        5000.0, 1.6, 1.1 * 0.8, -0.05 * 0.8, 0.3, 0.0, 0.0, 20.0, 0.0, 0.0
    )
    assert PacejkaLateral.from_tir(path) == PacejkaLateral(
        5000.0, 1.3, -0.9, 0.1, -0.5, 0.0, -15.0 * 1.1, 2.0
    )
    path.write_text(TIR.replace("PDX1", "QDX1"))
    with pytest.raises(ValueError, match="has no PDX1"):
        Pacejka.from_tir(path)
    path.write_text(TIR.replace("PKY2", "QKY2"))
    with pytest.raises(ValueError, match="has no PKY2"):
        PacejkaLateral.from_tir(path)
    with pytest.raises(FileNotFoundError):
        Pacejka.from_tir(tmp_path / "none.tir")


test_coefficients_that_make_no_tyre_are_refused = refusals(
    (lambda: Pacejka(nominal_load=0.0), "nominal_load"),
    (lambda: Pacejka(p_cx1=2.2), "C below 2"),
    (lambda: Pacejka(p_dx2=-1.0), "a peak of"),
    (lambda: Pacejka(rolling=-0.1), "rolling"),
    (lambda: PacejkaLateral(p_ky1=math.nan), "p_ky1"),
    (lambda: PacejkaLateral(p_ky2=-2.0), "stiffness"),
    (lambda: PacejkaLateral(p_ky2=0.0), "stiffness"),
)
