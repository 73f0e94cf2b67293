"""Rack and pinion: a slider coupled to a hinge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..kinds import NonZero
from .coupling import Coupling


@dataclass(frozen=True, kw_only=True)
class RackAndPinion(Coupling):
    """Bilateral coupling ``x_rack - radius theta_pinion = const`` (1 row) of a slider and a hinge.

    Arguments:
        rack: coordinate of the rack's slider, e.g. ``"rack.translation"``.
        pinion: coordinate of the pinion's hinge.
        radius: pitch radius [m]; negative if the rack moves back when the pinion turns forward.
    """

    rack: str
    pinion: str
    radius: NonZero

    row: ClassVar[str] = "joints.gear"
    measured: ClassVar[bool] = True

    def terms(self) -> tuple[tuple[str, float], ...]:
        return ((self.rack, 1.0), (self.pinion, -self.radius))
