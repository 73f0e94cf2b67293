"""Plain words, computed from the numbers: which scheme, which step, which solver."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mlcp import SOLVERS

from .matrix import REFERENCE, Results, nominal_step
from .measure import CHATTER, MISSED, OFF, Line

HELD = 1.0  # a wheel that creeps less holds [mm/min]
ACCURATE = (0.01, 0.001)  # whole-run errors for which the largest step is told
NOTABLE = 1.15  # ratios of times closer than this are told as equal: machines are noisy


@dataclass(frozen=True)
class Standing:
    """What a scheme comes to over all cases of the main law, with the main solver.

    stable [s]: largest step at which every case was stable; where: the case that set it; limits: by
    case.
    creep [mm/min]: worst. chatter, error, steady: worst over cases at the nominal step; missed of
    steps there. accurate: error -> case -> largest step [s] that keeps it. us: median time a step at
    the nominal step; usual: that step [s].
    """

    name: str
    stable: float
    where: str
    limits: dict[str, float]
    creep: float
    chatter: float
    error: float
    steady: float
    accurate: dict[float, dict[str, float]]
    us: float
    usual: float
    missed: int
    steps: int
    missed_where: str


def worst(values: Iterable[float]) -> float:
    """The largest, without those that do not apply; NaN where none does."""
    given = [v for v in values if not math.isnan(v)]
    return max(given) if given else math.nan


def shared_cases(results: Results) -> set[str]:
    """The cases that were run under every law."""
    laws = [{r.case.name for r in results.references if r.law == x.name} for x in results.matrix.laws]
    return set.intersection(*laws) if laws else set()


def standing(
    results: Results, name: str, law: str, solver: str, only: set[str] | None = None
) -> Standing | None:
    """The standing of a scheme, over all cases or ``only`` some; None where it was not run."""
    lines = results.pick(scheme=name, law=law, solver=solver)
    lines = [x for x in lines if only is None or x.case in only]
    if not lines:
        return None
    cases = list(dict.fromkeys(x.case for x in lines))
    limits = {c: next(x.largest_stable_step_s for x in lines if x.case == c) for c in cases}
    # a case may lack the longest steps (shorter than they are): then its own longest counts as all
    longest = max(x.step_s for x in lines)
    tops = {c: max(x.step_s for x in lines if x.case == c) for c in cases}
    capped = {c: longest if limits[c] >= tops[c] else limits[c] for c in cases}
    where = min(capped, key=lambda c: capped[c])
    at = nominal_step({x.step_s for x in lines})
    there = [x for x in lines if x.step_s == at]
    accurate = {
        limit: {c: largest_within([x for x in lines if x.case == c], limit) for c in cases}
        for limit in ACCURATE
    }
    return Standing(
        name, capped[where], where, limits, worst(x.creep_mm_min for x in lines),
        worst(x.chatter for x in there), worst(x.error for x in there),
        worst(x.steady_error for x in there), accurate,
        float(np.median([x.us_per_step for x in there])), at, sum(x.missed for x in there),
        sum(x.steps for x in there), max(there, key=lambda x: x.missed).case,
    )  # fmt: skip


def largest_within(lines: list[Line], limit: float) -> float:
    """The largest step up to which every run of a case is stable with an error within ``limit``."""
    good = 0.0
    for line in sorted(lines, key=lambda x: x.step_s):
        if not (line.stable and line.error <= limit):
            break
        good = line.step_s
    return good


def recommend(results: Results) -> list[str]:
    """Sentences, most important first."""
    law, solver = results.matrix.laws[0].name, results.matrix.solvers[0]
    open_, standings = [], []
    for scheme in results.matrix.schemes:
        found = standing(results, scheme.name, law, solver)
        if found is None or unjudged(results, scheme.name, law, solver):
            open_.append(scheme.name)
        else:
            standings.append(found)
    if not standings:
        return ["Nothing was run, so nothing can be recommended."]
    best = max(standings, key=rank)
    told = [scheme_sentence(best, standings, law, solver), *step_sentences(best)]
    told += cheapest_sentence(best, standings)
    told += [avoid(s, results, law, solver) for s in standings if is_bad(s) and s is not best]
    told += [
        f"No verdict on {name}: its runs at {seconds(nominal_step(results.matrix.steps))} were left "
        "out, because they are expected to take long; a larger --patience [s] makes them."
        for name in open_
    ]
    told += creep_sentence(standings)
    told += solver_sentences(results, law)
    told += law_sentences(results, best.name, solver)
    told += condition_sentence(results, law, solver)
    return told


def unjudged(results: Results, name: str, law: str, solver: str) -> bool:
    """Whether a scheme was not run at the nominal step in a case in which another was."""
    usual = nominal_step(results.matrix.steps)
    there = results.pick(law=law, solver=solver, step_s=usual)
    return {x.case for x in there} != {x.case for x in there if x.scheme == name}


def smaller_left_out(results: Results, name: str, law: str, solver: str) -> bool:
    """Whether another scheme was run at a smaller step than this one's smallest, in some case."""
    lines = results.pick(law=law, solver=solver)
    smallest = {(x.case, x.scheme == name): math.inf for x in lines}
    for x in lines:
        key = (x.case, x.scheme == name)
        smallest[key] = min(smallest[key], x.step_s)
    return any(
        smallest.get((case, True), math.inf) > smallest.get((case, False), math.inf)
        for case in {x.case for x in lines}
    )


