"""Signs S_i = +-1 that make S A symmetric, and the matrix S A.

A symmetric A has S = 1; in a saddle point [H, -G'; G, E] the rows of G have the other sign. The signs
are found from row to coupled row by S_i a_ij = S_j a_ji. If A is positive semidefinite, S (A + P)
is quasidefinite for every diagonal P > 0: its factorisation L D L' exists in any order. K: a ``Signed``.
Source: Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optim. 5 (1995).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel

# In rows of unit diagonal: entries that differ by less are equal, smaller entries are zero
EQUALITY_TOLERANCE = 1e-13


class Signed(NamedTuple):
    """Matrix S A: entries off the diagonal by rows, on the pattern of A + A', and the diagonal."""

    start: Any  # (n + 1,) int64: first entry of each row
    column: Any  # int64: column of each entry
    value: Any  # entries of S A in rows of unit diagonal; |value|: mean of |a_ij| and |a_ji|
    sign: Any  # (n,) signs S
    diagonal: Any  # (n,) diagonal of S A over |a_ii|: 1, -1, or 0 where a_ii = 0


@kernel
def count_pattern(start, column, n, transposed, at):
    """Write the starts of the rows of A' to ``transposed`` (n + 1,); to ``at`` (n,) the next
    free position of each row, which is its start until ``fill_transposed`` advances it."""
    for i in range(n + 1):
        transposed[i] = 0
    for x in range(start[n]):
        transposed[column[x] + 1] += 1
    for i in range(n):
        transposed[i + 1] += transposed[i]
        at[i] = transposed[i]


@kernel
def fill_transposed(given, n, transposed, at, row, place):
    """List the entries of A' by rows: ``row`` gets their columns, ``place`` their positions in A.
    ``at``: next free position of each row, advanced to the row's end."""
    start, column = given
    for i in range(n):
        for x in range(start[i], start[i + 1]):
            j = column[x]
            row[at[j]], place[at[j]] = i, x
            at[j] += 1


@kernel
def relation(own, other):
    """Relation of two entries a_ij, a_ji: 1 if equal, -1 if opposite, 0 if both are zero, else 2."""
    if abs(own) <= EQUALITY_TOLERANCE and abs(other) <= EQUALITY_TOLERANCE:
        return 0
    if abs(own - other) <= EQUALITY_TOLERANCE + 1e-12 * abs(own):
        return 1
    return -1 if abs(own + other) <= EQUALITY_TOLERANCE + 1e-12 * abs(own) else 2


@kernel
def merge_pattern(problem, scale, transposed, row, place, K):
    """Write the pattern of A + A' to K, with 4 j + ``relation`` + 1 in K.column for column j.

    Returns: False if the relation of a_ij and a_ji is 2: no signs make them equal.
    """
    start, column, value, n = problem.start, problem.column, problem.value, problem.b.shape[0]
    end = 0
    for i in range(n):
        K.start[i] = end
        K.diagonal[i] = 0.0
        x, y = start[i], transposed[i]
        while x < start[i + 1] or y < transposed[i + 1]:
            one = column[x] if x < start[i + 1] else n
            two = row[y] if y < transposed[i + 1] else n
            j = min(one, two)
            own = other = 0.0
            if one == j:
                own = value[x] / (scale[i] * scale[j])
                x += 1
            if two == j:
                other = value[place[y]] / (scale[i] * scale[j])
                y += 1
            if j == i:
                K.diagonal[i] = own
                continue
            kind = relation(own, other)
            if kind == 2:
                return False
            if kind != 0:
                K.column[end] = 4 * j + kind + 1
                K.value[end] = 0.5 * (own + kind * other)
                end += 1
    K.start[n] = end
    return True


@kernel
def find_signs(K, n, queue):
    """Find K.sign = S, and make K the matrix S A with plain column numbers; False if no S exists;
    queue (n,): scratch."""
    start, column, sign = K.start, K.column, K.sign
    for i in range(n):
        sign[i] = 0.0
    for root in range(n):
        if sign[root] != 0.0:
            continue
        sign[root] = 1.0
        queue[0], first, last = root, 0, 1
        while first < last:
            i = queue[first]
            first += 1
            for x in range(start[i], start[i + 1]):
                j, kind = column[x] // 4, float(column[x] % 4 - 1)
                if sign[j] == 0.0:
                    sign[j] = kind * sign[i]
                    queue[last] = j
                    last += 1
                elif sign[j] != kind * sign[i]:
                    return False
    for i in range(n):
        K.diagonal[i] *= sign[i]
        for x in range(start[i], start[i + 1]):
            K.value[x] *= sign[i]
            column[x] //= 4
    return True


@kernel
def unit_scale(problem, scale):
    """Set ``scale`` to sqrt |a_ii|; for a_ii = 0 so that the row's largest scaled entry is about 1."""
    start, column, value, n = problem.start, problem.column, problem.value, problem.b.shape[0]
    for i in range(n):
        scale[i] = math.sqrt(abs(problem.diagonal[i])) if problem.diagonal[i] != 0.0 else 1.0
    for _sweep in range(3):
        for i in range(n):
            largest = 0.0
            if problem.diagonal[i] == 0.0:
                for x in range(start[i], start[i + 1]):
                    largest = max(largest, abs(value[x]) / (scale[i] * scale[column[x]]))
            if largest > 0.0:
                scale[i] *= math.sqrt(largest)
