"""Wheels: frame, Jacobian rows (channels) and velocities at the contact point from the body's pose."""

import math

from contact.kernels.ground import rigid
from contact.kernels.ground.section import BILINEAR, GroundShape
from contact.kernels.ground.wheel_frame import heading, on_plane, touching
from contact.kernels.wheel.layout import TRAIL_ANGLES, TRAIL_LOADS
from mlcp.compiled.lazy import FLOAT, FLOATS, INT, lazy, named, several
from mlcp.jit import kernel
from mlcp.kernels.elementary import log

from ..rotation import rotate
from ..rows import along
from .slip_angle import LEAST_RELATIVE_LOAD, forward_speed, lateral_compliance, rolling_share

TERRAIN = 16  # surface codes from this number on are kinds of terrain
_GROUND = named(GroundShape, INT, FLOATS, INT, INT, INT)


@lazy(several(FLOAT, 8)(_GROUND, *[FLOAT] * 7), "mlcp", "contact", "bodies")
def curved_ground(ground, cx, cy, cz, ax, ay, az, r):
    """Contact of a wheel with ground other than a plane (:func:`touching`), compiled on first use."""
    return touching(ground, cx, cy, cz, ax, ay, az, r)


@kernel
def ground_under(run, wheel):
    """Shape of the ground under a wheel: a terrain, or a height field of rigid contact as a bilinear
    terrain; kind -1: a plane."""
    surface = run.surfaces[wheel.surface]
    kind = surface.kind - TERRAIN
    if kind < 0:  # the surface belongs to rigid contact, not to soil
        kind = BILINEAR if surface.kind == rigid.HEIGHT_FIELD else -1
    return GroundShape(kind, run.surface_data, surface.first, surface.nx, surface.ny)


@kernel
def wheel_frame(run, wheel, frame):
    """Write centre, contact point, axes and gap of a wheel to its frame.

    Returns the point of action of the normal force, as a fraction of the line from the wheel centre to
    the contact point.
    """
    ground = ground_under(run, wheel)
    if ground.kind < 0:
        return wheel_on_plane(run, wheel, frame)
    c, a = wheel_place(run, wheel)
    touch = curved_ground(ground, c[0], c[1], c[2], a[0], a[1], a[2], wheel.radius)
    return put_frame(frame, c, a, touch)


@kernel
def wheel_on_plane(run, wheel, frame):
    """:func:`wheel_frame` of a wheel on a plane."""
    surface, (c, a) = run.surfaces[wheel.surface], wheel_place(run, wheel)
    plane = GroundShape(rigid.PLANE, run.surface_data, surface.first, 0, 0)
    owner = rigid.SurfaceBody(run.rotation, run.position, run.count.bodies)
    distance, nx, ny, nz = rigid.above_plane(plane, owner, c[0], c[1], c[2])
    touch = on_plane(nx, ny, nz, distance, a[0], a[1], a[2], wheel.radius)
    return put_frame(frame, c, a, touch)


@kernel
def wheel_place(run, wheel):
    """Centre [m] and axis of a wheel, world axes."""
    X, R, i = run.position, run.rotation, wheel.body
    x, y, z = rotate(R, 9 * i, wheel.centre[0], wheel.centre[1], wheel.centre[2])
    axis = rotate(R, 9 * i, wheel.axis[0], wheel.axis[1], wheel.axis[2])
    return (X[3 * i] + x, X[3 * i + 1] + y, X[3 * i + 2] + z), axis


@kernel
def put_frame(frame, c, a, touch):
    """Write a wheel's frame from its centre c, axis a and contact ``touch``: gap, normal, vector from
    centre to contact point, and the fraction that :func:`wheel_frame` returns."""
    gap, nx, ny, nz, dx, dy, dz, share = touch
    fx, fy, fz, lx, ly, lz = heading(a[0], a[1], a[2], nx, ny, nz)
    write_vector(frame.centre, c[0], c[1], c[2])
    write_vector(frame.point, c[0] + dx, c[1] + dy, c[2] + dz)
    write_vector(frame.normal, nx, ny, nz)
    write_vector(frame.forward, fx, fy, fz)
    write_vector(frame.left, lx, ly, lz)
    frame.gap = gap
    return share


