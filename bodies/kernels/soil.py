"""Wheels on soft ground: the reduced contact problem of ``contact``, on the step's own arrays.

Soft wheels come first among the channels; hard wheels, bounded couplings (brakes, clutches, limits)
and rigid contacts come after them, each of their channels being one extra row.
"""

from __future__ import annotations

from contact.kernels import ground as soils
from contact.kernels import layout as at
from contact.kernels.arrays import Grounds, Rows, Wheels
from contact.kernels.reduced import solve_reduced
from mlcp.jit import part

from . import layout as L


@part
def soil_wheels(F, N):
    """The wheels' arrays as ``contact`` knows them."""
    n = L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    deepest = L.floats(F, N, L.SOIL_DEEPEST)
    v = deepest.shape[0]
    law, lateral = L.floats(F, N, L.SOIL_LAW), L.floats(F, N, L.SOIL_LATERAL)
    table, weight = L.floats(F, N, L.SOIL_TABLE), L.floats(F, N, L.SOIL_WEIGHT)
    return Wheels(
        L.int_table(N, L.SOIL_I, at.WHEEL_INTS),
        L.table(F, N, L.SOIL_FLOATS, at.WHEEL_FLOATS),
        L.table(F, N, L.SOIL_LAW, law.shape[0] // v),
        L.table(F, N, L.SOIL_LATERAL, lateral.shape[0] // v),
        table.reshape((v, table.shape[0] // (2 * v), 2)),
        deepest,
        L.int_table(N, L.SOIL_VARIANT_I, weight.shape[0] // n),
        L.table(F, N, L.SOIL_WEIGHT, weight.shape[0] // n),
        L.table(F, N, L.SOIL_NOW, at.WHEEL_WORK),
        L.table(F, N, L.SOIL_BRISTLE, at.BRISTLES),
    )


@part
def soil_rows(F, N):
    """The rows' arrays as ``contact`` knows them."""
    n = L.floats(F, N, L.SOIL_Z).shape[0]
    return Rows(
        L.ints(N, L.SOIL_CHANNEL_I),
        L.ints(N, L.SOIL_MINUS_I),
        L.floats(F, N, L.SOIL_E),
        L.floats(F, N, L.SOIL_BIAS),
        L.floats(F, N, L.SOIL_LOWER),
        L.floats(F, N, L.SOIL_UPPER),
        L.floats(F, N, L.SOIL_Z),
        L.ints(N, L.SOIL_ACTIVE_I),
        L.table(F, N, L.SOIL_A, n),
        L.floats(F, N, L.SOIL_B),
        L.floats(F, N, L.SOIL_WORK),
        L.floats(F, N, L.SOIL_Q),
        L.floats(F, N, L.SOIL_U),
        L.floats(F, N, L.SOIL_REPORT),
    )


@part
def soil_grounds(F, N):
    """What varies under the wheels, as ``contact`` knows it."""
    n = L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    patches = L.floats(F, N, L.PATCH_DATA)
    return Grounds(
        L.ints(N, L.GROUND_I).reshape((n, soils.GROUND_INTS)),
        L.floats(F, N, L.GROUND_DATA).reshape((n, soils.GROUND_FLOATS)),
        patches.reshape((patches.shape[0] // soils.PATCH_FLOATS, soils.PATCH_FLOATS)),
        L.floats(F, N, L.MEMORY),
        L.floats(F, N, L.SOIL_RUT),
    )


@part
def see_ground(F, N):
    """Put every soft wheel on the soils and into the rut at its contact point."""
    ground, wheels = soil_grounds(F, N), soil_wheels(F, N)
    W = L.floats(F, N, L.WHEEL_STATE)
    for m in range(ground.rut.shape[0]):
        w = L.WHEEL_STATE_FLOATS * m
        soils.see_ground(m, W[w + 3], W[w + 4], ground, wheels)


@part
def leave_tracks(F, N):
    """Let the ground remember where the soft wheels are and how deep they have sunk."""
    ground, rows = soil_grounds(F, N), soil_rows(F, N)
    W, gap, S = L.floats(F, N, L.WHEEL_STATE), L.floats(F, N, L.SOIL_GAP), L.floats(F, N, L.SCALAR)
    T = L.ints(N, L.SOIL_I)
    for m in range(ground.rut.shape[0]):
        w, t = L.WHEEL_STATE_FLOATS * m, at.WHEEL_INTS * m
        load = rows.z[T[t + at.FIRST_ROW] + at.ROW_NORMAL] / S[L.STEP]
        ahead = gap[m] + S[L.STEP] * rows.u[T[t + at.FIRST_CHANNEL] + at.NORMAL]
        sunk = soils.sinkage_below(m, ahead, load, ground)
        soils.leave_track(m, W[w + 3], W[w + 4], W[w + 12], W[w + 13], sunk, ground)


@part
def prepare_soil(F, N):
    """Gaps, channel velocities at the start of the step, and the extra rows of this step."""
    wheels = L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    W, gap, u = L.floats(F, N, L.WHEEL_STATE), L.floats(F, N, L.SOIL_GAP), L.floats(F, N, L.SOIL_START)
    rut = L.floats(F, N, L.SOIL_RUT)
    for m in range(wheels):
        w = L.WHEEL_STATE_FLOATS * m
        gap[m] = W[w + 15] + rut[m] * W[w + 8]
        for k in range(at.CHANNELS):
            u[at.CHANNELS * m + k] = W[w + 16 + k]
    e, bias = L.floats(F, N, L.SOIL_E), L.floats(F, N, L.SOIL_BIAS)
    lower, upper = L.floats(F, N, L.SOIL_LOWER), L.floats(F, N, L.SOIL_UPPER)
    ce, cb = L.floats(F, N, L.CHANNEL_COMPLIANCE), L.floats(F, N, L.CHANNEL_BIAS)
    low, high = L.floats(F, N, L.CHANNEL_LOWER), L.floats(F, N, L.CHANNEL_UPPER)
    extra = u.shape[0] - at.CHANNELS * wheels
    row = e.shape[0] - extra
    for k in range(extra):
        c = at.CHANNELS * wheels + k
        e[row + k], bias[row + k], lower[row + k], upper[row + k] = ce[c], cb[c], low[c], high[c]


@part
def book_soil(F, N):
    """Channel impulses and the report of the solve, back to the step."""
    q, impulse = L.floats(F, N, L.SOIL_Q), L.floats(F, N, L.CHANNEL_IMPULSE)
    for c in range(q.shape[0]):
        impulse[c] = q[c]
    S, count = L.floats(F, N, L.SCALAR), L.ints(N, L.COUNT_I)
    report = L.floats(F, N, L.SOIL_REPORT)
    S[L.RESIDUAL] = report[at.RESIDUAL]
    S[L.RESIDUAL_MAX] = max(S[L.RESIDUAL_MAX], report[at.RESIDUAL])
    count[L.ITERATIONS] += int(report[at.PASSES])
    count[L.MISSED] += int(report[at.MISSED])
    W, now = L.floats(F, N, L.WHEEL_STATE), L.table(F, N, L.SOIL_NOW, at.WHEEL_WORK)
    for m in range(count[L.SOIL_WHEELS]):
        W[L.WHEEL_STATE_FLOATS * m + 20] = now[m, at.ROLLING]


@part
def solve_soil(F, N):
    """All wheels on soft ground and all bounded couplings, to the ground law."""
    prepare_soil(F, N)
    C = L.floats(F, N, L.SOIL_Q).shape[0]
    solve_reduced(
        L.floats(F, N, L.SCALAR)[L.STEP],
        L.ints(N, L.COUNT_I)[L.SOLVER],
        L.floats(F, N, L.SOIL_SETTINGS),
        L.floats(F, N, L.SOIL_GAP),
        L.table(F, N, L.DELASSUS, C),
        L.floats(F, N, L.SOIL_START),
        L.floats(F, N, L.FREE),
        soil_wheels(F, N),
        soil_rows(F, N),
    )
    book_soil(F, N)
