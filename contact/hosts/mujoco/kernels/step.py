"""Compiled part of the MuJoCo adapter: the mobility of one of its steps, from its own memory.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and then takes damping implicitly:

    (M + h D_v) a' = M a,    v+ = v + h a'

so the mobility is ``(M + h D_v)^-1 M (M + E)^-1``. M + E is factored, sparsely; a wheel's rows touch
the few freedoms between it and the root, so its forward substitution visits a fifth of the factor, and
two wheels share a few places only. What damping changes is in ``damping``. The integrator
``discrete`` has no second stage: it solves with M and all springs and dampers at once, ``add_metric``.
"""

from __future__ import annotations

import ctypes
import functools

from numba import carray, types

from contact.hosts.kernels import layout as L
from contact.hosts.kernels.exchange import solve_ground
from contact.kernels import layout as at
from mlcp.jit import c_entry, kernel, part

from .damping import damp, damped_response, damper_forces, read_dampers
from .data import APPLY, GREW, START, step_at
from .elimination import (
    PIVOT_FLOOR,
    add_products,
    add_seen,
    backward,
    backward_panel,
    backward_some,
    clear,
    eliminate,
    forward,
    forward_panel,
    lay_channels,
    panel,
)
from .rows import add_active_rows
from .vector import WIDTH


@kernel
def place_wheels(step):
    """Wheel centres and spin axes in the world, from where they sit in their bodies."""
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
    """The channels' rows over MuJoCo's freedoms: those on the way from each wheel to its root."""
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


@part
def add_metric(step):
    """What the integrator ``discrete`` adds to M: springs and dampers of joints and tendons, all of them
    implicit, and their force at the start of the step. Returns 0 or GREW."""
    metric, tendons, V, free, order = (
        step.metric,
        step.tendons,
        step.factor.values,
        step.free,
        step.order,
    )
    n, J, column = len(order), tendons.values, tendons.column
    for k in range(n):
        V[k] += metric.diagonal[order[k]]
        free[k] += metric.force[order[k]]
    for t in range(len(metric.tendon)):
        r = metric.tendon[t]
        first = tendons.first[r]
        for m in range(first, first + tendons.count[r]):
            for p in range(first, m + 1):
                to = step.slot[column[m] * n + column[p]]
                if to == len(V) - 1:
                    return GREW
                V[to] += metric.scale[t] * J[m] * J[p]
    return 0


@part
def lay_mass(step):
    """M and the forces without rows, in the order of elimination, and the floor of the pivots."""
    V, least, free = step.factor.values, step.factor.least, step.free
    M, smooth, order, mass_slot = step.host.mass, step.host.smooth, step.order, step.mass_slot
    clear(V)
    for m in range(len(M)):
        V[mass_slot[m]] = M[m]
    for k in range(len(order)):
        free[k] = smooth[order[k]]
        least[k] = max(0.0, PIVOT_FLOOR * V[k])  # rows only make pivots larger


@part
def mobility(step, h):
    """What the channels see of the step: B, u, u_free. Returns 0, a code, or 100 + a freedom."""
    options, factor, damping, n = step.options, step.factor, step.damping, len(step.order)
    damped = options.damped == 1
    if damped:
        if not read_dampers(step):
            return GREW
        damped_response(step, h)
    lay_mass(step)
    code = 0
    if options.metric == 1:
        code = add_metric(step)
    if code == 0 and options.rows > 0:
        code = add_active_rows(step)
    if code != 0:
        return code
    code = eliminate(factor, False)
    if code >= 0:
        return 100 + step.order[code]
    lay_channels(step.panels, step.paths, step.channels)
    undamped(step)
    if damped:
        for p in range(len(step.panels.reach_at) - 1):
            backward_panel(factor, damping.needed, step.panels, p, damping.seen)
        backward_some(factor, damping.needed, step.free, damping.seen_free)
        damper_forces(damping, n, h)
        damp(damping, n, step.seen, step.seen_free)
    hand_over(step, h)
    return 0


