"""Normal force on a wheel that digs: eq 9 with the shear stress, so that it depends on the slip."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .stress_pieces import EXPONENT, RADIUS
from .wong_reece import DEEPEST, forces_at
from .wong_reece_law import skid_of, towed_share

CLOSE = 1e-13  # of the compression
MOST = 60


@kernel
def carried_at(p, theta_1, slip):
    """``r b int (sigma cos + tau sin)`` [N] of a wheel with entry angle theta_1 at driving slip s."""
    load = forces_at(p, theta_1, slip, -1.0)[0]
    if slip < 0.0:
        share, _ = towed_share(p, slip, theta_1, 0.0)
        if share > 0.0:
            load += share * (forces_at(p, theta_1, slip, skid_of(slip))[0] - load)
    return load


@kernel
def digging_force(p, stiffness, slip, compression, guess):
    """``(F_n, theta_1)`` at a compression of tyre and soil, ``r (1 - cos theta_1) + F_n / k_tyre`` [m].

    Newton with the slope of a power law, then secants, kept between; from the entry angle ``guess``.
    Sunk to its axle, the tyre alone gives way.
    """
    r, low = p[RADIUS], 0.0
    high = math.acos(max(1.0 - compression / r, math.cos(DEEPEST)))
    theta = guess if 0.0 < guess < high else 0.7 * high
    last, last_off, force = 0.0, 0.0, 0.0
    for k in range(MOST):
        force = max(0.0, carried_at(p, theta, slip))
        off = r * (1.0 - math.cos(theta)) + force / stiffness - compression
        if abs(off) <= CLOSE * compression:
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
