"""One time step of ``GroundContact``, the contact problem of wheels for any simulation code (host)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact import REGULARISATIONS, ConeIndexSoil, GroundContact, Tyre, WheelContact
from contact.kernels.rows import law_check, rows
from contact.kernels.solve import reduced
from contact.kernels.wheel import layout as at
from contact.kernels.wheel import slip
from contact.kernels.wheel.data import contact_of
from mlcp import MLCP, ProjectedGaussSeidel, solve
from mlcp.jit import kernel
from tests.refusals import refusals

from .free_wheel import WEIGHT, FreeWheel

H, R = 1e-3, 0.381
FREE = FreeWheel(R)
B, V = FREE.B, np.array([1.0, 0.0, -0.1, 1.3 / R])
U, U_FREE = FREE.J @ V, FREE.J @ (V + H * (WEIGHT + FREE.inverse * [0.0, 0.0, 0.0, 300.0]))


def wheel(scheme="implicit", **changes):
    tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0)
    return WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme, **changes)


def step(ground, v, torque, gap, h=H):
    """One step from ``(v_x, v_z, omega)``: channel impulses, end velocities of ``FreeWheel``."""
    return FREE.step(ground, h, gap, (v[0], 0.0, *v[1:]), (0.0, 0.0, 0.0, torque))


@settings(max_examples=60)
@given(
    st.floats(-10.0, 10.0),
    st.floats(-10.0, 10.0),
    st.floats(-800.0, 800.0),
    st.floats(0.0, 0.04),
    st.sampled_from([1e-4, 1e-3, 1e-2, 0.1]),
)
def test_implicit_meets_the_law_at_the_end_of_the_step(v_x, rim, torque, compression, h):
    ground = GroundContact([wheel()])
    q, v = step(ground, (v_x, 0.0, rim / R), torque, -compression, h)
    load, thrust = q[at.NORMAL] / h, q[at.SLIDING] / h
    assert ground.report["missed"] == 0.0
    i_s, d, v_max = slip.slip_state.py_func(v[0] - R * v[3], v[0], 1e-3)
    tolerance = 1e-8 * max(load, 1.0)
    if v_max > 1e-3 and abs(i_s) > 1e-9:
        ahead, back = (float(wheel().thrust_ratio(s, load)) * load for s in (i_s, -i_s))
        exact = 0.5 * (1.0 + d) * ahead - 0.5 * (1.0 - d) * back
        assert thrust == pytest.approx(exact, abs=tolerance)
    else:  # at rest or at zero slip the thrust is at most the law's at full slip
        assert abs(thrust) <= float(wheel().thrust_ratio(1.0, load)) * load + tolerance


def test_contact_acts_only_when_the_gap_closes():
    ground = GroundContact([wheel()])
    q, _ = step(ground, (1.0, 0.0, 1.0 / R), 100.0, gap=0.01)
    assert np.all(q == 0.0)
    q, _ = step(ground, (1.0, 20.0, 1.0 / R), 100.0, gap=-0.001)  # the wheel lifts off
    assert q[at.NORMAL] == 0.0
    q, _ = step(ground, (1.0, -2.0, 1.0 / R), 100.0, gap=0.001)  # the wheel lands within the step
    assert q[at.NORMAL] > 0.0


@settings(max_examples=30)
@given(
    st.sampled_from(sorted(REGULARISATIONS)),
    st.floats(-5.0, 5.0),
    st.floats(-5.0, 5.0),
    st.floats(-600.0, 600.0),
)
def test_every_solver_gives_the_same_step(scheme, v_x, rim, torque):
    ends = []
    for solver in ("direct", "pgs", "newton", "osqp", ProjectedGaussSeidel(symmetric=True)):
        ground = GroundContact([wheel(scheme)], solver=solver)
        ends.append(step(ground, (v_x, 0.0, rim / R), torque, -0.02)[1])
    for end in ends[1:]:
        assert end == pytest.approx(ends[0], abs=1e-8)


def test_a_configured_solver_keeps_its_settings_in_the_compiled_step():
    missed = []
    for solver in (ProjectedGaussSeidel(), ProjectedGaussSeidel(max_sweeps=1, relaxation=0.1)):
        ground = GroundContact([wheel()], solver=solver, max_passes=5)  # without Newton's method
        assert ground.compiled
        step(ground, (1.0, 0.0, 1.1 / R), 300.0, -0.02)
        missed.append(ground.report["missed"])
    assert missed == [0.0, 1.0]


def test_stages_from_python_are_the_compiled_step():
    whole, staged = GroundContact([wheel()]), GroundContact([wheel()])
    staged.solver = "staged"
    staged.back_end = lambda A, b, lower, upper, z: solve(MLCP(A, b, lower, upper), z0=z).z
    q = whole.solve(H, [-0.02], B, U, U_FREE)
    staged.solve_by_passes(H, np.array([-0.02]), B, U, U_FREE)
    assert staged.impulses == pytest.approx(q, abs=1e-9)
    assert staged.report["passes"] == whole.report["passes"]


@kernel
def every_kernel_of_a_pass(F, N, h, B, u, u_free, z):
    contact = contact_of(F, N)
    wheels, of_all = contact.wheels, contact.rows
    rows.normal_row(0, h, -0.02, u_free[0], u, wheels, of_all)
    rows.begin_wheel(0, 2000.0, u[at.SLIDING], u[at.CENTRE], wheels)
    rows.traction_rows(0, h, 0.14, wheels, of_all)
    reduced.set_problem(h, B, u_free, wheels, of_all)
    for i in range(z.shape[0]):
        of_all.z[i] = z[i]
    none = of_all.active[:0]
    alone = reduced.OtherFriction(none, none, of_all.z[:0], none)
    reduced.check(h, 1e-10, B, u_free, wheels, of_all, alone)
    law_check.check_wheel(0, h, 1e-10, wheels, of_all)
    reduced.conclude(True, 1, 1e-10, wheels, of_all)


@pytest.mark.parametrize("scheme", sorted(REGULARISATIONS))
def test_row_kernels_are_their_own_python(scheme):
    """One iteration (pass) of the contact solve gives the same bits compiled and as plain Python."""
    results = []
    for run in (every_kernel_of_a_pass, every_kernel_of_a_pass.py_func):
        ground = GroundContact([wheel(scheme)])
        wheels, arrays = ground.wheel_arrays, ground.row_arrays
        arrays.z[0] = 2.0
        run(ground.data.F, ground.data.N, H, B, U, U_FREE, np.array([2.4, 0.3, 0.05, -0.2]))
        results.append(
            np.concatenate([arrays.A.ravel(), arrays.b, arrays.q, arrays.u, wheels.now.floats[0]])
        )
    assert np.array_equal(results[0], results[1], equal_nan=True)


def test_extra_row_is_a_brake():
    """A bounded row that the host adds, here a brake of 50 N m, acts within its bounds."""
    ground = GroundContact([wheel()], extra_rows=1)
    wide = np.vstack([FREE.J, [0.0, 0.0, 0.0, 1.0]])
    inverse = wide @ (FREE.inverse[:, None] * wide.T)
    v = np.array([2.0, 0.0, 0.0, 2.0 / R])
    v_free = v + H * WEIGHT
    ground.set_extra_row(0, -H * 50.0, H * 50.0)
    q = ground.solve(H, [-0.02], inverse, wide @ v, wide @ v_free)
    assert q[4] == pytest.approx(-H * 50.0)
    ground.set_extra_row(0, -H * 1e6, H * 1e6)
    q = ground.solve(H, [-0.02], inverse, wide @ v, wide @ v_free)
    assert (wide @ (v_free + FREE.inverse * (wide.T @ q)))[4] == pytest.approx(0.0, abs=1e-9)


test_bad_input_is_a_sentence = refusals(
    (lambda: GroundContact([]), "at least one WheelContact"),
    (lambda: GroundContact([wheel()], solver="drect"), "did you mean 'direct'"),
    (lambda: GroundContact([wheel()], solver=7), "solver = 7 must be a text or a Solver"),
    (lambda: wheel("implict"), "did you mean 'implicit'"),
    (lambda: wheel(v_0=0.0), "v_0 = 0.0 m/s must be above 0"),
    (lambda: wheel(law="brixus"), "did you mean 'brixius'"),
    (
        lambda: GroundContact([wheel()]).solve(H, [0.0], B[:3], np.zeros(4), np.zeros(4)),
        "B has shape",
    ),
    (
        lambda: GroundContact([wheel()]).solve(H, [np.nan], B, np.zeros(4), np.zeros(4)),
        r"gap\[0\] = nan is not finite",
    ),
    (
        lambda: GroundContact([wheel()]).solve(0.0, [0.0], B, np.zeros(4), np.zeros(4)),
        "step = 0.0 s",
    ),
)
