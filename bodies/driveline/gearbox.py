"""Gearbox: a gear pair with a ratio selected by a signal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..joints.coupling import Coupling
from ..kinds import NonZeros
from ..signals import Signal


@dataclass(frozen=True, kw_only=True)
class Gearbox(Coupling):
    """Gear pair ``v_in - ratio[gear] v_out = 0``, 1 row at velocity level; in gear 0 (neutral) the
    impulse of the row is 0.

    v_in, v_out: speeds of the shafts. A shift synchronises the shafts in one step: without an open
    clutch the engine's inertia takes part in this impact.

    Arguments:
        input, output: coordinates of the two shafts.
        ratios: input speed over output speed of gear 1, 2, ... [-].
        gear: signal of whole numbers (values between are rounded); 0 is neutral, -1 is ``reverse``.
        reverse: ratio of the reverse gear (negative), if there is one.
    """

    input: str
    output: str
    ratios: NonZeros
    gear: Signal = 1
    reverse: float = 0.0

    row: ClassVar[str] = "driveline.gearbox"
    coefficients: ClassVar[dict[str, float]] = {"input": 1.0, "output": -1.0}
    whole_signals: ClassVar[tuple[str, ...]] = ("gear",)

    @property
    def signal_ranges(self) -> dict[str, tuple[float, float]]:
        """Range of the gear numbers: from -1 with a reverse gear, else from 0, to the highest gear."""
        return {"gear": (-1.0 if self.reverse != 0.0 else 0.0, float(len(self.ratios)))}

    def numbers(self) -> tuple[float, ...]:
        return (float(len(self.ratios)),)

    def tables(self) -> tuple[Any, ...]:
        """Table of the ratio by gear number, which is evaluated at whole numbers only."""
        steps = [(-1.0, self.reverse), (0.0, 0.0)]
        return (tuple(steps + [(float(k + 1), r) for k, r in enumerate(self.ratios)]),)
