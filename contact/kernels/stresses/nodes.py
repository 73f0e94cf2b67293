"""Sums over the Gauss nodes of one piece of the contact under a Wong-Reece wheel.

The loops have no branches and no calls, so that a SIMD register takes several nodes at once: sine,
cosine, exponential and logarithm are series, exact to round-off in the ranges given.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mlcp.jit import part, summing

_LOST = 40.0  # largest |x| for ``exponential``; exp(-40) is negligible


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
    odd = 1.0 + y * (-1.0 / 6.0 + y * (1.0 / 120.0 + y * (-1.0 / 5040.0 + y * (
        1.0 / 362880.0 + y * (-1.0 / 39916800.0 + y * (1.0 / 6227020800.0 + y * (
        -1.0 / 1307674368000.0 + y / 355687428096000.0)))))))  # fmt: skip
    even = 1.0 + y * (-0.5 + y * (1.0 / 24.0 + y * (-1.0 / 720.0 + y * (1.0 / 40320.0 + y * (
        -1.0 / 3628800.0 + y * (1.0 / 479001600.0 + y * (-1.0 / 87178291200.0 + y * (
        1.0 / 20922789888000.0 - y / 6402373705728000.0))))))))  # fmt: skip
    return odd, even


@part
def sine_of(x):
    """``sin(x)`` for |x| <= 1.5, faster than the function of the library, which takes any x."""
    odd, _ = sine_cosine(x)
    return x * odd


@part
def exponential(x):
    """``exp(x)`` for |x| <= 40 (to 1e-13 for |x| <= 20): the 64th power of its series at x / 64."""
    t = x * 0.015625
    e = 1.0 + t * (1.0 + t * (0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (
        1.0 / 720.0 + t * (1.0 / 5040.0 + t * (1.0 / 40320.0 + t * (1.0 / 362880.0 + t * (
        1.0 / 3628800.0 + t / 39916800.0))))))))))  # fmt: skip
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    return e * e


@part
def logarithm(x):
    """``log(x)`` for x in [0.05, 20], to 1e-12: four times the series of its fourth root."""
    root = math.sqrt(math.sqrt(x))
    z = (root - 1.0) / (root + 1.0)
    y = z * z
    return 8.0 * z * (1.0 + y * (1.0 / 3.0 + y * (1.0 / 5.0 + y * (1.0 / 7.0 + y * (1.0 / 9.0 + y * (
        1.0 / 11.0 + y * (1.0 / 13.0 + y * (1.0 / 15.0 + y * (1.0 / 17.0 + y * (1.0 / 19.0 + y * (
        1.0 / 21.0 + y / 23.0)))))))))))  # fmt: skip


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
        stress = w * scale * exponential(n * logarithm(lift * per_usual))
        far = from_ref - f * angle + g * sine
        far = far if far < _LOST else _LOST
        far = far if far > -_LOST else -_LOST  # keeps ``exponential`` in its range
        strength = (stress * tan_phi + w * cohesion) * (whole + decay * exponential(-far))
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
        far = far if far < _LOST else _LOST
        far = far if far > -_LOST else -_LOST  # keeps ``exponential`` in its range
        strength = p[at + count + k] * (whole + decay * exponential(-far))
        t_c += strength * cosine
        t_s += strength * sine
        t_0 += strength
    return t_c, t_s, t_0
