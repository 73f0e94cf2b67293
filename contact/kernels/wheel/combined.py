"""Combined thrust and lateral force of a wheel that slides along and across its heading.

There are two combinations. By the demands: each law is taken at its own slip, and both forces are scaled
into their friction ellipse. By the sliding: both laws are taken at the total sliding velocity
``v_s = (v_t, v_y)`` of the contact point over v_max,

    F_x = -X cos b g,   F_y = -Y sin b g sqrt(m),   cos b = v_t / |v_s|,   sin b = v_y / |v_s|
    g = 1 / sqrt(cos^2 b + m sin^2 b),   m = (X / Y)^(2 s)

with X, Y the laws' forces at the total slip ``s = |v_s| / v_max`` (at most 1). The force lies on the
ellipse with half axes X and Y; at small slips each force has the slope of its own law, and at full slip
(s = 1) the force opposes the sliding. Of the ground law's set-valued part J only the fraction s is in X
(all of J in m); the remainder, ``(1 - s) J (1 - (F_y / F_y,max)^2)``, is set-valued along the heading.
Both forces always oppose their velocities, so together they dissipate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.compiled.branches import as_many, every, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import power

from . import layout as at
from .ploughing import pressure_on
from .relaxation import at_zero_angle, slip_sides
from .slip import slip_state
from .wheel_law import accuracy_of_slopes, ellipse_share, lateral_at, law_at, law_kept

NEGLIGIBLE_SLIDING = 1e-9  # sliding velocity over v_max that is round-off


class ContactMotion(NamedTuple):
    """Motion of a wheel's contact."""

    slip: Any  # slip ratio i_s [-]
    direction: Any  # common sign of rim and centre speed [-], see ``slip_state``
    v_max: Any  # larger of rim speed and centre speed, at least v_0 [m/s]
    v_t: Any  # velocity of the contact point along the heading [m/s]
    v_x: Any  # velocity of the centre along the heading [m/s]
    v_y: Any  # lateral velocity of the contact point [m/s]


class Thrust(NamedTuple):
    """Result of ``law_at`` (ratios to the load) combined with the lateral force; share: factor of the
    ellipse on thrust and lateral force."""

    ratio: Any
    slope: Any  # slope of the thrust ratio over i_s
    coulomb: Any
    gamma: Any
    rho: Any
    peak: Any
    share: Any


class TotalSlipLaws(NamedTuple):
    """Ground law and lateral law, each at the total slip, as ratios to the load."""

    ratio: Any  # smooth thrust, positive forward
    slope: Any  # slope of the smooth thrust over i_s
    coulomb: Any  # set-valued part of the thrust
    peak: Any  # largest |ratio| over the slips
    side: Any  # lateral force, >= 0
    side_slope: Any  # slope of the lateral force over the slip angle
    largest: Any  # largest lateral force
    v: Any  # sliding velocity |v_s| [m/s]
    s: Any  # total slip, at most 1
    along: Any  # |cos b|, b the angle of the sliding from the heading
    across: Any  # sin^2 b


class Both(NamedTuple):
    """Thrust and lateral force that combine by the sliding, as ratios to the load."""

    ratio: Any  # thrust without its set-valued part
    slope: Any  # slope of ``ratio`` over i_s
    coulomb: Any  # set-valued part of the thrust
    peak: Any  # largest |ratio| over the slips
    side: Any  # lateral force, with the sign of v_y
    side_slope: Any  # slope of the lateral force over v_y [s/m]
    largest: Any  # largest lateral force


@kernel
def motion_at(i, v_t, v_x, v_y, wheels):
    """``ContactMotion`` of wheel i at velocities v_t, v_x, v_y [m/s]."""
    slip, direction, v_max = slip_state(v_t, v_x, wheels.each[i].v_0)
    return ContactMotion(slip, direction, v_max, v_t, v_x, v_y)


@kernel
def motion_of(now):
    """``ContactMotion`` at a wheel's linearisation point."""
    return ContactMotion(now.slip, now.direction, now.v_max, now.v_t, now.v_x, now.v_y)