@kernel
def write_vector(to, x, y, z):
    """Write the vector (x, y, z) to ``to``."""
    to[0], to[1], to[2] = x, y, z


@kernel
def wheel_rows(run, wheel, frame, share, lift):
    """Write the Jacobian of a wheel's channels (contact coordinates): normal, longitudinal and lateral
    at the contact point, longitudinal at the wheel's centre.

    ``share``: fraction returned by :func:`wheel_frame`. ``lift`` [m]: the point of the longitudinal and
    lateral rows is moved by ``-lift n / |n|^2``; n: normal of the frame.
    """
    X, J, i, j = run.position, run.jacobian, 3 * wheel.body, wheel.jac
    c, p, n, f, q = frame.centre, frame.point, frame.normal, frame.forward, frame.left
    lift /= n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    sx, sy, sz = p[0] - lift * n[0] - X[i], p[1] - lift * n[1] - X[i + 1], p[2] - lift * n[2] - X[i + 2]
    rx, ry, rz = c[0] - X[i], c[1] - X[i + 1], c[2] - X[i + 2]  # [m] arm of the wheel's centre
    px, py, pz = rx + share * (p[0] - c[0]), ry + share * (p[1] - c[1]), rz + share * (p[2] - c[2])
    along(J, j, 1.0, n, (px, py, pz))
    along(J, j + 6, 1.0, f, (sx, sy, sz))
    along(J, j + 12, 1.0, q, (sx, sy, sz))
    if wheel.channels > 3:
        along(J, j + 18, 1.0, f, (rx, ry, rz))


@kernel
def wheel_channels(run, wheel, frame):
    """Write the velocities of a wheel's channels at the start of the step; set their compliance and bias
    to 0 and mark them as "live" (part of the step's contact problem)."""
    J, v, o, row = run.jacobian, run.velocity, 6 * wheel.body, wheel.row
    for k in range(wheel.channels):
        j = wheel.jac + 6 * k
        u = 0.0
        for q in range(6):
            u += J[j + q] * v[o + q]
        frame.velocity[k] = u
        run.channels.compliance[row + k] = 0.0
        run.channels.bias[row + k] = 0.0
        run.channels.live[row + k] = 1


@kernel
def load_before(run, wheel):
    """Normal force [N] on a wheel in the last step."""
    return max(0.0, run.channels.impulse[wheel.row]) / run.clock.step


@kernel
def tyre_trail(wheel, tangent, load):
    """Pneumatic trail [m] of ``contact.PneumaticTrail``; tangent: of the slip angle; load [N]."""
    deflection = min(load * wheel.give, wheel.radius)
    half = math.sqrt(deflection * (2.0 * wheel.radius - deflection))
    q = min(tangent / wheel.slope, 1.0)
    left = 1.0 - q
    return wheel.trail * half * left * left * left / (left + q * q / 3.0)


@kernel
def soil_trail(wheel, tangent, load):
    """Pneumatic trail [m] of ``contact.SoilTrail``, bilinear between the nodes of the soil's table.

    tangent: of the slip angle; load: normal force [N].
    """
    x = (TRAIL_ANGLES - 1.0) * tangent / (tangent + wheel.slope)
    y = log(max(load / wheel.lightest, 1.0)) / wheel.heavier
    y, t = min(y, TRAIL_LOADS - 1.0), 0.0
    for k in range(TRAIL_ANGLES):
        share = max(0.0, 1.0 - abs(x - k))
        for m in range(TRAIL_LOADS):
            t += share * max(0.0, 1.0 - abs(y - m)) * wheel.lengths[TRAIL_LOADS * k + m]
    return t


