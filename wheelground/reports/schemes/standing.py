"""Largest stable and accurate steps of the schemes, differences between solvers, and texts of steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .matrix import REFERENCE, Results
from .measure import CHATTER, MISSED, OFF, SchemeResult

ACCURATE = (0.01, 0.001)  # limits of the error [-] for which the largest step is reported


@dataclass(frozen=True)
class Standing:
    """Largest steps of a scheme over all cases of a law.

    stable: largest step up to which every case was stable [s]; where: name of the limiting case.
    accurate: largest step [s] within each error of ``ACCURATE``, by error and case.
    """

    stable: float
    where: str
    accurate: dict[float, dict[str, float]]


def shared_cases(results: Results) -> set[str]:
    """Names of the cases run under every law."""
    laws = [{r.case.name for r in results.references if r.law == x.name} for x in results.matrix.laws]
    return set.intersection(*laws) if laws else set()


def standing(
    results: Results, name: str, law: str, solver: str, only: set[str] | None = None
) -> Standing | None:
    """Find the largest steps of a scheme, over all cases or the cases ``only``; None without a run."""
    lines = results.pick(scheme=name, law=law, solver=solver)
    lines = [x for x in lines if only is None or x.case in only]
    if not lines:
        return None
    cases = list(dict.fromkeys(x.case for x in lines))
    limits = {c: next(x.largest_stable_step_s for x in lines if x.case == c) for c in cases}
    # A case too short for the longest steps was not run with them: if it was stable at all steps tried,
    # it does not limit the scheme and gets the longest step of all cases.
    longest = max(x.step_s for x in lines)
    tops = {c: max(x.step_s for x in lines if x.case == c) for c in cases}
    capped = {c: longest if limits[c] >= tops[c] else limits[c] for c in cases}
    where = min(capped, key=lambda c: capped[c])
    accurate = {
        limit: {c: largest_within([x for x in lines if x.case == c], limit) for c in cases}
        for limit in ACCURATE
    }
    return Standing(capped[where], where, accurate)


def largest_within(lines: list[SchemeResult], limit: float) -> float:
    """Largest step [s] up to which every run of a case is stable with an error within ``limit``."""
    good = 0.0
    for line in sorted(lines, key=lambda x: x.step_s):
        if not (line.stable and line.error <= limit):
            break
        good = line.step_s
    return good


def smaller_left_out(results: Results, name: str, law: str, solver: str) -> bool:
    """True if in some case another scheme was run with a step below the smallest of scheme ``name``."""
    lines = results.pick(law=law, solver=solver)
    smallest = {(x.case, x.scheme == name): math.inf for x in lines}
    for x in lines:
        key = (x.case, x.scheme == name)
        smallest[key] = min(smallest[key], x.step_s)
    return any(
        smallest.get((case, True), math.inf) > smallest.get((case, False), math.inf)
        for case in {x.case for x in lines}
    )


def paired(
    results: Results, law: str, first: str, other: str
) -> list[tuple[SchemeResult, SchemeResult]]:
    """Pairs of runs that differ by the solver only."""
    mine = {(x.case, x.scheme, x.step_s): x for x in results.pick(law=law, solver=first)}
    pairs = []
    for x in results.pick(law=law, solver=other):
        key = (x.case, x.scheme, x.step_s)
        if key in mine and not math.isnan(x.us_per_step) and not math.isnan(mine[key].us_per_step):
            pairs.append((mine[key], x))
    return pairs


def error_difference(a: SchemeResult, b: SchemeResult) -> float:
    """Difference of two runs' errors [-]; 0 if a run is unstable, since then the error is arbitrary."""
    return abs(a.error - b.error) if a.stable and b.stable else 0.0


def two(value: float) -> str:
    """Text of a value with two significant digits, without an exponent."""
    return f"{float(f'{value:.2g}'):g}"


def seconds(step: float) -> str:
    """Text of a step with a unit, such as 0.1 ms, 1 ms or 0.1 s."""
    if step <= 0.0 or math.isnan(step):
        return "no step tried"
    return f"{step:g} s" if step >= 0.1 else f"{1e3 * step:g} ms"


def percentage(value: float) -> str:
    """Text of a fraction as a percentage."""
    if math.isnan(value):
        return "-"
    return f"{100 * value:.2g} %"


def criteria(law: str) -> str:
    """Text that defines a stable run and names the reference run and the ground law."""
    scheme, solver = REFERENCE
    return (
        f"stable: ends, misses tolerances in at most {100 * MISSED:g} % of its steps, less than "
        f"{CHATTER:g} peaks of thrust up and down beyond the reference's, speeds within "
        f"{100 * OFF:g} % of the reference's top speed. Reference: {scheme} with {solver} at a fifth of "
        f"the smallest step. Law: {law}."
    )