def rank(s: Standing) -> tuple:
    """Holds at rest first, then the largest stable step, then the error, then the time."""
    holds = math.isnan(s.creep) or s.creep < HELD
    quiet = math.isnan(s.chatter) or s.chatter < CHATTER
    return (quiet, holds, s.stable, -s.error if not math.isnan(s.error) else 0.0, -s.us)


def is_bad(s: Standing) -> bool:
    """Chatters at the nominal step, or is stable at none."""
    return s.stable == 0.0 or s.chatter >= CHATTER


def scheme_sentence(best: Standing, standings: list[Standing], law: str, solver: str) -> str:
    """The scheme to take, and what it is better in."""
    others = [s for s in standings if s is not best and not is_bad(s)]
    facts = []
    if best.creep < HELD:
        facts.append("it stands still on the slope")
    elif not math.isnan(best.creep):
        facts.append(f"it creeps {two(best.creep)} mm a minute on the slope")
    limits = "; ".join(f"{seconds(h)}: {', '.join(c)}" for h, c in by_limit(best.limits).items())
    facts += [
        f"it is stable up to steps of {seconds(best.stable)} in every case ({limits})"
        if best.stable
        else f"no step tried is stable in every case ({best.where} is at none)",
        f"its worst error over a whole run at {seconds(best.usual)} is {share(best.error)} of the top "
        "speed",
    ]
    if best.missed:
        facts.append(f"{best.missed} of {best.steps} steps missed ({best.missed_where})")
    text = f"Take {best.name} (with {solver}, under {law}): " + "; ".join(facts) + "."
    if others:
        second = max(others, key=rank)
        text += f" Next comes {second.name}, stable up to {seconds(second.stable)}"
        if second.creep >= HELD:
            text += f", which creeps {two(second.creep)} mm a minute"
        text += "."
    return text


def by_limit(limits: dict[str, float]) -> dict[float, list[str]]:
    """The cases that share a largest step, largest first."""
    found: dict[float, list[str]] = {}
    for case, step in sorted(limits.items(), key=lambda x: -x[1]):
        found.setdefault(step, []).append(case)
    return found


def two(value: float) -> str:
    """Two significant digits, without an exponent."""
    return f"{float(f'{value:.2g}'):g}"


def step_sentences(best: Standing) -> list[str]:
    """The step for an accuracy, case by case."""
    told = []
    for limit, found in best.accurate.items():
        parts = "; ".join(
            f"{seconds(step)}: {', '.join(cases)}" for step, cases in by_limit(found).items()
        )
        told.append(
            f"For a whole-run error within {share(limit)} of the top speed {best.name} takes steps up "
            f"to {parts}."
        )
    return told


def cheapest_sentence(best: Standing, standings: list[Standing]) -> list[str]:
    """The cheapest scheme that neither chatters nor blows up, and what it costs otherwise."""
    good = [s for s in standings if not is_bad(s)]
    cheap = min(good, key=lambda s: s.us, default=best)
    if cheap is best or best.us < NOTABLE * cheap.us:
        return [f"No steady scheme is notably cheaper a step than {best.name} ({best.us:.1f} us)."]
    cost = []
    if cheap.creep >= HELD:
        cost.append(f"it creeps {two(cheap.creep)} mm a minute on the slope")
    if cheap.error > 1.1 * best.error:
        cost.append(
            f"its whole-run error at {seconds(cheap.usual)} is {cheap.error / best.error:.1f} times"
        )
    if cheap.stable < best.stable:
        cost.append(f"it is stable only up to {seconds(cheap.stable)} ({cheap.where})")
    if cheap.steady > 10.0 * max(best.steady, 1e-7):
        cost.append(f"it misses a steady slip by up to {share(cheap.steady)}")
    return [
        f"The cheapest steady scheme is {cheap.name}: {cheap.us:.1f} us a step against {best.us:.1f}"
        + (" of " + best.name)
        + ("; the price: " + ", ".join(cost) if cost else "")
        + "."
    ]


def avoid(s: Standing, results: Results, law: str, solver: str) -> str:
    """Why not to take a scheme."""
    lines = results.pick(scheme=s.name, law=law, solver=solver)
    if s.chatter >= CHATTER:  # at the step at which every scheme is judged
        noisy = max((x for x in lines if x.step_s == s.usual), key=lambda x: x.chatter)
        why = (
            f"its thrust goes up and down by {noisy.chatter:.0f} times its peak more than it should "
            f"({noisy.case}, {seconds(noisy.step_s)})"
        )
    else:
        mine = [x for x in lines if x.case == s.where]
        far = min(mine, key=lambda x: x.step_s)
        why = f"it is stable at no step tried in {far.case}, and off by {share(far.error)} at "
        why += seconds(far.step_s)
        if smaller_left_out(results, s.name, law, solver):
            why += "; smaller steps were left out (--patience makes them)"
    return f"Avoid {s.name}: {why}."


