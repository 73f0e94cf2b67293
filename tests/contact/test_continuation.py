"""Proximal steps to a solution of the complete ground law."""

import numpy as np
import pytest

from contact.kernels.rows.dense_rows import assemble
from contact.kernels.solve import balance, continuation
from contact.kernels.solve.balance import Unknowns
from contact.kernels.solve.reduced import no_other_friction
from contact.kernels.wheel.data import contact_of
from mlcp.jit import kernel

from .test_hard_steps import INVERSE, B, J
from .test_newton import AT_REST, H, looked_at, solved

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


@kernel
def found(F, N):
    """Whether proximal steps from the rows' impulses find a zero; the rows get its impulses."""
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    arrived = continuation.follow_proximal(continuation.MANY_PROXIMAL_STEPS, H, n, W, wheels, rows)
    balance.take_impulses(True, n, W, wheels, rows)
    return arrived


@pytest.mark.parametrize("name", AT_REST)
@pytest.mark.parametrize("push", [0.1, 0.5, 0.9, 1.5])
def test_proximal_steps_end_at_a_zero_of_the_law_itself(name, push):
    ground = solved(0.0, 0.0, **AT_REST[name])
    rows = ground.row_arrays
    rows.b[:] += (push * 9.81 * H * INVERSE[0, 0] * J[:, 0] * 3000.0)[rows.channel]  # m/s
    assemble(B, rows)
    rows.z[rows.lower < 0.0] = 0.0  # start from the loads alone
    before = rows.A.copy(), rows.b.copy()
    assert found(ground.data.F, ground.data.N)
    assert (before[0] == rows.A).all()
    assert (before[1] == rows.b).all()
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9
    assert (rows.z != 0.0).sum() > 4


@pytest.mark.parametrize("opposed", [0.3, 0.9, 1.2])
def test_opposed_wheels_at_rest_keep_their_forces_within_their_capacities(opposed):
    """Only the sum of the forces of opposed wheels on one axle is determined."""
    ground = solved(0.0, 0.0, **AT_REST["implicit"])
    rows, wheels = ground.row_arrays, ground.wheel_arrays
    aside = [wheels.each[i].lateral_row + 1 for i in range(4)]
    capacity = np.array([wheels.now[i].capacity_y for i in range(4)])
    signs = np.array([1.0, -1.0, 1.0, -1.0])
    assemble(B, rows)
    rows.z[aside] = opposed * capacity * signs  # N s
    assert found(ground.data.F, ground.data.N)
    use = rows.z[aside] / capacity
    assert (np.abs(use) <= 1.0 + 1e-6).all()
    assert (use * signs > 0.2).all()  # of several solutions the one near the start
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9


@kernel
def found_from_starts(F, N):
    """Whether Newton's method from starts around the rows' impulses finds a zero, which becomes them."""
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    arrived = continuation.newton_from_starts(continuation.MANY_STARTS, H, n, W, wheels, rows)
    balance.take_impulses(True, n, W, wheels, rows)
    return arrived


def test_other_starts_lead_to_the_same_bytes_in_every_run():
    ends = []
    for _ in range(2):
        ground = solved(2.0, 1.0)
        assemble(B, ground.row_arrays)
        assert found_from_starts(ground.data.F, ground.data.N)
        value, _ = looked_at(ground, np.zeros(40))
        assert np.abs(value).max() < 1e-9
        ends.append(ground.row_arrays.z.tobytes())
    assert ends[0] == ends[1]
