"""Forces of a driven wheel of Wong and Reece by one sum over its contact, with their derivatives.

theta_1, theta_2: entry and exit angle; theta_m: angle of the largest normal stress sigma; tau: shear
stress; j: shear displacement, K: shear modulus [m]. The normal stress in front of theta_m and the one
behind have the same values at the nodes of a quadrature rule, so both parts are summed together. One
rule suffices for the contact if the slip s >= 0, theta_m is inside, and |j|/K is at most LONG_RANGE.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mlcp.jit import kernel, part, summing
from mlcp.kernels.elementary import exp, log

from .nodes import sine_cosine
from .stress_pieces import (
    ANGLE_SOFTENING,
    C_1,
    C_2,
    COHESION,
    EXIT,
    EXIT_SHARE,
    EXPONENT,
    FEW,
    FEWEST,
    JACOBI,
    JACOBI_FEWEST,
    JACOBI_MANY,
    LEGENDRE,
    LEGENDRE_FEWEST,
    LEGENDRE_MANY,
    LONG_RANGE,
    MANY,
    RADIUS,
    RANGE,
    SHEAR,
    SHORT,
    SLIP_SOFTENING,
    TAN_PHI,
    WIDTH,
)
from .wong_reece import DEEPEST, DRIVEN_EDGE, modulus_at, softening_at

_MOST = 6  # largest number of Newton steps for the entry angle


class DrivenContact(NamedTuple):
    """A driven wheel's contact, with its derivatives by theta_1 and by the slip s."""

    entry: float  # entry angle theta_1 [rad]
    exit: float  # exit angle theta_2 [rad]
    exit_moves: float  # derivative dtheta_2 / dtheta_1
    slip: float
    sine: float  # sine of theta_1
    cosine: float  # cosine of theta_1
    front: float  # theta_1 - theta_m [rad]; d ln front / dtheta_1 = 1 / theta_1
    thins: float  # d ln front / ds
    rear: float  # theta_m - theta_2 [rad]
    share: float  # theta_m / theta_1
    moves: float  # dtheta_m / ds [rad]
    per: float  # radius over shear modulus, r / K


@kernel
def contact_of(p, theta_1, slip):
    """Contact of a driven wheel, and the range of |j|/K over it (inf: one rule does not suffice)."""
    theta_2, exit_moves = max(p[EXIT], -theta_1), 0.0
    if p[EXIT_SHARE] > 0.0:  # 1 - cos(theta_2) = EXIT_SHARE (1 - cos(theta_1))
        root, half = math.sqrt(p[EXIT_SHARE]), 0.5 * theta_1
        theta_2 = -2.0 * math.asin(root * math.sin(half))
        exit_moves = -root * math.cos(half) / math.cos(0.5 * theta_2)
    share = p[C_1] + p[C_2] * slip
    front, rear, per = (1.0 - share) * theta_1, share * theta_1 - theta_2, p[RADIUS] / p[SHEAR]
    sine = math.sin(theta_1)
    moves = p[C_2] * theta_1
    contact = DrivenContact(
        theta_1, theta_2, exit_moves, slip, sine, math.cos(theta_1), front, -moves / front, rear, share,
        moves, per,
    )  # fmt: skip
    least = DRIVEN_EDGE * (theta_1 - theta_2)
    spread = per * ((theta_1 - theta_2) - (1.0 - slip) * (sine - math.sin(theta_2)))
    if p[EXIT] <= -theta_1 or slip < 0.0 or front <= least or rear <= least:
        spread = math.inf
    return contact, spread


