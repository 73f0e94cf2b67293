"""A force on a point of a body by a schedule or input, such as a drawbar pull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from ..signals import Signal, check_signal
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

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    body: str
    position: tuple[float, ...]
    direction: tuple[float, ...]
    effort: Signal
    turns: bool = True

    def __post_init__(self) -> None:
        fix = object.__setattr__
        fix(self, "position", checks.vector(self.who, "position [m]", self.position))
        fix(self, "direction", checks.unit_vector(self.who, "direction", self.direction))
        fix(self, "turns", checks.flag(self.who, "turns", self.turns))
        check_signal(self.who, "effort", self.effort)
        if self.body == "ground":
            raise checks.MechanismError(f"{self.who}: body must be one that moves, got 'ground'.")

    def signals(self) -> dict[str, Any]:
        return {"effort": self.effort}

    def numbers_on(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """Parameters of the force; its point, and a direction that turns with the body, are in body
        axes."""
        n = np.array(self.direction)
        point = axes.T @ (np.array(self.position) - centre)
        return (float(self.turns), *(axes.T @ n if self.turns else n), *point)
