"""Normal stress and shear on one piece of the contact under a wheel of Wong and Reece.

The normal stress starts as a fractional power of the angle at both ends of the contact: Gauss-Jacobi
nodes with that power as weight (functions of the soil's exponent n alone, stored in the parameter array)
integrate it exactly. For a small shear modulus K the term ``exp(-|j|/K)`` of the shear stress, with the
shear displacement j, differs from 0 in a thin layer only: it is then integrated separately, over this
layer.
"""

import math

import numpy as np

from mlcp.jit import kernel

from .nodes import Shear, cohesion_over, sine_of, stresses_over

# Columns of the parameter array.
RADIUS, WIDTH, MODULUS, EXPONENT = 0, 1, 2, 3  # normal stress MODULUS z^n [Pa] at a depth z [m]
COHESION, TAN_PHI, SHEAR = 4, 5, 6  # cohesion c [Pa], tan(phi), shear modulus K [m]
# Angle of the largest normal stress, (C_1 + C_2 s) theta_1 at slip s; exit angle theta_2 [rad], <= 0.
C_1, C_2, EXIT = 7, 8, 9
EXIT_SHARE = 10  # sinkage behind over sinkage in front, in place of EXIT; 0: not given
SLIP_SOFTENING, SKID_SOFTENING = 11, 12  # a of MODULUS exp(-a |s|), driving and braking
SIDE_SOFTENING = 13  # a_y of MODULUS exp(-sqrt((a s)^2 + (a_y beta)^2)), beta: slip angle [rad]
ANGLE_SOFTENING = 14  # a_y |beta| of the present step; 0 for a wheel that rolls straight ahead
FEWEST, FEW, MANY = 8, 16, 24  # numbers of Gauss nodes on [0, 1] in a rule
# Offsets of the rules with weight x^n (Gauss-Jacobi) and weight 1 (Gauss-Legendre): nodes, then weights.
JACOBI_FEWEST = 15
JACOBI = JACOBI_FEWEST + 2 * FEWEST
JACOBI_MANY = JACOBI + 2 * FEW
LEGENDRE_FEWEST = JACOBI_MANY + 2 * MANY
LEGENDRE = LEGENDRE_FEWEST + 2 * FEWEST
LEGENDRE_MANY = LEGENDRE + 2 * FEW
INTEGRAL_FLOATS = LEGENDRE_MANY + 2 * MANY

# Largest range of |j|/K, and largest length [rad], of a driven wheel's contact for a rule of FEWEST
# nodes, exact to 1e-11
SHORT = (2.0, 0.4)
RANGE = 9.0  # largest range of |j|/K over a piece for a rule of FEW nodes
LONG_RANGE = 26.0  # largest range of |j|/K over a piece for a rule of MANY nodes
# Largest ratio of a piece's length to its distance from the contact's end, for a rule with weight 1
_NEAR = 4.0
_LAYER = 25.0  # |j|/K beyond which exp(-|j|/K) is negligible

# Kinds and modes of a piece; of type int64, since Numba would compile the kernels for each literal.
_TOP, _BOTTOM, _MIDDLE = np.int64(1), np.int64(-1), np.int64(0)
_NO_TOP, _NO_BOTTOM = np.int64(2), np.int64(3)
WHOLE, _SMOOTH, _THIN, WHOLE_MANY = np.int64(0), np.int64(1), np.int64(2), np.int64(3)


@kernel
def _part(p, arc, shear, ends, kind, mode, cohesion, total):
    """Add the integrals of (sigma cos, sigma sin, tau cos, tau sin, tau) over one piece to ``total``.

    ends: (low, high) of the piece [rad].
    kind: 1: the stress is zero at ``high``, -1: at ``low``, 0: at neither; 2 and 3: like 1 and -1, but
        the piece is subtracted.
    mode: 0: whole integrand with the layer; 1: without the layer; 2: the layer alone (its shear is
        subtracted), by MANY nodes; 3: like 0, by MANY nodes. cohesion [Pa]: 0 if kind is not 0.
    """
    low, high = ends
    width = high - low
    many = mode >= _THIN
    turn, fold = arc.entry, -1.0
    if low < arc.middle:
        turn, fold = arc.exit, (arc.entry - arc.middle) / (arc.middle - arc.exit)
    fixed, falling = 0.0, 1.0
    at, count = (LEGENDRE_MANY, MANY) if many else (LEGENDRE, FEW)
    if kind != _MIDDLE:  # the rule's weights contain the power of the normal stress
        fixed, falling = width * abs(fold), 0.0
        at = JACOBI_MANY if many else JACOBI
    whole = 0.0 if mode == _THIN else 1.0
    curve = (turn, fold, fixed, falling)
    weights = (whole, p[TAN_PHI], cohesion, whole, 0.0 if mode == _SMOOTH else -1.0)
    top = kind == _TOP or kind == _NO_TOP
    piece = (high, -width) if top else (low, width)
    s_c, s_s, t_c, t_s, t_0 = stresses_over(p, at, count, piece, arc, curve, shear, weights)
    if kind == _NO_TOP or kind == _NO_BOTTOM:
        width = -width
    signed = shear.sign * width
    sum_sc, sum_ss, sum_tc, sum_ts, sum_t = total
    return (
        sum_sc + width * s_c,
        sum_ss + width * s_s,
        sum_tc + signed * t_c,
        sum_ts + signed * t_s,
        sum_t + signed * t_0,
    )


