"""Figure of the comparison of regularisations, and the small picture of the documentation.
Main law and main solver are the first ones of the comparison."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from ..pictures import new_figure, save
from .matrix import Results, SchemeReference, nominal_step
from .measure import CHATTER, SchemeResult
from .standing import seconds

# Palette of Okabe and Ito, distinct for every kind of colour vision; the markers differ as well.
STYLE = {
    "set-valued": ("#7f7f7f", "s"),
    "global": ("#0072B2", "^"),
    "local": ("#E69F00", "v"),
    "local-current": ("#CC79A7", "X"),
    "implicit": ("#009E73", "o"),
}
OWN = (("#D55E00", "D"), ("#56B4E9", "P"), ("#000000", "*"))
AT_BACK = ("local-current", "set-valued")
FLOOR = 1e-9  # smallest creep drawn [mm/min]; a smaller creep is drawn as FLOOR


def style(results: Results, name: str) -> tuple[str, str]:
    """Colour and marker of a scheme."""
    if name in STYLE:
        return STYLE[name]
    own = [s.name for s in results.matrix.schemes if s.name not in STYLE]
    return OWN[own.index(name) % len(OWN)]


def order(results: Results) -> list[str]:
    """Names of the schemes in the order of drawing: noisy schemes first, so at the back."""
    names = [s.name for s in results.matrix.schemes]
    return [n for n in names if n in AT_BACK] + [n for n in names if n not in AT_BACK]


def main_references(results: Results) -> list[SchemeReference]:
    """References of the main law's cases."""
    return [r for r in results.references if r.law == results.matrix.laws[0].name]


def over_steps(results: Results, case: str, name: str) -> list[SchemeResult]:
    """Results of a case and a scheme under the main law and the main solver, sorted by step."""
    found = results.pick(
        law=results.matrix.laws[0].name, solver=results.matrix.solvers[0], case=case, scheme=name
    )
    return sorted(found, key=lambda x: x.step_s)


def draw_comparison(results: Results, path: Path) -> Path:
    """Draw a row of panels for each case: thrust at a coarse step, error, chatter, error over cost."""
    rows = main_references(results)
    figure = new_figure(16.0, 3.1 * len(rows) + 0.9)
    axes = figure.subplots(len(rows), 4, squeeze=False)
    for row, reference in zip(axes, rows, strict=True):
        case = reference.case
        draw_thrust(row[0], results, reference)
        draw_over_steps(row[1], results, case.name, lambda x: x.error, not case.at_rest)
        row[1].set_ylabel("error / top speed [-]" if not case.at_rest else "speed at rest [m/s]")
        draw_chatter(row[2], results, case.name)
        draw_cost(row[3], results, case)
    for axis, title in zip(
        axes[0], ("thrust", "error against the reference", "chatter", "error against cost"), strict=True
    ):
        axis.annotate(
            title, (0.5, 1.0), xytext=(0, 24), xycoords="axes fraction", textcoords="offset points",
            fontsize=12, fontweight="bold", ha="center", va="bottom", annotation_clip=False,
        )  # fmt: skip
    for row, reference in zip(axes, rows, strict=True):  # titles may be longer than a column
        case = reference.case
        row[0].set_title(f"{case.name}: {case.title}", loc="left", fontsize=10)
    legend(figure, results, "reference; limit of chatter")
    return save(figure, path, dpi=120)


def choose(results: Results, path: Path) -> Path:
    """Draw the small picture: worst error and worst chatter over the step, and creep on the slope."""
    references = main_references(results)
    figure = new_figure(10.5, 3.5)
    axes = figure.subplots(1, 3)
    draw_worst(axes[0], results, lambda x: x.error, [r.case.name for r in references if r.run])
    axes[0].set_ylabel("worst error / top speed [-]")
    axes[0].set_title("how far off", fontsize=11)
    draw_worst(axes[1], results, lambda x: x.chatter, [r.case.name for r in references])
    chatter_scale(axes[1])
    axes[1].set_title("how noisy", fontsize=11)
    draw_creep(axes[2], results)
    legend(figure, results, "limit of chatter")
    return save(figure, path, dpi=150)