def creep_sentence(standings: list[Standing]) -> list[str]:
    """Who holds at rest, who creeps."""
    known = [s for s in standings if not math.isnan(s.creep)]
    hold = [s.name for s in known if s.creep < HELD]
    creep = [f"{s.name} {two(s.creep)}" for s in known if s.creep >= HELD]
    if not known or not creep:
        return []
    return [
        "At rest on the slope " + (", ".join(hold) if hold else "none")
        + " hold; worst creep in mm a minute: " + ", ".join(creep) + "."
    ]  # fmt: skip


def solver_sentences(results: Results, law: str) -> list[str]:
    """Which solvers were slower, missed, or found another motion."""
    first = results.matrix.solvers[0]
    told = []
    for solver in results.matrix.solvers[1:]:
        pairs = paired(results, law, first, solver)
        if not pairs:
            continue
        ratio = float(np.median([b.us_per_step / a.us_per_step for a, b in pairs]))
        apart = max(motion_apart(a, b) for a, b in pairs)
        missed = sum(b.missed for _, b in pairs)
        steps = sum(b.steps for _, b in pairs)
        time = "as fast as"
        if not 1 / NOTABLE < ratio < NOTABLE:
            times = f"{two(max(ratio, 1 / ratio))} times"
            time = f"{times} the time of" if ratio > 1 else f"{times} faster than"
        if SOLVERS.number(solver) is None:
            time = f"from Python pass by pass, {time}"
        same = "the same motion" if apart < 1e-6 else f"motions within {share(apart)} of its"
        miss = "no step missed its tolerance"
        if missed:
            where = max((b for _, b in pairs), key=lambda x: x.missed)
            miss = (
                f"{missed} of {steps} steps missed their tolerance (most: {where.case}, "
                f"{where.scheme}, {seconds(where.step_s)})"
            )
        told.append(f"Solver {solver}: {time} {first}, {same} in {len(pairs)} runs, {miss}.")
    return told


def paired(results: Results, law: str, first: str, other: str) -> list[tuple[Line, Line]]:
    """Runs that two solvers share."""
    mine = {(x.case, x.scheme, x.step_s): x for x in results.pick(law=law, solver=first)}
    pairs = []
    for x in results.pick(law=law, solver=other):
        key = (x.case, x.scheme, x.step_s)
        if key in mine and not math.isnan(x.us_per_step) and not math.isnan(mine[key].us_per_step):
            pairs.append((mine[key], x))
    return pairs


def motion_apart(a: Line, b: Line) -> float:
    """How much two runs differ in their distance from the reference; chattering ones say nothing."""
    return abs(a.error - b.error) if a.stable and b.stable else 0.0


def law_sentences(results: Results, scheme: str, solver: str) -> list[str]:
    """Under which laws the recommended scheme needs a smaller step."""
    if len(results.matrix.laws) < 2:
        return []
    limits: dict[str, Standing] = {}
    for law in results.matrix.laws:
        found = standing(results, scheme, law.name, solver, shared_cases(results))
        if found is not None:
            limits[law.name] = found
    top = max(s.stable for s in limits.values())
    short = [f"{name} {seconds(s.stable)} ({s.where})" for name, s in limits.items() if s.stable < top]
    if not short:
        return [
            f"Under every law tried {scheme} is stable up to {seconds(top)} in the cases they share."
        ]
    return [f"{scheme} is stable up to {seconds(top)}; less under " + ", ".join(short) + "."]


def condition_sentence(results: Results, law: str, solver: str) -> list[str]:
    """What the reduced problem is like."""
    lines = results.pick(law=law, solver=solver)
    finite = [x for x in lines if math.isfinite(x.condition)]
    singular = sorted({x.case for x in lines if math.isinf(x.condition)})
    if not finite:
        return []
    low, high = (pick(finite, key=lambda x: x.condition) for pick in (min, max))
    text = (
        f"The reduced problem's condition number runs from {low.condition:.2g} to "
        f"{high.condition:.2g} ({high.scheme}, {high.case}, {seconds(high.step_s)})"
    )
    if singular:
        text += f"; with the brake on it is singular ({', '.join(singular)}): rows outnumber motions"
    return [text + "."]


def seconds(step: float) -> str:
    """A time with its unit: 0.1 ms, 1 ms, 0.1 s."""
    if step <= 0.0 or math.isnan(step):
        return "no step tried"
    return f"{step:g} s" if step >= 0.1 else f"{1e3 * step:g} ms"


def share(value: float) -> str:
    """A share as a percentage that a person would write."""
    if math.isnan(value):
        return "-"
    return f"{100 * value:.2g} %"


def criteria(law: str) -> str:
    """What the words above mean, for below the table."""
    scheme, solver = REFERENCE
    return (
        f"stable: ends, misses tolerances in at most {100 * MISSED:g} % of its steps, less than "
        f"{CHATTER:g} peaks of thrust up and down beyond the reference's, speeds within "
        f"{100 * OFF:g} % of the reference's top speed. Reference: {scheme} with {solver} at a fifth of "
        f"the smallest step. Law: {law}."
    )
