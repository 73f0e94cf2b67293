"""Bounds that depend on another row's z, as those of friction on the normal impulse.

    -mu_t z_n <= z_t <= mu_t z_n          (row t follows row n)

Three treatments, by name:

- ``frozen``: z_n of the last step (or of z0) fixes the bounds; one ordinary problem.
- ``iterated``: frozen problems, each with the bounds of the last one's solution, until the bounds
  agree with the solution. A fixed-point iteration: converges where mu and the coupling are small.
- ``coupled``: the bounds move with z inside the solver. A row at its bound is tied, z_t = +-mu z_n,
  which makes the matrix asymmetric; rows change state in blocks as in ``direct``. Exact if it ends; if
  it cycles, Lemke's method follows (``mlcp.lemke``), which ends in a solution for every positive
  definite A; then, as the last resort, the iterated treatment.

A solution of ``coupled`` with status SOLVED has its natural residual within the tolerance, with the
bounds of its own z. Of several solutions it returns one. A failure proves nothing: with friction and an
A that is not positive definite there need not be a solution (Painleve); the status is ITERATION_LIMIT.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mlcp.checks import nearest, real_array
from mlcp.compiled.noted import compiles
from mlcp.kinds import Vector, checked
from mlcp.lemke import follow_path
from mlcp.problem import MLCP, BadProblem, vector
from mlcp.solution import MlcpNotSolved, Solution, natural_residual
from mlcp.solve import judge, solve, start_vector, tolerance
from mlcp.solvers import SOLVERS
from mlcp.solvers.base import Answer, Count, Solver, deadline, late
from mlcp.solvers.direct import active_set
from mlcp.status import Status

PATHS = 4  # covering vectors tried in Lemke's method
TREATMENTS = ("frozen", "iterated", "coupled")


@dataclass(frozen=True, eq=False)
@checked
class CoupledMLCP:
    """MLCP in which some rows' bounds are +-mu times another row's z.

    Arguments:
        base: A, b and the fixed bounds; the bounds of following rows are ignored.
        normal: (n,) integers, the row that row i follows, or -1.
        mu: (n,) or scalar factor >= 0, read where normal >= 0.

    Raises:
        BadProblem: a ``normal`` that is no row, a ``mu`` below 0 or not finite.
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
        wrong = np.flatnonzero(~((given >= -1) & (given < max(n, 1)) & (given == np.rint(given))))
        if wrong.size:
            i = int(wrong[0])
            raise BadProblem(
                f"normal of row {self.base.row_name(i)} is {given[i]:g}; it must be -1 or another row of"
                f" the {n}, one with fixed bounds."
            )
        normal = given.astype(np.int64)
        mu = real_array("mu", self.mu, BadProblem)
        if mu.shape not in ((), (n,)):
            raise BadProblem(f"mu has shape {mu.shape}; it must be a number or ({n},).")
        mu = np.broadcast_to(mu, (n,)).copy()
        for i in map(int, np.flatnonzero(normal >= 0)):
            j = int(normal[i])
            if j >= n or j == i or normal[j] >= 0:
                raise BadProblem(
                    f"normal of row {self.base.row_name(i)} is {j}; it must be another row of the"
                    f" {n}, one with fixed bounds."
                )
            if not self.base.lower[j] >= 0.0:
                raise BadProblem(
                    f"row {self.base.row_name(j)} bounds row {self.base.row_name(i)}, so its own"
                    f" lower bound must be >= 0; it is {self.base.lower[j]}."
                )
            if not 0.0 <= mu[i] < np.inf:
                raise BadProblem(
                    f"mu of row {self.base.row_name(i)} is {mu[i]}; it must be finite and >= 0."
                )
        object.__setattr__(self, "normal", normal)
        object.__setattr__(self, "mu", mu)

    def at(self, z: Vector) -> MLCP:
        """Ordinary problem with the bounds of this z."""
        z = vector("z", z, self.base.n)
        follows = self.normal >= 0
        limit = np.where(follows, self.mu * np.maximum(z[self.normal], 0.0), 0.0)
        return replace(
            self.base,
            lower=np.where(follows, -limit, self.base.lower),
            upper=np.where(follows, limit, self.base.upper),
        )


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
    """Solve by one of the ``TREATMENTS``; the Solution's problem has the bounds used for its residual.

    Arguments:
        problem: rows, some of which follow another's z.
        treatment: a name in ``TREATMENTS``.
        solver, tol, max_iterations, raise_on_failure: as ``solve``.
        z0: (n,) start; it gives ``frozen`` its bounds (zero: no friction at all).
    Returns: a Solution. For ``iterated`` and ``coupled`` its residual has the bounds of its own z.
        ``extras["bound_change"]``: distance of the bounds used from those of z [units of z]; for
        ``frozen`` that is the error.

    Raises:
        ValueError: an unknown treatment or solver, with the nearest known; a bad tol or z0.
        MlcpNotSolved: no solution found, unless ``raise_on_failure`` is False.
    """
    if not isinstance(treatment, str) or treatment not in TREATMENTS:
        raise ValueError(f"unknown treatment {treatment!r}; {nearest(treatment, TREATMENTS)}")
    tol = tolerance(tol)
    chosen = SOLVERS.find(solver)
    compiled, end = compiles(), deadline(getattr(chosen, "time_limit", float("inf")))
    z = np.zeros(problem.base.n) if z0 is None else start_vector(z0, problem.base.n)
    if treatment == "frozen":
        found = solve(problem.at(z), solver, tol, z, raise_on_failure)
        rows = problem.normal >= 0
        change = problem.at(found.z).upper[rows] - found.problem.upper[rows]
        error = float(np.max(np.abs(change), initial=0.0))
        return replace(found, extras={**found.extras, "bound_change": error})
    if treatment == "coupled":
        z, exchanges, done = _pivot_coupled(problem, z, max_iterations, end)
        if done and natural_residual(problem.at(z), z) <= tol:
            return _judged(problem, z, exchanges, "coupled", tol, raise_on_failure)
        for start in range(PATHS):
            ended = follow_path(problem, start, end)
            if ended is None:
                continue
            ended = _finish(problem, ended)
            if natural_residual(problem.at(ended), ended) <= tol:
                return _judged(problem, ended, exchanges, "coupled", tol, raise_on_failure)
    iteration = 0
    while iteration < max_iterations and not late(end):
        iteration += 1
        found = solve(problem.at(z), solver, tol, z, raise_on_failure=False)
        z = found.z
        if natural_residual(problem.at(z), z) <= 0.5 * tol or not found.solved:
            break
    if late(end) and compiles() > compiled:  # the limit passed during compilation
        return solve_coupled(problem, treatment, solver, tol, z0, max_iterations, raise_on_failure)
    status = Status.TIME_LIMIT if late(end) else Status.ITERATION_LIMIT
    return _judged(problem, z, iteration, "iterated", tol, raise_on_failure, status)


