"""Figs 4 and 5 of Peiret et al., drawn from the runs of the quarter vehicle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..pictures import new_figure, save
from .case import QuarterVehicleCase, SteadyState
from .runs import QuarterVehicleRun

COLOURS = {
    "set-valued": "#8a8a8a",
    "global": "#1b7fbd",
    "local": "#e07b00",
    "local-current": "#c9a0dc",
    "implicit": "#1a7f37",
}
STYLES = {"global": "-", "local": "--", "implicit": ":", "set-valued": "-", "local-current": "-"}
ORDER = ("local-current", "set-valued", "global", "local", "implicit")  # noisy curves drawn first


SLOW = 0.02  # smallest speed in two panels [m/s]: at the start from rest, below it, the slip jumps


def _mark_steady_slip(axis: Any, steady: SteadyState, load: float) -> None:
    """Mark slip and thrust ratio of the steady state, if there is one."""
    if steady.moves and np.isfinite(steady.slip):
        ratio = steady.thrust_N / load
        axis.plot(steady.slip, ratio, "o", color="black", markersize=5, zorder=5)
        axis.annotate(
            f"steady state\n$i_s$ = {steady.slip:.4f}",
            (steady.slip, ratio),
            xytext=(-14, -46),
            textcoords="offset points",
            fontsize=9,
            ha="center",
            arrowprops={"arrowstyle": "-", "linewidth": 0.7},
        )


def _mark_steady_forces(axis: Any, steady: SteadyState, end: float) -> None:
    """Mark thrust, resistance and pull of the steady state, with labels at the time ``end`` [s]."""
    if steady.moves and np.isfinite(steady.slip):
        for force in (steady.thrust_N, steady.resistance_N, steady.pull_N):
            axis.axhline(force, color="black", linewidth=0.5, linestyle=":")
            axis.annotate(
                f"{force:.1f} N",
                (end, force),
                xytext=(4, 0),
                textcoords="offset points",
                fontsize=8,
                va="center",
            )


def thrust_over_slip(
    case: QuarterVehicleCase, runs: list[QuarterVehicleRun], steady: SteadyState, path: Path
) -> Path:
    """Draw the thrust ratio over slip: the law's curve and each scheme's steps (Fig 4).

    Panels: all steps of the run with the start from rest; steps faster than ``SLOW``; steps faster than
    ``SLOW`` at small slip.
    """
    picked = {run.scheme: run for run in runs}
    wheel, load = case.wheel("implicit"), case.vehicle("implicit").static_load
    figure = new_figure(12.6, 3.7)
    axes = figure.subplots(1, 3, width_ratios=(1.1, 1.2, 1.0))
    views = ((-1.05, 1.05, 0.0), (0.0, 0.42, SLOW), (-0.005, 0.05, SLOW))
    for axis, (low, high, slow) in zip(axes, views, strict=True):
        slips = np.linspace(low, high, 1201)
        axis.plot(
            slips,
            wheel.thrust_ratio(slips, load),
            color="#cfcfcf",
            linewidth=4.0,
            label="law (eq 19)",
            zorder=0,
        )
        for scheme in (name for name in ORDER if name in picked):
            r = picked[scheme].wheel
            shown = (np.abs(r.v_x) >= slow) & (r.load > 0.0)  # the first record has no forces
            smooth = scheme not in ("set-valued", "local-current")
            chatter = picked[scheme].chatter
            # a chaotic run: its chatter differs between processors
            size = "above 10 %" if chatter > 0.1 else f"{100.0 * chatter:.2g} %"
            axis.plot(
                r.slip[shown], r.traction[shown] / r.load[shown],
                linestyle=STYLES[scheme] if smooth else "none", marker="none" if smooth else ".",
                color=COLOURS[scheme], label=f"{scheme}: {size}", rasterized=True,
                linewidth=1.8, markersize=3.5, markeredgewidth=0.0, alpha=1.0 if smooth else 0.8,
            )  # fmt: skip
        axis.set_xlim(low, high)
        axis.set_xlabel("slip ratio $i_s$ [-]")
        axis.grid(True, alpha=0.25)
    top = max(1.3 * float(wheel.thrust_ratio(0.4, load)), 0.3)
    axes[0].set_ylim(-top, top)
    axes[1].set_ylim(-0.15, top)
    axes[2].set_ylim(-0.15, 0.5)
    _mark_steady_slip(axes[1], steady, load)
    axes[0].set_ylabel("thrust ratio $F_t / F_n$ [-]")
    axes[0].set_title("every step", fontsize=10)
    axes[1].set_title(f"faster than {1e3 * SLOW:g} mm/s", fontsize=10)
    axes[2].set_title(f"faster than {1e3 * SLOW:g} mm/s, at small slip", fontsize=10)
    (law, *handles), (words, *labels) = axes[0].get_legend_handles_labels()
    axes[0].legend([law], [words], fontsize=9, loc="lower right", frameon=False)
    figure.legend(
        handles, labels, fontsize=9, loc="outside right center", markerscale=3.0, title_fontsize=9,
        title="scheme: chatter, rms swing\nof the thrust over its peak", frameon=False,
    )  # fmt: skip
    return save(figure, path)


def forces_and_velocities(
    case: QuarterVehicleCase, runs: list[QuarterVehicleRun], steady: SteadyState, path: Path
) -> Path:
    """Draw forces and velocities over time (Fig 5)."""
    picked = {run.scheme: run for run in runs}
    figure = new_figure(8.0, 6.2)
    top, bottom = figure.subplots(2, 1, sharex=True)
    vehicle = case.vehicle("implicit")
    radius = vehicle.wheel.tyre.radius
    for scheme in (name for name in ORDER if name in picked):
        time, run = picked[scheme].trajectory.time, picked[scheme].wheel
        smooth = scheme not in ("set-valued", "local-current")
        style = {
            "color": COLOURS[scheme],
            "linestyle": STYLES[scheme],
            "rasterized": True,
            "linewidth": 1.6 if smooth else 0.35,
            "alpha": 1.0 if smooth else 0.5,
        }
        top.plot(time, run.traction, **style, label=f"$F_t$, {scheme}")
        bottom.plot(time, run.v_x, **style)
        bottom.plot(time, run.rim_speed, **style)
    best = picked.get("implicit", runs[-1]).wheel
    top.plot(time, -best.resistance, color="#7a4a21", linewidth=1.4, label="resistance $F_c$")
    pull = vehicle.pull * best.v_x * np.abs(best.v_x)
    top.plot(time, pull, color="#555555", linewidth=1.4, label="pull $F_p$")
    torque = np.interp(time, *np.transpose(vehicle.torque.points))
    top.plot(
        time, torque / radius, color="black", linewidth=0.9, linestyle=(0, (5, 4)), label="$T_a / r$"
    )
    _mark_steady_forces(top, steady, float(time[-1]))
    half = int(0.62 * len(time))
    for values, name, lift in (
        (best.v_x, "$v_x$", -13),
        (best.rim_speed, "$\\omega r$", 6),
    ):
        bottom.annotate(name, (time[half], values[half]), xytext=(0, lift), textcoords="offset points")
    forces = np.concatenate([run.wheel.traction for run in picked.values()])
    largest = max(1.0, float(forces.max()))
    top.set_ylim(min(1.05 * float(forces.min()), -0.3 * largest), 1.08 * largest)
    top.set_xlim(0.0, float(time[-1]))
    fastest = max(1e-3, float(np.abs(best.rim_speed).max()))
    bottom.set_ylim(-0.08 * fastest if best.v_x.min() > -1e-3 else None, 1.15 * fastest)
    top.set_ylabel("force [N]")
    bottom.set_ylabel("velocity [m/s]")
    bottom.set_xlabel("time [s]")
    legend = top.legend(fontsize=8, ncols=2, loc="lower right", framealpha=0.95)
    for line in legend.get_lines():
        line.set_linewidth(2.0)
        line.set_alpha(1.0)
    for axis in (top, bottom):
        axis.grid(True, alpha=0.25)
    return save(figure, path)
