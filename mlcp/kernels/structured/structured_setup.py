"""Conversion of a structured problem's flat arrays to its kernels' arguments, and back.

A problem comes as two flat arrays, ints (row_start, row_block) and reals (mass, J, e, b, lower,
upper), and scratch as two more: every array argument costs a call from Python 0.05 to 0.1 us.
Sizes: n rows, nb bodies, x (row, body) blocks of J.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.structured.structured_layout import BodyRows
from mlcp.kernels.structured.unit_mass import factor_masses, unit_mass_rows


@kernel
def rows_of(ints, n, S):
    """View the rows in S, a ``ScaledWork`` to be filled by ``scale_rows``, as ``BodyRows``."""
    return BodyRows(n, ints[: n + 1], ints[n + 1 :], S.Y, S.e, S.b, S.lower, S.upper)


@kernel
def scale_rows(reals, nb, R, S):
    """Fill R with the rows scaled to a unit diagonal; False if a mass is not positive definite."""
    n, x, scale = R.n, 6 * R.block.shape[0], S.scale
    o = 36 * nb
    J, e, b = reals[o : o + x], reals[o + x :], reals[o + x + n :]
    lower, upper = reals[o + x + 2 * n :], reals[o + x + 3 * n :]
    if not factor_masses(reals[:o], S.factor, nb):
        return False
    unit_mass_rows(n, R.start, R.block, J, S.factor, e, R.Y, scale)
    for i in range(n):
        s = math.sqrt(scale[i]) if scale[i] > 0.0 else 1.0
        inverse = 1.0 / s
        scale[i] = s
        for y in range(6 * R.start[i], 6 * R.start[i + 1]):
            R.Y[y] *= inverse
        R.e[i] = e[i] * inverse * inverse
        R.b[i] = b[i] * inverse
        R.lower[i], R.upper[i] = lower[i] * s, upper[i] * s
    return True


@kernel
def start_rows(reals, nb, R, S, cold, z, state):
    """Write z in scaled rows to S.z; if ``cold``, first set z to 0, or to the nearest bound, and the
    states to 0, or to -1 for equal bounds."""
    o = 36 * nb + 6 * R.block.shape[0] + 2 * R.n
    lower, upper = reals[o:], reals[o + R.n :]
    for i in range(R.n):
        if cold:
            z[i] = min(max(0.0, lower[i]), upper[i])
            state[i] = -1 if lower[i] == upper[i] else 0
        S.z[i] = z[i] * S.scale[i]


@kernel
def end_rows(reals, nb, R, S, z, state):
    """Write S.z in the caller's units to z, within the bounds, and the active set of z to ``state``."""
    o = 36 * nb + 6 * R.block.shape[0] + 2 * R.n
    lower, upper = reals[o:], reals[o + R.n :]
    for i in range(R.n):
        z[i] = min(max(S.z[i] / S.scale[i], lower[i]), upper[i])
        state[i] = 0
        if S.z[i] <= R.lower[i]:
            z[i] = lower[i]
            state[i] = -1
        elif S.z[i] >= R.upper[i]:
            z[i] = upper[i]
            state[i] = 1
