"""A driven wheel of Wong and Reece in one sum over its contact, with the derivatives that Newton asks for.

In front of theta_m and behind it the normal stress runs through the same values, at the same nodes: so
they are taken together. That holds where one rule will do for the whole contact: slip s >= 0, theta_m
within the contact, |j|/K up to LONG_RANGE.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mlcp.jit import kernel, summing

from .nodes import exponential, logarithm, sine_cosine
from .stress_pieces import (
    C_1,
    C_2,
    COHESION,
    EXIT,
    EXIT_SHARE,
    EXPONENT,
    FEW,
    JACOBI,
    JACOBI_MANY,
    LEGENDRE,
    LEGENDRE_MANY,
    LONG_RANGE,
    MANY,
    MODULUS,
    RADIUS,
    RANGE,
    SHEAR,
    TAN_PHI,
    WIDTH,
)
from .wong_reece import DEEPEST

_EDGE = 0.02  # theta_m is not kept away from the contact's ends, if it is further off than this
_MOST = 6
_CLOSE = 1e-6  # of the load
_FAR, _FLAT = 0.1, 0.2  # a step in log(theta_1); d log F_n / d log theta_1


class Contact(NamedTuple):
    """A driven wheel's contact. Derivatives are by theta_1 and by the slip s."""

    entry: float  # theta_1 [rad]
    exit: float  # theta_2 [rad]
    slip: float
    sine: float  # of theta_1
    cosine: float
    front: float  # theta_1 - theta_m [rad]; grows by 1 / theta_1 of itself a radian of theta_1
    thins: float  # d ln front / ds
    rear: float  # theta_m - theta_2 [rad]
    share: float  # theta_m / theta_1
    moves: float  # dtheta_m / ds [rad]
    per: float  # r / K


@kernel
def contact_of(p, theta_1, slip):
    """``(Contact, spread)``: the spread of |j|/K over it, infinite where one sum will not do."""
    theta_2 = max(p[EXIT], -theta_1)
    share = p[C_1] + p[C_2] * slip
    front, rear, per = (1.0 - share) * theta_1, share * theta_1 - theta_2, p[RADIUS] / p[SHEAR]
    sine = math.sin(theta_1)
    moves = p[C_2] * theta_1
    contact = Contact(
        theta_1, theta_2, slip, sine, math.cos(theta_1), front, -moves / front, rear, share, moves, per
    )
    least = _EDGE * (theta_1 - theta_2)
    spread = per * ((theta_1 - theta_2) - (1.0 - slip) * (sine - math.sin(theta_2)))
    if p[EXIT_SHARE] > 0.0 or p[EXIT] <= -theta_1 or slip < 0.0 or front <= least or rear <= least:
        spread = math.inf
    return contact, spread


