"""Lateral force on sand from the stresses: shear below the wheel, bulldozing at its side."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import RegularGridInterpolator

from contact import (
    SOILS,
    BekkerSoil,
    ConeIndexSoil,
    GroundContact,
    SoilTrail,
    Tyre,
    WheelContact,
    WongReece,
    WongReeceLateral,
)
from contact.kernels.wheel import layout as at

from .free_wheel import lead

TYRE = Tyre(0.9, 0.25, 0.3, deflection=0.05)
R, WIDTH, H = TYRE.radius, TYRE.width, 1e-3
SAND = SOILS["dry sand"].bekker


def by_quadrature(alpha, load, soil, unit_weight, arm=lambda theta: 1.0):
    """Lateral force over load by adaptive quadrature; with a lever ``arm`` [m] moment over load [m]."""
    theta_1 = float(WongReece().wheel(soil, R, WIDTH, load, 0.0).entry_angle)
    theta_m, phi = soil.c_1 * theta_1, soil.friction_angle
    X = math.radians(45.0) - 0.5 * phi
    d_1 = 1.0 / math.tan(X) + math.tan(X + phi)
    d_2 = 1.0 / math.tan(X) + math.tan(phi) / math.tan(X) ** 2

    def force(theta):
        there = theta_1 - theta / theta_m * (theta_1 - theta_m) if theta < theta_m else theta
        sigma = soil.modulus(WIDTH) * (R * max(0.0, math.cos(there) - math.cos(theta_1))) ** soil.n
        h = R * (math.cos(theta) - math.cos(theta_1))
        beside = d_1 * (soil.cohesion * h + 0.5 * d_2 * unit_weight * h * h) * (R - h * math.cos(theta))
        below = R * WIDTH * (soil.cohesion + sigma * math.tan(phi))
        j_y = R * (theta_1 - theta) * math.tan(alpha)
        return (below + (beside if unit_weight else 0.0)) * -math.expm1(-j_y / soil.shear_modulus)

    pieces = (0.0, theta_m), (theta_m, theta_1)
    return sum(quad(lambda x: force(x) * arm(x), *e, epsrel=1e-10, limit=200)[0] for e in pieces) / load


@pytest.mark.parametrize("soil", [SAND, BekkerSoil.sandy_loam()], ids=["sand", "loam"])
def test_it_is_the_integral_of_its_equations(soil):
    for law, weight in ((WongReeceLateral(), 15e3), (WongReeceLateral(bulldozing=False), 0.0)):
        for load in (800.0, 6000.0):
            for alpha in (0.005, 0.1, 0.5, 1.4):
                wanted = by_quadrature(alpha, load, soil, weight)
                assert law.lateral_ratio(alpha, load, TYRE, soil) == pytest.approx(wanted, rel=1e-8)
                assert law.lateral_ratio(-alpha, load, TYRE, soil) == pytest.approx(-wanted, rel=1e-8)


def test_its_trail_is_the_moment_of_the_same_stresses():
    """Trail [m] = moment of the lateral stresses over lateral force, both by quadrature, within 1e-8."""
    soil, lateral = SAND, WongReeceLateral()
    for load in (800.0, 6000.0):
        found = []
        for alpha in (0.005, 0.1, 0.5, 1.4):
            force = by_quadrature(alpha, load, soil, 15e3)
            moment = by_quadrature(alpha, load, soil, 15e3, lambda theta: R * math.sin(theta))
            found.append(float(lateral.trail(alpha, load, TYRE, soil)))
            assert found[-1] == pytest.approx(-moment / force, rel=1e-8)
            assert lateral.trail(-alpha, load, TYRE, soil) == found[-1]
        assert found == sorted(found, reverse=True)
        entry = float(WongReece().wheel(soil, R, WIDTH, load, 0.0).entry_angle)
        assert -0.6 * R * math.sin(entry) < found[-1] < found[0] < -0.2 * R * math.sin(entry)


@pytest.mark.parametrize("soil", [SAND, BekkerSoil.sandy_loam()], ids=["sand", "loam"])
def test_its_table_is_within_two_per_cent(soil):
    lateral = WongReeceLateral()
    tangent, lightest, step, lengths = SoilTrail().table(lateral, TYRE, soil)
    nodes = np.linspace(0.0, 1.0, lengths.shape[0]), np.arange(lengths.shape[1])
    read = RegularGridInterpolator(nodes, lengths)
    for alpha in (0.01, 0.05, 0.2, 0.6, 1.2):
        for share in (0.03, 0.1, 0.3):
            load = lightest * math.exp(step * share * 10.0)
            x = math.tan(alpha) / (math.tan(alpha) + tangent)
            wanted = lateral.trail(alpha, load, TYRE, soil)
            assert read((x, share * 10.0)) == pytest.approx(wanted, rel=2e-2)


def test_sand_without_bulldozing_holds_its_friction_at_most():
    """At a slip angle of 90 degrees the lateral force is load times tan(friction angle) within 10 %."""
    sand = BekkerSoil(
        k_c=990.0, k_phi=1.5e6, n=1.1, cohesion=0.0, friction_angle=0.5, shear_modulus=0.02
    )
    shallow = WongReeceLateral(bulldozing=False).lateral_ratio(0.5 * math.pi, 30.0, TYRE, sand)
    assert shallow == pytest.approx(math.tan(0.5), rel=0.1)
    pushed = WongReeceLateral().lateral_ratio(0.5 * math.pi, [500.0, 5000.0], TYRE, sand)
    alone = WongReeceLateral(bulldozing=False).lateral_ratio(0.5 * math.pi, [500.0, 5000.0], TYRE, sand)
    assert (np.diff(pushed - alone) > 0.0).all()  # a deeper wheel pushes more soil aside


@pytest.mark.parametrize("combined", ["demand", "sliding"])
def test_a_step_has_the_law(combined):
    law = WongReeceLateral()
    described = WheelContact(
        TYRE,
        SAND,
        base=SAND,
        law="wong-reece",
        lateral=law,
        ellipse=combined == "sliding",
        combined=combined,
    )
    ground = GroundContact([described])
    for alpha in (-1.2, -0.02, 0.004, 0.3, 1.5):
        forces = lead(ground, H, -0.1, (1.0, math.tan(alpha), 0.0, 1.0 / R))
        assert ground.report["missed"] == 0.0
        load, side = forces[at.NORMAL], forces[at.LATERAL]
        assert -side / load == pytest.approx(float(law.lateral_ratio(alpha, load, TYRE, SAND)), abs=2e-6)


def test_it_looks_at_the_base_where_the_soil_is_a_cone_index():
    described = WheelContact(TYRE, ConeIndexSoil(4e5), base=SAND, lateral=WongReeceLateral())
    assert described.lateral_ground == SAND
    forces = lead(GroundContact([described]), H, -0.1, (1.0, 0.3, 0.0, 1.0 / R))
    assert forces[at.LATERAL] < 0.0
    with pytest.raises(ValueError, match="shear_modulus"):
        WongReeceLateral(shear_modulus=-1.0)
