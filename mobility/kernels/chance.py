"""Probability that the strength of the ground exceeds the least passable strength c* ("border"), by
quadrature.

The functions take the border as ``slopes``, equidistant [-], and ``weak``, 1/c* at these slopes [1/Pa].
Phi: standard normal distribution function.
"""

import math

import numpy as np

from mlcp.jit import kernel

FAR = 4.5  # standard deviations of log strength beyond which Phi is taken as 0 or 1
PANELS = 4  # panels of the quadrature between the slopes at which Phi becomes 0 or 1
WIDE = 7.0  # integration limit, in standard deviations of the slope
HALVINGS = 24  # steps of the bisection for a slope
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
LONGEST = 3.5  # longest panel, in standard deviations of the slope
ROOT_2 = math.sqrt(2.0)
DENSITY = 1.0 / math.sqrt(2.0 * math.pi)


@kernel
def below(z):
    """Phi(z), the standard normal distribution function."""
    return 0.5 * math.erfc(-z / ROOT_2)


@kernel
def least(slopes, weak, slope):
    """Border log c* [log Pa] at a slope, linear in 1/c* between equidistant slopes; inf beyond them."""
    n = slopes.shape[0]
    x = (slope - slopes[0]) / (slopes[n - 1] - slopes[0]) * (n - 1)
    if not 0.0 <= x <= n - 1:
        return math.inf
    k = min(int(x), n - 2)
    found = weak[k] + (x - k) * (weak[k + 1] - weak[k])
    return -math.log(found) if found > 0.0 else math.inf


@kernel
def above(slopes, weak, middle, slope):
    """Log strength ``middle`` less the border at a slope [log Pa]."""
    return middle - least(slopes, weak, slope)


@kernel
def end(slopes, weak, at, turn, level, far):
    """Slope between ``turn`` and ``far`` at which ``above`` falls to ``level`` [log Pa], by bisection.

    ``turn``, ``far`` and the result are in standard deviations from the mean slope. at: (log strength
    [log Pa], mean of the slope [-], standard deviation of the slope [-]).
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
    """Probability that strength >= c*(slope) [-]; see ``mobility.likely``.

    turn: slope of the least c* [-]. middle, spread: median and standard deviation of the log strength.
    slope, sigma: mean and standard deviation of the slope's tangent [-].
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
