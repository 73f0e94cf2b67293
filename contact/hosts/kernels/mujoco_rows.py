"""MuJoCo's constraint rows, from its memory into the matrix ``M + J_e' D J_e``.

Which freedoms a row touches, and where its products go, is listed once; after that a step only fetches
values. Rows that come, go or touch other freedoms are listed anew.
"""

from __future__ import annotations

import math

import numpy as np
from numba import carray

from mlcp.jit import kernel, part

from . import mujoco_layout as H
from .mujoco_memory import planned
from .pointers import floats_at, ints_at, longs_at

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2


@kernel
def gather(J, first, count, n, sparse, col, values, places, at):
    """Non-zeros of one row and their freedoms, kept from number ``at`` on; returns how many."""
    if sparse:
        for m in range(count):
            values[at + m], places[at + m] = J[first + m], col[first + m]
        return count
    found = 0
    for k in range(n):
        value = J[first + k]
        if value != 0.0:
            values[at + found], places[at + found] = value, k
            found += 1
    return found


@kernel
def list_rows(
    J, nefc, n, sparse, nnz, adr, col, kinds, place, slot, outside, counts, group, target_at, dofs,
    spots, values, targets,
):  # fmt: skip
    """List all rows; three equalities of one pattern become a group. Returns DONE, GREW or CROWDED.

    ``group``: 3 or 1 for a row that leads so many, 0 for one that is led. ``targets`` from
    ``target_at`` on: where the products of its entries lie in the matrix.
    """
    for r in range(nefc):
        first, count = (adr[r], nnz[r]) if sparse else (r * n, n)
        counts[r] = gather(J, first, count, n, sparse, col, values, dofs, r * n)
        group[r] = -1
        for m in range(r * n, r * n + counts[r]):
            spots[m] = place[dofs[m]]
    used = 0
    for r in range(nefc):
        if group[r] == 0:
            continue
        same, count = r + 2 < nefc, counts[r]
        for other in range(r, r + 3 if same else r):
            same = same and kinds[other] == EQUALITY and counts[other] == count
            if same:
                for m in range(count):
                    same = same and dofs[other * n + m] == dofs[r * n + m]
        group[r], target_at[r] = 3 if same else 1, used
        if same:
            group[r + 1], group[r + 2] = 0, 0
        if used + count * (count + 1) // 2 > targets.shape[0]:
            return H.CROWDED
        for m in range(count):
            for p in range(m + 1):
                targets[used] = slot[dofs[r * n + m] * n + dofs[r * n + p]]
                if targets[used] == outside:
                    return H.GREW
                used += 1
    return 0


@kernel
def fetch_dense(J, nefc, n, counts, dofs, values):
    """Values at the freedoms listed before; returns whether all non-zeros are among them."""
    missing = 0
    for m in range(nefc * n):
        missing += 1 if J[np.uint64(m)] != 0.0 else 0
    for r in range(nefc):
        for m in range(r * n, r * n + counts[r]):
            value = J[np.uint64(r * n + dofs[np.uint64(m)])]
            values[np.uint64(m)] = value
            missing -= 1 if value != 0.0 else 0
    return missing == 0


@kernel
def fetch_sparse(J, nefc, n, nnz, adr, col, counts, dofs, values):
    """Values of the rows; returns whether they touch the freedoms listed before."""
    for r in range(nefc):
        if nnz[r] != counts[r]:
            return False
        for m in range(counts[r]):
            if col[adr[r] + m] != dofs[r * n + m]:
                return False
            values[r * n + m] = J[adr[r] + m]
    return True


@kernel
def add_squares(V, targets, at, D, r, n, values, count):
    """V += D g g' for three rows g of one pattern at once."""
    d0, d1, d2 = D[r], D[r + 1], D[r + 2]
    i, j, k = r * n, (r + 1) * n, (r + 2) * n
    for m in range(count):
        g0 = d0 * values[np.uint64(i + m)]
        g1 = d1 * values[np.uint64(j + m)]
        g2 = d2 * values[np.uint64(k + m)]
        for p in range(m + 1):
            V[np.uint64(targets[np.uint64(at + p)])] += (
                g0 * values[np.uint64(i + p)]
                + g1 * values[np.uint64(j + p)]
                + g2 * values[np.uint64(k + p)]
            )
        at += m + 1


