"""Line search towards the next linearisation point.

With f(u) the laws' impulses at a velocity u and p(u) the impulses that lead to u, ``p(u) - f(u)`` has
to vanish. Along a straight step d of all wheels, ``g(t) = d (p - f)(u + t d)`` rises with t while the
laws oppose the motion: it starts below zero, and its zero is the end of the search. Impulses are
linear in the velocities, so g takes law evaluations only.

Resistance, rolling moment and the ellipse make the slopes of f unsymmetric: a step may then lead to the
root although g starts above zero. Along Newton's step the residual, ``p - f`` over the masses, falls
at first for any slopes; it is the criterion where g fails.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many, no, some, where
from mlcp.compiled.late import BOOL, FLOAT, bundle, late
from mlcp.jit import kernel

from . import layout as at
from .combined import Motion, lateral_force, thrust_at
from .data import Rows, Wheels
from .points import searches
from .slip import STUCK, slip_state

LOOKS = 10  # most evaluations of the laws along a step
ENOUGH = 0.3  # of |g| at the start of the step: largest |g| that ends the search
FLAT = 0.7  # of g at the start: with more than this at its end the step is extended
HALVINGS = 3  # most halvings of a step until the residual falls
LESS = 0.2  # least decrease of the residual at the step's end, relative
EDGE = 1e-9  # of the step: distance from its ends, where a wheel may be stuck


@kernel
def beyond(p, force, jump, v):
    """Residual of the impulse p against ``-force``, and ``-+ jump`` more against v, set-valued at 0."""
    missing = p + force
    held = math.copysign(max(0.0, abs(missing) - jump), missing)
    return where(abs(v) > STUCK, missing + math.copysign(jump, v), held)


@kernel
def missing_of(i, t, h, wheels):
    """``p - f`` of wheel i at the fraction t of its step [N s]: thrust, resistance, side, spin row."""
    wheel, now = wheels.each[i], wheels.now[i]
    x, to = now.origin, now.target
    v_t, v_x = x.v_t + t * (to.v_t - x.v_t), x.v_x + t * (to.v_x - x.v_x)
    v_y = x.v_y + t * (to.v_y - x.v_y)
    load = max(0.0, x.load + t * (to.load - x.load))
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    motion = Motion(slip, direction, v_max, v_t, v_x, v_y)
    ratio, _, jump, gamma, rho, _, share = thrust_at(i, motion, load, wheels)
    impulse = h * load
    p = x.p_t + t * (to.p_t - x.p_t)
    r_t = beyond(p, -impulse * share * ratio, impulse * share * jump, v_t)
    nothing = as_many(0.0, load)
    p = x.p_x + t * (to.p_x - x.p_x)
    r_x = where(now.standing == 0.0, beyond(p, nothing, impulse * gamma, v_x), 0.0)
    r_y, r_r, free = nothing, nothing, now.held_y == 0.0
    if wheel.spin_row >= 0:
        p = x.p_r + t * (to.p_r - x.p_r)
        r_r = beyond(p, nothing, impulse * rho, v_x - v_t)
        r_r = where(rho >= 0.0, r_r, p + impulse * rho * direction)
    if wheel.lateral_row >= 0 and some(free):
        force, _, _ = lateral_force(i, load, motion, wheels)
        r_y = where(free, x.p_y + t * (to.p_y - x.p_y) + h * share * force, 0.0)
    return r_t, r_x, r_y, r_r


@kernel
def slope(t, h, wheels):
    """g at the fraction t of the step [J]."""
    total = as_many(0.0, h)
    for i in range(len(wheels.each)):
        sought = searches(i, wheels)
        if some(sought):
            x, to = wheels.now[i].origin, wheels.now[i].target
            r_t, r_x, r_y, r_r = missing_of(i, t, h, wheels)
            d_t, d_x = to.v_t - x.v_t, to.v_x - x.v_x
            more = d_t * r_t + d_x * r_x + (to.v_y - x.v_y) * r_y + (d_x - d_t) * r_r
            total = where(sought, total + more, total)
    return total


@kernel
def missing(t, h, wheels, rows):
    """Squared residual over the masses at the fraction t of the step [J]."""
    total = as_many(0.0, h)
    for i in range(len(wheels.each)):
        sought = searches(i, wheels)
        if some(sought):
            wheel = wheels.each[i]
            r_t, r_x, r_y, r_r = missing_of(i, t, h, wheels)
            x, y = wheel.row + at.ROW_STICK, wheel.row + at.ROW_RESISTANCE
            own = total + (rows.A[x, x] * r_t * r_t + rows.A[y, y] * r_x * r_x)
            x, y = wheel.lateral_row, wheel.spin_row
            if x >= 0:
                own += rows.A[x + 1, x + 1] * r_y * r_y
            if y >= 0:
                own += rows.A[y, y] * r_r * r_r
            total = where(sought, own, total)
    return total


@late(FLOAT(BOOL, FLOAT, bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def share_with_less(source_hash):
    def share_with_less(sought, h, wheels, rows):
        """Fraction of the step, halved until the residual falls; 0: none. ``sought``: vehicles' mask."""
        source_hash
        start = missing(as_many(0.0, h), h, wheels, rows)
        t, share = 1.0, as_many(0.0, h)
        for _half in range(HALVINGS):
            less = sought & (missing(as_many(t, h), h, wheels, rows) < (1.0 - LESS * t) * start)
            share, sought = where(less, t, share), sought & no(less)
            if not some(sought):
                break
            t *= 0.5
        return share

    return share_with_less


