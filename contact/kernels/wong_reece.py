"""Scalar kernels of the Wong-Reece wheel: stress integrals by Gauss rules made for the stress.

The normal stress starts as a fractional power of the angle at both ends of the contact: Gauss-Jacobi
nodes with that power as weight (they depend on n alone, and stand in the parameter array) take it
exactly. The shear's ``exp(-|j|/K)`` may be a thin layer (small K): it is integrated apart, over the
layer only.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel

from .nodes import Arc, Shear, cohesion_over, sine_of, stresses_over

# Columns of the parameter array.
RADIUS, WIDTH, MODULUS, EXPONENT = 0, 1, 2, 3  # modulus: sigma = MODULUS z^n
COHESION, TAN_PHI, SHEAR = 4, 5, 6  # c [Pa], tan(phi), K [m]
C_1, C_2, EXIT = 7, 8, 9  # EXIT: theta_2 [rad], zero or negative
EXIT_SHARE = 10  # sinkage behind over sinkage in front, in place of EXIT; 0: not given
# Gauss nodes and weights on [0, 1], FEW and MANY, with weight x^n and without.
FEW, MANY = 16, 24
JACOBI = 11
JACOBI_MANY = JACOBI + 2 * FEW
LEGENDRE = JACOBI_MANY + 2 * MANY
LEGENDRE_MANY = LEGENDRE + 2 * FEW
INTEGRAL_FLOATS = LEGENDRE_MANY + 2 * MANY

_DRIVEN_EDGE, _TOWED_EDGE = 0.02, 1e-6  # distance of the largest stress from the contact's ends
DEEPEST = 1.5  # entry angle at which the wheel counts as sunk to its axle [rad]
_RANGE = 9.0  # spread of |j|/K that FEW nodes resolve
_LONG_RANGE = 26.0  # and that MANY do
_NEAR = 4.0  # length of a piece that stops short of an end of the contact, in distances to it
_BEYOND = 3.0  # |j|/K by which j may have changed its sign where the integrand goes on
_LAYER = 25.0  # |j|/K beyond which exp(-|j|/K) is nothing

# Kinds and modes of a piece. Typed: a literal would be a type of its own, and another compile.
_TOP, _BOTTOM, _MIDDLE = np.int64(1), np.int64(-1), np.int64(0)
_NO_TOP, _NO_BOTTOM = np.int64(2), np.int64(3)
_WHOLE, _SMOOTH, _THIN, _WHOLE_MANY = np.int64(0), np.int64(1), np.int64(2), np.int64(3)


@kernel
def shear_path(path, angle):
    """``j / r`` at ``angle``: ``A (ref - angle) - B (sin ref - sin angle)``, path above or below.

    path: (theta_0, A, B, ref) above theta_0 and (A, B, ref) below it.
    """
    split, a_1, b_1, ref_1, a_2, b_2, ref_2 = path
    if angle >= split:
        return a_1 * (ref_1 - angle) - b_1 * (sine_of(ref_1) - sine_of(angle))
    return a_2 * (ref_2 - angle) - b_2 * (sine_of(ref_2) - sine_of(angle))


@kernel
def _part(p, arc, shear, ends, kind, mode, cohesion, total):
    """Add one piece of the contact to ``total``: (sigma cos, sigma sin, tau cos, tau sin, tau).

    ends: (low, high) of the piece [rad].
    kind: 1 the stress starts at ``high``, -1 at ``low``, 0 at neither; 2 and 3: as 1 and -1, taken away.
    mode 0: everything, with the layer; 1: without it; 2: the layer alone (subtracted), by the longer
    rule; 3: everything, by the longer rule. cohesion: 0 where the weights have the power in them.
    """
    low, high = ends
    width = high - low
    many = mode >= _THIN
    turn, fold = arc.entry, -1.0
    if low < arc.middle:
        turn, fold = arc.exit, (arc.entry - arc.middle) / (arc.middle - arc.exit)
    fixed, falling = 0.0, 1.0
    at, count = (LEGENDRE_MANY, MANY) if many else (LEGENDRE, FEW)
    if kind != _MIDDLE:  # the weights have the power in them
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
def _cohesion(p, shear, low, high, mode, total):
    """Add the shear of the cohesion alone on one piece."""
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
    """Add the stresses on [low, high], all in front of theta_m or all behind it.

    The stress starts as a power at the end of the contact. A piece that stops close to that end is
    what reaches it less the rest, where the integrand goes on smoothly so far; else it is cut, the
    pieces the shorter the closer.
    """
    front = low >= arc.middle
    end, kind, rest = (arc.entry, _TOP, _NO_TOP) if front else (arc.exit, _BOTTOM, _NO_BOTTOM)
    short = arc.entry - high if front else low - arc.exit
    near = short > 0.0 and high - low <= _NEAR * short
    cohesion = p[COHESION] if near and cohesive else 0.0
    if cohesive and not near:
        total = _cohesion(p, shear, low, high, mode, total)
    onwards = short <= 0.0 or mode == _SMOOTH or _far(shear, end) > -_BEYOND
    while True:  # one call: the loops over the nodes are compiled where they are called
        a, b = low, high
        now, last = _MIDDLE, True
        if kind == rest:  # what was too much
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
    """|j| / K at an angle; negative where j has the other sign."""
    return shear.from_ref - shear.f * angle + shear.g * sine_of(angle)


@kernel
def _end_of_layer(shear, near, least, far):
    """An angle between ``near``, where |j|/K is ``least``, and ``far``, at about the layer's end.

    From the slope and the curvature of j at ``near``; then by a factor until it will do.
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
def _shear_of(p, path, middle, below):
    """The shear on a piece around ``middle``, where j has one sign."""
    per = p[RADIUS] / p[SHEAR]
    f, g, ref = path[1] * per, path[2] * per, path[3]
    if below:
        f, g, ref = path[4] * per, path[5] * per, path[6]
    from_ref = f * ref - g * sine_of(ref)
    sign = 1.0 if from_ref - f * middle + g * sine_of(middle) >= 0.0 else -1.0
    return Shear(sign * f, sign * g, sign * from_ref, sign)


