"""Friction of contacts other than wheels in the equation F(z) = z - P(z) = 0 of ``balance``.

P projects ``z - w / a`` onto the friction cone or box; z: impulses, w = A z + b: velocities, a: diagonal
of A.
"""

import math
from typing import Any, NamedTuple

from mlcp.jit import either, kernel


class OtherFriction(NamedTuple):
    """Friction of the rows that belong to no wheel; arrays over all rows, empty without friction."""

    parent: Any  # row of the normal force, -1: none
    partner: Any  # for the first tangent of a cone: row of its second tangent; -1: none
    coefficient: Any  # coefficient of friction [-]
    live: Any  # 0: the row has no impulse in this step


@kernel
def _gather_friction(first, n, W, other_friction):
    """Set normal unknown, partner and coefficient of friction of the unknowns from ``first`` to n."""
    for k in range(first, n):
        W.normal[k], W.partner[k], W.coefficient[k] = -1.0, float(k), 0.0
    for k in range(first, n if other_friction.parent.shape[0] > 0 else first):
        row = int(W.row[k])
        if other_friction.parent[row] < 0:
            continue
        W.coefficient[k] = other_friction.coefficient[row] if other_friction.live[row] != 0 else 0.0
        for j in range(first, n):
            other = int(W.row[j])
            if other == other_friction.parent[row]:
                W.normal[k] = j
            if other == other_friction.partner[row] and other_friction.live[other] != 0:
                W.partner[k], W.partner[j] = j, -1.0


@kernel
def unprojected_friction(k, W, rows):
    """Friction impulse of unknown k before its projection, ``(x, y) = z - w / a`` along both tangents.

    Returns ``(j, x, y, most, a)``: j: second tangent of the cone, most: bound [N s]; box: j = k, y = 0.
    """
    j, row = int(W.partner[k]), int(W.row[k])
    a, y = rows.A[row, row], 0.0
    if j != k:
        a = max(a, rows.A[int(W.row[j]), int(W.row[j])])
        y = W.z[j] - W.w[j] / a
    return j, W.z[k] - W.w[k] / a, y, W.coefficient[k] * max(0.0, W.z[int(W.normal[k])]), a


@kernel
def _value_of_friction(first, n, W, rows):
    """Set F of the friction unknowns from ``first`` to n."""
    for k in range(first, n):
        if W.normal[k] < 0.0 or W.partner[k] < 0.0:
            continue  # no friction, or a second tangent, which is set together with the first one
        j, x, y, most, _ = unprojected_friction(k, W, rows)
        size = math.hypot(x, y)
        share = most / size if size > most else 1.0
        W.open[k] = (W.z[k] - share * x) / W.scale[k]
        if j != k:
            W.open[j] = (W.z[j] - share * y) / W.scale[j]


@kernel
def _slopes_of_friction(first, n, W, rows):
    """Set the slopes of F of the friction unknowns from ``first`` to n: P is ``z - w / a`` within the
    bound, and the direction of ``z - w / a`` times the bound outside."""
    for k in range(first, n):
        if W.normal[k] < 0.0 or W.partner[k] < 0.0:
            continue
        j, x, y, most, a = unprojected_friction(k, W, rows)
        size, normal = math.hypot(x, y), int(W.normal[k])
        slides = size > most
        turns = most / size if slides else 1.0
        grows = W.coefficient[k] * W.scale[normal] if slides and W.z[normal] > 0.0 else 0.0
        d = (x / size, y / size) if slides else (0.0, 0.0)
        for own in range(1 if j == k else 2):
            p = j if own == 1 else k
            for m in range(n):
                W.matrix[p * n + m] = 0.0
            W.matrix[p * n + p] += 1.0
            W.matrix[p * n + normal] -= d[own] * grows / W.scale[p]
            for other in range(1 if j == k else 2):
                q = j if other == 1 else k
                same = 1.0 if own == other else 0.0
                share = turns * (same - d[own] * d[other])  # of turns (I - d d')
                W.matrix[p * n + q] -= share * W.scale[q] / W.scale[p]
                row, share = int(W.row[q]), share / a
                for m in range(n):
                    W.matrix[p * n + m] += share * rows.A[row, int(W.row[m])] * W.scale[m] / W.scale[p]


@kernel
def no_friction(first, n, W, given):
    """Stand-in in lanes (several vehicles side by side in one SIMD register), where all contacts are
    wheels: does nothing."""


gather_friction = either(_gather_friction, no_friction)
value_of_friction = either(_value_of_friction, no_friction)
slopes_of_friction = either(_slopes_of_friction, no_friction)
