"""Stacks of dense problems of one size, solved in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlcp.checks import real_array
from mlcp.cores import cores
from mlcp.kinds import checked
from mlcp.prepared import MOST, Result, full_solve, plain
from mlcp.problem import MLCP, BadProblem
from mlcp.solve import tolerance
from mlcp.solvers.base import Count
from mlcp.status import Status

FEWEST = 16  # smallest number of problems per thread


@dataclass(frozen=True, eq=False)
class Solutions:
    """Solutions of a stack of problems; the leading axes are those of the stack.

    Fields:
        z, w: (..., n) arrays, w = A z + b.
        residual: (...) the natural residuals [-], recomputed from the problems.
        iterations: (...) int64, number of the solver's iterations.
        status: (...) array of ``Status``.
        active: (..., n) int64, -1 where z is at its lower bound, +1 at its upper, 0 elsewhere.
    """

    z: np.ndarray
    w: np.ndarray
    residual: np.ndarray
    iterations: np.ndarray
    status: np.ndarray
    active: np.ndarray

    @property
    def solved(self) -> np.ndarray:
        """(...) True where the status is SOLVED."""
        return np.asarray(self.status == Status.SOLVED)

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, k: int | tuple[int, ...]) -> Result:
        """Result of problem k of the stack."""
        return Result(self.z[k], self.w[k], self.status[k], float(self.residual[k]),
                      int(self.iterations[k]), self.active[k])  # fmt: skip


@checked
def solve_many(
    A: np.ndarray,
    b: np.ndarray,
    lower: np.ndarray | float = 0.0,
    upper: np.ndarray | float = np.inf,
    tol: float = 1e-10,
    threads: Count | None = None,
    raise_on_failure: bool = True,
) -> Solutions:
    """Solve w = A z + b, lower <= z <= upper, w complementary to z, for every problem of a stack.

    Arguments:
        A: (..., n, n); b, lower, upper: (..., n); the leading axes are broadcast against each other, so
            one A, or one pair of bounds, may serve all problems.
        tol: tolerance on the natural residual of every row [-].
        threads: largest number of threads; None means one for every core available to this process.
        raise_on_failure: raise MlcpNotSolved for the first unsolved problem.
    Returns: Solutions, the same for any number of threads. Problems that the compiled call does not
        solve go through ``solve``, one after the other.
    Raises: BadProblem, naming the problem's index in the stack; MlcpNotSolved; ValueError for a bad
        tol or number of threads.
    """
    tol = tolerance(tol)
    shape, n, stack = _stacks(A, b, lower, upper)
    matrices, biases, lowest, highest = stack
    many = int(np.prod(shape))
    if threads is None:
        threads = cores()
    z, w, active = np.zeros((many, n)), np.zeros((many, n)), np.zeros((many, n), np.int64)
    residual, iterations = np.full(many, np.inf), np.zeros(many, np.int64)
    from mlcp.kernels.dense.checked import run_stack
    from mlcp.kernels.dense.direct import work_size

    read = tuple(_reading(array) for array in stack)
    found = z, w, active, residual, iterations

    def work(first: int, last: int) -> None:
        run_stack(read, found, np.empty(work_size(n)), (tol, MOST), first, last)

    shares = max(1, min(threads, many // FEWEST))
    ends = [many * k // shares for k in range(shares + 1)]
    if shares == 1:
        work(0, many)
    else:
        with ThreadPoolExecutor(shares) as pool:
            list(pool.map(work, ends[:-1], ends[1:]))
    status = np.full(many, Status.SOLVED, dtype=object)
    for k in np.flatnonzero(~(residual <= tol)):
        place = tuple(int(i) for i in np.unravel_index(k, shape))
        try:
            problem = MLCP(matrices[k if len(matrices) > 1 else 0], biases[k], lowest[k], highest[k])
        except BadProblem as why:
            raise BadProblem(f"problem {place}: {why}" if shape else str(why)) from None
        one = full_solve(problem, tol, raise_on_failure)
        z[k], w[k], active[k], status[k] = one.z, one.w, one.active, one.status
        residual[k], iterations[k] = one.residual, one.iterations
    return Solutions(
        z.reshape(*shape, n), w.reshape(*shape, n), residual.reshape(shape), iterations.reshape(shape),
        status.reshape(shape), active.reshape(*shape, n),
    )  # fmt: skip


def _reading(array: np.ndarray) -> np.ndarray:
    """Read-only view of an array: the kernels are compiled for read-only arrays only."""
    view = array.view()
    view.setflags(False)  # pyright: ignore[reportCallIssue]
    return view


def _numbers(name: str, given: Any) -> np.ndarray:
    return given if plain(given) else real_array(name, given, BadProblem)


def _stacks(
    A: object, b: object, lower: object, upper: object
) -> tuple[tuple[int, ...], int, list[np.ndarray]]:
    """Check the shapes; return (shape of the stack, n, [A, b, lower, upper]).

    With k problems A is (1 or k, n, n), the others are (k, n).
    """
    matrix = _numbers("A", A)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise BadProblem(
            f"A must be a stack of square matrices, (..., n, n); its shape is {matrix.shape}."
        )
    n = matrix.shape[-1]
    rows = []
    for name, given in (("b", b), ("lower", lower), ("upper", upper)):
        row = _numbers(name, given)
        if row.ndim > 0 and row.shape[-1] != n:
            raise BadProblem(f"{name} has shape {row.shape}; A has {n} rows, so it must be (..., {n}).")
        rows.append(row)
    leading = [matrix.shape[:-2], *(row.shape[:-1] for row in rows)]
    try:
        shape = np.broadcast_shapes(*leading)
    except ValueError:
        raise BadProblem(
            "the leading axes of A, b, lower and upper do not fit each other:"
            f" {', '.join(str(axes) for axes in leading)}."
        ) from None
    if matrix.ndim > 2 and matrix.shape[:-2] != shape:
        matrix = np.broadcast_to(matrix, (*shape, n, n))
    whole = [np.broadcast_to(row, (*shape, n)).reshape(-1, n) for row in rows]
    stack = [np.ascontiguousarray(matrix.reshape(-1, n, n)), *map(np.ascontiguousarray, whole)]
    return shape, n, stack
