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

# Columns of the parameter array.
RADIUS, WIDTH, MODULUS, EXPONENT = 0, 1, 2, 3  # modulus: sigma = MODULUS z^n
COHESION, TAN_PHI, SHEAR = 4, 5, 6  # c [Pa], tan(phi), K [m]
C_1, C_2, EXIT = 7, 8, 9  # EXIT: theta_2 [rad], zero or negative
JACOBI = 10  # FEW nodes and weights, then MANY nodes and weights, weight x^n on [0, 1]
FEW, MANY = 13, 18
INTEGRAL_FLOATS = JACOBI + 2 * FEW + 2 * MANY

DEEPEST = 1.5  # entry angle at which the wheel counts as sunk to its axle [rad]
_RANGE = 6.6  # spread of |j|/K that FEW nodes resolve
_NEAR = 2.7  # length of such a piece, in distances to the end
_LAYER = 25.0  # |j|/K beyond which exp(-|j|/K) is nothing

# Kinds and modes of a piece. Typed: a literal would be a type of its own, and another compile.
_TOP, _BOTTOM, _MIDDLE, _COHESION = np.int64(1), np.int64(-1), np.int64(0), np.int64(2)
_WHOLE, _SMOOTH, _THIN = np.int64(0), np.int64(1), np.int64(2)

_X_FEW, _W_FEW = np.polynomial.legendre.leggauss(FEW)
_X_FEW, _W_FEW = 0.5 * (_X_FEW + 1.0), 0.5 * _W_FEW
_X_MANY, _W_MANY = np.polynomial.legendre.leggauss(MANY)
_X_MANY, _W_MANY = 0.5 * (_X_MANY + 1.0), 0.5 * _W_MANY


@kernel
def shear_path(path, angle):
    """``j / r`` at ``angle``: ``A (ref - angle) - B (sin ref - sin angle)``, path above or below.

    path: (theta_0, A, B, ref) above theta_0 and (A, B, ref) below it.
    """
    split, a_1, b_1, ref_1, a_2, b_2, ref_2 = path
    if angle >= split:
        return a_1 * (ref_1 - angle) - b_1 * (math.sin(ref_1) - math.sin(angle))
    return a_2 * (ref_2 - angle) - b_2 * (math.sin(ref_2) - math.sin(angle))


@kernel
def _part(p, path, angles, low, high, kind, mode, sign, total):
    """Add one piece of the contact to ``total``: (sigma cos, sigma sin, tau cos, tau sin, tau).

    kind: 1 the stress starts at ``high``, -1 at ``low``, 0 at neither; 2 the cohesion alone.
    mode 0: everything, with the layer; 1: without it; 2: the layer alone (subtracted).
    """
    theta_1, theta_m, theta_2 = angles
    n, tan_phi = p[EXPONENT], p[TAN_PHI]
    cohesion = p[COHESION] if kind == 0 or kind == 2 else 0.0
    scale = p[MODULUS] * p[RADIUS] ** n
    per = p[RADIUS] / p[SHEAR]
    a, b, ref = path[1], path[2], path[3]
    if high <= path[0]:
        a, b, ref = path[4], path[5], path[6]
    sin_ref, cos_1 = math.sin(ref), math.cos(theta_1)
    front = low >= theta_m
    fold = (theta_1 - theta_m) / (theta_m - theta_2)
    width = high - low
    many = mode == 2 or kind == 2
    count = MANY if many else FEW
    at = JACOBI + 2 * FEW if mode == 2 else JACOBI
    s_c, s_s, t_c, t_s, t_0 = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        unit = 1.0
        if kind == 1 or kind == -1:
            x, w = p[at + k], p[at + count + k]
            unit = x
        elif many:
            x, w = _X_MANY[k], _W_MANY[k]
        else:
            x, w = _X_FEW[k], _W_FEW[k]
        angle = high - width * x if kind == 1 else low + width * x
        sine, cosine = math.sin(angle), math.cos(angle)
        stress = 0.0
        if kind != 2:
            down = theta_1 - angle if front else (angle - theta_2) * fold
            if theta_1 < 0.1:  # cos theta_w - cos theta_1 without cancellation
                lift = 2.0 * math.sin(theta_1 - 0.5 * down) * math.sin(0.5 * down)
            else:
                lift = (cosine if front else math.cos(theta_1 - down)) - cos_1
            stress = scale * (max(lift, 0.0) / unit) ** n
        strength = stress * tan_phi + cohesion
        if mode != 1:
            decay = math.exp(-abs(a * (ref - angle) - b * (sin_ref - sine)) * per)
            strength *= 1.0 - decay if mode == 0 else -decay
        if mode != 2:
            s_c += w * stress * cosine
            s_s += w * stress * sine
        t_c += w * strength * cosine
        t_s += w * strength * sine
        t_0 += w * strength
    t_c, t_s, t_0 = t_c * sign, t_s * sign, t_0 * sign
    sum_sc, sum_ss, sum_tc, sum_ts, sum_t = total
    return (
        sum_sc + width * s_c,
        sum_ss + width * s_s,
        sum_tc + width * t_c,
        sum_ts + width * t_s,
        sum_t + width * t_0,
    )


