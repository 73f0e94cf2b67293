"""Factorisation ``L D L'`` of the free rows of A = S B S' + diag(e), the matrix of rows on channels.

B (C, C): mobility of the channels (contact coordinates) [1/kg]; S: +1 and -1 at the channels of a row;
e: compliances [1/kg]; details in ``channel_rows``. In lanes (several vehicles side by side in one SIMD
register) every lane has a list of free rows. Loops run over the longest list; positions after the end of
a lane's list are masked, so that the lane's sums are equal to those of a single problem. Truth values
such as ``need`` are masks over the lanes. ``rows``: a ``ChannelRows``; W: a ``ChannelWork``.
"""

from mlcp.compiled.branches import as_many, no, some, split, where
from mlcp.jit import either, kernel
from mlcp.kernels.channel_rows import coupling
from mlcp.kernels.matrix_rows import PIVOT_FLOOR, subtract_row


@kernel
def _listed(count, k):
    """True: with a single list of free rows a loop has no positions after the list's end."""
    return True


@kernel
def _listed_in_lanes(count, k):
    """Mask of the lanes whose lists of free rows have a position k."""
    return count > k


listed = either(_listed, _listed_in_lanes)


@kernel
def list_free(rows, factored, W):
    """Write the list of the free rows to W.row; ``factored``: mask, W has a factorisation for this B.

    Returns: (length of the longest list, mask: W has the factorisation of exactly these rows).
    """
    count, end, n = as_many(0.0, W.own[0]), as_many(0, W.own[0]), rows.z.shape[0]
    for i in range(n):
        free, was = rows.active[i] == 0, W.free[i] == 1.0
        factored = factored & ((free & was) | no(free | was))
        W.place[i], W.row[end] = count, i  # the next free row overwrites a row that is not free
        count, end = where(free, count + 1.0, count), where(free, end + 1, end)
    f = 0
    while f < n and some(count > f):
        W.row[f] = where(count > f, W.row[f], 0.0)
        f += 1
    W.count[0] = count
    return f, factored


@kernel
def couple(B, rows, W):
    """Write the entries of S B S' of all pairs of rows to W.coupling, for lanes; valid until B
    changes."""
    n = rows.z.shape[0]
    for i in range(n):
        for j in range(i, n):
            W.coupling[i * n + j] = coupling(i, j, B, rows)


@kernel
def _coupling_there(r, c, B, rows, W):
    """Entry (i, j) of S B S' for the free rows i, j at positions r and c of the list."""
    return coupling(int(W.row[r]), int(W.row[c]), B, rows)


@kernel
def _coupling_in_lanes(r, c, B, rows, W):
    """Entry (i, j) of S B S' for free rows at positions r, c of each lane's list, from W.coupling."""
    return W.coupling[split(W.row[r])[0] * rows.z.shape[0] + split(W.row[c])[0]]


coupling_of_free = either(_coupling_there, _coupling_in_lanes)


@kernel
def factor_free(B, rows, f, need, W):
    """Write L D L' of the f listed rows of A to W.matrix, in lanes where ``need`` holds.
    Returns the mask of lanes with a linearly dependent row, that is, a pivot near zero."""
    n, M, count, failed = rows.z.shape[0], W.matrix, W.count[0], need & no(need)
    for i in range(n):
        free = need & (rows.active[i] == 0)
        W.e[i] = where(free, rows.e[i], W.e[i])
        W.free[i] = where(need, where(free, 1.0, 0.0), W.free[i])
    for r in range(f):
        for c in range(r, f):
            value = coupling_of_free(r, c, B, rows, W)
            if c == r:
                value += rows.e[split(W.row[r])[0]]
            M[r * n + c] = where(need, where(listed(count, c), value, 0.0), M[r * n + c])
    for k in range(f):
        free, own, scale = need & listed(count, k), M[k * n + k], W.scale[split(W.row[k])[0]]
        sound = own > PIVOT_FLOOR * scale * scale
        failed = failed | (free & no(sound))
        # 0 leaves the rows below unchanged: near-zero pivot, or a lane where ``free`` is False
        inverse = where(free & sound, 1.0 / where(sound, own, 1.0), 0.0)
        for r in range(k + 1, f):
            subtract_row(M, r * n + r, M, k * n + r, inverse * M[k * n + r], f - r)
        M[k * n + k] = where(free, inverse, own)
    return failed


@kernel
def solve_free(n, f, W):
    """Solve L D L' x = y for the f listed rows; W.x (n,) holds y, then x."""
    M, x, count = W.matrix, W.x, W.count[0]
    for k in range(f):
        own = where(listed(count, k), x[k] * M[k * n + k], 0.0)
        subtract_row(x, k + 1, M, k * n + k + 1, own, f - k - 1)
        x[k] = own
    for k in range(f - 1, -1, -1):
        # two independent sums, which the processor can add at the same time
        even, odd = as_many(0.0, x[k]), as_many(0.0, x[k])
        c = k + 1
        while c + 1 < f:
            even = where(listed(count, c), even + M[k * n + c] * x[c], even)
            odd = where(listed(count, c + 1), odd + M[k * n + c + 1] * x[c + 1], odd)
            c += 2
        if c < f:
            even = where(listed(count, c), even + M[k * n + c] * x[c], even)
        x[k] = where(listed(count, k), x[k] - (even + odd) * M[k * n + k], 0.0)
