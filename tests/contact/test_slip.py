"""Slip ratio and smooth slip, eqs 5 to 7 of Peiret et al.; their signs in both directions of travel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact import driving_slip, slip_ratio, smooth_slip_ratio
from contact.kernels.wheel.slip import slip_state
from tests.refusals import refusals

speeds = st.floats(-50.0, 50.0, allow_nan=False)


@pytest.mark.parametrize(
    ("v_x", "rim", "slip", "driving"),
    [
        (0.9, 1.0, 0.1, 0.1),  # driving forwards
        (1.0, 0.9, -0.1, -0.1),  # braking forwards
        (-0.9, -1.0, -0.1, 0.1),  # driving backwards
        (-1.0, -0.9, 0.1, -0.1),  # braking backwards
        (1.0, 0.0, -1.0, -1.0),  # locked wheel
        (0.0, 1.0, 1.0, 1.0),  # spinning on the spot
        (0.0, 0.0, 0.0, 0.0),
        (-1.0, 1.0, 1.0, 1.0),  # rim turns against the travel: slip is clamped
    ],
)
def test_sign_convention(v_x, rim, slip, driving):
    assert slip_ratio(v_x, rim / 0.4, 0.4) == pytest.approx(slip, abs=1e-12)
    assert driving_slip(v_x, rim / 0.4, 0.4) == pytest.approx(driving, abs=1e-12)


@given(speeds, speeds)
def test_mirrored_travel_mirrors_the_slip_and_keeps_the_driving_slip(v_x, rim):
    assert slip_ratio(-v_x, -rim, 1.0) == -slip_ratio(v_x, rim, 1.0)
    assert abs(driving_slip(v_x, rim, 1.0)) == abs(slip_ratio(v_x, rim, 1.0))
    if abs(v_x) != abs(rim):
        assert driving_slip(-v_x, -rim, 1.0) == driving_slip(v_x, rim, 1.0)


@given(speeds, speeds, st.floats(1e-6, 1.0))
def test_slip_stays_within_one_and_is_finite_at_rest(v_x, rim, v_0):
    slip = slip_ratio(v_x, rim, 1.0, v_0)
    assert np.isfinite(slip)
    assert -1.0 <= slip <= 1.0


def test_smooth_slip_vanishes_at_rest_with_zero_slope_and_is_the_slip_at_speed():
    creeping = np.array([1e-6, 1e-4])
    assert np.all(np.abs(smooth_slip_ratio(creeping, 0.0, 1.0, v_min=0.1)) < 1.1e-6)
    assert smooth_slip_ratio(5.0, 6.0, 1.0) == pytest.approx(slip_ratio(5.0, 6.0, 1.0), rel=1e-12)


@given(speeds, speeds)
def test_the_way_of_rolling_is_one_of_two_unless_rim_and_centre_go_opposite_ways(v_x, rim):
    """The direction of rolling is +-1 if rim and centre move in one direction, else in [-1, 1]."""
    _, way, _ = slip_state.py_func(v_x - rim, v_x, 1e-3)
    assert -1.0 <= way <= 1.0
    if v_x == v_x - (v_x - rim) == 0.0:
        assert way == 1.0
    elif v_x * rim > 0.0:
        assert abs(way) == pytest.approx(1.0, abs=1e-12)
        assert way * v_x > 0.0


def test_the_way_of_rolling_does_not_jump():
    """At a jump of the direction a time step could have no solution."""
    rims = np.linspace(1.5, -0.5, 2001)  # rim speeds [m/s] at v_x = -1 m/s
    ways = np.array([slip_state.py_func(-1.0 - rim, -1.0, 1e-3)[1] for rim in rims])
    assert np.abs(np.diff(ways)).max() < 3e-3
    assert ways[rims > 1.0].min() > 0.0 > ways[rims < 1.0].max()
    assert (ways[rims < 0.0] == -1.0).all()


def test_arrays_broadcast():
    slip = slip_ratio(np.array([[1.0], [-1.0], [0.0]]), np.array([0.0, 4.0, -4.0]), 0.5)
    assert slip == pytest.approx(np.array([[-1, 0.5, -1], [1, 1, -0.5], [0, 1, -1]]), abs=1e-15)


test_bad_input_is_a_sentence = refusals(
    (lambda: slip_ratio(1.0, 1.0, 0.0), "radius"),
    (lambda: slip_ratio(1.0, 1.0, 0.4, v_0=-1.0), "v_0 = -1.0 m/s must be above 0"),
    (lambda: smooth_slip_ratio(1.0, 1.0, 0.4, v_min=float("nan")), "v_min = nan"),
)
