"""How likely a vehicle goes, and how fast, where strength and slope are known with an error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contact import checks

from .surface import Surface

#: (along, across) of a unit slope in each direction of going.
DIRECTIONS = {"up": (1.0, 0.0), "down": (-1.0, 0.0), "across": (0.0, 1.0)}
FAR = 4.5  # standard deviations beyond which the strength decides
WIDE = 7.0  # standard deviations of the slope that are looked at
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_HALVINGS = 24
_POINTS = 2001  # of the border over the slope


@dataclass(frozen=True, eq=False)
class Border:
    """Least strength over the slope of the ground in one direction; least at ``turn``, rising both ways.

    Attributes:
        slope: tangents, rising (n,) [-]; negative: the ground falls the other way than it was thought.
        least: log of the least strength (n,) [log Pa], inf: on no ground.
        turn: slope at which it is least [-].
    """

    slope: np.ndarray
    least: np.ndarray
    turn: float

    def at(self, slope: np.ndarray) -> np.ndarray:
        """log c* [log Pa] at slopes of any shape; beyond the table inf."""
        weak = np.interp(slope, self.slope, np.exp(-self.least), left=0.0, right=0.0)
        with np.errstate(divide="ignore"):
            return -np.log(weak)


def border(surface: Surface, direction: str = "up", speed: float = 0.0, moving: bool = False) -> Border:
    """Least strength at which the vehicle goes, at least at ``speed`` [m/s].

    Arguments:
        surface: of the vehicle.
        direction: "up", "down" or "across".
        speed: [m/s], at least 0; above it the going of a moving vehicle is asked.
        moving: at speed 0: KEEP MOVING is enough; else it must start.

    Raises:
        ValueError: an unknown direction, or a negative speed.
    """
    checks.known("direction", direction, DIRECTIONS)
    checks.within("border", "speed", speed, 0.0, unit="m/s")
    ahead, beside = DIRECTIONS[direction]
    steepest = surface.along[-1]
    slope = np.linspace(-steepest, steepest, _POINTS)
    with np.errstate(divide="ignore"):
        least = np.log(surface.least_strength(ahead * slope, beside * slope, moving or speed > 0.0))
    if speed > 0.0:
        low = np.minimum(least, np.log(surface.strengths[1]))
        high = np.full_like(low, np.log(surface.strengths[1]))
        fast = surface.going(np.exp(high), ahead * slope, beside * slope).speed >= speed
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            good = surface.going(np.exp(middle), ahead * slope, beside * slope).speed >= speed
            low, high = np.where(good, low, middle), np.where(good, middle, high)
        least = np.where(fast, np.maximum(high, least), np.inf)
    low = int(np.argmin(least))
    if direction == "across":
        low = len(slope) // 2
    least[low:] = np.maximum.accumulate(least[low:])
    least[: low + 1] = np.maximum.accumulate(least[low::-1])[::-1]
    return Border(slope, least, float(slope[low]))


def likely(
    over: Border, strength: ArrayLike, variation: ArrayLike, slope: ArrayLike, error: ArrayLike
) -> np.ndarray:
    """P(strength >= c*(slope)) [-], by quadrature.

        P = integral of phi(z) Phi((log c_m - log c*(m + sigma z)) / sigma_c) dz

    c log-normal with mean ``strength`` and coefficient of variation v: sigma_c^2 = log(1 + v^2), median
    c_m = strength / sqrt(1 + v^2); slope normal. On either side of the slope at which c* is least
    it only rises: there the integral is exact where Phi is 1 or 0, and 16 points of Gauss-Legendre take
    the part between, found by bisection. Without variation and error it is 0 or 1.

    Arguments:
        over: which border.
        strength: mean [Pa]; variation: its standard deviation over it [-], at least 0.
        slope: mean tangent [-]; error: its standard deviation [-], at least 0. All of one shape.

    Raises:
        ValueError: a variation or an error below 0.
    """
    from scipy.special import ndtr

    strength, variation, slope, error = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (strength, variation, slope, error))
    )
    if (variation < 0.0).any() or (error < 0.0).any():
        raise ValueError("likely: variation and error must be at least 0")
    spread = np.sqrt(np.log1p(variation**2))
    middle = np.log(np.where(strength > 0.0, strength, np.nan)) - 0.5 * spread**2
    sigma = np.where(error > 0.0, error, 1.0)

    def above(z: np.ndarray) -> np.ndarray:
        return middle - over.at(slope + sigma * z)

    turn = np.clip((over.turn - slope) / sigma, -WIDE, WIDE)
    total = np.zeros(strength.shape)
    for sign in (1.0, -1.0):
        ends = []
        for level in (FAR, -FAR):  # from here on the strength may not be, is not enough
            near, far = turn, np.full_like(turn, sign * WIDE)
            for _ in range(_HALVINGS):
                half = 0.5 * (near + far)
                more = above(half) >= level * spread
                near, far = np.where(more, half, near), np.where(more, far, half)
            ends.append(np.where(above(turn) >= level * spread, near, turn))
        first, last = ends
        total += sign * (ndtr(first) - ndtr(turn))
        width = 0.5 * (last - first)
        for x, w in zip(_NODES, _WEIGHTS, strict=True):
            z = first + width * (1.0 + x)
            with np.errstate(invalid="ignore", divide="ignore"):
                g = np.where(spread > 0.0, above(z) / np.where(spread > 0.0, spread, 1.0), 0.0)
            density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
            total += sign * w * width * density * ndtr(g)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = middle - over.at(slope)
        sure = np.where(spread > 0.0, ndtr(gap / np.where(spread > 0.0, spread, 1.0)), gap >= 0.0)
    found = np.where(error > 0.0, total, sure)
    return np.where(np.isfinite(middle) & np.isfinite(slope), np.clip(found, 0.0, 1.0), np.nan)


def quantiles(
    surface: Surface,
    at: tuple[float, ...],
    strength: ArrayLike,
    variation: ArrayLike,
    slope: ArrayLike,
    error: ArrayLike,
    direction: str = "up",
    levels: int = 33,
) -> np.ndarray:
    """Speeds [m/s] that are not reached with probabilities ``at``, shape (len(at), ...).

    By inversion of P(speed >= v), which ``likely`` gives at ``levels`` speeds; linear between.

    Arguments:
        surface, direction: as for ``border``. at: probabilities in (0, 1).
        strength [Pa], variation [-], slope [-], error [-]: as for ``likely``.
        levels: speeds at which it is computed, at least 2.

    Raises:
        ValueError: a probability outside (0, 1), fewer than two levels, an unknown direction.
    """
    if not all(0.0 < p < 1.0 for p in at):
        raise ValueError(f"quantiles: at = {at} must lie between 0 and 1")
    checks.within("quantiles", "levels", levels, 2)
    known = np.broadcast(*(np.asarray(x) for x in (strength, variation, slope, error)))
    top = min(
        surface.driver.maximum, max(g.speed[-1] for g in surface.vehicle.gears) * surface.vehicle.radius
    )
    speeds = np.linspace(0.0, top, levels)
    found = np.zeros((len(at), *known.shape))
    last = np.ones(known.shape)
    for k in range(1, levels):
        over = border(surface, direction, float(speeds[k]))
        now = likely(over, strength, variation, slope, error)
        if k == 1:  # just above 0 it is the chance to go at all
            last = likely(border(surface, direction, moving=True), strength, variation, slope, error)
        for row, p in enumerate(at):
            with np.errstate(invalid="ignore", divide="ignore"):
                share = np.where(last > now, (last - (1.0 - p)) / (last - now), 1.0)
            reached = last >= 1.0 - p
            value = speeds[k - 1] + np.clip(share, 0.0, 1.0) * (speeds[k] - speeds[k - 1])
            found[row] = np.where(reached, value, found[row])
            found[row] = np.where(np.isnan(now), np.nan, found[row])
        last = np.minimum(last, now)
    return found


def sampled(
    over: Border,
    cell: int,
    mean: tuple[float, float],
    spread: tuple[float, float],
    samples: int = 1_000_000,
    seed: int = 0,
) -> float:
    """The same probability by Monte Carlo, the referee: error sqrt(P (1 - P) / samples).

    Random numbers are counted (Philox) with the key (seed, cell): a cell's do not depend on its tile.

    Arguments:
        over: which border. cell: its number.
        mean: strength [Pa] and slope [-]. spread: variation of the strength [-], error of the slope [-].
        samples: their number. seed: of the map.
    """
    random = np.random.Generator(np.random.Philox(key=np.array([seed, cell], dtype=np.uint64)))
    sigma = np.sqrt(np.log1p(spread[0] ** 2))
    strength = np.log(mean[0]) - 0.5 * sigma**2 + sigma * random.standard_normal(samples)
    slope = mean[1] + spread[1] * random.standard_normal(samples)
    return float(np.mean(strength >= over.at(slope)))
