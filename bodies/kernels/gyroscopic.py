"""Implicit gyroscopic torque in a step: stable for fast wheels, conserves a free body's momentum.

I: inertia ``A[m:m+9]``, w: angular velocity, [w]: its cross product matrix, all in body axes; h: step.
"""

import math

from mlcp.compiled.branches import as_many, every, some, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import sin_cos

LONGEST_MIDPOINT_STEP = 0.005  # [s] longest step with the midpoint rule; longer: backward Euler (damped)
ROUNDS = 8  # most Newton iterations for a free body; usually three reach round-off


@kernel
def turned_momentum(A, m, wx, wy, wz, s):
    """``exp(s [w]) I w`` [N m s]: angular momentum turned by the rotation vector ``s w``, body axes."""
    lx = A[m] * wx + A[m + 1] * wy + A[m + 2] * wz
    ly = A[m + 3] * wx + A[m + 4] * wy + A[m + 5] * wz
    lz = A[m + 6] * wx + A[m + 7] * wy + A[m + 8] * wz
    t = s * s * (wx * wx + wy * wy + wz * wz)
    small = t < 1e-4  # [rad^2] squared angle; below: power series, next term below round-off
    a = s * (1.0 - t * (1.0 / 6.0 - t / 120.0))
    b = s * s * (0.5 - t * (1.0 / 24.0 - t / 720.0))
    if not every(small):
        square = where(small, 1.0, t)
        r = math.sqrt(square)
        sine, cosine = sin_cos(r)
        a = where(small, a, s * sine / r)
        b = where(small, b, s * s * (1.0 - cosine) / square)
    cx, cy, cz = wy * lz - wz * ly, wz * lx - wx * lz, wx * ly - wy * lx
    return (
        lx + a * cx + b * (wy * cz - wz * cy),
        ly + a * cy + b * (wz * cx - wx * cz),
        lz + a * cz + b * (wx * cy - wy * cx),
    )


@kernel
def newton_step(A, m, w, s, f):
    """Solution y of the Newton equation ``(I + s ([w] I - [I w])) y = f`` of a step, 3 x 3.

    s: h/2 for the midpoint rule, h for backward Euler [s]; f: right-hand side [N m s].
    """
    wx, wy, wz = w
    fx, fy, fz = f
    lx = A[m] * wx + A[m + 1] * wy + A[m + 2] * wz
    ly = A[m + 3] * wx + A[m + 4] * wy + A[m + 5] * wz
    lz = A[m + 6] * wx + A[m + 7] * wy + A[m + 8] * wz
    k00 = A[m] + s * (wy * A[m + 6] - wz * A[m + 3])
    k01 = A[m + 1] + s * (wy * A[m + 7] - wz * A[m + 4] + lz)
    k02 = A[m + 2] + s * (wy * A[m + 8] - wz * A[m + 5] - ly)
    k10 = A[m + 3] + s * (wz * A[m] - wx * A[m + 6] - lz)
    k11 = A[m + 4] + s * (wz * A[m + 1] - wx * A[m + 7])
    k12 = A[m + 5] + s * (wz * A[m + 2] - wx * A[m + 8] + lx)
    k20 = A[m + 6] + s * (wx * A[m + 3] - wy * A[m] + ly)
    k21 = A[m + 7] + s * (wx * A[m + 4] - wy * A[m + 1] - lx)
    k22 = A[m + 8] + s * (wx * A[m + 5] - wy * A[m + 2])
    c0, c1, c2 = k11 * k22 - k12 * k21, k12 * k20 - k10 * k22, k10 * k21 - k11 * k20
    d = 1.0 / (k00 * c0 + k01 * c1 + k02 * c2)
    return (
        d * (fx * c0 + fy * (k02 * k21 - k01 * k22) + fz * (k01 * k12 - k02 * k11)),
        d * (fx * c1 + fy * (k00 * k22 - k02 * k20) + fz * (k02 * k10 - k00 * k12)),
        d * (fx * c2 + fy * (k01 * k20 - k00 * k21) + fz * (k00 * k11 - k01 * k10)),
    )


