"""Problems in which bounds depend on another row's z, as friction bounds on the normal impulse.

    -mu_t z_n <= z_t <= mu_t z_n          (row t follows row n)

Three treatments of such bounds, by name:

- ``frozen``: z_n of the start z0, as of the last time step, fixes the bounds; one ordinary problem.
- ``iterated``: a sequence of frozen problems, each with the bounds of the previous solution, until the
  bounds agree with the solution. A fixed-point iteration: converges where mu and the coupling are small.
- ``coupled``: the bounds change with z inside the solver. With z_t = x - y and a limit u,

      x >= 0 compl. to w_t + u,    y >= 0 compl. to u - w_t,    u >= 0 compl. to mu_t z_n - x - y,

  the problem is an ordinary one. Lemke's method in the solver ``direct`` finds its solution if A is
  positive definite. If the solver fails, the iterated treatment follows.
  Source: Stewart & Trinkle, Int. J. Numer. Methods Eng. 39 (1996).

A solution of ``coupled`` with status SOLVED has a natural residual within the tolerance, with the
bounds that follow from this solution's z; of several solutions one is returned. A failure (status
ITERATION_LIMIT or TIME_LIMIT) proves nothing: with friction and an A that is not positive definite no
solution need exist (Painleve).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mlcp.checks import nearest, real_array
from mlcp.compiled.compile_count import compiled
from mlcp.kinds import Vector, checked
from mlcp.problem import MLCP, BadProblem, vector
from mlcp.solution import MlcpNotSolved, Solution, natural_residual
from mlcp.solve import solution_of, solve, start_vector, tolerance
from mlcp.solvers import SOLVERS
from mlcp.solvers.base import Answer, Count, Solver, active_set, deadline, has_passed
from mlcp.status import Status

TREATMENTS = ("frozen", "iterated", "coupled")


@dataclass(frozen=True, eq=False)
@checked
class CoupledMLCP:
    """MLCP in which some rows' bounds are +-mu times another row's z.

    Arguments:
        base: A, b and the fixed bounds; bounds of rows with ``normal`` >= 0 are ignored.
        normal: (n,) integers; ``normal[i]``: index of the row whose z bounds row i, -1: fixed bounds.
        mu: (n,) or scalar factor >= 0, read where normal >= 0.

    Raises:
        BadProblem: a wrong shape, a ``normal`` that is not another row with fixed bounds and
            lower >= 0, a ``mu`` below 0 or not finite.
    """

    base: MLCP
    normal: np.ndarray
    mu: np.ndarray | float

    def __post_init__(self) -> None:
        if not isinstance(self.base, MLCP):
            raise BadProblem(f"base must be an MLCP; it is a {type(self.base).__name__}.")
        n = self.base.n
        given = real_array("normal", self.normal, BadProblem)
        if given.shape != (n,):
            raise BadProblem(f"normal has shape {given.shape}; it must be ({n},).")
        mu = real_array("mu", self.mu, BadProblem)
        if mu.shape not in ((), (n,)):
            raise BadProblem(f"mu has shape {mu.shape}; it must be a number or ({n},).")
        mu = np.broadcast_to(mu, (n,)).copy()
        for i, wanted in enumerate(given.tolist()):
            if wanted == -1:
                continue
            if wanted not in range(n) or wanted == i or given[int(wanted)] != -1:
                raise BadProblem(
                    f"normal of row {self.base.row_name(i)} is {wanted:g}; it must be -1 or another row"
                    f" of the {n}, one with fixed bounds."
                )
            j = int(wanted)
            if not self.base.lower[j] >= 0.0:
                raise BadProblem(
                    f"row {self.base.row_name(j)} bounds row {self.base.row_name(i)}, so its own"
                    f" lower bound must be >= 0; it is {self.base.lower[j]}."
                )
            if not 0.0 <= mu[i] < np.inf:
                raise BadProblem(
                    f"mu of row {self.base.row_name(i)} is {mu[i]}; it must be finite and >= 0."
                )
        object.__setattr__(self, "normal", given.astype(np.int64))
        object.__setattr__(self, "mu", mu)

    def at(self, z: Vector) -> MLCP:
        """Ordinary problem with the fixed friction bounds +-mu z_n that follow from this z."""
        z = vector("z", z, self.base.n)
        follows = self.normal >= 0
        limit = np.where(follows, self.mu * np.maximum(z[self.normal], 0.0), 0.0)
        return replace(
            self.base,
            lower=np.where(follows, -limit, self.base.lower),
            upper=np.where(follows, limit, self.base.upper),
        )

    def as_one(self) -> MLCP:
        """Ordinary problem of ``coupled``; unknowns: z (x for rows with ``normal`` >= 0), y, u."""
        p, rows = self.base, np.flatnonzero(self.normal >= 0)
        n, many = p.n, len(rows)
        P = np.hstack([np.eye(n), -np.eye(n)[:, rows]])
        other, limit = np.arange(n, n + many), np.arange(n + many, n + 2 * many)
        A = np.zeros((n + 2 * many, n + 2 * many))
        A[: n + many, : n + many] = P.T @ p.dense_A @ P
        A[rows, limit] = A[other, limit] = 1.0
        A[limit, rows] = A[limit, other] = -1.0
        A[limit, self.normal[rows]] = np.asarray(self.mu)[rows]
        lower, upper = p.lower.copy(), p.upper.copy()
        lower[rows], upper[rows] = 0.0, np.inf
        more = np.zeros(2 * many)
        return MLCP(A, np.r_[P.T @ p.b, more[:many]], np.r_[lower, more], np.r_[upper, more + np.inf])

    def of_one(self, x: Vector) -> np.ndarray:
        """z (n,) from a solution x of ``as_one``; at a friction bound z equals the bound exactly."""
        n, rows = self.base.n, np.flatnonzero(self.normal >= 0)
        z, many = x[:n].copy(), len(rows)
        reach = np.asarray(self.mu)[rows] * np.maximum(x[self.normal[rows]], 0.0)
        z[rows] = np.clip(x[rows] - x[n : n + many], -reach, reach)
        z[rows] = np.where(x[n + many :] > 0.0, np.copysign(reach, z[rows]), z[rows])
        return z


@checked
def solve_coupled(
    problem: CoupledMLCP,
    treatment: str = "coupled",
    solver: str | Solver = "direct",
    tol: float = 1e-10,
    z0: np.ndarray | None = None,
    max_iterations: Count = 200,
    raise_on_failure: bool = True,
) -> Solution:
    """Solve with one of the ``TREATMENTS``.

    Arguments:
        problem: a CoupledMLCP.
        treatment: a name in ``TREATMENTS``.
        solver, tol, raise_on_failure: as of ``solve``.
        z0: (n,) start of ``frozen`` and ``iterated``, default zero; the bounds of ``frozen`` follow from
            z0 (zero: no friction).
        max_iterations: largest number of problems solved by ``iterated``.
    Returns: a Solution whose ``problem`` has the bounds used for the residual; for ``iterated`` and
        ``coupled`` these follow from the solution's z. ``extras["bound_change"]``: largest difference
        between the bounds used and the bounds that follow from z [units of z], the error of ``frozen``.
        ``solver`` is ``iterated`` if ``coupled`` has failed.

    Raises:
        ValueError: an unknown treatment or solver, with the nearest known; a bad tol or z0.
        MlcpNotSolved: no solution found, unless ``raise_on_failure`` is False.
    """
    if not isinstance(treatment, str) or treatment not in TREATMENTS:
        raise ValueError(f"unknown treatment {treatment!r}; {nearest(treatment, TREATMENTS)}")
    tol = tolerance(tol)
    chosen = SOLVERS.find(solver)
    before, end = compiled[0], deadline(getattr(chosen, "time_limit", float("inf")))
    z = np.zeros(problem.base.n) if z0 is None else start_vector(z0, problem.base.n)
    if treatment == "frozen":
        found = solve(problem.at(z), solver, tol, z, raise_on_failure)
        rows = problem.normal >= 0
        change = problem.at(found.z).upper[rows] - found.problem.upper[rows]
        error = float(np.max(np.abs(change), initial=0.0))
        return replace(found, extras={**found.extras, "bound_change": error})
    if treatment == "coupled":
        found = solve(problem.as_one(), chosen, tol, raise_on_failure=False)
        ended = problem.of_one(found.z)
        if natural_residual(problem.at(ended), ended) <= tol:
            return _solution(problem, ended, found.iterations, "coupled", tol, raise_on_failure)
    iteration = 0
    while iteration < max_iterations and not has_passed(end):
        iteration += 1
        found = solve(problem.at(z), solver, tol, z, raise_on_failure=False)
        z = found.z
        if natural_residual(problem.at(z), z) <= 0.5 * tol or not found.solved:
            break
    if has_passed(end) and compiled[0] > before:  # kernels were compiled within the time limit: repeat
        return solve_coupled(problem, treatment, solver, tol, z0, max_iterations, raise_on_failure)
    status = Status.TIME_LIMIT if has_passed(end) else Status.ITERATION_LIMIT
    return _solution(problem, z, iteration, "iterated", tol, raise_on_failure, status)


def _solution(
    problem, z, iterations, how, tol, raise_on_failure, status=Status.ITERATION_LIMIT
) -> Solution:
    at = problem.at(z)
    answer = Answer(
        np.clip(z, at.lower, at.upper), status, iterations, active_set(at, z),
        {"bound_change": 0.0, "treatment": how},
    )  # fmt: skip
    solution = solution_of(at, answer, how, tol)
    if raise_on_failure and not solution.solved:
        raise MlcpNotSolved(at, solution)
    return solution