def _judged(
    problem, z, iterations, how, tol, raise_on_failure, status=Status.ITERATION_LIMIT
) -> Solution:
    at = problem.at(z)
    answer = Answer(
        np.clip(z, at.lower, at.upper), status, iterations, active_set(at, z),
        {"bound_change": 0.0, "treatment": how},
    )  # fmt: skip
    solution = judge(at, answer, how, tol)
    if raise_on_failure and not solution.solved:
        raise MlcpNotSolved(at, solution)
    return solution


def _point(problem: CoupledMLCP, state: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """z for these states: free rows with w = 0, the others at their bounds, tied rows at +-mu z_n."""
    p, normal, mu = problem.base, problem.normal, np.asarray(problem.mu)
    A, n, follows = p.dense_A, p.n, problem.normal >= 0
    free = np.flatnonzero(state == 0)
    # z = T z_free + fixed: tied rows are multiples of their normal row's.
    T = np.zeros((n, len(free)))
    T[free, np.arange(len(free))] = 1.0
    fixed = np.where((state != 0) & ~follows, np.where(state < 0, p.lower, p.upper), 0.0)
    fixed[~np.isfinite(fixed)] = 0.0
    for t in np.flatnonzero((state != 0) & follows):
        T[t] = state[t] * mu[t] * T[normal[t]]
        fixed[t] = state[t] * mu[t] * fixed[normal[t]]
    unit = 1.0 / scale[free]
    block = (A @ T)[free] * np.outer(unit, unit)
    z = fixed
    for _refined in range(2):
        right = -(A @ z + p.b)[free] * unit
        z = z + T @ (np.linalg.lstsq(block, right, rcond=1e-12)[0] * unit)
    return z


def _scales(p: MLCP) -> np.ndarray:
    diagonal = p.diagonal()
    return np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))


