"""Regularisations by name: each defines the thrust's row from a ground law.

F(s) = F_n mu(s) is the smooth part of the law's thrust at slip s under the load F_n, and c_t = F_n
mu'(s) / v_max its slope over the sliding velocity v_t; v_max is the larger of rim and centre speed, at
least v_0. Every set-valued part has a row of its own (no compliance or bias, bounds +- its size). In
brackets: equations of Peiret et al.

============== =================================================================== ============
name           row of the smooth thrust                                            linearised at
============== =================================================================== ============
set-valued     none: one set-valued row with bounds +- mu(s) F_n                    start of step
global         F = -c v_t+,  c = |F(s)| / |v_t|,  bounds at the peak      (25, 26)  start of step
local          F = F(s) - c_t (v_t+ - v_t),       bounds at the peak      (27-30)   start of step
local-current  local, but with bounds +- F(s), as eq 29 is printed                  start of step
implicit       the same as local, repeated at the end-of-step velocities and load   end of step
               until the force meets the law
============== =================================================================== ============

Differs from the source: ``local`` and ``implicit`` split the tangent. If the tangent's force at v_t+ = 0
would push the contact point through zero slip, this force acts as friction (set-valued, in the row of
the other set-valued parts), and only the damper -c v_t+ remains; eq 27 would lead to a limit cycle of a
braked wheel at rest. A tangent of ``local`` steeper than the secant (a law that is convex from zero
slip on) is replaced by the secant. Otherwise the row is eq 27.

``set-valued`` and ``implicit`` have static friction: a wheel with v_max < v_0 gets the pure set-valued
row with bounds +- mu(1) F_n. The other schemes creep, at a rate that depends on v_0.

A user's scheme is a Python function, in place of a name in ``WheelContact``:

    def secant_without_bounds(at: Sliding) -> Line:
        return Line(damping=at.secant)

    WheelContact(..., regularisation=Regularisation.own(secant_without_bounds))

A function compiled by Numba is called by the step itself at no extra cost; it returns the four numbers
of a ``Line`` as a tuple.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numba.extending import is_jitted

from mlcp import renamed
from mlcp.compiled.machine_code import OwnFunction
from mlcp.kinds import checked

from .kernels.table import SCHEMES
from .own import Line, Sliding, compiled_line


@renamed.attributes(holds_at_rest="static_friction")
@renamed.arguments(holds_at_rest="static_friction")
@dataclass(frozen=True)
@checked
class Regularisation:
    """One scheme: its number in the compiled step, and its description.

    ``name``: key in REGULARISATIONS; ``equations``: numbers in Peiret et al.; ``summary``: one line;
    ``static_friction``: whether a locked wheel sticks, without creep.

    ``line`` is None for the built-in schemes. For a user's scheme it is the function that linearises the
    force, and ``number`` is that of the built-in scheme whose rows it replaces; for a function compiled
    by Numba ``number`` is its address, and ``compiled`` the function. ``repeats``: whether the force is
    linearised at the end of the last pass until it meets the law, or else at the start of the step.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    name: str
    number: int
    static_friction: bool
    equations: str
    summary: str
    line: Callable[[Sliding], Line] | None = None
    repeats: bool = False
    compiled: OwnFunction | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.compiled is not None:
            raise TypeError(
                f"regularisation {self.name!r} is compiled for this process and cannot be pickled: hand"
                " over the function, and make Regularisation.own of it in the other process"
            )
        return super().__reduce__()  # type: ignore[return-value]

    def __copy__(self) -> Regularisation:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Regularisation:
        return self

    @classmethod
    @renamed.arguments(holds_at_rest="static_friction")
    def own(
        cls,
        line: Callable[[Any], Any],
        name: str | None = None,
        *,
        static_friction: bool = False,
        repeats: bool = False,
        summary: str | None = None,
    ) -> Regularisation:
        """Make a scheme of a user's function, called from Python (about 0.2 ms a step) or in the step.

        Arguments:
            line: function from the wheel's ``contact.Sliding`` to the ``contact.Line`` of its thrust.
                Or a function compiled by ``numba.njit``, at full speed: from a named tuple
                (v_t [m/s], force [N], tangent [N s/m], exact [N s/m], peak [N]) to (at_zero [N],
                damping [N s/m], bound [N], friction [N]), the fields of ``Line``. ``exact`` is the
                tangent with varying v_max.
            name: name of the scheme; default: name of the function.
            static_friction: whether a wheel with v_max below v_0 gets the pure set-valued row.
            repeats: whether to evaluate the function again at the end-of-step velocities until the
                force meets the law, as in ``implicit``; such a scheme has static friction.
            summary: one line for tables; default: first line of the function's docstring.

        Raises:
            ValueError: ``line`` is not a function, or one of Numba's that cannot be compiled for these
                arguments or does not return four numbers.
        """
        name = name or str(getattr(line, "__name__", "own"))
        title = summary or (line.__doc__ or "your own").strip().splitlines()[0]
        sticks = static_friction or repeats
        if is_jitted(line):
            made = compiled_line(line, name)
            return cls(name, made.address, sticks, "yours", title, None, repeats, made)
        number = list(SCHEMES).index("implicit" if repeats else "local")
        return cls(name, number, sticks, "yours", title, line, repeats)


def _described(name: str, number: int, file: str) -> Regularisation:
    """Built-in scheme from its file; the summary is the first line of the file's docstring."""
    module = importlib.import_module(f"{__package__}.kernels.{file}")
    title = (module.__doc__ or name).splitlines()[0].rstrip(".")
    repeats = getattr(module, "REPEATS", False)
    sticks = getattr(module, "STATIC_FRICTION", False)
    return Regularisation(
        name, number, sticks, module.EQUATIONS, title[:1].lower() + title[1:], repeats=repeats
    )


REGULARISATIONS = {
    name: _described(name, number, file) for number, (name, file) in enumerate(SCHEMES.items())
}
