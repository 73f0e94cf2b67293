"""Fig 3 of Peiret et al.: the ground law, each scheme's linearisation of it, and a step of each scheme.

The lines come from the rows ``v_t+ + e p + b = 0`` of a step's complementarity problem (impulse p inside
its bounds, sliding velocity v_t+ at the end of the step), not from the formulas of the schemes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import ConeIndexSoil, GroundContact, Tyre, WheelContact, slip_ratio
from contact.kernels.wheel import layout as at

from ..pictures import new_figure, save
from .style import INK, SCHEMES, dark, plain

Floats = NDArray[np.float64]
# wheel and soil of Peiret et al., Table 1
TYRE, SOIL = Tyre(0.762, 0.2, 0.14, deflection_ratio=0.0), ConeIndexSoil(4e5)
MASS, INERTIA, G = 250.0, 6.0, 9.81
LOAD = MASS * G
J = np.array([[0, 1, 0], [1, 0, -TYRE.radius], [0, 0, 0], [1, 0, 0]])  # columns: v_x, v_z, omega
INVERSE = 1.0 / np.array([MASS, MASS, INERTIA])
B = J @ (INVERSE[:, None] * J.T)
R_0 = 0.04  # set-valued part of Brixius' law over the load [-], the same in every scheme
THREE = ("set-valued", "global", "local")  # schemes of the paper's Fig 3
RIM, SLIP = 2.0, 0.1  # rim speed [m/s] and slip [-] of Fig 3
END = 0.2  # slip at the end of a step [-], at which `implicit` linearises


@dataclass(frozen=True)
class WheelStep:
    """One step of the quarter wheel under a scheme.

    start, end: (v_x, omega) [m/s, rad/s]; force: thrust, its smooth and set-valued parts together [N];
    load [N]; v_max: larger of the speeds of wheel and rim at the linearisation point [m/s]; line:
    function, linearised thrust [N] over v_t+ [m/s].
    """

    start: tuple[float, float]
    end: tuple[float, float]
    force: float
    load: float
    v_max: float
    line: Callable[[Floats], Floats]

    @property
    def v_t(self) -> float:
        """Sliding velocity at the end of the step [m/s]."""
        return self.end[0] - TYRE.radius * self.end[1]


def wheel(scheme: str) -> WheelContact:
    """Wheel of Peiret et al., Table 1, under a regularisation scheme."""
    return WheelContact(TYRE, SOIL, law="brixius", regularisation=scheme, sinkage="bekker")


def steps(
    scheme: str, h: float, v_x: float, rim: float, torque: float = 0.0, count: int = 1
) -> list[WheelStep]:
    """Compute ``count`` steps of h [s] from speeds of wheel and rim [m/s], under a torque [N m]."""
    contact = GroundContact([wheel(scheme)])
    gap = [-contact.wheels[0].static_compression(LOAD)]
    v = np.array([v_x, 0.0, rim / TYRE.radius])
    still = v + h * INVERSE * np.array([0.0, -LOAD, 0.0])
    contact.solve(h, gap, B, J @ v, J @ still)  # a first solve determines the load for the next step
    taken = []
    for _ in range(count):
        free = v + h * INVERSE * np.array([0.0, -LOAD, torque])
        q = contact.solve(h, gap, B, J @ v, J @ free)
        new = free + INVERSE * (J.T @ q)
        load, v_max = q[0] / h, contact.wheel_arrays.now[0].v_max
        ends = (float(new[0]), float(new[2]))
        taken.append(WheelStep((v[0], v[2]), ends, q[1] / h, load, v_max, line_of(contact, h)))
        v = np.array([new[0], 0.0, new[2]])
    return taken


def line_of(contact: GroundContact, h: float) -> Callable[[Floats], Floats]:
    """Make the function from v_t+ [m/s] to the thrust [N] that the rows of the last solve define.

    The smooth part is the traction row's line ``v_t+ + e p + b = 0`` between its bounds on the impulse
    p; the set-valued part is the friction of another row.
    """
    rows, first = contact.row_arrays, contact.wheel_arrays.each[0].row
    k, stick = first + at.ROW_TRACTION, first + at.ROW_STICK
    e, bias, low, high = (float(a[k]) for a in (rows.e, rows.bias, rows.lower, rows.upper))
    stick_bound = float(rows.upper[stick])
    return lambda v_t: (np.clip(-(v_t + bias) / e, low, high) - stick_bound * np.sign(v_t)) / h


def law(v_x: Any, rim: Any) -> Floats:
    """Thrust ratio [-] by the ground law at speeds of wheel and rim [m/s], driving forwards."""
    return np.asarray(wheel("implicit").thrust_ratio(slip_ratio(v_x, rim, 1.0), LOAD))


def present_line(scheme: str, slip: float = SLIP) -> Callable[[Any], Any]:
    """Make the function from v_t+ [m/s] to the thrust ratio, linearised at a slip and the speed RIM.

    The step is so short that the slip does not change, so ``implicit``, which linearises at the end of
    the step, has the same point as the other schemes.
    """
    one = steps(scheme, 1e-9, (1.0 - slip) * RIM, RIM)[0]
    return lambda v_t: one.line(v_t) / one.load


def draw_lines(path: Path) -> Path:
    """Draw the law over slip, and the lines of the paper's three schemes and of ``implicit``."""
    figure = new_figure(7.6, 4.8)
    axes = figure.subplots()
    over = np.linspace(-0.25, 0.5, 1501)
    sliding = -over * RIM  # the rim keeps its speed
    axes.axhline(0.0, color=INK, linewidth=0.6)
    axes.axvline(0.0, color=INK, linewidth=0.6)
    curve = np.asarray(wheel("implicit").thrust_ratio(over, LOAD))
    axes.plot(over, curve, color="#cfcfcf", linewidth=7.0, solid_capstyle="round", zorder=1)
    for scheme in THREE:
        axes.plot(over, present_line(scheme)(sliding), color=SCHEMES[scheme], linewidth=2.2, zorder=3)
    new = SCHEMES["implicit"]
    axes.plot(over, present_line("implicit", END)(sliding), color=new, linewidth=2.2, zorder=4)
    slip, there = SLIP, float(law((1.0 - SLIP) * RIM, RIM))
    last = float(law((1.0 - END) * RIM, RIM))
    axes.plot(slip, there, "o", color=INK, markersize=8, zorder=5)
    axes.plot(END, last, "o", markerfacecolor="white", markeredgecolor=INK, markersize=8, zorder=5)
    for words, point, to, colour in (
        ("present slip", (slip, there), (0.125, 0.29), INK),
        ("slip at the end of the step", (END, last), (0.26, 0.46), INK),
        ("implicit, the default:\ntangent at the end\nof the step", (0.03, 0.405), (-0.22, 0.48), new),
        ("law $\\mu(i_s)$ (19)", (0.45, float(curve[over <= 0.45][-1])), (0.39, 0.58), "#8f8f8f"),
        ("set-valued (23):\nbounds from the present slip", None, (0.26, 0.31), SCHEMES["set-valued"]),
        ("global (25):\nsecant, bounds at the peak", (0.16, 0.595), (-0.22, 0.73), SCHEMES["global"]),
        (
            "local (27):\ntangent, its value at zero\nslip set-valued",
            (0.0, 0.155),
            (-0.22, 0.22),
            SCHEMES["local"],
        ),
    ):
        axes.annotate(
            words, point or to, xytext=to, color=dark(colour), fontsize=10, va="center",
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8} if point else None,
        )  # fmt: skip
    axes.set(
        xlabel="slip ratio at the end of the step $i_s^+ = -v_t^+ / v_{max}$ [-]",
        ylabel="thrust ratio $F_t^+ / F_n$ [-]",
        xlim=(-0.25, 0.5),
        ylim=(-0.85, 0.85),
    )
    plain(axes)
    return save(figure, path)