@kernel
def _parts(p, path, angles, low, high, kind, mode, sign, cohesive, total):
    """``_part``, and once more for the cohesion where the weights of the stress leave it out."""
    total = _part(p, path, angles, low, high, kind, mode, sign, total)
    if kind == _MIDDLE or not cohesive:
        return total
    if mode != _SMOOTH:
        return _part(p, path, angles, low, high, _COHESION, mode, sign, total)
    shear = sign * p[COHESION]
    s_c, s_s, t_c, t_s, t_0 = total
    t_c += shear * (math.sin(high) - math.sin(low))
    return s_c, s_s, t_c, t_s + shear * (math.cos(low) - math.cos(high)), t_0 + shear * (high - low)


@kernel
def _segment(p, path, angles, low, high, cohesive, total):
    """One piece between breaks, |j| of one sign: the layer with the rest, or clipped and apart."""
    theta_1, _, theta_2 = angles
    if high - low <= 1e-14:
        return total
    kind = _TOP if high == theta_1 else (_BOTTOM if low == theta_2 else _MIDDLE)
    per = p[RADIUS] / p[SHEAR]
    # at a break theta_0 both formulas give 0, so the ends may be taken on either side
    f, g, ref = path[1] * per, path[2] * per, path[3]
    if high <= path[0]:
        f, g, ref = path[4] * per, path[5] * per, path[6]
    from_ref = f * ref - g * math.sin(ref)  # j / K = from_ref - f angle + g sin(angle)
    half = 0.5 * (low + high)
    middle = from_ref - f * half + g * math.sin(half)
    sign = 1.0 if middle >= 0.0 else -1.0
    at_low = abs(from_ref - f * low + g * math.sin(low))
    at_high = abs(from_ref - f * high + g * math.sin(high))
    if max(at_low, at_high, abs(middle)) <= _RANGE:
        return _parts(p, path, angles, low, high, kind, _WHOLE, sign, cohesive, total)
    total = _parts(p, path, angles, low, high, kind, _SMOOTH, sign, cohesive, total)
    least = min(at_low, at_high)
    if least > _LAYER:
        return total
    a, b = low, high
    if max(at_low, at_high) > least + _LAYER:  # clip to the layer
        inside, outside = (high, low) if at_high <= at_low else (low, high)
        for _ in range(12):
            half = 0.5 * (inside + outside)
            if abs(from_ref - f * half + g * math.sin(half)) > least + _LAYER:
                outside = half
            else:
                inside = half
        if at_high <= at_low:
            a = outside
            kind = kind if kind == 1 else _MIDDLE
        else:
            b = outside
            kind = kind if kind == -1 else _MIDDLE
    return _parts(p, path, angles, a, b, kind, _THIN, sign, cohesive, total)


@kernel
def _crossing(path, low, high):
    """Where j changes sign from negative at ``low`` to positive at ``high``: Newton, kept between.

    j is concave there (but for negative angles), so from below Newton's steps stay below the root.
    """
    a, b, ref = path[1], path[2], path[3]
    from_ref = a * ref - b * math.sin(ref)
    x = low
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
        if abs(step - x) < 1e-14 or high - low < 1e-15:
            return step
        x = step
    return x


@kernel
def _exit_and_peak(p, theta_1, slip):
    """Exit angle and the angle of the largest stress, kept inside the contact."""
    theta_2 = p[EXIT]
    if theta_2 < -0.9 * theta_1:
        theta_2 = -0.9 * theta_1
    theta_m = (p[C_1] + p[C_2] * slip) * theta_1
    span = theta_1 - theta_2
    return theta_2, min(max(theta_m, theta_2 + 0.02 * span), theta_1 - 0.02 * span)


