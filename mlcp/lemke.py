"""Lemke's method for bounds that depend on another row: unlike block exchanges it does not cycle.

Every row is written with variables x >= 0, each complementary to a y >= 0, y = M x + q. For a row t that
follows n, with z_t = p - q and the slack lambda (Stewart & Trinkle 1996, one pair of directions a row),

    y_p =  w_t + lambda,    y_q = -w_t + lambda,    y_lambda = mu z_n - p - q

and for a row in a box z = lower + p, y_p = w + nu, y_nu = upper - lower - p. Rows without bounds are
eliminated first. Then x'M x = z'A z + mu lambda z_n, so M is copositive where A is positive
semidefinite, and where A is positive definite Lemke's path ends in a solution, whatever mu is: no ray
can occur, since x >= 0, M x >= 0, x'M x = 0 leaves only lambda, along which q'x = 0.
Source: Stewart & Trinkle, An implicit time-stepping scheme for rigid body dynamics with inelastic
    collisions and Coulomb friction, Int. J. Numer. Meth. Eng. 39 (1996), theorem of section 4; Cottle,
    Pang & Stone, The Linear Complementarity Problem (1992), section 4.4.
Differs from the source: the covering vector's entries follow the golden ratio, so ties hardly occur.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.solvers.base import late

GOLDEN = 0.6180339887498949
SMALL = 1e-11  # entries of the tableau below this count as zero


def follow_path(problem: Any, start: int, end: float) -> np.ndarray | None:
    """Return z at the end of Lemke's path, up to the tableau's rounding; None on a ray.

    Arguments:
        problem: a CoupledMLCP; start: number of the covering vector; end: time limit [s].
    """
    p, normal, mu = problem.base, problem.normal, problem.mu
    n, A, follows = p.n, p.dense_A, problem.normal >= 0
    scale = np.sqrt(np.where(A.diagonal() > 0.0, A.diagonal(), 1.0))
    A, b = A / np.outer(scale, scale), p.b / scale
    size = float(np.max(np.abs(b), initial=0.0)) or 1.0
    b = b / size
    lower = np.where(follows, 0.0, p.lower * scale / size)
    upper = np.where(follows, 0.0, p.upper * scale / size)
    free = np.isinf(lower) & np.isinf(upper)
    kept, out = np.flatnonzero(~free), np.flatnonzero(free)
    if out.size:
        try:
            coupling = np.linalg.solve(
                A[np.ix_(out, out)], np.column_stack([A[np.ix_(out, kept)], b[out]])
            )
        except np.linalg.LinAlgError:
            return None
        down = A[np.ix_(kept, out)] @ coupling
        A, b = A[np.ix_(kept, kept)] - down[:, :-1], b[kept] - down[:, -1]
    place = np.full(n, -1)
    place[kept] = np.arange(len(kept))

    base = np.zeros(len(kept))  # z = base + T x, y = sign w + ...
    columns: list[tuple[int, float]] = []  # kept row and sign of each x that moves z
    slack: list[int] = []  # columns with a slack of their own, lambda or nu
    for k, i in enumerate(kept):
        if follows[i]:
            if mu[i] > 0.0:
                slack.append(len(columns))
                columns += [(k, 1.0), (k, -1.0)]
        elif lower[i] == upper[i]:
            base[k] = lower[i]
        elif lower[i] > -np.inf:
            base[k] = lower[i]
            if upper[i] < np.inf:
                slack.append(len(columns))
            columns.append((k, 1.0))
        else:
            base[k] = upper[i]
            columns.append((k, -1.0))
    moving = len(columns)
    rows = np.array([k for k, _ in columns], dtype=int)
    sign = np.array([s for _, s in columns])
    m = moving + len(slack)
    M, q = np.zeros((m, m)), np.zeros(m)
    if moving:
        M[:moving, :moving] = sign[:, None] * A[np.ix_(rows, rows)] * sign
        q[:moving] = sign * (A @ base + b)[rows]
    for s, c in enumerate(slack):
        row, i = moving + s, kept[rows[c]]
        if follows[i]:
            M[c, row] = M[c + 1, row] = 1.0
            M[row, c] = M[row, c + 1] = -1.0
            k, factor = place[normal[i]], mu[i] * scale[i] / scale[normal[i]]
            if k < 0:
                return None  # a normal row without bounds is eliminated
            q[row] = factor * base[k]
            for x in np.flatnonzero(rows == k):
                M[row, x] = factor * sign[x]
        else:
            M[c, row], M[row, c], q[row] = 1.0, -1.0, upper[i] - lower[i]
    x = lemke(M, q, start, end)
    if x is None:
        return None
    found = base.copy()
    np.add.at(found, rows, sign * x[:moving])
    z = np.zeros(n)
    z[kept] = found
    if out.size:
        z[out] = -(coupling[:, :-1] @ found + coupling[:, -1])
    return z * size / scale


def lemke(M: np.ndarray, q: np.ndarray, start: int, end: float) -> np.ndarray | None:
    """x >= 0 with y = M x + q >= 0 and x'y = 0, by complementary pivots; None for a ray."""
    m = len(q)
    if m == 0 or np.all(q >= 0.0):
        return np.zeros(m)
    cover = 1.0 + (np.arange(m) * GOLDEN + start * GOLDEN**2) % 1.0
    D, value = np.column_stack([M, cover]), q.copy()
    # Labels: y_i is i, x_i is m + i, the artificial variable 2 m.
    basic, outside = np.arange(m), np.arange(m, 2 * m + 1)
    row, column = int(np.argmin(value / cover)), m
    for _pivot in range(50 * m + 100):
        if late(end):
            return None
        left = int(basic[row])
        _exchange(D, value, row, column)
        basic[row], outside[column] = outside[column], left
        if left == 2 * m:
            x = np.zeros(2 * m + 1)
            x[basic] = value
            return np.maximum(x[m : 2 * m], 0.0)
        column = int(np.flatnonzero(outside == (left + m if left < m else left - m))[0])
        rate = -D[:, column]
        falling = rate > SMALL * max(1.0, float(np.max(np.abs(rate))))
        if not np.any(falling):
            return None
        ratio = np.full(m, np.inf)
        ratio[falling] = np.maximum(value[falling], 0.0) / rate[falling]
        near = np.flatnonzero(ratio <= np.min(ratio) + 1e-13)
        artificial = near[basic[near] == 2 * m]
        row = int(artificial[0]) if artificial.size else int(near[np.argmax(rate[near])])
    return None


def _exchange(D: np.ndarray, value: np.ndarray, row: int, column: int) -> None:
    """Exchange the basic variable of a row and the nonbasic one of a column."""
    pivot = D[row, column]
    own = -D[row] / pivot
    own[column] = 1.0 / pivot
    fixed = -value[row] / pivot
    rest = D[:, column].copy()
    rest[row] = 0.0
    D[:, column] = 0.0
    D += np.outer(rest, own)
    value += rest * fixed
    D[row], value[row] = own, fixed
