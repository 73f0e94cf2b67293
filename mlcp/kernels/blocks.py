"""Sparse Cholesky factorisation of matrices made of 6 x 6 blocks, one node a body.

H = sum of M's diagonal blocks and of J_i' w_i J_i over rows i that each touch a few bodies. A plan
(elimination order by minimum degree, and where each block of the factor lies) is made once for a
pattern; numbers are factored as often as needed.

Storage: block (p, q), p >= q positions in the elimination order, is 36 numbers [c][a] with c the
unknown of q and a the unknown of p, so that the innermost loops run along memory.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel

B = 6
BB = 36


@kernel
def make_plan(
    nb, n, row_start, row_block, late, adjacent, degree, order, position, start, rows, where
):
    """Minimum-degree elimination order and the places of the factor's blocks.

    Arguments:
        nb: number of bodies; n rows, row i touches row_block[row_start[i] : row_start[i + 1]].
        late (nb,): 1 for bodies to be eliminated after all others.
        adjacent (nb nb,), degree (nb,): scratch; adjacent starts as zeros.
        order, position (nb,): body eliminated at each step, and its inverse.
        start (nb + 1,), rows: column t has blocks with the later positions rows[start[t] : ...].
        where (nb nb,): number of the block (p, q) at p nb + q, diagonal blocks being 0 .. nb - 1.
    Returns: number of blocks; rows must have room for nb (nb - 1) / 2.
    """
    for i in range(n):
        for a in range(row_start[i], row_start[i + 1]):
            for c in range(row_start[i], row_start[i + 1]):
                if row_block[a] != row_block[c]:
                    adjacent[row_block[a] * nb + row_block[c]] = 1
    for k in range(nb):
        position[k] = -1
        degree[k] = 0
        for j in range(nb):
            degree[k] += adjacent[k * nb + j]
    filled = 0
    for t in range(nb):
        best = -1
        for k in range(nb):
            if position[k] < 0 and (
                best < 0
                or late[k] < late[best]
                or (late[k] == late[best] and degree[k] < degree[best])
            ):
                best = k
        order[t] = best
        position[best] = t
        start[t] = filled
        for j in range(nb):
            if adjacent[best * nb + j] != 0 and position[j] < 0:
                rows[filled] = j
                filled += 1
        for r in range(start[t], filled):
            a = rows[r]
            degree[a] -= 1
            for s in range(start[t], filled):
                c = rows[s]
                if a != c and adjacent[a * nb + c] == 0:
                    adjacent[a * nb + c] = 1
                    degree[a] += 1
    start[nb] = filled
    for t in range(nb):
        where[t * nb + t] = t
        for r in range(start[t], start[t + 1]):  # insertion sort by position
            p = position[rows[r]]
            s = r
            while s > start[t] and rows[s - 1] > p:
                rows[s] = rows[s - 1]
                s -= 1
            rows[s] = p
        for r in range(start[t], start[t + 1]):
            where[rows[r] * nb + t] = nb + r
    return nb + filled


@kernel
def mark_late(bounded, m, row_start, row_block, late, nb):
    """late <- 1 for the bodies of the m bounded rows, if those are at most half of all bodies."""
    marked = 0
    for j in range(m):
        for x in range(row_start[bounded[j]], row_start[bounded[j] + 1]):
            marked += 1 - late[row_block[x]]
            late[row_block[x]] = 1
    if 2 * marked > nb:
        for k in range(nb):
            late[k] = 0


@kernel
def add_row(H, weight, first, last, row_block, J, position, where, nb):
    """H += weight J_i' J_i for the row whose blocks are first .. last - 1."""
    for x in range(first, last):
        q = position[row_block[x]]
        for y in range(first, last):
            p = position[row_block[y]]
            if p < q:
                continue
            at = where[p * nb + q] * BB
            for c in range(B):
                factor = weight * J[np.uint64(x * B + c)]
                if factor != 0.0:
                    for a in range(B):
                        H[np.uint64(at + c * B + a)] += factor * J[np.uint64(y * B + a)]


@kernel
def factor_diagonal(L, at):
    """D = U'U of the 6 x 6 block at ``at`` in place (upper triangle); False if not positive."""
    for c in range(B):
        pivot = L[np.uint64(at + c * B + c)]
        if not pivot > 0.0:
            return False
        pivot = math.sqrt(pivot)
        inverse = 1.0 / pivot
        L[np.uint64(at + c * B + c)] = pivot
        for a in range(c + 1, B):
            L[np.uint64(at + c * B + a)] *= inverse
        for r in range(c + 1, B):
            factor = L[np.uint64(at + c * B + r)]
            for a in range(r, B):
                L[np.uint64(at + r * B + a)] -= factor * L[np.uint64(at + c * B + a)]
    return True


@kernel
def factor_blocks(L, nb, start, rows, where):
    """Cholesky factorisation of the blocks in place; False if H is not positive definite."""
    for t in range(nb):
        diagonal = t * BB
        if not factor_diagonal(L, diagonal):
            return False
        for r in range(start[t], start[t + 1]):  # X <- U^-T X
            at = (nb + r) * BB
            for c in range(B):
                for q in range(c):
                    factor = L[np.uint64(diagonal + q * B + c)]
                    for a in range(B):
                        L[np.uint64(at + c * B + a)] -= factor * L[np.uint64(at + q * B + a)]
                inverse = 1.0 / L[np.uint64(diagonal + c * B + c)]
                for a in range(B):
                    L[np.uint64(at + c * B + a)] *= inverse
        for s in range(start[t], start[t + 1]):
            right = (nb + s) * BB
            for r in range(s, start[t + 1]):
                left = (nb + r) * BB
                target = where[rows[r] * nb + rows[s]] * BB
                for c in range(B):
                    for b in range(B):
                        factor = L[np.uint64(right + c * B + b)]
                        for a in range(B):
                            L[np.uint64(target + b * B + a)] -= (
                                factor * L[np.uint64(left + c * B + a)]
                            )
    return True


