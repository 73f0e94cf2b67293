"""Wheels: from the pose of a wheel body to its channels and the numbers a ground law needs."""

from __future__ import annotations

from contact.kernels import rigid
from contact.kernels.section import BILINEAR, Ground
from contact.kernels.wheel_frame import heading, on_plane, touching
from mlcp.jit import kernel

from .rotation import rotate
from .rows import along
from .slip_angle import LOAD_FLOOR, lateral_compliance, speed_ahead

TERRAIN = 16  # kinds of surface from here on are terrain


@kernel
def ground_under(run, wheel):
    """The ground of a wheel; a kind below 0 is the plane of rigid contact."""
    surface = run.surfaces[wheel.surface]
    kind = surface.kind - TERRAIN
    if kind < 0:  # of a surface of rigid contact
        kind = BILINEAR if surface.kind == rigid.HEIGHT_FIELD else -1
    return Ground(kind, run.surface_data, surface.first, surface.nx, surface.ny)


@kernel
def wheel_frame(run, wheel, frame):
    """Centre, contact point, axes and gap of one wheel, written to its frame.

    Returns the share of the way from the centre to the contact point at which the normal force acts.
    """
    X, R, i, r, ground = run.position, run.rotation, wheel.body, wheel.radius, ground_under(run, wheel)
    x, y, z = rotate(R, 9 * i, wheel.centre[0], wheel.centre[1], wheel.centre[2])
    cx, cy, cz = X[3 * i] + x, X[3 * i + 1] + y, X[3 * i + 2] + z
    ax, ay, az = rotate(R, 9 * i, wheel.axis[0], wheel.axis[1], wheel.axis[2])
    if ground.kind < 0:
        plane = Ground(rigid.PLANE, ground.record, ground.place, 0, 0)
        owner = rigid.Owner(R, X, run.count.bodies)
        distance, nx, ny, nz = rigid.gap_and_normal(plane, owner, cx, cy, cz)
        gap, nx, ny, nz, dx, dy, dz, share = on_plane(nx, ny, nz, distance, ax, ay, az, r)
    else:
        gap, nx, ny, nz, dx, dy, dz, share = touching(ground, cx, cy, cz, ax, ay, az, r)
    fx, fy, fz, lx, ly, lz = heading(ax, ay, az, nx, ny, nz)
    put(frame.centre, cx, cy, cz)
    put(frame.point, cx + dx, cy + dy, cz + dz)
    put(frame.normal, nx, ny, nz)
    put(frame.forward, fx, fy, fz)
    put(frame.left, lx, ly, lz)
    frame.gap = gap
    return share


@kernel
def put(to, x, y, z):
    """Write three numbers."""
    to[0], to[1], to[2] = x, y, z


@kernel
def wheel_rows(run, wheel, frame, share, lift):
    """Jacobian of a wheel's channels; ``lift`` [m]: the contact point's way along the normal."""
    X, J, i, j = run.position, run.jacobian, 3 * wheel.body, wheel.jac
    c, p, n, f, q = frame.centre, frame.point, frame.normal, frame.forward, frame.left
    lift /= n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    sx, sy, sz = p[0] - lift * n[0] - X[i], p[1] - lift * n[1] - X[i + 1], p[2] - lift * n[2] - X[i + 2]
    rx, ry, rz = c[0] - X[i], c[1] - X[i + 1], c[2] - X[i + 2]  # of the centre
    px, py, pz = rx + share * (p[0] - c[0]), ry + share * (p[1] - c[1]), rz + share * (p[2] - c[2])
    along(J, j, 1.0, n, (px, py, pz))
    along(J, j + 6, 1.0, f, (sx, sy, sz))
    along(J, j + 12, 1.0, q, (sx, sy, sz))
    if wheel.channels > 3:
        along(J, j + 18, 1.0, f, (rx, ry, rz))


@kernel
def detect_wheels(run):
    """Frames, Jacobian rows and kinematics of every wheel; rows of a hard, springy ground.

    The contact point is taken on the ground (the rim's lowest point moved along the normal by the
    penetration), so that the sliding velocity belongs to the loaded radius. On soft ground the
    slip belongs to the effective radius, and the contact point is the rim's lowest.
    """
    v, J, live, wheels = run.velocity, run.jacobian, run.channel_live, run.wheels
    e, b, h, soft = run.channel_compliance, run.channel_bias, run.clock.step, run.count.soil_wheels
    for m in range(len(wheels)):
        wheel, frame = wheels[m], run.wheel_state[m]
        row, o = wheel.row, 6 * wheel.body
        share = wheel_frame(run, wheel, frame)
        gap = frame.gap
        wheel_rows(run, wheel, frame, share, 0.0 if m < soft else min(gap, 0.0))  # those on soil first
        for k in range(wheel.channels):
            j = wheel.jac + 6 * k
            u = 0.0
            for q in range(6):
                u += J[j + q] * v[o + q]
            frame.velocity[k] = u  # at the start of the step
            e[row + k] = 0.0
            b[row + k] = 0.0
            live[row + k] = 1
        stiffness, damping = wheel.stiffness, wheel.damping
        s = h * stiffness + damping
        e[row] = 1.0 / (h * s)
        b[row] = stiffness * gap / s
        if m >= soft and wheel.gamma > 0.0 and wheel.friction > 0.0:
            least = LOAD_FLOOR * stiffness * wheel.radius
            load = max(-stiffness * gap - damping * frame.velocity[0], least)
            v_x = speed_ahead(v, wheel.body, run.position, frame)
            bound = wheel.friction * load
            e[row + 2] = lateral_compliance(v_x, frame.velocity[2], bound, wheel.gamma) / h


@kernel
def release_wheels(run):
    """Leave out hard wheels that cannot reach the ground in this step: ``gap + h u_free > 0``.

    Without this the damper of the normal row would push across an open gap.
    """
    free, live, wheels = run.free, run.channel_live, run.wheels
    for m in range(run.count.soil_wheels, len(wheels)):
        wheel = wheels[m]
        if run.wheel_state[m].gap + run.clock.step * free[wheel.row] > 0.0:
            for k in range(wheel.channels):
                live[wheel.row + k] = 0
