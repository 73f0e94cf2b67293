"""Fig 2 of Peiret et al.: the slip ratio over the speeds of wheel and rim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from contact import slip_ratio, smooth_slip_ratio
from contact.slip import V_0

from ..pictures import new_figure, save
from .style import BLUE, GREEN, GREY, INK, RED, dark, plain

V_MIN = 0.1  # default v_min of the smooth slip [m/s]


def draw(path: Path) -> Path:
    """Draw the slip over the rim's speed, over both speeds, and near rest."""
    figure = new_figure(11.0, 3.7)
    over_rim, plane, rest = figure.subplots(1, 3, width_ratios=(1.25, 1.0, 1.0))
    along(over_rim)
    map_of(figure, plane)
    near_rest(rest)
    return save(figure, path)


def along(axes: Any) -> None:
    """Draw the slip i_s over omega r / v_x, rim speed over wheel speed, for forward travel."""
    ratio = np.linspace(0.0, 4.0, 801)
    slip = slip_ratio(1.0, ratio, 1.0)
    axes.axhline(0.0, color=GREY, linewidth=0.7)
    for side, colour in ((ratio <= 1.0, RED), (ratio >= 1.0, BLUE)):
        axes.plot(ratio[side], slip[side], color=colour, linewidth=2.4)
        axes.fill_between(ratio[side], slip[side], color=colour, alpha=0.12)
    for at, words, off, side in (
        (0.0, "locked", (10, -3), "left"),
        (1.0, "rolls freely", (8, -15), "left"),
        (2.0, "rim twice as fast:\n$i_s$ = 0.5", (-8, 4), "right"),
    ):
        there = float(slip_ratio(1.0, at, 1.0))
        axes.plot(at, there, "o", color=INK, markersize=5, zorder=5)
        axes.annotate(words, (at, there), xytext=off, textcoords="offset points", fontsize=9, ha=side)
    axes.text(0.97, -0.68, "braking:\n$\\omega r / v_x - 1$", color=dark(RED), fontsize=10)
    axes.text(2.55, 0.18, "driving:\n$1 - v_x / \\omega r$", color=dark(BLUE), fontsize=10)
    axes.set(
        xlabel="$\\omega r / v_x$ [-]",
        ylabel="slip ratio $i_s$ [-]",
        xlim=(-0.08, 4.0),
        ylim=(-1.08, 1.0),
    )
    axes.set_title("slip ratio (5, 6), driving forwards", fontsize=10)
    plain(axes)


def map_of(figure: Any, axes: Any) -> None:
    """Draw the slip ratio i_s over both speeds, forwards and backwards; colours show its sign."""
    speed = np.linspace(-1.0, 1.0, 401)
    v_x, rim = np.meshgrid(speed, speed)
    drawn = axes.contourf(
        v_x, rim, slip_ratio(v_x, rim, 1.0), np.linspace(-1.0, 1.0, 21), cmap="RdBu", vmin=-1.8, vmax=1.8
    )
    axes.plot([-1, 1], [-1, 1], color=INK, linewidth=1.4)
    axes.axhline(0.0, color=INK, linewidth=0.6, linestyle=(0, (4, 3)))
    axes.axvline(0.0, color=INK, linewidth=0.6, linestyle=(0, (4, 3)))
    style = {"fontsize": 9, "ha": "center", "va": "center"}
    for x, y, words in (
        (0.34, 0.72, "driving"),
        (0.68, 0.27, "braking"),
        (-0.34, -0.72, "driving\nbackwards"),
        (-0.66, -0.22, "braking\nbackwards"),
        (-0.5, 0.55, "against\neach other"),
        (0.5, -0.55, "against\neach other"),
    ):
        axes.text(x, y, words, color=INK, **style)
    axes.text(-0.83, -0.73, "$i_s$ = 0", rotation=45, color=INK, **style)
    axes.set(xlabel="$v_x$ [m/s]", ylabel="$\\omega r$ [m/s]")
    axes.set_aspect("equal")
    axes.set_title("sign of the thrust on the wheel", fontsize=10)
    bar = figure.colorbar(drawn, ax=axes, ticks=(-1.0, -0.5, 0.0, 0.5, 1.0), shrink=0.85)
    bar.ax.set_title("$i_s$ [-]", fontsize=10)


def near_rest(axes: Any) -> None:
    """Draw the slip of a standing vehicle with a turning rim: ratio with the floor v_0, and smooth
    slip (Peiret et al., eq 7).
    """
    rim = np.geomspace(1e-5, 100.0, 400)
    axes.plot(rim, slip_ratio(0.0, rim, 1.0), color=GREEN, linewidth=2.4)
    axes.plot(
        rim, smooth_slip_ratio(0.0, rim, 1.0, V_MIN), color=GREY, linewidth=2.0, linestyle=(0, (5, 2))
    )
    for at, words in ((V_0, "$v_0$"), (V_MIN, "$v_{min}$")):
        axes.axvline(at, color=INK, linewidth=0.7, linestyle=":")
        axes.text(1.15 * at, 1.03, words, fontsize=10)
    axes.set_xscale("log")
    axes.set(
        xlabel="rim speed $\\omega r$ at $v_x = 0$ [m/s]",
        ylabel="slip ratio $i_s$ [-]",
        ylim=(-0.05, 1.15),
        xlim=(1e-5, 100.0),
    )
    axes.text(1.2e-5, 0.5, "floored\nat $v_0$", color=dark(GREEN), fontsize=10)
    axes.text(0.3, 0.5, "smooth slip\nof eq 7", color=dark(GREY), fontsize=10)
    axes.set_title("near rest", fontsize=10)
    plain(axes)