@kernel
def gyroscopic_impulse(A, m, wx, wy, wz, h):
    """Angular impulse ``-I y`` [N m s] of the gyroscopic torque in a step, body axes, for any body.

    ``(I + s ([w] I - [I w])) y = h w x I w``: one Newton step y = w - w+ of the implicit equation, with
    s = h/2 (midpoint rule) for steps up to ``LONGEST_MIDPOINT_STEP``, else s = h (backward Euler). With
    an explicit torque a freely spinning wheel gains energy at any step length.
    Source: Catto, Numerical methods, GDC 2015 (s = h). Differs: midpoint for short steps.
    """
    lx = A[m] * wx + A[m + 1] * wy + A[m + 2] * wz
    ly = A[m + 3] * wx + A[m + 4] * wy + A[m + 5] * wz
    lz = A[m + 6] * wx + A[m + 7] * wy + A[m + 8] * wz
    s = where(h > LONGEST_MIDPOINT_STEP, h, 0.5 * h)
    torque = h * (wy * lz - wz * ly), h * (wz * lx - wx * lz), h * (wx * ly - wy * lx)
    x, y, z = newton_step(A, m, (wx, wy, wz), s, torque)
    return (
        -(A[m] * x + A[m + 1] * y + A[m + 2] * z),
        -(A[m + 3] * x + A[m + 4] * y + A[m + 5] * z),
        -(A[m + 6] * x + A[m + 7] * y + A[m + 8] * z),
    )


@kernel
def conserving_impulse(A, m, wx, wy, wz, h):
    """Gyroscopic impulse [N m s] of a body without joints in a short step; conserves angular momentum.

    The momentum is defined at the middle of a step, ``L = R exp(h [w]/2) I w``, R: rotation at the
    start of the step. Without external torque L is the same in the next step if
    ``exp(h [w+]/2) I w+ = exp(-h [w]/2) I w``, which Newton's method solves from ``w+ = w``. If it does
    not converge (h |w| beyond about 1), or h exceeds ``LONGEST_MIDPOINT_STEP``, the result is that of
    :func:`gyroscopic_impulse`.
    """
    going = h <= LONGEST_MIDPOINT_STEP
    s = 0.5 * h
    tx, ty, tz = turned_momentum(A, m, wx, wy, wz, -s)
    size = abs(tx) + abs(ty) + abs(tz)
    ux, uy, uz = wx, wy, wz
    last = as_many(math.inf, h)
    found = going
    for _ in range(ROUNDS):
        fx, fy, fz = turned_momentum(A, m, ux, uy, uz, s)
        fx, fy, fz = fx - tx, fy - ty, fz - tz
        off = abs(fx) + abs(fy) + abs(fz)
        going = going & (off > 1e-16 * size) & (off < last)
        if not some(going):
            break
        last = where(going, off, last)
        x, y, z = newton_step(A, m, (ux, uy, uz), s, (fx, fy, fz))
        ux, uy, uz = where(going, ux - x, ux), where(going, uy - y, uy), where(going, uz - z, uz)
    found = found & ((last < 1e-10 * size) | (size <= 0.0) | (last >= math.inf))
    x, y, z = ux - wx, uy - wy, uz - wz
    px = A[m] * x + A[m + 1] * y + A[m + 2] * z
    py = A[m + 3] * x + A[m + 4] * y + A[m + 5] * z
    pz = A[m + 6] * x + A[m + 7] * y + A[m + 8] * z
    if not every(found):
        gx, gy, gz = gyroscopic_impulse(A, m, wx, wy, wz, h)
        px, py, pz = where(found, px, gx), where(found, py, gy), where(found, pz, gz)
    return px, py, pz
