"""Where a wheel touches the ground: one computation for bodies and for hosts.

A round wheel touches with the point of the ground that is nearest to its axle, in the wheel's plane. Its
normal force then runs through the axle whatever the ground's shape, and on an upright wheel it is the
gradient of a function of the gap alone: over a closed motion it does no work.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .section import REACH, Plane, nearest, surface
from .terrain import PLANE, STEP

_FLAT = 0.3  # cosine of the tilt beyond which a wheel lies rather than stands


@kernel
def heading(ax, ay, az, nx, ny, nz):
    """Forward ``a x n`` and left ``n x forward``, unit vectors; a wheel that lies flat has any."""
    fx, fy, fz = ay * nz - az * ny, az * nx - ax * nz, ax * ny - ay * nx
    length = math.sqrt(fx * fx + fy * fy + fz * fz)
    if length < 1e-9:
        fx, fy, fz = 1.0 - nx * nx, -nx * ny, -nx * nz
        if nx * nx > 0.5:
            fx, fy, fz = -nx * ny, 1.0 - ny * ny, -ny * nz
        length = math.sqrt(fx * fx + fy * fy + fz * fz)
    fx, fy, fz = fx / length, fy / length, fz / length
    return fx, fy, fz, ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx


@kernel
def on_plane(nx, ny, nz, distance, ax, ay, az, r):
    """Gap [m], normal and the way from the centre to the rim's lowest point [m], on a plane.

    ``p = c + r (k a - n) / |k a - n|`` with k = a n; distance [m]: of the centre from the plane.
    """
    k = ax * nx + ay * ny + az * nz
    dx, dy, dz = k * ax - nx, k * ay - ny, k * az - nz
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length < 1e-9:
        _, _, _, dx, dy, dz = heading(ax, ay, az, nx, ny, nz)
        return distance, nx, ny, nz, r * dx, r * dy, r * dz
    s = r / length
    return distance - r * length, nx, ny, nz, s * dx, s * dy, s * dz


@kernel
def touching(ground, cx, cy, cz, ax, ay, az, r):
    """Gap [m], normal and the way from the centre to the rim's lowest point [m] of one wheel.

    With p the point of the ground nearest to the centre c in the wheel's plane and rho = |p - c|,

        gap = s (rho - r),   normal = k a - s d,   d = (p - c) / rho,   s^2 + k^2 = 1,

    k / s the ground's inclination along the axle at p: on a plane, the gap of the rim's lowest
    point along the plane's normal. ``normal . (velocity of c + r d)`` is the gap's rate but for
    ``(rho - r) ds/dt`` of ground whose inclination changes under a tilted wheel. d and the normal lie in
    a plane with the axle, so the normal force has no moment about it. Of two points equally near
    one is taken: the gap is continuous there, the direction turns.

    Arguments: a ``section.Ground``; centre [m]; spin axis; radius [m].
    """
    D, o = ground.record, ground.place
    upright = math.sqrt(ax * ax + ay * ay)
    plain = ground.kind == PLANE
    if ground.kind == STEP:  # out of the ramp's reach it is one, too
        plain = not D[o] - REACH * r < cx < D[o] + D[o + 2] + REACH * r
    if plain or upright < _FLAT:
        z, sx, sy = surface(ground, cx, cy)
        k = 1.0 / math.sqrt(1.0 + sx * sx + sy * sy)
        return on_plane(-k * sx, -k * sy, k, k * (cz - z), ax, ay, az, r)
    fx, fy = ay / upright, -ax / upright
    gx, gy = fy * az, -fx * az
    u, w, sx, sy, side = nearest(ground, Plane(cx, cy, cz, fx, fy, gx, gy, upright), r)
    # the ground's normal along the axle, and how much of it lies in the wheel's plane
    across = az - sx * ax - sy * ay
    ahead, up = -sx * fx - sy * fy, upright - sx * gx - sy * gy
    inside = math.sqrt(ahead * ahead + up * up)
    rho = math.sqrt(u * u + w * w)
    if rho > 1e-9:
        du, dw = side * u / rho, side * w / rho
    else:
        du, dw = -ahead / inside, -up / inside
    length = math.sqrt(across * across + inside * inside)
    k, s = across / length, inside / length
    dx, dy, dz = du * fx + dw * gx, du * fy + dw * gy, dw * upright
    nx, ny, nz = k * ax - s * dx, k * ay - s * dy, k * az - s * dz
    return s * (side * rho - r), nx, ny, nz, r * dx, r * dy, r * dz
