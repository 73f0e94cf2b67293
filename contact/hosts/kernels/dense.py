"""Compiled part of the generic host: from M, J, v to what the channels see, and back."""

from __future__ import annotations

import math

from mlcp.jit import entry_point

from .algebra import channel_rows, constrain, factor, seen, solve_rows, through


@entry_point("mlcp", "contact")
def prepare(source_hash):
    def prepare(rows, J, M, E, soft, v, v_free, A, H, X, Y, S, T, B, u, u_free):
        """``B = A M^-1 A'`` with the rows E taken out, ``u = A v``, ``u_free = A v_free``.

        Returns -1; or n + 1 for numbers that are not finite, or the freedom whose pivot fails.
        """
        source_hash
        n, count, ne = v.shape[0], A.shape[0], E.shape[0]
        total = 0.0
        for k in range(n):
            total += v[k] + v_free[k]
            for j in range(n):
                total += M[k, j]
                H[k, j] = M[k, j]
        for r in range(6 * (count // 4)):
            for k in range(n):
                total += J[r, k]
        if not math.isfinite(total):
            return n + 1
        code = factor(H, n)
        if code >= 0:
            return code
        channel_rows(rows, J, n, count, A)
        for k in range(n):
            for c in range(count):
                X[k, c] = A[c, k]
        solve_rows(H, n, X, count)
        if ne > 0:
            for k in range(n):
                for c in range(ne):
                    Y[k, c] = E[c, k]
            solve_rows(H, n, Y, ne)
            if constrain(E, soft, n, ne, X, count, Y, S, T) >= 0:
                return n + 2
        seen(A, n, X, count, B)
        through(A, n, count, v, u)
        through(A, n, count, v_free, u_free)
        return -1

    return prepare


@entry_point("mlcp", "contact")
def respond(source_hash):
    def respond(A, X, q, impulse, change):
        """Generalised impulse ``A' q`` and change of the velocities ``X q``."""
        source_hash
        for k in range(impulse.shape[0]):
            total, moved = 0.0, 0.0
            for c in range(q.shape[0]):
                total += A[c, k] * q[c]
                moved += X[k, c] * q[c]
            impulse[k], change[k] = total, moved

    return respond
