"""``StructuredMLCP``: the same solutions and statuses as the dense problem with A = J M^-1 J' formed."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcp import BadProblem, Status, StructuredMLCP, solve
from mlcp.kkt.ordering import Couplings, least_first
from tests.mlcp import naive
from tests.mlcp.generators import box_stack, vehicle
from tests.refusals import refusals


def small(seed, bodies=3, rows=8, k=6, compliance=0.0):
    """Random mass blocks of k unknowns, rows on one or two bodies, bounds of every kind."""
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(bodies, k, k))
    mass = R @ R.transpose(0, 2, 1) + 0.5 * np.eye(k)
    J = np.zeros((rows, bodies * k))
    for i in range(rows):
        for body in rng.choice(bodies, size=rng.integers(1, 3), replace=False):
            J[i, body * k : body * k + k] = rng.normal(size=k)
    J[1] = J[0]
    b = J @ rng.normal(size=bodies * k)
    lower = rng.choice([-np.inf, 0.0, -0.3], size=rows)
    upper = rng.choice([np.inf, 0.0, 0.4], size=rows)
    return StructuredMLCP(mass, J, compliance, b, lower, upper), mass, J


@pytest.mark.parametrize("k", [1, 3, 6])
def test_the_parts_make_the_delassus_matrix(k):
    problem, mass, J = small(2, k=k)
    M = np.zeros((J.shape[1], J.shape[1]))
    for body, block in enumerate(mass):
        M[body * k : body * k + k, body * k : body * k + k] = block
    A = J @ np.linalg.solve(M, J.T)
    z = np.linspace(-1.0, 1.0, problem.n)
    assert np.allclose(problem.dense_A, A, atol=1e-12)
    assert np.allclose(problem.diagonal(), np.diag(A), atol=1e-12)
    assert np.allclose(problem.w(z), A @ z + problem.b, atol=1e-12)
    formed = problem.formed()
    roots = np.linalg.inv(np.linalg.cholesky(mass)).transpose(0, 2, 1)  # A = (J roots) (J roots)'
    Y = (
        np.einsum("ibk,bkl->ibl", J.reshape(problem.n, -1, k), roots)
        / np.sqrt(np.diag(A))[:, None, None]
    )
    links = np.linalg.norm(Y, axis=2)
    ours = naive.natural_residual(A, problem.b, problem.lower, problem.upper, z, links)
    assert problem.recomputed(z)[2] == pytest.approx(ours, rel=1e-9)
    assert formed.n == problem.n


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 30), bodies=st.integers(1, 16))
def test_the_compiled_order_is_the_greedy_one(seed, rows, bodies):
    """The elimination order is greedy by least degree; bodies with bounded rows come last if few."""
    rng = np.random.default_rng(seed)
    touched = [
        rng.choice(bodies, size=min(bodies, rng.integers(1, 4)), replace=False) for _ in range(rows)
    ]
    J = np.zeros((rows, 6 * bodies))
    for i, those in enumerate(touched):
        J[i, 6 * those] = 1.0
    lower = np.where(rng.random(rows) < 0.2, 0.0, -np.inf)
    problem = StructuredMLCP(np.tile(np.eye(6), (bodies, 1, 1)), J, 1e-3, 0.0, lower, np.inf)
    plan, blocks = problem.plan
    near: list[set[int]] = [set() for _ in range(bodies)]
    late: set[int] = set()
    for those, low in zip(touched, lower, strict=True):
        for k in those.tolist():
            near[k] |= set(those.tolist()) - {k}
            late |= {k} if low == 0.0 else set()
    late = late if 2 * len(late) <= bodies else set()
    couplings, order, fill = Couplings(near), [], bodies

    def eliminate(k, _harm):
        nonlocal fill
        order.append(k)
        fill += couplings.degree(k)
        return couplings.eliminate(k)

    least_first(bodies, lambda k: (k in late, couplings.degree(k), k), eliminate)
    assert plan[:bodies].tolist() == order
    assert blocks == fill


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), rows=st.integers(2, 14), bodies=st.integers(2, 4), soft=st.booleans()
)
def test_structured_and_formed_agree(seed, rows, bodies, soft):
    problem, _mass, _J = small(seed, bodies, rows, compliance=1e-3 if soft else 0.0)
    formed = problem.formed()
    found = solve(problem, raise_on_failure=False)
    dense = solve(formed, raise_on_failure=False)
    data = (formed.A, formed.b, formed.lower, formed.upper)
    if dense.solved:
        assert found.solved, (found, dense)
        assert naive.natural_residual(*data, found.z) <= 1e-10 + naive.rounding(*data, found.z)
        assert np.allclose(found.w, dense.w, atol=1e-8 * np.abs(problem.b).max())
    else:
        assert not found.solved


@pytest.mark.parametrize("ratio", [1.0, 1e4])
@pytest.mark.parametrize("boxes", [3, 8, 25, 83])
def test_box_stacks_with_redundant_rows(boxes, ratio):
    problem = box_stack(boxes, mass_ratio=ratio)
    assert solve(problem).natural_residual() <= 1e-10


@pytest.mark.parametrize("bounded", [12, 24])
@pytest.mark.parametrize("seed", [0, 1])
def test_vehicles_solved_both_ways(bounded, seed):
    problem = vehicle(bounded, seed)
    reduced = solve(problem)
    assert reduced.natural_residual() <= 1e-10
    assert reduced.extras["factorisations"] == 1
    dense = solve(problem.formed())
    assert np.allclose(reduced.w, dense.w, atol=1e-8 * np.abs(problem.b).max())


def test_a_warm_start_costs_no_more_than_a_look():
    problem = box_stack(8, shake=1e-2)
    cold = solve(problem)
    again = solve(problem, z0=cold)
    assert again.iterations == 0
    other = solve(problem.with_values(b=problem.b * 1.01), z0=cold)
    assert other.solved


def test_contradicting_bilateral_rows_are_not_called_solved():
    J = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    problem = StructuredMLCP(np.ones(2), J, 0.0, [1.0, 2.0, -1.0], [-np.inf, -np.inf, 0.0])
    solution = solve(problem, raise_on_failure=False)
    assert solution.status is Status.INFEASIBLE


def test_other_numbers_keep_the_plan():
    problem = vehicle(12)
    plan = problem.plan
    other = problem.with_values(b=2.0 * problem.b, mass=problem.mass.reshape(-1, 6, 6) * 2.0)
    assert other.plan is plan
    assert np.allclose(other.diagonal() - other.e, 0.5 * (problem.diagonal() - problem.e))
    with pytest.raises(TypeError, match="with_values got"):
        problem.with_values(masses=1.0)


def test_another_jacobian_is_the_problems_own_and_needs_names_for_its_rows():
    names = ("a", "b", "c")
    problem = StructuredMLCP(np.ones(3), np.eye(3), 0.0, np.zeros(3), row_names=names)
    other = problem.with_values(J=2.0 * np.eye(3))
    assert np.array_equal(other.J, 2.0 * np.eye(3))
    assert np.array_equal(other.formed().dense_A, 4.0 * np.eye(3))
    more = dict(e=np.zeros(4), b=np.zeros(4), lower=np.zeros(4), upper=np.ones(4))
    with pytest.raises(BadProblem, match="row_names has 3 entries, but J has 4 rows"):
        problem.with_values(J=np.eye(4)[:, :3], **more)


MASS, J = np.ones(3), sp.csr_matrix(np.eye(3))


test_bad_parts_get_one_sentence = refusals(
    (dict(mass=np.ones((2, 7, 7))), r"mass has shape \(2, 7, 7\)"),
    (dict(mass=-MASS), "mass of body 0 must be positive definite"),
    (dict(mass=np.array([1.0, np.nan, 1.0])), "mass of body 0 .*not finite"),
    (dict(J=np.eye(4)), "J has 4 columns, .*3 unknowns"),
    (dict(J=np.ones(3)), r"J must be \(n, 3\)"),
    (dict(J=np.diag([1.0, np.inf, 1.0])), r"J\[1, 1\] is inf"),
    (dict(e=-1.0), "e of row 0 is -1.0.*>= 0"),
    (dict(e=[0.0, np.inf, 0.0]), "e of row 1 is inf.*finite"),
    (dict(b=np.ones(4)), r"b has shape \(4,\).*3 rows"),
    (dict(lower=2.0, upper=1.0), "lower > upper in row 0"),
    of=lambda wrong: StructuredMLCP(**dict(mass=MASS, J=J, e=0.0, b=np.zeros(3)) | wrong),
    error=BadProblem,
)


@pytest.mark.parametrize("method", ["row_residuals", "recomputed"])
@pytest.mark.parametrize("z", [np.zeros(2), np.zeros((8, 3))])
def test_a_point_of_another_shape_is_refused(method, z):
    problem, _mass, _J = small(2)
    with pytest.raises(ValueError, match="z"):
        getattr(problem, method)(z)