@kernel
def _segment(p, arc, path, low, high, turn, cohesive, total):
    """One piece between breaks, |j| of one sign: the layer with the rest, or clipped and apart.

    ``turn``: where |j| is largest, if it lies inside; the layers then are at both ends.
    """
    if high - low <= 1e-14:
        return total
    middle = 0.5 * (low + high)
    shear = _shear_of(p, path, middle, high <= path[0])
    at_low, at_high = _far(shear, low), _far(shear, high)
    inside = low < turn < high
    most = max(at_low, at_high, _far(shear, turn if inside else middle))
    if most <= _LONG_RANGE:
        mode = _WHOLE if most <= _RANGE else _WHOLE_MANY
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


@kernel
def _crossing(path, low, high):
    """Where j changes sign from negative at ``low`` to positive at ``high``: Newton, kept between.

    ``high`` is where j is largest, and j is nearly as steep on its other side, down to the entry.
    """
    a, b, ref = path[1], path[2], path[3]
    from_ref = a * ref - b * math.sin(ref)
    x = max(low, 2.0 * high - ref)
    for _ in range(60):
        value = from_ref - a * x + b * math.sin(x)
        if value > 0.0:
            high = x
        else:
            low = x
        slope = b * math.cos(x) - a
        step = x - value / slope if slope > 0.0 else low
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - x) < 1e-9 * abs(slope) or high - low < 1e-15:
            return step
        x = step
    return x


