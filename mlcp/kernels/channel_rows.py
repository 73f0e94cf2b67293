"""Rows on channels of a simulator (host): velocities, couplings, and the memory of a solve.

A channel is a contact coordinate. The host has C channels, with velocities ``u = u_free + B q`` [m/s] at
channel impulses q [N s] and mobility B [1/kg]. A row, one unknown impulse z, acts on one channel or on
the difference of two: ``w = u[channel] - u[minus] + e z + bias``. So

    A = S B S' + diag(e),   b = S u_free + bias,   S one +1 and at most one -1 in a row.

The kernels take one problem, or lanes (problems of several vehicles side by side in one SIMD register).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mlcp.compiled.branches import some, where
from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel


class ChannelRows(NamedTuple):
    """Arrays of the rows on channels; kernels also take a bundle with entries of these names."""

    channel: Any  # (n,) int64: channel of each row
    minus: Any  # (n,) int64: subtracted channel, -1 for none
    e: Any  # (n,) compliance [1/kg]
    bias: Any  # (n,) bias [m/s]
    lower: Any  # (n,) lower bound [N s]
    upper: Any  # (n,) upper bound [N s]
    z: Any  # (n,) impulses, warm start and result [N s]
    active: Any  # (n,) int64: -1 at lower, 0 free, +1 at upper; warm start and result
    q: Any  # (C,) channel impulses of the result [N s]
    u: Any  # (C,) channel velocities of the result [m/s]
    work: Any  # float64 memory, of length ``ChannelWork.length(n)`` or more


class ChannelWork(WorkArray, sizes="n"):
    """Memory of a solve on channels; the factorisation stays in it for the next call."""

    matrix = part("n n", "D L' of the free rows in the upper triangle; 1 / D on its diagonal")
    x = part("n", "right-hand side and solution of the free rows")
    scale = part("n", "sqrt of the rows' a_ii")
    own = part("n", "sizes of the rows by their own b and bounds")
    e = part("n", "compliance with which the free rows were factored")
    free = part("n", "1: the row is among those factored")
    w = part("n", "velocities of the rows")
    row = part("n", "list of the free rows")
    place = part("n", "position of a free row in the list")
    count = part("1", "number of free rows")
    z = part("n", "impulses to restore on failure")
    active = part("n", "active set to restore on failure")
    coupling = part("n n", "couplings of all rows, upper triangle; in lanes only")


@kernel
def own_inertia(B, channel, minus):
    """Diagonal entry of S B S' [1/kg] for a row on these channels; ``minus``: -1 for none."""
    value = B[channel, channel]
    if minus >= 0:
        value += B[minus, minus] - B[minus, channel] - B[channel, minus]
    return value


@kernel
def respond(B, u_free, rows):
    """Set rows.q = S'z [N s] and rows.u = u_free + B q [m/s] from the impulses rows.z; B symmetric."""
    channel, minus, z, q, u = rows.channel, rows.minus, rows.z, rows.q, rows.u
    channels = q.shape[0]
    for c in range(channels):
        q[c] = 0.0
        u[c] = u_free[c]
    for i in range(z.shape[0]):
        q[channel[i]] += z[i]
        if minus[i] >= 0:
            q[minus[i]] -= z[i]
    k = 0
    while k + 3 < channels:  # four channels at a time, so that u is read less often
        q_0, q_1, q_2, q_3 = q[k], q[k + 1], q[k + 2], q[k + 3]
        for c in range(channels):
            u[c] += (B[k, c] * q_0 + B[k + 1, c] * q_1) + (B[k + 2, c] * q_2 + B[k + 3, c] * q_3)
        k += 4
    while k < channels:
        impulse = q[k]
        if some(impulse != 0.0):
            for c in range(channels):
                u[c] = where(impulse != 0.0, u[c] + B[k, c] * impulse, u[c])
        k += 1


@kernel
def row_velocity(i, rows):
    """Relative velocity w of row i [m/s]."""
    w = rows.u[rows.channel[i]] + rows.e[i] * rows.z[i] + rows.bias[i]
    if rows.minus[i] >= 0:
        w -= rows.u[rows.minus[i]]
    return w


@kernel
def coupling(i, j, B, rows):
    """Entry (i, j) of S B S' [1/kg], the rows' Delassus matrix without the compliances."""
    on, off = rows.channel[i], rows.minus[i]
    other, taken = rows.channel[j], rows.minus[j]
    value = B[np.uint64(on), np.uint64(other)]
    if off >= 0:
        value -= B[off, other]
    if taken >= 0:
        value -= B[on, taken]
        if off >= 0:
            value += B[off, taken]
    return value
