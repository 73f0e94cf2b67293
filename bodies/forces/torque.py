"""A torque or force on a joint coordinate by a schedule or input."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..signals import Signal
from .base import Force


@dataclass(frozen=True, kw_only=True)
class Torque(Force):
    """Torque [N m] on an angle, or force [N] on a translation; acts on body_b, its opposite on body_a.

    Arguments:
        name: unique name.
        joint: coordinate, ``"hinge"`` or ``"slider.translation"``.
        effort: signal of the effort; a schedule is evaluated in the middle of each step.
    """

    name: str
    joint: str
    effort: Signal

    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"effort": (-math.inf, math.inf)}
