"""Compiled kernels: equal to plain Python and the naive version, without allocations."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from mlcp import MLCP, jit
from mlcp.kernels.codes import SOLVED
from mlcp.kernels.dense.checked import solve_checked
from mlcp.kernels.dense.direct import direct, work_size
from mlcp.kernels.dense.lemke_solve import PathWork, lemke_solve
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.newton import NewtonWork, newton
from mlcp.kernels.one_row import SizeWork
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import residual_above
from mlcp.kernels.structured import bounded_rows, proximal_newton, structured_entry, unit_mass
from mlcp.kernels.structured.structured_layout import (
    BodyOrder,
    BodyRows,
    Iterate,
    ProximalWork,
    Reduced,
    ReducedWork,
)
from mlcp.solution import row_residuals
from mlcp.solvers import SOLVERS
from mlcp.solvers.base import Start
from mlcp.solvers.direct import dense
from tests.mlcp import naive
from tests.mlcp.generators import box_stack
from tests.mlcp.problems import random_problem
from tests.plain import plain

PROBLEMS = [
    random_problem(seed, n, rank, skew, compliance)
    for seed, (n, rank, skew, compliance) in enumerate(
        [(1, 1, False, 0.0), (4, 4, False, 0.1), (5, 2, False, 0.0), (5, 3, True, 0.0),
         (6, 6, True, 0.5), (7, 3, False, 0.0)]
    )
]  # fmt: skip


def copies(problem):
    return [np.array(x) for x in (problem.dense_A, problem.b, problem.lower, problem.upper)]


def as_record(problem):
    return Problem(*copies(problem), problem.n)


def limits(most, tolerance=1e-10):
    return Limits(tolerance, most, np.inf, 0.0)


def call_direct(function, problem):
    n = problem.n
    z, active, work = np.zeros(n), np.zeros(n, np.int64), np.zeros(work_size(n))
    code, steps = function(as_record(problem), z, active, work, limits(200))
    return code, steps, problem.A @ z + problem.b, active  # w is unique, z not always


def call_lemke(function, problem):
    n = problem.n
    z, work = np.clip(np.zeros(n), problem.lower, problem.upper), np.zeros(PathWork.length(n))
    active = np.where(problem.lower == problem.upper, -1, 0)
    return function(as_record(problem), z, active, work, limits(200)), z, active


def call_newton(function, problem):
    z, work = np.zeros(problem.n), np.zeros(NewtonWork.length(problem.n))
    return function(as_record(problem), z, work, limits(30)), z


def call_pgs(function, problem):
    z, work = np.zeros(problem.n), np.zeros(SizeWork.length(problem.n))
    return function(as_record(problem), z, work, limits(40, 1e-8), 1.2, True), z


def residual_of(arrays, z):
    """Residual by the compiled kernel."""
    return float(np.max(row_residuals(MLCP(*arrays), z)))


CALLS = [(direct, call_direct), (lemke_solve, call_lemke), (newton, call_newton), (pgs, call_pgs)]


@pytest.mark.parametrize(("kernel", "call"), CALLS, ids=lambda x: getattr(x, "__name__", ""))
@pytest.mark.parametrize("problem", PROBLEMS, ids=range(len(PROBLEMS)))
def test_compiled_and_plain_python_agree(kernel, call, problem):
    compiled, python = call(kernel, problem), call(plain(kernel), problem)
    for x, y in zip(compiled, python, strict=True):
        # Machine code may fuse a multiply with an add; nothing else may differ.
        assert np.allclose(x, y, rtol=1e-7, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("problem", PROBLEMS, ids=range(len(PROBLEMS)))
def test_faces_compiled_and_in_plain_python_agree(problem):
    n = problem.n
    z, w, active = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    work = np.zeros(work_size(n))
    code, residual, _ = plain(solve_checked)(
        as_record(problem), z, w, active, work, True, False, limits(200)
    )
    other, reached, _, _, w_compiled, _ = dense(problem, None, 1e-10, 200, np.inf)
    assert code == other == SOLVED
    assert max(residual, reached) <= 1e-10
    assert np.allclose(w, w_compiled, rtol=1e-7, atol=1e-9)  # w is unique, z not always


@pytest.mark.parametrize("problem", PROBLEMS, ids=range(len(PROBLEMS)))
def test_the_residual_is_the_naive_one(problem):
    n, python = problem.n, plain(residual_above)
    for z in (np.zeros(n), np.linspace(-3.0, 3.0, n)):
        wanted = naive.natural_residual(*copies(problem), z)
        assert residual_of(copies(problem), z) == pytest.approx(wanted, rel=1e-12)
        work = SizeWork(np.zeros(SizeWork.length(n)), n)
        assert python(as_record(problem), z, work, 0.0) == pytest.approx(wanted, rel=1e-12)


def test_the_residual_of_nonsense_is_infinite():
    problem = PROBLEMS[1]
    for bad in (np.nan, np.inf):
        z = np.zeros(problem.n)
        z[2] = bad
        assert residual_of(copies(problem), z) == np.inf


@pytest.mark.parametrize("kernel", [direct, newton, pgs], ids=lambda k: k.py_func.__name__)
def test_a_larger_buffer_changes_nothing(kernel):
    """Only the leading n x n block is read: all other entries are NaN."""
    problem = PROBLEMS[4]
    n, room = problem.n, problem.n + 3
    A, b = np.full((room, room), np.nan), np.full(room, np.nan)
    lower, upper = b.copy(), b.copy()
    A[:n, :n], b[:n], lower[:n], upper[:n] = copies(problem)
    z, active, work = np.zeros(room), np.zeros(room, np.int64), np.full(20 * room**2, np.nan)
    record = Problem(A, b, lower, upper, n)
    if kernel is direct:
        direct(record, z, active, work, limits(100))
    elif kernel is newton:
        newton(record, z, work, limits(100, 1e-11))
    else:
        pgs(record, z, work, limits(10_000, 1e-11), 1.0, False)
    assert naive.natural_residual(*copies(problem), z[:n]) <= 1e-10


def test_kernels_leave_the_problem_untouched():
    for problem in PROBLEMS:
        record = as_record(problem)
        before = [np.copy(x) for x in record]
        z, active = np.zeros(problem.n), np.zeros(problem.n, np.int64)
        direct(record, z, active, np.zeros(work_size(problem.n)), limits(100))
        pgs(record, z, np.zeros(SizeWork.length(problem.n)), limits(50, 1e-9), 1.0, False)
        newton(record, z, np.zeros(NewtonWork.length(problem.n)), limits(20, 1e-9))
        for x, y in zip(record, before, strict=True):
            assert np.array_equal(x, y)


@pytest.mark.parametrize("allocating", [lambda n: np.empty(n)[0], lambda n: len([n, n])])
def test_a_kernel_that_allocates_does_not_compile(allocating):
    """Kernels are compiled without Numba's run-time library, which allocates and counts references."""
    with pytest.raises(NumbaError):
        jit.kernel(allocating)(3)


