"""What engines and motors do outside their tables, as points more: nothing there gives energy."""

from __future__ import annotations

Table = tuple[tuple[float, float], ...]

DROOP = 0.05  # of the last speed, within which a governor takes a torque away that is left there
SLOWEST = 20.0  # [rad/s] and no governor is narrower than that of this speed
BAND = 0.1  # [rad/s] to either side of standstill, over which a friction that jumps there is laid


def line(table: Table, x: float) -> float:
    """The table at x, linear between its points; the slopes at its ends go on."""
    k = 1
    while k < len(table) - 1 and table[k][0] < x:
        k += 1
    (a, low), (b, high) = table[k - 1], table[k]
    return low + (high - low) / (b - a) * (x - a)


def friction(motoring: Table) -> Table:
    """A braking torque at every speed: backward the mirror image of forward, if the table has one way.

    It passes through 0 at standstill, a jump there over ``BAND``; it never falls below 0 forward.
    """
    ahead, back = ([(s * x, s * y) for x, y in motoring if s * x > 0.0] for s in (1.0, -1.0))
    back.reverse()
    sides = [_one_way(side, dict(motoring).get(0.0)) for side in (ahead or back, back or ahead)]
    return (*((-x, -y) for x, y in reversed(sides[1])), (0.0, 0.0), *sides[0])


def _one_way(points: list[tuple[float, float]], still: float | None) -> list[tuple[float, float]]:
    """Points of speeds above 0 with those that the way to standstill needs; both columns at least 0."""
    first, torque = points[0]
    if still is None:  # the first slope goes on, to no less than 0
        rise = (points[1][1] - torque) / (points[1][0] - first) if points[1:] else torque / first
        still = torque - rise * first
        if still < 0.0 < rise:
            at = first - torque / rise
            return [(at, 0.0), *points] if 0.0 < at < first else points
    if still <= 0.0 or first <= BAND:
        return points if points[1:] else [*points, (2.0 * first, 2.0 * torque)]
    return [(BAND, still + (torque - still) * BAND / first), *points]


def engine_tables(full: Table, motoring: Table) -> tuple[Table, Table]:
    """Full load and motoring of an engine with the points outside, see :class:`bodies.Engine`."""
    brakes = friction(motoring) if motoring else ()
    return (*_backward(full), *full, *_beyond(full, brakes)), brakes


def motor_tables(full: Table, motoring: Table) -> tuple[Table, Table]:
    """The same of an electric motor, see :class:`bodies.ElectricMotor`: what falls falls on."""
    (first, low), (last, high) = full[0], full[-1]
    before = () if line(full, first - 1.0) > max(low, 0.0) else ((first - 1.0, max(low, 0.0)),)
    after = ((last + 1.0, high),) if line(full, last + 1.0) > high else ()
    return (*before, *full, *after), friction(motoring) if motoring else ()


def governed(full: Table) -> Table:
    """Full load to where a governor has taken all torque away: a point more where some is left."""
    return full if full[-1][1] <= 0.0 else (*full, _beyond(full, ())[0])


def _backward(full: Table) -> list[tuple[float, float]]:
    """Down to standstill the first slope, as there is no starter; backward its torque there, against
    the rotation."""
    first, torque = full[0]
    if first <= 0.0:
        return [(first - 1.0, max(torque, 0.0))]
    still = max(line(full, 0.0), 0.0)
    return [(-1.0, still), (0.0, still)]


def _beyond(full: Table, brakes: Table) -> list[tuple[float, float]]:
    """The last slope, a governor's at least, to the friction, and along it without end."""
    last, torque = full[-1]

    def drag(speed: float) -> float:
        return max(line(brakes, speed), 0.0) if brakes else 0.0

    more = max(-torque - drag(last), 0.0)
    end, falls = last + DROOP * max(last, SLOWEST), torque - line(full, last + 1.0)
    if falls > 0.0:
        end = min(end, last + (torque + drag(last) + more) / falls)
    end = max(end, last + 1e-6 * max(last, SLOWEST))
    speeds = [end, *(x for x, _ in brakes if x > end)]
    speeds.append(speeds[-1] + max(last, SLOWEST))
    return [(x, -drag(x) - more) for x in speeds]
