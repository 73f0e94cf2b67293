"""Ends of a joint or coordinate in world axes: points, arms and axes.

An arm is the vector [m] from a body's centre of mass to a point.
"""

from __future__ import annotations

from mlcp.jit import kernel

from .rotation import rotate


@kernel
def axis_a(ends, R, c):
    """Axis number c of the frame on body a."""
    axes = ends.axes_a
    return rotate(R, 9 * ends.a, axes[c], axes[3 + c], axes[6 + c])


@kernel
def axis_b(ends, R, c):
    """Axis number c of the frame on body b."""
    axes = ends.axes_b
    return rotate(R, 9 * ends.b, axes[c], axes[3 + c], axes[6 + c])


@kernel
def arm_a(ends, R):
    """Arm of body a to its joint point."""
    point = ends.point_a
    return rotate(R, 9 * ends.a, point[0], point[1], point[2])


@kernel
def arm_b(ends, R):
    """Arm of body b to its joint point."""
    point = ends.point_b
    return rotate(R, 9 * ends.b, point[0], point[1], point[2])


@kernel
def reach(ends, x, R):
    """Arm of body a to the joint point of b, for rows along directions that move with a."""
    a, b = ends.a, ends.b
    bx, by, bz = arm_b(ends, R)
    return x[3 * b] + bx - x[3 * a], x[3 * b + 1] + by - x[3 * a + 1], x[3 * b + 2] + bz - x[3 * a + 2]


@kernel
def separation(ends, x, R):
    """``p_b - p_a`` [m]."""
    px, py, pz = reach(ends, x, R)
    ax, ay, az = arm_a(ends, R)
    return px - ax, py - ay, pz - az


@kernel
def angular_velocity(v, body):
    """Angular velocity of a body [rad/s], world axes."""
    return v[6 * body + 3], v[6 * body + 4], v[6 * body + 5]


@kernel
def dot(n, m):
    """Scalar product."""
    return n[0] * m[0] + n[1] * m[1] + n[2] * m[2]


@kernel
def cross(n, m):
    """Vector product."""
    return n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2], n[0] * m[1] - n[1] * m[0]
