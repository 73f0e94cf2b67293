"""How a ground law becomes a row: the schemes, by name.

With F(s) the smooth part of the law's thrust, c_t = F_n mu'(s) / v_max its slope, and every set-
valued part in a row of its own (``e = 0``, ``b = 0``, bounds +- its size):

============== =================================================================== ============
name           row of the smooth thrust                                            linearised at
============== =================================================================== ============
set-valued     none: one set-valued row with bounds +- mu(s) F_n                    start of step
global         F = -c v_t+,  c = |F(s)| / |v_t|,  bounds at the peak      (25, 26)  start of step
local          F = F(s) - c_t (v_t+ - v_t),       bounds at the peak      (27-30)   start of step
local-current  the same with bounds +- F(s), as eq 29 is printed                    start of step
implicit       the same as local, repeated at the end-of-step velocities and load   end of step
               until it agrees with the law
============== =================================================================== ============

Differs from the source: ``local`` and ``implicit`` split the tangent at v_t+ = 0. Its value there acts
as friction (set-valued, in the row of the other set-valued parts), the rest as the damper -c v_t+.
That is eq 27 unless the tangent would push the contact point through zero slip; there eq 27 makes
a braked wheel limit-cycle at rest.

``set-valued`` and ``implicit`` hold at rest: a wheel with v_max < v_0 gets the pure set-valued row
with bounds +- mu(1) F_n. The other schemes creep, at a rate that depends on v_0.

A scheme of one's own is a Python function; ``WheelContact`` takes it as it takes a name:

    def secant_without_bounds(at: Sliding) -> Line:
        return Line(damping=at.secant)

    WheelContact(..., regularisation=Regularisation.own(secant_without_bounds))
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from .kernels.table import SCHEMES
from .own import Line, Sliding


@dataclass(frozen=True)
class Regularisation:
    """One scheme: its place in the table, and what a user should know of it.

    ``name`` in the table, ``equations`` of the paper, ``summary`` in a line; ``holds_at_rest``:
    whether a locked wheel stays where it is.

    ``line`` is None for the built-in schemes; for one's own it is the function that lays the rows,
    and ``number`` a built-in scheme of its kind. ``repeats``: linearised at the end of the last pass
    until it agrees with the law, else at the start of the step.
    """

    name: str
    number: int
    holds_at_rest: bool
    equations: str
    summary: str
    line: Callable[[Sliding], Line] | None = None
    repeats: bool = False

    @classmethod
    def own(
        cls,
        line: Callable[[Sliding], Line],
        name: str | None = None,
        *,
        holds_at_rest: bool = False,
        repeats: bool = False,
        summary: str | None = None,
    ) -> Regularisation:
        """A scheme of one's own, run pass by pass from Python (about 0.2 ms a step).

        Arguments:
            line: from the wheel's ``contact.Sliding`` to the ``contact.Line`` of its thrust.
            name: default: the function's.
            holds_at_rest: below v_0 the wheel gets the pure set-valued row instead of the line.
            repeats: ask again at the end-of-step velocities until the force agrees with the law, as
                ``implicit`` does; such a scheme holds at rest.
            summary: one line for tables; default: the first of the function's docstring.

        Raises:
            ValueError: ``line`` is no function.
        """
        if not callable(line):
            raise ValueError(f"Regularisation.own: line = {line!r} must be a function")
        name = name or str(getattr(line, "__name__", "own"))
        told = (line.__doc__ or "your own").strip().splitlines()[0]
        number = list(SCHEMES).index("implicit" if repeats else "local")
        holds = holds_at_rest or repeats
        return cls(name, number, holds, "yours", summary or told, line, repeats)


def _described(name: str, number: int, file: str) -> Regularisation:
    """A built-in scheme: its file's first line, what it says of itself, and its place in the table."""
    module = importlib.import_module(f"{__package__}.kernels.{file}")
    told = (module.__doc__ or name).splitlines()[0].rstrip(".")
    repeats = getattr(module, "REPEATS", False)
    holds = getattr(module, "HOLDS_AT_REST", False)
    return Regularisation(
        name, number, holds, module.EQUATIONS, told[:1].lower() + told[1:], repeats=repeats
    )


REGULARISATIONS = {
    name: _described(name, number, file) for number, (name, file) in enumerate(SCHEMES.items())
}
