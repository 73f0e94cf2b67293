"""Figures of measured values with error bars, and of predictions: one for wheels, one for machines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..pictures import new_figure, save
from .sources import MeasuredRows

PLAIN, TUNED = "#1b7fbd", "#e07b00"
#: Label and colour of predictions of one measured object with different parameters, in one panel.
VARIANTS = {
    "as measured": ("soil as measured", PLAIN),
    "fitted": ("soil fitted", TUNED),
    "usual law": ("usual law", PLAIN),
    "shear of wheels": ("shear of wheels", TUNED),
    "membrane": ("membrane", PLAIN),
    "carcass": ("carcass", TUNED),
}


def panels(rows: Sequence[MeasuredRows]) -> dict[tuple[str, str, str], list[MeasuredRows]]:
    """Rows by panel: one panel for each source, measured object and quantity."""
    found: dict[tuple[str, str, str], list[MeasuredRows]] = {}
    for row in rows:
        before, _, last = row.case.rpartition(", ")
        subject = before if last in VARIANTS else row.case
        found.setdefault((row.source, subject, row.quantity), []).append(row)
    return found


def draw(rows: Sequence[MeasuredRows], file: Path, title: str) -> Path:
    """Draw one panel for each measured object and quantity: measured points, predicted lines."""
    groups = panels(rows)
    across = 4 if len(groups) > 8 else 3 if len(groups) > 4 else 2
    down = -(-len(groups) // across)
    figure = new_figure(3.5 * across, 2.7 * down)
    axes = figure.subplots(down, across, squeeze=False)
    for axis, ((source, subject, quantity), group) in zip(axes.flat, groups.items(), strict=False):
        for row in group:
            if row is group[0]:
                axis.errorbar(
                    row.at, row.measured, yerr=row.scatter, fmt="o", capsize=2, label="measured",
                    color="#333333", markersize=4, linestyle="none",
                )  # fmt: skip
            name, colour = VARIANTS.get(row.case.rpartition(", ")[2], ("predicted", PLAIN))
            ordered = not row.names and bool((np.diff(row.at) > 0.0).all())
            axis.plot(
                row.at,
                row.predicted,
                linestyle="-" if ordered else "none",
                color=colour,
                linewidth=1.6,
                marker=".",
                label=name,
            )
            if row.names:
                axis.set_xticks(row.at, row.names)
        axis.set_title(f"{source}: {subject}", fontsize=8)
        axis.set_xlabel(group[0].over, fontsize=8)
        axis.set_ylabel(f"{quantity} [{group[0].unit}]", fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(True, alpha=0.25)
        axis.legend(fontsize=6.5)
    for axis in axes.flat[len(groups) :]:
        axis.set_visible(False)
    figure.suptitle(title, fontsize=10)
    return save(figure, file, dpi=110)
