"""The laws of one wheel at its motion and load, averaged over the soils below the wheel.

The module ``data`` describes the fields of ``wheels``. Lanes are several vehicles side by side in one
SIMD register.
"""

import math

from mlcp.compiled.branches import as_many, every, some, where
from mlcp.jit import either, kernel
from mlcp.kernels.elementary import atan2

from ..laws.lateral import lateral_law
from ..laws.law import law_with_slope
from ..laws.wong_reece_law import EXACT, NO_SLOPE, ROUGH, SEARCH
from . import layout as at
from .ploughing import shear_below
from .relaxation import slip_sides
from .slip import slip_state, smooth_factor


@kernel
def linearise_at(i, v_t, v_x, wheels):
    """Set the linearisation point of wheel i to the velocities v_t, v_x [m/s]."""
    wheel, now = wheels.each[i], wheels.now[i]
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    now.slip, now.direction, now.v_max = slip, direction, v_max
    now.v_t, now.v_x = v_t, v_x


@kernel
def set_offset(s, mu, slope, coulomb, gamma, rho, offset):
    """Ratios ``(mu, slope, coulomb, gamma, rho, shifted)`` of a law whose thrust at zero slip is moved
    into resistance gamma, rolling moment rho and Coulomb part.

    This thrust, ``offset``, acts forwards at the contact, equivalent to less resistance at the centre
    and more rolling moment (``shifted``; in the spin row, see ``rows.rolling_impulse``).
    An excess of the offset over the resistance, or a negative offset, is added in size to the Coulomb
    part, which opposes the slip on both sides of zero. On the side where it has the wrong sign, |mu| is
    reduced by twice the excess, so that the sum is the law's thrust again, or zero.
    """
    shifted = min(max(offset, 0.0), gamma)
    beyond = offset - shifted
    against = beyond * s < 0.0
    mu = where(against, mu + 2.0 * beyond, mu)
    gone = against & (mu * s <= 0.0)
    mu, slope = where(gone, 0.0, mu), where(gone, 0.0, slope)
    # the slope is limited so that the tangent at s has one sign down to zero slip
    slope = where(against, min(slope, mu / where(against, s, 1.0)), slope)
    return mu, slope, coulomb + abs(beyond), gamma - shifted, rho + shifted, shifted


@kernel
def law_in_direction(i, s, factor, load, accuracy, last, wheels):
    """Law of wheel i at driving slip s, averaged over its soils.

    Returns ``(mu, slope, coulomb, gamma, rho, peak, shifted)``, see ``set_offset``. factor: factor of
    the smooth slip on s; slope: of mu over ``factor s``; accuracy: of the slope, see
    ``accuracy_of_slopes``. last: memory of the law.
    """
    nothing = as_many(0.0, load)
    mu, slope, coulomb, gamma = nothing, nothing, nothing, nothing
    rho, peak, offset = nothing, nothing, nothing
    for k in range(wheels.weight.shape[1]):  # the only place where a step evaluates ground laws
        weight = wheels.weight[i, k]
        if every(weight == 0.0):
            break
        variant = wheels.variant[i, k]
        kind, p = wheels.laws[variant], wheels.law[variant]
        if some(weight < 1.0):  # the last search may be that of another soil
            forget_searches(last)
        values = law_with_slope(kind, p, s * factor, load, accuracy, last.searches)
        mu, slope = mu + weight * values[0], slope + weight * values[1]
        coulomb, gamma = coulomb + weight * values[2], gamma + weight * values[3]
        rho, peak = rho + weight * values[4], peak + weight * values[5]
        offset += weight * values[6]
    resists = wheels.each[i].resists
    coulomb, gamma, rho, offset = resists * coulomb, resists * gamma, resists * rho, resists * offset
    shifted = nothing
    if some(offset != 0.0):  # otherwise ``set_offset`` has no effect
        smooth = s * factor  # the slope is over this slip
        mu, slope, coulomb, gamma, rho, shifted = set_offset(
            smooth, mu, slope, coulomb, gamma, rho, offset
        )
    return mu, slope, coulomb, gamma, rho, peak, shifted


@kernel
def law_of_motion(i, slip, direction, v_max, load, accuracy, last, wheels):
    """Results of ``law_at``, evaluated rather than taken from the memory ``last``, then ``shifted`` of
    ``set_offset``. accuracy: of dF/di_s, see ``accuracy_of_slopes``."""
    factor = 1.0
    if wheels.each[i].smooth_slip == 1:
        factor = smooth_factor(v_max, wheels.each[i].v_min)
    mu, slope, coulomb, gamma, rho, peak, shifted = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for sign in (1.0, -1.0):
        share = 0.5 * (1.0 + sign * direction)
        if some(share > 0.0):
            share = where(share > 0.0, share, 0.0)
            values = law_in_direction(i, sign * slip, factor, load, accuracy, last, wheels)
            mu, slope = mu + sign * share * values[0], slope + share * factor * values[1]
            coulomb, gamma = coulomb + share * values[2], gamma + share * values[3]
            rho, peak = rho + share * values[4], peak + share * values[5]
            shifted += share * values[6]
    return mu, slope, coulomb, gamma, rho, peak, shifted


