"""Forces of the stresses on a wheel, summed over pieces of the contact with shear of one sign."""

import math

from mlcp.jit import kernel

from . import stress_pieces
from .nodes import Arc, sine_of


@kernel
def shear_path(path, angle):
    """Shear displacement over the radius, ``j / r = A (ref - angle) - B (sin ref - sin angle)``.

    path: (theta_0, then A, B, ref above theta_0, then A, B, ref below theta_0); ref: angle of j = 0;
    theta_0: angle at which a towed wheel's shear changes its sign.
    """
    split, a_1, b_1, ref_1, a_2, b_2, ref_2 = path
    if angle >= split:
        return a_1 * (ref_1 - angle) - b_1 * (sine_of(ref_1) - sine_of(angle))
    return a_2 * (ref_2 - angle) - b_2 * (sine_of(ref_2) - sine_of(angle))


@kernel
def _crossing(path, low, high):
    """Angle at which the shear displacement j changes from negative at ``low`` to positive at ``high``.

    Method: Newton's, safeguarded by bisection. j is largest at ``high`` and nearly symmetric about this
    angle, so the first guess is the mirror image of the zero of j at the entry.
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
    """Angle far behind the axle at which the shear displacement j changes its sign again, from positive
    at ``low`` to negative at ``high``."""
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
    """Exit angle theta_2 [rad], given or computed from the ratio of the sinkages behind and in front of
    the wheel; at least -theta_1."""
    theta_2 = p[stress_pieces.EXIT]
    if p[stress_pieces.EXIT_SHARE] > 0.0:
        # 1 - cos(theta_2) = share (1 - cos(theta_1)), by half angles: exact for small angles
        theta_2 = -2.0 * math.asin(math.sqrt(p[stress_pieces.EXIT_SHARE]) * math.sin(0.5 * theta_1))
    return max(theta_2, -theta_1)


@kernel
def _end_below(high, theta_2, theta_m, zero, zero_back):
    """Lower end of the piece whose upper end is ``high``: the next of theta_m and the angles zero,
    zero_back at which j changes its sign, or else the exit angle theta_2."""
    low = theta_2
    if theta_m < high:
        low = max(low, theta_m)
    if zero < high:
        low = max(low, zero)
    if zero_back < high:
        low = max(low, zero_back)
    return low


@kernel
def integrals(p, path, theta_1, theta_m, edge, modulus):
    """Load, thrust, compaction resistance and torque / r [N] of a wheel with entry angle theta_1 [rad].

    path: see ``shear_path``. theta_m: angle of the largest normal stress [rad]; if it is nearer to an
    end of the contact than ``edge`` times the contact's length, it is shifted to this distance. modulus:
    of the soil at the wheel's slip [N/m^(n+2)].
    """
    theta_2 = _exit_angle(p, theta_1)
    span = theta_1 - theta_2
    theta_m = min(max(theta_m, theta_2 + edge * span), theta_1 - edge * span)
    scale = modulus * p[stress_pieces.RADIUS] ** p[stress_pieces.EXPONENT]
    arc = Arc(
        theta_1, math.sin(theta_1), math.cos(theta_1), p[stress_pieces.EXPONENT], scale, theta_m, theta_2
    )
    split, a_1, b_1 = path[0], path[1], path[2]
    per = p[stress_pieces.RADIUS] / p[stress_pieces.SHEAR]
    # angles where j changes its sign, and where |j| is largest between them; theta_2: no such angle
    zero, turn, zero_back, turn_back = theta_2, theta_2, theta_2, theta_2
    hump, a_2, b_2 = 0.0, a_1, b_1
    if split > theta_2:
        zero, a_2, b_2 = split, path[4], path[5]
    lowest = theta_2  # angle of the least j
    if b_2 > a_2:
        lowest = max(theta_2, -math.acos(a_2 / b_2))
    if b_1 > a_1:  # braking: the rim may overtake the soil within the contact
        turn = math.acos(a_1 / b_1)
        turn = turn if zero < turn < theta_1 else theta_2
        if split <= theta_2 and turn > theta_2 and shear_path(path, lowest) < 0.0:
            zero = _crossing(path, lowest, turn)
        hump = abs(shear_path(path, turn))
        if hump * per <= stress_pieces.LONG_RANGE:
            turn = theta_2
    if lowest > theta_2:  # the soil may overtake the rim again, far behind the axle
        back = shear_path(path, lowest)
        hump = max(hump, -back)
        if back < 0.0 < shear_path(path, theta_2):
            zero_back = _crossing_back(path, theta_2, lowest)
        # j comes close to 0 without a change of sign: the shear varies fast on both sides
        elif back >= 0.0:
            zero_back = lowest
        if -back * per > stress_pieces.LONG_RANGE:
            turn_back = lowest
    total = (0.0, 0.0, 0.0, 0.0, 0.0)
    cohesive = p[stress_pieces.COHESION] > 0.0
    reach = max(hump, abs(shear_path(path, theta_2))) * per
    whole = zero == theta_2 and turn == theta_2 and zero_back == theta_2
    if cohesive and whole and reach <= stress_pieces.LONG_RANGE:
        cohesive = False  # j of one sign, |j|/K in range: one sum suffices for the cohesion
        shear = stress_pieces.shear_of(p, path, 0.5 * (theta_1 + theta_2), False)
        mode = stress_pieces.WHOLE if reach <= stress_pieces.RANGE else stress_pieces.WHOLE_MANY
        total = stress_pieces.cohesion_on(p, shear, theta_2, theta_1, mode, total)
    high = theta_1
    while high > theta_2:
        low = _end_below(high, theta_2, theta_m, zero, zero_back)
        inner = turn if low < turn < high else turn_back
        total = stress_pieces.segment(p, arc, path, low, high, inner, cohesive, total)
        high = low
    s_c, s_s, t_c, t_s, t_0 = total
    area = p[stress_pieces.RADIUS] * p[stress_pieces.WIDTH]
    return area * (s_c + t_s), area * t_c, area * s_s, area * t_0
