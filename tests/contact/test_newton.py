"""The ground law of a time step as F(impulses) = 0: residual F, its Jacobian, and Newton's method."""

import numpy as np
import pytest

from contact import ConeIndexSoil, Crolla, GroundContact, LuGre, Tyre, WheelContact
from contact.kernels.rows.dense_rows import assemble
from contact.kernels.solve import balance, newton
from contact.kernels.solve.balance import Unknowns
from contact.kernels.solve.reduced import no_other_friction
from contact.kernels.wheel.data import contact_of
from mlcp.jit import kernel

from .test_hard_steps import RADIUS, B, J

H = 2e-3
TYRE = Tyre(0.8, 0.25, 0.16, deflection_ratio=0.2)
KINDS = {
    "brixius": {"law": "brixius"},
    "by demand": {"law": "sand", "combined": "demand"},
    "clay": {"law": "clay-run-time"},
    "brixius radial": {"law": "brixius-radial"},
    "spin row": {"law": "sand-unified"},
    "set-valued": {"regularisation": "set-valued"},
    "bristles": {"lugre": LuGre()},
}
AT_REST = {
    "implicit": {"law": "brixius"},
    "set-valued": {"regularisation": "set-valued"},
    "by demand": {"combined": "demand"},
}

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")


def solved(speed, slip, **options):
    """Ground of four wheels after three steps at a speed [m/s], slips 1, 2, 0.5, -1 times ``slip``."""
    options = {"regularisation": "implicit", "lateral": Crolla()} | options
    if "lugre" in options:
        del options["regularisation"]
    ground = GroundContact([WheelContact(TYRE, ConeIndexSoil(4e5), **options)] * 4)
    v = np.zeros(10)
    v[0], v[1], v[6:] = (
        speed,
        0.1 * speed,
        speed / RADIUS * (1.0 + slip * np.array([1.0, 2.0, 0.5, -1.0])),
    )
    free = v.copy()
    free[2] -= 9.81 * H
    for _ in range(3):
        ground.solve(H, np.full(4, -0.02), B, J @ v, J @ free)
    return ground


@kernel
def opened(F, N, shift, out):
    """Write F and its Jacobian at the last impulses plus ``shift`` to ``out``; returns their size."""
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    for k in range(n):
        W.point[k] = W.start[k] + shift[k]
    balance.value_at(W.point, H, n, W, wheels, rows)
    for k in range(n):
        out[n, k] = W.open[k]
    balance.slopes_at(H, n, W, wheels, rows)
    for k in range(n):
        for j in range(n):
            out[k, j] = W.matrix[k * n + j]
    return n


@kernel
def iterated(F, N, shift, rise):
    """Newton's method from the present impulses plus ``shift``: (converged, number of steps)."""
    contact = contact_of(F, N)
    wheels, rows = contact.wheels, contact.rows
    W = Unknowns(rows.work, rows.z.shape[0])
    n, _ = balance.begin(W, wheels, rows, no_other_friction(rows))
    for k in range(n):
        W.point[k] = W.start[k] + shift[k]
    return newton.iterate(newton.MAX_STEPS, rise, True, H, n, W, wheels, rows)


def looked_at(ground, shift, function=opened):
    assemble(B, ground.row_arrays)
    out = np.zeros((40, 40))
    n = function(ground.data.F, ground.data.N, shift, out)
    return out[n, :n].copy(), out[:n, :n].copy()


@pytest.mark.parametrize("name", sorted(set(KINDS) - {"bristles"}))  # a step changes bristles and so F
def test_a_solved_step_is_a_zero_of_the_equation(name):
    ground = solved(1.0, 0.05, **KINDS[name])
    assert ground.report["missed"] == 0.0
    value, _ = looked_at(ground, np.zeros(40))
    assert np.abs(value).max() < 1e-9


@pytest.mark.parametrize("name", KINDS)
def test_slopes_are_those_of_the_value(name):
    ground = solved(1.0, 0.05, **KINDS[name])
    shift = 1e-3 * np.random.default_rng(3).normal(size=40)
    value, slopes = looked_at(ground, shift)
    for k in range(value.size):
        step = 1e-6 * np.eye(40)[k]
        ahead, behind = (looked_at(ground, shift + way * step)[0] for way in (1.0, -1.0))
        assert (ahead - behind) / 2e-6 == pytest.approx(slopes[:, k], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", KINDS)
def test_kernel_is_its_own_python(name):
    ground = solved(1.0, 0.05, **KINDS[name])
    shift = 1e-3 * np.random.default_rng(4).normal(size=40)
    one, other = (looked_at(ground, shift, f) for f in (opened, opened.py_func))
    assert one[0] == pytest.approx(other[0], rel=1e-9, abs=1e-13)
    assert one[1] == pytest.approx(other[1], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("rise", [np.inf, newton.MAX_RISE, 0.0])
@pytest.mark.parametrize("name", KINDS)
def test_newton_comes_back_to_a_solution_from_beside_it(name, rise):
    ground = solved(1.0, 0.05, **KINDS[name])
    assemble(B, ground.row_arrays)
    for seed in range(10):
        shift = 0.3 * np.random.default_rng(seed).normal(size=40)
        arrived, steps = iterated(ground.data.F, ground.data.N, shift, rise)
        assert arrived
        assert steps <= 15
