"""Looking a vehicle's going up in its table."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import tables as T
from .balance import uncoded

HALVINGS = 20  # of the speed at which air drag and pull agree


@kernel
def place(nodes, x):
    """Interval of x among rising nodes and the share of the way through it; held at the ends."""
    low, high = 0, nodes.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if nodes[middle] <= x:
            low = middle
        else:
            high = middle
    share = (x - nodes[low]) / (nodes[low + 1] - nodes[low])
    return low, min(max(share, 0.0), 1.0)


@kernel
def between(table, i, u, j, v):
    """Bilinear, at row i + u and column j + v."""
    return (1.0 - u) * ((1.0 - v) * table[i, j] + v * table[i, j + 1]) + u * (
        (1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    )


@kernel
def polar(t, kind, along, side):
    """``(share, way)`` of a slope: over the steepest of its way [-], above 1: it goes on no ground."""
    far = math.hypot(along, side)
    way = along / (abs(along) + side) if far > 0.0 else 0.0
    last = t.reach.shape[1] - 1
    at = 0.5 * (way + 1.0) * last
    k = min(int(at), last - 1)
    ends = t.reach[kind]
    return far / (ends[k] + (at - k) * (ends[k + 1] - ends[k])), way


@kernel
def slides(t, along, side):
    """Whether it slides or tips sideways."""
    return side > t.numbers[T.SIDEWAYS] * math.sqrt(1.0 + along * along)


@kernel
def border(t, kind, along, side):
    """1/c* [1/Pa] of a start or of a moving vehicle; side: slope across, at least 0."""
    share, way = polar(t, kind, along, side)
    if not share <= 1.0 or slides(t, along, side):
        return 0.0
    i, u = place(t.shares, share)
    j, v = place(t.ways, way)
    return between(t.weakness[kind], i, u, j, v)


@kernel
def fastest(gears, torque):
    """``(speed of the wheels [rad/s], gear)`` that gives a torque [N m] the fastest; 0, 0: none."""
    best, which = 0.0, 0
    for k in range(gears.shape[0]):
        speed, falling = gears[k, 0], gears[k, 1]
        if not torque <= falling[0]:
            continue
        j = 0
        while j + 1 < falling.shape[0] and falling[j + 1] >= torque:
            j += 1
        found = speed[j]
        if j + 1 < falling.shape[0]:
            share = (falling[j] - torque) / (falling[j] - falling[j + 1])
            found += share * (speed[j + 1] - speed[j])
        if found > best:
            best, which = found, k + 1
    return best, which


@kernel
def least_limit(gears, numbers, slip, torque, braking):
    """``(speed [m/s], reason, gear)`` of a vehicle that goes: gears, stopping in sight, driver."""
    spin, gear = fastest(gears, torque)
    speed, reason = spin * numbers[T.RADIUS] * (1.0 - slip), T.POWER
    a, delay = max(braking, 0.0), numbers[T.REACTION]
    sight = math.sqrt((a * delay) ** 2 + 2.0 * a * numbers[T.SIGHT_AHEAD]) - a * delay
    if sight < speed:
        speed, reason = sight, T.SIGHT
    if numbers[T.MAXIMUM] < speed:
        speed, reason = numbers[T.MAXIMUM], T.DRIVER
    return speed, reason, gear


@kernel
def still(t, c, along, side):
    """``(goes, speed [m/s], reason, slip, gear)`` on strength c [Pa], without air drag."""
    above = c * border(t, T.MOVING, along, side)
    if not above >= 1.0:
        return False, 0.0, T.SIDE if slides(t, along, side) else T.SOIL, math.nan, 0
    share, way = polar(t, T.MOVING, along, side)
    i, u = place(t.share, share)
    j, v = place(t.way, way)
    whole = max(above / c * t.numbers[T.STRONGEST], T.ABOVE)
    k, w = place(t.eta, math.sqrt(min(math.log(above) / math.log(whole), 1.0)))
    low, high = t.values[:, :, :, k], t.values[:, :, :, k + 1]
    slip = uncoded((1.0 - w) * between(low[0], i, u, j, v) + w * between(high[0], i, u, j, v))
    torque = (1.0 - w) * between(low[1], i, u, j, v) + w * between(high[1], i, u, j, v)
    braking = (1.0 - w) * between(low[2], i, u, j, v) + w * between(high[2], i, u, j, v)
    if braking < 0.0:
        return False, 0.0, T.SIGHT, math.nan, 0
    speed, reason, gear = least_limit(t.gears, t.numbers, slip, torque, braking)
    return True, speed, reason, slip, gear


@kernel
def going(t, strength, along, across):
    """``(class, speed [m/s], reason, slip, gear)``; the strength [Pa] is known and above 0.

    Air drag counts as more slope, of the same force: bisection on the speed.
    """
    c, side = min(strength, t.numbers[T.STRONGEST]), abs(across)
    goes, speed, reason, slip, gear = still(t, c, along, side)
    if math.hypot(along, side) > t.numbers[T.STEEPEST]:
        return T.NO_GO, 0.0, reason if not goes else T.SOIL, math.nan, 0
    if goes and t.numbers[T.DRAG] > 0.0:
        low, high = 0.0, speed
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            more = t.numbers[T.DRAG] * middle**2 / t.numbers[T.WEIGHT]
            enough, found, reason, slip, gear = still(t, c, along + more, side)
            if enough and found >= middle:
                low = middle
            else:
                high = middle
        speed = low
    if not goes:
        return T.NO_GO, 0.0, reason, slip, gear
    starts = c * border(t, T.STARTING, along, side) >= 1.0
    return T.GO if starts else T.KEEP_MOVING, speed, reason, slip, gear
