"""Tables of probabilities over strength and slope, for errors that are equal in all cells."""

from __future__ import annotations

import functools

import numpy as np

from ..kernels.cells import SURE
from ..kernels.tables import Odds
from .borders import Border, border
from .chance import likely, speed_levels
from .surface import Surface

LEVELS = 33  # number of levels of speed in a table
QUANTILES = (0.2, 0.5, 0.8)  # probabilities of the three quantiles of the speed in a map
STEPS, FINE = 4.0, 10.0  # nodes per standard deviation in the tables of speeds and of starts
LEAST_SPREAD, LEAST_ERROR = (
    0.02,
    0.004,
)  # least standard deviations for tables: smaller ones need too many nodes


def nodes(
    surface: Surface, spread: float, error: float, steps: float = STEPS
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes of a table of probabilities: slopes [-] and log strengths [log Pa].

    They extend six standard deviations beyond the table ``surface``. spread, error: standard deviations
    of log strength and slope; steps: nodes per standard deviation.
    """
    slopes = np.arange(0.0, surface.steepest + 6.0 * error, error / steps)
    low, high = (np.log(c) for c in surface.strengths)
    return slopes, np.arange(low - 6.0 * spread, high + 6.0 * spread, spread / steps)


def probits(
    over: Border, slopes: np.ndarray, logs: np.ndarray, variation: float, error: float
) -> np.ndarray:
    """Probits of the probability to exceed a border, at nodes, shape (slopes, logs)."""
    from scipy.special import ndtri

    chance = likely(over, np.exp(logs)[None], variation, slopes[:, None], error)
    return np.clip(ndtri(chance), -SURE, SURE)


@functools.lru_cache(maxsize=8)
def odds(surface: Surface, variation: float, error: float) -> Odds:
    """Tables of the probabilities of a start and of speeds in every direction, for given errors.

    Probits are interpolated, since they are nearly linear in the log strength.

    Arguments:
        surface: table of the vehicle.
        variation: coefficient of variation of the strength [-]. error: standard deviation of slope [-].
    """
    from scipy.special import ndtri

    levels = speed_levels(surface, LEVELS)
    borders = [border(surface), border(surface, moving=True)]
    borders += [border(surface, speed=float(v)) for v in levels[1:]]
    weak = np.array([b.weak for b in borders])
    spread = float(np.sqrt(np.log1p(variation**2)))
    wanted = -ndtri(np.array(QUANTILES))
    errors = np.array([spread, error])
    if spread < LEAST_SPREAD or error < LEAST_ERROR:
        nothing, none, grid = np.zeros((0, 0)), np.zeros((0, 0, 0), np.float32), np.zeros(4)
        return Odds(nothing, none, levels, grid, grid[:2], wanted, borders[0].slope, weak, errors)
    slopes, logs = nodes(surface, spread, error)
    start = probits(borders[0], *nodes(surface, spread, error, FINE), variation, error)

    speeds = np.stack([probits(over, slopes, logs, variation, error) for over in borders[1:]], axis=-1)
    speeds = np.minimum.accumulate(speeds, axis=-1).astype(np.float32)
    grid = np.array([slopes[0], error / STEPS, logs[0], spread / STEPS])
    fine = np.array([error, spread]) / FINE
    return Odds(start, speeds, levels, grid, fine, wanted, borders[0].slope, weak, errors)
