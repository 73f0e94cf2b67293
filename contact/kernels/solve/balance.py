"""A step's whole ground law as one equation, and its slopes.

The unknowns are the impulses z of the wheels' forces (normal, thrust, resistance, lateral, spin row) and
of all other rows; with them the velocities are ``w = A z + b``, the dense problem of ``reduced``. A
solution is a point that equals its projection P, with the whole law taken at w and not at a
linearisation point (a_ii: diagonal of A):

    F(z) = z - P(z),   P = clip(z - w / a_ii) onto the bounds,   P_t = f + clip(z - f - v_t / a_ii)

P_t is P of a thrust with the smooth part f(w, load) [N s]; the clip in P_t is onto the bounds of the
set-valued part.
At rest with an ellipse P projects onto the ellipse. P is bounded except for the loads, so that F = 0 has
a solution whatever the laws' slopes. Friction of other contacts is projected onto its cone (or its box),
whose size follows the normal impulse. ``newton`` solves F = 0; where it fails, ``continuation`` does.
"""

import math

from mlcp.compiled.branches import as_many, same, some, where
from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel

from ..laws.law import STRESSES
from ..rows.rest import bound_by_ellipse
from ..wheel import layout as at
from .other_friction import gather_friction, slopes_of_friction, value_of_friction
from .wheel_projection import FORCES, forces, forces_of, place_of_force, row_of_force

DIFFERENCE_STEP = 1e-7  # relative step of finite differences
# Order in which a wheel's impulses (0 to 4) and velocities (5 to 9) are changed for finite differences:
# those on which the ground law depends come last, since its values are memorised at one point only.
MOVES = (1, 2, 3, 4, 5, 9, 8, 0, 6, 7)


class Unknowns(WorkArray, sizes="n"):
    """The unknowns of the equation F = 0, its slopes, and the points of a search."""

    matrix = part("n n", "slopes of F")
    factored = part("n n", "their factorisation")
    right = part("n", "right-hand side, then the Newton step")
    row = part("n", "number of each unknown's row")
    normal = part("n", "of a friction impulse: unknown of the normal impulse that bounds it; -1: none")
    partner = part("n", "unknown of a cone's second tangent, a box's own number; -1: second tangent")
    coefficient = part("n", "friction coefficient [-]")
    scale = part("n", "unit of each unknown [N s]")
    start = part("n", "scaled impulses at the start of a search")
    point = part("n", "scaled impulses at the last Newton step")
    trial = part("n", "scaled impulses at a trial step length")
    own = part("n", "diagonal of A without the proximal term [1/kg]")
    offset = part("n", "b without the proximal term [m/s]")
    drive = part("n", "change of the velocities along a Newton step [m/s], times the scale")
    z = part("n", "impulses at the last evaluation of F [N s]")
    w = part("n", "velocities at the last evaluation of F [m/s]")
    open = part("n", "F at its last evaluation, scaled")


@kernel
def row_of(k, W):
    """Number of the row of unknown k."""
    return int(same(W.row[k]))


@kernel
def gather(W, wheels, rows, other_friction):
    """Number the unknowns: a row for each force of the wheels, then the rows that belong to no wheel;
    return the number of unknowns."""
    n, end = 0, 0
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        for k in range(FORCES):
            row = row_of_force(i, k, wheels)
            if row >= 0:
                W.row[n] = row
                n += 1
        end += at.ROWS + int(wheel.spin_row >= 0) + 2 * int(wheel.lateral_row >= 0)
    first = n
    for row in range(end, rows.z.shape[0]):
        W.row[n] = row
        n += 1
    gather_friction(first, n, W, other_friction)
    return n


@kernel
def begin(W, wheels, rows, other_friction):
    """Set the unknowns to the impulses of the last pass (linearised solve), and set their scales.

    Returns: ``(number of unknowns, whether any load is above 0)``.
    """
    n, size = gather(W, wheels, rows, other_friction), as_many(0.0, rows.z[0])
    for k in range(n):
        row = row_of(k, W)
        W.scale[k] = 1.0 / math.sqrt(rows.A[row, row])
        W.start[k] = rows.z[row]
    first = 0
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        W.start[first + 1] += rows.z[wheel.row + at.ROW_TRACTION]
        # unit of impulse k: size / sqrt(A_kk), size^2 = sum over wheels of A_tt (0.3 p_n)^2; p_n:
        # impulse of the load, A_tt: diagonal entry of the thrust
        weight = 0.3 * W.start[first] / W.scale[first + 1]
        size += weight * weight
        if wheel.lateral_row >= 0:
            W.start[first + 3] += rows.z[wheel.lateral_row]
        first += forces(i, wheels)
    weighs = size > 0.0
    size = where(weighs, math.sqrt(size), 1.0)
    for k in range(n):
        W.scale[k] *= size
        W.start[k] = W.start[k] / W.scale[k]
        W.point[k] = W.start[k]
    return n, weighs