def structured_rows(problem):
    """(R, P, scales): rows at unit diagonal, elimination order, sqrt(a_ii), by the kernels' Python."""
    p, n, nb = problem, problem.n, problem.bodies
    plan, blocks = p.plan
    masses, Y, a = np.zeros(36 * nb), np.zeros(len(p._J)), np.zeros(n)
    assert plain(unit_mass.factor_masses)(p.mass, masses, nb)
    plain(unit_mass.unit_mass_rows)(n, p._row_start, p._row_block, p._J, masses, p.e, Y, a)
    s = np.sqrt(a)
    Y /= np.repeat(s, 6 * np.diff(p._row_start))
    R = BodyRows(n, p._row_start, p._row_block, Y, p.e / a, p.b / s, p.lower * s, p.upper * s)
    return R, BodyOrder(plan, nb, blocks), s


def structured_in_python(problem, reduced):
    """(z, w, diagonal, steps) of ``run_reduced`` or ``run_structured`` by the kernels' plain Python."""
    p, n, nb = problem, problem.n, problem.bodies
    m = len(p.bounded)
    R, P, s = structured_rows(p)
    z, w, v, state = np.zeros(n), np.zeros(n), np.zeros(6 * nb), np.zeros(n, np.int64)
    sizes = n, nb, len(p._row_block), p.plan[1]
    if reduced:
        W = Reduced(
            p.bounded, np.zeros(m, np.int64), np.zeros(nb, np.int64),
            np.zeros(structured_entry.small_size(m)),
            ReducedWork(np.zeros(ReducedWork.length(*sizes, m)), *sizes, m),
        )  # fmt: skip
        code, steps, _residual = plain(bounded_rows.reduced_solve)(
            R, P, Iterate(z, w, v, state), W, limits(0, 1e-12)
        )
    else:
        N = ProximalWork(np.zeros(ProximalWork.length(*sizes)), *sizes)
        weight = structured_entry.COLD_WEIGHT
        code, steps, _factored, _residual = plain(proximal_newton.proximal_newton)(
            R, P, Iterate(z, w, v, state), N, weight, True, limits(0, 1e-12)
        )
    assert code == 0
    return z / s, w * s, s**2, steps


def test_structured_kernels_agree_with_plain_python():
    """Plain Python and the compiled solver give the same solution of structured problems."""
    stack = box_stack(2, shake=5e-3)
    few = stack.with_values(
        e=1e-3,
        lower=np.where(np.arange(stack.n) < 20, -np.inf, stack.lower),
        upper=np.where(np.arange(stack.n) < 20, np.inf, stack.upper),
    )
    for problem, reduced in ((stack, False), (few, True)):
        found = SOLVERS.find("direct").answer(problem, 1e-11, Start())  # its residual is below 1e-12
        w, a, residual = problem.recomputed(found.z)
        python = structured_in_python(problem, reduced)
        assert residual <= 1e-12
        assert problem.recomputed(python[0])[2] <= 1e-12
        assert found.iterations == python[3]
        assert np.allclose(found.z, python[0], atol=1e-10 * np.abs(python[0]).max())
        assert np.allclose(w, python[1], atol=1e-12)
        assert np.allclose(a, python[2], rtol=1e-12)
