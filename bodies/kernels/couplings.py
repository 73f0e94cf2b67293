"""Rows over joint coordinates: gears, drives, springs, engines (bilateral), brakes, stops (bounded)."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from .engine import admittance, engine_line
from .tables import value_at

FLOOR = 1e-9  # [N s/m] least h k + c of a row of force, so that a flat stretch of a table is a row


@kernel
def spring_force(run, spring, x, v):
    """Force f(x, v), stiffness and damping of one spring coupling (linear part plus tables)."""
    p, table = spring.p, spring.table
    k, c = p[0], p[1]
    s = x - p[2]
    f = k * s + c * v
    if table[0] >= 0:
        y, slope = value_at(run, table[0], s)
        f += y
        k += slope
    if table[1] >= 0:
        y, slope = value_at(run, table[1], v)
        f += y
        c += slope
    return f, k, c


@kernel
def force_row(f, k, c, v, h):
    """``(e, b)`` of a force f at the start of the step, resisting, with slopes k and c.

    ``p = -h (f + h k v+ + c (v+ - v))``. A slope below 0, which drives, is left out: that part of the
    force is the one at the start of the step.
    """
    k = max(k, 0.0)
    c = max(c, FLOOR - h * k, 0.0)
    s = h * k + c
    return 1.0 / (h * s), (f - c * v) / s


@kernel
def gear_ratio(run, gearbox, gear):
    """Ratio of the engaged gear, 0 in neutral."""
    g = math.floor(gear + 0.5)
    g = min(max(g, -1.0), gearbox.p[0])
    return value_at(run, gearbox.table[0], g)[0]


@kernel
def gap_bias(gap, h, recovery):
    """Bias of a unilateral row: an open gap may just close, a penetration recovers by a share."""
    return gap / h if gap > 0.0 else recovery * gap / h


@kernel
def rotor_admittance(run, c):
    """Change of the rate of coordinate c by a unit impulse on it, its two bodies free."""
    C, M, nb, it = run.coordinate_jac, run.mass_block, run.count.bodies, run.coordinates[c]
    total = 0.0
    if it.a < nb:
        total += run.clock.step * admittance(C, 12 * c, M, 36 * it.a)
    if it.b < nb:
        total += run.clock.step * admittance(C, 12 * c + 6, M, 36 * it.b)
    return total


@kernel
def combine(run, it, scale):
    """Value and rate of a coupling's combination, Jacobian written; ``scale``: of the second term."""
    q, rate, C, J = run.coordinate, run.coordinate_rate, run.coordinate_jac, run.jacobian
    term, x, v = it.term, 0.0, 0.0
    for k in range(it.terms):
        c, coordinate, ja, jb = it.coefficient[k], term[3 * k], term[3 * k + 1], term[3 * k + 2]
        if k == 1:
            c *= scale
        x += c * q[coordinate]
        v += c * rate[coordinate]
        for i in range(6):
            J[ja + i] += c * C[12 * coordinate + i]
            J[jb + i] += c * C[12 * coordinate + 6 + i]
    return x, v


@kernel
def bound_channel(run, it, x):
    """Compliance, bias and bounds of a brake, clutch, motor or stop whose coordinate is x."""
    clock, u, p, row = run.clock, run.input, it.p, it.row
    h = clock.step
    bias, lower, upper = 0.0, 0.0, 0.0
    if it.kind == codes.BRAKE or it.kind == codes.CLUTCH:
        upper = h * p[0] * min(max(u[it.signal[0]], 0.0), 1.0)
        lower = -upper
    elif it.kind == codes.MOTOR_SPEED:
        bias, lower, upper = -u[it.signal[0]], -h * p[0], h * p[0]
    elif x - p[0] <= p[1] - x:  # a stop: nearer to the lower one, which pushes up
        bias, upper = gap_bias(x - p[0], h, clock.recovery), math.inf
    else:
        bias, lower = -gap_bias(p[1] - x, h, clock.recovery), -math.inf
    run.channel_compliance[row] = 0.0
    run.channel_bias[row] = bias
    run.channel_lower[row] = lower
    run.channel_upper[row] = upper


@kernel
def assemble_couplings(run):
    """Jacobian, compliance, bias and bounds of every coupling."""
    u, J, E, B = run.input, run.jacobian, run.compliance, run.bias
    h, couplings = run.clock.step, run.couplings
    for m in range(len(couplings)):
        it = couplings[m]
        kind, row = it.kind, it.row
        scale = 1.0
        for k in range(it.jac_size):
            J[it.jac + k] = 0.0
        if kind == codes.GEARBOX:
            scale = gear_ratio(run, it, u[it.signal[0]])
            E[row] = 0.0
            if scale == 0.0:  # neutral: a row of zeros with e = 1 carries nothing
                E[row] = 1.0
                continue
        x, v = combine(run, it, scale)
        if kind == codes.SPRING:
            f, k, c = spring_force(run, it, x, v)
            E[row], B[row] = force_row(f, k, c, v, h)
        elif kind == codes.ENGINE:
            throttle = min(max(u[it.signal[0]], 0.0), 1.0)
            turn = rotor_admittance(run, it.term[0])
            f, c = engine_line(run, it.table[0], it.table[1], throttle, v, turn)
            E[row], B[row] = force_row(-f, 0.0, c, v, h)
        elif kind == codes.DRIVE_SPEED:
            B[row] = -u[it.signal[0]]
        elif kind == codes.DRIVE_POSITION:
            B[row] = (x - it.start - u[it.signal[0]]) / h
        elif kind >= codes.BRAKE:
            bound_channel(run, it, x)


@kernel
def measure_couplings(run):
    """Position error of the bilateral couplings that have one (gears and position drives)."""
    q, u, error, couplings = run.coordinate, run.input, run.error, run.couplings
    for m in range(len(couplings)):
        it = couplings[m]
        if it.kind == codes.GEAR or it.kind == codes.DRIVE_POSITION:
            x = -it.start
            for k in range(it.terms):
                x += it.coefficient[k] * q[it.term[3 * k]]
            if it.kind == codes.DRIVE_POSITION:
                x -= u[it.signal[0]]
            error[it.row] = x
