"""Look-up of a vehicle's motion (class, speed, limit) in its table over strength and slope.

c*: least strength of the ground for a start or for motion on a slope, the "border" of trafficability;
ray: straight up, down or across the slope, each with a table of its own; t: ``tables.SurfaceArrays``.
"""

import math

from mlcp.jit import kernel, part

from . import tables as T
from .balance import uncoded

DRAG_TOLERANCE = 1e-6  # relative tolerance of the speed with air drag
MAX_SECANTS = 5  # largest number of secant steps before bisection
MAX_LOOK_UPS = 32  # largest number of look-ups in the search for one speed with air drag


@kernel
def even(count, part):
    """Interval among ``count`` equidistant nodes on [0, 1] and the fraction within it, at ``part``."""
    at = min(max(part, 0.0), 1.0) * (count - 1)
    k = min(int(at), count - 2)
    return k, at - k


@kernel
def place(nodes, hints, part, x):
    """Interval of x among increasing nodes and the fraction within it; clipped at the ends.

    hints: interval at the beginning of each of many equal parts of the range; part: position of x in the
    range, 0 to 1, which selects the hint.
    """
    last, parts = nodes.shape[0] - 1, hints.shape[0]
    k = int(hints[min(max(int(part * parts), 0), parts - 1)])
    while k > 0 and nodes[k] > x:
        k -= 1
    while k < last - 1 and nodes[k + 1] <= x:
        k += 1
    relative_slope = (x - nodes[k]) / (nodes[k + 1] - nodes[k])
    return k, min(max(relative_slope, 0.0), 1.0)


