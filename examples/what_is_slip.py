"""What is slip? A rolling, a driven and a braked wheel, and the thrust of the soil on them.

The rim passes the ground at ``omega r`` and the wheel travels at ``v``. Where both are the same the
wheel rolls; where they differ it slips, and only then is there a thrust.
"""

from pathlib import Path
from typing import Any

import numpy as np

from contact import LAWS, ConeIndexSoil, Tyre, slip_ratio

TYRE, SOIL, LOAD = Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5), 2452.5  # m; Pa; N, the wheel's load
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
        axes = figure.add_subplot(grid[0, k])
        wheel(axes, f"{name}: slip {slips[name]:.0%}", v, rim, thrust_at(slips[name]), colour)
    axes = figure.add_subplot(grid[1, :])
    slip = np.linspace(-0.3, 0.3, 401)
    axes.plot(slip, LAWS["brixius"].thrust_ratio(slip, LOAD, TYRE, SOIL) * LOAD, color="#333333")
    for (name, i), colour in zip(slips.items(), COLOURS, strict=True):
        thrust = thrust_at(i)
        axes.plot(i, thrust, "o", color=colour, markersize=8)
        axes.annotate(name, (i, thrust), (9, -14), textcoords="offset points", color=colour)
    axes.axhline(0.0, color="grey", linewidth=0.6)
    axes.axvline(0.0, color="grey", linewidth=0.6)
    axes.set(xlabel="slip ratio (omega r - v) / max(omega r, v) [-]", ylabel="thrust on the wheel [N]")
    figure.savefig(picture, dpi=150)


def thrust_at(slip: float) -> float:
    """Thrust at a slip [N]; 0 at zero slip, where it is set-valued."""
    return 0.0 if slip == 0.0 else float(LAWS["brixius"].thrust_ratio(slip, LOAD, TYRE, SOIL)) * LOAD


def wheel(axes: Any, title: str, v: float, rim: float, thrust: float, colour: str) -> None:
    """Draw a wheel on the ground: speeds of its centre and of its rim at the contact, and the thrust."""
    t = np.linspace(0.0, 2.0 * np.pi, 100)
    axes.fill_between([-1.0, 1.0], -0.52, -RADIUS, color="#d8cdb8")
    axes.fill(RADIUS * np.cos(t), RADIUS * np.sin(t), color="#e6e8ea", ec="#333333", linewidth=2)
    arrow = {"width": 0.018, "head_width": 0.07, "length_includes_head": True}
    axes.arrow(0.0, 0.0, 0.3 * v, 0.0, color="#333333", **arrow)
    axes.text(0.68, 0.07, f"v = {v:g} m/s", ha="center", fontsize=8)
    turn = np.linspace(0.75 * np.pi, 0.75 * np.pi - 0.45 * rim, 40)
    axes.plot(0.8 * RADIUS * np.cos(turn), 0.8 * RADIUS * np.sin(turn), color="#333333")
    tip = {"arrowstyle": "-|>", "color": "#333333"}
    ends = [0.8 * RADIUS * np.array([np.cos(a), np.sin(a)]) for a in (turn[-1] - 0.12, turn[-2])]
    axes.annotate("", xy=ends[0], xytext=ends[1], arrowprops=tip)
    axes.text(0.0, 0.1, f"$\\omega$r = {rim:g} m/s", ha="center", fontsize=8)
    if thrust:
        axes.arrow(0.0, -RADIUS, 3e-4 * thrust, 0.0, color=colour, **arrow)
    side = -np.sign(thrust) or 1.0
    axes.text(0.06 * side, -0.47, f"thrust {thrust:.0f} N", color=colour, fontsize=8, ha="center")
    axes.set(xlim=(-0.85, 0.85), ylim=(-0.52, 0.42), aspect="equal", title=title)
    axes.set_axis_off()


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    number = main(Path("out/what_is_slip.png"))
    print(f"slip of the driven wheel: {number:.2f} [-]; picture: out/what_is_slip.png")
