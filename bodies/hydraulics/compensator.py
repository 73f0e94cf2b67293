"""A pressure compensator before the inlet of a valve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..checks import checked
from ..kinds import Positive


@dataclass(frozen=True, kw_only=True)
@checked
class Compensator:
    """Pressure compensator, which controls the pressure drop over a valve's inlet:
    ``dA_c/dt = K (dp_set - (P_m - P_l))``, ``0 <= A_c <= A_max``.

    A_c: opening of the compensator; P_m, P_l: pressures before and after the valve's inlet. With a
    constant drop P_m - P_l the speed of a cylinder depends on the lever alone, not on the load.

    Arguments:
        drop: set pressure drop dp_set, below the pump's margin [Pa].
        gain: K [m^2/(s Pa)].
        largest: largest opening A_max [m^2].

    Raises:
        MechanismError: naming the field, its value and the allowed range.

    Source: M. Karkee, B. L. Steward, A. G. Kelkar, Z. T. Kemp (2010), eq 2.
    Differs from the source: the source has no dp_set, so that its only equilibrium is no flow.
    """

    drop: Positive = 1.2e6
    gain: Positive = 1e-8
    largest: Positive = 150e-6

    who: ClassVar[str] = "compensator"
