"""What the ground laws leave open: the true problem of a step as one equation, and its slopes.

Unknown are the impulses z of the wheels' forces (normal, thrust, resistance, side, spin row) and of
the rows beside them; they lead to the velocities ``w = A z + b``. A solution is a point that is
its own projection, with all of the law taken at w and not at a linearisation point:

    F(z) = z - P(z),   P = clip(z - w / a_ii) onto the bounds,   P_t = f + clip(z - f - v_t / a_ii)

for a thrust f(w, load) and what of it is set-valued; with an ellipse at rest the projection onto it.
P is bounded but for the loads, so that F = 0 has a solution whatever the laws' slopes. Friction
beside the wheels is projected onto its cone (or its box), whose size follows its normal impulse.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel

from . import layout as at
from .combined import lateral_force, left_beside, motion_at, thrust_at
from .lateral_rows import share_beside
from .points import row_of_coordinate
from .slip import STUCK
from .wheel_law import ellipse_share, hold_ratio, law_at

FORCES = 5  # of a wheel, in the order of ``row_of_force``
NUDGE = 1e-7  # of a difference, relative


class Beside(NamedTuple):
    """Friction of the rows of no wheel, by row; empty where none of them rubs."""

    parent: Any  # row of the normal force, -1: none
    partner: Any  # second tangent of a cone's first, -1: none
    coefficient: Any  # [-]
    live: Any  # 0: carries nothing in this step


class PathWork(Workspace, sizes="n"):
    """The unknowns, where a path through them is, and its equations."""

    matrix = part("n n + 2 n + 1", "slopes of the equations, the path's direction in the last row")
    right = part("n + 1", "right-hand side and solution")
    ahead = part("n + 1", "direction of the path: of the unknowns, then of its parameter")
    row = part("n", "that stands for each unknown")
    normal = part("n", "the unknown whose size bounds each as friction, -1: none")
    partner = part("n", "the second tangent of a cone's first, its own number of a box's; -1: a second")
    coefficient = part("n", "of that friction [-]")
    scale = part("n", "[N s] of each unknown")
    start = part("n", "scaled impulses where the path starts")
    point = part("n", "and on the path")
    trial = part("n", "and at a point that is tried")
    z = part("n", "that point's impulses [N s]")
    w = part("n", "and velocities [m/s]")
    open = part("n", "F there, scaled")


@kernel
def row_of_force(i, k, wheels):
    """Row that stands for a force of wheel i: normal, thrust, resistance, lateral, spin; -1: none."""
    wheel = wheels.each[i]
    if k == 4:
        return wheel.spin_row
    return row_of_coordinate(i, 3 if k == 0 else k - 1 if k < 3 else 2, wheels)


@kernel
def forces(i, wheels):
    """How many forces wheel i has."""
    count = 3
    for k in range(3, FORCES):
        if row_of_force(i, k, wheels) >= 0:
            count += 1
    return count


@kernel
def clip(x, most):
    """x within -+ most."""
    return min(max(x, -most), most)


@kernel
def thrust_and_side(i, h, z, w, wheels, rows):
    """P of thrust and lateral force of a wheel that rolls, or is held sideways only."""
    now = wheels.now[i]
    load, motion = z[0] / h, motion_at(i, w[1], w[2], w[3], wheels)
    ratio, _, jump, _, _, peak, share = thrust_at(i, motion, load, wheels)
    x, y = row_of_force(i, 1, wheels), row_of_force(i, 3, wheels)
    side, most = 0.0, 0.0
    if y >= 0:
        side, _, largest = lateral_force(i, load, motion, wheels)
        most = h * largest
    if now.held_y == 1.0:
        now.beside = min(1.0, abs(z[3]) / max(most, 1e-300))
        most *= share_beside(i, ratio, jump, peak, wheels)
        share = ellipse_share(i, ratio, jump, peak, load, w[2], w[3], wheels)
    force = z[0] * share * ratio if abs(w[1]) > STUCK else 0.0
    thrust = force + clip(z[1] - force - w[1] / rows.A[x, x], z[0] * share * jump)
    if now.held_y == 1.0:
        return thrust, clip(z[3] - w[3] / rows.A[y, y], most)
    return thrust, -h * share * side


@kernel
def hold_at_rest(i, h, z, w, wheels, rows):
    """The same of a wheel at rest: within its capacities, or on their ellipse."""
    wheel, now, load = wheels.each[i], wheels.now[i], z[0] / h
    _, _, jump, _, _, _ = law_at(i, now.slip, now.direction, now.v_max, load, wheels)
    x, y = row_of_force(i, 1, wheels), row_of_force(i, 3, wheels)
    most_x = z[0] * (jump + hold_ratio(i, load, wheels))
    a_x = rows.A[x, x]
    if y < 0:
        return clip(z[1] - w[1] / a_x, most_x), 0.0
    motion = motion_at(i, w[1], w[2], w[3], wheels)
    side, _, largest = lateral_force(i, load, motion, wheels)
    if wheel.relaxes == 1:
        most_x *= left_beside(i, load, motion, wheels)
        return clip(z[1] - w[1] / a_x, most_x), -h * side
    most_y, a_y = h * largest, rows.A[y, y]
    if wheel.ellipse == 0 or most_x <= 0.0 or most_y <= 0.0:
        return clip(z[1] - w[1] / a_x, most_x), clip(z[3] - w[3] / a_y, most_y)
    flow_x, flow_y = (most_y, most_x) if wheel.sliding == 1 else (most_x, most_y)  # as ``flow_of``
    stiff = max(a_x * most_x * flow_x, a_y * most_y * flow_y)
    d_x = z[1] / most_x - w[1] * flow_x / stiff
    d_y = z[3] / most_y - w[3] * flow_y / stiff
    over = max(1.0, math.hypot(d_x, d_y))
    return most_x * d_x / over, most_y * d_y / over


@kernel
def forces_of(i, h, z, w, wheels, rows):
    """P of wheel i's forces [N s] at its impulses z and velocities w, all in the order of FORCES."""
    now = wheels.now[i]
    row = row_of_force(i, 0, wheels)
    normal = min(max(0.0, z[0] - w[0] / rows.A[row, row]), rows.upper[row])
    if z[0] <= 0.0:
        return normal, 0.0, 0.0, 0.0, 0.0
    slip, direction, v_max, _, _, _ = motion_at(i, w[1], w[2], w[3], wheels)
    _, _, _, gamma, rho, _ = law_at(i, slip, direction, v_max, z[0] / h, wheels)
    if now.at_rest == 1.0:
        thrust, side = hold_at_rest(i, h, z, w, wheels, rows)
    else:
        thrust, side = thrust_and_side(i, h, z, w, wheels, rows)
    if now.standing == 1.0 and slip != 0.0:
        _, _, _, gamma, _, _ = law_at(i, 0.0, direction, v_max, z[0] / h, wheels)
    row = row_of_force(i, 2, wheels)
    resistance = clip(z[2] - w[2] / rows.A[row, row], z[0] * gamma)
    row = row_of_force(i, 4, wheels)
    if row < 0:
        return normal, thrust, resistance, side, 0.0
    moment = -z[0] * rho * direction
    if rho >= 0.0:
        moment = clip(z[4] - w[4] / rows.A[row, row], z[0] * rho)
    return normal, thrust, resistance, side, moment


