"""Tables of the comparison of regularisations: schemes by case; short tables of solvers and of laws.
Main law and main solver are the first ones of the comparison."""

from __future__ import annotations

import math

import numpy as np
from rich import box
from rich.markup import escape
from rich.table import Table

from .matrix import Results, nominal_step
from .measure import CHATTER, SchemeResult
from .standing import error_difference, paired, seconds, shared_cases, smaller_left_out, standing


def number(value: float, form: str = ".0e") -> str:
    """Text of a number, "-" for NaN, or "inf"."""
    if math.isnan(value):
        return "-"
    return format(value, form) if math.isfinite(value) else "inf"


def plain(title: str, left: str, right: tuple[str, ...], caption: str | None = None) -> Table:
    """Make an empty table without line breaks: first column aligned left, the others right."""
    table = Table(
        title=title,
        caption=caption,
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
        title_justify="left",
        caption_justify="left",
    )
    table.add_column(left, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


#: Columns of the table of schemes, {top}: the largest step; NARROW: indices of those on narrow screens.
COLUMNS = (
    "stable to", "steady", "error", "at {top}", "chatter", "at {top}", "creep", "lost", "passes",
    "missed", "us", "cond",
)  # fmt: skip
NARROW = (0, 2, 3, 4, 5, 6, 8, 10)
WIDE = 120  # width of the table with all columns [characters]
MEANING = (
    "at {usual} unless said (*: at the smallest step tried). steady: error against the law's "
    "closed form. error: largest difference of a speed from the reference, over its top speed. chatter: "
    "thrust up and down beyond the reference's, in peaks. creep: mm a minute at rest. lost: energy that "
    "only the step took. passes: mean (most). missed: steps that missed their tolerance. us: a step. "
    "cond: condition of the reduced problem; inf: singular"
)


def schemes_table(results: Results, width: int = WIDE) -> Table:
    """Table of the main law and solver: per case one line per scheme, at the usual step (the one nearest
    to 1 ms) and the largest."""
    law, solver = results.matrix.laws[0].name, results.matrix.solvers[0]
    lines = results.pick(law=law, solver=solver)
    steps = {x.step_s for x in lines}
    usual, top = nominal_step(steps), max(steps)
    shown = range(len(COLUMNS)) if width >= WIDE else NARROW
    title = f"schemes: law {escape(law)}, solver {escape(solver)}"
    columns = tuple(COLUMNS[k].format(top=seconds(top)) for k in shown)
    table = plain(title, "scheme", columns, MEANING.format(usual=seconds(usual)))
    for case in dict.fromkeys(x.case for x in lines):
        table.add_section()
        table.add_row(f"[bold]{escape(case)}[/]", *[""] * len(shown))
        mine = [x for x in lines if x.case == case]
        longest = max(x.step_s for x in mine)
        for scheme in results.matrix.schemes:
            found = {x.step_s: x for x in mine if x.scheme == scheme.name}
            if not found:
                continue
            at, far = found.get(usual, found[min(found)]), found[max(found)]
            star = "" if at.step_s == usual else "*"
            cells = scheme_cells(at, far, longest)
            table.add_row(f"  {escape(scheme.name)}{star}", *(cells[k] for k in shown))
    return table


def scheme_cells(at: SchemeResult, far: SchemeResult, longest: float) -> list[str]:
    """Cells of one line of the table, in the order of COLUMNS; bad values are red.
    at, far: results at the usual and at the largest step."""
    limit = at.largest_stable_step_s
    stable = seconds(limit) if limit else "none"
    colour = "green" if limit >= longest else ("yellow" if limit else "red")

    def marked(value: float, bad: bool, form: str) -> str:
        text = number(value, form)
        return f"[red]{text}[/]" if bad else text

    return [
        f"[{colour}]{stable}[/]", number(at.steady_error), number(at.error), number(far.error),
        marked(at.chatter, at.chatter >= CHATTER, ".2f"),
        marked(far.chatter, far.chatter >= CHATTER, ".2f"),
        number(0.0 if at.creep_mm_min < 1e-6 else at.creep_mm_min, ".2g"),
        number(at.energy_lost), f"{number(at.passes_mean, '.1f')} ({number(at.passes_max, '.0f')})",
        marked(float(at.missed), at.missed > 0, ".0f"), number(at.us_per_step, ".1f"),
        number(at.condition, ".2g"),
    ]  # fmt: skip


def solvers_table(results: Results) -> Table | None:
    """Table of the main law, one line per solver: time, iterations, difference from the first solver."""
    matrix = results.matrix
    law, first = matrix.laws[0].name, matrix.solvers[0]
    if len(matrix.solvers) < 2:
        return None
    table = plain(
        f"solvers: law {escape(law)}, all cases, schemes and steps", "solver",
        ("runs", "steps missed", "worst residual", "iterations", "us/step", f"time/{first}",
         f"apart from {first}"),
        "iterations: median (most) over the runs, on sampled problems from a cold start. apart: largest "
        "difference of two stable runs' errors. osqp, cvxpy: pass by pass from Python",
    )  # fmt: skip
    for solver in matrix.solvers:
        lines = results.pick(law=law, solver=solver)
        if not lines:
            continue
        pairs = paired(results, law, first, solver)
        ratio = np.median([b.us_per_step / a.us_per_step for a, b in pairs]) if pairs else math.nan
        largest = max((error_difference(a, b) for a, b in pairs), default=math.nan)
        counts = [x.iterations for x in lines if not math.isnan(x.iterations)] or [math.nan]
        table.add_row(
            escape(solver),
            str(len(lines)),
            str(sum(x.missed for x in lines)),
            number(max(x.residual for x in lines)),
            f"{number(float(np.median(counts)), '.3g')} ({number(max(counts), '.3g')})",
            number(float(np.nanmedian([x.us_per_step for x in lines])), ".1f"),
            number(float(ratio), ".1f"),
            number(largest),
        )
    return table


def laws_table(results: Results) -> Table | None:
    """Table with one line per law: largest stable step over the cases, by scheme."""
    matrix = results.matrix
    if len(matrix.laws) < 2:
        return None
    solver = matrix.solvers[0]
    names = [s.name for s in matrix.schemes]
    title = f"laws: largest step at which every case run under all is stable ({escape(solver)})"
    table = plain(title, "law", tuple(escape(n) for n in names))
    for law in matrix.laws:
        cells = []
        for name in names:
            found = standing(results, name, law.name, solver, shared_cases(results))
            if found is None:
                cells.append("-")
            elif found.stable == 0.0 and smaller_left_out(results, name, law.name, solver):
                cells.append("left out")
            elif found.stable == 0.0:
                cells.append(f"[red]none[/] ({found.where})")
            else:
                cells.append(seconds(found.stable))
        table.add_row(escape(law.name), *cells)
    return table
