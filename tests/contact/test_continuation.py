"""Continuations to a solution of the whole ground law: smoothed projections, and pseudo-time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contact.kernels.rows.dense_rows import assemble
from contact.kernels.solve import balance, continuation, wheel_projection
from contact.kernels.solve.balance import Unknowns
from contact.kernels.solve.reduced import no_other_friction
from contact.kernels.wheel.data import contact_of
from mlcp.jit import kernel

from .test_hard_steps import INVERSE, B, J
from .test_newton import AT_REST, H, looked_at, solved

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


@kernel
def clipped(x, most, eps, F, N):
    wheels = contact_of(F, N).wheels
    wheels.passes.smoothing = eps
    return wheel_projection.clip(x, most, wheels)


@kernel
def found(by_smoothing, F, N):
    """Whether a continuation from the rows' impulses finds a zero, which becomes the rows' impulses."""
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    if by_smoothing:
        arrived = continuation.follow_smoothing(H, n, W, wheels, rows)
    else:
        arrived = continuation.follow_pseudo_time(H, n, W, wheels, rows)
    balance.take_impulses(True, n, W, wheels, rows)
    return arrived


@pytest.fixture(scope="module")
def standing():
    return solved(0.0, 0.0, **AT_REST["implicit"])


@given(x=st.floats(-1e3, 1e3), most=st.floats(1e-3, 1e2), eps=st.floats(1e-6, 1.0))
def test_a_smoothed_bound_is_near_the_bound_and_within_it(standing, x, most, eps):
    smooth, hard = (clipped(x, most, e, standing.data.F, standing.data.N) for e in (eps, 0.0))
    assert hard == min(max(x, -most), most)
    assert abs(smooth) <= most + 1e-12 * abs(x)
    # largest at the bound itself: (sqrt(4 + e^2) - e) / 2 of ``most`` instead of it
    assert abs(smooth - hard) <= 0.5 * eps * most + 1e-9


@pytest.mark.parametrize("by_smoothing", [True, False])
@pytest.mark.parametrize("name", AT_REST)
@pytest.mark.parametrize("push", [0.1, 0.5, 0.9, 1.5])
def test_continuation_ends_at_a_zero_of_the_law_itself(name, push, by_smoothing):
    ground = solved(0.0, 0.0, **AT_REST[name])
    rows = ground.row_arrays
    rows.b[:] += (push * 9.81 * H * INVERSE[0, 0] * J[:, 0] * 3000.0)[rows.channel]  # m/s
    assemble(B, rows)
    rows.z[rows.lower < 0.0] = 0.0  # loads alone to start from
    assert found(by_smoothing, ground.data.F, ground.data.N)
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9
    assert (rows.z != 0.0).sum() > 4