def legend(figure: Any, results: Results, dashed: str) -> None:
    """Add one legend above all panels; ``dashed``: text for the dashed lines."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=style(results, s.name)[0], marker=style(results, s.name)[1],
               label=s.name, linewidth=1.8, markersize=7)
        for s in results.matrix.schemes
    ]  # fmt: skip
    handles.append(Line2D([], [], color="black", linewidth=1.0, linestyle=(0, (4, 3)), label=dashed))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=len(handles), frameon=False, fontsize=10
    )


def draw_thrust(axis: Any, results: Results, reference: SchemeReference) -> None:
    """Draw the thrust over time at ten times the usual step (about 1 ms), where schemes differ."""
    case = reference.case
    steps = sorted({step for name, _, step in results.pictured if name == case.name})
    step = min(steps, key=lambda h: abs(math.log(h / (10.0 * nominal_step(steps)))))
    for name in order(results):
        run = results.pictured.get((case.name, name, step))
        if run is None or not np.isfinite(run.thrust).all():
            continue
        back = name in AT_BACK
        axis.plot(
            run.time,
            1e-3 * run.thrust[:, -1],
            color=style(results, name)[0],
            linewidth=0.6 if back else 1.8,
            alpha=0.5 if back else 1.0,
            rasterized=True,
            linestyle={"global": "-", "local": (0, (5, 2))}.get(name, "-"),
        )
    if reference.run is not None:
        axis.plot(reference.run.time, 1e-3 * reference.run.thrust[:, -1], color="black",
                  linewidth=1.0, linestyle=(0, (4, 3)))  # fmt: skip
    axis.set_ylabel(f"thrust at h = {seconds(step)} [kN]")
    axis.set_xlabel("time [s]")
    axis.grid(alpha=0.25)


def draw_over_steps(axis: Any, results: Results, case: str, value: Any, moves: bool) -> None:
    """Draw a measure of a case over the step, one line per scheme; ``moves``: False for a case at
    rest."""
    for name in order(results):
        lines = over_steps(results, case, name)
        colour, marker = style(results, name)
        y = np.array([min(max(value(x), 1e-12), 1e3) for x in lines])
        axis.plot([x.step_s for x in lines], y, color=colour, marker=marker, markersize=6, linewidth=1.6)
    axis.set_xscale("log")
    axis.set_yscale("log")
    if not moves:  # at rest an error of 0 is drawn as 1e-12
        axis.set_ylim(bottom=1e-12)
    axis.set_xlabel("step h [s]")
    axis.grid(alpha=0.25)


def chatter_scale(axis: Any) -> None:
    """Set a logarithmic scale that is linear below a tenth of a peak, to include zero."""
    axis.set_xscale("log")
    axis.set_yscale("symlog", linthresh=0.1, linscale=0.6)
    axis.set_ylim(-0.03, None)
    axis.axhline(CHATTER, color="black", linewidth=1.0, linestyle=(0, (4, 3)))
    axis.set_xlabel("step h [s]")
    axis.set_ylabel("extra thrust up and down [peaks]")
    axis.grid(alpha=0.25)


def draw_chatter(axis: Any, results: Results, case: str) -> None:
    """Draw the chatter of a case over the step, one line per scheme."""
    for name in order(results):
        lines = over_steps(results, case, name)
        colour, marker = style(results, name)
        axis.plot([x.step_s for x in lines], [min(x.chatter, 1e6) for x in lines], color=colour,
                  marker=marker, markersize=6, linewidth=1.6)  # fmt: skip
    chatter_scale(axis)


def draw_cost(axis: Any, results: Results, case: Any) -> None:
    """Draw the error over the computing time; for cases at rest the creep."""
    for name in order(results):
        lines = [x for x in over_steps(results, case.name, name) if math.isfinite(x.error)]
        colour, marker = style(results, name)
        if case.at_rest:
            y = [max(x.creep_mm_min, FLOOR) for x in lines]
        else:
            y = [max(x.error, 1e-12) for x in lines]
        axis.plot([x.cost for x in lines], y, color=colour, marker=marker, markersize=6, linewidth=1.6)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("computing time / simulated time [-]")
    axis.set_ylabel("creep [mm/min]" if case.at_rest else "error / top speed [-]")
    axis.grid(alpha=0.25)


def draw_worst(axis: Any, results: Results, value: Any, cases: list[str]) -> None:
    """Draw the worst value of the cases over the step, one line per scheme."""
    for name in order(results):
        by_step: dict[float, float] = {}
        for case in cases:
            for x in over_steps(results, case, name):
                by_step[x.step_s] = max(by_step.get(x.step_s, 0.0), min(value(x), 1e6))
        colour, marker = style(results, name)
        steps = sorted(by_step)
        axis.plot(
            steps, [by_step[h] for h in steps], color=colour, marker=marker, markersize=6, linewidth=1.6
        )
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("step h [s]")
    axis.grid(alpha=0.25)


def draw_creep(axis: Any, results: Results) -> None:
    """Draw the creep of a locked wheel on a slope at the usual step (about 1 ms), one bar per scheme."""
    names = [s.name for s in results.matrix.schemes]
    values, colours = [], []
    for name in names:
        lines = [
            x
            for r in main_references(results)
            for x in over_steps(results, r.case.name, name)
            if not math.isnan(x.creep_mm_min)
        ]
        usual = nominal_step({x.step_s for x in lines}) if lines else math.nan
        values.append(max((x.creep_mm_min for x in lines if x.step_s == usual), default=math.nan))
        colours.append(style(results, name)[0])
    places = np.arange(len(names))
    axis.barh(places, [0.0 if math.isnan(v) else v for v in values], color=colours, height=0.6)
    most = max([v for v in values if not math.isnan(v)] + [1.0])
    for place, value in zip(places, values, strict=True):
        text = "-" if math.isnan(value) else ("holds" if value < 1e-6 else f"{value:.2g}")
        shown = 0.0 if math.isnan(value) else value
        axis.annotate(
            text, (shown, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9
        )
    axis.set_yticks(places, names)
    axis.invert_yaxis()
    axis.set_xlim(0.0, 1.25 * most)
    axis.set_xlabel("creep on the slope [mm/min]")
    axis.set_title("at rest", fontsize=11)
    axis.grid(alpha=0.25, axis="x")
