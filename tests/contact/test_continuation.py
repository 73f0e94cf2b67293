"""Proximal-point steps to a solution of a time step's ground law, where Newton's method alone fails."""

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
def found(starts, F, N):
    """Solve the ground law F(impulses) = 0 from the present impulses and store them; True if solved.

    The search is Newton's method from ``starts`` starts, or proximal steps if ``starts`` is 0.
    """
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    if starts > 0:
        arrived = continuation.newton_from_starts(starts, H, n, W, wheels, rows)
    else:
        arrived = continuation.follow_proximal(continuation.MANY_PROXIMAL_STEPS, H, n, W, wheels, rows)
    balance.take_impulses(True, n, W, wheels, rows)
    return arrived


@pytest.mark.parametrize("name", AT_REST)
@pytest.mark.parametrize("push", [0.1, 0.5, 0.9, 1.5])
def test_proximal_steps_end_at_a_zero_of_the_law_itself(name, push):
    ground = solved(0.0, 0.0, **AT_REST[name])
    rows = ground.row_arrays
    # velocity [m/s] by a force of ``push`` times the weight of 3000 kg
    rows.b[:] += (push * 9.81 * H * INVERSE[0, 0] * J[:, 0] * 3000.0)[rows.channel]
    assemble(B, rows)
    rows.z[rows.lower < 0.0] = 0.0  # initial impulses: wheel loads without tangential forces
    before = rows.A.copy(), rows.b.copy()
    assert found(0, ground.data.F, ground.data.N)
    assert (before[0] == rows.A).all()
    assert (before[1] == rows.b).all()
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9
    assert (rows.z != 0.0).sum() > 4


@pytest.mark.parametrize("opposed", [0.3, 0.9, 1.2])
def test_opposed_wheels_at_rest_keep_their_forces_within_their_capacities(opposed):
    """Opposed lateral forces on one axle are not unique: a solution near the initial forces is found."""
    ground = solved(0.0, 0.0, **AT_REST["implicit"])
    rows, wheels = ground.row_arrays, ground.wheel_arrays
    aside = [wheels.each[i].lateral_row + 1 for i in range(4)]
    capacity = np.array([wheels.now[i].capacity_y for i in range(4)])
    signs = np.array([1.0, -1.0, 1.0, -1.0])
    assemble(B, rows)
    rows.z[aside] = opposed * capacity * signs  # opposed lateral impulses [N s]
    assert found(0, ground.data.F, ground.data.N)
    use = rows.z[aside] / capacity
    assert (np.abs(use) <= 1.0 + 1e-6).all()
    assert (use * signs > 0.2).all()  # the solution near the initial forces
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9


def test_other_starts_lead_to_the_same_bytes_in_every_run():
    ends = []
    for _ in range(2):
        ground = solved(2.0, 1.0)
        assemble(B, ground.row_arrays)
        assert found(continuation.MANY_STARTS, ground.data.F, ground.data.N)
        value, _ = looked_at(ground, np.zeros(40))
        assert np.abs(value).max() < 1e-9
        ends.append(ground.row_arrays.z.tobytes())
    assert ends[0] == ends[1]