@kernel
def accuracy_of_slopes(i, wheels):
    """Accuracy of dF/di_s for wheel i's scheme: ROUGH under ``implicit``, whose passes repeat the
    linearisation until law and forces agree; NO_SLOPE in Newton's method."""
    if wheels.passes.without_slopes == 1:
        return NO_SLOPE
    return ROUGH if wheels.each[i].scheme == at.IMPLICIT else EXACT


@kernel
def law_at(i, slip, direction, v_max, load, wheels):
    """The law of wheel i at slip i_s: ``(F, dF/di_s, coulomb, gamma, rho, peak)``, ratios to the load;
    F: smooth thrust, positive forward.

    On several soils (near a border, in a rut's edge) it is the weighted mean of their laws. If rim and
    centre move in opposite directions, it is the mean of driving in one direction and braking in the
    other. Thrust at zero slip is in coulomb, gamma and rho, see ``set_offset``. dF/di_s may be 0 in
    Newton's method, and if forces combine by the direction of sliding (``both_at`` computes the slope).
    """
    last = wheels.now[i].law
    if wheels.each[i].sliding == 0:
        accuracy = accuracy_of_slopes(i, wheels)
        return law_kept(i, slip, direction, v_max, load, last, accuracy, wheels)
    take_law(slip, direction, v_max, load, wheels.now[i].law_of_sliding, last, wheels)
    return law_kept(i, slip, direction, v_max, load, last, NO_SLOPE, wheels)


@kernel
def take_law(slip, direction, v_max, load, found, last, wheels):
    """Copy the memorised law ``found`` to the memory ``last`` if it is that of the given point: a wheel
    that slides along its heading has the same law at its slip and at its total slip."""
    same_point = (found.slip == slip) & (found.direction == direction)
    same_point = same_point & (found.load == load) & (found.v_max == v_max)
    if wheels.passes.close_by == 1 or not every(same_point):
        return
    last.slip, last.direction, last.v_max, last.load = slip, direction, v_max, load
    for k in range(6):
        last.values[k] = found.values[k]
    last.shifted, last.has_rates = found.shifted, 0


@kernel
def without_round_off(slip):
    """The slip of a wheel at rest, 0 if it is round-off."""
    return where(abs(slip) > 1e-9, slip, 0.0)


@kernel
def law_at_rest(i, slip, direction, v_max, load, wheels):
    """Law of a wheel at rest (``law_at``), with dF/di_s = 0."""
    return law_kept(i, slip, direction, v_max, load, wheels.now[i].law_of_rest, NO_SLOPE, wheels)


@kernel
def _close_by_one(i, slip, direction, v_max, load, last, wheels):
    """Law of wheel i (``law_of_motion``, without dF/di_s) at a point for a finite difference.

    The memorised point ``last`` is kept. Of several points that differ from ``last`` in the slip alone,
    the law is evaluated at the first; the others follow by the difference quotient of ``last`` and the
    first, since stresses take long to integrate.
    """
    found, rates, change = last.values, last.rates, slip - last.slip
    same = load == last.load and direction == last.direction and slip * last.slip > 0.0
    same = same and (v_max == last.v_max or wheels.each[i].smooth_slip == 0)
    if same and change == 0.0:
        return found[0], 0.0, found[2], found[3], found[4], found[5]
    if not same or last.has_rates == 0:
        law = law_of_motion(i, slip, direction, v_max, load, NO_SLOPE, last, wheels)
        if not same:
            return law[0], 0.0, law[2], law[3], law[4], law[5]
        rates[0], rates[2] = (law[0] - found[0]) / change, (law[2] - found[2]) / change
        rates[3], rates[4] = (law[3] - found[3]) / change, (law[4] - found[4]) / change
        rates[5] = (law[5] - found[5]) / change
        last.has_rates = 1
    mu, coulomb = found[0] + change * rates[0], found[2] + change * rates[2]
    gamma, rho = found[3] + change * rates[3], found[4] + change * rates[4]
    return mu, 0.0, coulomb, gamma, rho, found[5] + change * rates[5]


@kernel
def _close_by_lanes(i, slip, direction, v_max, load, last, wheels):
    """Result of ``_close_by_one`` for several vehicles in one SIMD register: the law is evaluated at
    every point, since these vehicles' laws integrate no stresses."""
    law = law_of_motion(i, slip, direction, v_max, load, NO_SLOPE, last, wheels)
    return law[0], law[1], law[2], law[3], law[4], law[5]


law_close_by = either(_close_by_one, _close_by_lanes)


