"""The cone-index law against reference numbers, a naive version, and the compiled kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact import Brixius, ConeIndexSoil, Tyre
from contact.kernels.laws.brixius import mobility_number
from tests import naive
from tests.refusals import refusals

SOIL = ConeIndexSoil(4e5)
# A published case: tyre of width 0.226 m and diameter 0.704 m, deflected by 0.1 m of its section height
# of 0.15 m; cone index 310 kPa, load 3.892 kN.
PUBLISHED = Tyre(0.704, 0.226, 0.15, deflection=0.1)
PUBLISHED_SOIL, PUBLISHED_LOAD = ConeIndexSoil(310e3), 3892.0
loads, slips = st.floats(50.0, 5e4), st.floats(-1.0, 1.0)
ratios = st.one_of(st.none(), st.floats(0.0, 1.0))


def test_published_case():
    law = Brixius("bias")
    assert law.mobility_number(PUBLISHED, PUBLISHED_SOIL, PUBLISHED_LOAD) == pytest.approx(
        27.9741355, rel=1e-8
    )
    slip = np.array([0.02, 0.10, 0.30])
    thrust = law.thrust_ratio(slip, PUBLISHED_LOAD, PUBLISHED, PUBLISHED_SOIL) - 0.04
    assert thrust == pytest.approx([0.1151037627, 0.4360091380, 0.7392520603], rel=1e-9)
    resistance = law.resistance_ratio(slip, PUBLISHED_LOAD, PUBLISHED, PUBLISHED_SOIL)
    assert resistance == pytest.approx([0.07763800246, 0.08520078572, 0.1041077439], rel=1e-9)


@pytest.mark.parametrize(
    ("ratio", "load", "number"),
    [(0.0, 2452.5, 13.906371), (0.2, 2452.5, 27.812742), (0.2, 9810.0, 6.953185)],
)
def test_mobility_number_of_table_1(ratio, load, number):
    tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=ratio)
    assert Brixius().mobility_number(tyre, SOIL, load) == pytest.approx(number, abs=5e-7)


@given(slips, loads, ratios, st.floats(5e4, 3e6))
def test_law_is_the_naive_one(slip, load, ratio, cone_index):
    tyre, soil, law = (
        Tyre(0.9, 0.3, 0.2, deflection_ratio=ratio),
        ConeIndexSoil(cone_index),
        Brixius(),
    )
    share = float(tyre.deflection_at(load)) / 0.2
    b_m = naive.mobility_number(cone_index, 0.9, 0.3, load, share)
    assert law.thrust_ratio(slip, load, tyre, soil) == pytest.approx(
        naive.thrust_ratio(b_m, slip), rel=1e-12, abs=1e-14
    )
    assert law.resistance_ratio(slip, load, tyre, soil) == pytest.approx(
        naive.resistance_ratio(b_m, slip), rel=1e-12
    )
    _, _, coulomb, _, rho, peak, offset = law.values(slip, load, tyre, soil)
    assert peak + coulomb == pytest.approx(naive.thrust_ratio(b_m, 1.0), rel=1e-12)
    assert rho == offset == 0.0
    p = law.parameters(tyre, soil)
    assert mobility_number(p, load) == pytest.approx(law.mobility_number(tyre, soil, load), rel=1e-14)


test_bad_input_is_a_sentence = refusals(
    (lambda: Brixius("radail"), r"unknown Brixius variant 'radail'; did you mean 'radial'\?"),
    (lambda: Brixius("radial", slip_rate=0.0), "slip_rate = 0.0 must be above 0"),
)
