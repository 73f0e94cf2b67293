"""Fig 1 of Peiret et al.: action of the soil on a wheel, as stresses and as their resultant forces."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import BekkerSoil, WheelForces, WongReece

from ..pictures import new_figure, save
from .style import BLUE, GREEN, INK, ORANGE, PURPLE, RED, SOIL, TYRE, arrow, dark

Floats = NDArray[np.float64]
#: Soil and wheel of Azimi et al. (2013), with a deep contact that is visible in the picture.
AZIMI = BekkerSoil(0.0, 4.1e5, 0.8, 234.0, math.radians(30.0), 0.013, 0.18, 0.32)
RADIUS, WIDTH, LOAD, SLIP = 0.15, 0.1, 165.0, 0.2  # [m], [m], [N], [-]


@dataclass(frozen=True)
class Stresses:
    """Normal and shear stresses (n,) [Pa] under a wheel at angles (n,) [rad] from the lowest point."""

    wheel: WheelForces
    angle: Floats
    normal: Floats
    shear: Floats


def contact(points: int = 4001) -> Stresses:
    """Compute Wong and Reece's stresses (Peiret et al., eqs 13, 14) between exit and entry; the entry
    angle is computed by the law.

    The stresses are computed from the equations, independently of the kernels that integrate the law.
    """
    wheel = WongReece().wheel(AZIMI, RADIUS, WIDTH, LOAD, SLIP)
    entry = float(wheel.entry_angle)
    largest = (AZIMI.c_1 + AZIMI.c_2 * SLIP) * entry
    angle = np.linspace(0.0, entry, points)
    seen = np.where(angle >= largest, angle, entry - angle / largest * (entry - largest))
    sinkage = np.maximum(np.cos(seen) - math.cos(entry), 0.0)
    normal = AZIMI.modulus(WIDTH) * (RADIUS * sinkage) ** AZIMI.n
    slid = RADIUS * ((entry - angle) - (1.0 - SLIP) * (math.sin(entry) - np.sin(angle)))
    strength = AZIMI.cohesion + normal * math.tan(AZIMI.friction_angle)
    return Stresses(wheel, angle, normal, strength * -np.expm1(-slid / AZIMI.shear_modulus))


def sums(c: Stresses) -> dict[str, tuple[float, float]]:
    """Resultants of the drawn stresses (Peiret et al., eqs 9 to 12) and of the law: (sum, law) by
    name.
    """
    area, sine, cosine = RADIUS * WIDTH, np.sin(c.angle), np.cos(c.angle)

    def total(stress: Floats) -> float:
        return float(area * np.trapezoid(stress, c.angle))

    return {
        "F_n [N]": (total(c.normal * cosine + c.shear * sine), LOAD),
        "F_t [N]": (total(c.shear * cosine), float(c.wheel.thrust)),
        "F_c [N]": (total(c.normal * sine), float(c.wheel.compaction)),
        "T_a [N m]": (total(RADIUS * c.shear), float(c.wheel.torque)),
    }


def draw(path: Path) -> Path:
    """Draw one wheel twice: with stresses on the left, with forces on the right."""
    c = contact()
    figure = new_figure(10.4, 4.7)
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        scene(axes, c)
    stresses(left, c)
    resultants(right, c)
    figure.suptitle(
        f"a driven wheel of {LOAD:g} N on loose soil, slip {SLIP:g}: "
        "the stresses (13, 14) add up to the forces (9 to 12)",
        fontsize=11,
    )
    return save(figure, path)


def rim(angle: Any, radius: float = RADIUS) -> Floats:
    """Points (n, 2) [m] of the rim at angles [rad] from the lowest point; the origin is the centre."""
    return np.stack([radius * np.sin(angle), -radius * np.cos(angle)], axis=-1)


def scene(axes: Any, c: Stresses) -> None:
    """Draw wheel and soil: the surface in front of the wheel, the rut behind it."""
    from matplotlib.patches import Circle, Polygon

    entry = float(c.wheel.entry_angle)
    surface, floor = -RADIUS * math.cos(entry), -RADIUS
    edge = 1.62 * RADIUS
    under = rim(np.linspace(0.0, entry, 60))
    ground = np.vstack(
        [[[-edge, floor]], under, [[edge, surface], [edge, -2.05 * RADIUS], [-edge, -2.05 * RADIUS]]]
    )
    axes.add_patch(Circle((0.0, 0.0), RADIUS, facecolor=TYRE, edgecolor=INK, linewidth=1.6))
    axes.add_patch(Polygon(ground, facecolor=SOIL, edgecolor="none", zorder=0.5))
    axes.plot(*np.vstack([[[-edge, floor]], under, [[edge, surface]]]).T, color="#8a6d3b", linewidth=1.4)
    axes.plot(0.0, 0.0, "o", color=INK, markersize=4)
    axes.set_xlim(-edge, edge)
    axes.set_ylim(-2.05 * RADIUS, 1.22 * RADIUS)
    axes.set_aspect("equal")
    axes.axis("off")


def stresses(axes: Any, c: Stresses) -> None:
    """Draw the normal stress outside the rim and the shear stress inside, to one scale."""
    from matplotlib.patches import Polygon

    entry, scale = float(c.wheel.entry_angle), 0.8 * RADIUS / c.normal.max()
    on, tangent = rim(c.angle), rim(c.angle, 1.0)
    outer, inner = on + scale * c.normal[:, None] * tangent, on - scale * c.shear[:, None] * tangent
    for edge, colour in ((outer, BLUE), (inner, ORANGE)):
        axes.add_patch(Polygon(np.vstack([on, edge[::-1]]), facecolor=colour, alpha=0.22, zorder=2))
        axes.plot(*edge.T, color=colour, linewidth=1.4, zorder=3)
    picked = np.linspace(0.06, 0.94, 9) * (len(c.angle) - 1)
    for k in picked.astype(int):
        arrow(axes, outer[k], on[k], BLUE, 1.1)
        along = np.array([math.cos(c.angle[k]), math.sin(c.angle[k])])
        middle = on[k] - 0.02 * RADIUS * tangent[k]
        reach = 0.35 * scale * c.shear[k] * along
        arrow(axes, middle - reach, middle + reach, ORANGE, 1.1)
    label(axes, "normal\nstress $\\sigma$", outer[int(0.5 * len(c.angle))], (18, -18), BLUE)
    label(axes, "shear\nstress $\\tau$", inner[int(0.12 * len(c.angle))], (-84, 30), ORANGE)
    labels = ((entry, "entry $\\theta_1$", (0.3, 0.1)), (0.0, "exit $\\theta_2$ = 0", (-0.35, -0.2)))
    for angle, name, off in labels:
        axes.plot(
            *np.vstack([[0.0, 0.0], rim(angle)]).T, color=INK, linewidth=0.7, linestyle=(0, (4, 3))
        )
        point = rim(angle) + RADIUS * np.array(off)
        axes.text(*point, name, fontsize=10, ha="left" if angle else "center")
    arc = rim(np.linspace(0.0, entry, 40), 0.4 * RADIUS)
    axes.plot(*arc.T, color=INK, linewidth=0.8)
    axes.text(0.1 * RADIUS, -0.32 * RADIUS, "$\\theta$", fontsize=11)
    motion(axes)
    axes.set_title(
        f"stresses: $\\sigma$ up to {1e-3 * c.normal.max():.1f} kPa, $\\tau$ up to "
        f"{1e-3 * c.shear.max():.1f} kPa",
        fontsize=10,
    )


def motion(axes: Any) -> None:
    """Draw arrows of the wheel's rotation and travel."""
    arc = rim(np.linspace(math.pi + 0.55, math.pi - 0.45, 40), 1.12 * RADIUS)
    axes.plot(*arc.T, color=INK, linewidth=1.4)
    arrow(axes, arc[-3], arc[-1] + (arc[-1] - arc[-3]), INK, 1.4)
    axes.text(-0.72 * RADIUS, 1.02 * RADIUS, "$\\omega$", fontsize=12)
    arrow(axes, (0.0, 0.0), (0.62 * RADIUS, 0.0), INK, 1.4)
    axes.text(0.56 * RADIUS, 0.07 * RADIUS, "$v_x$", fontsize=12)


