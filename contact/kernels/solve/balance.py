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
from mlcp.jit import either, kernel

from ..laws.law import STRESSES
from ..rows.rest import bound_by_ellipse, shares_ellipse
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
    return the number of unknowns.
    """
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
    gather_others(first, n, W, other_friction)
    return n


@kernel
def no_friction(first, n, W, other_friction):
    """Stand-in for ``gather_friction`` in lanes, where all contacts are wheels: does nothing.

    Lanes are several vehicles side by side in one SIMD register.
    """


gather_others = either(gather_friction, no_friction)


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
def own_point(i, first, W, wheels):
    """``(z, w)``: impulses and velocities of the five forces of wheel i in the order of
    ``row_of_force``, 0 for a force that it lacks; ``first``: number of the wheel's first unknown."""
    y, r = first + place_of_force(i, 3, wheels), first + place_of_force(i, 4, wheels)
    nothing = as_many(0.0, W.z[first])
    z_y, w_y = (W.z[y], W.w[y]) if y >= first else (nothing, nothing)
    z_r, w_r = (W.z[r], W.w[r]) if r >= first else (nothing, nothing)
    z = W.z[first], W.z[first + 1], W.z[first + 2], z_y, z_r
    return z, (W.w[first], W.w[first + 1], W.w[first + 2], w_y, w_r)


@kernel
def moved(x, k, step):
    """Copy of the tuple x with ``step`` added to its k-th number."""
    return (
        x[0] + step if k == 0 else x[0],
        x[1] + step if k == 1 else x[1],
        x[2] + step if k == 2 else x[2],
        x[3] + step if k == 3 else x[3],
        x[4] + step if k == 4 else x[4],
    )


@kernel
def _value_of_other(k, W, rows):
    """Set the residual F of an unknown that belongs to no wheel."""
    if W.normal[k] >= 0.0:
        value_of_friction(k, W, rows)
    else:
        value_of_bounded(k, W, rows)


@kernel
def value_of_bounded(k, W, rows):
    """Set the residual F of an unknown with constant bounds."""
    row = row_of(k, W)
    back = W.z[k] - W.w[k] / rows.A[row, row]
    W.open[k] = (W.z[k] - min(max(back, rows.lower[row]), rows.upper[row])) / W.scale[k]


@kernel
def _slopes_of_other(k, n, W, rows):
    """Set row k of the matrix, the slopes of F, for an unknown that belongs to no wheel."""
    if W.normal[k] >= 0.0:
        slopes_of_friction(k, n, W, rows)
    else:
        slopes_of_bounded(k, n, W, rows)


@kernel
def slopes_of_bounded(k, n, W, rows):
    """Set row k of the matrix, the slopes of F, for an unknown with constant bounds."""
    row = row_of(k, W)
    back = W.z[k] - W.w[k] / rows.A[row, row]
    free = (rows.lower[row] < back) & (back < rows.upper[row])
    for j in range(n):
        slope = rows.A[row, row_of(j, W)] / rows.A[row, row] * W.scale[j] / W.scale[k]
        W.matrix[k * n + j] = where(free, slope, 0.0)
    W.matrix[k * n + k] = as_many(1.0, W.scale[k])


value_of_other = either(_value_of_other, value_of_bounded)
slopes_of_other = either(_slopes_of_other, slopes_of_bounded)


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
        z, w = own_point(i, first, W, wheels)
        values = forces_of(i, h, z, w, wheels, rows)
        for k in range(FORCES):
            place = place_of_force(i, k, wheels)
            if place >= 0:
                W.open[first + place] = (z[k] - values[k]) / W.scale[first + place]
        first += forces(i, wheels)
    for k in range(first, n):
        value_of_other(k, W, rows)
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
    z, w = own_point(i, first, W, wheels)
    values = forces_of(i, h, z, w, wheels, rows)
    speed = DIFFERENCE_STEP * max(max(abs(w[2] - w[1]), abs(w[2])), wheels.each[i].v_0)
    impulse = DIFFERENCE_STEP * max(z[0], 1e-3)
    stands = abs(w[2]) <= speed
    wheels.passes.close_by = int(integrates_stresses(wheels))
    for a in range(first, first + forces(i, wheels)):
        W.matrix[a * n + a] = as_many(1.0, h)
    for move in MOVES:
        k, by_z, row = move % FORCES, move < FORCES, row_of_force(i, move % FORCES, wheels)
        if row < 0:
            continue
        # velocities are changed away from zero, so that a mirrored motion has mirrored slopes
        c, step = first + place_of_force(i, k, wheels), impulse if by_z else math.copysign(speed, w[k])
        if by_z:
            there = forces_of(i, h, moved(z, k, step), w, wheels, rows)
        else:
            second = where(stands, 0.0, step) if k == 1 else as_many(0.0, step)
            there = forces_of(i, h, z, moved(moved(w, k, step), 2, second), wheels, rows)
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
    for k in range(first, n):
        slopes_of_other(k, n, W, rows)


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
    for i in range(len(wheels.each)):
        rests = which & shares_ellipse(i, wheels)
        if some(rests):
            bound_by_ellipse(i, 0.0, rests, wheels, rows)
