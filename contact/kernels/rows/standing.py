"""Capacity of the resistance of a wheel at rest along its heading.

With rim and centre at rest the slip is undefined, and the capacity is that of the motion that would
begin. A wheel without thrust would begin to roll: ``gamma(0) F_n``. A wheel with its thrust at the bound
(locked, or about to spin) would begin to slide: ``gamma(1) F_n``. Between the two

    gamma = gamma(0) + use (gamma(1) - gamma(0)),   use = |F_t| / (part of mu(1) F_n within the ellipse)

with the load F_n, thrust F_t, and resistance ratio gamma and thrust ratio mu at the slip in brackets, so
the capacity at rest is never below that in motion. The use is computed from the last step's impulses,
so it is constant within the step, and exact where the forces do not change.
"""

import math

from mlcp.compiled.branches import as_many, some, where
from mlcp.jit import kernel

from ..wheel import layout as at
from ..wheel.wheel_law import lateral_at, law_at, locked_law

# Lower limit, as a divisor, of the fraction of the thrust's capacity that the lateral force leaves
LEAST_ELLIPSE_SHARE = 0.05
# Compliance of the rows of resistance and rolling moment at rest, over the entry of the centre's channel
# on the diagonal of B; a wheel creeps by less than 1e-10 m/s
COMPLIANCE_AT_REST = 1e-8


@kernel
def soften_at_rest(i, B, soft, wheels, rows):
    """Set the compliance of the rows of resistance and rolling moment of wheel i at rest: 0 unless
    ``soft``. B: Delassus matrix of the channels.

    Brake, thrust and resistance are three forces on two motions of a braked wheel. The compliance makes
    them unique and the resistance zero, unless the thrust is at its bound. Iterative solvers run without
    compliance: they converge to one of the solutions, but slowly to the one with zero resistance.
    """
    wheel, rests = wheels.each[i], wheels.now[i].at_rest == 1.0
    compliance = COMPLIANCE_AT_REST if soft else 0.0
    own = B[wheel.channel + at.CENTRE, wheel.channel + at.CENTRE]
    rows.e[wheel.row + at.ROW_RESISTANCE] = where(rests, compliance * own, 0.0)
    if wheel.spin_row >= 0:
        rows.e[wheel.spin_row] = where(rests, compliance * own, 0.0)


@kernel
def thrust_in_use(i, thrust, side, capacity_x, capacity_y, wheels):
    """Thrust of wheel i over the part of its capacity within the ellipse, in [0, 1]; thrust, lateral
    force ``side`` and the capacities at rest are given as impulses [N s]."""
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
def gamma_of_standing(i, slip, direction, v_max, load, gamma, wheels):
    """Resistance ratio of wheel i: gamma(0) if rim and centre stand (slip undefined), else ``gamma``."""
    stands = (wheels.now[i].standing == 1.0) & (slip != 0.0)
    if some(stands):
        at_zero = law_at(i, where(stands, 0.0, slip), direction, v_max, load, wheels)
        gamma = where(stands, at_zero[3], gamma)
    return gamma


@kernel
def gamma_at_rest(i, h, gamma, load, rests, wheels, rows):
    """Resistance ratio of wheel i for its resistance row: ``gamma`` in motion; at rest (``rests``) from
    the module's equation, with gamma(0) = ``gamma``. The capacity of the thrust, ``now.capacity_x``
    [N s], has to be that of the same linearisation."""
    wheel, now, z = wheels.each[i], wheels.now[i], rows.z
    starts = rests & (now.used < 0.0)
    if some(starts):
        x, y = wheel.row + at.ROW_TRACTION, wheel.lateral_row
        thrust, side, capacity_y = z[x] + z[x + 1], as_many(0.0, z[x]), as_many(0.0, z[x])
        if y >= 0:
            side = z[y] + z[y + 1]
            capacity_y = h * load * lateral_at(i, now.v_x, now.v_y, load, wheels)[2]
        use = thrust_in_use(i, thrust, side, now.capacity_x, capacity_y, wheels)
        now.used = where(starts, use, now.used)
    return where(rests, gamma + now.used * (locked_law(i, load, wheels)[3] - gamma), gamma)
