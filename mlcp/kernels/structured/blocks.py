"""Sparse Cholesky factorisation of matrices made of 6 x 6 blocks, one node a body.

H = I + sum of w_i Y_i' Y_i over rows i with weights w_i; Y_i has six numbers for each of a few bodies
(R, a ``structured_layout.BodyRows``). P is the plan of ``body_order``: elimination order, and the
position of each block of the factor. L is the array of the blocks: of H, then of the factor in place.

For 45 bodies and 252 rows, summing and factoring H here takes 25 us. The panels of ``mlcp.kernels.kkt``
take 14 us, elimination of 16 contact channels included, but need a numerically checked plan that takes
60 ms. A problem that is solved only once takes 330 us here, including its plan.

Storage: block (p, q), p >= q positions in the elimination order, is 36 numbers [c][a] with c the
unknown of q and a the unknown of p. The factor's diagonal holds reciprocals: a product is cheaper
than a division. The six numbers of a row are kept in six scalars: numbers of an array would be loaded
again after every store.
"""

import math

import numpy as np

from mlcp.jit import kernel

B = 6
BB = 36


@kernel
def unit_blocks(H, nb, blocks):
    """Set H, an array of ``blocks`` blocks, to the identity of nb bodies."""
    for x in range(blocks * BB):
        H[np.uint64(x)] = 0.0
    for t in range(nb):
        for c in range(B):
            H[np.uint64(t * BB + 7 * c)] = 1.0


@kernel
def add_row(H, weight, i, R, P):
    """Add the term weight Y_i' Y_i of row i to H."""
    for y in range(R.start[i], R.start[i + 1]):
        p = P.position[R.block[y]]
        at = y * B
        y0, y1, y2 = R.Y[np.uint64(at)], R.Y[np.uint64(at + 1)], R.Y[np.uint64(at + 2)]
        y3, y4, y5 = R.Y[np.uint64(at + 3)], R.Y[np.uint64(at + 4)], R.Y[np.uint64(at + 5)]
        for x in range(R.start[i], R.start[i + 1]):
            q = P.position[R.block[x]]
            if p < q:
                continue
            h = P.where[p * P.nb + q] * BB
            for c in range(B):
                factor = weight * R.Y[np.uint64(x * B + c)]
                if factor != 0.0:
                    H[np.uint64(h + c * B)] += factor * y0
                    H[np.uint64(h + c * B + 1)] += factor * y1
                    H[np.uint64(h + c * B + 2)] += factor * y2
                    H[np.uint64(h + c * B + 3)] += factor * y3
                    H[np.uint64(h + c * B + 4)] += factor * y4
                    H[np.uint64(h + c * B + 5)] += factor * y5


@kernel
def factor_diagonal(L, at):
    """Factor the 6 x 6 block at ``at`` into U'U in place (upper triangle); False for a pivot <= 0."""
    for c in range(B):
        pivot = L[np.uint64(at + c * B + c)]
        if not 0.0 < pivot < math.inf:
            return False
        inverse = 1.0 / math.sqrt(pivot)
        L[np.uint64(at + c * B + c)] = inverse
        for a in range(c + 1, B):
            L[np.uint64(at + c * B + a)] *= inverse
        for r in range(c + 1, B):
            factor = L[np.uint64(at + c * B + r)]
            for a in range(r, B):
                L[np.uint64(at + r * B + a)] -= factor * L[np.uint64(at + c * B + a)]
    return True


@kernel
def divide_block(L, diagonal, at):
    """Replace the block X at ``at`` by U^-T X, U being the factored block at ``diagonal``."""
    for c in range(B):
        row = at + c * B
        x0, x1, x2 = L[np.uint64(row)], L[np.uint64(row + 1)], L[np.uint64(row + 2)]
        x3, x4, x5 = L[np.uint64(row + 3)], L[np.uint64(row + 4)], L[np.uint64(row + 5)]
        for q in range(c):
            factor = L[np.uint64(diagonal + q * B + c)]
            other = at + q * B
            x0 -= factor * L[np.uint64(other)]
            x1 -= factor * L[np.uint64(other + 1)]
            x2 -= factor * L[np.uint64(other + 2)]
            x3 -= factor * L[np.uint64(other + 3)]
            x4 -= factor * L[np.uint64(other + 4)]
            x5 -= factor * L[np.uint64(other + 5)]
        inverse = L[np.uint64(diagonal + c * B + c)]
        L[np.uint64(row)] = x0 * inverse
        L[np.uint64(row + 1)] = x1 * inverse
        L[np.uint64(row + 2)] = x2 * inverse
        L[np.uint64(row + 3)] = x3 * inverse
        L[np.uint64(row + 4)] = x4 * inverse
        L[np.uint64(row + 5)] = x5 * inverse


