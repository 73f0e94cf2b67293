"""Scalar kernels of LuGre's bristle: backward Euler, and its force as a line in the velocity.

sigma_0 [N/m], sigma_1 [N s/m]: stiffness and damping of the bristle; sigma_2 [N s/m]: viscosity; h: step
length [s]; z, z', z+: deflection at the start of the step, its rate, deflection at the end.
"""

from mlcp.jit import kernel


@kernel
def limited_deflection(z, g, sigma_0):
    """Deflection [m] limited to g / sigma_0, g: envelope [N]; 0 without an envelope."""
    most = max(g, 0.0) / sigma_0
    return min(most, max(-most, z))


@kernel
def advance_bristle(z, v, speed, g, sigma_0, h):
    """Bristle deflection [m] after a step at sliding velocity v [m/s] under the envelope g [N].

    ``z+ = (z + h v) / (1 + h sigma_0 speed / g)``; 0 if g = 0. z: at most ``g / sigma_0``, see
    ``limited_deflection``; speed: |v|, or that of the total sliding, of which v is a part.
    """
    if g <= 0.0:
        return 0.0
    return (z + h * v) / (1.0 + h * sigma_0 * speed / g)


@kernel
def bristle_force(z, v, speed, g, sigma_0, sigma_1, sigma_2, h):
    """Force on the wheel [N] at the end of the step, ``-(sigma_0 z+ + sigma_1 z' + sigma_2 v)``."""
    if g <= 0.0:
        return -sigma_2 * v
    new = advance_bristle(z, v, speed, g, sigma_0, h)
    return -(sigma_0 * new + sigma_1 * (new - z) / h + sigma_2 * v)


@kernel
def bristle_line(z, speed, g, sigma_0, sigma_1, sigma_2, h):
    """Force of a bristle as a line ``at_zero - damping v+``, with the decay at the given speed [m/s].

    Returns: at_zero [N], damping [N s/m].
    """
    if g <= 0.0:
        return 0.0, sigma_2
    share = 1.0 / (1.0 + h * sigma_0 * speed / g)
    stiff = (sigma_0 + sigma_1 / h) * share
    return -(stiff - sigma_1 / h) * z, stiff * h + sigma_2


@kernel
def passive_damping(sigma_1, speed, g):
    """Damping sigma_1 limited to g / speed, so that the damping force at the sliding speed ``speed``
    [m/s] never exceeds the envelope g [N]."""
    if sigma_1 * speed > g:
        return g / speed
    return sigma_1
