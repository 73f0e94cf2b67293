"""Sizes of rows, residuals and Gauss-Seidel sweeps with A sparse, by rows (start, column, value).

Each is what ``residual`` and ``pgs`` do with a dense A, which costs n numbers a row.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.pgs import STRETCH, relaxed
from mlcp.kernels.residual import (
    GROWS,
    SizeWork,
    at_rest,
    handed_on,
    own_size,
    row_residual,
    row_scale,
)


class SparseProblem(NamedTuple):
    """As ``dense_problem.Problem``: row i of A is value[start[i] : start[i + 1]] at column[...]."""

    start: Any  # (n + 1,) int64
    column: Any  # int64
    value: Any
    diagonal: Any  # (n,), filled by ``fill_diagonal``; a row of a workspace
    b: Any  # (n,)
    lower: Any  # (n,)
    upper: Any  # (n,)


@kernel
def fill_diagonal(problem):
    """problem.diagonal <- diag(A)."""
    start, column, value, diagonal = problem.start, problem.column, problem.value, problem.diagonal
    for i in range(diagonal.shape[0]):
        diagonal[i] = 0.0
        for x in range(start[i], start[i + 1]):
            if column[x] == i:
                diagonal[i] += value[x]


@kernel
def sparse_row(problem, z, i):
    """w of row i."""
    w = problem.b[i]
    for x in range(problem.start[i], problem.start[i + 1]):
        w += problem.value[x] * z[problem.column[x]]
    return w


@kernel
def size_sparse_rows(problem, z, W):
    """As ``residual.size_rows``."""
    start, column, value, diagonal = problem.start, problem.column, problem.value, problem.diagonal
    lower, upper, n = problem.lower, problem.upper, problem.b.shape[0]
    w, size, hand = W.w, W.size, W.hand
    largest = 0.0
    for i in range(n):
        w[i] = sparse_row(problem, z, i)
        scale = row_scale(diagonal[i])
        size[i] = own_size(problem.b[i], lower[i], upper[i], scale)
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
def sparse_residual(problem, z, W):
    """As ``residual.natural_residual``; the sizes stay in W."""
    size_sparse_rows(problem, z, W)
    worst = 0.0
    for i in range(z.shape[0]):
        scale = row_scale(problem.diagonal[i])
        r = row_residual(z[i], W.w[i], problem.lower[i], problem.upper[i], scale, W.size[i])
        if not r <= worst:
            worst = r
            if math.isnan(r):
                return math.inf
    return worst


@kernel
def relax_sparse_row(problem, z, i, relaxation, size):
    """As ``pgs.relax_row``."""
    own, lower, upper = problem.diagonal[i], problem.lower[i], problem.upper[i]
    w = sparse_row(problem, z, i)
    r = row_residual(z[i], w, lower, upper, row_scale(own), size)
    z[i] = relaxed(z[i], w, own, lower, upper, relaxation)
    return r


@kernel
def sparse_pgs(problem, z, work, limits, relaxation, symmetric):
    """As ``pgs`` with a given relaxation. Returns: (sweeps, residual)."""
    n, W = z.shape[0], SizeWork(work, z.shape[0])
    fill_diagonal(problem)
    for i in range(n):
        z[i] = min(max(z[i], problem.lower[i]), problem.upper[i])
    residual = sparse_residual(problem, z, W)
    sweep = 0
    while sweep < limits.most and residual > limits.tolerance and not is_late(limits.deadline):
        sweep += 1
        worst = 0.0
        for k in range(2 * n if symmetric else n):
            i = k if k < n else 2 * n - 1 - k
            r = relax_sparse_row(problem, z, i, relaxation, W.size[i])
            if not r <= worst:
                worst = r
        if math.isnan(worst):
            return sweep, math.inf
        if worst <= 2.0 * limits.tolerance or sweep % STRETCH == 0:
            residual = sparse_residual(problem, z, W)
    return sweep, sparse_residual(problem, z, W)
