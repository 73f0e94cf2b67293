"""One row of a Jacobian block for one body: six coefficients, of the velocity of its centre of mass
and of its angular velocity, world axes."""

from __future__ import annotations

from mlcp.jit import kernel


@kernel
def along(J, o, k, n, arm):
    """Velocity along n of the point at ``arm`` from the mass centre, ``k (n . v + (arm x n) . w)``."""
    J[o] = k * n[0]
    J[o + 1] = k * n[1]
    J[o + 2] = k * n[2]
    J[o + 3] = k * (arm[1] * n[2] - arm[2] * n[1])
    J[o + 4] = k * (arm[2] * n[0] - arm[0] * n[2])
    J[o + 5] = k * (arm[0] * n[1] - arm[1] * n[0])


@kernel
def about(J, o, k, n):
    """Angular velocity about n, ``k n . w``."""
    J[o] = 0.0
    J[o + 1] = 0.0
    J[o + 2] = 0.0
    J[o + 3] = k * n[0]
    J[o + 4] = k * n[1]
    J[o + 5] = k * n[2]
