"""Capacity of the resistance of a wheel at rest along its heading.

With rim and centre at rest the slip is undefined, and the capacity is that of the motion that would
begin. A wheel without thrust would begin to roll: ``gamma(0) F_n``. A wheel with its thrust at the bound
(locked, or about to spin) would begin to slide: ``gamma(1) F_n``. Between the two

    gamma = gamma(0) + use (gamma(1) - gamma(0)),   use = |F_t| / (part of mu(1) F_n within the ellipse)

so the capacity at rest is never below that in motion. The use and the thrust of a step depend on
each other: a pass takes the use of the pass before, later the secant through the last two.
"""

import math

from mlcp.compiled.branches import as_many, some, where
from mlcp.jit import kernel

from ..wheel import layout as at
from ..wheel.wheel_law import lateral_at, locked_law
from .rest import REPEATED_REST_PASSES, REPEATED_REST_TOLERANCE, REST_TOLERANCE

# value of ``used`` at the start of a step, replaced by the use of the last step's impulses
UNKNOWN_USE = -1.0
# Lower limit of the capacity's fraction within the ellipse: below, the use is round-off
LEAST_ELLIPSE_SHARE = 0.05


@kernel
def thrust_in_use(i, thrust, side, capacity_x, capacity_y, wheels):
    """Thrust of wheel i over its capacity within the ellipse, in [0, 1]; impulses and capacities at
    rest [N s]."""
    carries = capacity_x > 0.0
    use = abs(thrust) / where(carries, capacity_x, 1.0)
    wheel = wheels.each[i]
    if wheel.relaxes == 1:  # the lateral force is known: rest_x is the bound of the thrust
        use = use / max(wheels.now[i].rest_x, LEAST_ELLIPSE_SHARE)
    elif wheel.lateral_row >= 0 and wheel.ellipse == 1:
        aside = capacity_y > 0.0
        share = min(1.0, abs(side) / where(aside, capacity_y, 1.0))
        left = math.sqrt(1.0 - share * share)
        use = where(aside, use / max(left, LEAST_ELLIPSE_SHARE), use)
    return where(carries, min(1.0, use), 0.0)


@kernel
def impulses_at_rest(i, wheels, rows):
    """``(thrust, lateral)`` impulses of wheel i in the last solution [N s]."""
    wheel, z = wheels.each[i], rows.z
    x, y = wheel.row + at.ROW_TRACTION, wheel.lateral_row
    side = as_many(0.0, z[x])
    if y >= 0:
        side = z[y] + z[y + 1]
    return z[x] + z[x + 1], side


@kernel
def gamma_at_rest(i, h, gamma, rests, wheels, rows):
    """Resistance ratio of wheel i for its row: in motion ``gamma``; at rest the module's equation,
    gamma(0) = ``gamma``.

    Reads ``now.capacity_x`` of this pass.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    starts = rests & (now.used < 0.0)
    if some(starts):
        capacity_y = as_many(0.0, now.capacity_x)
        if wheel.lateral_row >= 0:
            capacity_y = h * now.load * lateral_at(i, now.v_x, now.v_y, now.load, wheels)[2]
        thrust, side = impulses_at_rest(i, wheels, rows)
        use = thrust_in_use(i, thrust, side, now.capacity_x, capacity_y, wheels)
        now.used = where(starts, use, now.used)
        now.last_used, now.last_use = now.used, now.used
    climb = locked_law(i, now.load, wheels)[3] - gamma
    now.climb = where(rests, climb, now.climb)
    return where(rests, gamma + now.used * climb, gamma)


@kernel
def resistance_agrees(i, h, inertia, wheels, rows):
    """Whether the resistance of wheel i at rest agrees with the capacity for its thrust; sets the use
    for the next pass.

    While the centre stands the resistance may be below the capacity. The tolerance is that of the
    forces on their ellipse. If uses and forces do not converge together (``uses_kept``), the step
    keeps its last uses: the capacity then belongs to another thrust, but is still between gamma(0)
    F_n and gamma(1) F_n.

    Arguments: inertia: diagonal of A in the resistance row [1/kg].
    """
    wheel, now = wheels.each[i], wheels.now[i]
    row = wheel.row + at.ROW_RESISTANCE
    u, z = rows.u[wheel.channel + at.CENTRE], abs(rows.z[row])
    thrust, side = impulses_at_rest(i, wheels, rows)
    before = now.used
    use = thrust_in_use(i, thrust, side, now.capacity_x, now.capacity_y, wheels)
    most = h * now.load * (now.gamma + now.climb * (use - before))
    # a centre slower than 1e-10 m/s stands, and its resistance may be below the capacity
    shortfall = where(abs(u) > 1e-10, min(most - z, abs(u) / inertia), 0.0)
    off = max(z - most, shortfall) / max(now.capacity_x, h * 1e-6)
    moved = before != now.last_used
    slope = (use - now.last_use) / where(moved, before - now.last_used, 1.0)
    slope = where(moved, min(slope, 0.0), 0.0)
    now.last_used, now.last_use = before, use
    agrees = off <= where(
        wheels.passes.count < REPEATED_REST_PASSES, REST_TOLERANCE, REPEATED_REST_TOLERANCE
    )
    agrees = agrees | (wheels.passes.uses_kept == 1.0)
    if wheel.scheme == at.KEPT:  # the slip is fixed over the passes: after five any use is accepted
        agrees = agrees | (wheels.passes.count >= 5.0)
    now.used = where(agrees, before, min(1.0, max(0.0, (use - slope * before) / (1.0 - slope))))
    return agrees
