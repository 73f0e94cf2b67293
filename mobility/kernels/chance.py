"""The chance that a strength reaches a border, by quadrature."""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel

FAR = 4.5  # standard deviations beyond which the strength decides
PANELS = 4  # between them; their ends follow the border, so its kinks and limits do little harm
WIDE = 7.0  # standard deviations of the slope that are looked at
HALVINGS = 24
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
LONGEST = 3.5  # standard deviations of the slope that its points take in
ROOT_2 = math.sqrt(2.0)
DENSITY = 1.0 / math.sqrt(2.0 * math.pi)


@kernel
def below(z):
    """Phi(z): the chance that a standard normal number lies below z."""
    return 0.5 * math.erfc(-z / ROOT_2)


@kernel
def least(slopes, weak, slope):
    """log c* [log Pa] at a slope, of 1/c* at even slopes; inf beyond them."""
    n = slopes.shape[0]
    x = (slope - slopes[0]) / (slopes[n - 1] - slopes[0]) * (n - 1)
    if not 0.0 <= x <= n - 1:
        return math.inf
    k = min(int(x), n - 2)
    found = weak[k] + (x - k) * (weak[k + 1] - weak[k])
    return -math.log(found) if found > 0.0 else math.inf


@kernel
def above(slopes, weak, middle, slope):
    """By how much log strength ``middle`` exceeds the border at a slope."""
    return middle - least(slopes, weak, slope)


@kernel
def end(slopes, weak, at, turn, level, far):
    """z between ``turn`` and ``far`` at which the strength exceeds the border by ``level``; bisection.

    at: log strength, mean slope, its standard deviation.
    """
    middle, slope, sigma = at
    if not above(slopes, weak, middle, slope + sigma * turn) >= level:
        return turn
    if above(slopes, weak, middle, slope + sigma * far) >= level:
        return far
    near = turn
    for _ in range(HALVINGS):
        half = 0.5 * (near + far)
        if above(slopes, weak, middle, slope + sigma * half) >= level:
            near = half
        else:
            far = half
    return near


@kernel
def likely(slopes, weak, turn, middle, spread, slope, sigma):
    """P(strength >= c*(slope)) [-]; see ``mobility.likely``.

    turn: slope at which c* is least [-]. middle, spread: log strength, its median and standard
    deviation. slope, sigma: mean and standard deviation of the tangent [-].
    """
    gap = above(slopes, weak, middle, slope)
    if sigma == 0.0:
        if spread == 0.0:
            return 1.0 if gap >= 0.0 else 0.0
        return below(gap / spread)
    at = (middle, slope, sigma)
    z_turn = min(max((turn - slope) / sigma, -WIDE), WIDE)
    if above(slopes, weak, middle, slope + sigma * z_turn) < -FAR * spread:
        return 0.0
    total = 0.0
    for side in range(2):
        sign = 1.0 - 2.0 * side
        first = end(slopes, weak, at, z_turn, FAR * spread, sign * WIDE)
        total += sign * (below(first) - below(z_turn))
        for panel in range(PANELS if spread > 0.0 else 0):
            level = FAR * (1.0 - 2.0 * (panel + 1) / PANELS)
            last = end(slopes, weak, at, z_turn, level * spread, sign * WIDE)
            pieces = 1 + int(abs(last - first) / LONGEST)
            width = 0.5 * (last - first) / pieces
            for k in range(pieces * NODES.shape[0]):
                piece, q = k // NODES.shape[0], k % NODES.shape[0]
                z = first + width * (2 * piece + 1.0 + NODES[q])
                chance = below(above(slopes, weak, middle, slope + sigma * z) / spread)
                total += sign * WEIGHTS[q] * width * DENSITY * math.exp(-0.5 * z * z) * chance
            first = last
    return min(max(total, 0.0), 1.0)