@part
def of_node(c, angle, place, stress, moves):
    """Contribution of a node to the ten sums of ``driven_forces``, all over r b (b: width).

    Arguments:
        c: the contact.
        angle: the node's angle on the rim [rad]; place: its sine and cosine.
        stress: sigma and tau at infinite j, both times the node's weight, and the derivatives of their
            logarithms by theta_1 and by s.
        moves: derivatives of the node's angle by theta_1 and by s.
    """
    sine, cosine = place
    a, t, g, g_s = stress
    shift, shift_s = moves
    rolled, beyond = 1.0 - c.slip, c.sine - sine
    lost = exp(-c.per * (c.entry - angle - rolled * beyond))
    kept, bare = 1.0 - lost, 1.0 - rolled * cosine
    t_1 = t * (kept * g + c.per * (1.0 - rolled * c.cosine - bare * shift) * lost)
    t_s = t * (kept * g_s + c.per * (beyond - bare * shift_s) * lost)
    t = t * kept
    upwards, aside = t * cosine - a * sine, t * sine
    return (
        a * cosine + aside, t * cosine, a * sine, t,
        a * g * cosine + t_1 * sine + upwards * shift, t_1 * cosine - aside * shift,
        a * (g * sine + cosine * shift), t_1,
        a * g_s * cosine + t_s * sine + upwards * shift_s, t_s * cosine - aside * shift_s,
    )  # fmt: skip


@summing
def frictional(p, at, count, c, scale, usual):
    """Sums of ``of_node`` over ``count`` nodes in p[at:], for the stresses sigma and sigma tan(phi).

    usual: reference value of the lift ``cos(angle) - cos(theta_1)`` of a node; scale: sigma [Pa] at this
    lift.
    """
    n, tan_phi, per_usual = p[EXPONENT], p[TAN_PHI], c.front / usual
    rear_grows = c.share - c.exit_moves
    wider, rear_wider, rear_thins = 1.0 / c.entry, rear_grows / c.rear, c.moves / c.rear
    v_0, v_1, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        x = p[at + k]
        down = c.front * x  # angle from the entry; behind theta_m its mirror image has the same sigma
        half = 0.5 * down
        reach, even = sine_cosine(half)
        odd = half * reach
        steep = c.sine * even - c.cosine * odd  # sin(theta_1 - half); lift = down * reach * steep
        sigma = p[at + count + k] * scale * exp(n * log(reach * steep * per_usual))
        per_both = n / (reach * steep)
        # derivatives of ln sigma: ``opens`` over ln down, ``turns`` over the angle theta_1 - half
        opens = even * steep * per_both
        turns = (c.cosine * even + c.sine * odd) * reach * per_both
        by_1, by_s = opens * wider + turns * (1.0 - half * wider), c.thins * (opens - turns * half)
        # node in front of theta_m, at the angle theta_1 - down
        sin_down, cos_down = 2.0 * odd * even, 1.0 - 2.0 * odd * odd
        place = (c.sine * cos_down - c.cosine * sin_down, c.cosine * cos_down + c.sine * sin_down)
        a = c.front * sigma
        stress = (a, a * tan_phi, by_1 + wider, by_s + c.thins)
        f = of_node(c, c.entry - down, place, stress, (1.0 - down * wider, -down * c.thins))
        # node behind theta_m, at the angle theta_2 + (theta_m - theta_2) x
        angle = c.exit + c.rear * x
        sinc, cosine = sine_cosine(angle)
        a = c.rear * sigma
        stress = (a, a * tan_phi, by_1 + rear_wider, by_s + rear_thins)
        b = of_node(
            c, angle, (angle * sinc, cosine), stress, (c.exit_moves + rear_grows * x, c.moves * x)
        )
        v_0, v_1, v_2, v_3 = (
            v_0 + (f[0] + b[0]),
            v_1 + (f[1] + b[1]),
            v_2 + (f[2] + b[2]),
            v_3 + (f[3] + b[3]),
        )
        v_4, v_5, v_6, v_7 = (
            v_4 + (f[4] + b[4]),
            v_5 + (f[5] + b[5]),
            v_6 + (f[6] + b[6]),
            v_7 + (f[7] + b[7]),
        )
        v_8, v_9 = v_8 + (f[8] + b[8]), v_9 + (f[9] + b[9])
    return v_0, v_1, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9


