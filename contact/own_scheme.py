"""A regularisation of one's own: a Python function that lays the traction row, pass by pass.

The compiled run knows the schemes of ``contact.REGULARISATIONS`` by number. One's own is asked from
Python instead, once a pass and wheel, and its answer replaces the row that the kernel has laid. So
it sees exactly what a built-in scheme sees and is solved and judged by the same code, at the price
of Python in every step (about 0.2 ms). It is for trying out; what proves good belongs in a kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .kernels import entry
from .kernels import layout as at

LAW_AT = 5  # what ``entry.law_at`` writes


@dataclass(frozen=True)
class Sliding:
    """What a scheme sees of one wheel: its motion, its load, and the smooth part of its thrust.

    step: h [s]. load: F_n [N]. v_t: sliding velocity of the contact point [m/s]. v_x: of the wheel
    centre [m/s]. v_max: max(|omega r|, |v_x|, v_0) [m/s]. v_0: its floor [m/s]. slip: i_s [-].
    force: smooth thrust F(i_s) on +x [N]. slope: dF/di_s [N]. peak: the largest |F| over the
    slips [N]. holding: |F| of a locked wheel, |i_s| = 1 [N]. jump: the law's own set-valued part [N],
    which is laid for you.

    Linearised at the start of the step; for a scheme that ``repeats``, at the end of the last pass.

    Source: the symbols of Peiret et al., eqs 5, 6, 27 and 28.
    """

    step: float
    load: float
    v_t: float
    v_x: float
    v_max: float
    v_0: float
    slip: float
    force: float
    slope: float
    peak: float
    holding: float
    jump: float

    @property
    def tangent(self) -> float:
        """c_t = (dF/di_s) / v_max, eq 28 [N s/m]."""
        return self.slope / self.v_max

    @property
    def secant(self) -> float:
        """|F| / |v_t|, eq 26, with its limit at v_t = 0 [N s/m]."""
        return abs(self.force / self.v_t) if self.v_t != 0.0 else self.tangent


@dataclass(frozen=True)
class Line:
    """The thrust over the end-of-step sliding velocity v_t+ that a scheme lays, forces on +x:

        F = clip(at_zero - damping v_t+, -bound, bound)  -  friction sgn(v_t+)

    at_zero [N]; damping >= 0 [N s/m]; bound >= 0 [N], inf: none; friction >= 0 [N], set-valued at
    v_t+ = 0. The law's own jump is added to the friction. Every scheme of Peiret et al., eqs 23-30, has
    this shape.

    Raises:
        ValueError: a number outside its range, by name.
    """

    at_zero: float = 0.0
    damping: float = 0.0
    bound: float = math.inf
    friction: float = 0.0

    def __post_init__(self) -> None:
        for field in ("at_zero", "damping", "friction"):
            value = float(getattr(self, field))
            if not math.isfinite(value) or (field != "at_zero" and value < 0.0):
                least = "" if field == "at_zero" else ", at least 0"
                raise ValueError(f"Line.{field} = {value} must be a finite number{least}")
        if not float(self.bound) >= 0.0:
            raise ValueError(f"Line.bound = {self.bound} N must be at least 0 N (inf: none)")


def sliding(i: int, h: float, contact: Any) -> Sliding:
    """The state of wheel ``i`` at its linearisation point, its law on the soils it stands on now."""
    now = contact.wheels.now[i]
    load = now.load
    law = np.empty(LAW_AT)
    point = np.array([now.slip, now.direction, now.v_max, load])
    entry.law_at(i, point, contact.F, contact.N, contact.base, law)
    force, slope, jump, peak, holding = law
    scale = load * now.share
    return Sliding(
        step=h, load=load, v_t=now.v_t, v_x=now.v_x, v_max=now.v_max,
        v_0=contact.wheels.each[i].v_0, slip=now.slip, force=float(force * scale),
        slope=float(slope * scale), peak=float(peak * scale),
        holding=float(holding * load), jump=float(jump * scale),
    )  # fmt: skip


def lay_line(i: int, state: Sliding, line: Line, contact: Any) -> None:
    """Write a line into the traction and stick rows of wheel ``i`` and into the problem (A, b)."""
    h, rows, first = state.step, contact.rows, contact.wheels.each[i].row
    traction, stick = first + at.ROW_TRACTION, first + at.ROW_STICK
    held = h * (state.jump + line.friction)
    rows.lower[stick], rows.upper[stick] = -held, held
    if line.damping > 0.0:
        e, bias = 1.0 / (h * line.damping), -line.at_zero / line.damping
        rows.lower[traction], rows.upper[traction] = -h * line.bound, h * line.bound
    else:
        e, bias = 1.0, 0.0
        impulse = h * min(line.bound, max(-line.bound, line.at_zero))
        rows.lower[traction], rows.upper[traction] = impulse, impulse
    rows.A[traction, traction] += e - rows.e[traction]
    rows.b[traction] += bias - rows.bias[traction]
    rows.e[traction], rows.bias[traction] = e, bias


def ask(scheme: Any, i: int, h: float, contact: Any) -> None:
    """Replace the rows of wheel ``i`` by those of one's own scheme; at rest the kernel's hold stays.

    Raises:
        ValueError: the function did not return a ``Line``.
    """
    if contact.wheels.now[i].at_rest == 1.0:
        return
    state = sliding(i, h, contact)
    line = scheme.line(state)
    if not isinstance(line, Line):
        raise ValueError(
            f"regularisation {scheme.name!r} returned {line!r}; it must return a contact.Line"
        )
    lay_line(i, state, line, contact)
