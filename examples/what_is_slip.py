"""What is slip? A wheel that rolls, one that is driven, one that is braked, and what the soil does.

The rim passes the ground at ``omega r`` and the wheel travels at ``v``. Where both are the same the
wheel rolls; where they differ it slips, and only then does the soil push.
"""

from pathlib import Path
from typing import Any

import numpy as np

from contact import LAWS, ConeIndexSoil, Tyre, slip_ratio

TYRE, SOIL, LOAD = Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5), 2452.5  # m, m, m; Pa; N
RADIUS = TYRE.radius
CASES = {"rolling": (2.0, 2.0), "driven": (1.6, 2.0), "braked": (2.0, 1.6)}  # v, omega r [m/s]
COLOURS = ("#3f7f5f", "#c8551b", "#4a63b0")


def main(picture: Path | None = None) -> float:
    """Slip of the driven wheel, (2.0 - 1.6) / 2.0 [-]."""
    slips = {name: float(slip_ratio(v, rim / RADIUS, RADIUS)) for name, (v, rim) in CASES.items()}
    if picture is not None:
        draw(picture, slips)
    return slips["driven"]


def draw(picture: Path, slips: dict[str, float]) -> None:
    """Three wheels with their speeds, and the thrust over the slip below them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1.0, 1.5))
    for k, ((name, (v, rim)), colour) in enumerate(zip(CASES.items(), COLOURS, strict=True)):
        wheel(figure.add_subplot(grid[0, k]), f"{name}: slip {slips[name]:.0%}", v, rim, colour)
    axes = figure.add_subplot(grid[1, :])
    slip = np.linspace(-0.3, 0.3, 401)
    law = LAWS["brixius"]
    axes.plot(slip, law.thrust_ratio(slip, LOAD, TYRE, SOIL) * LOAD, color="#333333")
    for (name, i), colour in zip(slips.items(), COLOURS, strict=True):
        thrust = 0.0 if i == 0.0 else float(law.thrust_ratio(i, LOAD, TYRE, SOIL)) * LOAD
        axes.plot(i, thrust, "o", color=colour, markersize=8)
        axes.annotate(name, (i, thrust), (9, -14), textcoords="offset points", color=colour)
    axes.axhline(0.0, color="grey", linewidth=0.6)
    axes.axvline(0.0, color="grey", linewidth=0.6)
    axes.set(xlabel="slip ratio (omega r - v) / max(omega r, v) [-]", ylabel="push of the soil [N]")
    figure.savefig(picture, dpi=150)


def wheel(axes: Any, title: str, v: float, rim: float, colour: str) -> None:
    """A wheel on the ground, its speed at the centre, the rim's speed backwards at the ground."""
    t = np.linspace(0.0, 2.0 * np.pi, 100)
    axes.fill_between([-1.0, 1.0], -0.52, -RADIUS, color="#d8cdb8")
    axes.fill(RADIUS * np.cos(t), RADIUS * np.sin(t), color="#e6e8ea", ec="#333333", linewidth=2)
    arrow = {"width": 0.018, "head_width": 0.07, "length_includes_head": True}
    axes.arrow(0.0, 0.0, 0.3 * v, 0.0, color="#333333", **arrow)
    axes.text(-0.03, 0.08, f"v = {v:g} m/s", ha="center", fontsize=8)
    axes.arrow(0.0, -RADIUS + 0.03, -0.3 * rim, 0.0, color=colour, **arrow)
    axes.text(0.0, -0.2, f"$\\omega$r = {rim:g} m/s", color=colour, ha="center", fontsize=7)
    axes.set(xlim=(-0.85, 0.85), ylim=(-0.5, 0.5), aspect="equal", title=title)
    axes.set_axis_off()


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    number = main(Path("out/what_is_slip.png"))
    print(f"slip of the driven wheel: {number:.2f} [-]; picture: out/what_is_slip.png")
