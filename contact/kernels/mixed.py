"""Wheels on soil beside hard contacts: the passes of the one around the friction of the other.

The rows of the wheels' reduced problem are the channels of the problem with friction: each pass lays
the wheels' rows, solves all rows with the friction bounds and cones iterated to tolerance, and
holds the result against the ground law. Where they go round, a path leads to a solution of all laws at
once, friction's as well.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel, part

from . import rigid_reduced as hard
from .agreement import takes_paths
from .dense_rows import assemble
from .friction_beside import Beside
from .path import follow_path
from .reduced import begin, judge, lay_rows, remember, residual_of, takes_solution

LOST = 5  # passes whose friction may not settle, after which a step counts as missed
RIM = 1e-6  # share of a cone's size within which an impulse lies on it


@kernel
def carries_nothing(given, i):
    """Whether friction row i is left out: dead, or without a coefficient."""
    return given.live[i] == 0 or (given.parent[i] >= 0 and given.coefficient[i] == 0.0)


@kernel
def lay_dead(given, rows):
    """Rows that carry nothing, which need not act on anything either, as rows that can be solved."""
    for i in range(given.parent.shape[0]):
        if carries_nothing(given, i):
            rows.A[i, i] = 1.0


@kernel
def lay_friction(given):
    """Bounds for Newton between passes: friction rows stick or have a known force, dead rows none."""
    lower, upper = given.lower, given.upper
    for i in range(given.parent.shape[0]):
        if carries_nothing(given, i):
            lower[i], upper[i] = 0.0, 0.0
        elif given.parent[i] < 0:
            continue
        elif given.active[i] == 0:
            lower[i], upper[i] = -math.inf, math.inf
        else:
            lower[i], upper[i] = given.impulse[i], given.impulse[i]


@kernel
def bound_friction(given):
    """Bounds of friction rows that touch their cones where the impulses of a solution do."""
    lower, upper, impulse = given.lower, given.upper, given.impulse
    for i in range(given.parent.shape[0]):
        if given.parent[i] < 0 or carries_nothing(given, i):
            continue
        most = given.coefficient[i] * max(0.0, impulse[given.parent[i]])
        lower[i], upper[i] = -most, most
    for i in range(given.parent.shape[0]):
        j = given.partner[i]
        if j < 0 or carries_nothing(given, i):
            continue
        if math.hypot(impulse[i], impulse[j]) >= (1.0 - RIM) * upper[i]:
            lower[i], upper[i] = -abs(impulse[i]), abs(impulse[i])
            lower[j], upper[j] = -abs(impulse[j]), abs(impulse[j])


@part
def solve_mixed(h, contact, friction, B, u_free, solver, friction_tolerance, tolerance):
    """Solve the step's contacts, all kinds at once.

    Arguments: as of ``reduced.solve_reduced``; the channels given to ``friction`` are the rows of
    ``contact``, and the rest is ``rigid_reduced.solve_reduced``'s.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    given = friction.given
    beside = Beside(given.parent, given.partner, given.coefficient, given.live)
    begin(h, contact, B, u_free)
    agreed, passes = False, 0
    residual, converged, lost = 0.0, 1, 0
    while not agreed and lost < LOST and passes < settings.max_passes:
        passes += 1
        lay_rows(h, B, u_free, wheels, rows)
        lay_dead(given, rows)
        if passes == 1:
            assemble(B, rows)
        residual, _rounds, converged = hard.solve_reduced(
            friction, solver, friction_tolerance, tolerance
        )
        lay_friction(given)
        agreed, led = judge(h, settings.law_tolerance, B, u_free, wheels, rows, beside)
        if converged == 0 and not led:
            lost += 1
            agreed, led = False, takes_paths(wheels) and follow_path(h, wheels, rows, beside)
        if led:
            bound_friction(given)
            lay_rows(h, B, u_free, wheels, rows)
            lay_dead(given, rows)
            agreed = takes_solution(h, settings, B, u_free, wheels, rows)
            if agreed:
                residual, converged = residual_of(rows), 1
    worst = 0.0
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        worst = max(worst, now.mismatch)
    rows.report.residual, rows.report.passes = residual, passes
    rows.report.agreement = worst
    met = agreed and converged == 1 and residual <= tolerance
    rows.report.missed = 0.0 if met else 1.0
    remember(h, wheels, rows)
