"""Wheels on soil beside hard contacts: the passes of the one around the friction of the other.

The rows of the wheels' reduced problem are the channels of the problem with friction: each pass lays
the wheels' rows, solves all rows with the friction bounds and cones iterated to tolerance, and
holds the result against the ground law.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel, part

from . import layout as at
from . import rigid_reduced as hard
from .reduced import assemble, begin, judge, lay_rows, remember


@kernel
def lay_friction(parent, live, rows):
    """Bounds for Newton between passes: friction rows stick or have a known force, dead rows none."""
    for i in range(parent.shape[0]):
        if live[i] == 0:
            rows.lower[i], rows.upper[i] = 0.0, 0.0
        elif parent[i] < 0:
            continue
        elif rows.active[i] == 0:
            rows.lower[i], rows.upper[i] = -math.inf, math.inf
        else:
            rows.lower[i], rows.upper[i] = rows.z[i], rows.z[i]


@part
def solve_mixed(
    h,
    settings,
    gap,
    B,
    u,
    u_free,
    wheels,
    rows,
    parent,
    coefficient,
    partner,
    proximal,
    live,
    nothing,
    index,
    state,
    A,
    V,
    W,
    solver,
    friction_tolerance,
    tolerance,
):
    """Solve the step's contacts, all kinds at once.

    Arguments: up to ``rows`` those of ``reduced.solve_reduced``; from ``parent`` those of
    ``rigid_reduced.solve_reduced``, with a row where that has a channel; ``nothing`` (rows,) zeros.
    """
    n = rows.z.shape[0]
    begin(h, gap, B, u, u_free, wheels, rows)
    agreed, passes = False, 0
    residual, converged = 0.0, 1
    while not agreed and passes < settings[at.MAX_PASSES]:
        passes += 1
        lay_rows(h, B, u_free, wheels, rows)
        if passes == 1:
            assemble(B, rows)
        residual, _rounds, converged = hard.solve_reduced(
            n,
            rows.A,
            rows.b,
            nothing,
            nothing,
            rows.lower,
            rows.upper,
            parent,
            coefficient,
            partner,
            proximal,
            live,
            rows.z,
            rows.active,
            index,
            state,
            A,
            V,
            W,
            solver,
            friction_tolerance,
            tolerance,
        )
        lay_friction(parent, live, rows)
        agreed = judge(h, settings[at.LAW_TOLERANCE], B, u_free, wheels, rows)
    worst = 0.0
    for i in range(wheels.now.shape[0]):
        worst = max(worst, wheels.now[i, at.MISMATCH])
    rows.report[at.RESIDUAL], rows.report[at.PASSES] = residual, passes
    rows.report[at.AGREEMENT] = worst
    met = agreed and converged == 1 and residual <= tolerance
    rows.report[at.MISSED] = 0.0 if met else 1.0
    remember(h, wheels, rows)
