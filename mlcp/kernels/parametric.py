"""Parametric principal pivoting: a Lemke path of solutions of a modified problem.

The whole matrix is kept as a tableau in which the free rows are solved for z and the others for w.
From any active set, add t p to its values so that at t = 1 no row offends, then take t to 0: when
a row reaches its limit it changes state by one principal pivot, and the path continues.

It ends for a P-matrix: all principal pivots are positive, so t falls along the whole path; each
t has one solution, so no active set comes back; there are finitely many. The entries of p are
chosen so that two rows do not reach their limits at one t. A negative pivot, impossible for a
P-matrix, reverses t, as in Lemke's method; a path that meets a zero pivot or goes to infinity is
given up.
Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 4.5; bounds on both
    sides as in Sargent, An efficient implementation of the Lemke algorithm, Math. Program. 7 (1978).
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.face_sides import GOLDEN
from mlcp.kernels.free_rows import subtract_row

FLOOR = 1e-13  # pivots below this times their row's scale are zero

ENDED = 0
GIVEN_UP = 1


@kernel
def exchange_pair(tableau, n, k):
    """Principal pivot on row k of the n x n tableau: its z and w are exchanged."""
    inverse = 1.0 / tableau[k * n + k]
    for r in range(n):
        if r != k:
            factor = tableau[r * n + k] * inverse
            if factor != 0.0:
                subtract_row(tableau, r * n, tableau, k * n, factor, n)
            tableau[r * n + k] = factor
    for c in range(n):
        tableau[np.uint64(k * n + c)] *= -inverse
    tableau[k * n + k] = inverse


@kernel
def room(value, rate, low, high):
    """Step at which ``value``, changing at ``rate``, leaves [low, high]."""
    if rate < 0.0 and low > -math.inf:
        return max(value - low, 0.0) / -rate
    if rate > 0.0 and high < math.inf:
        return max(high - value, 0.0) / rate
    return math.inf


@kernel
def fill_tableau(problem, active, W, delta):
    """All rows solved for w: W.free.matrix <- A + delta D, W.value <- w with the free z at zero."""
    A, lower, upper, n = problem.A, problem.lower, problem.upper, problem.n
    tableau, diagonal, value = W.free.matrix, W.free.diagonal, W.value
    for i in range(n):
        y = problem.b[i] - delta * diagonal[i] * W.centre[i]
        for j in range(n):
            tableau[i * n + j] = A[i, j]
            if active[j] != 0:
                y += A[i, j] * (lower[j] if active[j] < 0 else upper[j])
        tableau[i * n + i] += delta * diagonal[i]
        if active[i] != 0:
            y += delta * diagonal[i] * (lower[i] if active[i] < 0 else upper[i])
        value[i] = y


@kernel
def enter_free(problem, active, W):
    """Enter the free rows, with z_k from 0 to the zero of w_k; return (True if all entered, number)."""
    lower, upper, n = problem.lower, problem.upper, problem.n
    tableau, value = W.free.matrix, W.value
    pivots = 0
    for k in range(n):
        if active[k] != 0:
            continue
        step = 0.0
        if tableau[k * n + k] > FLOOR * W.free.diagonal[k]:
            step = -value[k] / tableau[k * n + k]
        elif lower[k] > -math.inf:
            active[k], step = -1, lower[k]
        elif upper[k] < math.inf:
            active[k], step = 1, upper[k]
        else:
            return False, pivots
        for r in range(n):
            value[r] += tableau[r * n + k] * step
        if active[k] == 0:
            value[k] = step
            exchange_pair(tableau, n, k)
            pivots += 1
    return True, pivots


@kernel
def lay_path(problem, active, W):
    """W.value <- values at t = 1, at which no row offends; W.slope <- their slopes in t."""
    lower, upper = problem.lower, problem.upper
    for i in range(problem.n):
        y = W.value[i]
        inside = y
        share = 1.5 + (i * GOLDEN) % 1.0
        if active[i] == 0:
            if y < lower[i]:
                inside = min(y + share * (lower[i] - y), 0.5 * (lower[i] + upper[i]))
            elif y > upper[i]:
                inside = max(y - share * (y - upper[i]), 0.5 * (lower[i] + upper[i]))
        elif active[i] * y > 0.0 and lower[i] < upper[i]:
            inside = y - share * y
        W.slope[i] = inside - y
        W.value[i] = inside


@kernel
def next_row(problem, active, W, direction, step):
    """Return (row, step) of the first row to reach its limit, -1 if none does before ``step``."""
    lower, upper = problem.lower, problem.upper
    row = -1
    for i in range(problem.n):
        rate = direction * W.slope[i]
        if rate == 0.0 or lower[i] == upper[i]:
            continue
        low, high = 0.0, math.inf
        if active[i] == 0:
            low, high = lower[i], upper[i]
        elif active[i] > 0:
            low, high = -math.inf, 0.0
        far = room(W.value[i], rate, low, high)
        if far < step:
            row, step = i, far
    return row, step


@kernel
def parametric(problem, z, active, W, delta, limits):
    """Follow the path from ``active`` to an active set that solves A + delta D; (code, pivots).

    Arguments: as ``direct.pivot``; W.free.matrix takes the tableau, W.value and W.slope the values
        and their slopes in t. On ENDED, z and active are the solution up to the tableau's rounding.
    """
    lower, upper, n = problem.lower, problem.upper, problem.n
    tableau, diagonal, value, slopes = W.free.matrix, W.free.diagonal, W.value, W.slope
    fill_tableau(problem, active, W, delta)
    entered, pivots = enter_free(problem, active, W)
    if not entered:
        return GIVEN_UP, pivots
    lay_path(problem, active, W)
    t, direction = 1.0, -1.0
    for _pivot in range(limits.most):
        if is_late(limits.deadline):
            return GIVEN_UP, pivots
        row, step = next_row(problem, active, W, direction, t if direction < 0.0 else math.inf)
        if not step < math.inf:
            return GIVEN_UP, pivots
        t += direction * step
        for i in range(n):
            value[i] += direction * step * slopes[i]
        if row < 0:
            for i in range(n):
                z[i] = lower[i] if active[i] < 0 else upper[i]
                if active[i] == 0:
                    z[i] = value[i]
            return ENDED, pivots
        own = tableau[row * n + row]
        scale = diagonal[row] if active[row] != 0 else 1.0 / diagonal[row]
        if not abs(own) > FLOOR * scale:
            return GIVEN_UP, pivots
        slope = slopes[row] / own
        for r in range(n):
            slopes[r] -= tableau[r * n + row] * slope
        slopes[row] = -slope
        if active[row] == 0:
            active[row] = -1 if direction * slope * own < 0.0 else 1
            value[row] = 0.0
        else:
            value[row] = lower[row] if active[row] < 0 else upper[row]
            active[row] = 0
        exchange_pair(tableau, n, row)
        pivots += 1
        if own < 0.0:
            direction = -direction
    return GIVEN_UP, pivots