@kernel
def trail_behind(run, wheel, frame):
    """Move the point of a wheel's lateral row behind the contact point, against the direction of travel,
    by the pneumatic trail."""
    v_x, v_y, i, j = frame.velocity[3], frame.velocity[2], 6 * wheel.body, wheel.jac + 12
    # below a speed of 0.1 m/s the pneumatic trail decreases to 0 with the speed
    speed, load = max(abs(v_x), 0.1), load_before(run, wheel)
    t = abs(v_y) / speed
    t = (tyre_trail(wheel, t, load) if wheel.trails == 1 else soil_trail(wheel, t, load)) * v_x / speed
    n = frame.normal
    t /= math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    # moment of the lateral force per newton, with its point of action t [m] behind the contact point:
    # (-t forward) x left = -t n
    for k in range(3):
        run.jacobian[j + 3 + k] -= t * n[k]
        frame.velocity[2] -= t * n[k] * run.velocity[i + 3 + k]


@kernel
def detect_soft_wheels(run):
    """:func:`detect_wheels` of a machine whose wheels are all on plane soil."""
    for m in range(len(run.wheels)):
        wheel, frame = run.wheels[m], run.wheel_state[m]
        share = wheel_on_plane(run, wheel, frame)
        wheel_rows(run, wheel, frame, share, -wheel.slack * load_before(run, wheel))
        wheel_channels(run, wheel, frame)
        if wheel.trails > 0:
            trail_behind(run, wheel, frame)


@kernel
def detect_wheels(run):
    """Write frames, Jacobian rows and velocities of all wheels; on hard ground also compliance and bias.

    On hard ground the contact point is the rim's lowest point moved along the normal by the penetration,
    so that the sliding velocity refers to the loaded radius. On soil the slip refers to the effective
    rolling radius: the undeformed radius less ``slack`` [m/N] times the normal force of the last step.
    """
    v, h, wheels, soft = run.velocity, run.clock.step, run.wheels, run.count.soil_wheels
    e, b = run.channels.compliance, run.channels.bias
    for m in range(len(wheels)):
        wheel, frame, row = wheels[m], run.wheel_state[m], wheels[m].row
        share = wheel_frame(run, wheel, frame)
        gap = frame.gap
        lift = -wheel.slack * load_before(run, wheel) if m < soft else min(gap, 0.0)  # m < soft: on soil
        wheel_rows(run, wheel, frame, share, lift)
        wheel_channels(run, wheel, frame)
        if wheel.trails > 0:
            trail_behind(run, wheel, frame)
        stiffness, damping = wheel.stiffness, wheel.damping
        s = h * stiffness + damping
        e[row] = 1.0 / (h * s)
        b[row] = stiffness * gap / s
        if m >= soft and wheel.gamma > 0.0 and wheel.friction > 0.0:
            least = LEAST_RELATIVE_LOAD * stiffness * wheel.radius
            load = max(-stiffness * gap - damping * frame.velocity[0], least)
            v_x = forward_speed(v, wheel.body, run.position, frame)
            bound = wheel.friction * load
            e[row + 2] = lateral_compliance(v_x, frame.velocity[2], bound, wheel.gamma) / h
            if wheel.cone != 0.0:
                e[row + 2] *= rolling_share(v_x, frame.velocity[1])


@kernel
def release_wheels(run):
    """Leave out wheels on hard ground that stay above it in this step: ``gap + h u_free > 0``.

    h: step length; u_free: normal velocity without contact forces. The normal row of such a wheel would
    apply a damping force across its open gap.
    """
    free, live, wheels = run.channels.free, run.channels.live, run.wheels
    for m in range(run.count.soil_wheels, len(wheels)):
        wheel = wheels[m]
        if run.wheel_state[m].gap + run.clock.step * free[wheel.row] > 0.0:
            for k in range(wheel.channels):
                live[wheel.row + k] = 0
