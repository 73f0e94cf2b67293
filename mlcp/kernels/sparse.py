"""Sizes of rows, residuals and Gauss-Seidel sweeps with A sparse, by rows (start, column, value).

Each is what ``residual`` and ``pgs`` do with a dense A, which costs n numbers a row.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.residual import GROWS, at_rest, handed_on, own_size, row_residual, row_scale

STRETCH = 16  # sweeps for which the rows' sizes serve


@kernel
def diagonal_of(start, column, value, diagonal):
    """diagonal <- diag(A)."""
    for i in range(diagonal.shape[0]):
        diagonal[i] = 0.0
        for x in range(start[i], start[i + 1]):
            if column[x] == i:
                diagonal[i] += value[x]


@kernel
def sparse_row(start, column, value, b, z, i):
    """w of row i."""
    w = b[i]
    for x in range(start[i], start[i + 1]):
        w += value[x] * z[column[x]]
    return w


@kernel
def size_sparse_rows(start, column, value, diagonal, b, lower, upper, z, work):
    """As ``residual.size_rows``: work[:3 n] <- w, the sizes, the |z| that count."""
    n = b.shape[0]
    w, size, hand = work[:n], work[n : 2 * n], work[2 * n : 3 * n]
    largest = 0.0
    for i in range(n):
        w[i] = sparse_row(start, column, value, b, z, i)
        scale = row_scale(diagonal[i])
        size[i] = own_size(b[i], lower[i], upper[i], scale)
        rests = at_rest(z[i], w[i] / (scale * scale), lower[i], upper[i])
        if not rests:
            largest = max(largest, size[i])
        hand[i] = handed_on(z[i], rests or diagonal[i] == 0.0, size[i], scale)
    grown = True
    for sweep in range(n):
        if not grown:
            break
        grown = False
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            scale = row_scale(diagonal[i])
            best = size[i]
            for x in range(start[i], start[i + 1]):
                j = column[x]
                most = max(size[j], largest) if diagonal[j] == 0.0 else size[j]
                if most > best and value[x] != 0.0:
                    best = max(best, min(abs(value[x]) * hand[j] / scale, most))
            if best > GROWS * size[i]:
                grown = True
                size[i] = best
                rests = at_rest(z[i], w[i] / (scale * scale), lower[i], upper[i])
                hand[i] = handed_on(z[i], rests or diagonal[i] == 0.0, best, scale)
    largest = 0.0
    for i in range(n):
        scale = row_scale(diagonal[i])
        if not at_rest(z[i], w[i] / (scale * scale), lower[i], upper[i]):
            largest = max(largest, size[i])
    for i in range(n):
        if size[i] == 0.0:
            size[i] = largest if largest > 0.0 else 1.0


@kernel
def sparse_residual(start, column, value, diagonal, b, lower, upper, z, work):
    """As ``residual.natural_residual``; the sizes stay in work[n : 2 n]."""
    n = b.shape[0]
    size_sparse_rows(start, column, value, diagonal, b, lower, upper, z, work)
    worst = 0.0
    for i in range(n):
        r = row_residual(z[i], work[i], lower[i], upper[i], row_scale(diagonal[i]), work[n + i])
        if not r <= worst:
            worst = r
            if math.isnan(r):
                return math.inf
    return worst


@kernel
def relax_sparse_row(start, column, value, own, b, lower, upper, z, i, relaxation, size):
    """As ``pgs.relax_row``."""
    w = sparse_row(start, column, value, b, z, i)
    r = row_residual(z[i], w, lower[i], upper[i], row_scale(own), size)
    if own > 0.0:
        z[i] = min(max(z[i] - relaxation * w / own, lower[i]), upper[i])
    elif w > 0.0 and lower[i] > -math.inf:
        z[i] = lower[i]
    elif w < 0.0 and upper[i] < math.inf:
        z[i] = upper[i]
    return r


@kernel
def sparse_pgs(
    start, column, value, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps, deadline, work
):
    """As ``pgs`` with a given relaxation; work 5 n long. Returns: (sweeps, residual)."""
    n = b.shape[0]
    diagonal = work[4 * n : 5 * n]
    diagonal_of(start, column, value, diagonal)
    for i in range(n):
        z[i] = min(max(z[i], lower[i]), upper[i])
    residual = sparse_residual(start, column, value, diagonal, b, lower, upper, z, work)
    sweep = 0
    while sweep < max_sweeps and residual > tol and not is_late(deadline):
        sweep += 1
        worst = 0.0
        for k in range(2 * n if symmetric else n):
            i = k if k < n else 2 * n - 1 - k
            r = relax_sparse_row(
                start, column, value, diagonal[i], b, lower, upper, z, i, relaxation, work[n + i]
            )
            if not r <= worst:
                worst = r
        if math.isnan(worst):
            return sweep, math.inf
        if worst <= 2.0 * tol or sweep % STRETCH == 0:
            residual = sparse_residual(start, column, value, diagonal, b, lower, upper, z, work)
    return sweep, sparse_residual(start, column, value, diagonal, b, lower, upper, z, work)
