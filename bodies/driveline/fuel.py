"""Fuel rate by speed and torque: a map on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mlcp.checks import numbers

from .. import checks

Map = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class FuelGrid:
    """Check of triples (speed, torque, fuel) on a full grid of at least two speeds and two torques."""

    def __call__(self, who: str, field: str, value: Any) -> Map:
        array = numbers(value)
        if array.ndim != 2 or array.shape[1:] != (3,) or not np.isfinite(array).all():
            got = checks.shown(value)
            raise checks.MechanismError(
                f"{who}: {field} must be triples of speed, torque and fuel, got {got}."
            )
        speeds, torques = np.unique(array[:, 0]), np.unique(array[:, 1])
        whole = len(array) == len(speeds) * len(torques) == len(np.unique(array[:, :2], axis=0))
        if min(len(speeds), len(torques)) < 2 or not whole:
            raise checks.MechanismError(
                f"{who}: {field} must have each of at least two torques at each of at least two speeds, "
                f"once; got {len(array)} triples of {len(speeds)} speeds and {len(torques)} torques."
            )
        if array[:, 2].min() < 0.0:
            raise checks.MechanismError(f"{who}: {field} must not have a fuel below 0.")
        return tuple((float(a), float(b), float(c)) for a, b, c in array)


FuelMap = Annotated[Map, FuelGrid()]


def fuel_rate(grid: Map, speed: Any, torque: Any) -> np.ndarray:
    """Fuel rate of a map [unit of its fuel], bilinear between its points and constant outside.

    Arguments:
        grid: triples as in :class:`FuelGrid`.
        speed, torque: arrays of one shape in the map's units. Torques below the map, as of an
            engine that brakes, have the fuel rate of the lowest torque.
    """
    array = np.array(grid)
    speeds, x = np.unique(array[:, 0], return_inverse=True)
    torques, y = np.unique(array[:, 1], return_inverse=True)
    table = np.zeros((len(speeds), len(torques)))
    table[x, y] = array[:, 2]

    def place(values: np.ndarray, at: Any) -> tuple[np.ndarray, np.ndarray]:
        at = np.clip(at, values[0], values[-1])
        k = np.clip(np.searchsorted(values, at, side="right") - 1, 0, len(values) - 2)
        return k, (at - values[k]) / (values[k + 1] - values[k])

    (i, a), (j, b) = place(speeds, speed), place(torques, torque)
    low = (1.0 - b) * table[i, j] + b * table[i, j + 1]
    return (1.0 - a) * low + a * ((1.0 - b) * table[i + 1, j] + b * table[i + 1, j + 1])
