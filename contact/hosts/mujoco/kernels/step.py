"""Compiled part of the MuJoCo adapter: mobility of one MuJoCo step, from MuJoCo's memory.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and then takes damping implicitly:

    (M + h D_v) a' = M a,    v+ = v + h a'

with the mass matrix M, forces f, the rows' Jacobian J_e, weights D and reference accelerations a_ref,
the damping D_v and the step length h. So the mobility is ``(M + h D_v)^-1 M (M + E)^-1``. M + h D_v and
M + E are dense here, factored from the last freedom to the first: wheels come after the chassis, so
zeros between two wheels stay zeros and are skipped. The integrator ``discrete`` has no second stage: it
solves with M and all springs and dampers at once.
"""

from numba import carray, types

from contact.hosts.kernels import layout as L
from contact.hosts.kernels.algebra import factor, solve_rows
from contact.hosts.kernels.exchange import solve_ground
from contact.kernels.wheel import layout as at
from mlcp.jit import c_entry, kernel, part

from .damping import damp
from .data import APPLY, START, step_at
from .rows import add_rows, add_square


@kernel
def place_wheels(step):
    """Set wheel centres and spin axes in world axes from those in their bodies' axes."""
    host, ground = step.host, step.ground
    for i in range(len(step.wheels)):
        wheel = step.wheels[i]
        p, R = host.position[wheel.body], host.rotation[wheel.body]
        for r in range(3):
            centre, left = p[r], 0.0
            for c in range(3):
                centre += R[3 * r + c] * wheel.centre[c]
                left += R[3 * r + c] * wheel.axis[c]
            ground.position[i, r], ground.axis[i, r] = centre, left


@kernel
def twist_rows(step):
    """Set the channels' rows A over MuJoCo's freedoms, nonzero on each wheel's path to its root."""
    host, A, at_path, freedom = step.host, step.channels, step.paths.at, step.paths.freedom
    for i in range(len(step.wheels)):
        centre, root = step.ground.position[i], host.root_centre[step.wheels[i].root]
        dx, dy, dz = centre[0] - root[0], centre[1] - root[1], centre[2] - root[2]
        for p in range(at_path[i], at_path[i + 1]):
            k = freedom[p]
            motion = host.motion[k]
            x, y, z = motion[0], motion[1], motion[2]
            vx = motion[3] + y * dz - z * dy
            vy = motion[4] + z * dx - x * dz
            vz = motion[5] + x * dy - y * dx
            for c in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
                m = step.ground.map[c]
                A[c, k] = m[0] * vx + m[1] * vy + m[2] * vz + m[3] * x + m[4] * y + m[5] * z


@kernel
def assemble(step):
    """Assemble MuJoCo's matrix M + E (lower triangle) and the right-hand sides A' and forces."""
    H, X, A, host, mass = step.factor, step.response, step.channels, step.host, step.host.mass
    count, n = A.shape
    for k in range(n):
        for j in range(k):
            H[k, j] = 0.0
        for m in range(mass.first[k], mass.first[k] + mass.count[k]):
            H[k, mass.column[m]] = mass.values[m]
        for c in range(count):
            X[k, c] = A[c, k]
        X[k, count] = host.smooth[k]
    if step.options.metric == 1:
        metric = step.metric
        for k in range(n):
            H[k, k] += metric.diagonal[k]
            X[k, count] += metric.force[k]
        for t in range(len(metric.tendon)):
            add_square(H, step.tendons, metric.tendon[t], metric.scale[t], step.scratch)
    if step.options.rows > 0:
        add_rows(step.equations, host.last, H, X, count, step.scratch)


@kernel
def write_channels(step, X, h):
    """Write the channels' mobility B and velocities to the ground's memory: u at the start of the step,
    u_free at the end of the step without the ground."""
    ground, A, v, B = step.ground, step.channels, step.host.velocity, step.ground.mobility
    at_path, freedom, C = step.paths.at, step.paths.freedom, step.channels.shape[0]
    for i in range(len(step.wheels)):
        for r in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
            speed, change = 0.0, 0.0
            for c in range(C):
                B[r, c] = 0.0
            for m in range(at_path[i], at_path[i + 1]):
                k = freedom[m]
                f = A[r, k]
                speed += f * v[k]
                change += f * X[k, C]
                for c in range(C):
                    B[r, c] += f * X[k, c]
            ground.u[r], ground.u_free[r] = speed, speed + h * change


@kernel
def mobility(step, h):
    """Compute the channels' mobility and velocities (``write_channels``); return 0, or 100 + the number
    of a freedom without mass."""
    H, X = step.factor, step.response
    n, columns = X.shape
    assemble(step)
    code = factor(H, n, False)
    if code >= 0:
        return 100 + code
    solve_rows(H, n, X, columns)
    if step.options.damped == 1:
        damp(step, h)
        write_channels(step, step.damping.response, h)
    else:
        write_channels(step, X, h)
    return 0


@kernel
def apply_forces(step, h, stages):
    """Set the ground's generalised force; with APPLY add it to the user's forces, with START set the
    starting acceleration of MuJoCo's solver."""
    q, A, X, force, host = step.ground.impulses, step.channels, step.response, step.force, step.host
    C, n = A.shape
    for k in range(n):
        total, acceleration = 0.0, X[k, C]
        for c in range(C):
            total += A[c, k] * q[c]
            acceleration += X[k, c] * q[c] / h
        force[k] = total / h
        if stages & APPLY:
            step.own[k] = host.applied[k]
            host.applied[k] += force[k]
        if step.options.rows > 0 and stages & START:
            host.last[k] = acceleration


@part
def run(step, stages):
    """Read MuJoCo's step, solve the ground and write its generalised force; return a code.

    The code is one of ``layout``, or 100 + the freedom of a failing pivot. Without SOLVE in ``stages``
    no force is computed.
    """
    place_wheels(step)
    code = solve_ground(step.ground, L.DETECT)
    if code != L.DONE:
        return code
    twist_rows(step)
    h = step.ground.step[0]
    code = mobility(step, h)
    if code != 0:
        return code
    code = solve_ground(step.ground, stages)
    if code == L.DONE and stages & L.SOLVE:
        apply_forces(step, h, stages)
    return code


@c_entry(types.int64(types.CPointer(types.int64), types.int64), "mlcp", "contact")
def mujoco_step(places, stages):
    """Run the stages on MuJoCo's memory at ``places`` (``Borrowed.address``); returns a code."""
    return run(step_at(carray(places, (1,))), stages)