@kernel
def law_kept(i, slip, direction, v_max, load, last, accuracy, wheels):
    """Results of ``law_at``: those in the memory ``last`` if its arguments are the same; for finite
    differences those of ``law_close_by``; otherwise the law is evaluated, and ``last`` gets arguments
    and results."""
    found = last.values
    same_point = (last.slip == slip) & (last.direction == direction)
    if every(same_point & (last.load == load) & (last.v_max == v_max)):
        return found[0], found[1], found[2], found[3], found[4], found[5]
    if wheels.passes.close_by == 1:
        return law_close_by(i, slip, direction, v_max, load, last, wheels)
    law = law_of_motion(i, slip, direction, v_max, load, accuracy, last, wheels)
    mu, slope, coulomb, gamma, rho, peak, last.shifted = law
    last.slip, last.direction, last.v_max, last.load = slip, direction, v_max, load
    found[0], found[1], found[2] = mu, slope, coulomb
    found[3], found[4], found[5] = gamma, rho, peak
    last.has_rates = 0
    return mu, slope, coulomb, gamma, rho, peak


@kernel
def forget_searches(last):
    """Make a law's memory of entry angles invalid: another soil, or a new time step."""
    searches = last.searches
    searches[0] = as_many(0.0, last.load)
    searches[SEARCH] = as_many(0.0, last.load)


@kernel
def forget_laws(i, wheels):
    """Make the memorised values of wheel i's laws invalid: its soils may have changed."""
    now = wheels.now[i]
    now.law.slip, now.both.load, now.lateral.v_x = math.nan, math.nan, math.nan
    now.law_of_rest.slip, now.locked.slip, now.law_of_sliding.slip = math.nan, math.nan, math.nan


@kernel
def lateral_at(i, v_x, v_y, load, wheels):
    """Lateral force of wheel i over its load, slope over the slip angle, largest value, on its soils.

    Slip angle: ``atan(v_y / max(|v_x|, v_0))``, or that of a relaxing carcass by ``slip_sides``.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    last, found = now.lateral, now.lateral.values
    known = (last.v_x == v_x) & (last.v_y == v_y)
    if wheel.side_by_load == 1:
        known = known & (last.load == load)
    if every(known):
        return found[0], found[1], found[2]
    along, aside, _ = slip_sides(i, v_x, v_y, wheels)
    angle = atan2(aside, along)
    ratio, slope, largest = 0.0, 0.0, 0.0
    if wheel.ploughs == 1:
        ratio, slope, largest = shear_below(i, angle, load, wheels)
    for m in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, m]
        if every(weight == 0.0) or wheel.ploughs == 1:
            break
        variant = wheels.variant[i, m]
        values = lateral_law(wheels.sides[variant], wheels.lateral[variant], angle, load)
        ratio, slope = ratio + weight * values[0], slope + weight * values[1]
        largest += weight * values[2]
    last.v_x, last.v_y, last.load = v_x, v_y, load
    found[0], found[1], found[2] = ratio, slope, largest
    return ratio, slope, largest


@kernel
def locked_law(i, load, wheels):
    """Law of a locked or spinning wheel (``law_at`` at full slip), with dF/di_s = 0."""
    return law_kept(i, 1.0, 1.0, 1.0, load, wheels.now[i].locked, NO_SLOPE, wheels)


@kernel
def capacity_ratio(i, load, wheels):
    """Ratio of smooth thrust to load at full slip. The sum of this ratio and the Coulomb part is the
    largest thrust of a wheel at rest over its load."""
    return abs(locked_law(i, load, wheels)[0])


@kernel
def ellipse_share(i, ratio, coulomb, peak, load, v_x, v_y, wheels):
    """Factor in (0, 1] on thrust and lateral force by the friction ellipse.

    For a wheel held sideways by a set-valued row (``stuck_y``) it is the factor on the thrust alone,
    beside the lateral force of the last pass (``side_use``).
    """
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.lateral_row < 0 or wheel.ellipse == 0:
        return as_many(1.0, load)
    # under implicit the slip of a stuck wheel is round-off, and its Coulomb part need not be fully used
    least = 1e-8 if wheel.scheme == at.IMPLICIT else 0.0
    thrust = (abs(ratio) + where(abs(ratio) > least, coulomb, 0.0)) / max(peak + coulomb, 1e-300)
    sticks, share = now.stuck_y == 1.0, as_many(1.0, load)
    if some(sticks):
        left = math.sqrt(max(0.0, 1.0 - now.side_use * now.side_use))
        less = sticks & (thrust > left)
        share = where(less, left / where(less, thrust, 1.0), 1.0)
    if not every(sticks):
        lateral, _, largest = lateral_at(i, v_x, v_y, load, wheels)
        size = math.sqrt(thrust * thrust + (lateral / largest) * (lateral / largest))
        share = where(sticks, share, 1.0 / max(size, 1.0))
    return share
