"""``prepare``, ``solve_many`` and calls with plain arrays give the results and errors of ``solve``."""

import threading

import numpy as np
import pytest

from mlcp import (
    MLCP,
    BadProblem,
    MlcpNotSolved,
    Status,
    prepare,
    solve,
    solve_dense,
    solve_many,
)
from tests.mlcp import generators
from tests.refusals import refusals


def contacts(many, n, seed=0):
    """A, b and bounds of ``many`` contact problems, A = J J': unilateral rows, rows with two bounds."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(many, n, n + 3))
    lower, upper = np.full(n, -0.5), np.full(n, 0.5)
    lower[::3], upper[::3] = 0.0, np.inf
    return J @ J.transpose(0, 2, 1), rng.normal(size=(many, n)), lower, upper


def test_the_four_ways_agree_and_threads_change_nothing():
    A, b, lower, upper = contacts(100, 12)
    stack = solve_many(A, b, lower, upper, threads=1)
    shared = solve_many(A, b, lower, upper, threads=4)
    assert np.array_equal(stack.z, shared.z)
    assert np.array_equal(stack.active, shared.active)
    assert stack.solved.all()
    for k in range(0, 100, 9):
        whole = solve(MLCP(A[k], b[k], lower, upper))
        bare = solve_dense(A[k], b[k], lower, upper)
        prepared = prepare(A[k], lower, upper).solve(b[k])
        for other in (stack[k], bare, prepared):
            assert other.solved
            assert np.allclose(other.z, whole.z, rtol=0, atol=1e-12)
            assert np.allclose(other.w, whole.w, rtol=0, atol=1e-12)
            assert np.array_equal(other.active, whole.active)


def test_leading_axes_are_broadcast():
    A, b, lower, upper = contacts(6, 5)
    one = solve_many(A[0], b.reshape(2, 3, 5), lower, upper)
    assert one.z.shape == (2, 3, 5)
    assert one.status.shape == (2, 3)
    several = solve_many(A.reshape(2, 3, 5, 5), b[0], lower, upper)
    grid = solve_many(A[:, None], b[None, :4], lower, upper)
    assert grid.z.shape == (6, 4, 5)
    assert np.array_equal(grid.z[0, 1], one.z[0, 1])
    assert np.array_equal(grid.z[4, 0], several.z[1, 1])
    assert solve_many(np.zeros((0, 3, 3)), np.zeros(3)).z.shape == (0, 3)


def test_what_pivoting_does_not_solve_goes_the_whole_way():
    hard = [generators.random_psd(40, 20, bilateral=0.6), generators.boxed_dense(200)]
    for problem in hard:
        data = problem.A, problem.b, problem.lower, problem.upper
        for found in (
            solve_dense(*data),
            prepare(data[0], *data[2:]).solve(data[1]),
            solve_many(*data)[()],
        ):
            assert found.residual <= 1e-10
            assert found.status == Status.SOLVED


def test_an_unsolved_problem_raises_or_says_so():
    p = generators.infeasible()
    with pytest.raises(MlcpNotSolved):
        solve_dense(p.A, p.b, p.lower, p.upper)
    with pytest.raises(MlcpNotSolved):
        prepare(p.A, p.lower, p.upper).solve(p.b)
    good = p.b.copy()
    good[1] = good[0]
    found = solve_many(p.A, [good, p.b], p.lower, p.upper, raise_on_failure=False)
    assert list(found.status) == [Status.SOLVED, Status.INFEASIBLE]
    assert found.residual[1] > 1e-3


@pytest.mark.parametrize("wrong", ["A", "b", "lower", "upper", "crossed"])
def test_bad_numbers_get_the_sentence_of_the_problem(wrong):
    A, b, lower, upper = contacts(3, 4)
    data = {"A": A.copy(), "b": b, "lower": np.tile(lower, (3, 1)), "upper": np.tile(upper, (3, 1))}
    if wrong == "crossed":
        data["lower"][1, 2] = 0.7
    else:
        data[wrong][1].flat[2] = np.nan
    one = {name: np.ascontiguousarray(array[1]) for name, array in data.items()}
    with pytest.raises(BadProblem) as whole:
        MLCP(**one)
    with pytest.raises(BadProblem) as bare:
        solve_dense(**one)
    assert str(bare.value) == str(whole.value)
    with pytest.raises(BadProblem, match=r"problem \(1,\): "):
        solve_many(**data)
    with pytest.raises(BadProblem):
        prepare(one["A"], one["lower"], one["upper"]).solve(one["b"])


A, b, *BOUNDS = contacts(3, 4)
test_shapes_tolerances_and_threads_are_checked = refusals(
    (lambda: solve_many(A[:, :3], b), "square"),
    (lambda: solve_many(A, b[:, :3]), "A has 4 rows"),
    (lambda: solve_many(A, b[:2]), "leading axes"),
    (lambda: prepare(A[0]).solve(b[0, :3]), r"must be \(4,\)"),
    (lambda: solve_dense(A[0], b[0], *BOUNDS, tol=0.0), "tol"),
    (lambda: solve_dense(A[0], b[0], *BOUNDS, tol=2.0), "tol"),
    (lambda: solve_dense(A[0], b[0], *BOUNDS, tol=np.nan), "tol"),
    (lambda: solve_many(A, b, threads=1.5), "threads"),
)


def test_a_prepared_problem_may_be_shared_by_threads():
    A, b, lower, upper = contacts(200, 12)
    prepared = prepare(A[0], lower, upper)
    alone = [prepared.solve(row).z for row in b]
    seen = {}

    def run(who):
        seen[who] = [prepared.solve(row).z for row in b]

    threads = [threading.Thread(target=run, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(alone, seen[who]) for who in range(4))