@kernel
def add_square(V, targets, at, weight, first, values, count):
    """V += weight g g' for a row g."""
    for m in range(count):
        g = weight * values[np.uint64(first + m)]
        for p in range(m + 1):
            V[np.uint64(targets[np.uint64(at + p)])] += g * values[np.uint64(first + p)]
        at += m + 1


@kernel
def acts(kind, weight, goal, floss, first, count, values, dofs, a):
    """Whether a row acts at the acceleration a: ``(1 as a spring | 0 not | -1 slides, force)``.

    Equalities always, unilateral rows when violated, dry friction while it sticks.
    """
    if kind == EQUALITY:
        return 1, 0.0
    excess = -goal
    for m in range(first, first + count):
        excess += values[m] * a[dofs[m]]
    if kind == FRICTION_DOF or kind == FRICTION_TENDON:
        if weight * abs(excess) > floss:
            return -1, math.copysign(floss, -excess)
        return 1, 0.0
    return (1 if excess < 0.0 else 0), 0.0


@kernel
def add_rows(
    V, y, n, nefc, D, aref, floss, kinds, a, counts, group, target_at, dofs, spots, values, targets
):  # fmt: skip
    """Every active row's ``D J'J`` into V, its force at zero acceleration into y."""
    for r in range(nefc):
        weight, first, count = D[r], r * n, counts[r]
        acting, force = acts(kinds[r], weight, aref[r], floss[r], first, count, values, dofs, a)
        if acting == 1:
            force = weight * aref[r]
            if group[r] == 3:
                add_squares(V, targets, target_at[r], D, r, n, values, count)
            elif group[r] == 1:
                add_square(V, targets, target_at[r], weight, first, values, count)
        if acting != 0:
            for m in range(first, first + count):
                y[np.uint64(spots[np.uint64(m)])] += values[np.uint64(m)] * force


@part
def add_active_rows(P, a, V, y):
    """Read the rows of this step and add those that act at the last acceleration a; returns a code."""
    n, nefc, sparse = P[H.FREEDOMS], P[H.ROWS], P[H.SPARSE] == 1
    J = carray(floats_at(P[H.EFC_J]), (P[H.ENTRIES],))
    D, aref = carray(floats_at(P[H.EFC_D]), (nefc,)), carray(floats_at(P[H.EFC_AREF]), (nefc,))
    floss, kinds = (
        carray(floats_at(P[H.EFC_FLOSS]), (nefc,)),
        carray(ints_at(P[H.EFC_TYPE]), (nefc,)),
    )
    nnz, adr = carray(ints_at(P[H.EFC_NNZ]), (nefc,)), carray(ints_at(P[H.EFC_ADR]), (nefc,))
    col = carray(ints_at(P[H.EFC_COL]), (P[H.ENTRIES],))
    lists = carray(longs_at(P[H.LISTS]), (nefc * (2 * n + 3),))
    counts, group, target_at = lists[:nefc], lists[nefc : 2 * nefc], lists[2 * nefc : 3 * nefc]
    dofs, spots = lists[3 * nefc : (3 + n) * nefc], lists[(3 + n) * nefc :]
    values = carray(floats_at(P[H.LISTED]), (nefc * n,))
    targets = carray(longs_at(P[H.TARGETS]), (P[H.CAPACITY],))
    fresh = P[H.FRESH] == 1
    if not fresh:
        if sparse:
            fresh = not fetch_sparse(J, nefc, n, nnz, adr, col, counts, dofs, values)
        else:
            fresh = not fetch_dense(J, nefc, n, counts, dofs, values)
        for r in range(nefc):
            fresh = fresh or (group[r] == 3 and kinds[r + 2] != EQUALITY)
    if fresh:
        P[H.FRESH] = 1
        code = list_rows(
            J, nefc, n, sparse, nnz, adr, col, kinds, planned(P, H.PLACE), planned(P, H.SLOT),
            V.shape[0] - 1, counts, group, target_at, dofs, spots, values, targets,
        )  # fmt: skip
        if code != 0:
            return code
        P[H.FRESH] = 0
    add_rows(
        V, y, n, nefc, D, aref, floss, kinds, a, counts, group, target_at, dofs, spots, values,
        targets,
    )  # fmt: skip
    return 0
