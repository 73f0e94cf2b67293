"""A force on a point of a body by a schedule or input, such as a drawbar pull."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..kinds import UnitVector, Vector
from ..signals import Signal
from .base import Force


@dataclass(frozen=True, kw_only=True)
class PointForce(Force):
    """Force ``f = effort n`` on a point of a body, with the moment ``s x f`` about the centre of mass.

    s: vector from the centre of mass to the point, which moves with the body. The direction n turns with
    the body, such as that of a drawbar, or is fixed in world axes, such as that of a weight. During a
    step, point and direction are those at the start of the step.

    Arguments:
        name: unique name.
        body: name of the loaded body.
        position: point of action, world axes, pose of the description [m].
        direction: direction of n, world axes, pose of the description; any length but 0.
        effort: signal of the force [N]; a schedule is evaluated in the middle of each step.
        turns: whether n turns with the body.
    """

    name: str
    body: str
    position: Vector
    direction: UnitVector
    effort: Signal
    turns: bool = True

    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"effort": (-math.inf, math.inf)}

    def numbers(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """Parameters of the force; its point, and a direction that turns with the body, are in body
        axes."""
        n = np.array(self.direction)
        point = axes.T @ (np.array(self.position) - centre)
        return (float(self.turns), *(axes.T @ n if self.turns else n), *point)
