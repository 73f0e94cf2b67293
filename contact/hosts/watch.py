"""Whether a host's wheels leave the validity of their laws: looked at now and then, said once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..grounds import check_validity
from ..slip import driving_slip

EVERY, MANY = (
    4,
    64,
)  # steps from one sample to the next at first, and samples that are looked at together


class Watch:
    """Samples of a host's steps; when there are enough, their middle nine tenths are looked at.

    Then the way from sample to sample doubles, so that it costs a long run nothing. ``left``: steps to
    the next sample.
    """

    def __init__(self, wheels: int) -> None:
        self.every = self.left = EVERY
        self._held, self._count = np.zeros((5, wheels, MANY)), 0

    def look(self, ground: Any) -> None:
        """Take a sample of the step that has just been solved, and warn where it is due."""
        self.left = self.every
        held, k = self._held, self._count
        held[0, :, k], held[1, :, k], held[2, :, k] = ground.speed, ground.sliding, ground.load
        held[3, :, k], held[4, :, k] = ground.point[:, 0], ground.point[:, 1]
        self._count += 1
        if self._count == MANY:
            self.every = self.left = 2 * self.every
            self.look_back(ground)

    def look_back(self, ground: Any) -> None:
        """Warn where the samples so far say so, and begin anew."""
        held, self._count = self._held[:, :, : self._count], 0
        if not held.shape[2]:
            return
        for k, wheel in enumerate(ground.contact.wheels):
            v_x, v_t, load, x, y = held[:, k]
            slip = np.asarray(driving_slip(v_x, v_x - v_t, 1.0, wheel.v_0))
            check_validity(wheel, ground.terrain, slip, load, x, y)
