"""MuJoCo's constraint rows, from its memory into the matrix ``M + J_e' D J_e``.

Which freedoms a row touches, and where its products go, is listed once; after that a step only fetches
values. Rows that come, go or touch other freedoms are listed anew.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel, part

from .data import CROWDED, GREW

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2


@kernel
def gather(rows, r, n, sparse):
    """List the non-zeros of row r of n freedoms, and how many there are."""
    J, freedom, values, at = rows.jacobian, rows.freedom, rows.values, r * n
    found = 0
    if sparse:
        first, found = rows.first[r], rows.count[r]
        for m in range(found):
            values[at + m], freedom[at + m] = J[first + m], rows.column[first + m]
    else:
        for k in range(n):
            value = J[r * n + k]
            if value != 0.0:
                values[at + found], freedom[at + found] = value, k
                found += 1
    rows.filled[r] = found


@kernel
def like(rows, r, n):
    """Whether row r and the two after it are equalities over the same freedoms."""
    if r + 2 >= len(rows.weight):
        return False
    freedom, count = rows.freedom, rows.filled[r]
    for other in range(r, r + 3):
        if rows.kind[other] != EQUALITY or rows.filled[other] != count:
            return False
        for m in range(count):
            if freedom[other * n + m] != freedom[r * n + m]:
                return False
    return True


@kernel
def list_rows(step, n):
    """List all rows; three equalities of one pattern become a group. Returns 0, GREW or CROWDED."""
    rows, slot, sparse = step.equations, step.slot, step.options.sparse == 1
    freedom, targets, outside = rows.freedom, rows.targets, len(step.factor.values) - 1
    for r in range(len(rows.weight)):
        gather(rows, r, n, sparse)
        rows.group[r] = -1
        for m in range(r * n, r * n + rows.filled[r]):
            rows.spot[m] = step.place[freedom[m]]
    used = 0
    for r in range(len(rows.weight)):
        if rows.group[r] == 0:
            continue
        same, count = like(rows, r, n), rows.filled[r]
        rows.group[r], rows.target_at[r] = 3 if same else 1, used
        if same:
            rows.group[r + 1], rows.group[r + 2] = 0, 0
        if used + count * (count + 1) // 2 > len(targets):
            return CROWDED
        for m in range(count):
            for p in range(m + 1):
                targets[used] = slot[freedom[r * n + m] * n + freedom[r * n + p]]
                if targets[used] == outside:
                    return GREW
                used += 1
    return 0


@kernel
def fetch_dense(rows, n):
    """Values at the freedoms listed before; returns whether all non-zeros are among them."""
    J, filled, freedom, values = rows.jacobian, rows.filled, rows.freedom, rows.values
    missing = 0
    for m in range(len(filled) * n):
        missing += 1 if J[m] != 0.0 else 0
    for r in range(len(filled)):
        for m in range(r * n, r * n + filled[r]):
            value = J[r * n + freedom[m]]
            values[m] = value
            missing -= 1 if value != 0.0 else 0
    return missing == 0


@kernel
def fetch_sparse(rows, n):
    """Values of the rows; returns whether they touch the freedoms listed before."""
    J, filled, freedom, values = rows.jacobian, rows.filled, rows.freedom, rows.values
    counts, firsts, column = rows.count, rows.first, rows.column
    for r in range(len(filled)):
        if counts[r] != filled[r]:
            return False
        first = firsts[r]
        for m in range(filled[r]):
            if column[first + m] != freedom[r * n + m]:
                return False
            values[r * n + m] = J[first + m]
    return True


@kernel
def add_squares(V, rows, r, n):
    """V += D g g' for three rows g of one pattern at once."""
    D, values, targets, at = rows.weight, rows.values, rows.targets, rows.target_at[r]
    d0, d1, d2 = D[r], D[r + 1], D[r + 2]
    i, j, k = r * n, (r + 1) * n, (r + 2) * n
    for m in range(rows.filled[r]):
        g0, g1, g2 = d0 * values[i + m], d1 * values[j + m], d2 * values[k + m]
        for p in range(m + 1):
            V[targets[at + p]] += g0 * values[i + p] + g1 * values[j + p] + g2 * values[k + p]
        at += m + 1


@kernel
def add_square(V, rows, r, n):
    """V += D g g' for a row g."""
    values, targets, at, weight, first = (
        rows.values,
        rows.targets,
        rows.target_at[r],
        rows.weight[r],
        r * n,
    )
    for m in range(rows.filled[r]):
        g = weight * values[first + m]
        for p in range(m + 1):
            V[targets[at + p]] += g * values[first + p]
        at += m + 1


@kernel
def acts(rows, r, n, a):
    """Whether a row acts at the acceleration a: ``(1 as a spring | 0 not | -1 slides, force)``.

    Equalities always, unilateral rows when violated, dry friction while it sticks.
    """
    kind, weight, goal = rows.kind[r], rows.weight[r], rows.goal[r]
    if kind == EQUALITY:
        return 1, weight * goal
    excess, values, freedom = -goal, rows.values, rows.freedom
    for m in range(r * n, r * n + rows.filled[r]):
        excess += values[m] * a[freedom[m]]
    if kind == FRICTION_DOF or kind == FRICTION_TENDON:
        if weight * abs(excess) > rows.friction[r]:
            return -1, math.copysign(rows.friction[r], -excess)
        return 1, weight * goal
    return (1 if excess < 0.0 else 0), weight * goal


@kernel
def add_rows(step, n):
    """Every active row's ``D J'J`` into the matrix, its force at zero acceleration beside it."""
    V, y, a, rows = step.factor.values, step.free, step.host.last, step.equations
    values, spot, group = rows.values, rows.spot, rows.group
    for r in range(len(group)):
        acting, force = acts(rows, r, n, a)
        if acting == 1:
            if group[r] == 3:
                add_squares(V, rows, r, n)
            elif group[r] == 1:
                add_square(V, rows, r, n)
        if acting != 0:
            for m in range(r * n, r * n + rows.filled[r]):
                y[spot[m]] += values[m] * force


@part
def add_active_rows(step):
    """Read the rows of this step and add those that act at the last acceleration; returns a code."""
    rows, options, n = step.equations, step.options, len(step.order)
    fresh = options.fresh == 1
    if not fresh:
        fresh = not (fetch_sparse(rows, n) if options.sparse == 1 else fetch_dense(rows, n))
        for r in range(len(rows.group)):
            fresh = fresh or (rows.group[r] == 3 and rows.kind[r + 2] != EQUALITY)
    if fresh:
        options.fresh = 1
        code = list_rows(step, n)
        if code != 0:
            return code
        options.fresh = 0
    add_rows(step, n)
    return 0