@kernel
def undamped(step):
    """Without damping: mobility and free acceleration of the channels, D^-1 L^-1 of the forces."""
    factor, panels, free, V = step.factor, step.panels, step.free, step.factor.values
    B, a, shared, shared_at = step.seen, step.seen_free, step.shared, step.shared_at
    Y, Z, reach_at, n, wide = panels.rows, panels.scaled, panels.reach_at, len(free), len(a)
    pair = 0
    clear(B)
    clear(a)
    forward(factor, free)
    for k in range(n):
        free[k] *= V[k]
    for i in range(len(reach_at) - 1):
        forward_panel(factor, panels, i)
        own, reach = Y[WIDTH * n * i :], panels.reach[reach_at[i] : reach_at[i + 1]]
        add_seen(own, reach, free, reach, a[WIDTH * i :])
        for j in range(i + 1):
            both = shared[shared_at[pair] : shared_at[pair + 1]]
            add_products(own, both, Z[WIDTH * n * j :], both, B[WIDTH * (wide * i + j) :], wide)
            pair += 1
        for r in range(WIDTH * i, WIDTH * (i + 1)):
            for c in range(WIDTH * i):
                B[c * wide + r] = B[r * wide + c]


@kernel
def hand_over(step, h):
    """To the ground: mobility of the channels, their velocities now, and at the end without it."""
    ground, A, v = step.ground, step.channels, step.host.velocity
    B, seen, wide = ground.mobility, step.seen, len(step.seen_free)
    at_path, freedom = step.paths.at, step.paths.freedom
    C = B.shape[0]
    for r in range(C):
        for c in range(C):
            B[r, c] = seen[r * wide + c]
    for i in range(len(step.wheels)):
        for c in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
            total = 0.0
            for m in range(at_path[i], at_path[i + 1]):
                total += A[c, freedom[m]] * v[freedom[m]]
            ground.u[c] = total
            ground.u_free[c] = total + h * step.seen_free[c]


@part
def push(step, h, stages):
    """The ground's generalised force; and the acceleration that MuJoCo's solver may start from."""
    q, A, force, host = step.ground.impulses, step.channels, step.force, step.host
    at_path, freedom, W, n = step.paths.at, step.paths.freedom, len(step.wheels), len(step.order)
    clear(force)
    for i in range(W):
        c = at.CHANNELS * i
        for m in range(at_path[i], at_path[i + 1]):
            k = freedom[m]
            force[k] += (
                A[c, k] * q[c] + A[c + 1, k] * q[c + 1] + A[c + 2, k] * q[c + 2] + A[c + 3, k] * q[c + 3]
            ) / h
    if stages & APPLY:
        for k in range(n):
            step.own[k] = host.applied[k]
            host.applied[k] += force[k]
    if step.options.rows > 0 and stages & START:
        x, Z = step.free, step.panels.scaled
        reach_at, reach = step.panels.reach_at, step.panels.reach
        for i in range(W):
            base, c = panel(n, i), at.CHANNELS * i
            for m in range(reach_at[i // 2], reach_at[i // 2 + 1]):
                o = base + WIDTH * reach[m]
                x[reach[m]] += (
                    Z[o] * q[c] + Z[o + 1] * q[c + 1] + Z[o + 2] * q[c + 2] + Z[o + 3] * q[c + 3]
                ) / h
        backward(step.factor, x)
        for k in range(n):
            host.last[step.order[k]] = x[k]


@part
def run(step, stages):
    """Read MuJoCo's step, solve the ground, write its generalised force; returns a code.

    Codes of ``layout``, GREW, CROWDED, or 100 + the freedom whose pivot fails. ``stages``: without
    SOLVE it stops after the mobility.
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
        push(step, h, stages)
    return code


def make(key):
    """The function to compile; ``key`` holds the hash of all kernel sources, for Numba's cache."""

    def mujoco_step(places, stages):
        key
        return run(step_at(carray(places, (1,))), stages)

    return mujoco_step


@functools.cache
def compiled():
    """``int64_t mujoco_step(int64_t *places, int64_t stages)``; its life is the process's."""
    signature = types.int64(types.CPointer(types.int64), types.int64)
    return c_entry(make, signature, "mlcp", "contact")


@functools.cache
def entry():
    """The function as Python calls it: ``entry()(Lent.address, stages)``."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(compiled().address)
