"""Measured parts, as Markdown, of the documentation page "How to choose a regularisation".
Main law and main solver are the first ones of the comparison."""

from __future__ import annotations

import math

from .matrix import Results, nominal_step
from .measure import CHATTER, SchemeResult
from .standing import ACCURATE, percentage, seconds, standing, two

WHOLE = "vehicle"
SCHEMES, STEPS, SOLVERS = "schemes", "steps", "solvers"


def blocks(results: Results) -> dict[str, str]:
    """Make the blocks of the page by name: schemes, steps of the best scheme, solvers."""
    return {SCHEMES: schemes(results), STEPS: steps(results), SOLVERS: solvers(results)}


def table(head: list[str], rows: list[list[str]]) -> str:
    """Make a Markdown table of a head and rows of texts."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main_lines(results: Results, scheme: str) -> list[SchemeResult]:
    """Results of a scheme under the main law with the main solver."""
    first = results.matrix
    return results.pick(law=first.laws[0].name, solver=first.solvers[0], scheme=scheme)


def schemes(results: Results) -> str:
    """Markdown table of the schemes at the usual step, the one nearest to 1 ms."""
    usual = nominal_step(results.matrix.steps)
    rows = []
    for scheme in results.matrix.schemes:
        lines = main_lines(results, scheme.name)
        here = [x for x in lines if x.step_s == usual]
        one = [x for x in lines if x.case != WHOLE]
        rows.append([
            f"`{scheme.name}`", stable(one), stable([x for x in lines if x.case == WHOLE]),
            worst_error(here), peaks(max(x.chatter for x in here)),
            creep_text(max((x.creep_mm_min for x in here if x.creep_mm_min >= 0.0), default=math.nan)),
            " ".join(power_of_ten(x.steady_error) for x in here if x.case == "braking"),
            " / ".join(mean_passes(here, whole) for whole in (False, True)),
        ])  # fmt: skip
    head = ["scheme", "stable up to, quarter vehicle", "whole vehicle", "worst error", "chatter",
            "creep on the slope", "steady error, braking", "passes, quarter / whole"]  # fmt: skip
    return table(head, rows)


def stable(lines: list[SchemeResult]) -> str:
    """Text of the largest step at which every case is stable."""
    least = min((x.largest_stable_step_s for x in lines), default=0.0)
    return seconds(least) if least > 0.0 else "at no step"


def peaks(chatter: float) -> str:
    """Text of the chatter; a large value is given by the power of ten below it, free of round-off."""
    return f"{chatter:.2f}" if chatter < CHATTER else f"over {_floor(chatter):.0f} peaks"


def worst_error(lines: list[SchemeResult]) -> str:
    """Text of the worst error over the cases; one digit if the runs chatter, since round-off matters."""
    worst = max(x.error for x in lines)
    if max(x.chatter for x in lines) < CHATTER:
        return percentage(worst)
    return f"some {100.0 * worst:.1g} %"


def _floor(value: float) -> float:
    """Largest power of ten that is not above a positive value."""
    return 10.0 ** math.floor(math.log10(value))


def power_of_ten(value: float) -> str:
    """Text of a value as one digit and a power of ten."""
    return f"{value:.0e}".replace("e-0", "e-")


def creep_text(value: float) -> str:
    """Text of a creep [mm/min]; "holds" for no creep, "-" for a case in motion."""
    return "-" if math.isnan(value) else ("holds" if value < 1e-6 else f"{two(value)} mm/min")


def mean_passes(lines: list[SchemeResult], whole: bool) -> str:
    """Mean number of passes (contact solves) per step with two digits, "-" for none: of the case
    ``WHOLE`` if ``whole``, else of all other cases.
    """
    found = [x.passes_mean for x in lines if (x.case == WHOLE) == whole]
    return f"{sum(found) / len(found):.2g}" if found else "-"


def steps(results: Results) -> str:
    """Markdown table of the largest steps of `implicit` within a limit of the error, by case."""
    law, solver = results.matrix.laws[0].name, results.matrix.solvers[0]
    found = standing(results, "implicit", law, solver)
    assert found is not None
    cases = [r.case.name for r in results.references if r.law == law and not r.case.at_rest]
    rows = [
        [percentage(limit), *(step_within(found.accurate[limit][case], results) for case in cases)]
        for limit in ACCURATE
    ]
    return table(["error over the whole run", *cases], rows)


def step_within(step: float, results: Results) -> str:
    """Text of a step [s]; for a step of 0 "below" and the smallest tried step."""
    return seconds(step) if step > 0.0 else f"below {seconds(min(results.matrix.steps))}"


def solvers(results: Results) -> str:
    """Markdown table of the solvers: missed steps under the main law.

    Round-off affects the numbers of steps and iterations, so powers of ten bound them.
    """
    law = results.matrix.laws[0].name
    rows = []
    for solver in results.matrix.solvers:
        lines = results.pick(law=law, solver=solver)
        if lines:
            counts = [x.iterations for x in lines if not math.isnan(x.iterations)]
            most = max(counts, default=math.nan)
            rows.append(
                [
                    f"`{solver}`",
                    str(len(lines)),
                    few(sum(x.missed for x in lines), sum(x.steps for x in lines)),
                    f"below {10.0 * _floor(max(most, 1.0)):.0f}" if counts else "-",
                ]
            )
    return table(["solver", "runs", "steps that missed", "most iterations, cold"], rows)


def few(missed: int, steps: int) -> str:
    """Text of the missed steps: none, or a power of ten, 1 % or more, above their fraction."""
    return "none" if missed == 0 else f"below {max(1.0, 1000.0 * _floor(missed / steps)):.0f} %"
