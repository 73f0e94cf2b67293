"""Draft of a tillage tool: a speed-dependent force on a body's point, against its travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from mlcp.kinds import Range

from ..kinds import NonNegatives, Vector
from ..signals import Signal
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

    Differs from the source: D497 has no law at rest, and none for lateral motion.
    """

    name: str
    body: str
    position: Vector
    draft: NonNegatives
    engaged: Signal = 1.0
    v_0: Annotated[float, Range(0.0, unit="m/s", open_low=True)] = 0.05

    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"engaged": (0.0, 1.0)}

    def at(self, speed: Any) -> Any:
        """Draft of the whole tool [N] at speeds [m/s] of at least 0, an array of any shape."""
        d_0, d_1, d_2 = self.draft
        return (d_0 + d_1 * speed + d_2 * speed**2) * np.minimum(speed / self.v_0, 1.0)

    def numbers(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """``v_0``, the draft's coefficients d_0, d_1, d_2, and the point in the axes of the body."""
        return (self.v_0, *self.draft, *(axes.T @ (np.array(self.position) - centre)))
