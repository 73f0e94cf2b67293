"""Add MuJoCo's constraint rows (Jacobian J_e, weights D) to its mass matrix M: ``M + J_e' D J_e``."""

import math

from mlcp.jit import kernel

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2


@kernel
def nonzeros(jacobian, r, scratch):
    """Write the nonzero entries of row r of a Jacobian into ``scratch``; return their number."""
    values, column, first, found = jacobian.values, jacobian.column, jacobian.first[r], 0
    for m in range(first, first + jacobian.count[r]):
        if values[m] != 0.0:
            scratch.value[found], scratch.freedom[found] = values[m], column[m]
            found += 1
    return found


@kernel
def add_square(H, jacobian, r, weight, scratch):
    """Add ``weight g g'`` to the lower triangle of H, with row g = ``jacobian[r]``."""
    g, freedom = scratch.value, scratch.freedom
    for m in range(nonzeros(jacobian, r, scratch)):
        f, k = weight * g[m], freedom[m]
        for p in range(m + 1):  # freedom[p] <= k, since freedoms ascend: lower triangle
            H[k, freedom[p]] += f * g[p]


@kernel
def active_force(rows, r, acceleration):
    """State (1 spring, 0 inactive, -1 sliding) and force [N] of constraint row r at an acceleration.

    Equalities are always springs, unilateral rows while violated, dry friction while it sticks. The
    returned force is the force at zero acceleration for a spring, the friction force for a sliding row,
    and meaningless for an inactive row.
    """
    kind, weight, goal, jacobian = rows.kind[r], rows.weight[r], rows.goal[r], rows.jacobian
    if kind == EQUALITY:
        return 1, weight * goal
    excess, first = -goal, jacobian.first[r]
    for m in range(first, first + jacobian.count[r]):
        excess += jacobian.values[m] * acceleration[jacobian.column[m]]
    if kind == FRICTION_DOF or kind == FRICTION_TENDON:
        if weight * abs(excess) > rows.friction[r]:
            return -1, math.copysign(rows.friction[r], -excess)
        return 1, weight * goal
    return (1 if excess < 0.0 else 0), weight * goal


@kernel
def add_rows(rows, acceleration, H, X, c, scratch):
    """Add the active rows to the matrix H and to column c of X, the forces.

    A spring row g adds ``weight g g'`` to H and g times its force at zero acceleration to X; a sliding
    row adds g times its friction force to X only.
    """
    jacobian = rows.jacobian
    for r in range(len(rows.weight)):
        acting, force = active_force(rows, r, acceleration)
        if acting == 1:
            add_square(H, jacobian, r, rows.weight[r], scratch)
        if acting != 0:
            first = jacobian.first[r]
            for m in range(first, first + jacobian.count[r]):
                X[jacobian.column[m], c] += jacobian.values[m] * force
