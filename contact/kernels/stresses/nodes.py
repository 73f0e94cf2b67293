"""Sums over the Gauss nodes of one piece of the contact under a Wong-Reece wheel.

The loops have no branches and no calls, so that a SIMD register takes several nodes at once. Sine and
cosine are series, exact to round-off in the range given; their terms are summed in pairs, pairs of pairs
and so on, since Horner's rule waits for each product and sum in turn.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mlcp.jit import part, summing
from mlcp.kernels.elementary import exp, log

_LOST = 40.0  # largest -|j|/K outside a piece; larger ones would overflow
# coefficients of the series of sin(x) / x and cos(x) from the second term on
_S = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 9))
_C = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(1, 10))


class Arc(NamedTuple):
    """Contact of a rim; normal stress in front of theta_m: ``scale (cos angle - cos theta_1)^n``."""

    entry: float  # entry angle theta_1 [rad]; then its sine and cosine
    sine: float
    cosine: float
    n: float  # exponent of the soil
    scale: float  # factor of the normal stress [Pa]
    middle: float  # theta_m, where the stress is largest [rad]
    exit: float  # exit angle theta_2 [rad]


class Shear(NamedTuple):
    """Coefficients of the shear displacement j over the shear modulus K [m] on a piece of the contact on
    which j has one sign: ``|j| / K = from_ref - f angle + g sin angle``, at the rim's angle [rad]."""

    f: float  # coefficient of the angle [1/rad]
    g: float  # coefficient of the angle's sine [-]
    from_ref: float  # ``f ref - g sin ref``, with the angle ref [rad] at which j = 0
    sign: float  # sign of the shear displacement j


@part
def sine_cosine(x):
    """``sin(x) / x`` and ``cos(x)`` for |x| <= 1.5."""
    y = x * x
    u = y * y
    v = u * u
    odd = (
        1.0
        + y * _S[0]
        + u * (_S[1] + y * _S[2])
        + v * (_S[3] + y * _S[4] + u * (_S[5] + y * _S[6]) + v * _S[7])
    )
    even = (
        1.0
        + y * _C[0]
        + u * (_C[1] + y * _C[2])
        + v * (_C[3] + y * _C[4] + u * (_C[5] + y * _C[6]) + v * (_C[7] + y * _C[8]))
    )
    return odd, even


@part
def sine_of(x):
    """``sin(x)`` for |x| <= 1.5, faster than the function of the library, which takes any x."""
    odd, _ = sine_cosine(x)
    return x * odd


@summing
def stresses_over(p, at, count, piece, arc, curve, shear, weights):
    """Sums of w (sigma cos, sigma sin, tau cos, tau sin, tau) over the nodes of one piece.

    Arguments:
        p, at, count: ``count`` nodes x in (0, 1), then as many weights w, in p[at:].
        piece: (low, width): the nodes' angles are low + width x; width may be negative.
        arc: the whole contact.
        curve: (turn, fold, fixed, falling): the angle from the entry (or its mirror image) is
            down = (angle - turn) fold, the rim's lift there cos(theta_1 - down) - cos theta_1 = down q,
            and sigma = scale (q (fixed + falling down))^n.
        shear: shear displacement on the piece.
        weights: (normal, tan_phi, cohesion, whole, decay): normal multiplies sigma, and
            tau = (sigma tan_phi + cohesion) (whole + decay exp(-|j|/K)).
    """
    low, width = piece
    theta_1, sin_1, cos_1, n, scale = arc.entry, arc.sine, arc.cosine, arc.n, arc.scale
    turn, fold, fixed, falling = curve
    f, g, from_ref = shear.f, shear.g, shear.from_ref
    normal, tan_phi, cohesion, whole, decay = weights
    middle = low + 0.5 * width
    sin_m, cos_m = sine_cosine(middle)
    sin_m *= middle
    down = (middle - turn) * fold
    half = theta_1 - 0.5 * down
    usual = half * (1.0 - half * half / 6.0) * (fixed + falling * down)
    scale *= usual**n
    per_usual = 1.0 / usual
    s_c, s_s, t_c, t_s, t_0 = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        w = p[at + count + k]
        d = width * (p[at + k] - 0.5)
        odd, even = sine_cosine(d)
        odd *= d
        sine, cosine = sin_m * even + cos_m * odd, cos_m * even - sin_m * odd
        angle = middle + d
        down = (angle - turn) * fold
        half = 0.5 * down
        reach, even = sine_cosine(half)
        lift = reach * (sin_1 * even - cos_1 * half * reach) * (fixed + falling * down)
        stress = w * scale * exp(n * log(lift * per_usual))
        far = from_ref - f * angle + g * sine
        far = far if far > -_LOST else -_LOST
        strength = (stress * tan_phi + w * cohesion) * (whole + decay * exp(-far))
        stress *= normal
        s_c += stress * cosine
        s_s += stress * sine
        t_c += strength * cosine
        t_s += strength * sine
        t_0 += strength
    return s_c, s_s, t_c, t_s, t_0


@summing
def cohesion_over(p, at, count, piece, shear, whole, decay):
    """Sums of w (cos, sin, 1) (whole + decay exp(-|j|/K)) over nodes, as in ``stresses_over``."""
    low, width = piece
    f, g, from_ref = shear.f, shear.g, shear.from_ref
    middle = low + 0.5 * width
    sin_m, cos_m = sine_cosine(middle)
    sin_m *= middle
    t_c, t_s, t_0 = 0.0, 0.0, 0.0
    for k in range(count):
        d = width * (p[at + k] - 0.5)
        odd, even = sine_cosine(d)
        odd *= d
        sine, cosine = sin_m * even + cos_m * odd, cos_m * even - sin_m * odd
        far = from_ref - f * (middle + d) + g * sine
        far = far if far > -_LOST else -_LOST
        strength = p[at + count + k] * (whole + decay * exp(-far))
        t_c += strength * cosine
        t_s += strength * sine
        t_0 += strength
    return t_c, t_s, t_0
