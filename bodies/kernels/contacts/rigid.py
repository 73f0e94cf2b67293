"""Rigid contacts: contact points, their Jacobian rows and biases."""

import math

from contact.kernels.ground import rigid
from contact.kernels.ground.section import GroundShape
from mlcp.jit import kernel

from ..rotation import perpendicular, rotate
from ..rows import along


@kernel
def shape_frame(shape, X, R, c, w):
    """Write centre c [m] and axes w of a shape, in world axes."""
    a, x, q = shape.a, shape.centre, shape.axes
    x, y, z = rotate(R, 9 * a, x[0], x[1], x[2])
    c[0], c[1], c[2] = X[3 * a] + x, X[3 * a + 1] + y, X[3 * a + 2] + z
    for k in range(3):
        w[k], w[3 + k], w[6 + k] = rotate(R, 9 * a, q[k], q[3 + k], q[6 + k])


@kernel
def write_point(at, x, y, z, gap, nx, ny, nz):
    """Write position, gap [m] and normal of a contact point to its record ``at``."""
    p, n = at.position, at.normal
    p[0], p[1], p[2] = x, y, z
    n[0], n[1], n[2] = nx, ny, nz
    at.gap = gap


@kernel
def gap_there(run, shape, x, y, z):
    """Gap [m] between the point (x, y, z) and the surface in contact with a shape, then the three
    components of the surface normal (world axes)."""
    b, surface = shape.b, run.surfaces[shape.surface]
    ground = GroundShape(surface.kind, run.surface_data, surface.first, surface.nx, surface.ny)
    return rigid.gap_and_normal(ground, rigid.SurfaceBody(run.rotation, run.position, b), x, y, z)


@kernel
def find_points(run, shape, c, w):
    """Write the contact points of one shape: for a sphere one point; for a cylinder the lowest point of
    each rim and two more points on the lower rim; for a box the four corners of least gap."""
    S, points, p = shape.size, run.points, shape.first_point
    gap, nx, ny, nz = gap_there(run, shape, c[0], c[1], c[2])
    if shape.kind == rigid.SPHERE:
        r = S[0]
        write_point(points[p], c[0] - r * nx, c[1] - r * ny, c[2] - r * nz, gap - r, nx, ny, nz)
        return
    if shape.kind == rigid.CYLINDER:
        gaps0 = 0.0
        low = -1.0
        for k in range(2):
            side = 2.0 * k - 1.0
            x, y, z = rigid.rim_point(S, side, 0, c, w, nx, ny, nz)
            gap, mx, my, mz = gap_there(run, shape, x, y, z)
            write_point(points[p + k], x, y, z, gap, mx, my, mz)
            if k == 0:
                gaps0 = gap
            elif gap < gaps0:
                low = 1.0
        for k in range(2):
            x, y, z = rigid.rim_point(S, low, 2 * k - 1, c, w, nx, ny, nz)
            gap, mx, my, mz = gap_there(run, shape, x, y, z)
            write_point(points[p + 2 + k], x, y, z, gap, mx, my, mz)
        return
    taken = 0
    for m in range(4):  # four nearest corners, nearest first
        best, least = -1, math.inf
        for k in range(8):
            if taken & (1 << k):
                continue
            x, y, z = rigid.box_corner(S, k, c, w)
            gap = gap_there(run, shape, x, y, z)[0]
            # of two corners with equal gaps the one of lower number is first, so that round-off does not
            # reorder the corners of a box at rest
            if gap < least - 1e-9:
                best, least = k, gap
        taken |= 1 << best
        x, y, z = rigid.box_corner(S, best, c, w)
        gap, nx, ny, nz = gap_there(run, shape, x, y, z)
        write_point(points[p + m], x, y, z, gap, nx, ny, nz)


@kernel
def point_velocity(v, X, b, x, y, z):
    """Velocity [m/s] of the point of body b at (x, y, z), world axes."""
    sx, sy, sz = x - X[3 * b], y - X[3 * b + 1], z - X[3 * b + 2]
    wx, wy, wz = v[6 * b + 3], v[6 * b + 4], v[6 * b + 5]
    return (
        v[6 * b] + wy * sz - wz * sy,
        v[6 * b + 1] + wz * sx - wx * sz,
        v[6 * b + 2] + wx * sy - wy * sx,
    )


