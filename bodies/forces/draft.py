"""Draft of a tillage tool: a speed-dependent force on a body's point, against its travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .. import checks
from ..signals import Signal, check_signal
from .base import Force


@dataclass(frozen=True, kw_only=True)
class Draft(Force):
    """Draft force ``f = -engaged D(v) u / v``, ``D = d_0 + d_1 v + d_2 v^2``; u: horizontal velocity of
    the point, v: |u|.

    Below ``v_0`` the force is ``-engaged D(v) u / v_0``, 0 at rest. In a step u is taken at the end,
    v at the start: the force is dissipative and stable at any step length.

    Arguments:
        name: unique name.
        body: body that carries the tool.
        position: point of action, world axes, pose of the description [m].
        draft: d_0 [N], d_1 [N s/m], d_2 [N s^2/m^2], each at least 0;
            :func:`bodies.vehicle.tools.d497.draft_numbers` returns those of ASABE D497.
        engaged: signal in [0, 1], the fraction of the tool in the ground; an input is clamped to [0, 1].
        v_0: speed below which the force decreases to 0 with the speed [m/s].

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.

    Differs from the source: D497 has no law at rest, and none for lateral motion.
    """

    name: str
    body: str
    position: tuple[float, ...]
    draft: tuple[float, ...]
    engaged: Signal = 1.0
    v_0: float = 0.05

    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"engaged": (0.0, 1.0)}

    def __post_init__(self) -> None:
        fix = object.__setattr__
        fix(self, "position", checks.vector(self.who, "position [m]", self.position))
        found = checks.vector(self.who, "draft", self.draft)
        for k, value in enumerate(found):
            checks.number(self.who, f"draft[{k}]", value, 0.0)
        fix(self, "draft", found)
        fix(self, "v_0", checks.number(self.who, "v_0 [m/s]", self.v_0, 0.0, open_low=True))
        check_signal(self.who, "engaged", self.engaged, *self.signal_ranges["engaged"])
        if self.body == "ground":
            raise checks.MechanismError(f"{self.who}: body must be one that moves, got 'ground'.")

    def at(self, speed: Any) -> Any:
        """Draft of the whole tool [N] at speeds [m/s] of at least 0, an array of any shape."""
        d_0, d_1, d_2 = self.draft
        return (d_0 + d_1 * speed + d_2 * speed**2) * np.minimum(speed / self.v_0, 1.0)

    def signals(self) -> dict[str, Any]:
        return {"engaged": self.engaged}

    def numbers_on(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """``v_0``, the draft's coefficients d_0, d_1, d_2, and the point in the axes of the body."""
        return (self.v_0, *self.draft, *(axes.T @ (np.array(self.position) - centre)))
