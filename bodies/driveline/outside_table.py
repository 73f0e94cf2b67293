"""Extension of the torque tables of engines and motors to all speeds; no torque supplies energy in
backward rotation, and no engine does above the last speed of its table."""

from __future__ import annotations

Table = tuple[tuple[float, float], ...]

LEAST_GOVERNOR_SPEED = 20.0  # [rad/s] a governor's band of speeds is at least 5 % of this speed
STANDSTILL_BAND = 0.1  # [rad/s] half width of the regularisation of friction at standstill


def line(table: Table, x: float) -> float:
    """Value of the table at x, linear between its points and linearly extrapolated outside."""
    k = 1
    while k < len(table) - 1 and table[k][0] < x:
        k += 1
    (a, low), (b, high) = table[k - 1], table[k]
    return low + (high - low) / (b - a) * (x - a)


def friction(motoring: Table) -> Table:
    """Table of the braking torque for both senses of rotation, an odd function of the speed.

    The torque is 0 at standstill and at least 0 forward; a discontinuity at standstill is regularised
    over ``STANDSTILL_BAND``.
    """
    forward, backward = ([(s * x, s * y) for x, y in motoring if s * x > 0.0] for s in (1.0, -1.0))
    backward.reverse()
    sides = [
        _one_side(side, dict(motoring).get(0.0)) for side in (forward or backward, backward or forward)
    ]
    return (*((-x, -y) for x, y in reversed(sides[1])), (0.0, 0.0), *sides[0])


def _one_side(points: list[tuple[float, float]], at_zero: float | None) -> list[tuple[float, float]]:
    """Points (speed, braking torque) of one sense of rotation, extended down to standstill; both numbers
    are positive. ``at_zero``: torque at standstill, if the table has it.
    """
    first, torque = points[0]
    if at_zero is None:  # extrapolation of the first slope to standstill, at least 0
        rise = (points[1][1] - torque) / (points[1][0] - first) if points[1:] else torque / first
        at_zero = torque - rise * first
        if at_zero < 0.0 < rise:
            at = first - torque / rise
            return [(at, 0.0), *points] if 0.0 < at < first else points
    if at_zero <= 0.0 or first <= STANDSTILL_BAND:
        return points if points[1:] else [*points, (2.0 * first, 2.0 * torque)]
    return [(STANDSTILL_BAND, at_zero + (torque - at_zero) * STANDSTILL_BAND / first), *points]


def engine_tables(full: Table, motoring: Table) -> tuple[Table, Table]:
    """Tables of full load and motoring of an engine, extended as in :class:`bodies.Engine`."""
    brakes = friction(motoring) if motoring else ()
    return (*_backward(full), *full, *_beyond(full, brakes)), brakes


def motor_tables(full: Table, motoring: Table) -> tuple[Table, Table]:
    """Tables of full load and motoring of a motor, extended as in :class:`bodies.ElectricMotor`."""
    (first, low), (last, high) = full[0], full[-1]
    before = () if line(full, first - 1.0) > max(low, 0.0) else ((first - 1.0, max(low, 0.0)),)
    after = ((last + 1.0, high),) if line(full, last + 1.0) > high else ()
    return (*before, *full, *after), friction(motoring) if motoring else ()


def governed(full: Table) -> Table:
    """Full load table that ends at a torque of at most 0; if the given table does not, a last point is
    added at which a governor has cut the torque."""
    return full if full[-1][1] <= 0.0 else (*full, _beyond(full, ())[0])


def _backward(full: Table) -> list[tuple[float, float]]:
    """Points below the table's speeds: extrapolation along the first slope down to standstill, where the
    torque replaces a starter; at backward speeds the torque of standstill, against the rotation."""
    first, torque = full[0]
    if first <= 0.0:
        return [(first - 1.0, max(torque, 0.0))]
    at_zero = max(line(full, 0.0), 0.0)
    return [(-1.0, at_zero), (0.0, at_zero)]


def _beyond(full: Table, brakes: Table) -> list[tuple[float, float]]:
    """Points above the table's speeds: the torque falls along the last slope, or the steeper slope of a
    governor, to minus the friction torque; at higher speeds it is minus the friction torque.

    ``brakes``: table of the friction."""
    last, torque = full[-1]

    def drag(speed: float) -> float:
        return max(line(brakes, speed), 0.0) if brakes else 0.0

    more = max(-torque - drag(last), 0.0)
    # band of speeds in which a governor cuts the torque: a twentieth of the last speed, at least 1 rad/s
    end, falls = last + 0.05 * max(last, LEAST_GOVERNOR_SPEED), torque - line(full, last + 1.0)
    if falls > 0.0:
        end = min(end, last + (torque + drag(last) + more) / falls)
    end = max(end, last + 1e-6 * max(last, LEAST_GOVERNOR_SPEED))
    speeds = [end, *(x for x, _ in brakes if x > end)]
    speeds.append(speeds[-1] + max(last, LEAST_GOVERNOR_SPEED))
    return [(x, -drag(x) - more) for x in speeds]
