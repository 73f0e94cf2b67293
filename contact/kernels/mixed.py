"""Wheels on soil beside hard contacts: the passes of the one around the friction of the other.

The rows of the wheels' reduced problem are the channels of the problem with friction: each pass lays
the wheels' rows, solves all rows with the friction bounds and cones iterated to tolerance, and
holds the result against the ground law.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel, part

from . import rigid_reduced as hard
from .reduced import assemble, begin, judge, lay_rows, remember


@kernel
def lay_friction(given):
    """Bounds for Newton between passes: friction rows stick or have a known force, dead rows none."""
    lower, upper = given.lower, given.upper
    for i in range(given.parent.shape[0]):
        if given.live[i] == 0:
            lower[i], upper[i] = 0.0, 0.0
        elif given.parent[i] < 0:
            continue
        elif given.active[i] == 0:
            lower[i], upper[i] = -math.inf, math.inf
        else:
            lower[i], upper[i] = given.impulse[i], given.impulse[i]


@part
def solve_mixed(h, contact, friction, B, u_free, solver, friction_tolerance, tolerance):
    """Solve the step's contacts, all kinds at once.

    Arguments: as of ``reduced.solve_reduced``; the channels given to ``friction`` are the rows of
    ``contact``, and the rest is ``rigid_reduced.solve_reduced``'s.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    begin(h, contact, B, u_free)
    agreed, passes = False, 0
    residual, converged = 0.0, 1
    while not agreed and passes < settings.max_passes:
        passes += 1
        lay_rows(h, B, u_free, wheels, rows)
        if passes == 1:
            assemble(B, rows)
        residual, _rounds, converged = hard.solve_reduced(
            friction, solver, friction_tolerance, tolerance
        )
        lay_friction(friction.given)
        agreed = judge(h, settings.law_tolerance, B, u_free, wheels, rows)
    worst = 0.0
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        worst = max(worst, now.mismatch)
    rows.report.residual, rows.report.passes = residual, passes
    rows.report.agreement = worst
    met = agreed and converged == 1 and residual <= tolerance
    rows.report.missed = 0.0 if met else 1.0
    remember(h, wheels, rows)
