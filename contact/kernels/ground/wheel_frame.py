"""Contact point of a wheel on the ground.

The contact point of a round wheel is the point of the ground nearest to its axle, in the wheel's plane.
The normal force then runs through the axle whatever the ground's shape, and it is the gradient of a
function of the gap alone: over a closed motion it does no work.
"""

import math

from mlcp.compiled.branches import some, where
from mlcp.jit import kernel

from .section import SEARCHED_RADII, WheelPlane, most_tilt, nearest, surface
from .terrain import PLANE, STEP


@kernel
def heading(ax, ay, az, nx, ny, nz):
    """Unit vectors forward, ``a x n``, and left, ``n x forward``, of a wheel with spin axis a on ground
    with normal n (of any length).

    If a is along n, forward is any direction perpendicular to n.
    """
    length = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = length * nx, length * ny, length * nz
    fx, fy, fz = ay * nz - az * ny, az * nx - ax * nz, ax * ny - ay * nx
    length = math.sqrt(fx * fx + fy * fy + fz * fz)
    flat = length < 1e-9
    if some(flat):
        other = nx * nx > 0.5
        gx, gy = where(other, -nx * ny, 1.0 - nx * nx), where(other, 1.0 - ny * ny, -nx * ny)
        gz = where(other, -ny * nz, -nx * nz)
        fx, fy, fz = where(flat, gx, fx), where(flat, gy, fy), where(flat, gz, fz)
        length = where(flat, math.sqrt(gx * gx + gy * gy + gz * gz), length)
    fx, fy, fz = fx / length, fy / length, fz / length
    return fx, fy, fz, ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx


@kernel
def on_plane(nx, ny, nz, distance, ax, ay, az, r):
    """Result of ``touching`` on a plane: gap [m], normal, vector from centre to rim [m], share 1.

    The vector is ``r (k a - n) / |k a - n|`` with radius r, spin axis a, normal n and k = a n.
    distance: height of the centre above the plane [m].
    """
    k = ax * nx + ay * ny + az * nz
    dx, dy, dz = k * ax - nx, k * ay - ny, k * az - nz
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    flat = length < 1e-9
    gap, s = distance - r * length, r / where(flat, 1.0, length)
    if some(flat):
        _, _, _, gx, gy, gz = heading(ax, ay, az, nx, ny, nz)
        dx, dy, dz = where(flat, gx, dx), where(flat, gy, dy), where(flat, gz, dz)
        gap, s = where(flat, distance, gap), where(flat, r, s)
    return gap, nx, ny, nz, s * dx, s * dy, s * dz, 1.0


@kernel
def leaning(nx, ny, nz, distance, ax, ay, az, r):
    """Result of ``touching`` on a tilted plane: gap and normal are those of ``on_plane`` divided by the
    cosine of the ground's inclination along the axle; last value: the share of ``touching``."""
    gap, nx, ny, nz, dx, dy, dz, _ = on_plane(nx, ny, nz, distance, ax, ay, az, r)
    k = ax * nx + ay * ny + az * nz
    s = 1.0 / math.sqrt(max(1.0 - k * k, 0.7 * 0.7))
    share = 1.0 + max(-1.0, min(0.0, s * gap / r))
    return s * gap, s * nx, s * ny, s * nz, dx, dy, dz, share


@kernel
def touching(ground, cx, cy, cz, ax, ay, az, r):
    """Gap [m], normal, vector from the centre to the rim's lowest point [m], and the fraction (share) of
    this vector at whose end the normal force acts.

    The point p of the ground nearest to the centre c in the wheel's plane, and the normal n of the
    ground at p, give the plane on which the wheel stands. The part of n in the wheel's plane is turned
    towards the axle: the normal force has no moment about the axle. With rho = |p - c|, the spin axis a
    and the cosine s of the ground's inclination along the axle, ``s^2 = 1 - (n a)^2``,

        gap = rho - r,   its rate: (n / s) times the velocity of the wheel at p.

    The returned normal is n / s, so the load is the normal force's part in the wheel's plane; p is at
    the share rho / r of the vector. On ``PLANE`` gap and normal are s times these: ``n (c - p) - r s``
    and n, with the share 1. Where two points are equally near, the gap is continuous and the normal
    jumps.

    A wheel's plane so tilted that steep ground has an overhang in it is replaced by a more upright one.
    s is at least 0.7: a wheel tilted further lies rather than rolls.

    Arguments: a ``section.GroundShape``; centre [m]; spin axis; radius [m].
    """
    D, o = ground.record, ground.place
    upright = math.sqrt(ax * ax + ay * ay)
    plain = ground.kind == PLANE
    if ground.kind == STEP:  # a step is level outside its ramp
        plain = not D[o] - SEARCHED_RADII * r < cx < D[o] + D[o + 2] + SEARCHED_RADII * r
    if plain or upright < 1e-9:
        z, sx, sy = surface(ground, cx, cy)
        k = 1.0 / math.sqrt(1.0 + sx * sx + sy * sy)
        if ground.kind == PLANE:
            return on_plane(-k * sx, -k * sy, k, k * (cz - z), ax, ay, az, r)
        return leaning(-k * sx, -k * sy, k, k * (cz - z), ax, ay, az, r)
    fx, fy = ay / upright, -ax / upright
    most = most_tilt(ground)
    tilt = max(-most, min(most, az / upright))
    up = 1.0 / math.sqrt(1.0 + tilt * tilt)
    # normal (bx, by, bz) of the plane in which the nearest point is searched; (gx, gy, up): up in it
    bx, by, bz = -fy * up, fx * up, tilt * up
    gx, gy = fy * bz, -fx * bz
    u, w, sx, sy, side = nearest(ground, WheelPlane(cx, cy, cz, fx, fy, gx, gy, up), r)
    # components of the ground's normal: perpendicular to the searched plane, forward and up in the plane
    across = bz - sx * bx - sy * by
    forward, above = -sx * fx - sy * fy, up - sx * gx - sy * gy
    inside = math.sqrt(forward * forward + above * above)
    rho = math.sqrt(u * u + w * w)
    if rho > 1e-9:
        forward, above = -side * inside * u / rho, -side * inside * w / rho
    length = 1.0 / math.sqrt(across * across + inside * inside)
    nx = length * (across * bx + forward * fx + above * gx)
    ny = length * (across * by + forward * fy + above * gy)
    nz = length * (across * bz + above * up)
    return leaning(nx, ny, nz, length * inside * side * rho, ax, ay, az, r)
