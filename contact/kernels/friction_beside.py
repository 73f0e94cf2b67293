"""Friction of rows outside the wheels in the step's nonlinear problem: projection and slopes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel


class Beside(NamedTuple):
    """Friction of the rows outside the wheels, by row; empty without friction."""

    parent: Any  # row of the normal force, -1: none
    partner: Any  # second tangent of a cone's first, -1: none
    coefficient: Any  # [-]
    live: Any  # 0: carries nothing in this step


@kernel
def rubs(row, beside):
    """True if a friction row can have an impulse."""
    return beside.live[row] != 0 and beside.coefficient[row] != 0.0


@kernel
def gather_friction(first, n, W, beside):
    """Which of these unknowns are friction, by the numbers of the unknowns."""
    for k in range(first, n):
        row = int(W.row[k])
        if beside.parent[row] < 0:
            continue
        W.coefficient[k] = beside.coefficient[row] if rubs(row, beside) else 0.0
        for j in range(first, n):
            other = int(W.row[j])
            if other == beside.parent[row]:
                W.normal[k] = j
            if other == beside.partner[row] and rubs(other, beside):
                W.partner[k], W.partner[j] = j, -1.0


@kernel
def follow_velocity(k, other, share, n, W, rows):
    """Add the slopes of a share of unknown ``other``'s velocity to row k of the matrix."""
    row = int(W.row[other])
    for j in range(n):
        slope = rows.A[row, int(W.row[j])] * W.scale[j] / W.scale[k]
        W.matrix[k * (n + 1) + j] += share * slope


@kernel
def open_friction(k, n, W, rows):
    """F and its slopes for friction outside the wheels: both tangents of a cone, or one of a box."""
    j, normal, mu, wide = int(W.partner[k]), int(W.normal[k]), W.coefficient[k], n + 1
    if j < 0:
        return  # with its cone's first tangent
    a = rows.A[int(W.row[k]), int(W.row[k])]
    x, y, most = W.z[k] - W.w[k] / a, 0.0, mu * max(0.0, W.z[normal])
    if j != k:
        a = max(a, rows.A[int(W.row[j]), int(W.row[j])])
        x, y = W.z[k] - W.w[k] / a, W.z[j] - W.w[j] / a
    size = math.hypot(x, y)
    if size <= most:
        W.open[k] = W.w[k] / a / W.scale[k]
        follow_velocity(k, k, 1.0 / a, n, W, rows)
        if j != k:
            W.open[j] = W.w[j] / a / W.scale[j]
            follow_velocity(j, j, 1.0 / a, n, W, rows)
        return
    x, y = x / size, y / size
    grows = mu * W.scale[normal] if W.z[normal] > 0.0 else 0.0
    W.open[k] = (W.z[k] - most * x) / W.scale[k]
    W.matrix[k * wide + k] += 1.0
    W.matrix[k * wide + normal] -= x * grows / W.scale[k]
    if j == k:
        return
    W.open[j] = (W.z[j] - most * y) / W.scale[j]
    W.matrix[j * wide + j] += 1.0
    W.matrix[j * wide + normal] -= y * grows / W.scale[j]
    turns = most / size  # rotation of the direction: (I - n n') of the projected vector
    W.matrix[k * wide + k] -= turns * y * y
    W.matrix[k * wide + j] += turns * x * y * W.scale[j] / W.scale[k]
    W.matrix[j * wide + j] -= turns * x * x
    W.matrix[j * wide + k] += turns * x * y * W.scale[k] / W.scale[j]
    follow_velocity(k, k, turns * y * y / a, n, W, rows)
    follow_velocity(k, j, -turns * x * y / a, n, W, rows)
    follow_velocity(j, j, turns * x * x / a, n, W, rows)
    follow_velocity(j, k, -turns * x * y / a, n, W, rows)
