"""Running deficits of three kinds of steering, and cost of a tick of each chassis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rig
from wheelground.reports.pictures import new_figure, save

from .machines import TICK, MachineRun

Array = NDArray[np.float64]


def deficit(taken: Array) -> Array:
    """Running deficit [s] (delay behind real time) after every tick with these computing times [s],
    on a scripted clock.
    """
    pace = rig.Pace(rig.FakeClock(costs=taken), TICK)
    pace.begin(len(taken))
    for k in range(len(taken)):
        pace.wait(k)
        pace.end(k)
    return pace.accounts(len(taken)).deficit


def slope_of_deficit(deficit_s: Array) -> float:
    """Slope of a deficit over simulated time, from the first tick to the last."""
    return float((deficit_s[-1] - deficit_s[0]) / (TICK * (len(deficit_s) - 1)))


def draw(deficits: dict[str, Array], chassis: list[MachineRun], path: Path) -> Path:
    """Draw deficits and costs side by side."""
    figure = new_figure(9.0, 3.6)
    left, right = figure.subplots(1, 2)
    looks = (("tab:red", "-", 1.5), ("tab:orange", "-", 4.0), ("black", ":", 1.5))
    for (name, deficit_s), (colour, style, width) in zip(deficits.items(), looks, strict=True):
        ticks = 1e3 * TICK * np.arange(1, len(deficit_s) + 1)
        left.plot(ticks, 1e3 * deficit_s, color=colour, linestyle=style, linewidth=width, label=name)
    left.set(xlabel="simulated time (ms)", ylabel="running deficit (ms)")
    left.set_title("four wheels with a steering valve", fontsize=10)
    left.legend(frameon=False)
    for line, colour in zip(chassis, ("tab:green", "tab:purple", "tab:orange"), strict=True):
        cycles = np.arange(1, len(line.taken) + 1)
        right.semilogy(cycles, 1e6 * line.taken, color=colour, lw=0.8, label=line.name)
    right.axhline(1e6 * TICK, color="0.5", lw=0.8, ls="--")
    right.text(len(chassis[0].taken), 0.8e6 * TICK, "real time", ha="right", va="top", fontsize=8)
    right.set(xlabel="cycle", ylabel="computing time of a cycle of 1 ms (µs)")
    right.set_title("three chassis", fontsize=10)
    right.legend(frameon=False, loc="upper left", bbox_to_anchor=(0.0, 0.92))
    return save(figure, path)
