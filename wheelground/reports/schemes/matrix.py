"""Runs of the comparison of regularisation schemes, by law, case, scheme, solver and step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import bodies

from .cost import from_python, is_own, step_us
from .history import History
from .measure import SchemeResult, failed, measure, speed_error

REFERENCE = ("implicit", "direct")  # scheme and solver of the reference runs
FINEST_NEEDED = 1e-4  # largest step of a reference [s]
RECORD = 1e-3  # interval of a reference's records [s], at most the smallest step of the case's runs
SAMPLES = 12  # number of stored complementarity problems of a run


@dataclass(frozen=True)
class Named:
    """Ground law or scheme with a name for tables."""

    name: str
    what: Any


@dataclass(frozen=True)
class Matrix:
    """Runs of a comparison: laws, cases, schemes, solvers, steps.

    laws, schemes: ``Named`` each; the first law is the main law, the first solver the main solver.
    solvers: names of solvers. steps: step lengths [s]. patience [s]: runs with a longer expected time
    are left out and counted, except compiled runs of the main law and solver. even: True to run every
    law over all steps and solvers; False: only the main law runs over all, other laws run from
    ``coarse`` [s] on with the main solver, and the whole vehicle runs with the main law and solver only.
    make_cases: function from a law to its cases. only: names of cases; empty: all cases.
    """

    laws: tuple[Named, ...]
    schemes: tuple[Named, ...]
    solvers: tuple[str, ...]
    steps: tuple[float, ...]
    make_cases: Callable[[Any], list[Any]]
    patience: float = 0.5
    even: bool = False
    coarse: float = 1e-3
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class SchemeJob:
    """One planned run of a case: names of law and solver, scheme, step [s]."""

    law: str
    case: Any
    scheme: Named
    solver: str
    step: float

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round(self.case.duration / self.step)

    @property
    def weight(self) -> float:
        """Expected computing time of the run [s]."""
        us = step_us(self.law, self.scheme.what, self.solver, self.case.whole)
        return 1e-6 * self.steps * us + 2e-3


@dataclass(frozen=True)
class SchemeReference:
    """Converged run of a case under a law; ``error_m_s``: change of a speed by a doubled step [m/s]."""

    law: str
    case: Any
    step: float
    run: History | None
    error_m_s: float


@dataclass(frozen=True)
class Results:
    """All results of a comparison."""

    matrix: Matrix
    lines: list[SchemeResult]
    references: list[SchemeReference]
    left_out: int
    pictured: dict[tuple[str, str, float], History]  # main law: by case, scheme, step [s]
    refused: list[str]  # messages of runs refused by a solver, or diverged

    def pick(self, **wanted: Any) -> list[SchemeResult]:
        """Results whose fields have the given values."""
        return [x for x in self.lines if all(getattr(x, k) == v for k, v in wanted.items())]


def nominal_step(steps: Iterable[float]) -> float:
    """Step length nearest to 1 ms, on a logarithmic scale."""
    return min(steps, key=lambda h: abs(math.log(h / 1e-3)))


def jobs(matrix: Matrix) -> tuple[list[tuple[Named, list[Any], list[SchemeJob]]], int]:
    """Return law, cases and planned runs for each law, and the number of runs left out as too long."""
    found, left_out = [], 0
    for k, law in enumerate(matrix.laws):
        main = k == 0 or matrix.even
        cases = [
            c
            for c in matrix.make_cases(law.what)
            if (not matrix.only or c.name in matrix.only) and (main or not c.whole)
        ]
        mine = []
        for case in cases:
            every = main and (matrix.even or not case.whole)
            for scheme in matrix.schemes:
                for solver in matrix.solvers if every else matrix.solvers[:1]:
                    for step in matrix.steps:
                        if step > case.duration:
                            continue
                        if not main and step < min(matrix.coarse, max(matrix.steps)):
                            continue
                        job = SchemeJob(law.name, case, scheme, solver, step)
                        first = k == 0 and solver == matrix.solvers[0]
                        # of a user's scheme, slow in Python, the run at the nominal step is kept
                        usual = is_own(scheme.what) and step == nominal_step(matrix.steps)
                        needed = first and (usual or not from_python(scheme.what, solver))
                        if needed or job.weight <= matrix.patience:
                            mine.append(job)
                        else:
                            left_out += 1
        found.append((law, cases, mine))
    return found, left_out


def reference(law: str, case: Any, step: float, tick: Callable[[float], None]) -> SchemeReference:
    """Run a case with a fifth of its smallest step, and with two fifths for an error estimate."""
    if case.at_rest:
        return SchemeReference(law, case, 0.0, None, 0.0)
    fine = min(step / 5.0, FINEST_NEEDED)
    every = max(1, round(min(RECORD, step) / fine))
    scheme, solver = REFERENCE
    run = case.run(scheme, solver, fine, every, 0, lambda s: tick(0.67 * s))
    twice = case.run(scheme, solver, 2.0 * fine, max(1, every // 2), 0, lambda s: tick(0.67 + 0.33 * s))
    return SchemeReference(law, case, fine, run, speed_error(twice, run)[0])


def run_matrix(
    matrix: Matrix,
    show: Callable[[str, float], Callable[[float], None]],
) -> Results:
    """Run all cases of the matrix, except runs that take too long, and the reference runs.

    ``show(text, weight)`` announces a task and returns the function that reports its progress.
    """
    planned, left_out = jobs(matrix)
    lines: list[SchemeResult] = []
    references: list[SchemeReference] = []
    refused: list[str] = []
    pictured: dict[tuple[str, str, float], History] = {}
    for law, cases, mine in planned:
        main = law is matrix.laws[0]
        for case in cases:
            these = [job for job in mine if job.case is case]
            if not these:
                continue
            finest = min(job.step for job in these)
            tick = show(f"{law.name}: {case.name}, reference", reference_weight(law.name, case, finest))
            there = reference(law.name, case, finest, tick)
            references.append(there)
            problems: dict[tuple[str, float], tuple] = {}
            for job in these:
                tick = show(
                    f"{law.name}: {case.name}, {job.scheme.name}, {job.solver}, {job.step:g} s",
                    job.weight,
                )
                key = (job.scheme.name, job.step)
                first = key not in problems
                names = (case.name, law.name, job.scheme.name, job.solver, job.step)
                try:
                    run = case.run(
                        job.scheme.what, job.solver, job.step, 1, SAMPLES if first else 0, tick
                    )
                except (ValueError, bodies.SimulationError) as error:  # refused, or diverged
                    refused.append(f"{case.name}, {job.scheme.name}, {job.step:g} s: {error}")
                    lines.append(failed(*names, job.steps, job.steps, math.inf))
                    continue
                if first:
                    problems[key] = run.problems
                    if main:
                        pictured[case.name, *key] = thinned(run)
                lines.append(measure(*names, case.goal, run, there.run, problems[key]))
    return Results(matrix, with_largest_steps(lines), references, left_out, pictured, refused)


def reference_weight(law: str, case: Any, step: float) -> float:
    """Expected time of the reference of a case [s]."""
    if case.at_rest:
        return 1e-3
    fine = min(step / 5.0, FINEST_NEEDED)
    return 1.5e-6 * step_us(law, *REFERENCE, case.whole) * case.duration / fine


def total_weight(matrix: Matrix) -> float:
    """Expected time of all runs and references [s], for the progress bar."""
    planned, _ = jobs(matrix)
    total = 0.0
    for law, cases, mine in planned:
        for case in cases:
            steps = [job.step for job in mine if job.case is case]
            total += reference_weight(law.name, case, min(steps)) if steps else 0.0
        total += sum(job.weight for job in mine)
    return total


def thinned(run: History, most: int = 4000) -> History:
    """History with at most ``most`` records, for pictures."""
    every = -(-len(run.time) // most)
    if every <= 1:
        return run
    names = ("time", "speeds", "position", "slip", "thrust", "resistance", "load", "passes")
    kept = {name: getattr(run, name)[::every].copy() for name in names}
    return replace(run, **kept, problems=())


def with_largest_steps(lines: list[SchemeResult]) -> list[SchemeResult]:
    """Add to every result the largest step [s] up to which all tried steps were stable; 0: no step."""
    groups: dict[tuple[str, str, str, str], list[SchemeResult]] = {}
    for line in lines:
        groups.setdefault((line.case, line.law, line.scheme, line.solver), []).append(line)
    largest = {}
    for key, group in groups.items():
        good = 0.0
        for line in sorted(group, key=lambda x: x.step_s):
            if not line.stable:
                break
            good = line.step_s
        largest[key] = good
    return [replace(x, largest_stable_step_s=largest[x.case, x.law, x.scheme, x.solver]) for x in lines]