#: Step from a small speed, where the law is steep over v_t: length [s], speeds [m/s], torque [N m].
SMALL = {"h": 5e-3, "v_x": 0.2, "rim": 0.201, "torque": 300.0}
SHOWN = ("set-valued", "global", "local", "implicit")


def draw_steps(path: Path) -> Path:
    """Draw one step from one state under four schemes, as intersections of two lines."""
    figure = new_figure(11.0, 4.2)
    panels = figure.subplots(1, len(SHOWN), sharey=True)
    for axes, scheme in zip(panels, SHOWN, strict=True):
        draw_step(axes, scheme)
    first = panels[0]
    first.set_ylabel("thrust ratio $F_t^+/F_n$ [-]")
    for words, x, y in (
        ("law", 70, 0.53),
        ("start", -24, 0.09),
        ("1", 76, 0.09),
        ("2, 4, 6, 8", 4, 0.57),
        ("3, 5, 7", 60, -0.04),
    ):
        first.text(x, y, words, fontsize=9, color=INK)
    for axes in panels[1:]:
        axes.text(13, 0.215, "1", fontsize=9, color=INK)
        axes.text(21, 0.275, "2 to 8", fontsize=9, color=INK)
    panels[1].text(52, 0.15, "thrust that the\nwheel needs for\nthis $v_t^+$", fontsize=9, color=INK)
    figure.suptitle(
        f"one step of {1e3 * SMALL['h']:g} ms from the same state under four schemes (large point), "
        "and seven more (small)",
        fontsize=11,
    )
    return save(figure, path)