@kernel
def both_kept(i, motion, load, wheels):
    """Result of ``both_at``, taken from memory if the last evaluation was at the same point."""
    last = wheels.now[i].both
    found, same_point = last.values, (last.v_t == motion.v_t) & (last.v_y == motion.v_y)
    same_point = same_point & (last.v_max == motion.v_max) & (last.direction == motion.direction)
    same_point = same_point & (last.v_x == motion.v_x)
    if every(same_point & (last.load == load)):
        return Both(found[0], found[1], found[2], found[3], found[4], found[5], found[6])
    both = both_at(i, motion, load, wheels)
    last.v_t, last.v_x, last.v_y, last.load = motion.v_t, motion.v_x, motion.v_y, load
    last.v_max, last.direction = motion.v_max, motion.direction
    found[0], found[1], found[2], found[3] = both.ratio, both.slope, both.coulomb, both.peak
    found[4], found[5], found[6] = both.side, both.side_slope, both.largest
    return both


@kernel
def laws_at_total_slip(i, motion, load, wheels):
    """Ground law and lateral law of wheel i at the total slip, the ground law with the sign of i_s.

    At negligible sliding the ground law is evaluated at the slip i_s.
    """
    v_t, v_y, v_max = motion.v_t, motion.v_y, motion.v_max
    v = math.sqrt(v_t * v_t + v_y * v_y)
    slides = v > NEGLIGIBLE_SLIDING * v_max
    size = where(v > 0.0, v, 1.0)
    cosine, sine = v_t / size, v_y / size
    along, across, s = where(slides, abs(cosine), 1.0), sine * sine, min(1.0, v / v_max)
    across = where(slides, across, 0.0)
    slip = where(slides, where(v_t <= 0.0, s, -s), motion.slip)
    last, accuracy = wheels.now[i].law_of_sliding, accuracy_of_slopes(i, wheels)
    law = law_kept(i, slip, motion.direction, v_max, load, last, accuracy, wheels)
    side, side_slope, largest = lateral_at(i, v_max, v, load, wheels)
    return TotalSlipLaws(law[0], law[1], law[2], law[5], side, side_slope, largest, v, s, along, across)


@kernel
def on_ellipse(x, y, s, along, across):
    """Factors g and sqrt(m) of the module's ellipse for the forces X = x, Y = y at the total slip s;
    along, across: |cos b|, sin^2 b."""
    root = power(min(max(x / max(y, 1e-300), 0.05), 1e9), s)  # sqrt(m), with X / Y limited
    return 1.0 / math.sqrt(along * along + root * root * across), root


@kernel
def both_at(i, motion, load, wheels):
    """Thrust and lateral force of wheel i, combined by the sliding.

    Along the heading the ground law's set-valued part J contributes ``s J |cos b|``; the fraction
    ``cos^2 b`` of this remains set-valued, the rest is smooth. At negligible sliding each force is that
    of its own law.
    """
    v_t, v_max = motion.v_t, motion.v_max
    laws = laws_at_total_slip(i, motion, load, wheels)
    ratio, slope, coulomb, peak, side, side_slope, largest, v, s, along, across = laws
    slides = v > NEGLIGIBLE_SLIDING * v_max
    size = where(v > 0.0, v, 1.0)
    sine, own = motion.v_y / size, s * coulomb
    g, root = on_ellipse(abs(ratio) + coulomb, side, s, along, across)
    smooth = ratio * along - math.copysign(own * along * across, v_t)
    slope = slope * along * along + (abs(ratio) + own) * across * v_max / size
    g_y, turn = where(slides, g * root, 1.0), v_max / (v_max * v_max + v * v)
    turned = where(slides, across, 1.0)
    side_slope = side_slope * turn * turned + where(slides, side * along * along / size, 0.0)
    side = g_y * side * sine
    use = side / max(largest, 1e-300)
    left = g * own * along * along * along + (coulomb - own) * max(0.0, 1.0 - use * use)
    side_slope = g_y * side_slope
    if wheels.each[i].ploughs == 1:
        slip, direction, v_x = motion.slip, motion.direction, motion.v_x
        pressure = pressure_on(i, slip, direction, load, v_x, motion.v_y, wheels)
        side, side_slope = side + pressure[0], side_slope + pressure[1]
        largest = largest + pressure[2]
    return Both(g * smooth, g * slope, left, peak + (coulomb - left), side, side_slope, largest)


