"""Residual of a step: its nonlinear problem, with the ground laws, as one equation, and its slopes.

Unknown are the impulses z of the wheels' forces (normal, thrust, resistance, side, spin row) and of
the rows beside them; they lead to the velocities ``w = A z + b``. A solution is a point that is
its own projection, with all of the law taken at w and not at a linearisation point:

    F(z) = z - P(z),   P = clip(z - w / a_ii) onto the bounds,   P_t = f + clip(z - f - v_t / a_ii)

for a thrust f(w, load) and its set-valued part; with an ellipse at rest the projection onto it.
P is bounded except for the loads, so F = 0 has a solution for any slopes of the laws. Friction
outside the wheels is projected onto its cone (or box), sized by its normal impulse.
"""

from __future__ import annotations

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel

from . import layout as at
from .friction_beside import follow_velocity, gather_friction, open_friction
from .wheel_projection import FORCES, forces_of, row_of_force

NUDGE = 1e-7  # of a difference, relative


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
    start = part("n", "scaled impulses at the start of the path")
    point = part("n", "scaled impulses on the path")
    trial = part("n", "scaled impulses of a trial point")
    z = part("n", "impulses of the trial point [N s]")
    w = part("n", "velocities of the trial point [m/s]")
    open = part("n", "F at the trial point, scaled")


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
