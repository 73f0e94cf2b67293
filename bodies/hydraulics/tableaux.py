"""Tableaux of explicit Runge-Kutta methods of fixed step, by their names in Simulink."""

from __future__ import annotations

import numpy as np

_ROWS: dict[str, tuple[list[list[float]], list[float]]] = {
    # Euler
    "ode1": ([], [1.0]),
    # Heun
    "ode2": ([[1.0]], [1 / 2, 1 / 2]),
    # Bogacki and Shampine 1989
    "ode3": ([[1 / 2], [0.0, 3 / 4]], [2 / 9, 1 / 3, 4 / 9]),
    # Kutta
    "ode4": ([[1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
    # Dormand and Prince 1980
    "ode5": (
        [
            [1 / 5],
            [3 / 40, 9 / 40],
            [44 / 45, -56 / 15, 32 / 9],
            [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
            [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        ],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ),
}
METHODS = tuple(_ROWS)


def tableau(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes c, weights b and coefficients A of the method ``name``."""
    rows, weights = _ROWS[name]
    couplings = np.zeros((len(weights), len(weights)))
    for k, row in enumerate(rows):
        couplings[k + 1, : len(row)] = row
    return couplings.sum(axis=1), np.array(weights), couplings
