"""Scalar kernel of measured slip curves: piecewise cubic in the slip, linear in the load."""

from __future__ import annotations

from mlcp.jit import kernel

# Head of the parameter array; then the loads, the slips, and per load the curves.
LOADS = 0
SLIPS = 1
HEAD = 2
# Of each load: jump, push, peak, and five values at each slip.
SCALARS = 3
VALUES = 5  # slip, smooth mu, dmu/ds, gamma, dgamma/ds


@kernel
def _hermite(t, width, f_0, m_0, f_1, m_1):
    """Value and slope of the cubic with these end values and end slopes."""
    rise = f_1 - f_0
    a, b = width * m_0, width * m_1
    value = f_0 + t * (a + t * (3.0 * rise - 2.0 * a - b + t * (a + b - 2.0 * rise)))
    slope = a + t * (2.0 * (3.0 * rise - 2.0 * a - b) + 3.0 * t * (a + b - 2.0 * rise))
    return value, slope / width


@kernel
def _one_load(p, start, count, slip):
    """``(mu, slope, gamma)`` of one curve; constant beyond its ends."""
    first, last = start, start + (count - 1) * VALUES
    if slip <= p[first]:
        return p[first + 1], 0.0, p[first + 3]
    if slip >= p[last]:
        return p[last + 1], 0.0, p[last + 3]
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if p[start + middle * VALUES] <= slip:
            low = middle
        else:
            high = middle
    k, n = start + low * VALUES, start + (low + 1) * VALUES
    width = p[n] - p[k]
    t = (slip - p[k]) / width
    mu, slope = _hermite(t, width, p[k + 1], p[k + 2], p[n + 1], p[n + 2])
    gamma, _ = _hermite(t, width, p[k + 3], p[k + 4], p[n + 3], p[n + 4])
    return mu, slope, gamma


@kernel
def law(p, slip, load):
    """``(mu, dmu/ds, jump, gamma, rho, peak, push)``; the nearest curve beyond the loads measured."""
    loads, count = int(p[LOADS]), int(p[SLIPS])
    block = SCALARS + count * VALUES
    first = HEAD + loads
    k = 0
    while k < loads - 2 and load > p[HEAD + k + 1]:
        k += 1
    start = first + k * block
    mu, slope, gamma = _one_load(p, start + SCALARS, count, slip)
    jump, push, peak = p[start], p[start + 1], p[start + 2]
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
        jump += t * (p[after] - jump)
        push += t * (p[after + 1] - push)
        peak += t * (p[after + 2] - peak)
    return mu, slope, jump, max(gamma, 0.0), 0.0, peak, push
