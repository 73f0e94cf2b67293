"""The elementary functions of ``mlcp``: libm's values to a few units in the last place."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcp.kernels import elementary as own
from tests.plain import plain

ULPS = 3.0  # largest difference from libm's value, in units of the last place


def away(found, wanted):
    """Difference from the expected value in units in its last place."""
    return abs(found - wanted) / math.ulp(wanted)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("exp", -707.0, 709.0), ("expm1", -40.0, 709.0), ("sin", -1e6, 1e6), ("cos", -1e6, 1e6),
     ("atan", -1e8, 1e8)],
)  # fmt: skip
def test_values_are_those_of_libm(name, low, high):
    rng = np.random.default_rng(3)
    small = 10.0 ** rng.uniform(-12.0, 0.3, 300) * rng.choice([-1.0, 1.0], 300)
    for x in np.concatenate([rng.uniform(low, high, 300), rng.uniform(-8.0, 8.0, 300), small]).tolist():
        assert away(getattr(own, name)(x), getattr(math, name)(x)) <= ULPS, x


@given(st.floats(2.0**-1022, 1e308))
def test_logarithms(x):
    assert away(own.log(x), math.log(x)) <= ULPS


@given(st.floats(-1e150, 1e150), st.floats(-1e150, 1e150))
def test_angles_in_every_quadrant(y, x):
    if min(abs(x), abs(y)) < 1e-140 and x * y != 0.0:
        return  # y / x may be below the smallest normal number
    assert away(own.atan2(y, x), math.atan2(y, x)) <= ULPS
    assert math.copysign(1.0, own.atan2(y, x)) == math.copysign(1.0, y)


@given(st.floats(1e-3, 1e3), st.floats(-4.0, 4.0))
def test_powers(x, y):
    assert own.power(x, y) == pytest.approx(x**y, rel=2e-14)


def test_edges():
    assert [own.exp(x) for x in (0.0, -1e9, 1e9)] == [1.0, 0.0, math.inf]
    assert [own.expm1(x) for x in (0.0, -1e9, 1e9)] == [0.0, -1.0, math.inf]
    assert [own.log(x) for x in (1.0, 0.0, math.inf)] == [0.0, -math.inf, math.inf]
    assert own.sin_cos(0.0) == (0.0, 1.0)
    assert own.atan2(0.0, -0.0) == math.pi
    for y, x in ((math.nan, 1.0), (1.0, math.nan)):
        assert math.isnan(own.atan2(y, x))
    for function in (own.exp, own.expm1, own.log, own.sin, own.cos, own.atan):
        assert math.isnan(function(math.nan))
    assert math.isnan(own.log(-1.0))


def test_plain_python_gives_the_same_bits():
    """Plain Python and machine code give the same bits, since both use sums and products only."""
    rng = np.random.default_rng(5)
    for name in ("exp", "expm1", "log", "sin", "cos"):
        function = getattr(own, name)
        for x in abs(rng.normal(size=20)).tolist():
            assert function(x).hex() == plain(function)(x).hex()
    for y, x in rng.normal(size=(20, 2)).tolist():
        assert own.atan2(y, x).hex() == plain(own.atan2)(y, x).hex()