@kernel
def gather(W, wheels, rows, beside):
    """The unknowns: rows that stand for a force, and those of no wheel; returns how many."""
    n, count = 0, len(wheels.each)
    for i in range(count):
        for k in range(FORCES):
            row = row_of_force(i, k, wheels)
            if row >= 0:
                W.row[n] = row
                n += 1
    first = n
    for row in range(rows.z.shape[0]):
        own = False
        for i in range(count):
            wheel = wheels.each[i]
            own = own or wheel.row <= row < wheel.row + at.ROWS
            own = own or row == wheel.spin_row
            own = own or wheel.lateral_row <= row < wheel.lateral_row + 2
        if not own:
            W.row[n] = row
            n += 1
    for k in range(first, n):
        W.normal[k], W.partner[k], W.coefficient[k] = -1.0, float(k), 0.0
    if beside.parent.shape[0] > 0:
        gather_friction(first, n, W, beside)
    return n


@kernel
def gather_friction(first, n, W, beside):
    """Which of these unknowns are friction, by the numbers of the unknowns."""
    for k in range(first, n):
        row = int(W.row[k])
        if beside.parent[row] < 0:
            continue
        W.coefficient[k] = beside.coefficient[row] if beside.live[row] != 0 else 0.0
        for j in range(first, n):
            other = int(W.row[j])
            if other == beside.parent[row]:
                W.normal[k] = j
            if other == beside.partner[row]:
                W.partner[k], W.partner[j] = j, -1.0


@kernel
def own_point(i, first, W, wheels):
    """Impulses and velocities of wheel i, whose unknowns start at ``first``; and where they end."""
    k = first
    z_n, w_n, z_t, w_t, z_x, w_x = W.z[k], W.w[k], W.z[k + 1], W.w[k + 1], W.z[k + 2], W.w[k + 2]
    k += 3
    z_y, w_y, z_r, w_r = 0.0, 0.0, 0.0, 0.0
    if row_of_force(i, 3, wheels) >= 0:
        z_y, w_y = W.z[k], W.w[k]
        k += 1
    if row_of_force(i, 4, wheels) >= 0:
        z_r, w_r = W.z[k], W.w[k]
        k += 1
    return (z_n, z_t, z_x, z_y, z_r), (w_n, w_t, w_x, w_y, w_r), k


@kernel
def moved(x, k, step):
    """x with its k-th number moved by a step."""
    return (
        x[0] + step if k == 0 else x[0],
        x[1] + step if k == 1 else x[1],
        x[2] + step if k == 2 else x[2],
        x[3] + step if k == 3 else x[3],
        x[4] + step if k == 4 else x[4],
    )


