"""One cell of a map: the worst of up, down and across its slope, with their chances."""

from __future__ import annotations

import math

from mlcp.jit import kernel, part

from . import tables as T
from .chance import below, likely
from .look import going

SURE = 5.0  # probit beyond which a chance is 0 or 1


@kernel
def worst(t, strength, slope, limit):
    """``(class, speed [m/s], reason, vouched)``: worst class, harmonic mean speed, slowest's reason.

    limit: of the land [m/s]; nan: none.
    """
    kind, reason, vouched = T.GO, T.NO_DATA, T.VOUCHED
    slowest, times = math.inf, 0.0
    for heading in range(3):
        along = slope if heading == 0 else (-slope if heading == 1 else 0.0)
        mine, speed, why, slip, _ = going(t, strength, along, slope if heading == 2 else 0.0)
        if limit < speed:
            speed, why = limit, T.LAND
            mine = T.NO_GO if limit <= 0.0 else mine
        kind = max(kind, mine)
        if speed < slowest:
            slowest, reason = speed, why
        if mine == T.NO_GO and why == T.SOIL:  # all is said, whatever the other ways are
            vouched = T.BEYOND_LAW
            break
        times += 1.0 / speed
        if slip > t.numbers[T.KNOWN_SLIP]:
            vouched = T.BEYOND_LAW
    if not t.numbers[T.WEAKEST] <= strength <= t.numbers[T.STRONGEST]:
        vouched = T.BEYOND_TABLE
    if slope > t.numbers[T.STEEPEST]:
        vouched = T.BEYOND_TABLE
    return kind, 0.0 if kind == T.NO_GO else 3.0 / times, reason, vouched


@kernel
def cubic(u):
    """Weights of four neighbours at u in [0, 1] between the middle two (Catmull and Rom)."""
    return (
        0.5 * u * (u * (2.0 - u) - 1.0),
        0.5 * (u * u * (3.0 * u - 5.0) + 2.0),
        0.5 * u * (u * (4.0 - 3.0 * u) + 1.0),
        0.5 * u * u * (u - 1.0),
    )


@kernel
def probit(table, i, u, j, v):
    """Bicubic at row i + u and column j + v; the ends count twice at the edge."""
    total, columns = 0.0, cubic(v)
    rows, n, m = cubic(u), table.shape[0], table.shape[1]
    for k in range(4):
        line = table[min(max(i + k - 1, 0), n - 1)]
        part = 0.0
        for q in range(4):
            part += columns[q] * line[min(max(j + q - 1, 0), m - 1)]
        total += rows[k] * part
    return total


@kernel
def node(first, step, count, x):
    """``place`` among even nodes."""
    at = min(max((x - first) / step, 0.0), count - 1.0)
    k = min(int(at), count - 2)
    return k, at - k


@kernel
def chance(odds, slope, log_strength):
    """P(it starts in every direction) [-] by table; log of the mean strength."""
    i, u = node(odds.grid[0], odds.fine[0], odds.start.shape[0], slope)
    j, v = node(odds.grid[2], odds.fine[1], odds.start.shape[1], log_strength)
    z = probit(odds.start, i, u, j, v)
    return 0.0 if z <= 0.999 * -SURE else (1.0 if z >= 0.999 * SURE else below(z))


@kernel
def directly(odds, which, slope, log_strength):
    """Chance that the strength reaches border ``which``, by quadrature."""
    spread, error = odds.errors[0], odds.errors[1]
    middle = log_strength - 0.5 * spread * spread
    return likely(odds.slopes, odds.weak[which], 0.0, middle, spread, slope, error)


@kernel
def corners(table, i, u, j, v, k):
    """Bilinear at level k."""
    return (1.0 - u) * ((1.0 - v) * table[i, j, k] + v * table[i, j + 1, k]) + u * (
        (1.0 - v) * table[i + 1, j, k] + v * table[i + 1, j + 1, k]
    )


