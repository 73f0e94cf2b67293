"""Gearbox: a gear pair whose ratio is chosen by a signal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import checks
from ..joints.coupling import Coupling
from ..kernels import codes
from ..signals import Schedule, Signal, check_signal


@dataclass(frozen=True, kw_only=True)
class Gearbox(Coupling):
    """``v_in - ratio[gear] v_out = 0`` (1 row at velocity level); gear 0 is neutral, no row.

    A shift is an instantaneous synchronisation: open the clutch around it, or the engine's
    inertia takes part in the impact.

    Arguments:
        input, output: coordinates of the two shafts.
        ratios: input speed over output speed of gear 1, 2, ... [-].
        gear: signal, rounded to the nearest whole number; 0 is neutral, -1 is ``reverse``.
        reverse: ratio of the reverse gear (negative), if there is one.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    input: str
    output: str
    ratios: tuple[float, ...]
    gear: Signal = 1
    reverse: float = 0.0

    code: ClassVar[int] = codes.GEARBOX

    def __post_init__(self) -> None:
        ratios = checks.vector(self.who, "ratios", self.ratios, len(tuple(self.ratios)))
        if not ratios or min(abs(r) for r in ratios) == 0.0:
            raise checks.MechanismError(
                f"{self.who}: ratios must be non-zero numbers, at least one, got {self.ratios!r}."
            )
        object.__setattr__(self, "ratios", ratios)
        checks.number(self.who, "reverse", self.reverse)
        check_signal(self.who, "gear", self.gear)
        if isinstance(self.gear, Schedule):
            for _, value in self.gear.points:
                self.check_gear(value)
        elif not isinstance(self.gear, str):
            self.check_gear(self.gear)

    def check_gear(self, value: float) -> None:
        """Refuse a number that, rounded, is none of the gears there are.

        Raises:
            MechanismError: naming the gears.
        """
        lowest = -1 if self.reverse != 0.0 else 0
        gear = math.floor(checks.number(self.who, "gear", value) + 0.5)
        if not lowest <= gear <= len(self.ratios):
            raise checks.MechanismError(
                f"{self.who}: gear = {value:g} is none of its gears, {lowest} to {len(self.ratios)}"
            )

    def terms(self) -> tuple[tuple[str, float], ...]:
        return ((self.input, 1.0), (self.output, -1.0))

    def numbers(self) -> tuple[float, ...]:
        return (float(len(self.ratios)),)

    def signals(self) -> tuple[Any, ...]:
        return (self.gear,)

    def tables(self) -> tuple[Any, ...]:
        """The ratio over the gear number, read only at whole numbers."""
        steps = [(-1.0, self.reverse), (0.0, 0.0)]
        return (tuple(steps + [(float(k + 1), r) for k, r in enumerate(self.ratios)]),)