@kernel
def further(start, end, most, h, wheels, going):
    """Fraction of the step, 1 or more, doubled while g stays far below zero."""
    t = as_many(1.0, h)
    going = going & (end < FLAT * start) & (t < most)
    while some(going):
        end = slope(2.0 * t, h, wheels)
        going = going & no(end > -ENOUGH * start)
        t = where(going, t * 2.0, t)
        going = going & (end < FLAT * start) & (t < most)
    return t


@kernel
def between(start, end, h, wheels, going):
    """Fraction of the step, below 1, at which g is nearly zero, by the Illinois rule."""
    low, high, g_low, g_high = as_many(0.0, h), as_many(1.0, h), start, end
    t, side = as_many(1.0, h), as_many(0.0, h)
    for _look in range(LOOKS):
        there = (low * g_high - high * g_low) / (g_high - g_low)
        there = min(max(there, low + 0.02 * (high - low)), high - 0.02 * (high - low))
        t = where(going, there, t)
        g = slope(t, h, wheels)
        going = going & no(abs(g) <= -ENOUGH * start)
        if not some(going):
            break
        below, again = going & (g < 0.0), where(g < 0.0, side < 0.0, side > 0.0)
        above, share = going & no(g < 0.0), where(again, 0.5, 1.0)
        g_high = where(below, g_high * share, where(above, g, g_high))
        g_low = where(above, g_low * share, where(below, g, g_low))
        low, high = where(below, t, low), where(above, t, high)
        side = where(below, -1.0, 1.0)
    return t


@kernel
def share_of_way(most, sought, h, wheels):
    """Fraction, up to ``most``, of the step from FROM to TO to take; 0 if the step leads up.

    ``sought``: mask of vehicles.
    """
    share = as_many(0.0, h)
    start = slope(as_many(EDGE, h), h, wheels)
    sought = sought & (start < 0.0)
    if not some(sought):
        return share
    end = slope(as_many(1.0 - EDGE, h), h, wheels)
    beyond_end = sought & (end <= -ENOUGH * start)
    if some(beyond_end):
        share = where(beyond_end, further(start, end, most, h, wheels, beyond_end), share)
    sought = sought & no(beyond_end)
    if some(sought):
        share = where(sought, between(start, end, h, wheels, sought), share)
    return share
