"""Right-hand side of the mass rows: ``M v + h f``, gyroscopic torque included implicitly."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from .data import WRENCHES
from .gyroscopic import conserving_impulse, gyroscopic_impulse
from .rotation import rotate, rotate_back


@kernel
def assemble_momentum(run):
    """``M v + h f`` of gravity, applied wrenches and gyroscopic torque for every body."""
    n = run.count.bodies
    mass, inertia = run.mass, run.inertia
    R, v = run.rotation, run.velocity
    f, P = run.applied, run.momentum
    M, clock = run.mass_block, run.clock
    free = run.body_free
    h = clock.step
    for i in range(n):
        o, m = 6 * i, 9 * i
        for k in range(3):
            P[o + k] = mass[i] * (v[o + k] + h * clock.gravity[k]) + h * f[o + k]
        wx, wy, wz = v[o + 3], v[o + 4], v[o + 5]
        bx, by, bz = rotate_back(R, m, wx, wy, wz)
        if free[i] == 1:
            gx, gy, gz = conserving_impulse(inertia, m, bx, by, bz, h)
        else:
            gx, gy, gz = gyroscopic_impulse(inertia, m, bx, by, bz, h)
        gx, gy, gz = rotate(R, m, gx, gy, gz)
        a = 36 * i + 21
        P[o + 3] = M[a] * wx + M[a + 1] * wy + M[a + 2] * wz + gx + h * f[o + 3]
        P[o + 4] = M[a + 6] * wx + M[a + 7] * wy + M[a + 8] * wz + gy + h * f[o + 4]
        P[o + 5] = M[a + 12] * wx + M[a + 13] * wy + M[a + 14] * wz + gz + h * f[o + 5]


@kernel
def add_forces(run):
    """Add the impulses of the force elements to the momentum; keep each for the books.

    Drag is linear in the velocity at the end of the step, ``-h k |v - wind| (v+ - wind)``: its factor
    stands in the mass block.
    """
    C, v, u = run.coordinate_jac, run.velocity, run.input
    B, M, K = run.momentum, run.mass_block, run.force_wrench
    h, nb, forces = run.clock.step, run.count.bodies, run.forces
    for m in range(len(forces)):
        it, w = forces[m], WRENCHES * m
        if it.kind == codes.DRAG:
            o, wind = 6 * it.target, it.wind
            dx, dy, dz = v[o] - wind[0], v[o + 1] - wind[1], v[o + 2] - wind[2]
            # impulse -K (v+ - wind)
            K[w] = h * it.coefficient * math.sqrt(dx * dx + dy * dy + dz * dz)
            for i in range(3):
                M[6 * o + 7 * i] += K[w]
                B[o + i] += K[w] * wind[i]
            continue
        impulse = h * u[it.input]
        c, on = 12 * it.target, run.coordinates[it.target]
        for k in range(6):
            K[w + k] = impulse * C[c + k]
            K[w + 6 + k] = impulse * C[c + 6 + k]
            if on.a < nb:
                B[6 * on.a + k] += K[w + k]
            if on.b < nb:
                B[6 * on.b + k] += K[w + 6 + k]
