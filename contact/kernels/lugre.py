"""Scalar kernels of LuGre's bristle: backward Euler, and its force as a line in the velocity."""

from __future__ import annotations

from mlcp.jit import kernel


@kernel
def advance_bristle(z, v, g, sigma_0, h):
    """Bristle deflection [m] after a step at sliding velocity v [m/s] under the envelope g [N].

    ``z+ = clamp((z + h v) / (1 + h sigma_0 |v| / g), +- g / sigma_0)``; 0 without grip. A bristle bent
    further than an envelope that has shrunk since is brought back to it first.
    """
    if g <= 0.0:
        return 0.0
    most = g / sigma_0
    z = (min(most, max(-most, z)) + h * v) / (1.0 + h * sigma_0 * abs(v) / g)
    return min(most, max(-most, z))


@kernel
def bristle_force(z, v, g, sigma_0, sigma_1, sigma_2, h):
    """Force on the wheel [N] at the end of the step, ``-(sigma_0 z+ + sigma_1 z' + sigma_2 v)``."""
    if g <= 0.0:
        return -sigma_2 * v
    most = g / sigma_0
    old = min(most, max(-most, z))
    new = advance_bristle(old, v, g, sigma_0, h)
    return -(sigma_0 * new + sigma_1 * (new - old) / h + sigma_2 * v)


@kernel
def bristle_line(z, v, g, sigma_0, sigma_1, sigma_2, h):
    """The force as ``at_zero - damping v+`` at the iterate v: the bristle's loss taken at |v|."""
    if g <= 0.0:
        return 0.0, sigma_2
    most = g / sigma_0
    old = min(most, max(-most, z))
    share = 1.0 / (1.0 + h * sigma_0 * abs(v) / g)
    stiff = (sigma_0 + sigma_1 / h) * share
    return -(stiff - sigma_1 / h) * old, stiff * h + sigma_2


@kernel
def passive_damping(sigma_1, v, g):
    """sigma_1 kept below g / |v|: its force never exceeds the envelope, however fast the sliding."""
    if sigma_1 * abs(v) > g:
        return g / abs(v)
    return sigma_1
