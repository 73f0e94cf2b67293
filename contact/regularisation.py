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
"""

from __future__ import annotations

from dataclasses import dataclass

from .kernels import layout


@dataclass(frozen=True)
class Regularisation:
    """One scheme: its number in the kernels, and what a user should know of it."""

    name: str
    number: int
    holds_at_rest: bool
    equations: str
    summary: str


REGULARISATIONS = {
    scheme.name: scheme
    for scheme in (
        Regularisation(
            "set-valued", layout.SET_VALUED, True, "23, 24",
            "bounds from the slip at the start of the step; chatters at small slip",
        ),
        Regularisation(
            "global", layout.GLOBAL, False, "25, 26",
            "secant damper through the origin; smooth, slowest to follow a change of slip",
        ),
        Regularisation(
            "local", layout.LOCAL, False, "27-30",
            "tangent at the start of the step, bounds at the peak; smooth, creeps at rest",
        ),
        Regularisation(
            "local-current", layout.LOCAL_CURRENT, False, "29 as printed",
            "tangent with bounds at the current force; kept for comparison, chatters",
        ),
        Regularisation(
            "implicit", layout.IMPLICIT, True, "ours",
            "tangent at the end of the step, iterated to the law; any step, holds at rest",
        ),
    )
}  # fmt: skip