@summing
def frictional(p, at, count, c, scale, usual):
    """Sums over the nodes of sigma and of its friction.

    ``(F_n, F_t, F_c, T / r)`` over ``r b``, the same four by theta_1, and (F_n, F_t) by s.
    usual: of ``lift``, which the logarithm takes over it; scale: sigma [Pa] where lift is as usual.
    """
    n, tan_phi, rolled = p[EXPONENT], p[TAN_PHI], 1.0 - c.slip
    wider = 1.0 / c.entry
    rear_wider, rear_moves = c.share / c.rear, c.moves / c.rear
    entry_shear = 1.0 - rolled * c.cosine
    per_usual = c.front / usual
    load, thrust, compaction, torque = 0.0, 0.0, 0.0, 0.0
    load_1, thrust_1, compaction_1, torque_1 = 0.0, 0.0, 0.0, 0.0
    load_s, thrust_s = 0.0, 0.0
    for k in range(count):
        x = p[at + k]
        down = c.front * x  # angle from the entry, or its mirror image
        half = 0.5 * down
        reach, even = sine_cosine(half)
        odd = half * reach
        steep = c.sine * even - c.cosine * odd  # sin(theta_1 - half); lift = down reach steep
        sigma = p[at + count + k] * scale * exponential(n * logarithm(reach * steep * per_usual))
        per_both = 1.0 / (reach * steep)
        opens = n * even * steep * per_both  # d ln sigma / d ln down and / dtheta_1 else
        turns = n * (c.cosine * even + c.sine * odd) * reach * per_both
        by_1, by_s = opens * wider + turns * (1.0 - half * wider), c.thins * (opens - turns * half)
        friction = sigma * tan_phi
        # in front: theta = theta_1 - down
        sin_down, cos_down = 2.0 * odd * even, 1.0 - 2.0 * odd * odd
        sine = c.sine * cos_down - c.cosine * sin_down
        cosine = c.cosine * cos_down + c.sine * sin_down
        slid = down - rolled * (c.sine - sine)
        lost = exponential(-c.per * slid)
        shifts, shifts_s = 1.0 - down * wider, -down * c.thins  # of the node
        bare = 1.0 - rolled * cosine
        more = c.per * (entry_shear - bare * shifts) * lost
        more_s = c.per * (c.sine - sine - bare * shifts_s) * lost
        g, g_s = by_1 + wider, by_s + c.thins
        a, t = c.front * sigma, c.front * friction
        a_1, a_s = a * g, a * g_s
        t_1, t_s = t * ((1.0 - lost) * g + more), t * ((1.0 - lost) * g_s + more_s)
        t *= 1.0 - lost
        load += a * cosine + t * sine
        thrust += t * cosine
        compaction += a * sine
        torque += t
        load_1 += a_1 * cosine + t_1 * sine + (t * cosine - a * sine) * shifts
        thrust_1 += t_1 * cosine - t * sine * shifts
        compaction_1 += a_1 * sine + a * cosine * shifts
        torque_1 += t_1
        load_s += a_s * cosine + t_s * sine + (t * cosine - a * sine) * shifts_s
        thrust_s += t_s * cosine - t * sine * shifts_s
        # behind: theta = theta_2 + (theta_m - theta_2) x
        back = c.rear * x
        angle = c.exit + back
        sine, cosine = sine_cosine(angle)
        sine *= angle
        slid = c.entry - angle - rolled * (c.sine - sine)
        lost = exponential(-c.per * slid)
        shifts, shifts_s = c.share * x, c.moves * x
        bare = 1.0 - rolled * cosine
        more = c.per * (entry_shear - bare * shifts) * lost
        more_s = c.per * (c.sine - sine - bare * shifts_s) * lost
        g, g_s = by_1 + rear_wider, by_s + rear_moves
        a, t = c.rear * sigma, c.rear * friction
        a_1, a_s = a * g, a * g_s
        t_1, t_s = t * ((1.0 - lost) * g + more), t * ((1.0 - lost) * g_s + more_s)
        t *= 1.0 - lost
        load += a * cosine + t * sine
        thrust += t * cosine
        compaction += a * sine
        torque += t
        load_1 += a_1 * cosine + t_1 * sine + (t * cosine - a * sine) * shifts
        thrust_1 += t_1 * cosine - t * sine * shifts
        compaction_1 += a_1 * sine + a * cosine * shifts
        torque_1 += t_1
        load_s += a_s * cosine + t_s * sine + (t * cosine - a * sine) * shifts_s
        thrust_s += t_s * cosine - t * sine * shifts_s
    return (
        load, thrust, compaction, torque,
        load_1, thrust_1, compaction_1, torque_1, load_s, thrust_s,
    )  # fmt: skip