@kernel
def cohesion_on(p, shear, low, high, mode, total):
    """Add the shear of the cohesion alone on one piece to ``total``; mode: as in ``_part``."""
    s_c, s_s, t_c, t_s, t_0 = total
    tau = shear.sign * p[COHESION]
    if mode == _SMOOTH:
        t_c += tau * (math.sin(high) - math.sin(low))
        return s_c, s_s, t_c, t_s + tau * (math.cos(low) - math.cos(high)), t_0 + tau * (high - low)
    at, count = (LEGENDRE_MANY, MANY) if mode >= _THIN else (LEGENDRE, FEW)
    whole = 0.0 if mode == _THIN else 1.0
    c, s, one = cohesion_over(p, at, count, (low, high - low), shear, whole, -1.0)
    tau *= high - low
    return s_c, s_s, t_c + tau * c, t_s + tau * s, t_0 + tau * one


@kernel
def _stresses(p, arc, shear, low, high, mode, cohesive, total):
    """Add the integrals of ``_part`` over [low, high], a piece in front of theta_m or behind theta_m.

    The stress starts as a power of the distance from the end of the contact. A piece that ends close to
    this end is integrated up to it, and the excess subtracted, if the integrand is smooth up to there;
    otherwise the piece is cut into pieces that are shorter towards the end.
    """
    front = low >= arc.middle
    end, kind, rest = (arc.entry, _TOP, _NO_TOP) if front else (arc.exit, _BOTTOM, _NO_BOTTOM)
    short = arc.entry - high if front else low - arc.exit
    near = short > 0.0 and high - low <= _NEAR * short
    cohesion = p[COHESION] if near and cohesive else 0.0
    if cohesive and not near:
        total = cohesion_on(p, shear, low, high, mode, total)
    # a piece is not continued to the contact's end if j has the opposite sign there and |j|/K >= 3
    onwards = short <= 0.0 or mode == _SMOOTH or _far(shear, end) > -3.0
    while True:  # one call of ``_part`` in the code, since Numba compiles its loops for each call
        a, b = low, high
        now, last = _MIDDLE, True
        if kind == rest:  # integral over the part beyond the piece, to be subtracted
            a, b = (high, end) if front else (end, low)
            now = rest
        elif short <= 0.0 or (onwards and not near):
            a, b = (low, end) if front else (end, high)
            now, last = kind, short <= 0.0
            kind = rest
        elif not near:
            last = False
            if front:
                a = high = high - _NEAR * short
                short = arc.entry - high
            else:
                b = low = low + _NEAR * short
                short = low - arc.exit
            near = high - low <= _NEAR * short
        total = _part(p, arc, shear, (a, b), now, mode, cohesion, total)
        if last:
            return total


@kernel
def _far(shear, angle):
    """|j| / K at an angle; negative where the sign of j is not that of ``shear``."""
    return shear.from_ref - shear.f * angle + shear.g * sine_of(angle)


@kernel
def _end_of_layer(shear, near, least, far):
    """An angle between ``near``, where |j|/K is ``least``, and ``far``, at about the layer's end.

    The distance from ``near`` is estimated from slope and curvature of j, then scaled until |j|/K
    exceeds ``least`` by 1 to 1.5 _LAYER.
    """
    length = abs(far - near)
    slope = abs(shear.f - shear.g * math.cos(near))
    bend = 0.5 * abs(shear.g * math.sin(near))
    step = _LAYER * 1.2
    step = 2.0 * step / (slope + math.sqrt(slope * slope + 4.0 * bend * step))
    for _ in range(40):
        if step >= length:
            return far
        angle = near + math.copysign(step, far - near)
        depth = _far(shear, angle) - least
        if depth < _LAYER:
            step *= 1.3
        elif depth > 1.5 * _LAYER:
            step *= 0.8
        else:
            return angle
    return far


@kernel
def shear_of(p, path, middle, below):
    """``Shear`` of a piece on which the displacement j has one sign; middle: an angle in it [rad].
    below: True for a piece below theta_0, the angle at which a towed wheel's shear changes its sign."""
    per = p[RADIUS] / p[SHEAR]
    f, g, ref = path[1] * per, path[2] * per, path[3]
    if below:
        f, g, ref = path[4] * per, path[5] * per, path[6]
    from_ref = f * ref - g * sine_of(ref)
    sign = 1.0 if from_ref - f * middle + g * sine_of(middle) >= 0.0 else -1.0
    return Shear(sign * f, sign * g, sign * from_ref, sign)


@kernel
def segment(p, arc, path, low, high, turn, cohesive, total):
    """Add the integrals of ``_part`` over one piece, in which j has one sign, to ``total``.

    If the nodes resolve exp(-|j|/K), the whole stresses are integrated at once; otherwise the stresses
    without this term, and the term over each layer. ``turn``: angle of the largest |j|; if it is inside
    the piece, there is a layer at both ends.
    """
    if high - low <= 1e-14:
        return total
    middle = 0.5 * (low + high)
    shear = shear_of(p, path, middle, high <= path[0])
    at_low, at_high = _far(shear, low), _far(shear, high)
    inside = low < turn < high
    most = max(at_low, at_high, _far(shear, turn if inside else middle))
    if most <= LONG_RANGE:
        mode = WHOLE if most <= RANGE else WHOLE_MANY
        return _stresses(p, arc, shear, low, high, mode, cohesive, total)
    total = _stresses(p, arc, shear, low, high, _SMOOTH, cohesive, total)
    from_top, from_bottom = inside or at_high <= at_low, inside or at_high > at_low
    if from_top and at_high <= _LAYER:
        start = _end_of_layer(shear, high, at_high, turn if inside else low)
        total = _stresses(p, arc, shear, start, high, _THIN, cohesive, total)
    if from_bottom and at_low <= _LAYER:
        stop = _end_of_layer(shear, low, at_low, turn if inside else high)
        total = _stresses(p, arc, shear, low, stop, _THIN, cohesive, total)
    return total
