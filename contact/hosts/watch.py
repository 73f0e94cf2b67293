"""Check samples of a host's wheels against the laws' ranges of validity, and warn once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..grounds import check_validity
from ..slip import driving_slip

EVERY, MANY = (
    4,
    64,
)  # number of steps from one sample to the next at first, and number of samples per check


class Watch:
    """Samples of slip and load in a host's steps; ``MANY`` of them are checked together.

    The interval between samples doubles after each check, so that the cost in a long run is
    negligible. ``left``: number of steps until the next sample.
    """

    def __init__(self, wheels: int) -> None:
        self.every = self.left = EVERY
        self._samples, self._count = np.zeros((5, wheels, MANY)), 0

    def look(self, ground: Any) -> None:
        """Take a sample of the last step, and check the samples once there are ``MANY``."""
        self.left = self.every
        samples, k = self._samples, self._count
        samples[0, :, k], samples[1, :, k], samples[2, :, k] = ground.speed, ground.sliding, ground.load
        samples[3, :, k], samples[4, :, k] = ground.point[:, 0], ground.point[:, 1]
        self._count += 1
        if self._count == MANY:
            self.every = self.left = 2 * self.every
            self.look_back(ground)

    def look_back(self, ground: Any) -> None:
        """Warn if the samples are outside the range of validity, and delete them."""
        samples, self._count = self._samples[:, :, : self._count], 0
        if not samples.shape[2]:
            return
        for k, wheel in enumerate(ground.contact.wheels):
            v_x, v_t, load, x, y = samples[:, k]
            slip = np.asarray(driving_slip(v_x, v_x - v_t, 1.0, wheel.v_0))
            check_validity(wheel, ground.terrain, slip, load, x, y)
