"""A user's regularisation: a Python function that linearises thrust and lateral force.

The compiled run has the schemes of ``contact.REGULARISATIONS`` by number. A user's function is
called from Python for each pass and each direction of force, and its result replaces the kernel's
rows. The function has the same inputs as a built-in scheme, and the same solution and convergence check,
at the cost of Python in every step (about 0.2 ms). This suits experiments; for production compile the
function with Numba, so that the step calls the function, or add a file to ``kernels``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numba import njit

from mlcp import renamed
from mlcp.checks import shown
from mlcp.compiled.machine_code import OwnFunction
from mlcp.kinds import Range, at_least, checked

from ..kernels.solve import entry
from ..kernels.wheel import layout as at
from .kernels.line import Sliding as Seen

LAW_AT = 8  # length of the array that ``entry.sliding`` fills


@renamed.attributes(holding="locked", jump="coulomb")
@renamed.arguments(holding="locked", jump="coulomb")
@dataclass(frozen=True)
class Sliding:
    """Input of a scheme: motion, load, and the smooth part of the thrust of one wheel.

    For the lateral force v_t is the lateral velocity, v_max is max(|v_x|, v_0) (that of the thrust with
    combined = "sliding"), and slip is -v_t / v_max.

    step: h [s]. load: F_n [N]. v_t: sliding velocity of the contact point [m/s]. v_x: of the wheel
    centre [m/s]. v_max: max(|omega r|, |v_x|, v_0) [m/s]. v_0: floor of v_max [m/s]. slip: i_s [-].
    force: smooth thrust F(i_s) on +x [N]. slope: dF/di_s [N]. peak: the largest |F| over the
    slips [N]. locked: |F| of a locked wheel, |i_s| = 1 [N]. coulomb: set-valued part of the law [N],
    which the step adds to the friction of the scheme's ``Line``.

    The velocities are those at the start of the step, for a scheme that ``repeats`` those after the last
    pass; the load is that of the last pass.

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
    locked: float
    coulomb: float

    @property
    def tangent(self) -> float:
        """c_t = (dF/di_s) / v_max, eq 28 [N s/m]."""
        return self.slope / self.v_max

    @property
    def secant(self) -> float:
        """|F| / |v_t|, eq 26, with its limit at v_t = 0 [N s/m]."""
        return abs(self.force / self.v_t) if self.v_t != 0.0 else self.tangent


@dataclass(frozen=True)
@checked
class Line:
    """Linearised force on the wheel over the end-of-step sliding velocity v_t+, result of a scheme:

        F = clip(at_zero - damping v_t+, -bound, bound)  -  friction sgn(v_t+)

    at_zero [N]; damping >= 0 [N s/m]; bound >= 0 [N], inf: none; friction >= 0 [N], set-valued at
    v_t+ = 0. The step adds the law's Coulomb part to the friction. All schemes of Peiret et al.,
    eqs 23-30, have this form.

    Raises:
        ValueError: a number outside its range, by name.
    """

    at_zero: float = 0.0
    damping: Annotated[float, at_least(0.0, "N s/m")] = 0.0
    bound: Annotated[float, Range(0.0, unit="N", finite=False)] = math.inf
    friction: Annotated[float, at_least(0.0, "N")] = 0.0


def slidings(i: int, h: float, contact: Any) -> list[tuple[int, float, Sliding]]:
    """Inputs of a scheme for wheel i's thrust and, if there is one, lateral force: for each a tuple (row
    of the smooth part, largest force [N], ``Sliding``). h: step length [s]; contact: ``Contact``."""
    wheel, now = contact.wheels.each[i], contact.wheels.now[i]
    law = np.zeros(LAW_AT)
    entry.sliding(i, contact.F, contact.N, contact.base, law)
    load, share = now.load, now.share
    force, slope, coulomb, peak, locked, side, steep, largest = map(float, law)
    scale = load * share
    thrust = Sliding(
        step=h, load=load, v_t=now.v_t, v_x=now.v_x, v_max=now.v_max, v_0=wheel.v_0, slip=now.slip,
        force=force * scale, slope=slope * scale, peak=peak * scale, locked=locked * load,
        coulomb=coulomb * scale,
    )  # fmt: skip
    found = [(wheel.row + at.ROW_TRACTION, load * (peak + coulomb), thrust)]
    if wheel.lateral_row >= 0 and now.stuck_y == 0.0:
        floor = now.v_max if wheel.sliding else max(abs(now.v_x), wheel.v_0)
        lateral = Sliding(
            step=h, load=load, v_t=now.v_y, v_x=now.v_x, v_max=floor, v_0=wheel.v_0,
            slip=-now.v_y / floor, force=-side * share, slope=steep * share * floor,
            peak=largest * share, locked=largest, coulomb=0.0,
        )  # fmt: skip
        found.append((wheel.lateral_row, largest, lateral))
    return found


def evaluate(scheme: Any, i: int, h: float, contact: Any) -> None:
    """Replace the rows of wheel ``i`` by those of a user's scheme, except for static friction at rest.

    Raises:
        ValueError: a function that does not return a ``Line``.
    """
    now, where = contact.wheels.now[i], (contact.F, contact.N, contact.base)
    if now.at_rest == 1.0:
        return
    for (row, most, state), left in zip(slidings(i, h, contact), (now.rest_x, now.rest_y), strict=False):
        line = scheme.line(state)
        if not isinstance(line, Line):
            raise ValueError(
                f"regularisation {scheme.name!r} returned {line!r}; it must return a contact.Line"
            )
        friction = line.friction + state.coulomb
        values = np.array([line.at_zero, line.damping, line.bound + friction, friction])
        entry.set_line(row, h, values, *where)
        if left < 1.0 and not scheme.repeats:
            entry.keep_within(row, h * most * left, *where)


#: Trial inputs of a compiled scheme: a driving wheel, and one at zero sliding and force.
_TRIALS = Seen(-0.2, 1200.0, 4200.0, 4000.0, 1900.0), Seen(0.0, 0.0, 4200.0, 4000.0, 1900.0)


def compiled_line(function: Any, name: str) -> OwnFunction:
    """Function that the step calls, for a user's scheme compiled by Numba.

    Raises:
        ValueError: a function that cannot be compiled for a ``kernels.line.Sliding``, or a trial call
            that raises or does not return four numbers in the range of ``Line``.
    """
    words = f"regularisation {name!r}, compiled by Numba"
    try:
        for seen in _TRIALS:
            answer = tuple(map(float, function(seen)))
            Line(*answer)
            if len(answer) != 4:
                raise ValueError(f"returned {shown(answer)}")

        def line(v_t, force, tangent, exact, peak):
            return function(Seen(v_t, force, tangent, exact, peak))

        return OwnFunction(njit(error_model="numpy")(line))
    except Exception as why:  # any error of a user's function or its compilation becomes a message
        raise ValueError(
            f"{words}: {_first_words(why)}; of a tuple named ({', '.join(Seen._fields)}) it must return"
            " four numbers, (at_zero, damping, bound, friction)"
        ) from None


def _first_words(why: Exception) -> str:
    """First line of an exception's message; Numba's messages are long."""
    lines = [line.strip() for line in str(why).splitlines() if line.strip()]
    words = [line for line in lines if not line.startswith(("Failed in", "During:", "File"))]
    return words[0] if words else type(why).__name__