@kernel
def contact_rows(run, at, sign, body, point, n, t):
    """Write a contact point's Jacobian rows for one of its bodies: normal, first and second tangent.

    ``sign``: 1 for the shape's body, -1 for the surface's. ``at``: start of the rows in the Jacobian.
    """
    J, X, p = run.jacobian, run.position, point.position
    u = (n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0])
    arm = (p[0] - X[3 * body], p[1] - X[3 * body + 1], p[2] - X[3 * body + 2])
    along(J, at, sign, n, arm)
    along(J, at + 6, sign, t, arm)
    along(J, at + 12, sign, u, arm)


@kernel
def normal_bias(gap, vn, restitution, clock):
    """Bias b [m/s] of the normal row, ``vn+ + b >= 0``; vn, vn+: normal velocity at the step's start and
    end.

    On impact ``b = restitution vn``; otherwise ``b = gap / h`` (h: step length), so that an open gap may
    just close in the step. Of a penetration (gap < 0) only the fraction ``recovery`` is removed.
    """
    h = clock.step
    if restitution > 0.0 and vn < -clock.bounce_speed and gap + h * vn <= 0.0:
        return restitution * vn
    if gap > 0.0:
        return gap / h
    return clock.recovery * gap / h


@kernel
def assemble_point(run, shape, k, fall):
    """Linearise contact point k of a shape: Jacobian rows and biases.

    The contact is left out of the step if its gap exceeds a sum of three distances: twice the distance
    that the point travels along the normal in the step; ``fall`` [m], a multiple of the distance of free
    fall in the step; and a thousandth of the shape's radius or first half edge."""
    X, v, J, live, clock = run.position, run.velocity, run.jacobian, run.channels.live, run.clock
    point, place = run.points[shape.first_point + k], run.point_places[shape.first_point + k]
    a, o, row, ja, jb = shape.a, shape.b, shape.row + 3 * k, place.jac_a, place.jac_b
    x, y, z, gap = point.position[0], point.position[1], point.position[2], point.gap
    nx, ny, nz = point.normal[0], point.normal[1], point.normal[2]
    ax, ay, az = point_velocity(v, X, a, x, y, z)
    bx, by, bz = point_velocity(v, X, o, x, y, z)
    vx, vy, vz = ax - bx, ay - by, az - bz
    vn = vx * nx + vy * ny + vz * nz
    near = gap <= 2.0 * clock.step * abs(vn) + fall + 1e-3 * shape.size[0]
    for i in range(3):
        live[row + i] = 1 if near else 0
    if not near:
        for i in range(18):
            J[ja + i] = 0.0
            J[jb + i] = 0.0
        return
    tx, ty, tz, _ux, _uy, _uz = perpendicular(nx, ny, nz)
    if shape.cone == 0:  # friction box: first tangent along the sliding velocity
        sx, sy, sz = vx - vn * nx, vy - vn * ny, vz - vn * nz
        speed = math.sqrt(sx * sx + sy * sy + sz * sz)
        if speed > 1e-6:
            tx, ty, tz = sx / speed, sy / speed, sz / speed
    contact_rows(run, ja, 1.0, a, point, (nx, ny, nz), (tx, ty, tz))
    contact_rows(run, jb, -1.0, o, point, (nx, ny, nz), (tx, ty, tz))
    e, b = run.channels.compliance, run.channels.bias
    e[row], e[row + 1], e[row + 2] = 0.0, 0.0, 0.0
    b[row] = normal_bias(gap, vn, shape.restitution, clock)
    b[row + 1], b[row + 2] = 0.0, 0.0


@kernel
def detect_rigid(run):
    """Write contact points, Jacobian rows and biases of every rigid contact."""
    shapes, frame, clock = run.shapes, run.frame, run.clock
    g, h = clock.gravity, clock.step
    fall = 4.0 * h * h * math.sqrt(g[0] ** 2 + g[1] ** 2 + g[2] ** 2)
    for m in range(len(shapes)):
        shape = shapes[m]
        c, w = frame[0:3], frame[3:12]
        shape_frame(shape, run.position, run.rotation, c, w)
        find_points(run, shape, c, w)
        for k in range(shape.points):
            assemble_point(run, shape, k, fall)
