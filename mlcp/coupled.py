"""Bounds that depend on another row, as friction's do on the normal impulse.

    -mu_t z_n <= z_t <= mu_t z_n          (row t follows row n)

Three treatments, by name:

- ``frozen``: z_n of the last step (or of z0) fixes the bounds; one ordinary problem.
- ``iterated``: frozen problems, each with the bounds of the last one's solution, until the bounds
  agree with the solution. A fixed-point iteration: converges where mu and the coupling are small.
- ``coupled``: the bounds move with z inside the solver. A row at its bound is tied, z_t = +-mu z_n,
  which makes the matrix asymmetric; rows change state in blocks as in ``direct``. Exact where it
  ends; if it goes round in circles the iterated treatment takes over from its best point.

What ``coupled`` claims: an answer called solved has its natural residual within the tolerance, with
the bounds of its own z. Where several exist it returns one of them. It proves nothing where it finds
none: with friction there need not be a solution (Painleve), and the status is ITERATION_LIMIT then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mlcp.checks import nearest
from mlcp.problem import MLCP, BadProblem
from mlcp.solution import MlcpNotSolved, Solution, natural_residual
from mlcp.solve import judge, solve
from mlcp.solvers.base import Answer, Solver
from mlcp.solvers.direct import active_set
from mlcp.status import Status

TREATMENTS = ("frozen", "iterated", "coupled")


@dataclass(frozen=True, eq=False)
class CoupledMLCP:
    """An MLCP in which some rows' bounds are +-mu times another row's z.

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
        n = self.base.n
        normal = np.array(self.normal, dtype=np.int64)
        mu = np.broadcast_to(np.asarray(self.mu, dtype=np.float64), (n,)).copy()
        if normal.shape != (n,):
            raise BadProblem(f"normal has shape {normal.shape}; it must be ({n},).")
        for i in np.flatnonzero(normal >= 0):
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

    def at(self, z: np.ndarray) -> MLCP:
        """The ordinary problem with the bounds that z gives."""
        follows = self.normal >= 0
        limit = np.where(follows, self.mu * np.maximum(z[self.normal], 0.0), 0.0)
        return replace(
            self.base,
            lower=np.where(follows, -limit, self.base.lower),
            upper=np.where(follows, limit, self.base.upper),
        )


def solve_coupled(
    problem: CoupledMLCP,
    treatment: str = "coupled",
    solver: str | Solver = "direct",
    tol: float = 1e-10,
    z0: np.ndarray | None = None,
    max_iterations: int = 200,
    raise_on_failure: bool = True,
) -> Solution:
    """Solve by one of the ``TREATMENTS``; the Solution's problem has the bounds it was judged by.

    Arguments:
        problem: rows, some of which follow another's z.
        treatment: a name in ``TREATMENTS``.
        solver, tol, max_iterations, raise_on_failure: as ``solve``.
        z0: (n,) start; it gives ``frozen`` its bounds (zero: no friction at all).
    Returns: a Solution. For ``iterated`` and ``coupled`` it is judged with the bounds of its own z.
        ``extras["bound_change"]`` is how far the bounds used lie from those of z [units of z];
        for ``frozen`` that is the error made.

    Raises:
        ValueError: an unknown treatment or solver, with the nearest known.
        MlcpNotSolved: no solution found, unless ``raise_on_failure`` is False.
    """
    if treatment not in TREATMENTS:
        raise ValueError(f"unknown treatment {treatment!r}; {nearest(treatment, TREATMENTS)}")
    z = np.zeros(problem.base.n) if z0 is None else np.array(z0, dtype=np.float64)
    if treatment == "frozen":
        found = solve(problem.at(z), solver, tol, z, raise_on_failure)
        rows = problem.normal >= 0
        change = problem.at(found.z).upper[rows] - found.problem.upper[rows]
        error = float(np.max(np.abs(change), initial=0.0))
        return replace(found, extras={**found.extras, "bound_change": error})
    if treatment == "coupled":
        z, exchanges, done = _pivot_coupled(problem, z, max_iterations)
        if done and natural_residual(problem.at(z), z) <= tol:
            return _judged(problem, z, exchanges, "coupled", tol, raise_on_failure)
    iteration = 0
    while iteration < max_iterations:
        iteration += 1
        found = solve(problem.at(z), solver, tol, z, raise_on_failure=False)
        z = found.z
        if natural_residual(problem.at(z), z) <= 0.5 * tol or not found.solved:
            break
    return _judged(problem, z, iteration, "iterated", tol, raise_on_failure)


def _judged(problem, z, iterations, how, tol, raise_on_failure) -> Solution:
    at = problem.at(z)
    answer = Answer(
        np.clip(z, at.lower, at.upper), Status.ITERATION_LIMIT, iterations, active_set(at, z),
        {"bound_change": 0.0, "treatment": how},
    )  # fmt: skip
    solution = judge(at, answer, how, tol)
    if raise_on_failure and not solution.solved:
        raise MlcpNotSolved(at, solution)
    return solution


def _pivot_coupled(problem: CoupledMLCP, z: np.ndarray, limit: int):
    """Block exchanges with tied rows; returns (z, exchanges, whether it ended)."""
    p, normal, mu = problem.base, problem.normal, problem.mu
    A, n = p.dense_A, p.n
    follows = normal >= 0
    scale = np.sqrt(np.where(A.diagonal() > 0.0, A.diagonal(), 1.0))
    beta = np.max(np.abs(p.b) / scale, initial=0.0) or 1.0
    state = np.where(np.isfinite(p.lower) & ~np.isfinite(p.upper) & ~follows & (p.b > 0), -1, 0)
    state[p.lower == p.upper] = -1
    state[follows] = 0
    best, best_z, patience = n + 1, z, 5
    for exchange in range(1, limit + 1):
        held = (state != 0) & ~follows
        tied = (state != 0) & follows
        free = np.flatnonzero(state == 0)
        # z = T z_free + z_held: tied rows are multiples of their normal row's.
        T = np.zeros((n, len(free)))
        T[free, np.arange(len(free))] = 1.0
        fixed = np.where(held, np.where(state < 0, p.lower, p.upper), 0.0)
        fixed[~np.isfinite(fixed)] = 0.0
        for t in np.flatnonzero(tied):
            T[t] = state[t] * mu[t] * T[normal[t]]
            fixed[t] = state[t] * mu[t] * fixed[normal[t]]
        block = (A @ T)[free]
        right = -(A @ fixed + p.b)[free]
        rows, columns = 1.0 / scale[free], 1.0 / scale[free]
        x = np.linalg.lstsq(block * np.outer(rows, columns), right * rows, rcond=1e-12)[0] * columns
        z = T @ x + fixed
        w = A @ z + p.b
        reach = mu * np.maximum(z[normal], 0.0)
        lower, upper = np.where(follows, -reach, p.lower), np.where(follows, reach, p.upper)
        tau = 1e-12 * beta + 1e-15 * n * np.max(np.abs(z) * scale, initial=0.0)
        new = state.copy()
        new[(state == 0) & (z < lower - tau / scale)] = -1
        new[(state == 0) & (z > upper + tau / scale)] = 1
        loose = lower < upper
        new[(state < 0) & (w < -tau * scale) & (loose | follows)] = 0
        new[(state > 0) & (w > tau * scale) & (loose | follows)] = 0
        # A tied row whose normal has opened slides on nothing: zero either way.
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
    return best_z, limit, False
