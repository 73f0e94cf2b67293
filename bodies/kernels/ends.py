"""Ends of a joint or coordinate in world axes: points, arms and axes.

An arm is the vector [m] from a body's centre of mass to a point.
"""

from mlcp.jit import kernel

from .rotation import rotate


@kernel
def axis_a(ends, R, c):
    """Axis number c (unit vector, world axes) of the joint frame on body a."""
    axes = ends.axes_a
    return rotate(R, 9 * ends.a, axes[c], axes[3 + c], axes[6 + c])


@kernel
def axis_b(ends, R, c):
    """Axis number c (unit vector, world axes) of the joint frame on body b."""
    axes = ends.axes_b
    return rotate(R, 9 * ends.b, axes[c], axes[3 + c], axes[6 + c])


@kernel
def arm_a(ends, R):
    """Arm from body a's centre of mass to its joint point [m]."""
    point = ends.point_a
    return rotate(R, 9 * ends.a, point[0], point[1], point[2])


@kernel
def arm_b(ends, R):
    """Arm from body b's centre of mass to its joint point [m]."""
    point = ends.point_b
    return rotate(R, 9 * ends.b, point[0], point[1], point[2])


@kernel
def reach(ends, x, R):
    """Arm from body a's centre of mass to body b's joint point [m], for rows along directions that are
    fixed to body a."""
    a, b = ends.a, ends.b
    bx, by, bz = arm_b(ends, R)
    return x[3 * b] + bx - x[3 * a], x[3 * b + 1] + by - x[3 * a + 1], x[3 * b + 2] + bz - x[3 * a + 2]


@kernel
def separation(ends, x, R):
    """Vector from body a's joint point to body b's, ``p_b - p_a`` [m]."""
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
