"""Measures of a run of the comparison of regularisations: errors, chatter, creep, energy, condition."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mlcp import MLCP, solve

from ..quarter.closed_form import ratios
from ..quarter.runs import total_variation
from .history import Goal, History

#: Limits of a stable run: chatter over the thrust's peak, speed error over the reference's top speed,
#: fraction of steps that miss a tolerance.
CHATTER, OFF, MISSED = 0.5, 0.05, 0.01
AT_REST_SCALE = 1.0  # scale of speed errors for a reference at rest [m/s]


@dataclass(frozen=True)
class SchemeResult:
    """Measures of one run of the matrix; NaN for a measure that is not applicable.

    steady_error: largest relative error in the last second (braking: between 0.6 and 0.4 of the first
    speed), of slip, thrust and resistance against the closed form (full vehicle: of thrust against the
    law). error_m_s: largest difference of a speed from the reference over the run [m/s]; error:
    error_m_s over the reference's top speed. chatter: excess of the thrust's total variation over that
    of the reference (at rest: of a monotone change from the first to the last value), over the thrust's
    peak. creep_mm_min: creep in a state of rest. energy_lost: numerical dissipation over initial energy
    plus energy input. passes: contact solves per step. iterations: mean number of the solver's
    iterations on sampled problems without warm start. condition: median condition number of sampled
    contact matrices, without rows of fixed impulse z, scaled to unit diagonal; inf: singular.
    """

    case: str
    law: str
    scheme: str
    solver: str
    step_s: float
    steps: int
    stable: bool
    largest_stable_step_s: float
    steady_error: float
    error: float
    error_m_s: float
    chatter: float
    creep_mm_min: float
    energy_lost: float
    passes_mean: float
    passes_max: float
    iterations: float
    missed: int
    residual: float
    us_per_step: float
    condition: float

    @property
    def cost(self) -> float:
        """Computing time over simulated time [-]."""
        return 1e-6 * self.us_per_step / self.step_s

    def cells(self) -> list:
        """Values of all fields, in the order of the columns of the CSV file."""
        return [getattr(self, f.name) for f in fields(self)]


def net_change(force: NDArray[np.float64]) -> float:
    """Total variation of a monotone force between the same ends, over the largest force [-]."""
    top = float(np.abs(force).max())
    return float(np.abs(force[-1] - force[0]).max()) / top if top > 0.0 else 0.0


def speed_error(run: History, reference: History | None) -> tuple[float, float]:
    """Largest difference of a speed from the reference [m/s], and this over the top speed [-]."""
    if reference is None:
        worst = float(np.abs(run.speeds).max())
        return worst, worst / AT_REST_SCALE
    worst = 0.0
    for k in range(run.speeds.shape[1]):
        there = np.interp(run.time, reference.time, reference.speeds[:, k])
        worst = max(worst, float(np.abs(run.speeds[:, k] - there).max()))
    return worst, worst / float(np.abs(reference.speeds).max())


def steady_error(goal: Goal, run: History) -> float:
    """Largest relative error against the closed form in the goal's time window; NaN without one."""
    t = run.time
    if goal.when == "law":
        return law_error(goal, run)
    if goal.when == "end" and not goal.reason:
        window = t > t[-1] - 1.0
    elif goal.when == "braking" and not goal.reason:
        v, first = run.speeds[:, 0], run.speeds[0, 0]
        window = (v < 0.6 * first) & (v > 0.4 * first)
    else:
        return math.nan
    if not window.any():
        return math.inf
    pairs = ((run.slip, goal.slip), (run.thrust, goal.thrust), (run.resistance, goal.resistance))
    worst = 0.0
    for values, exact in pairs:
        off = np.abs(np.abs(values[window]) - abs(exact)).max()
        worst = max(worst, float(off) / abs(exact) if exact else float(off) / abs(goal.thrust))
    return worst


def law_error(goal: Goal, run: History) -> float:
    """Largest error of a thrust against the law at the wheel's slip and load, over the top thrust."""
    assert goal.wheel is not None
    window = run.time > run.time[-1] - 1.0
    slip, thrust, load = run.slip[window], run.thrust[window], run.load[window]
    wanted = ratios(goal.wheel, np.clip(slip, -1.0, 1.0), load).thrust * load
    moving = np.abs(slip) > 1e-9
    return float((np.abs(thrust - wanted) * moving).max() / max(np.abs(wanted).max(), 1e-300))


def creep(goal: Goal, run: History) -> float:
    """Creep in a state of rest [mm/min]; NaN for a case in motion."""
    standing = run.position[run.time >= goal.since]
    if len(standing) < 2:
        return math.nan
    t = run.time[run.time >= goal.since]
    return 6e4 * abs(float(standing[-1] - standing[0])) / float(t[-1] - t[0])


def condition(problems: tuple[MLCP, ...]) -> float:
    """Median condition number of the scaled matrices without rows of fixed z; inf: singular."""
    found = []
    for problem in problems:
        live = problem.lower < problem.upper
        A = problem.dense_A[np.ix_(live, live)]
        if A.size == 0:
            continue
        scale = np.sqrt(np.diag(A))
        values = np.linalg.eigvalsh(A / np.outer(scale, scale))
        singular = values[0] <= 1e-14 * values[-1]
        found.append(math.inf if singular else float(values[-1] / values[0]))
    return float(np.median(found)) if found else math.nan


def iterations(problems: tuple[MLCP, ...], solver: str) -> float:
    """Mean number of the solver's iterations on the sampled problems, each without warm start.

    Problems that the solver refuses are left out; NaN if the solver refuses all.
    """
    counts: list[int] = []
    for problem in problems:
        with contextlib.suppress(ValueError):
            counts.append(solve(problem, solver, raise_on_failure=False).iterations)
    return float(np.mean(counts)) if counts else math.nan


def failed(
    case: str, law: str, scheme: str, solver: str, step: float, steps: int, missed: int, residual: float
) -> SchemeResult:
    """Make the result of a run that diverged or was refused by the solver."""
    nan = math.nan
    return SchemeResult(
        case, law, scheme, solver, step, steps, False, nan, nan, math.inf, math.inf, math.inf, nan,
        nan, nan, nan, nan, missed, residual, nan, nan,
    )  # fmt: skip


def measure(
    case: str, law: str, scheme: str, solver: str, step: float, goal: Goal, run: History,
    reference: History | None, problems: tuple[MLCP, ...],
) -> SchemeResult:  # fmt: skip
    """Make the result of a run from its history: errors, chatter, cost."""
    if not (np.isfinite(run.speeds).all() and np.isfinite(run.thrust).all()):
        return failed(case, law, scheme, solver, step, run.steps, run.missed, run.residual)
    off, relative = speed_error(run, reference)
    quiet = net_change(run.thrust) if reference is None else total_variation(reference.thrust)
    chatter = max(0.0, total_variation(run.thrust) - quiet)
    return SchemeResult(
        case, law, scheme, solver, step, run.steps,
        bool(run.missed <= MISSED * run.steps and chatter < CHATTER and relative < OFF), math.nan,
        steady_error(goal, run), relative, off, chatter, creep(goal, run),
        run.lost / run.turned_over if run.turned_over > 1.0 else math.nan,
        float(run.passes.mean()), float(run.passes.max()), iterations(problems, solver),
        run.missed, run.residual, 1e6 * run.wall_s / run.steps, condition(problems),
    )  # fmt: skip
