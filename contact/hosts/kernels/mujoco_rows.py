"""MuJoCo's constraint rows, from its memory into the matrix ``M + J_e' D J_e``."""

from __future__ import annotations

import math

from numba import carray

from mlcp.jit import kernel, part

from . import mujoco_layout as H
from .pointers import floats_at, ints_at, longs_at

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2


@kernel
def gather(J, first, count, n, sparse, col, values, places):
    """Non-zeros of one row and their freedoms; returns how many."""
    if sparse:
        for m in range(count):
            values[m], places[m] = J[first + m], col[first + m]
        return count
    found = 0
    for k in range(n):
        value = J[first + k]
        values[found], places[found] = value, k
        found += 1 if value != 0.0 else 0
    return found


@kernel
def add_square(V, slot, n, f, values, places, count):
    """V += f g g' for a row g; entries outside the pattern go to the last place."""
    for m in range(count):
        g, base = f * values[m], places[m] * n
        for p in range(m + 1):
            V[slot[base + places[p]]] += g * values[p]


@kernel
def list_rows(J, nefc, n, sparse, nnz, adr, col, counts, group, values, places):
    """Non-zeros of all rows; ``group``: how many rows from each on share its pattern, up to 3."""
    for r in range(nefc):
        first, count = (adr[r], nnz[r]) if sparse else (r * n, n)
        counts[r] = gather(J, first, count, n, sparse, col, values[r], places[r])
    for r in range(nefc):
        group[r] = 1
        for other in range(r + 1, min(r + 3, nefc)):
            same = counts[other] == counts[r]
            if same:
                for m in range(counts[r]):
                    same = same and places[other, m] == places[r, m]
            if not same:
                break
            group[r] += 1


@kernel
def fetch_rows(J, nefc, n, counts, values, places):
    """Values of dense rows at the places listed before; returns whether all non-zeros are among them."""
    missing = 0
    for m in range(nefc * n):
        missing += 1 if J[m] != 0.0 else 0
    for r in range(nefc):
        for m in range(counts[r]):
            value = J[r * n + places[r, m]]
            values[r, m] = value
            missing -= 1 if value != 0.0 else 0
    return missing == 0


@kernel
def add_squares(V, slot, n, D, r, values, places, count):
    """V += D g g' for three rows g of one pattern at once."""
    d0, d1, d2 = D[r], D[r + 1], D[r + 2]
    for m in range(count):
        base = places[r, m] * n
        g0, g1, g2 = d0 * values[r, m], d1 * values[r + 1, m], d2 * values[r + 2, m]
        for p in range(m + 1):
            V[slot[base + places[r, p]]] += (
                g0 * values[r, p] + g1 * values[r + 1, p] + g2 * values[r + 2, p]
            )


@part
def add_active_rows(P, a, V, slot, place, Y, last):
    """Add every active row's ``D J'J`` to V and its force at a = 0 to the last column of Y.

    Active as at the last acceleration a: equalities always, unilateral rows when violated, dry
    friction while it sticks; sliding friction is a known force.
    """
    n, nefc, sparse = P[H.FREEDOMS], P[H.ROWS], P[H.SPARSE] == 1
    J = carray(floats_at(P[H.EFC_J]), (P[H.ENTRIES],))
    D, aref = carray(floats_at(P[H.EFC_D]), (nefc,)), carray(floats_at(P[H.EFC_AREF]), (nefc,))
    floss, kinds = (
        carray(floats_at(P[H.EFC_FLOSS]), (nefc,)),
        carray(ints_at(P[H.EFC_TYPE]), (nefc,)),
    )
    nnz, adr = carray(ints_at(P[H.EFC_NNZ]), (nefc,)), carray(ints_at(P[H.EFC_ADR]), (nefc,))
    col = carray(ints_at(P[H.EFC_COL]), (P[H.ENTRIES],))
    lists = carray(longs_at(P[H.LISTS]), (nefc * (n + 2),))
    counts, group = lists[:nefc], lists[nefc : 2 * nefc]
    places = lists[2 * nefc :].reshape((nefc, n))
    values = carray(floats_at(P[H.LISTED]), (nefc, n))
    if sparse or not fetch_rows(J, nefc, n, counts, values, places):
        list_rows(J, nefc, n, sparse, nnz, adr, col, counts, group, values, places)
    squared = 0  # rows before this one are in V
    for r in range(nefc):
        kind, weight, goal, count = kinds[r], D[r], aref[r], counts[r]
        if kind != EQUALITY:
            excess = -goal
            for m in range(count):
                excess += values[r, m] * a[places[r, m]]
            if kind == FRICTION_DOF or kind == FRICTION_TENDON:
                if weight * abs(excess) > floss[r]:
                    force = math.copysign(floss[r], -excess)
                    for m in range(count):
                        Y[place[places[r, m]], last] += values[r, m] * force
                    continue
            elif excess >= 0.0:
                continue
        if r >= squared:
            if group[r] == 3 and kind == EQUALITY and kinds[r + 2] == EQUALITY:
                add_squares(V, slot, n, D, r, values, places, count)
                squared = r + 3
            else:
                add_square(V, slot, n, weight, values[r], places[r], count)
        goal *= weight
        for m in range(count):
            Y[place[places[r, m]], last] += values[r, m] * goal
