"""One cell of a map: the worst result of going up, down and across its slope, and probabilities.

t: ``tables.SurfaceArrays`` of the vehicle; odds: ``tables.Odds`` of the probabilities; strength [Pa] of
the ground, log_strength: logarithm of its mean, slope: tangent [-].
"""

import math

from mlcp.jit import kernel, part

from . import tables as T
from .chance import below, likely
from .look import going

SURE = 5.0  # probit beyond which a probability is 0 or 1


@kernel
def worst(t, strength, slope, limit):
    """Worst of three directions: ``(class, speed [m/s], reason, validity)``.

    class: worst one; speed: harmonic mean; reason: limit of the slowest direction; validity: ``VALID``,
    ``BEYOND_LAW`` or ``BEYOND_TABLE``. limit: speed limit of the land use [m/s]; nan: none.
    """
    kind, reason, validity = T.GO, T.NO_DATA, T.VALID
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
        if mine == T.NO_GO and why == T.SOIL:  # no other direction can be worse
            validity = T.BEYOND_LAW
            break
        times += 1.0 / speed
        if slip > t.numbers[T.KNOWN_SLIP]:
            validity = T.BEYOND_LAW
    if not t.numbers[T.WEAKEST] <= strength <= t.numbers[T.STRONGEST]:
        validity = T.BEYOND_TABLE
    if slope > t.numbers[T.STEEPEST]:
        validity = T.BEYOND_TABLE
    return kind, 0.0 if kind == T.NO_GO else 3.0 / times, reason, validity


@kernel
def cubic(u):
    """Catmull-Rom weights of four neighbours, at u in [0, 1] between the middle two."""
    return (
        0.5 * u * (u * (2.0 - u) - 1.0),
        0.5 * (u * u * (3.0 * u - 5.0) + 2.0),
        0.5 * u * (u * (4.0 - 3.0 * u) + 1.0),
        0.5 * u * u * (u - 1.0),
    )


@kernel
def probit(table, i, u, j, v):
    """Bicubic value of a table at row i + u and column j + v; nodes at the edge are repeated."""
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
    """Interval of x among equidistant nodes, and the fraction within it; clipped at the ends."""
    at = min(max((x - first) / step, 0.0), count - 1.0)
    k = min(int(at), count - 2)
    return k, at - k


@kernel
def chance(odds, slope, log_strength):
    """Probability that the vehicle can start in every direction [-], by table."""
    i, u = node(odds.grid[0], odds.fine[0], odds.start.shape[0], slope)
    j, v = node(odds.grid[2], odds.fine[1], odds.start.shape[1], log_strength)
    z = probit(odds.start, i, u, j, v)
    return 0.0 if z <= 0.999 * -SURE else (1.0 if z >= 0.999 * SURE else below(z))


@kernel
def directly(odds, which, slope, log_strength):
    """Probability that the strength exceeds the least strength for a start (``which`` = 0) or for level
    number ``which`` of the speed (1, 2, ...), by quadrature.
    """
    spread, error = odds.errors[0], odds.errors[1]
    middle = log_strength - 0.5 * spread * spread
    return likely(odds.slopes, odds.weak[which], 0.0, middle, spread, slope, error)


@kernel
def corners(table, i, u, j, v, k):
    """Bilinear value of a table at row i + u, column j + v, level k."""
    return (1.0 - u) * ((1.0 - v) * table[i, j, k] + v * table[i, j + 1, k]) + u * (
        (1.0 - v) * table[i + 1, j, k] + v * table[i + 1, j + 1, k]
    )


@kernel
def quantile(odds, i, u, j, v, wanted):
    """Speed [m/s] exceeded with the probability of probit ``wanted``, at row i + u and column j + v.

    Linear interpolation between the levels of speed.
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
    """Speed of ``quantile`` [m/s] by quadrature; for a slope without error the speed at the
    strength's quantile.
    """
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
    """``(probability of a start, three speeds [m/s])``, one for each probability in ``odds.wanted``."""
    starts = chance(odds, slope, log_strength)
    i, u = node(odds.grid[0], odds.grid[1], odds.speeds.shape[0], slope)
    j, v = node(odds.grid[2], odds.grid[3], odds.speeds.shape[1], log_strength)
    low = quantile(odds, i, u, j, v, odds.wanted[0])
    middle = quantile(odds, i, u, j, v, odds.wanted[1])
    return starts, low, middle, quantile(odds, i, u, j, v, odds.wanted[2])


@kernel
def known(strength, slope):
    """Whether strength and slope are both known (finite, strength above 0)."""
    return 0.0 < strength < math.inf and slope < math.inf


@part
def cell(t, strength, slope, limit):
    """``(class, speed [m/s], reason, validity)`` of a cell of the map, without uncertainty.

    strength [Pa], slope [-], limit of the land use [m/s] (nan: none). Unknown values give no data.
    """
    if not known(strength, slope):
        return T.NO_DATA, math.nan, T.NO_DATA, T.NO_DATA
    return worst(t, strength, slope, limit)


@part
def cell_by_chance(t, odds, strength, slope, limit):
    """``(probability of a start, three speeds [m/s])``, see ``by_chance``; arguments as for ``cell``."""
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
