"""The slip of a wheel held between two that lie on either side of its root."""

from __future__ import annotations

from mlcp.jit import kernel

OPEN = 4.0  # how far a bracket opens, in ways of the pass


@kernel
def open_bracket(i, wheels):
    """Nothing is known of wheel i's slip."""
    now = wheels.now[i]
    now.slip_low, now.slip_high = -1.0, 1.0
    now.stalls, now.last_way = 0.0, 0.0


@kernel
def keep_between(i, point, out, wheels):
    """Hold the slip of wheel i within its bracket where its passes stall.

    ``point``: slip of the last pass, ``out``: what came out of it. Coming out above means that the
    root is above. Load, resistance and the other wheels move the root meanwhile: a bracket that has
    become short against the way that is left opens at the end it leads to.
    """
    now = wheels.now[i]
    low, high, way = now.slip_low, now.slip_high, out - point
    if way > 0.0:
        low = point
        if high <= low or high - low < 0.05 * way:
            high = min(1.0, low + OPEN * way)
    elif way < 0.0:
        high = point
        if low >= high or high - low < -0.05 * way:
            low = max(-1.0, high + OPEN * way)
    now.slip_low, now.slip_high = low, high
    last, stalls = now.last_way, now.stalls
    if way * last < 0.0 and abs(way) > 0.5 * abs(last):
        stalls += 1.0
    elif abs(way) < 0.5 * abs(last):
        stalls = 0.0
    now.stalls, now.last_way = stalls, way
    slip = now.slip
    outside = slip <= low or slip >= high
    if abs(way) > 1e-12 and ((stalls >= 2.0 and outside) or stalls >= 4.0):
        slip = 0.5 * (low + high)
        now.slip, now.v_t = slip, -slip * now.v_max
