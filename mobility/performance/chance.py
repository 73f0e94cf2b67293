"""Probabilities of trafficability and speed for uncertain strength and slope."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from contact import checks
from mlcp.kinds import at_least, checked

from .borders import EVERY, Border, border
from .surface import Surface
from .threads import over_rows


@checked
def likely(
    over: Border, strength: ArrayLike, variation: ArrayLike, slope: ArrayLike, error: ArrayLike
) -> np.ndarray:
    """Probability that the strength is at least c*(slope) [-], by quadrature.

        P = integral of phi(z) Phi((log c_m - log c*(m + sigma z)) / sigma_c) dz

    phi, Phi: density and distribution function of a standard normal number z.
    Strength: log-normal with mean ``strength`` and coefficient of variation v, so that
    sigma_c^2 = log(1 + v^2), median c_m = strength / sqrt(1 + v^2). Slope: normal with mean m and
    standard deviation sigma. c* increases on both sides of its least value. On each side the integral is
    exact where Phi is 1 or 0; the part between these is divided, by bisection, into panels of 8
    Gauss-Legendre points.

    Arguments:
        over: border.
        strength: mean [Pa]; variation: its coefficient of variation [-], at least 0.
        slope: mean tangent [-]; error: its standard deviation [-], at least 0. All of one shape.

    Raises:
        ValueError: a variation or an error below 0.
    """
    from ..kernels.entry import likely_over

    strength, variation, slope, error = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (strength, variation, slope, error))
    )
    if (variation < 0.0).any() or (error < 0.0).any():
        raise ValueError("likely: variation and error must be at least 0")
    spread = np.sqrt(np.log1p(variation**2))
    middle = np.log(np.where(strength > 0.0, strength, np.nan)) - 0.5 * spread**2
    points = np.stack([x.ravel() for x in (middle, spread, slope, error)], axis=1)
    out = np.empty(len(points))
    over_rows(lambda r: likely_over(over.slope, over.weak, over.turn, points[r], out[r]), len(points))
    found = out.reshape(middle.shape)
    return np.where(np.isfinite(middle) & np.isfinite(slope), found, np.nan)


@checked
def quantiles(
    surface: Surface,
    at: tuple[float, ...],
    strength: ArrayLike,
    variation: ArrayLike,
    slope: ArrayLike,
    error: ArrayLike,
    direction: str = EVERY,
    levels: int = 33,
) -> np.ndarray:
    """Quantiles of the speed [m/s] at probabilities ``at``, shape (len(at), ...).

    P(speed >= v) is computed by ``likely`` at some speeds v, interpolated linearly, and inverted.

    Arguments:
        surface, direction: as for ``border``. at: probabilities in (0, 1).
        strength [Pa], variation [-], slope [-], error [-]: as for ``likely``.
        levels: number of speeds, at least 2.

    Raises:
        ValueError: a probability outside (0, 1), fewer than two levels, an unknown direction.
    """
    if not all(0.0 < p < 1.0 for p in at):
        raise ValueError(f"quantiles: at = {at} must lie between 0 and 1")
    checks.within("quantiles", "levels", levels, 2)
    known = np.broadcast(*(np.asarray(x) for x in (strength, variation, slope, error)))
    speeds = speed_levels(surface, levels)
    found = np.zeros((len(at), *known.shape))
    last = np.ones(known.shape)
    for k in range(1, levels):
        over = border(surface, direction, float(speeds[k]))
        now = likely(over, strength, variation, slope, error)
        if k == 1:  # level 0 is the speed 0: its probability is that of motion
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


def speed_levels(surface: Surface, count: int) -> np.ndarray:
    """Equidistant speeds [m/s] from 0 to the limit of driver and gears, shape (count,)."""
    top = max(g.speed[-1] for g in surface.vehicle.gears) * surface.vehicle.radius
    return np.linspace(0.0, min(surface.driver.maximum, top), count)


@checked
def sampled(
    over: Border,
    cell: Annotated[int, at_least(0)],
    mean: tuple[float, float],
    spread: tuple[float, float],
    samples: int = 1_000_000,
    seed: Annotated[int, at_least(0)] = 0,
) -> float:
    """Probability of ``likely`` by Monte Carlo simulation, for comparison.

    Standard error sqrt(P (1 - P) / samples). Random numbers are counter-based (Philox) with the key
    (seed, cell), so that a cell's numbers do not depend on its tile.

    Arguments:
        over: border. cell: index of the cell.
        mean: strength [Pa] and slope [-]. spread: variation of the strength [-], error of the slope [-].
        samples: number of samples. seed: seed of the map.
    """
    random = np.random.Generator(np.random.Philox(key=np.array([seed, cell], dtype=np.uint64)))
    sigma = np.sqrt(np.log1p(spread[0] ** 2))
    strength = np.log(mean[0]) - 0.5 * sigma**2 + sigma * random.standard_normal(samples)
    slope = mean[1] + spread[1] * random.standard_normal(samples)
    return float(np.mean(strength >= over.at(slope)))
