"""Valves that limit a pressure from above (relief) and from below (make-up)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..checks import checked
from ..kinds import NonNegative, Positive


@dataclass(frozen=True, kw_only=True)
@checked
class Relief:
    """Relief valve: flow Q from a chamber or line to the tank, ``0 <= Q``, ``P <= P_set + R Q``,
    complementary; P: pressure of the chamber or line.

    Arguments:
        pressure: P_set [Pa].
        slope: R [Pa s/m^3]; 0: set-valued, the pressure never exceeds P_set.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    pressure: Positive
    slope: NonNegative = 0.0

    who: ClassVar[str] = "relief"


@dataclass(frozen=True, kw_only=True)
@checked
class MakeUp:
    """Make-up valve: flow Q from the tank to a chamber, ``0 <= Q``, ``P >= P_set - R Q``, complementary.

    P: pressure of the chamber.

    Arguments:
        pressure: P_set [Pa], at most the tank pressure.
        slope: R [Pa s/m^3]; 0: set-valued, the pressure never falls below P_set.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    pressure: Positive
    slope: NonNegative = 0.0

    who: ClassVar[str] = "make-up"