def draw_step(axes: Any, scheme: str) -> None:
    """Draw the law's curve, the wheel's line, the scheme's line, and the ends of the steps."""
    sliding, colour = np.linspace(0.03, -0.11, 1401), SCHEMES[scheme]  # sliding: v_t+ [m/s]
    taken = steps(scheme, count=8, **SMALL)
    one, across = taken[0], -1e3 * sliding
    force, there = own_line(sliding, one)
    axes.axhline(0.0, color=INK, linewidth=0.5)
    axes.axvline(0.0, color=INK, linewidth=0.5)
    axes.plot(across, there, color="#cfcfcf", linewidth=6.0, zorder=1)
    axes.plot(across, force / LOAD, color=INK, linewidth=1.1, linestyle=(0, (5, 3)), zorder=2)
    axes.plot(across, one.line(sliding) / LOAD, color=colour, linewidth=2.2, zorder=3)
    later = np.array([[-1e3 * s.v_t, s.force / s.load] for s in taken])
    axes.plot(*later.T, ".-", color=dark(colour), linewidth=0.7, markersize=6, zorder=4)
    axes.plot(*later[0], "o", color=INK, markersize=7, zorder=6)
    start = 1e3 * (SMALL["rim"] - SMALL["v_x"]), float(law(SMALL["v_x"], SMALL["rim"]))
    axes.plot(*start, "o", markerfacecolor="white", markeredgecolor=INK, markersize=6, zorder=5)
    axes.set_title(scheme, fontsize=11, color=dark(colour))
    axes.set(xlabel="$-v_t^+$ [mm/s]", xlim=(-30, 110), ylim=(-0.15, 0.75))
    plain(axes)


def own_line(sliding: Floats, one: WheelStep) -> tuple[Floats, Floats]:
    """Thrust [N] under which the wheel ends its step at v_t+, and the law's thrust ratio at v_t+ [-].

    ``v_t+ = v_t,free + h B F``: sliding velocity v_t,free without thrust, step h, inverse effective mass
    B, thrust F; the rolling resistance is that of the step ``one``.
    """
    h, v_x, rim, torque = (SMALL[k] for k in ("h", "v_x", "rim", "torque"))
    resistance = MASS * (one.end[0] - v_x) / h - one.force
    v_x, rim = v_x + h * resistance / MASS, rim + h * TYRE.radius * torque / INERTIA
    force = (sliding - (v_x - rim)) / (h * B[1, 1])
    return force, law(v_x + h * force / MASS, rim - h * TYRE.radius**2 * force / INERTIA)