@kernel
def quantile(odds, i, u, j, v, wanted):
    """Speed [m/s] that is exceeded with the chance of the probit ``wanted``; linear between levels.

    At slope i + u and strength j + v of the table.
    """
    low, high = 0, odds.levels.shape[0] - 1
    z_low = corners(odds.speeds, i, u, j, v, low)
    if z_low < wanted:
        return 0.0
    z_high = corners(odds.speeds, i, u, j, v, high)
    if z_high >= wanted:
        return odds.levels[high]
    while high - low > 1:
        middle = (low + high) // 2
        z = corners(odds.speeds, i, u, j, v, middle)
        if z >= wanted:
            low, z_low = middle, z
        else:
            high, z_high = middle, z
    share = (z_low - wanted) / (z_low - z_high)
    return odds.levels[low] + share * (odds.levels[high] - odds.levels[low])


@kernel
def quantile_directly(t, odds, slope, log_strength, wanted):
    """As ``quantile``, without tables; of a slope that is known the speed at the strength's quantile."""
    spread = odds.errors[0]
    if odds.errors[1] == 0.0:
        _, speed, _, _ = worst(
            t, math.exp(log_strength - spread * (0.5 * spread + wanted)), slope, math.nan
        )
        return speed
    share, low, high = below(wanted), 0, odds.levels.shape[0] - 1
    p_low = directly(odds, 1, slope, log_strength)
    if p_low < share:
        return 0.0
    p_high = directly(odds, 1 + high, slope, log_strength)
    if p_high >= share:
        return odds.levels[high]
    while high - low > 1:
        middle = (low + high) // 2
        p = directly(odds, 1 + middle, slope, log_strength)
        if p >= share:
            low, p_low = middle, p
        else:
            high, p_high = middle, p
    part = (p_low - share) / (p_low - p_high)
    return odds.levels[low] + part * (odds.levels[high] - odds.levels[low])


@kernel
def by_chance(odds, slope, log_strength):
    """``(P(it starts), three speeds)`` by table."""
    starts = chance(odds, slope, log_strength)
    i, u = node(odds.grid[0], odds.grid[1], odds.speeds.shape[0], slope)
    j, v = node(odds.grid[2], odds.grid[3], odds.speeds.shape[1], log_strength)
    low = quantile(odds, i, u, j, v, odds.wanted[0])
    middle = quantile(odds, i, u, j, v, odds.wanted[1])
    return starts, low, middle, quantile(odds, i, u, j, v, odds.wanted[2])


@kernel
def known(strength, slope):
    """Whether both are."""
    return 0.0 < strength < math.inf and slope < math.inf


@part
def cell(t, strength, slope, limit):
    """``(class, speed [m/s], reason, vouched)`` of a cell of the map, taken as known for sure.

    strength [Pa], slope [-], limit of the land [m/s] (nan: none); a strength or slope that is not known
    is no data.
    """
    if not known(strength, slope):
        return T.NO_DATA, math.nan, T.NO_DATA, T.NO_DATA
    return worst(t, strength, slope, limit)


@part
def cell_by_chance(t, odds, strength, slope, limit):
    """``(P(it starts), three speeds [m/s] of the odds' chances)``; arguments as for ``cell``."""
    if not known(strength, slope):
        return math.nan, math.nan, math.nan, math.nan
    log_strength = math.log(strength)
    if odds.start.shape[0] == 0:
        starts = directly(odds, 0, slope, log_strength)
        low = quantile_directly(t, odds, slope, log_strength, odds.wanted[0])
        middle = quantile_directly(t, odds, slope, log_strength, odds.wanted[1])
        high = quantile_directly(t, odds, slope, log_strength, odds.wanted[2])
    else:
        starts, low, middle, high = by_chance(odds, slope, log_strength)
    if limit == limit:
        starts = 0.0 if limit <= 0.0 else starts
        low, middle, high = min(low, limit), min(middle, limit), min(high, limit)
    return starts, low, middle, high
