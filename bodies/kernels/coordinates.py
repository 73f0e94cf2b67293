"""Joint coordinates: value, rate and Jacobian of angles, translations and lengths."""

import math

from mlcp.jit import kernel
from mlcp.kernels.elementary import atan2

from . import codes
from .ends import angular_velocity, arm_b, axis_a, axis_b, cross, dot, reach, separation
from .records import OBSERVED
from .rows import about, along


@kernel
def coordinate_value(it, x, R, expected):
    """Value of a coordinate [rad, m]; an angle includes the full turns that bring it nearest
    ``expected``."""
    n = axis_a(it.ends, R, 2)
    if it.kind == codes.ANGLE:
        u, w = axis_a(it.ends, R, 0), axis_b(it.ends, R, 0)
        angle = atan2(dot(n, cross(u, w)), dot(u, w))
        turns = math.floor((expected - angle) / (2.0 * math.pi) + 0.5)
        return angle + 2.0 * math.pi * turns
    d = separation(it.ends, x, R)
    if it.kind == codes.TRANSLATION:
        return dot(n, d)
    return math.sqrt(dot(d, d))


@kernel
def coordinate_row(it, x, R, J, o):
    """Write the Jacobian of one coordinate: six numbers for body a at ``J[o:o+6]``, then six for body
    b."""
    n = axis_a(it.ends, R, 2)
    if it.kind == codes.ANGLE:
        about(J, o, -1.0, n)
        about(J, o + 6, 1.0, n)
        return
    if it.kind == codes.LENGTH:
        dx, dy, dz = separation(it.ends, x, R)
        k = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
        n = (k * dx, k * dy, k * dz)
    along(J, o, -1.0, n, reach(it.ends, x, R))
    along(J, o + 6, 1.0, n, arm_b(it.ends, R))


@kernel
def coordinate_rate(J, o, v, a, b):
    """Rate ``J v`` [rad/s, m/s] of a coordinate between the bodies a and b, Jacobian at
    ``J[o:o+12]``."""
    rate = 0.0
    for k in range(6):
        rate += J[o + k] * v[6 * a + k] + J[o + 6 + k] * v[6 * b + k]
    return rate


@kernel
def assemble_coordinates(run):
    """Write value, Jacobian and rate at the step's start of all coordinates that rows or forces use."""
    x, v, R = run.position, run.velocity, run.rotation
    q, J, rate = run.coordinate, run.coordinate_jac, run.coordinate_rate
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if it.use == OBSERVED:
            continue
        value = coordinate_value(it, x, R, q[c])
        coordinate_row(it, x, R, J, 12 * c)
        q[c] = value  # stored last: value and row then share the distance of the points
        rate[c] = coordinate_rate(J, 12 * c, v, it.ends.a, it.ends.b)


@kernel
def predict_coordinates(run):
    """Predict every angle at the end of the step from its rate.

    The angle measured afterwards includes the full turns that bring it nearest this prediction, so that
    a wheel may turn by more than half a turn in a step.
    """
    v, R, q, h = run.velocity, run.rotation, run.coordinate, run.clock.step
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if it.kind == codes.ANGLE:
            nx, ny, nz = axis_a(it.ends, R, 2)
            ax, ay, az = angular_velocity(v, it.ends.a)
            bx, by, bz = angular_velocity(v, it.ends.b)
            q[c] += h * (nx * (bx - ax) + ny * (by - ay) + nz * (bz - az))


@kernel
def measure_coordinates(run, least, most):
    """Write the value at the current pose of every coordinate whose code ``use`` (OBSERVED, USED or
    MEASURED, see ``records``) is from ``least`` to ``most``."""
    x, q, R = run.position, run.coordinate, run.rotation
    coordinates = run.coordinates
    for c in range(len(coordinates)):
        it = coordinates[c]
        if least <= it.use <= most:
            q[c] = coordinate_value(it, x, R, q[c])