@summing
def cohesive(p, at, count, c):
    """Sums of ``of_node`` over ``count`` nodes in p[at:], for the shear stress of a cohesion of 1 Pa."""
    span, grows = c.entry - c.exit, 1.0 - c.exit_moves
    v_0, v_1, v_3, v_4, v_5, v_7, v_8, v_9 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        x = p[at + k]
        angle = c.exit + span * x
        sinc, cosine = sine_cosine(angle)
        stress = (0.0, p[at + count + k] * span, grows / span, 0.0)
        v = of_node(c, angle, (angle * sinc, cosine), stress, (c.exit_moves + grows * x, 0.0))
        v_0, v_1, v_3, v_4, v_5 = v_0 + v[0], v_1 + v[1], v_3 + v[3], v_4 + v[4], v_5 + v[5]
        v_7, v_8, v_9 = v_7 + v[7], v_8 + v[8], v_9 + v[9]
    return v_0, v_1, 0.0, v_3, v_4, v_5, 0.0, v_7, v_8, v_9


@kernel
def driven_forces(p, contact, spread):
    """Load F_n, thrust F_t, compaction resistance F_c, torque T / r [N]; then the derivatives of these
    four by the entry angle theta_1; then the derivatives of F_n and F_t by the slip s. contact, spread:
    results of ``contact_of``."""
    at, level, count = JACOBI, LEGENDRE, FEW
    if spread > RANGE:
        at, level, count = JACOBI_MANY, LEGENDRE_MANY, MANY
    elif spread <= SHORT[0] and contact.front + contact.rear <= SHORT[1] and contact.share >= 0.0:
        at, level, count = JACOBI_FEWEST, LEGENDRE_FEWEST, FEWEST
    down = 0.5 * contact.front
    usual = down * math.sin(contact.entry - 0.5 * down)
    scale = modulus_at(p, contact.slip, -1.0) * (p[RADIUS] * usual) ** p[EXPONENT]
    v = frictional(p, at, count, contact, scale, usual)
    area, c, softer = p[RADIUS] * p[WIDTH], p[COHESION], -p[SLIP_SOFTENING]
    if p[ANGLE_SOFTENING] > 0.0:
        softer *= p[SLIP_SOFTENING] * contact.slip / softening_at(p, contact.slip)
    w = v
    if c > 0.0:
        w = cohesive(p, level, count, contact)
        c *= area
    return (
        area * v[0] + c * w[0], area * v[1] + c * w[1], area * v[2], area * v[3] + c * w[3],
        area * v[4] + c * w[4], area * v[5] + c * w[5], area * v[6], area * v[7] + c * w[7],
        area * (v[8] + softer * v[0]) + c * w[8], area * (v[9] + softer * v[1]) + c * w[9],
    )  # fmt: skip


@kernel
def driven_wheel(p, load, slip, guess):
    """Find a driven wheel in equilibrium with a load [N] at slip s, from an entry angle ``guess`` [rad].

    Returns: found; entry angle theta_1 [rad]; thrust, compaction resistance, torque / r [N]; dthrust/ds
    and dtheta_1/ds at constant load. Newton's method is applied to the logarithms of load and angle. The
    wheel is not found if one rule is not enough for the contact, or the soil can carry little more.
    """
    theta_1 = guess
    for _ in range(_MOST):
        contact, spread = contact_of(p, theta_1, slip)
        if not (spread <= LONG_RANGE and theta_1 < 0.98 * DEEPEST):
            break
        values = driven_forces(p, contact, spread)
        carried, thrust, compaction, torque, per, thrust_1, compaction_1, torque_1, sinks, climbs = (
            values
        )
        # a slope d log F_n / d log theta_1 below 0.2: the soil can carry little more
        if not (carried > 0.0 and theta_1 * per > 0.2 * carried):
            break
        if abs(load - carried) <= 1e-6 * load:  # the remaining error is corrected to first order
            rest = (load - carried) / per
            thrust, compaction = thrust + thrust_1 * rest, compaction + compaction_1 * rest
            sinks = -sinks / per
            slope = climbs + thrust_1 * sinks
            return True, theta_1 + rest, thrust, compaction, torque + torque_1 * rest, slope, sinks
        step = math.log(load / carried) * carried / (theta_1 * per)
        if abs(step) > 0.1:  # a step above 0.1 in log(theta_1): the guess is too far off
            break
        theta_1 *= math.exp(step)
    return False, theta_1, 0.0, 0.0, 0.0, 0.0, 0.0