@kernel
def update_block(L, target, right, left):
    """Subtract V' X from the block at ``target``; V: the block at ``right``, X: the block at
    ``left``."""
    for b in range(B):
        row = target + b * B
        x0, x1, x2 = L[np.uint64(row)], L[np.uint64(row + 1)], L[np.uint64(row + 2)]
        x3, x4, x5 = L[np.uint64(row + 3)], L[np.uint64(row + 4)], L[np.uint64(row + 5)]
        for c in range(B):
            factor = L[np.uint64(right + c * B + b)]
            other = left + c * B
            x0 -= factor * L[np.uint64(other)]
            x1 -= factor * L[np.uint64(other + 1)]
            x2 -= factor * L[np.uint64(other + 2)]
            x3 -= factor * L[np.uint64(other + 3)]
            x4 -= factor * L[np.uint64(other + 4)]
            x5 -= factor * L[np.uint64(other + 5)]
        L[np.uint64(row)] = x0
        L[np.uint64(row + 1)] = x1
        L[np.uint64(row + 2)] = x2
        L[np.uint64(row + 3)] = x3
        L[np.uint64(row + 4)] = x4
        L[np.uint64(row + 5)] = x5


@kernel
def factor_blocks(L, P):
    """Cholesky factorisation of the blocks in place; False if H is not positive definite."""
    nb = P.nb
    for t in range(nb):
        if not factor_diagonal(L, t * BB):
            return False
        for r in range(P.start[t], P.start[t + 1]):
            divide_block(L, t * BB, (nb + r) * BB)
        for s in range(P.start[t], P.start[t + 1]):
            for r in range(s, P.start[t + 1]):
                target = P.where[P.rows[r] * nb + P.rows[s]] * BB
                update_block(L, target, (nb + s) * BB, (nb + r) * BB)
    return True


@kernel
def forward_blocks(L, x, P):
    """Replace x by U^-T x with the factor of ``factor_blocks``; x is in the problem's order of
    bodies."""
    for t in range(P.nb):
        at, k = t * BB, P.order[t] * B
        for c in range(B):
            value = x[np.uint64(k + c)]
            for q in range(c):
                value -= L[np.uint64(at + q * B + c)] * x[np.uint64(k + q)]
            x[np.uint64(k + c)] = value * L[np.uint64(at + c * B + c)]
        for r in range(P.start[t], P.start[t + 1]):
            block, j = (P.nb + r) * BB, P.order[P.rows[r]] * B
            for c in range(B):
                value = x[np.uint64(k + c)]
                for a in range(B):
                    x[np.uint64(j + a)] -= L[np.uint64(block + c * B + a)] * value


@kernel
def backward_blocks(L, x, P):
    """Replace x by U^-1 x with the factor of ``factor_blocks``: the second half of a solve."""
    for t in range(P.nb - 1, -1, -1):
        at, k = t * BB, P.order[t] * B
        for r in range(P.start[t], P.start[t + 1]):
            block, j = (P.nb + r) * BB, P.order[P.rows[r]] * B
            for c in range(B):
                value = 0.0
                for a in range(B):
                    value += L[np.uint64(block + c * B + a)] * x[np.uint64(j + a)]
                x[np.uint64(k + c)] -= value
        for c in range(B - 1, -1, -1):
            value = x[np.uint64(k + c)]
            for a in range(c + 1, B):
                value -= L[np.uint64(at + c * B + a)] * x[np.uint64(k + a)]
            x[np.uint64(k + c)] = value * L[np.uint64(at + c * B + c)]


@kernel
def solve_blocks(L, x, P):
    """Replace x by H^-1 x with the factor of ``factor_blocks``."""
    forward_blocks(L, x, P)
    backward_blocks(L, x, P)
