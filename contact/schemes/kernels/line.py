"""Input and result of a scheme: a force at its linearisation point, and its linearisation.

Thrust over v_t and lateral force over v_y have the same form and the same scheme. Forces act on the
wheel. Equation numbers are those of Peiret et al., which mark the linearisation point by a star.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mlcp.compiled.branches import where
from mlcp.jit import kernel

LEAST_SPEED = 1e-300  # least |v_t| in the secant |F| / |v_t| [m/s]


class Sliding(NamedTuple):
    """Force of a wheel's contact in one direction at its linearisation point."""

    v_t: Any  # sliding velocity [m/s]; for the lateral force v_y
    force: Any  # smooth part F(v_t*) [N]
    tangent: Any  # c_t, eq 28: -dF/dv_t at constant v_max [N s/m]
    exact: Any  # -dF/dv_t with the change of v_max by the row's impulse [N s/m]
    peak: Any  # largest |F| over the slips [N]


class Line(NamedTuple):
    """Linearised force over the sliding velocity v_t+ at the end of the step,
    ``F = clip(at_zero - damping v_t+, +-(bound - friction)) - friction sgn(v_t+)``."""

    at_zero: Any  # force at zero sliding velocity [N]
    damping: Any  # slope of the line [N s/m], >= 0
    bound: Any  # bound of the whole force [N], >= friction; inf: none
    friction: Any  # Coulomb friction [N], >= 0, set-valued at v_t+ = 0


@kernel
def tangent_line(at, damping, bound):
    """Line of slope ``damping`` through the point of ``at``; dissipative if no steeper than the secant.

    If the tangent's force at zero sliding would push the contact through zero sliding, this force
    becomes friction, set-valued at zero sliding; otherwise the line is exactly eq 27. A law that falls
    with the slip becomes Coulomb friction of the present force, also dissipative. bound: of the whole
    force [N].
    """
    damping = max(damping, 0.0)
    at_zero = at.force + damping * at.v_t
    drives = at_zero * at.v_t <= 0.0
    friction = where(drives, min(abs(at_zero), bound), 0.0)
    return Line(where(drives, 0.0, at_zero), damping, bound, friction)