@kernel
def between(table, i, u, j, v):
    """Bilinear value of a table at row i + u and column j + v."""
    return (1.0 - u) * ((1.0 - v) * table[i, j] + v * table[i, j + 1]) + u * (
        (1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    )


@kernel
def value_on_ray(values, at, q):
    """Bilinear value of quantity q on a ray; at: row and fraction, level and fraction."""
    i, u, k, w = at
    low = (1.0 - u) * values[i, k, q] + u * values[i + 1, k, q]
    high = (1.0 - u) * values[i, k + 1, q] + u * values[i + 1, k + 1, q]
    return (1.0 - w) * low + w * high


@kernel
def inside_both(values, at, across, q):
    """Trilinear value of quantity q; at: row and level, each with its fraction; across: column with
    its fraction.
    """
    i, u, k, w = at
    j, v = across
    low = (1.0 - u) * ((1.0 - v) * values[i, j, k, q] + v * values[i, j + 1, k, q]) + u * (
        (1.0 - v) * values[i + 1, j, k, q] + v * values[i + 1, j + 1, k, q]
    )
    k += 1
    high = (1.0 - u) * ((1.0 - v) * values[i, j, k, q] + v * values[i, j + 1, k, q]) + u * (
        (1.0 - v) * values[i + 1, j, k, q] + v * values[i + 1, j + 1, k, q]
    )
    return (1.0 - w) * low + w * high


@kernel
def ray_of(along, side):
    """Code of a slope's direction: a ray (straight up, down or across, as in maps), or ``OBLIQUE``."""
    if along == 0.0:
        return T.ACROSS
    return T.OBLIQUE if side > 0.0 else (T.DOWN if along < 0.0 else T.UP)


@kernel
def polar(t, kind, along, side):
    """``(relative_slope, direction)`` [-]: slope over the steepest passable one in its direction, and
    direction = along / (|along| + side); on a ray the direction is 0 and not used.
    """
    ray = ray_of(along, side)
    if ray != T.OBLIQUE:
        return (abs(along) + side) * t.ray_relative_slope[kind, ray], 0.0
    direction = along / (abs(along) + side)
    last = t.reach.shape[1] - 1
    at = 0.5 * (direction + 1.0) * last
    k = min(int(at), last - 1)
    ends = t.reach[kind]
    return math.hypot(along, side) / (ends[k] + (at - k) * (ends[k + 1] - ends[k])), direction


@kernel
def slides(t, along, side):
    """Whether the vehicle slides or tips sideways on a slope (along, side) [-], see ``border``."""
    most = t.numbers[T.SIDEWAYS]
    return side > most and side > most * math.sqrt(1.0 + along * along)


@kernel
def weakness(t, kind, ray, relative_slope, direction):
    """1/c* [1/Pa], inverse of the least strength, at a relative slope and direction, see ``polar``.

    kind: ``STARTING`` or ``MOVING``; ray: result of ``ray_of``.
    """
    if not relative_slope <= 1.0:
        return 0.0
    if ray != T.OBLIQUE:
        line = t.ray_weakness[kind, ray]
        i, u = even(line.shape[0], relative_slope)
        return (1.0 - u) * line[i] + u * line[i + 1]
    i, u = place(t.relative_slopes, t.hints[T.RELATIVE_SLOPES], relative_slope, relative_slope)
    j, v = place(t.directions, t.hints[T.DIRECTIONS], 0.5 * (direction + 1.0), direction)
    return between(t.weakness[kind], i, u, j, v)


@kernel
def border(t, kind, along, side):
    """1/c* [1/Pa], inverse of the least strength; 0 if the vehicle slides or tips.

    kind: ``STARTING`` or ``MOVING``; side: slope across, at least 0.
    """
    if slides(t, along, side):
        return 0.0
    relative_slope, direction = polar(t, kind, along, side)
    return weakness(t, kind, ray_of(along, side), relative_slope, direction)


@kernel
def fastest(gears, torque):
    """Fastest wheel speed at a torque [N m] and its gear: ``(speed [rad/s], gear)``; 0, 0: none."""
    best, which = 0.0, 0
    last = gears.shape[2] - 1
    for n in range(gears.shape[0]):
        k = gears.shape[0] - 1 - n  # from the highest gear, which is usually the fastest
        speed, falling = gears[k, 0], gears[k, 1]
        if speed[last] < best or not torque <= falling[0]:
            continue
        j = 0
        while j < last and falling[j + 1] >= torque:
            j += 1
        found = speed[j]
        if j < last:
            relative_slope = (falling[j] - torque) / (falling[j] - falling[j + 1])
            found += relative_slope * (speed[j + 1] - speed[j])
        if found >= best:
            best, which = found, k + 1
    return best, which


@kernel
def least_limit(gears, numbers, slip, torque, braking):
    """Least speed limit of gears, sight distance and driver: ``(speed [m/s], reason, gear)``.

    slip [-], torque of the driven wheels [N m], braking: largest deceleration [m/s^2].
    """
    spin, gear = fastest(gears, torque)
    speed, reason = spin * numbers[T.RADIUS] * (1.0 - slip), T.POWER
    a, delay = max(braking, 0.0), numbers[T.REACTION]
    sight = math.sqrt((a * delay) ** 2 + 2.0 * a * numbers[T.SIGHT_DISTANCE]) - a * delay
    if sight < speed:
        speed, reason = sight, T.SIGHT
    if numbers[T.MAXIMUM] < speed:
        speed, reason = numbers[T.MAXIMUM], T.DRIVER
    return speed, reason, gear


@kernel
def without_drag(t, c, along, side):
    """Motion without air drag at strength c [Pa]: ``(passable, speed [m/s], reason, slip, gear)``."""
    if slides(t, along, side):
        return False, 0.0, T.SIDE, math.nan, 0
    ray, (relative_slope, direction) = ray_of(along, side), polar(t, T.MOVING, along, side)
    above = c * weakness(t, T.MOVING, ray, relative_slope, direction)
    if not above >= 1.0:
        return False, 0.0, T.SOIL, math.nan, 0
    i, u = even(t.relative_slope.shape[0], relative_slope)
    whole = max(above / c * t.numbers[T.STRONGEST], T.ABOVE)
    k, w = even(t.eta.shape[0], math.sqrt(math.log(above) / math.log(whole)))
    at = i, u, k, w
    if ray != T.OBLIQUE:
        values = t.ray_values[ray]
        coded, torque, braking = (
            value_on_ray(values, at, T.CODED),
            value_on_ray(values, at, T.TORQUE),
            value_on_ray(values, at, T.BRAKING),
        )
    else:
        direction_interval = even(t.direction.shape[0], 0.5 * (direction + 1.0))
        coded = inside_both(t.values, at, direction_interval, T.CODED)
        torque = inside_both(t.values, at, direction_interval, T.TORQUE)
        braking = inside_both(t.values, at, direction_interval, T.BRAKING)
    if braking < 0.0:
        return False, 0.0, T.SIGHT, math.nan, 0
    slip = uncoded(coded)
    speed, reason, gear = least_limit(t.gears, t.numbers, slip, torque, braking)
    return True, speed, reason, slip, gear


@kernel
def with_drag(t, c, along, side, free):
    """Motion with air drag: ``(speed [m/s], reason, slip, gear)``.

    The drag acts as an additional slope of the same force. The result is the speed v that is also
    the largest possible one with the drag at v. First trial: the speed without drag (``free``:
    result without drag); then secant steps over v^2, and bisection at jumps of the speed (a change
    of gear, the border).
    """
    drag = t.numbers[T.DRAG] / t.numbers[T.WEIGHT]
    low, at_low, high, at_high = 0.0, free[0], free[0], 0.0
    below = 0.0, free[1], free[2], free[3]
    v = high
    for trial in range(MAX_LOOK_UPS):
        passable, found, reason, slip, gear = without_drag(t, c, along + drag * v * v, side)
        if passable and found >= v * (1.0 - DRAG_TOLERANCE):
            low, at_low, below = v, found, (v, reason, slip, gear)
        else:
            high, at_high = v, found
        if low >= high or abs(found - v) <= DRAG_TOLERANCE * v or high - low <= DRAG_TOLERANCE * high:
            break
        v = 0.5 * (low + high)
        if trial < MAX_SECANTS:
            bend = (at_low - at_high) / (high * high - low * low)
            most = at_low + bend * low * low
            v = 2.0 * most / (1.0 + math.sqrt(max(1.0 + 4.0 * bend * most, 0.0)))
    return below


@part
def going(t, strength, along, across):
    """Motion at a strength [Pa], above 0, on a slope: ``(class, speed [m/s], reason, slip, gear)``."""
    c, side = min(strength, t.numbers[T.STRONGEST]), abs(across)
    passable, speed, reason, slip, gear = without_drag(t, c, along, side)
    most = t.numbers[T.STEEPEST]
    if abs(along) + side > most and math.hypot(along, side) > most:
        return T.NO_GO, 0.0, reason if not passable else T.SOIL, math.nan, 0
    if not passable:
        return T.NO_GO, 0.0, reason, slip, gear
    if t.numbers[T.DRAG] > 0.0:
        speed, reason, slip, gear = with_drag(t, c, along, side, (speed, reason, slip, gear))
    starts = c * border(t, T.STARTING, along, side) >= 1.0
    return T.GO if starts else T.KEEP_MOVING, speed, reason, slip, gear