@kernel
def add_slopes(i, h, first, n, W, wheels, rows):
    """Rows of wheel i in F and in its matrix (n + 1 wide), by differences; where its unknowns end."""
    z, w, end = own_point(i, first, W, wheels)
    values = forces_of(i, h, z, w, wheels, rows)
    speed = NUDGE * max(abs(w[2] - w[1]), abs(w[2]), wheels.each[i].v_0)
    impulse = NUDGE * max(z[0], 1e-3)
    a = first
    for k in range(FORCES):
        if row_of_force(i, k, wheels) < 0:
            continue
        W.open[a] = (z[k] - values[k]) / W.scale[a]
        W.matrix[a * (n + 1) + a] += 1.0
        a += 1
    c = first
    for k in range(FORCES):
        if row_of_force(i, k, wheels) < 0:
            continue
        by_z = forces_of(i, h, moved(z, k, impulse), w, wheels, rows)
        by_w = forces_of(i, h, z, moved(w, k, speed), wheels, rows)
        a = first
        for m in range(FORCES):
            if row_of_force(i, m, wheels) < 0:
                continue
            change = (by_z[m] - values[m]) / impulse * W.scale[c] / W.scale[a]
            W.matrix[a * (n + 1) + c] -= change
            change = (by_w[m] - values[m]) / speed / W.scale[a]
            if change != 0.0:
                for j in range(n):
                    slope = rows.A[int(W.row[c]), int(W.row[j])] * W.scale[j]
                    W.matrix[a * (n + 1) + j] -= change * slope
            a += 1
        c += 1
    return end


@kernel
def open_at(point, h, n, W, wheels, rows):
    """F and its matrix, both scaled, at a point of scaled impulses."""
    for k in range(n):
        W.z[k] = point[k] * W.scale[k]
        for j in range(n + 1):
            W.matrix[k * (n + 1) + j] = 0.0
    for k in range(n):
        row = int(W.row[k])
        total = rows.b[row]
        for j in range(n):
            total += rows.A[row, int(W.row[j])] * W.z[j]
        W.w[k] = total
    first = 0
    for i in range(len(wheels.each)):
        first = add_slopes(i, h, first, n, W, wheels, rows)
    for k in range(first, n):
        if W.normal[k] >= 0.0:
            open_friction(k, n, W, rows)
            continue
        row = int(W.row[k])
        back = W.z[k] - W.w[k] / rows.A[row, row]
        most = min(max(back, rows.lower[row]), rows.upper[row])
        W.open[k] = (W.z[k] - most) / W.scale[k]
        if rows.lower[row] < back < rows.upper[row]:
            follow_velocity(k, k, 1.0 / rows.A[row, row], n, W, rows)
        else:
            W.matrix[k * (n + 1) + k] = 1.0


@kernel
def follow_velocity(k, other, share, n, W, rows):
    """Add the slopes of a share of unknown ``other``'s velocity to row k of the matrix."""
    row = int(W.row[other])
    for j in range(n):
        slope = rows.A[row, int(W.row[j])] * W.scale[j] / W.scale[k]
        W.matrix[k * (n + 1) + j] += share * slope


@kernel
def open_friction(k, n, W, rows):
    """F and its slopes of friction beside the wheels: of a cone's both tangents, or of a box's one."""
    j, normal, mu, wide = int(W.partner[k]), int(W.normal[k]), W.coefficient[k], n + 1
    if j < 0:
        return  # with its cone's first tangent
    a = rows.A[int(W.row[k]), int(W.row[k])]
    x, y, most = W.z[k] - W.w[k] / a, 0.0, mu * max(0.0, W.z[normal])
    if j != k:
        a = max(a, rows.A[int(W.row[j]), int(W.row[j])])
        x, y = W.z[k] - W.w[k] / a, W.z[j] - W.w[j] / a
    size = math.hypot(x, y)
    if size <= most:
        W.open[k] = W.w[k] / a / W.scale[k]
        follow_velocity(k, k, 1.0 / a, n, W, rows)
        if j != k:
            W.open[j] = W.w[j] / a / W.scale[j]
            follow_velocity(j, j, 1.0 / a, n, W, rows)
        return
    x, y = x / size, y / size
    grows = mu * W.scale[normal] if W.z[normal] > 0.0 else 0.0
    W.open[k] = (W.z[k] - most * x) / W.scale[k]
    W.matrix[k * wide + k] += 1.0
    W.matrix[k * wide + normal] -= x * grows / W.scale[k]
    if j == k:
        return
    W.open[j] = (W.z[j] - most * y) / W.scale[j]
    W.matrix[j * wide + j] += 1.0
    W.matrix[j * wide + normal] -= y * grows / W.scale[j]
    turns = most / size  # the direction turns with what is projected: (I - n n') of it
    W.matrix[k * wide + k] -= turns * y * y
    W.matrix[k * wide + j] += turns * x * y * W.scale[j] / W.scale[k]
    W.matrix[j * wide + j] -= turns * x * x
    W.matrix[j * wide + k] += turns * x * y * W.scale[k] / W.scale[j]
    follow_velocity(k, k, turns * y * y / a, n, W, rows)
    follow_velocity(k, j, -turns * x * y / a, n, W, rows)
    follow_velocity(j, j, turns * x * x / a, n, W, rows)
    follow_velocity(j, k, -turns * x * y / a, n, W, rows)
