"""Wheel of Wong and Reece whose sinkage depends on slip and slip angle.

The normal force follows from normal stress sigma and shear stress tau on a rim of radius r and width
b. The lateral force of a ploughing wheel is the shear below the wheel at zero slip plus the passive
earth pressure on its side (factors D_1 and D_2) at the sinkage for its slip and slip angle. Soil:
cohesion c, friction angle phi, shear moduli K along and K_y across the heading, unit weight gamma_s.
"""

import math

from mlcp.jit import kernel

from ..stresses.stress_integrals import integrals
from ..stresses.stress_pieces import ANGLE_SOFTENING, C_1, EXPONENT, RADIUS, SIDE_SOFTENING
from ..stresses.wong_reece import DEEPEST, DRIVEN_EDGE, forces_at, modulus_at
from ..stresses.wong_reece_table import LOAD_FLOOR
from .wong_reece_law import rolling_wheel, skid_of, towed_share, wheel_at

MOST = 60  # largest number of iterations of a search for the entry angle

# Columns of the lateral law's parameter array.
BY_DEPTH, BY_SQUARE = 0, 1  # D_1 c [Pa] and D_1 D_2 gamma_s / 2 [N/m^3]
SHEAR_SHARE = 2  # K / K_y: factor on the displacement of the lateral shear

_FAR = 1e6  # upper limit of the slip angle's tangent, at which all shear strength is mobilised


@kernel
def carried_at(p, theta_1, slip):
    """Load ``r b int (sigma cos + tau sin)`` [N] of a wheel with entry angle theta_1 at slip s."""
    load = forces_at(p, theta_1, slip, -1.0)[0]
    if slip < 0.0:
        share, _ = towed_share(p, slip, theta_1, 0.0)
        if share > 0.0:
            load += share * (forces_at(p, theta_1, slip, skid_of(slip))[0] - load)
    return load


@kernel
def digging_force(p, stiffness, slip, compression, guess):
    """``(F_n, theta_1)`` at a compression of tyre and soil, ``r (1 - cos theta_1) + F_n / k_tyre`` [m].

    stiffness: k_tyre [N/m]. The search starts at the entry angle ``guess`` [rad] with a Newton step,
    whose slope is that of a power law; secant steps follow, safeguarded by bisection. At the entry angle
    DEEPEST, the largest, any further compression is that of the tyre.
    """
    r, low = p[RADIUS], 0.0
    high = math.acos(max(1.0 - compression / r, math.cos(DEEPEST)))
    theta = guess if 0.0 < guess < high else 0.7 * high
    last, last_off, force = 0.0, 0.0, 0.0
    for k in range(MOST):
        force = max(0.0, carried_at(p, theta, slip))
        off = r * (1.0 - math.cos(theta)) + force / stiffness - compression
        if abs(off) <= 1e-13 * compression:  # tolerance relative to the compression
            break
        if off > 0.0:
            high = theta
        elif theta >= DEEPEST:
            return force - stiffness * off, theta
        else:
            low = theta
        slope = r * math.sin(theta) + (2.0 * p[EXPONENT] + 1.0) * force / (theta * stiffness)
        if k > 0:
            slope = (off - last_off) / (theta - last)
        last, last_off = theta, off
        theta = theta - off / slope if slope > 0.0 else low
        if not low < theta < high:
            theta = 0.5 * (low + high) if low < high else high
        if theta == last:
            break
    return force, theta


@kernel
def soften_by_angle(p, v_x, v_y, v_0):
    """Set the column ANGLE_SOFTENING of p for a step: SIDE_SOFTENING times the slip angle at its start,
    ``atan(|v_y| / sqrt(v_x^2 + v_0^2))``; v_0: lower limit of v_max [m/s]."""
    softening = p[SIDE_SOFTENING] * math.atan2(abs(v_y), math.sqrt(v_x * v_x + v_0 * v_0))
    # a smaller value is round-off of a wheel that rolls straight ahead
    p[ANGLE_SOFTENING] = softening if softening > 1e-9 else 0.0


@kernel
def sheared(p, theta_1, tangent):
    """Lateral shear force ``r b int (c + sigma tan phi) (1 - exp(-j / K))`` [N] below a wheel, with the
    shear displacement ``j = r (theta_1 - theta) tangent``; tangent: of the slip angle."""
    path = (-10.0, tangent, 0.0, theta_1, 0.0, 0.0, 0.0)
    modulus = modulus_at(p, 0.0, -1.0)
    return integrals(p, path, theta_1, p[C_1] * theta_1, DRIVEN_EDGE, modulus)[3]


@kernel
def lateral_shear(p, side, angle, load):
    """Lateral shear force over load at a slip angle [rad] and zero slip, its slope, and its maximum."""
    load = max(load, p[LOAD_FLOOR])
    theta_1, _, _, _, carried = rolling_wheel(p, load)
    tangent = side[SHEAR_SHARE] * min(abs(math.tan(angle)), _FAR)
    # step of a finite difference; its slope serves for the linearisation alone
    step = 1e-5 * (1.0 + tangent)
    force, most = sheared(p, theta_1, tangent), sheared(p, theta_1, _FAR)
    per_tangent = (sheared(p, theta_1, tangent + step) - force) / step
    cosine = max(abs(math.cos(angle)), 1.0 / _FAR)
    slope = per_tangent * side[SHEAR_SHARE] / (cosine * cosine)
    return math.copysign(force, angle) / carried, slope / carried, most / carried


@kernel
def ploughed(p, side, theta_1):
    """Passive force ``int D_1 (c h + D_2 gamma_s h^2 / 2) dx`` [N] of the soil on the wheel's side; h:
    depth of the rim below the ground at x along the sunken chord."""
    r, sine, cosine = p[RADIUS], math.sin(theta_1), math.cos(theta_1)
    area = r * r * (theta_1 - sine * cosine)  # int h dx
    square = 2.0 * r**3 * (sine - sine**3 / 3.0 - theta_1 * cosine)  # int h^2 dx
    return side[BY_DEPTH] * area + side[BY_SQUARE] * square


@kernel
def passive_pressure(p, side, slip, load):
    """Force of the passive earth pressure on the wheel's side over the load [-], at a driving slip."""
    load = max(load, p[LOAD_FLOOR])
    theta_1, _, _, _, carried = wheel_at(p, load, slip)
    return ploughed(p, side, theta_1) / carried
