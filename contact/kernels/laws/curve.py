"""Scalar kernel of measured slip curves: piecewise cubic in the slip, linear in the load."""

from mlcp.compiled.branches import as_many, same, where
from mlcp.jit import kernel

# Parameter array: head; the loads [N], ascending; for each load SCALARS, then VALUES at each slip.
LOADS = 0  # number of loads
SLIPS = 1  # number of slips of each curve
HEAD = 2  # length of the head
SCALARS = 3  # coulomb, offset, peak
VALUES = 5  # slip, smooth mu, dmu/ds, gamma, dgamma/ds


@kernel
def _hermite(t, width, f_0, m_0, f_1, m_1):
    """Value and slope at t in [0, 1] of the cubic with end values f and end slopes m over ``width``."""
    rise = f_1 - f_0
    a, b = width * m_0, width * m_1
    value = f_0 + t * (a + t * (3.0 * rise - 2.0 * a - b + t * (a + b - 2.0 * rise)))
    slope = a + t * (2.0 * (3.0 * rise - 2.0 * a - b) + 3.0 * t * (a + b - 2.0 * rise))
    return value, slope / width


@kernel
def _one_load(p, start, count, slip):
    """``(mu, dmu/ds, gamma)`` at a slip from the curve of one load, constant beyond the curve's ends;
    start: index in p of the curve's first slip, count: number of slips."""
    last = start + (count - 1) * VALUES
    below, above = slip <= p[start], slip >= p[last]
    k, left = start, count - 1
    while left > 1:  # bisection for the interval with the slip; k: index in p of its lower end
        half = left // 2
        k = where(p[k + half * VALUES] <= slip, k + half * VALUES, k)
        left -= half
    n = k + VALUES
    width = p[n] - p[k]
    t = (slip - p[k]) / width
    mu, slope = _hermite(t, width, p[k + 1], p[k + 2], p[n + 1], p[n + 2])
    gamma, _ = _hermite(t, width, p[k + 3], p[k + 4], p[n + 3], p[n + 4])
    mu = where(below, p[start + 1], where(above, p[last + 1], mu))
    gamma = where(below, p[start + 3], where(above, p[last + 3], gamma))
    return mu, where(below | above, 0.0, slope), gamma


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``); beyond the measured loads those of the nearest curve."""
    loads, count = int(same(p[LOADS])), int(same(p[SLIPS]))
    block = SCALARS + count * VALUES
    first = HEAD + loads
    k = as_many(0, load)
    for j in range(1, loads - 1):
        k = where(load > p[HEAD + j], j, k)
    start = first + k * block
    mu, slope, gamma = _one_load(p, start + SCALARS, count, slip)
    coulomb, offset, peak = p[start], p[start + 1], p[start + 2]
    if loads > 1:
        low, high = p[HEAD + k], p[HEAD + k + 1]
        t = min(1.0, max(0.0, (load - low) / (high - low)))
        after = start + block
        mu_1, slope_1, gamma_1 = _one_load(p, after + SCALARS, count, slip)
        mu, slope, gamma = (
            mu + t * (mu_1 - mu),
            slope + t * (slope_1 - slope),
            gamma + t * (gamma_1 - gamma),
        )
        coulomb += t * (p[after] - coulomb)
        offset += t * (p[after + 1] - offset)
        peak += t * (p[after + 2] - peak)
    return mu, slope, coulomb, max(gamma, 0.0), 0.0, peak, offset
