"""Figures of thrust, resistance, net traction and efficiency over slip, one per kind of ground."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from contact import LAWS, OutsideValidity, Tyre, named_soil

from ..pictures import new_figure, save

TYRE, LOAD = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), 2452.5
FIGURES = {
    "hard_ground": ("hard ground, snow and ice", ("dry", "wet", "snow", "ice"), None),
    "sand": ("sand", ("sand", "wong-reece"), "LETE sand"),
    "clay": ("fine-grained soil", ("clay", "clay-run-time", "brixius"), "clayey soil"),
    "loam": ("loam", ("brixius", "brixius-radial", "wong-reece"), "sandy loam"),
}
COLOURS = ("#1b7fbd", "#e07b00", "#1a7f37", "#7a4a9c")


def draw(out: Path) -> list[Path]:
    """Draw every figure into the directory ``out``; return the paths of the files."""
    slip = np.linspace(1e-3, 1.0, 400)
    files = []
    for name, (title, laws, ground) in FIGURES.items():
        named = None if ground is None else named_soil(ground)
        figure = new_figure(9.0, 6.2)
        axes = figure.subplots(2, 2, sharex=True)
        for law_name, colour in zip(laws, COLOURS, strict=False):
            law = LAWS[law_name]
            under = named and (named.bekker if law_name == "wong-reece" else named.cone)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OutsideValidity)
                thrust = law.thrust_ratio(slip, LOAD, TYRE, under)
                resistance = law.resistance_ratio(slip, LOAD, TYRE, under)
                rolling = law.rolling_moment_ratio(slip, LOAD, TYRE, under)
            net = thrust - resistance
            torque = thrust + rolling
            useful = (torque > 1e-9) & (net > 0.0)
            # the efficiency is undefined for net traction below 0
            efficiency = np.where(useful, (1.0 - slip) * net / np.where(useful, torque, 1.0), np.nan)
            curves = (thrust, resistance, net, efficiency)
            for axis, curve in zip(axes.flat, curves, strict=True):
                axis.plot(slip, curve, color=colour, linewidth=1.7, label=law_name)
        names = (
            "thrust ratio $\\mu$ [-]",
            "resistance ratio $\\gamma$ [-]",
            "net $\\mu - \\gamma$ [-]",
            "tractive efficiency [-]",
        )
        for axis, label in zip(axes.flat, names, strict=True):
            axis.set_ylabel(label)
            axis.grid(True, alpha=0.25)
            axis.set_xlim(0.0, 1.0)
        axes[0, 1].set_ylim(bottom=0.0)
        axes[1, 1].set_ylim(0.0, 1.0)
        if named is None:  # no legend, since all curves coincide
            axes[0, 1].set_ylim(-0.05, 1.0)
            all_four = ((axes[0, 1], "none: 0 for all four"), (axes[1, 1], "$1 - s$ for all four"))
            for axis, words in all_four:
                axis.text(0.7, 0.6, words, transform=axis.transAxes, ha="center", va="center")
        for axis in axes[1]:
            axis.set_xlabel("slip $s$ [-]")
        axes[0, 0].legend(fontsize=8)
        about = f"{title}, any load and tyre"
        if named is not None:
            soil = f"{named.name}, c_i {named.cone.cone_index / 1e3:g} kPa"
            about = f"{title}: {soil}, {LOAD:g} N, tyre {TYRE.diameter} x {TYRE.width} m"
        figure.suptitle(about, fontsize=10)
        path = out / f"laws_{name}.png"
        save(figure, path, dpi=140)
        files.append(path)
    return files
