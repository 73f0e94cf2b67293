"""Speed limit of the multibody vehicle on rough ground, by its vertical acceleration."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bodies.vehicle import Vehicle
from contact import checks, terrain
from mlcp.kinds import checked

from .whole import BRAKES_ON, CLUTCH, FIRM, REV_UP, RUN_UP, WholeVehicle

SECONDS = 8.0  # duration of the measurement [s]
BEHIND, WIDTH, SPACING = 20.0, 20.0, 0.1  # road: length behind the start, width, grid [m]
EVERY = 2  # steps between two samples of the acceleration


@dataclass(frozen=True, eq=False)
class Ride:
    """Vertical acceleration over speed on one ground.

    Attributes:
        speeds: mean speeds in each gear at full throttle, increasing (n,) [m/s].
        shaking: rms of the frame's vertical acceleration, unweighted (n,) [m/s^2].
        most: largest tolerated rms [m/s^2].
    """

    speeds: NDArray[np.float64]
    shaking: NDArray[np.float64]
    most: float

    @property
    def limit(self) -> float:
        """Speed [m/s] at which the rms reaches ``most``; inf: at none."""
        worst = np.maximum.accumulate(self.shaking)
        if worst[-1] < self.most:
            return np.inf
        return float(np.interp(self.most, np.append(0.0, worst), np.append(0.0, self.speeds)))


@checked
def ride(
    vehicle: str | Path | Vehicle | WholeVehicle = "hmmwv_4x4",
    iso_class: str = "D",
    most: float = 2.0,
    seed: int = 0,
) -> Ride:
    """Drive the multibody vehicle over firm rough ground in every gear at full throttle.

    The result may serve as the speed limit of a land use in a map.

    Arguments:
        vehicle: as for ``WholeVehicle``.
        iso_class: class of the roughness, "A" (a good road) to "H".
        most: largest tolerated rms of the vertical acceleration [m/s^2], above 0.
        seed: seed of the random ground.

    Raises:
        ValueError: an unknown class, a limit not above 0, a vehicle that cannot be driven here.

    Source: ISO 8608:2016 for the ground. The rms has no frequency weighting (ISO 2631, absorbed power).
    """
    checks.positive("ride", "most", most, unit="m/s^2")
    whole = vehicle if isinstance(vehicle, WholeVehicle) else WholeVehicle(vehicle)
    gears = np.arange(1, whole.gears + 1)
    length = 25.0 * (BRAKES_ON + REV_UP + CLUTCH + RUN_UP + SECONDS)
    road = terrain.rough_ground(iso_class, length, WIDTH, SPACING, seed)
    rough = WholeVehicle(
        whole.vehicle,
        whole.step,
        whole.threads,
        ground=dataclasses.replace(road, origin=(-BEHIND, -0.5 * WIDTH)),
    )
    batch = rough.launched(np.full(gears.size, FIRM), gears)
    count = round(SECONDS / (EVERY * whole.step))
    before, first = batch.velocity("frame")[:, 2].copy(), batch.position("frame")[:, 0].copy()
    squares = np.zeros(gears.size)
    for _ in range(count):
        batch.run(EVERY, whole.threads)
        now = batch.velocity("frame")[:, 2].copy()
        squares += ((now - before) / (EVERY * whole.step)) ** 2 / count
        before = now
    speeds = (batch.position("frame")[:, 0] - first) / SECONDS
    order = np.argsort(speeds)
    for number, why in batch.stopped.items():
        raise ValueError(f"ride: in gear {number + 1} it could not go on: {why}")
    return Ride(speeds[order], np.sqrt(squares)[order], most)
