"""Scalar kernel of Wong-Reece as a ground law: ratios to the load that the stresses carry."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .wong_reece import INTEGRAL_FLOATS, RADIUS, at_load, forces_at

# Columns after those of the integrals.
LOAD_FLOOR = INTEGRAL_FLOATS  # [N]
LOG_LOW = INTEGRAL_FLOATS + 1  # log of the first load of the table
LOG_STEP = INTEGRAL_FLOATS + 2
TABLE = INTEGRAL_FLOATS + 3  # POINTS thrust ratios at zero slip, then POINTS peaks
POINTS = 61
WONG_REECE_FLOATS = TABLE + 2 * POINTS

_DS, _DTHETA = 1e-5, 1e-6


@kernel
def over_load(p, first, load):
    """Cubic interpolation over the logarithm of the load; constant beyond the table."""
    y = (math.log(load) - p[LOG_LOW]) / p[LOG_STEP]
    y = min(max(y, 0.0), POINTS - 1.0)
    k = min(max(int(y), 1), POINTS - 3)
    t = y - k
    a, b, c, d = p[first + k - 1], p[first + k], p[first + k + 1], p[first + k + 2]
    # Lagrange through the four points at -1, 0, 1, 2
    return (
        -a * t * (t - 1.0) * (t - 2.0) / 6.0
        + b * (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0
        - c * (t + 1.0) * t * (t - 2.0) / 2.0
        + d * (t + 1.0) * t * (t - 1.0) / 6.0
    )


@kernel
def wong_reece_total(p, slip, load):
    """``(thrust, compaction, torque / r) / load`` at slip s and the load [N]: the plain ratios."""
    load = max(load, p[LOAD_FLOOR])
    _, thrust, compaction, torque, carried = at_load(p, load, slip, -1.0)
    scale = 1.0 / max(carried, 1e-12)
    return thrust * scale, compaction * scale, torque * scale


@kernel
def wong_reece_law(p, slip, load):
    """``(mu, dmu/ds, jump, gamma, rho, peak, push)``: mu = thrust - push, push the thrust at s = 0.

    The slope is taken at constant load: differences in slip and in entry angle.
    """
    load = max(load, p[LOAD_FLOOR])
    theta_1, thrust, compaction, torque, carried = at_load(p, load, slip, -1.0)
    push = over_load(p, TABLE, load)
    peak = over_load(p, TABLE + POINTS, load)
    load_a, thrust_a, _, _ = forces_at(p, theta_1, min(slip + _DS, 1.0), -1.0)
    load_b, thrust_b, _, _ = forces_at(p, theta_1, max(slip - _DS, -1.0), -1.0)
    d_slip = min(slip + _DS, 1.0) - max(slip - _DS, -1.0)
    load_c, thrust_c, _, _ = forces_at(p, theta_1 * (1.0 + _DTHETA), slip, -1.0)
    load_d, thrust_d, _, _ = forces_at(p, theta_1 * (1.0 - _DTHETA), slip, -1.0)
    deeper = (thrust_c - thrust_d) / (load_c - load_d) if load_c > load_d else 0.0
    slope = ((thrust_a - thrust_b) - deeper * (load_a - load_b)) / (d_slip * carried)
    mu, rho = thrust / carried - push, (torque - thrust) / carried
    return mu, slope, 0.0, compaction / carried, rho, peak, push


@kernel
def fill_tables(p, loads, slips, out):
    """Thrust ratios at zero slip and the largest |mu - push| over ``slips``, for each load."""
    for k in range(loads.shape[0]):
        push, _, _ = wong_reece_total(p, 0.0, loads[k])
        peak = 0.0
        for s in slips:
            mu, _, _ = wong_reece_total(p, s, loads[k])
            peak = max(peak, abs(mu - push))
        out[0, k], out[1, k] = push, peak


@kernel
def sunk_depth(p, theta_1):
    """Sinkage of the lowest point of the wheel [m]."""
    return p[RADIUS] * (1.0 - math.cos(theta_1))
