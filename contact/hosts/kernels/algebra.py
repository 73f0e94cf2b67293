"""Small dense algebra for hosts (other multibody codes): factor of a mass matrix M, and the mobility of
the channels (contact coordinates, four a wheel): their velocity changes per unit impulse.

Elimination is from the last freedom to the first, suitable for the tree of a vehicle (wheels after the
chassis): zeros between two wheels stay zeros and are skipped.
"""

import math

from mlcp.jit import kernel
from mlcp.kernels.matrix_rows import PIVOT_FLOOR


@kernel
def factor(H, n, fixes):
    """Factor the symmetric matrix ``H = L' D L`` (n, n) in place, L unit lower triangular.

    Returns -1, or the first freedom whose pivot is not positive. ``fixes``: True to continue with an
    infinite pivot for such a freedom, which then does not move.
    """
    for k in range(n - 1, -1, -1):
        d = H[k, k]
        if not d > 0.0:
            if not fixes:
                return k
            H[k, k] = d = math.inf
        inverse = 1.0 / d
        for j in range(k):
            f = H[k, j] * inverse
            if f != 0.0:
                before = H[j, j]
                for i in range(j + 1):
                    H[j, i] -= f * H[k, i]
                if not H[j, j] > PIVOT_FLOOR * before:
                    if not fixes:
                        return j
                    H[j, j] = math.inf
        for j in range(k):
            H[k, j] *= inverse
    return -1


@kernel
def all_zero(X, k, columns):
    """Whether the first ``columns`` entries of row k of X are zero."""
    for c in range(columns):
        if X[k, c] != 0.0:
            return False
    return True


@kernel
def forward_rows(H, n, X, columns):
    """Set ``X <- L'^-1 X`` for all columns of X (n, columns) at once, with L from ``factor`` in H."""
    for k in range(n - 1, -1, -1):
        if all_zero(X, k, columns):
            continue
        for j in range(k):
            f = H[k, j]
            if f != 0.0:
                for c in range(columns):
                    X[j, c] -= f * X[k, c]


@kernel
def backward_row(H, k, X, columns):
    """Compute row k of ``X <- (D L)^-1 X``, after the rows j < k with ``L[k, j] != 0``; H has D, L."""
    inverse = 1.0 / H[k, k]
    for c in range(columns):
        X[k, c] *= inverse
    for j in range(k):
        f = H[k, j]
        if f != 0.0:
            for c in range(columns):
                X[k, c] -= f * X[j, c]


@kernel
def solve_rows(H, n, X, columns):
    """Set ``X <- (L' D L)^-1 X`` for all columns of X (n, columns), with L, D from ``factor`` in H."""
    forward_rows(H, n, X, columns)
    for k in range(n):
        backward_row(H, k, X, columns)


@kernel
def mobility_of(A, X, B):
    """Compute the channels' mobility ``B = A X`` (C, C), with the Jacobian A (C, n) and X = M^-1 A'."""
    count, n = A.shape
    for r in range(count):
        for c in range(count):
            B[r, c] = 0.0
        for k in range(n):
            f = A[r, k]
            if f != 0.0:
                for c in range(count):
                    B[r, c] += f * X[k, c]


@kernel
def multiply(A, v, u):
    """Compute the product ``u = A v`` with a dense matrix A."""
    for r in range(len(u)):
        total = 0.0
        for k in range(len(v)):
            total += A[r, k] * v[k]
        u[r] = total


@kernel
def channel_rows(rows, J, A):
    """Compute the channels' Jacobian A (C, n): the product of ``rows`` (C, 6), the map from each wheel's
    twist to channel velocities, with the Jacobian J (6 W, n) of the wheels' twists."""
    count, n = A.shape
    for r in range(count):
        first = 6 * (r // 4)
        for k in range(n):
            A[r, k] = 0.0
        for m in range(6):
            f = rows[r, m]
            if f != 0.0:
                for k in range(n):
                    A[r, k] += f * J[first + m, k]


@kernel
def constrain(constraints, X, n, count):
    """Eliminate bilateral rows ``E v+ + soft p = const`` (impulses p) from the response X = M^-1 A' (n,
    count) to the channels' impulses: ``X <- X - Y S^-1 E X``.

    Y = M^-1 E' (n, ne) is given; S = E Y + soft, with a diagonal larger by the fraction 1e-11, so that
    nearly dependent rows can be solved. Returns -1, or the number of a dependent row.
    """
    E, soft, Y = constraints.rows, constraints.soft, constraints.response
    S, T, ne = constraints.delassus, constraints.reduced, len(constraints.soft)
    for r in range(ne):
        for c in range(ne):
            S[r, c] = 0.0
        for c in range(count):
            T[r, c] = 0.0
        for k in range(n):
            f = E[r, k]
            if f != 0.0:
                for c in range(ne):
                    S[r, c] += f * Y[k, c]
                for c in range(count):
                    T[r, c] += f * X[k, c]
    for r in range(ne):
        S[r, r] += soft[r] + 1e-11 * S[r, r]
    code = factor(S, ne, False)
    if code >= 0:
        return code
    solve_rows(S, ne, T, count)
    for k in range(n):
        for r in range(ne):
            f = Y[k, r]
            if f != 0.0:
                for c in range(count):
                    X[k, c] -= f * T[r, c]
    return -1
