"""The structured solve equals the dense solve for every mechanism."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from mlcp.kkt import KktProblem, Plan, Structure, make_plan
from mlcp.kkt.plan import kept_plan
from tests.mlcp import naive_kkt
from tests.mlcp.assemblies import (
    Builder,
    bridge,
    chain,
    consistent,
    door,
    four_bar,
    machine,
    random_mechanism,
    weighted_chain,
)
from tests.refusals import refusals


def relative(a, b):
    return np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), 1e-300)


def check(problem, tol=1e-10, impulses=True, refinements=0, channel_tol=None):
    """Compare with the dense solution: B and u_free of the channels, body velocities v, row impulses p.

    p is compared only if ``impulses``, since that of redundant rows is not unique. Channel velocities u
    for channel impulses q: u = u_free + B q.
    """
    factored = problem.factor()
    channel_tol = tol if channel_tol is None else channel_tol
    B, u_free, back = naive_kkt.reduced(problem)
    # B of a channel that joints almost lock is small: its error is relative to B without joints
    _, channels = problem.structure.dense_rows(problem.jac)
    mass = naive_kkt.dense_mass(problem)
    free = np.abs(channels @ np.linalg.solve(mass, channels.T)).max(initial=1e-300)
    assert np.abs(factored.delassus - B).max(initial=0.0) < channel_tol * free
    assert np.array_equal(factored.delassus, factored.delassus.T)
    size = 1.0 + np.abs(u_free).max(initial=0.0)
    assert np.abs(factored.u_free - u_free).max(initial=0.0) < channel_tol * size
    q = np.random.default_rng(5).normal(size=len(u_free))
    v, p = problem.solve(q, refinements=refinements)
    v_dense, p_dense = back(q)
    alone = np.linalg.solve(mass, problem.momentum + channels.T @ q)
    assert np.abs(v - v_dense).max() < tol * max(np.abs(v_dense).max(), np.abs(alone).max())
    if impulses:
        assert relative(p, p_dense) < tol
    return factored


@pytest.mark.parametrize("builder", [machine, lambda: chain(12), lambda: door(1)])
def test_structured_solve_is_the_dense_solve(builder):
    check(consistent(builder()))


@limits(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.integers(0, 3), st.integers(0, 2))
def test_any_tree_with_loops(seed, bodies, loops, channels):
    rng = np.random.default_rng(seed)
    problem = consistent(random_mechanism(rng, bodies, loops, channels))
    # a random loop can be near a singular pose, where impulses are less accurate
    factored = check(problem, tol=1e-9, impulses=False)
    if problem.plan.redundant_rows == 0 and problem.plan.smallest_pivot > 1e-3:
        check(problem)
    assert factored.smallest_pivot == pytest.approx(problem.plan.smallest_pivot, rel=1e-6)


@pytest.mark.parametrize("hinges", [2, 8])
def test_parallel_hinges_on_one_door(hinges):
    problem = consistent(door(hinges))
    assert problem.plan.redundant_rows == 5 * (hinges - 1)
    # equal rows share the load; noise of their multipliers: round-off 1e-16 / compliance floor 1e-9
    check(problem, impulses=False)
    _, p = problem.solve()
    _, p_dense = naive_kkt.reduced(problem)[2](np.zeros(3))
    assert relative(p, p_dense) < 1e-5
    moved, _ = consistent(door(1)).solve()
    shared = consistent(door(hinges))
    assert relative(shared.solve()[0], moved) < 1e-6


@pytest.mark.parametrize("builder", [machine, lambda: door(8), bridge, four_bar])
@pytest.mark.parametrize("e", [1e-6, 1e-9, 1e-12, 1e-14])
def test_velocity_error_does_not_grow_as_compliance_shrinks(builder, e):
    problem = consistent(builder())
    compliance = np.maximum(problem.compliance, e)
    plan = make_plan(problem.structure, problem.mass, problem.jac, compliance, 1e-14)
    problem = dataclasses.replace(problem, compliance=compliance, plan=plan)
    check(problem, tol=1e-12, impulses=False)


@pytest.mark.parametrize("ratio", [1e-6, 1e-3, 1e3, 1e6])
def test_mass_ratios(ratio):
    problem = consistent(weighted_chain(8, ratio))
    assert problem.plan.redundant_rows == 0
    # the error is about eps / pivot, 1e-10 at a mass ratio of 1e6; v has one refinement, B none
    settings = {"tol": 1e-10, "refinements": 1, "channel_tol": 1e-8, "impulses": False}
    check(problem, **settings)
    check(consistent(four_bar(ratio)), **settings)


def test_an_order_without_the_numerical_check_loses_digits(monkeypatch):
    from mlcp.kkt import ordering

    problem = consistent(bridge())
    truth, _ = naive_kkt.reduced(problem)[2](np.zeros(3))
    sound = relative(problem.solve()[0], truth)
    monkeypatch.setattr(ordering, "MAX_GROWTH", np.inf)
    given = (array.tobytes() for array in (problem.mass, problem.jac, problem.compliance))
    plan = kept_plan.__wrapped__(problem.structure, 1e-9, *given)
    blind = relative(dataclasses.replace(problem, plan=plan).solve()[0], truth)
    assert sound < 1e-12
    assert blind > 1e3 * sound


def test_one_plan_serves_other_values_and_notices_a_collapsing_pivot():
    problem = consistent(four_bar())
    rng = np.random.default_rng(0)
    turned = problem.jac * (1.0 + 0.01 * rng.normal(size=len(problem.jac)))
    check(dataclasses.replace(problem, jac=turned), tol=1e-9, impulses=False)
    door_problem = consistent(door(1))
    flat = door_problem.jac.copy()
    flat[6:12], flat[36:42] = flat[0:6], flat[30:36]  # the second row now repeats the first
    collapsed = dataclasses.replace(door_problem, jac=flat).factor()
    assert collapsed.smallest_pivot < 1e-6 < 1e-4 < door_problem.plan.smallest_pivot


def test_compliance_that_goes_is_no_collapsing_pivot():
    hard = consistent(door(1))
    soft = np.full_like(hard.compliance, 1e12)  # so soft that the impulse of a row is prescribed
    plan = make_plan(hard.structure, hard.mass, hard.jac, soft)
    factored = dataclasses.replace(hard, plan=plan).factor()
    assert factored.smallest_pivot > 0.1 * hard.plan.smallest_pivot
    check(dataclasses.replace(hard, plan=plan), tol=1e-9, impulses=False)


def test_an_order_can_be_checked_in_several_poses():
    one, other = consistent(chain(5)), consistent(weighted_chain(5, 1e5))
    jac = np.array([one.jac, one.jac])
    mass = np.array([one.mass, other.mass])
    plan = make_plan(one.structure, mass, jac, one.compliance)
    check(dataclasses.replace(one, plan=plan), tol=1e-9)
    check(dataclasses.replace(one, mass=other.mass, plan=plan), tol=1e-9, refinements=1)


def test_second_right_hand_side_reuses_the_factorisation():
    problem = consistent(machine())
    factored = problem.factor()
    first = factored.back()
    phi = np.random.default_rng(2).normal(size=problem.structure.rows)
    dv, dp = factored.resolve(np.zeros_like(problem.momentum), phi)
    other = dataclasses.replace(problem, momentum=np.zeros_like(problem.momentum), bias=phi)
    v_dense, p_dense = naive_kkt.reduced(other)[2](np.zeros(len(factored.u_free)))
    assert relative(dv, v_dense) < 1e-10
    assert relative(dp, p_dense) < 1e-10
    again = factored.back()
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


def test_a_plan_is_kept_for_equal_arguments_only():
    problem = consistent(machine())
    given = problem.mass, problem.jac, problem.compliance
    assert make_plan(problem.structure, *given) is problem.plan
    for k, array in enumerate(given):
        changed = [*given]
        changed[k] = array * (1.0 + 1e-3)
        other = make_plan(problem.structure, *changed)
        assert other is not problem.plan
        assert not np.array_equal(other.scale, problem.plan.scale)
    assert make_plan(problem.structure, *given, 1e-10) is not problem.plan
    for array in (problem.plan.table, problem.plan.scale):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_free_bodies_without_any_row():
    b = Builder()
    for i in range(3):
        b.body((float(i), 0.0, 0.0), 1.0 + i, 0.3)
    bare = check(b.problem())
    assert bare.smallest_pivot == np.inf
    b.channels.append((2, (0, 2)))
    b.channel_parts.append([np.eye(2, 6), -np.eye(2, 6)])
    np.testing.assert_allclose(check(b.problem()).delassus, np.eye(2) * (1.0 + 1.0 / 3.0))


def test_nan_is_seen():
    problem = consistent(chain(4))
    jac = problem.jac.copy()
    jac[30] = np.nan
    jac.setflags(write=False)  # read-only as a problem's arrays: a writable one would be compiled anew
    with pytest.raises(ValueError, match="jac holds a number that is not finite"):
        dataclasses.replace(problem, jac=jac)
    from mlcp.kernels.kkt.kkt_entry import factor_entry

    plan: Plan = problem.plan
    values = problem.mass, jac, problem.compliance, problem.momentum, problem.bias
    smallest = factor_entry(
        plan.table, plan.scale, values, np.empty(plan.panel_size), np.empty((3, 3)), np.empty(3)
    )
    assert np.isnan(smallest)


test_bad_structures_get_a_sentence = refusals(
    (lambda: Structure(0), "blocks is 0; it must be a whole number, 1 or more"),
    (lambda: Structure(2, ((7, (0,)),)), r"groups\[0\] has 7 rows; allowed are 1 to 6"),
    (lambda: Structure(2, ((1, (0, 2)),)), r"mass blocks are 0 to 1"),
    (lambda: Structure(2, ((1, (1, 1)),)), "touches a mass block twice"),
    (lambda: Structure(9, (), ((1, (0, 1, 2, 3, 4)),)), "touches 5 mass blocks"),
)


@pytest.mark.parametrize(
    ("field", "change", "says"),
    [
        ("mass", lambda a: a[:-1], "mass has 107 numbers; the structure needs 108"),
        ("mass", lambda a: -a, "mass block 0 is not positive definite"),
        ("mass", lambda a: a + np.eye(1, len(a), 1)[0], "mass block 0 is not symmetric"),
        ("compliance", lambda a: a - 1.0, r"compliance\[0\] is -1.0; it must be >= 0"),
        ("bias", lambda a: a * np.nan, "bias holds a number that is not finite"),
    ],
)
def test_bad_values_get_a_sentence(field, change, says):
    good = chain(3).problem()
    values = {f.name: getattr(good, f.name) for f in dataclasses.fields(good)} | {"plan": None}
    values[field] = change(values[field])
    with pytest.raises(ValueError, match=says):
        KktProblem(**values)