@kernel
def integrals(p, path, theta_1, slip):
    """``(load, thrust, compaction, torque / r)`` [N] of a wheel with entry angle theta_1 [rad]."""
    theta_2, theta_m = _exit_and_peak(p, theta_1, slip)
    angles = (theta_1, theta_m, theta_2)
    split, a_1, b_1 = path[0], path[1], path[2]
    zero, turn = theta_2, theta_2  # where j changes sign, where |j| is largest; theta_2: nowhere
    if split > theta_2:
        zero = split
    if b_1 > a_1:  # braking: the rim may overtake the soil on the way
        turn = math.acos(a_1 / b_1)
        turn = turn if zero < turn < theta_1 else theta_2
        if split <= theta_2 and turn > theta_2 and shear_path(path, theta_2) < 0.0:
            zero = _crossing(path, theta_2, turn)
        if shear_path(path, turn) * p[RADIUS] / p[SHEAR] <= _RANGE:
            turn = theta_2
    total = (0.0, 0.0, 0.0, 0.0, 0.0)
    cohesive = p[COHESION] > 0.0
    reach = abs(shear_path(path, theta_2)) * p[RADIUS] / p[SHEAR]
    if cohesive and zero == theta_2 and turn == theta_2 and reach <= _RANGE:
        cohesive = False  # one smooth piece: the cohesion in one go
        sign = 1.0 if shear_path(path, 0.5 * (theta_1 + theta_2)) >= 0.0 else -1.0
        total = _part(p, path, angles, theta_2, theta_1, _COHESION, _WHOLE, sign, total)
    high = theta_1
    while high > theta_2:
        low = theta_2
        if theta_m < high:
            low = max(low, theta_m)
        if zero < high:
            low = max(low, zero)
        if turn < high:
            low = max(low, turn)
        # Close to an end, where the stress starts as a power, a piece that stops short of it is
        # halved towards it: else its nodes would not see the power.
        if low >= theta_m:
            if high < theta_1:
                low = max(low, high - _NEAR * (theta_1 - high))
        elif low > theta_2:
            low = max(low, theta_2 + (high - theta_2) / (1.0 + _NEAR))
        total = _segment(p, path, angles, low, high, cohesive, total)
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
def towed_path(p, theta_1, skid):
    """Shear path of Part II at skid i >= 0: the shear changes sign at theta_0."""
    a = math.sqrt(1.0 + p[TAN_PHI] * p[TAN_PHI]) - p[TAN_PHI]  # tan(45 deg - phi / 2)
    b = 1.0 + skid
    theta_0 = math.acos(1.0 / (b * math.sqrt(1.0 + a * a))) - math.atan(a)
    theta_0 = min(max(theta_0, 1e-9), 0.999999 * theta_1)
    mean = b * (math.sin(theta_1) - math.sin(theta_0)) / (theta_1 - theta_0)  # 1 + K_v (1 + i)
    return (theta_0, mean, b, theta_1, 1.0, b, theta_0)


@kernel
def forces_at(p, theta_1, slip, skid):
    """Integrals at an entry angle; skid >= 0 takes the towed wheel of Part II, else the slip."""
    if skid >= 0.0:
        return integrals(p, towed_path(p, theta_1, skid), theta_1, -skid)
    return integrals(p, driven_path(theta_1, slip), theta_1, slip)


@kernel
def equilibrium(p, load, slip, skid, guess):
    """Entry angle that carries ``load`` [N]; DEEPEST where the soil cannot.

    The load is close to a power of the angle: secant on the logarithms, kept in a bracket.
    """
    low, high = 0.0, DEEPEST
    x_0, f_0 = 0.0, 0.0
    x = min(max(guess, 1e-6), 0.9 * DEEPEST)
    power = 2.0 * p[EXPONENT] + 1.0
    known, last = False, 1.0
    for _ in range(60):
        carried, _, _, _ = forces_at(p, x, slip, skid)
        if carried >= load:
            high = x
        else:
            low = x
        if carried <= 0.0:
            step = math.inf
        else:
            f = math.log(carried / load)
            if known and x != x_0 and f != f_0:
                rate = (f - f_0) / math.log(x / x_0)
                if rate > 0.2:
                    power = rate
            x_0, f_0, known = x, f, True
            step = x * math.exp(-f / power)
            if abs(f) < 1e-7 * min(1.0, abs(last)) or abs(step - x) < 1e-14 * x:
                return step  # the secant's own error is below the last two errors' product
            last = f
        if not low < step < high:
            if x >= DEEPEST * (1.0 - 1e-12):
                return DEEPEST
            step = high if low > 0.98 * DEEPEST else 0.5 * (low + high)
            if high == DEEPEST and step < 0.5 * (x + DEEPEST):
                step = 0.5 * (x + DEEPEST)
        if high - low < 1e-15 * high:
            return x
        x = step
    return x


@kernel
def at_load(p, load, slip, skid):
    """``(theta_1, thrust, compaction, torque / r, carried)`` of a wheel in equilibrium."""
    guess = (load / (p[RADIUS] * p[WIDTH] * p[MODULUS] * p[RADIUS] ** p[EXPONENT])) ** (
        1.0 / (2.0 * p[EXPONENT] + 1.0)
    )
    theta_1 = equilibrium(p, load, slip, skid, guess)
    carried, thrust, compaction, torque = forces_at(p, theta_1, slip, skid)
    return theta_1, thrust, compaction, torque, carried
