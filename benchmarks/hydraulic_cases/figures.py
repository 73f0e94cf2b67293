"""Pictures of a reference circuit: piston, pressures, pump and opening over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wheelground.reports.pictures import new_figure, save

from . import circuits

STEP = 1e-3


def draw(name: str, times: Any, exact: Any, out: Path) -> Path:
    """Draw Radau's solution and runs by "auto" and "backward" at 1 ms; returns the file."""
    bench = circuits.bench(name)
    runs = {method: bench.run(circuits.DURATION, STEP, method) for method in ("backward", "auto")}
    figure = new_figure(7.0, 8.0)
    axes = figure.subplots(4, 1, sharex=True)
    for method, line in (("backward", ":"), ("auto", "-")):
        run = runs[method]
        axes[0].plot(run.time, 1e3 * run.length[:, 0], line, label=f"{method}, 1 ms")
        error = run.length[:, 0] - np.interp(run.time, times, exact[:, 0])
        axes[1].plot(run.time, 1e3 * error, line, label=f"{method}, 1 ms")
        axes[3].plot(run.time, 1e6 * run.opening[:, 0], line, label=f"{method}, 1 ms")
    axes[0].plot(times, 1e3 * exact[:, 0], "k--", lw=0.8, label="Radau")
    run = runs["auto"]
    for values, label in (
        (run.pressure[:, 0, 0], "head"),
        (run.pressure[:, 0, 1], "rod side"),
        (run.line[:, 0], "pump"),
    ):
        axes[2].plot(run.time, 1e-6 * values, label=f"{label}, auto")
    axes[2].plot(times, 1e-6 * exact[:, 2], "k--", lw=0.8, label="head, Radau")
    axes[3].plot(times, 1e6 * exact[:, 4], "k--", lw=0.8, label="Radau")
    for axis, words in zip(
        axes,
        ("piston [mm]", "error [mm]", "pressure [MPa]", "compensator [mm$^2$]"),
        strict=True,
    ):
        axis.set_ylabel(words)
        axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
        axis.grid(alpha=0.3)
    axes[0].set_title(f"{name}: lever out, stop, in, stop")
    axes[-1].set_xlabel("time [s]")
    path = out / f"hydraulics_{name}.png"
    return save(figure, path, dpi=110)
