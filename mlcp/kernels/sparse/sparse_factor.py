"""Factorisation L D L' of a sparse quasidefinite matrix, row after row, by the elimination tree.

Row k of L has nonzeros at the nodes of the tree's paths to node k that begin at the entries above the
diagonal in column k of the matrix. The rows are eliminated in a given order; the diagonal and a mask
change from one factorisation to the next, the pattern does not. A masked row is replaced by a row of the
identity. T: a ``SparseFactor``; K: the matrix, a ``sparse_signs.Signed``.
Source: Davis, Direct Methods for Sparse Linear Systems (2006), sections 4.1 and 4.7.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mlcp.jit import kernel

LONG = 8  # a column of L with more entries is checked for consecutive rows, to use vector code
LEAST_PIVOT = 1e-13  # smallest |pivot|, in rows of unit diagonal


class SparseFactor(NamedTuple):
    """A symmetric matrix in the order of its elimination, and its factor L D L'."""

    order: Any  # (n,) int64: row at each position of the elimination order
    place: Any  # (n,) int64: position of each row in this order
    parent: Any  # (n,) int64: parent in the elimination tree, -1 for none
    start: Any  # (n + 1,) int64: start of each column's entries above the diagonal
    row: Any  # int64: position of the row of each entry above the diagonal
    value: Any  # value of each entry above the diagonal
    first: Any  # (n + 1,) int64: start of each column of L
    filled: Any  # (n,) int64: number of entries of each column of L so far
    below: Any  # int64: position of the row of each entry of L
    factor: Any  # value of each entry of L
    inverse: Any  # (n,) 1 / D
    x: Any  # (n,) by positions: right-hand side and solution
    path: Any  # (n,) int64 scratch: columns found by ``find_path``
    flag: Any  # (n,) int64 scratch: last row whose path met the node


@kernel
def fill_columns(K, T, n):
    """Write K's columns above the diagonal, in elimination order, to T.start, T.row, T.value; set
    T.place."""
    for k in range(n):
        T.place[T.order[k]] = k
    end = 0
    for k in range(n):
        T.start[k] = end
        i = T.order[k]
        for x in range(K.start[i], K.start[i + 1]):
            other = T.place[K.column[x]]
            if other < k:
                T.row[end], T.value[end] = other, K.value[x]
                end += 1
    T.start[n] = end


@kernel
def grow_tree(T, n):
    """Set the elimination tree T.parent, the starts T.first of L's columns; return L's entry count."""
    for k in range(n):
        T.parent[k], T.flag[k], T.filled[k] = -1, k, 0
        for x in range(T.start[k], T.start[k + 1]):
            i = T.row[x]
            while T.flag[i] != k:
                if T.parent[i] < 0:
                    T.parent[i] = k
                T.filled[i] += 1
                T.flag[i] = k
                i = T.parent[i]
    T.first[0] = 0
    for k in range(n):
        T.first[k + 1] = T.first[k] + T.filled[k]
    return T.first[n]


@kernel
def find_path(T, k, mask, n):
    """Write column k of the matrix to T.x. Write the columns in which row k of L has entries, in the
    order of their elimination, to T.path[top:]; return top."""
    top = n
    T.flag[k] = k
    for y in range(T.start[k], T.start[k + 1]):
        i = T.row[y]
        if mask[T.order[i]] != 0.0:
            continue
        T.x[i] = T.value[y]
        length = 0
        while T.flag[i] != k:
            T.path[length], T.flag[i] = i, k
            length, i = length + 1, T.parent[i]
        while length > 0:
            top, length = top - 1, length - 1
            T.path[top] = T.path[length]
    return top


@kernel
def subtract_column(T, i, end, own):
    """Subtract ``own`` times column i of L, which ends before entry ``end``, from T.x; by vector code if
    the rows of its entries are consecutive."""
    begin, below, factor, x = T.first[i], T.below, T.factor, T.x
    if end - begin > LONG and below[end - 1] - below[begin] == end - begin - 1:
        at = below[begin]
        for y in range(end - begin):
            x[np.uint64(at + y)] -= factor[np.uint64(begin + y)] * own
        return
    for y in range(begin, end):
        x[np.uint64(below[np.uint64(y)])] -= factor[np.uint64(y)] * own


@kernel
def factor_tree(T, diagonal, mask, sign, n):
    """Factor the matrix in T with the diagonal ``diagonal`` (n,), row by row.

    mask (n,): a row whose mask is not 0 is replaced by a row of the identity. sign (n,): a pivot whose
    product with its sign is not above LEAST_PIVOT is replaced by LEAST_PIVOT times the sign.
    """
    first, filled, below, factor, x, inverse = T.first, T.filled, T.below, T.factor, T.x, T.inverse
    for k in range(n):
        filled[k], T.flag[k], x[k] = 0, -1, 0.0
    for k in range(n):
        if mask[T.order[k]] != 0.0:
            inverse[k] = 1.0
            continue
        pivot = diagonal[T.order[k]]
        for p in range(find_path(T, k, mask, n), n):
            i = T.path[p]
            if mask[T.order[i]] != 0.0:
                continue
            subtract_column(T, i, first[i] + filled[i], x[i])
            own, share, end = x[i], x[i] * inverse[i], first[i] + filled[i]
            pivot -= share * own
            below[end], factor[end], x[i] = k, share, 0.0
            filled[i] += 1
        own = sign[T.order[k]]
        inverse[k] = 1.0 / pivot if pivot * own > LEAST_PIVOT else own / LEAST_PIVOT


@kernel
def solve_tree(T, n):
    """Solve L D L' x = y in place: T.x (n,), in elimination order, holds y, then x."""
    first, filled, below, factor, x = T.first, T.filled, T.below, T.factor, T.x
    for k in range(n):
        own = x[k]
        if own != 0.0:
            subtract_column(T, k, first[k] + filled[k], own)
    for k in range(n - 1, -1, -1):
        total = x[k] * T.inverse[k]
        for y in range(first[k], first[k] + filled[k]):
            total -= factor[y] * x[below[y]]
        x[k] = total