@kernel
def value_at(point, h, n, W, wheels, rows):
    """Evaluate F at a point of scaled impulses; return |F|, the norm of the scaled values ``W.open``."""
    for k in range(n):
        W.z[k] = point[k] * W.scale[k]
    for k in range(n):
        row = row_of(k, W)
        total = rows.b[row]
        for j in range(n):
            total += rows.A[row, row_of(j, W)] * W.z[j]
        W.w[k] = total
    first = 0
    for i in range(len(wheels.each)):
        values = forces_of(i, first, h, W, wheels, rows)
        for k in range(FORCES):
            place = first + place_of_force(i, k, wheels)
            if place >= first:
                W.open[place] = (W.z[place] - values[k]) / W.scale[place]
        first += forces(i, wheels)
    for k in range(first, n):  # impulses with constant bounds
        row = row_of(k, W)
        back = W.z[k] - W.w[k] / rows.A[row, row]
        W.open[k] = (W.z[k] - min(max(back, rows.lower[row]), rows.upper[row])) / W.scale[k]
    value_of_friction(first, n, W, rows)
    size = as_many(0.0, h)
    for k in range(n):
        size += W.open[k] * W.open[k]
    return math.sqrt(size)


@kernel
def add_slopes(i, first, h, n, W, wheels, rows):
    """Set the rows of wheel i in the matrix (slopes of F) by finite differences at the last point of
    ``value_at``.

    The law has kinks at zero speed of rim, centre or contact point, and a solution may be at a kink.
    Therefore v_t is varied at constant rim speed, then the rim speed at constant v_t; for a centre
    at rest v_t at constant v_x, then v_x.
    """
    z, w, x = W.z, W.w, first + 2  # x: the resistance, on the velocity v_x of the centre
    values = forces_of(i, first, h, W, wheels, rows)
    speed = DIFFERENCE_STEP * max(max(abs(w[x] - w[first + 1]), abs(w[x])), wheels.each[i].v_0)
    impulse = DIFFERENCE_STEP * max(z[first], 1e-3)
    stands = abs(w[x]) <= speed
    wheels.passes.close_by = int(integrates_stresses(wheels))
    for a in range(first, first + forces(i, wheels)):
        W.matrix[a * n + a] = as_many(1.0, h)
    for move in MOVES:
        k, by_z, row = move % FORCES, move < FORCES, row_of_force(i, move % FORCES, wheels)
        if row < 0:
            continue
        c = first + place_of_force(i, k, wheels)
        # velocities are changed away from zero, so that a mirrored motion has mirrored slopes
        varied, step = (z, impulse) if by_z else (w, math.copysign(speed, w[c]))
        last, v_x = varied[c], w[x]
        varied[c] += step
        if k == 1 and not by_z:
            w[x] += where(stands, 0.0, step)
        there = forces_of(i, first, h, W, wheels, rows)
        w[x], varied[c] = v_x, last
        for m in range(FORCES):
            change = (there[m] - values[m]) / step
            a = first + place_of_force(i, m, wheels)
            if a < first or not some(change != 0.0):
                continue
            if by_z:
                W.matrix[a * n + c] -= change * W.scale[c] / W.scale[a]
                continue
            change = change / W.scale[a]
            for j in range(n):
                slope = rows.A[row, row_of(j, W)]
                if k == 2:
                    slope -= where(stands, 0.0, rows.A[row_of(first + 1, W), row_of(j, W)])
                W.matrix[a * n + j] -= change * (slope * W.scale[j])
    wheels.passes.close_by = 0


@kernel
def integrates_stresses(wheels):
    """Whether any ground law integrates stresses, which takes a hundred times as long as other laws."""
    for law in range(wheels.laws.shape[0]):
        if wheels.laws[law] == STRESSES:
            return True
    return False


@kernel
def slopes_at(h, n, W, wheels, rows):
    """Set the matrix to the slopes of F at the last point of ``value_at``."""
    for k in range(n):
        for j in range(n):
            W.matrix[k * n + j] = as_many(0.0, h)
    first = 0
    for i in range(len(wheels.each)):
        add_slopes(i, first, h, n, W, wheels, rows)
        first += forces(i, wheels)
    for k in range(first, n):  # impulses with constant bounds
        row = row_of(k, W)
        back = W.z[k] - W.w[k] / rows.A[row, row]
        free = (rows.lower[row] < back) & (back < rows.upper[row])
        for j in range(n):
            slope = rows.A[row, row_of(j, W)] / rows.A[row, row] * W.scale[j] / W.scale[k]
            W.matrix[k * n + j] = where(free, slope, 0.0)
        W.matrix[k * n + k] = as_many(1.0, W.scale[k])
    slopes_of_friction(first, n, W, rows)


@kernel
def take_impulses(which, n, W, wheels, rows):
    """In the vehicles ``which``, write the impulses of ``W.point`` into the rows, thrust and lateral
    impulse wholly into their set-valued rows; set the bounds of wheels at rest on their ellipse."""
    for i in range(rows.z.shape[0]):
        rows.z[i] = where(which, 0.0, rows.z[i])
    for k in range(n):
        row = row_of(k, W)
        # scaled impulses of at most 1e-15 are set to 0
        found = where(abs(W.point[k]) > 1e-15, W.point[k] * W.scale[k], 0.0)
        rows.z[row] = where(which, found, rows.z[row])
    bound_by_ellipse(0.0, which, wheels, rows)