@kernel
def thrust_at(i, motion, load, wheels):
    """Thrust of wheel i (``Thrust``), combined with its lateral force."""
    slip, direction, v_max = motion.slip, motion.direction, motion.v_max
    if wheels.each[i].sliding == 0:
        ratio, slope, coulomb, gamma, rho, peak = law_at(i, slip, direction, v_max, load, wheels)
        share = ellipse_share(i, ratio, coulomb, peak, load, motion.v_x, motion.v_y, wheels)
        return Thrust(ratio, slope, coulomb, gamma, rho, peak, share)
    both = both_kept(i, motion, load, wheels)  # before ``law_at``, which may take the law found here
    _, _, _, gamma, rho, _ = law_at(i, slip, direction, v_max, load, wheels)
    return Thrust(both.ratio, both.slope, both.coulomb, gamma, rho, both.peak, as_many(1.0, load))


@kernel
def thrust_in_rows(i, motion, load, wheels):
    """Result of ``thrust_at`` for the rows of wheel i.

    Bristles combined by the sliding keep the envelopes of the step's start (``bristles``), so their rows
    take only resistance and rolling moment from here: the ground law alone is returned.
    """
    if wheels.each[i].sliding == 0 or wheels.each[i].scheme != at.LUGRE:
        return thrust_at(i, motion, load, wheels)
    law = law_at(i, motion.slip, motion.direction, motion.v_max, load, wheels)
    return Thrust(law[0], law[1], law[2], law[3], law[4], law[5], as_many(1.0, load))


@kernel
def lateral_alone(i, load, v_x, v_y, wheels):
    """Lateral force (``lateral_force``) at the slip angle alone, without the effect of the thrust."""
    along, aside, stiff = slip_sides(i, v_x, v_y, wheels)
    ratio, slope, largest = lateral_at(i, v_x, v_y, load, wheels)
    slope *= stiff * along / (along * along + aside * aside)  # dalpha / dv_y
    if wheels.each[i].ploughs == 1:
        now = wheels.now[i]
        pressure = pressure_on(i, now.slip, now.direction, load, v_x, v_y, wheels)
        ratio, slope, largest = ratio + pressure[0], slope + pressure[1], largest + pressure[2]
    return load * ratio, load * slope, load * largest


@kernel
def lateral_force(i, load, motion, wheels):
    """Lateral force with the sign of v_y [N], its slope over v_y [N s/m], its largest size [N]."""
    if wheels.each[i].sliding == 0:
        return lateral_alone(i, load, motion.v_x, motion.v_y, wheels)
    both = both_kept(i, motion, load, wheels)
    return load * both.side, load * both.side_slope, load * both.largest


@kernel
def largest_side(i, load, motion, wheels):
    """Largest lateral force of ``lateral_force`` [N]."""
    if wheels.each[i].sliding == 1 and wheels.each[i].ploughs == 0:
        return load * at_zero_angle(i, load, wheels)[1]
    return lateral_force(i, load, motion, wheels)[2]


@kernel
def thrust_share(i, load, motion, wheels):
    """Fraction of the thrust capacity of a wheel at rest that its lateral force leaves."""
    if wheels.each[i].ellipse == 0 or wheels.each[i].lateral_row < 0:
        return 1.0
    force, _, largest = lateral_force(i, load, motion, wheels)
    use = min(1.0, abs(force) / max(largest, 1e-300))
    return math.sqrt(1.0 - use * use)
