"""Gradient and slope of an elevation raster, by Horn's differences."""

from __future__ import annotations

import numpy as np

HALO = 1  # cells needed around a tile for its slopes


def gradient(elevation: np.ndarray, spacing: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Gradient [-] to the east (columns) and south (rows); arguments and source as for ``slope``."""
    z = elevation
    # the sum of the corners comes first, so that a rotated raster gives the same bits
    right = (z[:-2, 2:] + z[2:, 2:]) + 2.0 * z[1:-1, 2:]
    left = (z[:-2, :-2] + z[2:, :-2]) + 2.0 * z[1:-1, :-2]
    below = (z[2:, :-2] + z[2:, 2:]) + 2.0 * z[2:, 1:-1]
    above = (z[:-2, :-2] + z[:-2, 2:]) + 2.0 * z[:-2, 1:-1]
    return (right - left) / (8.0 * spacing[0]), (below - above) / (8.0 * spacing[1])


def slope(elevation: np.ndarray, spacing: tuple[float, float]) -> np.ndarray:
    """Tangent of the steepest slope at the inner cells, shape (n - 2, m - 2) of (n, m).

        dz/dx = ((c + 2 f + i) - (a + 2 d + g)) / (8 dx)

    a to i: heights of a block of 3 x 3 cells, row by row from the north-west; e: cell of the result. A
    cell with an unknown neighbour (nan) is unknown.

    Arguments:
        elevation: heights [m], with a halo of one cell, rows from north to south.
        spacing: sides (dx, dy) of the cells [m].

    Source: Horn (1981), Proc. IEEE 69.
    """
    along_x, along_y = gradient(elevation, spacing)
    return np.sqrt(along_x**2 + along_y**2)