@summing
def cohesive(p, at, count, c):
    """As ``frictional``, of the shear of a cohesion of 1 Pa, whose compaction is none.

    ``(F_n, F_t, T / r)``, by theta_1 and (F_n, F_t) by s.
    """
    rolled, span = 1.0 - c.slip, c.entry - c.exit
    wider, entry_shear = 1.0 / span, 1.0 - rolled * c.cosine
    load, thrust, torque = 0.0, 0.0, 0.0
    load_1, thrust_1, torque_1, load_s, thrust_s = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        x, weight = p[at + k], p[at + count + k] * span
        angle = c.exit + span * x
        sine, cosine = sine_cosine(angle)
        sine *= angle
        lost = exponential(-c.per * (c.entry - angle - rolled * (c.sine - sine)))
        more = weight * c.per * (entry_shear - (1.0 - rolled * cosine) * x) * lost
        more_s = weight * c.per * (c.sine - sine) * lost
        t = weight * (1.0 - lost)
        t_1 = t * wider + more
        load += t * sine
        thrust += t * cosine
        torque += t
        load_1 += t_1 * sine + t * cosine * x
        thrust_1 += t_1 * cosine - t * sine * x
        torque_1 += t_1
        load_s += more_s * sine
        thrust_s += more_s * cosine
    return load, thrust, torque, load_1, thrust_1, torque_1, load_s, thrust_s


@kernel
def driven_forces(p, contact, spread):
    """``(F_n, F_t, F_c, T / r)`` [N], the same four by theta_1, and (F_n, F_t) by s."""
    many = spread > RANGE
    at, count = (JACOBI_MANY, MANY) if many else (JACOBI, FEW)
    down = 0.5 * contact.front
    usual = down * math.sin(contact.entry - 0.5 * down)
    scale = p[MODULUS] * (p[RADIUS] * usual) ** p[EXPONENT]
    values = frictional(p, at, count, contact, scale, usual)
    load, thrust, compaction, torque, load_1, thrust_1, compaction_1, torque_1, load_s, thrust_s = values
    if p[COHESION] > 0.0:
        at = LEGENDRE_MANY if many else LEGENDRE
        more = cohesive(p, at, count, contact)
        c = p[COHESION]
        load, thrust, torque = load + c * more[0], thrust + c * more[1], torque + c * more[2]
        load_1, thrust_1, torque_1 = load_1 + c * more[3], thrust_1 + c * more[4], torque_1 + c * more[5]
        load_s, thrust_s = load_s + c * more[6], thrust_s + c * more[7]
    area = p[RADIUS] * p[WIDTH]
    return (
        area * load, area * thrust, area * compaction, area * torque,
        area * load_1, area * thrust_1, area * compaction_1, area * torque_1,
        area * load_s, area * thrust_s,
    )  # fmt: skip


@kernel
def driven_wheel(p, load, slip, guess):
    """``(found, theta_1, thrust, compaction, torque / r, dthrust/ds, dtheta_1/ds)`` under a load [N].

    By Newton on the logarithms from an entry angle close by; the derivatives at constant load. Not
    found where one sum does not do, or the soil can carry little more.
    """
    theta_1 = guess
    for _ in range(_MOST):
        contact, spread = contact_of(p, theta_1, slip)
        if not (spread <= LONG_RANGE and theta_1 < 0.98 * DEEPEST):
            break
        values = driven_forces(p, contact, spread)
        carried, thrust, compaction, torque, per, thrust_1, compaction_1, torque_1, sinks, climbs = values
        if not (carried > 0.0 and theta_1 * per > _FLAT * carried):
            break
        if abs(load - carried) <= _CLOSE * load:  # the rest counts to second order
            rest = (load - carried) / per
            thrust, compaction = thrust + thrust_1 * rest, compaction + compaction_1 * rest
            sinks = -sinks / per
            slope = climbs + thrust_1 * sinks
            return True, theta_1 + rest, thrust, compaction, torque + torque_1 * rest, slope, sinks
        step = math.log(load / carried) * carried / (theta_1 * per)
        if abs(step) > _FAR:
            break
        theta_1 *= math.exp(step)
    return False, theta_1, 0.0, 0.0, 0.0, 0.0, 0.0
