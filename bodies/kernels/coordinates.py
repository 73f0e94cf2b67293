"""Joint coordinates: value, rate and Jacobian of angles, translations and lengths."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from .data import WATCHED
from .joints import column, point_of
from .rows import about, along


@kernel
def coordinate_value(it, x, R, expected):
    """Value of one coordinate; an angle is unwound to the branch nearest ``expected``."""
    kind, a, b, frames = it.kind, it.a, it.b, it.frames
    nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
    if kind == codes.ANGLE:
        ux, uy, uz = column(R, 9 * a, frames.axes_a, 0)
        wx, wy, wz = column(R, 9 * b, frames.axes_b, 0)
        s = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx)
        angle = math.atan2(s, ux * wx + uy * wy + uz * wz)
        turns = math.floor((expected - angle) / (2.0 * math.pi) + 0.5)
        return angle + 2.0 * math.pi * turns
    ax, ay, az = point_of(R, 9 * a, frames.point_a)
    bx, by, bz = point_of(R, 9 * b, frames.point_b)
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    if kind == codes.TRANSLATION:
        return nx * dx + ny * dy + nz * dz
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def coordinate_row(it, x, R, J, o):
    """Jacobian of one coordinate: six numbers for body a at ``J[o:]``, six for b after them."""
    kind, a, b, frames = it.kind, it.a, it.b, it.frames
    nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
    if kind == codes.ANGLE:
        about(J, o, -1.0, nx, ny, nz)
        about(J, o + 6, 1.0, nx, ny, nz)
        return
    bx, by, bz = point_of(R, 9 * b, frames.point_b)
    px = x[3 * b] + bx - x[3 * a]
    py = x[3 * b + 1] + by - x[3 * a + 1]
    pz = x[3 * b + 2] + bz - x[3 * a + 2]
    if kind == codes.LENGTH:
        ax, ay, az = point_of(R, 9 * a, frames.point_a)
        nx, ny, nz = px - ax, py - ay, pz - az
        k = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = k * nx, k * ny, k * nz
    along(J, o, -1.0, nx, ny, nz, px, py, pz)
    along(J, o + 6, 1.0, nx, ny, nz, bx, by, bz)


@kernel
def coordinate_rate(J, o, v, a, b):
    """``J v`` of the coordinate whose Jacobian is at ``J[o:o+12]``."""
    rate = 0.0
    for k in range(6):
        rate += J[o + k] * v[6 * a + k] + J[o + 6 + k] * v[6 * b + k]
    return rate


@kernel
def assemble_coordinates(run):
    """Value, Jacobian and rate, at the start of the step, of the coordinates that rows use."""
    x, v, R = run.position, run.velocity, run.rotation
    q, J, rate = run.coordinate, run.coordinate_jac, run.coordinate_rate
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if it.use == WATCHED:
            continue
        q[c] = coordinate_value(it, x, R, q[c])
        coordinate_row(it, x, R, J, 12 * c)
        rate[c] = coordinate_rate(J, 12 * c, v, it.a, it.b)


@kernel
def predict_coordinates(run):
    """Move every coordinate by its speed over the step.

    An angle is then unwound to the branch nearest to this prediction, so that a wheel may turn by
    more than half a turn in a step.
    """
    v, R, q, h = run.velocity, run.rotation, run.coordinate, run.clock.step
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if it.kind == codes.ANGLE:
            a, b = it.a, it.b
            nx, ny, nz = column(R, 9 * a, it.frames.axes_a, 2)
            q[c] += h * (
                nx * (v[6 * b + 3] - v[6 * a + 3])
                + ny * (v[6 * b + 4] - v[6 * a + 4])
                + nz * (v[6 * b + 5] - v[6 * a + 5])
            )


@kernel
def measure_coordinates(run, least, most):
    """Value at the moved pose of the coordinates whose use is between least and most."""
    x, q, R = run.position, run.coordinate, run.rotation
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if least <= it.use <= most:
            q[c] = coordinate_value(it, x, R, q[c])