def resultants(axes: Any, c: Stresses) -> None:
    """Draw the forces on the wheel, to one scale, at the points where the simulation applies them."""
    thrust, compaction = float(c.wheel.thrust), float(c.wheel.compaction)
    pull, torque = float(c.wheel.drawbar_pull), float(c.wheel.torque)
    rolling = torque - RADIUS * thrust
    scale = 0.92 * RADIUS / LOAD
    low, centre = np.array([0.0, -RADIUS]), np.zeros(2)
    there = np.array([-scale * compaction, 0.0])
    arrow(axes, low - np.array([0.0, scale * LOAD]), low, GREEN, 2.8)
    arrow(axes, low, low + np.array([scale * thrust, 0.0]), ORANGE, 2.8)
    arrow(axes, centre, there, BLUE, 2.8)
    arrow(axes, there, there - np.array([scale * pull, 0.0]), RED, 2.8)
    for words, x, y, colour in (
        (f"normal force\n$F_n$ = {LOAD:g} N", 0.08, -1.7, GREEN),
        (f"traction\n$F_t$ = {thrust:.1f} N", 0.4, -1.22, ORANGE),
        (f"resistance\n$F_c$ = {compaction:.1f} N", 0.08, -0.17, BLUE),
        (f"pull\n$F_p$ = {pull:.1f} N", -0.85, 0.09, RED),
    ):
        axes.text(x * RADIUS, y * RADIUS, words, color=dark(colour), fontsize=10)
    arc = rim(np.linspace(math.pi + 0.9, math.pi - 0.9, 40), 0.42 * RADIUS)
    axes.plot(*arc.T, color=PURPLE, linewidth=2.2)
    arrow(axes, arc[-3], arc[-1] + (arc[-1] - arc[-3]), PURPLE, 2.2)
    axes.text(
        0.0,
        0.5 * RADIUS,
        f"$T_a$ = {torque:.2f} N m\n= $F_t\\,r$ + $T_{{rr}}$ ({rolling:.2f} N m)",
        color=dark(PURPLE),
        fontsize=10,
        ha="center",
    )
    axes.set_title("forces, all to one scale: $F_t = F_c + F_p$ (15)", fontsize=10)


def label(axes: Any, words: str, point: Any, off: tuple[float, float], colour: str) -> None:
    """Write words next to a point, with a thin line to it."""
    axes.annotate(
        words, tuple(point), xytext=off, textcoords="offset points", color=dark(colour), fontsize=10,
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.7},
    )  # fmt: skip
