"""Probability of a start by Monte Carlo on a mobility table: reference of the quadrature."""

import math

import numpy as np
from numba import njit

from mobility.kernels.tables import STARTING


@njit
def _find(nodes, x):
    k = min(max(np.searchsorted(nodes, x, side="right") - 1, 0), len(nodes) - 2)
    return k, (x - nodes[k]) / (nodes[k + 1] - nodes[k])


@njit
def _weakness(reach, shares, ways, weakness, along, across):
    steep = math.hypot(along, across)
    way = along / (abs(along) + abs(across)) if steep > 0.0 else 0.0
    at = 0.5 * (way + 1.0) * (len(reach) - 1)
    k = min(int(at), len(reach) - 2)
    part = at - k
    share = steep / ((1.0 - part) * reach[k] + part * reach[k + 1])
    if share > 1.0:
        return 0.0
    i, u = _find(shares, share)
    j, v = _find(ways, way)
    low = (1.0 - v) * weakness[i, j] + v * weakness[i, j + 1]
    return (1.0 - u) * low + u * ((1.0 - v) * weakness[i + 1, j] + v * weakness[i + 1, j + 1])


@njit
def _count(random, tables, ends, middle, spread, slope, error, samples):
    good = 0
    for _ in range(samples):
        strength = math.exp(middle + spread * random.standard_normal())
        s = slope + error * random.standard_normal()
        if abs(s) > ends:
            continue
        if strength * _weakness(*tables, s, 0.0) < 1.0 or strength * _weakness(*tables, -s, 0.0) < 1.0:
            continue
        good += strength * _weakness(*tables, 0.0, s) >= 1.0
    return good


def share_that_starts(table, cell, mean, spread, samples):
    """Fraction of random soil strengths and slopes on which the vehicle starts up, down and across.

    mean, spread: of strength [Pa] (spread relative) and slope; cell: seed of the random numbers.
    """
    random = np.random.Generator(np.random.Philox(key=np.array([0, cell], dtype=np.uint64)))
    sigma = math.sqrt(math.log1p(spread[0] ** 2))
    tables = (table.reach[STARTING].copy(), *table.steps, table.weakness[STARTING].copy())
    middle = math.log(mean[0]) - 0.5 * sigma**2
    return _count(random, tables, table.steepest, middle, sigma, mean[1], spread[1], samples) / samples