@kernel
def forward_blocks(L, x, nb, order, start, rows):
    """x <- U^-T x with the factor of ``factor_blocks``; x is in the bodies' own order."""
    for t in range(nb):
        at, k = t * BB, order[t] * B
        for c in range(B):
            value = x[np.uint64(k + c)]
            for q in range(c):
                value -= L[np.uint64(at + q * B + c)] * x[np.uint64(k + q)]
            x[np.uint64(k + c)] = value / L[np.uint64(at + c * B + c)]
        for r in range(start[t], start[t + 1]):
            block, j = (nb + r) * BB, order[rows[r]] * B
            for c in range(B):
                value = x[np.uint64(k + c)]
                for a in range(B):
                    x[np.uint64(j + a)] -= L[np.uint64(block + c * B + a)] * value


@kernel
def backward_blocks(L, x, nb, order, start, rows):
    """x <- U^-1 x, the second half of a solve."""
    for t in range(nb - 1, -1, -1):
        at, k = t * BB, order[t] * B
        for r in range(start[t], start[t + 1]):
            block, j = (nb + r) * BB, order[rows[r]] * B
            for c in range(B):
                value = 0.0
                for a in range(B):
                    value += L[np.uint64(block + c * B + a)] * x[np.uint64(j + a)]
                x[np.uint64(k + c)] -= value
        for c in range(B - 1, -1, -1):
            value = x[np.uint64(k + c)]
            for a in range(c + 1, B):
                value -= L[np.uint64(at + c * B + a)] * x[np.uint64(k + a)]
            x[np.uint64(k + c)] = value / L[np.uint64(at + c * B + c)]


@kernel
def solve_blocks(L, x, nb, order, start, rows):
    """x <- H^-1 x."""
    forward_blocks(L, x, nb, order, start, rows)
    backward_blocks(L, x, nb, order, start, rows)


@kernel
def factor_masses(mass, factor, nb):
    """Cholesky factors of the diagonal blocks M_k; False if one is not positive definite."""
    for k in range(nb * BB):
        factor[np.uint64(k)] = mass[np.uint64(k)]
    for k in range(nb):
        if not factor_diagonal(factor, k * BB):
            return False
    return True


@kernel
def solve_masses(factor, x, nb):
    """x <- M^-1 x with the factors of ``factor_masses``."""
    for k in range(nb):
        at, j = k * BB, k * B
        for c in range(B):
            value = x[np.uint64(j + c)]
            for q in range(c):
                value -= factor[np.uint64(at + q * B + c)] * x[np.uint64(j + q)]
            x[np.uint64(j + c)] = value / factor[np.uint64(at + c * B + c)]
        for c in range(B - 1, -1, -1):
            value = x[np.uint64(j + c)]
            for a in range(c + 1, B):
                value -= factor[np.uint64(at + c * B + a)] * x[np.uint64(j + a)]
            x[np.uint64(j + c)] = value / factor[np.uint64(at + c * B + c)]


@kernel
def row_times(first, last, row_block, J, v):
    """J_i v."""
    total = 0.0
    for x in range(first, last):
        j = row_block[x] * B
        for c in range(B):
            total += J[np.uint64(x * B + c)] * v[np.uint64(j + c)]
    return total


@kernel
def add_transposed(first, last, row_block, J, p, v):
    """v += J_i' p."""
    for x in range(first, last):
        j = row_block[x] * B
        for c in range(B):
            v[np.uint64(j + c)] += J[np.uint64(x * B + c)] * p


@kernel
def delassus_diagonal(n, row_start, row_block, J, factor, e, a):
    """a_i <- J_i M^-1 J_i' + e_i, from U^-T J_i' with M = U'U."""
    for i in range(n):
        total = e[i]
        for x in range(row_start[i], row_start[i + 1]):
            at = row_block[x] * BB
            y0 = J[np.uint64(x * B)] / factor[np.uint64(at)]
            y1 = (J[np.uint64(x * B + 1)] - factor[np.uint64(at + 1)] * y0) / factor[
                np.uint64(at + 7)
            ]
            y2 = (
                J[np.uint64(x * B + 2)]
                - factor[np.uint64(at + 2)] * y0
                - factor[np.uint64(at + 8)] * y1
            ) / factor[np.uint64(at + 14)]
            y3 = (
                J[np.uint64(x * B + 3)]
                - factor[np.uint64(at + 3)] * y0
                - factor[np.uint64(at + 9)] * y1
                - factor[np.uint64(at + 15)] * y2
            )
            y3 /= factor[np.uint64(at + 21)]
            y4 = (
                J[np.uint64(x * B + 4)]
                - factor[np.uint64(at + 4)] * y0
                - factor[np.uint64(at + 10)] * y1
                - factor[np.uint64(at + 16)] * y2
            )
            y4 = (y4 - factor[np.uint64(at + 22)] * y3) / factor[np.uint64(at + 28)]
            y5 = (
                J[np.uint64(x * B + 5)]
                - factor[np.uint64(at + 5)] * y0
                - factor[np.uint64(at + 11)] * y1
                - factor[np.uint64(at + 17)] * y2
            )
            y5 = (y5 - factor[np.uint64(at + 23)] * y3 - factor[np.uint64(at + 29)] * y4) / factor[
                np.uint64(at + 35)
            ]
            total += y0 * y0 + y1 * y1 + y2 * y2 + y3 * y3 + y4 * y4 + y5 * y5
        a[i] = total
