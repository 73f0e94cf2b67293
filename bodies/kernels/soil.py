"""Wheels on soft ground: the reduced contact problem of ``contact``, on the step's own arrays.

A mechanism's wheels are all soft or all hard. Soft wheels come first among the channels, the
bounded couplings (brakes, clutches, limits) after them; each of those is one extra row.
"""

from __future__ import annotations

from contact.kernels import layout as at
from contact.kernels.arrays import Rows, Wheels
from contact.kernels.reduced import solve_reduced
from mlcp.jit import part

from . import layout as L


@part
def soil_wheels(F, N):
    """The wheels' arrays as ``contact`` knows them."""
    n = L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    table = L.floats(F, N, L.SOIL_TABLE)
    return Wheels(
        L.ints(N, L.SOIL_I).reshape((n, at.WHEEL_INTS)),
        L.floats(F, N, L.SOIL_FLOATS).reshape((n, at.WHEEL_FLOATS)),
        L.floats(F, N, L.SOIL_LAW).reshape((n, L.floats(F, N, L.SOIL_LAW).shape[0] // n)),
        L.floats(F, N, L.SOIL_LATERAL).reshape((n, L.floats(F, N, L.SOIL_LATERAL).shape[0] // n)),
        table.reshape((n, table.shape[0] // (2 * n), 2)),
        L.floats(F, N, L.SOIL_NOW).reshape((n, at.WHEEL_WORK)),
        L.floats(F, N, L.SOIL_BRISTLE).reshape((n, at.BRISTLES)),
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
        L.floats(F, N, L.SOIL_A).reshape((n, n)),
        L.floats(F, N, L.SOIL_B),
        L.floats(F, N, L.SOIL_WORK),
        L.floats(F, N, L.SOIL_Q),
        L.floats(F, N, L.SOIL_U),
        L.floats(F, N, L.SOIL_REPORT),
    )


@part
def prepare_soil(F, N):
    """Gaps, channel velocities at the start of the step, and the extra rows of this step."""
    wheels = L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    W, gap, u = L.floats(F, N, L.WHEEL_STATE), L.floats(F, N, L.SOIL_GAP), L.floats(F, N, L.SOIL_START)
    for m in range(wheels):
        gap[m] = W[L.WHEEL_STATE_FLOATS * m + 15]
        for k in range(at.CHANNELS):
            u[at.CHANNELS * m + k] = W[L.WHEEL_STATE_FLOATS * m + 16 + k]
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
        L.floats(F, N, L.DELASSUS).reshape((C, C)),
        L.floats(F, N, L.SOIL_START),
        L.floats(F, N, L.FREE),
        soil_wheels(F, N),
        soil_rows(F, N),
    )
    book_soil(F, N)
