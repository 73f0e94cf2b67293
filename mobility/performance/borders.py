"""Border of trafficability: least strength of the ground over its slope, in one or all directions."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contact import checks
from mlcp.kinds import Vector, checked

from ..kernels import tables as T
from ..kernels.tables import BRAKING
from .surface import Surface
from .threads import over_rows

#: Components (along, across) of a unit slope in each direction of motion.
DIRECTIONS = {"up": (1.0, 0.0), "down": (-1.0, 0.0), "across": (0.0, 1.0)}
EVERY = "every"  # all three directions
_HALVINGS = 24  # bisections of the log strength
_SAMPLES = 49  # number of strengths at which the deceleration by the brakes is checked
_POINTS = 2001  # number of slopes at which a border is computed


@dataclass(frozen=True, eq=False)
@checked
class Border:
    """Least strength c* over the slope of the ground; it increases on both sides of ``turn``.

    Attributes:
        slope: tangents, increasing (n,) [-]; negative: slope in the opposite direction.
        least: log c* (n,) [log Pa], inf: impassable on any strength.
        turn: slope of the least c* [-].

    Raises:
        ValueError: a field of a wrong kind.
    """

    slope: Vector
    least: Vector
    turn: float

    @functools.cached_property
    def weak(self) -> np.ndarray:
        """1/c* [1/Pa] at the slopes, shape (n,); interpolated linearly."""
        return np.exp(-self.least)

    def at(self, slope: np.ndarray) -> np.ndarray:
        """Border log c* [log Pa] at slopes of any shape; inf beyond the table."""
        with np.errstate(divide="ignore"):
            return -np.log(np.interp(slope, self.slope, self.weak, left=0.0, right=0.0))


@checked
def border(
    surface: Surface,
    direction: str | tuple[float, float] = EVERY,
    speed: float = 0.0,
    moving: bool = False,
) -> Border:
    """Least strength of the ground over its slope for a start, for motion, or for a speed of
    ``speed`` [m/s].

    Arguments:
        surface: table of the vehicle.
        direction: "up", "down", "across", or "every": all three, with their harmonic mean speed; or
            (along, across) of a unit slope, such as (0.6, 0.8).
        speed: least speed [m/s], at least 0; above 0 the vehicle is in motion.
        moving: for ``speed`` 0: True: KEEP MOVING suffices; False: the vehicle must start.

    Raises:
        ValueError: an unknown direction, or a negative speed.
    """
    if isinstance(direction, str):
        checks.known("direction", direction, (*DIRECTIONS, EVERY))
    checks.within("border", "speed", speed, 0.0, unit="m/s")
    unit_slopes = list(DIRECTIONS.values()) if direction == EVERY else [_unit_slope(direction)]
    steepest = min(_steepest(surface, *unit_slope) for unit_slope in unit_slopes)
    slope = np.linspace(-steepest, steepest, _POINTS)
    with np.errstate(divide="ignore"):
        least = np.max(
            [
                np.log(surface.least_strength(along * slope, across * slope, moving or speed > 0.0))
                for along, across in unit_slopes
            ],
            axis=0,
        )
    if speed == 0.0:
        for unit_slope in unit_slopes:
            least = np.maximum(least, _braked(surface, *unit_slope, slope))
    else:
        least = _fast_enough(surface, direction, slope, speed, least)
    low = len(slope) // 2 if direction in ("across", EVERY) else int(np.argmin(least))
    least[low:] = np.maximum.accumulate(least[low:])
    least[: low + 1] = np.maximum.accumulate(least[low::-1])[::-1]
    return Border(slope, least, float(slope[low]))


def _unit_slope(direction: Any) -> tuple[float, float]:
    return DIRECTIONS[direction] if isinstance(direction, str) else direction


def _steepest(surface: Surface, along: float, across: float) -> float:
    """Largest slope in a direction [-]: that of the table, or a smaller one of sliding or tipping."""
    most = float(surface.table.numbers[T.SIDEWAYS])
    # the vehicle slides or tips at the slope s with across s / sqrt(1 + (along s)^2) = most
    squared = across**2 - (most * along) ** 2
    return min(surface.steepest, most / np.sqrt(squared) if squared > 0.0 else np.inf)


def _braked(surface: Surface, along: float, across: float, slope: np.ndarray) -> np.ndarray:
    """Log strength [log Pa] above which the brakes suffice at slopes (n,); -inf: always.

    On soft ground the resistance alone may suffice; this is ignored, so that the passable strengths have
    one border.
    """
    least = np.full(slope.shape, -np.inf)
    down = np.flatnonzero(along * slope < 0.0)
    if not down.size or (surface.tables[BRAKING] >= 0.0).all():
        return least

    def fails(at: np.ndarray, index: np.ndarray) -> np.ndarray:
        found = surface.going(np.exp(at), along * slope[index], across * slope[index])
        return (found.kind == T.NO_GO) & (found.reason == T.SIGHT)

    low, high = (np.log(c) for c in surface.strengths)
    samples = np.linspace(low, high, _SAMPLES)
    bad = np.array([fails(np.full(down.size, c), down) for c in samples])
    index = down[bad.any(axis=0)]
    if not index.size:
        return least
    last = _SAMPLES - 1 - np.argmax(bad[::-1, bad.any(axis=0)], axis=0)
    below, above = samples[last], samples[np.minimum(last + 1, _SAMPLES - 1)]
    for _ in range(_HALVINGS):
        middle = 0.5 * (below + above)
        ill = fails(middle, index)
        below, above = np.where(ill, middle, below), np.where(ill, above, middle)
    least[index] = np.where(last == _SAMPLES - 1, np.inf, above)
    return least


def _fast_enough(
    surface: Surface, direction: Any, slope: np.ndarray, speed: float, least: np.ndarray
) -> np.ndarray:
    """Least log strength [log Pa] for a speed [m/s] at slopes (n,), by bisection above ``least``."""
    low = np.minimum(least, np.log(surface.strengths[1]))
    high = np.full_like(low, np.log(surface.strengths[1]))

    def reached(at: np.ndarray) -> np.ndarray:
        if direction == EVERY:
            return mean_speed(surface, np.exp(at), np.abs(slope)) >= speed
        along, across = _unit_slope(direction)
        return surface.going(np.exp(at), along * slope, across * slope).speed >= speed

    fast = reached(high)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        good = reached(middle)
        low, high = np.where(good, low, middle), np.where(good, middle, high)
    return np.where(fast, np.maximum(high, least), np.inf)


def mean_speed(surface: Surface, strength: ArrayLike, slope: ArrayLike) -> np.ndarray:
    """Harmonic mean of the speeds up, down and across [m/s]; 0 if one of them is NO-GO.

    Arguments: strength [Pa] above 0 and slope [-] at least 0, one shape.
    """
    from ..kernels.entry import worst_over

    strength, slope = np.broadcast_arrays(np.asarray(strength, float), np.asarray(slope, float))
    out = np.empty(strength.size)
    points = np.stack([strength.ravel(), slope.ravel()], axis=1)
    over_rows(lambda r: worst_over(surface.table, points[r], out[r]), out.size)
    return out.reshape(strength.shape)
