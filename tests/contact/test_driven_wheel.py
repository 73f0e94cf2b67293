"""Forces of a driven wheel of Wong and Reece by one quadrature sum over the contact.

Expected values: the integrals of the law by pieces of the contact, derivatives by central differences.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from contact import BekkerSoil, Tyre, WongReece, named_soil
from contact.kernels.laws.wong_reece_law import EXACT
from contact.kernels.laws.wong_reece_law import wong_reece as ratios
from contact.kernels.stresses import wong_reece as whole
from contact.kernels.stresses.driven import contact_of, driven_forces, driven_wheel
from contact.kernels.stresses.stress_pieces import LONG_RANGE
from contact.laws.wong_reece import _wheel_parameters


@settings(max_examples=40)
@given(
    n=st.floats(0.2, 1.6),
    k=st.floats(3e-3, 0.06),
    c=st.floats(0.0, 2e4),
    phi=st.floats(0.05, 0.75),
    theta_1=st.floats(0.02, 1.4),
    slip=st.floats(0.001, 0.999),
    options=st.tuples(st.floats(-0.1, 0.0), st.just(0.0), st.floats(0.0, 3.0), st.floats(0.0, 3.0))
    | st.tuples(st.just(0.0), st.floats(0.01, 0.9), st.floats(0.0, 3.0), st.just(0.0)),
)
@example(1.0, 0.01, 0.0, 0.5, 0.4, 0.2, (0.0,)).via("no cohesion")
@example(1.0, 0.02, 1e3, 0.5, 1.0, 0.9, (0.0, 0.3, 1.0)).via("longer rule")
def test_forces_and_derivatives(n, k, c, phi, theta_1, slip, options):
    p = _wheel_parameters(BekkerSoil(0.0, 1e6, n, c, phi, k, 0.4, 0.3), 0.4, 0.2, *options)
    contact, spread = contact_of(p, theta_1, slip)
    assume(spread <= LONG_RANGE)
    mine = np.array(driven_forces(p, contact, spread))
    size = abs(mine[4])  # derivative of the load by the entry angle: scale of all others

    def forces(entry, s):
        return np.array(whole.forces_at(p, entry, s, -1.0))

    # relative to the largest force: with cohesion the load is a small difference of large integrals
    assert np.abs(mine[:4] - forces(theta_1, slip)).max() < 1e-11 * np.abs(mine[:4]).max()
    d = 1e-4
    by_entry = (forces(theta_1 * (1 + d), slip) - forces(theta_1 * (1 - d), slip)) / (2 * d * theta_1)
    assert np.abs(mine[4:8] - by_entry).max() < 1e-5 * size
    by_slip = (forces(theta_1, slip + d) - forces(theta_1, slip - d)) / (2 * d)
    assert np.abs(mine[8:] - by_slip[:2]).max() < 1e-5 * max(mine[0], np.abs(by_slip).max())


WHEELS = [
    (named_soil("LETE sand").bekker, 0.125, 0.16, 108.0),
    (named_soil("Upland sandy loam").bekker, 0.47, 0.3, 8e3),
    (named_soil("lean clay").bekker, 0.4, 0.25, 3e3),
    (BekkerSoil.sandy_loam(), 0.47, 0.3, 300.0),
]


@pytest.mark.parametrize(("soil", "radius", "width", "load"), WHEELS)
def test_the_law_is_the_wheel_in_equilibrium(soil, radius, width, load):
    """Ratios of the law equal the forces of the wheel whose stresses carry the load, within 1e-10.

    The search for the entry angle starts from a table: loads and slips lie at its nodes or between.
    """
    law, tyre = WongReece(), Tyre(2 * radius, width, 0.1 * radius)
    p = law.parameters(tyre, soil)
    d = 1e-5
    for share in np.geomspace(0.05, 3.0, 7):
        for slip in (0.0, 1e-4, 0.01, 0.0625, 0.13, 0.4, 0.77, 1.0):
            wheel = law.wheel(soil, radius, width, share * load, slip)
            if wheel.entry_angle > 1.2:
                continue
            mu, slope, _, gamma, rho, _, push = ratios(p, slip, share * load, EXACT, p)
            found = np.array([mu + push, gamma, rho])
            rolling = wheel.torque / radius - wheel.thrust
            wanted = np.array([wheel.thrust, wheel.compaction, rolling]) / (share * load)
            assert found == pytest.approx(wanted, abs=1e-10)
            a, b = max(slip - d, 0.0), min(slip + d, 1.0)
            thrust = [float(law.wheel(soil, radius, width, share * load, s).thrust) for s in (a, b)]
            steep = (thrust[1] - thrust[0]) / (b - a) / (share * load)
            assert slope == pytest.approx(steep, rel=1e-3 if slip in (0.0, 1.0) else 1e-5, abs=1e-6)
            for off in (0.97, 1.0004):
                again = driven_wheel(p, share * load, slip, off * wheel.entry_angle)
                assert again[0]
                assert again[1] == pytest.approx(wheel.entry_angle, rel=1e-10)
                assert again[2] / (share * load) == pytest.approx(wanted[0], abs=1e-10)


def test_one_sum_is_refused_where_it_does_not_do():
    """The single sum is refused where its integrand is not smooth or the initial entry angle is far off.

    Cases: braking, exit far behind the axle, largest stress outside the contact, thin shear layer.
    """
    soft = BekkerSoil(0.0, 1e6, 0.9, 500.0, 0.5, 0.02, 0.4, 0.3)
    p = _wheel_parameters(soft, 0.4, 0.2, 0.0)
    assert contact_of(p, 0.5, 0.2)[1] < math.inf
    assert contact_of(p, 0.5, -0.2)[1] == math.inf
    assert contact_of(_wheel_parameters(soft, 0.4, 0.2, -0.6), 0.5, 0.2)[1] == math.inf
    ahead = BekkerSoil(0.0, 1e6, 0.9, 500.0, 0.5, 0.02, 0.7, 0.4)
    assert contact_of(_wheel_parameters(ahead, 0.4, 0.2, 0.0), 0.5, 0.8)[1] == math.inf
    thin = BekkerSoil(0.0, 1e6, 0.9, 500.0, 0.5, 1e-5, 0.4, 0.3)
    assert contact_of(_wheel_parameters(thin, 0.4, 0.2, 0.0), 0.5, 0.2)[1] > LONG_RANGE
    assert not driven_wheel(p, 3e3, 0.2, 0.01)[0]


def test_compiled_and_plain_python_agree():
    soil = BekkerSoil(0.0, 1e6, 0.9, 500.0, 0.5, 0.02, 0.4, 0.3)
    p = WongReece().parameters(Tyre(0.8, 0.2, 0.1), soil)
    for slip in (0.0, 0.3):
        one, other = ratios(p, slip, 2e3, EXACT, p), ratios.py_func(p, slip, 2e3, EXACT, p)
        assert one == pytest.approx(other, rel=1e-11, abs=1e-13)