def _finish(problem: CoupledMLCP, z: np.ndarray) -> np.ndarray:
    """Exact point for the states nearest to z, or z if that is no better."""
    p, at = problem.base, problem.at(z)
    scale = _scales(p)
    with np.errstate(invalid="ignore"):
        to_lower, to_upper = np.abs(z - at.lower) * scale, np.abs(at.upper - z) * scale
    w = np.abs(at.w(z)) / scale
    state = np.where(to_lower < w, -1, np.where(to_upper < w, 1, 0))
    state[p.lower == p.upper] = -1
    state[(problem.normal >= 0) & (at.upper == 0.0)] = -1
    better = _point(problem, state, scale)
    clipped = [np.clip(x, problem.at(x).lower, problem.at(x).upper) for x in (z, better)]
    return min(clipped, key=lambda x: natural_residual(problem.at(x), x))


def _pivot_coupled(problem: CoupledMLCP, z: np.ndarray, limit: float, end: float):
    """Block exchanges with tied rows; returns (z, exchanges, True if it ended)."""
    p, normal, mu = problem.base, problem.normal, problem.mu
    A, n = p.dense_A, p.n
    follows = normal >= 0
    scale = _scales(p)
    state = np.where(np.isfinite(p.lower) & ~np.isfinite(p.upper) & ~follows & (p.b > 0), -1, 0)
    state[p.lower == p.upper] = -1
    state[follows] = 0
    best, best_z, patience, exchange = n + 1, z, 5, 0
    while exchange < limit and not late(end):
        exchange += 1
        z = _point(problem, state, scale)
        w = A @ z + p.b
        terms = (np.abs(A) @ np.abs(z) + np.abs(p.b)) / scale
        reach = mu * np.maximum(z[normal], 0.0)
        lower, upper = np.where(follows, -reach, p.lower), np.where(follows, reach, p.upper)
        tau = (1e-12 + 1e-15 * n) * terms
        new = state.copy()
        new[(state == 0) & (z < lower - tau / scale)] = -1
        new[(state == 0) & (z > upper + tau / scale)] = 1
        loose = lower < upper
        new[(state < 0) & (w < -tau * scale) & (loose | follows)] = 0
        new[(state > 0) & (w > tau * scale) & (loose | follows)] = 0
        # A tied row with an open normal row: z = 0 in either direction.
        idle = follows & (reach <= tau / scale)
        new[idle] = np.where(w[idle] > 0.0, -1, 1)
        offending = int(np.count_nonzero((new != state) & ~idle))
        if offending == 0:
            return z, exchange, True
        if offending < best:
            best, best_z, patience = offending, z, 5
        else:
            patience -= 1
        if patience < -20:
            break
        if patience < 0:  # one at a time, the least index first
            first = int(np.flatnonzero((new != state) & ~idle)[0])
            single = state.copy()
            single[first] = new[first]
            new = single
        state = new
    return best_z, exchange, False
