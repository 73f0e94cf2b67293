"""Scalar kernel of a law sampled over slip and load: sixth-order interpolation, no stored slopes."""

from mlcp.compiled.branches import as_many, same, split, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import log

# Columns of the head of the parameter array: sizes and range of the table that follows.
SLIPS = 0  # number of points on each side of zero slip
LOADS = 1  # number of points over the logarithm of the load
LOG_LOW = 2  # logarithm of the lowest load [log N]
LOG_STEP = 3  # step of that logarithm from one load to the next [-]
HEAD = 4
# Then per load (coulomb, offset, peak), then mu and gamma at [side][slip][load]; side: driving, braking.
SCALARS = 3
POINTS = 6


@kernel
def _weight(k, x, first):
    """Lagrange weight of node ``first + k`` at x, and its derivative; nodes are whole numbers."""
    value, slope = 1.0, 0.0
    for j in range(POINTS):
        if j != k:
            gap = float(k - j)
            slope = (slope * (x - first - j) + value) / gap
            value = value * (x - first - j) / gap
    return value, slope


@kernel
def _first(x, count):
    """Number of the first of the POINTS nodes around x, as an integer and as a float."""
    _, rest = split(x)
    first = min(max(x - rest - 2.0, 0.0), count - float(POINTS))
    return split(first)[0], first


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``), interpolated in the table, constant beyond its loads."""
    slips, loads = int(same(p[SLIPS])), int(same(p[LOADS]))
    pressed = load > 0.0
    y = where(pressed, (log(where(pressed, load, 1.0)) - p[LOG_LOW]) / p[LOG_STEP], 0.0)
    y = min(max(y, 0.0), loads - 1.0)
    x = min(abs(slip), 1.0) * (slips - 1.0)
    first_x, from_x = _first(x, slips)
    first_y, from_y = _first(y, loads)
    braked = slip < 0.0
    first_x = first_x + where(braked, as_many(slips, slip), 0)
    table = HEAD + loads * SCALARS
    half = 2 * slips * loads
    mu, slope, gamma, coulomb, offset, peak = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(POINTS):
        w_y, _ = _weight(b, y, from_y)
        at_load = first_y + b
        mu_b, slope_b, gamma_b = 0.0, 0.0, 0.0
        for a in range(POINTS):
            w_x, d_x = _weight(a, x, from_x)
            place = table + (first_x + a) * loads + at_load
            mu_b += w_x * p[place]
            slope_b += d_x * p[place]
            gamma_b += w_x * p[place + half]
        mu += w_y * mu_b
        slope += w_y * slope_b
        gamma += w_y * gamma_b
        coulomb += w_y * p[HEAD + at_load * SCALARS]
        offset += w_y * p[HEAD + at_load * SCALARS + 1]
        peak += w_y * p[HEAD + at_load * SCALARS + 2]
    slope *= slips - 1.0
    slope = where(braked, -slope, slope)
    return mu, slope, max(coulomb, 0.0), max(gamma, 0.0), 0.0, peak, offset
