"""Parametric principal pivoting: a Lemke path along which every point solves a problem.

The whole matrix is kept as a tableau in which the free rows are solved for z and the others for w.
From any active set, add t p to its values so that at t = 1 nothing offends, then take t to 0: when
a row reaches its limit it changes state by one principal pivot, and the path goes on.

Why it ends on a P-matrix: all principal pivots are positive, so t falls along the whole path; each
t has one solution, so no active set comes back; there are finitely many. The entries of p are
chosen so that two rows do not reach their limits at one t. A negative pivot, impossible for a
P-matrix, turns t round, as in Lemke's method; a path that meets a zero pivot or goes off to
infinity is given up.
Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 4.5; bounds on both
    sides as in Sargent, An efficient implementation of the Lemke algorithm, Math. Program. 7 (1978).
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.elimination import subtract_row

FLOOR = 1e-13  # pivots below this times their row's scale are zero
GOLDEN = 0.6180339887498949

ENDED = 0
GIVEN_UP = 1


@kernel
def exchange_pair(work, n, k):
    """Principal pivot on row k of the n x n tableau in work: its z and w change places."""
    inverse = 1.0 / work[k * n + k]
    for r in range(n):
        if r != k:
            factor = work[r * n + k] * inverse
            if factor != 0.0:
                subtract_row(work, r * n, k * n, factor, n)
            work[r * n + k] = factor
    for c in range(n):
        work[np.uint64(k * n + c)] *= -inverse
    work[k * n + k] = inverse


@kernel
def room(value, rate, low, high):
    """How far ``value`` can go at ``rate`` before it leaves [low, high]."""
    if rate < 0.0 and low > -math.inf:
        return max(value - low, 0.0) / -rate
    if rate > 0.0 and high < math.inf:
        return max(high - value, 0.0) / rate
    return math.inf


@kernel
def parametric(
    A, b, lower, upper, z, active, n, delta, work, o_ref, o_y, o_p, o_centre, limit, deadline
):
    """Follow the path from ``active`` to an active set that solves A + delta D; (code, pivots).

    Arguments: as ``direct.pivot``; work[:n*n] takes the tableau, o_y and o_p the values and their
        slopes in t. On ENDED, z and active are the solution up to the tableau's rounding.
    """
    for i in range(n):
        y = b[i] - delta * work[o_ref + i] * work[o_centre + i]
        for j in range(n):
            work[i * n + j] = A[i, j]
            if active[j] != 0:
                y += A[i, j] * (lower[j] if active[j] < 0 else upper[j])
        work[i * n + i] += delta * work[o_ref + i]
        if active[i] != 0:
            y += delta * work[o_ref + i] * (lower[i] if active[i] < 0 else upper[i])
        work[o_y + i] = y
    pivots = 0
    for k in range(n):  # the free rows enter: z_k from 0 to where w_k is 0
        if active[k] != 0:
            continue
        step = 0.0
        if work[k * n + k] > FLOOR * work[o_ref + k]:
            step = -work[o_y + k] / work[k * n + k]
        elif lower[k] > -math.inf:
            active[k], step = -1, lower[k]
        elif upper[k] < math.inf:
            active[k], step = 1, upper[k]
        else:
            return GIVEN_UP, pivots
        for r in range(n):
            work[o_y + r] += work[r * n + k] * step
        if active[k] == 0:
            work[o_y + k] = step
            exchange_pair(work, n, k)
            pivots += 1
    for i in range(n):
        y = work[o_y + i]
        inside = y
        share = 1.5 + (i * GOLDEN) % 1.0
        if active[i] == 0:
            if y < lower[i]:
                inside = min(y + share * (lower[i] - y), 0.5 * (lower[i] + upper[i]))
            elif y > upper[i]:
                inside = max(y - share * (y - upper[i]), 0.5 * (lower[i] + upper[i]))
        elif active[i] * y > 0.0 and lower[i] < upper[i]:
            inside = y - share * y
        work[o_p + i] = inside - y
        work[o_y + i] = inside
    t, direction = 1.0, -1.0
    for _pivot in range(limit):
        if is_late(deadline):
            return GIVEN_UP, pivots
        row, step = -1, t if direction < 0.0 else math.inf
        for i in range(n):
            rate = direction * work[o_p + i]
            if rate == 0.0 or lower[i] == upper[i]:
                continue
            low, high = 0.0, math.inf
            if active[i] == 0:
                low, high = lower[i], upper[i]
            elif active[i] > 0:
                low, high = -math.inf, 0.0
            far = room(work[o_y + i], rate, low, high)
            if far < step:
                row, step = i, far
        if not step < math.inf:
            return GIVEN_UP, pivots
        t += direction * step
        for i in range(n):
            work[o_y + i] += direction * step * work[o_p + i]
        if row < 0:
            for i in range(n):
                z[i] = lower[i] if active[i] < 0 else upper[i]
                if active[i] == 0:
                    z[i] = work[o_y + i]
            return ENDED, pivots
        own = work[row * n + row]
        scale = work[o_ref + row] if active[row] != 0 else 1.0 / work[o_ref + row]
        if not abs(own) > FLOOR * scale:
            return GIVEN_UP, pivots
        slope = work[o_p + row] / own
        for r in range(n):
            work[o_p + r] -= work[r * n + row] * slope
        work[o_p + row] = -slope
        if active[row] == 0:
            active[row] = -1 if direction * slope * own < 0.0 else 1
            work[o_y + row] = 0.0
        else:
            work[o_y + row] = lower[row] if active[row] < 0 else upper[row]
            active[row] = 0
        exchange_pair(work, n, row)
        pivots += 1
        if own < 0.0:
            direction = -direction
    return GIVEN_UP, pivots