@kernel
def _crossing_back(path, low, high):
    """Where j changes sign once more, far behind the axle: positive at ``low``, negative at ``high``."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if shear_path(path, middle) > 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def _exit_angle(p, theta_1):
    """Exit angle: as given or from its share of the sinkage, never further back than theta_1."""
    theta_2 = p[EXIT]
    if p[EXIT_SHARE] > 0.0:
        # 1 - cos(theta_2) = share (1 - cos(theta_1)), by half angles: exact where they are small
        theta_2 = -2.0 * math.asin(math.sqrt(p[EXIT_SHARE]) * math.sin(0.5 * theta_1))
    return max(theta_2, -theta_1)


@kernel
def _end_below(high, theta_2, theta_m, zero, zero_back):
    """Where the smooth piece ends that reaches up to ``high``."""
    low = theta_2
    if theta_m < high:
        low = max(low, theta_m)
    if zero < high:
        low = max(low, zero)
    if zero_back < high:
        low = max(low, zero_back)
    return low


@kernel
def integrals(p, path, theta_1, theta_m, edge):
    """``(load, thrust, compaction, torque / r)`` [N] of a wheel with entry angle theta_1 [rad].

    theta_m: where the normal stress is largest, kept ``edge`` of the contact from its ends.
    """
    theta_2 = _exit_angle(p, theta_1)
    span = theta_1 - theta_2
    theta_m = min(max(theta_m, theta_2 + edge * span), theta_1 - edge * span)
    scale = p[MODULUS] * p[RADIUS] ** p[EXPONENT]
    arc = Arc(theta_1, math.sin(theta_1), math.cos(theta_1), p[EXPONENT], scale, theta_m, theta_2)
    split, a_1, b_1 = path[0], path[1], path[2]
    per = p[RADIUS] / p[SHEAR]
    # where j changes its sign, and where |j| is largest between; theta_2: nowhere
    zero, turn, zero_back, turn_back = theta_2, theta_2, theta_2, theta_2
    hump, a_2, b_2 = 0.0, a_1, b_1
    if split > theta_2:
        zero, a_2, b_2 = split, path[4], path[5]
    lowest = theta_2  # where j is least
    if b_2 > a_2:
        lowest = max(theta_2, -math.acos(a_2 / b_2))
    if b_1 > a_1:  # braking: the rim may overtake the soil on the way
        turn = math.acos(a_1 / b_1)
        turn = turn if zero < turn < theta_1 else theta_2
        if split <= theta_2 and turn > theta_2 and shear_path(path, lowest) < 0.0:
            zero = _crossing(path, lowest, turn)
        hump = abs(shear_path(path, turn))
        if hump * per <= _LONG_RANGE:
            turn = theta_2
    if lowest > theta_2:  # and fall back again, far behind the axle
        back = shear_path(path, lowest)
        hump = max(hump, -back)
        if back < 0.0 < shear_path(path, theta_2):
            zero_back = _crossing_back(path, theta_2, lowest)
        elif back >= 0.0:  # it only comes close: a layer on both sides of there
            zero_back = lowest
        if -back * per > _LONG_RANGE:
            turn_back = lowest
    total = (0.0, 0.0, 0.0, 0.0, 0.0)
    cohesive = p[COHESION] > 0.0
    reach = max(hump, abs(shear_path(path, theta_2))) * per
    whole = zero == theta_2 and turn == theta_2 and zero_back == theta_2
    if cohesive and whole and reach <= _LONG_RANGE:
        cohesive = False  # one smooth piece: the cohesion in one go
        shear = _shear_of(p, path, 0.5 * (theta_1 + theta_2), False)
        mode = _WHOLE if reach <= _RANGE else _WHOLE_MANY
        total = _cohesion(p, shear, theta_2, theta_1, mode, total)
    high = theta_1
    while high > theta_2:
        low = _end_below(high, theta_2, theta_m, zero, zero_back)
        inner = turn if low < turn < high else turn_back
        total = _segment(p, arc, path, low, high, inner, cohesive, total)
        high = low
    s_c, s_s, t_c, t_s, t_0 = total
    area = p[RADIUS] * p[WIDTH]
    return area * (s_c + t_s), area * t_c, area * s_s, area * t_0


@kernel
def driven_path(theta_1, slip):
    """Shear path at driving slip s; braking (s < 0) the same kinematics, with skid -s / (1 + s)."""
    b = 1.0 - slip if slip >= 0.0 else 1.0 / max(1.0 + slip, 1e-6)
    return (-10.0, 1.0, b, theta_1, 0.0, 0.0, 0.0)


@kernel
def turning_angle(p, rolled):
    """theta_0 of Part II, where a towed wheel's shear turns; ``rolled`` = omega r / v = 1 / (1 + i).

    ``tan(45 deg - phi / 2) sin theta_0 = cos theta_0 - rolled``.
    """
    a = math.sqrt(1.0 + p[TAN_PHI] * p[TAN_PHI]) - p[TAN_PHI]  # tan(45 deg - phi / 2)
    return math.acos(rolled / math.sqrt(1.0 + a * a)) - math.atan(a)


@kernel
def towed_path(p, theta_1, skid):
    """Shear path of Part II at skid i >= 0: the shear changes sign at theta_0."""
    b = 1.0 + skid
    theta_0 = min(max(turning_angle(p, 1.0 / b), 1e-9), 0.999999 * theta_1)
    mean = b * (math.sin(theta_1) - math.sin(theta_0)) / (theta_1 - theta_0)  # 1 + K_v (1 + i)
    return (theta_0, mean, b, theta_1, 1.0, b, theta_0)


@kernel
def forces_at(p, theta_1, slip, skid):
    """Integrals at an entry angle; skid >= 0 takes the towed wheel of Part II, else the slip."""
    if skid >= 0.0:
        path = towed_path(p, theta_1, skid)
        return integrals(p, path, theta_1, path[0], _TOWED_EDGE)
    theta_m = (p[C_1] + p[C_2] * slip) * theta_1
    return integrals(p, driven_path(theta_1, slip), theta_1, theta_m, _DRIVEN_EDGE)


@kernel
def equilibrium(p, load, slip, skid, guess):
    """Entry angle that carries ``load`` [N]; DEEPEST where the soil cannot.

    The load is close to a power of the angle: secant on the logarithms, kept in a bracket.
    """
    low, high = 0.0, DEEPEST
    x_0, f_0 = 0.0, 0.0
    x = min(max(guess, 1e-6), 0.9 * DEEPEST)
    power = 2.0 * p[EXPONENT] + 1.0
    known, bounded, last = False, False, 1.0  # bounded: ``high`` is known to carry the load
    for _ in range(60):
        carried, _, _, _ = forces_at(p, x, slip, skid)
        if carried >= load:
            high, bounded = x, True
        else:
            low = x
        if carried <= 0.0:
            step = math.inf
        else:
            f = math.log(carried / load)
            flat = False
            if known and x != x_0 and f != f_0:
                rate = (f - f_0) / math.log(x / x_0)
                flat = rate <= 0.2  # close to the most that the soil can carry
                if not flat:
                    power = rate
            x_0, f_0, known = x, f, True
            step = math.inf if flat else x * math.exp(-f / power)
            if abs(f) < 1e-7 * min(1.0, abs(last)) or abs(step - x) < 1e-14 * x:
                return x if flat else step  # the secant's error: below the last two errors' product
            last = f
        if not low < step < high:
            if x >= DEEPEST * (1.0 - 1e-12) and not bounded:
                return DEEPEST
            step = high if low > 0.98 * DEEPEST and not bounded else 0.5 * (low + high)
            if not bounded and step < 0.5 * (x + DEEPEST):
                step = 0.5 * (x + DEEPEST)
        if high - low < 1e-15 * high:
            return x
        x = step
    return x


@kernel
def first_guess(p, load, slip, skid):
    """Entry angle of the normal stress alone, sigma cos ~ sigma, for a load [N]."""
    # lift ~ theta_1^2 x (1 - x / 2), x from the entry
    n = p[EXPONENT]
    front = 0.6 if skid >= 0.0 else 1.0 - min(max(p[C_1] + p[C_2] * slip, 0.02), 0.98)
    share = (front * (1.0 - 0.5 * front * (n + 1.0) / (n + 2.0))) ** n / (n + 1.0)
    area = p[RADIUS] * p[WIDTH] * p[MODULUS] * p[RADIUS] ** n
    guess = (load / (area * share)) ** (1.0 / (2.0 * n + 1.0))
    if skid >= 0.0:  # a towed wheel sinks until the turn of its shear lies inside the contact
        guess = max(guess, 1.15 * turning_angle(p, 1.0 / (1.0 + skid)))
    return guess


@kernel
def at_load_from(p, load, slip, skid, guess):
    """``(theta_1, thrust, compaction, torque / r, carried)`` of a wheel in equilibrium."""
    theta_1 = equilibrium(p, load, slip, skid, guess)
    carried, thrust, compaction, torque = forces_at(p, theta_1, slip, skid)
    return theta_1, thrust, compaction, torque, carried


@kernel
def at_load(p, load, slip, skid):
    """The same without an entry angle to start from."""
    return at_load_from(p, load, slip, skid, first_guess(p, load, slip, skid))
