"""Wheels on soil beside hard contacts: the passes of the one around the friction of the other.

The rows of the wheels' reduced problem are the channels of the problem with friction: each pass lays
the wheels' rows, solves all rows with the friction bounds and cones iterated to tolerance, and
holds the result against the ground law. Where passes or friction go round, the next pass starts at a
solution of all laws at once, friction's as well.
"""

from __future__ import annotations

from mlcp.jit import kernel, part

from ..rows.dense_rows import assemble
from . import rigid_reduced as hard
from .agreement import MAX_PLAIN_PASSES, follow_law, linearise_there
from .other_friction import OtherFriction
from .reduced import begin, check_wheels, end_velocities, remember, set_rows

MAX_UNSETTLED_PASSES = 5  # passes whose friction may not settle, after which a step counts as missed


@kernel
def carries_nothing(given, i):
    """Whether friction row i is left out: dead, or without a coefficient."""
    return given.live[i] == 0 or (given.parent[i] >= 0 and given.coefficient[i] == 0.0)


@kernel
def bound_idle_rows(given, rows):
    """Rows that carry nothing, which need not act on anything either, as rows that can be solved."""
    for i in range(given.parent.shape[0]):
        if carries_nothing(given, i):
            rows.A[i, i] = 1.0
            given.lower[i], given.upper[i] = 0.0, 0.0


@part
def solve_mixed(h, contact, friction, B, u_free, solver, friction_tolerance, tolerance):
    """Solve the step's contacts, all kinds at once.

    Arguments: as of ``reduced.solve_reduced``; the channels given to ``friction`` are the rows of
    ``contact``, and the rest is ``rigid_reduced.solve_reduced``'s.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    given = friction.given
    other_friction = OtherFriction(given.parent, given.partner, given.coefficient, given.live)
    begin(h, contact, B, u_free)
    agreed, passes = False, 0
    residual, converged, lost = 0.0, 1, 0
    while not agreed and lost < MAX_UNSETTLED_PASSES and passes < settings.max_passes:
        passes += 1
        set_rows(h, B, u_free, wheels, rows)
        bound_idle_rows(given, rows)
        if passes == 1:
            assemble(B, rows)
        residual, _rounds, converged = hard.solve_reduced(
            friction, solver, friction_tolerance, tolerance
        )
        end_velocities(B, u_free, rows)
        agreed = check_wheels(h, settings.law_tolerance, True, wheels, rows) and converged == 1
        lost += 1 - converged
        due = not agreed and (passes > MAX_PLAIN_PASSES or converged == 0)
        if due and follow_law(h, wheels, rows, other_friction):
            end_velocities(B, u_free, rows)
            linearise_there(h, True, wheels, rows)
    worst = 0.0
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        worst = max(worst, now.mismatch)
    rows.report.residual, rows.report.passes = residual, passes
    rows.report.agreement = worst
    met = agreed and converged == 1 and residual <= tolerance
    rows.report.missed = 0.0 if met else 1.0
    remember(h, wheels, rows)
