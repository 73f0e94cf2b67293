"""Supply of a circuit: a load-sensing pump, or a constant pressure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from ..checks import checked
from ..kinds import NonNegative, Positive
from .relief import Relief


@dataclass(frozen=True, kw_only=True)
@checked
class LoadSensingPump:
    """Load-sensing pump, with the oil balance of its line
    ``dW/dt = Q_max clamp((P_ls + margin - P)/band, 0, 1) - K (P - P_tank) - Q_relief - drawn``.

    W, P: oil and pressure of the line; ``Q_max = w D/(2 pi)``; P_ls: largest load pressure of the
    branches with an open inlet, at least the tank pressure P_tank; Q_relief: flow through the relief
    valve; drawn: flow into the branches.

    Arguments:
        displacement: D, volume per revolution [m^3].
        speed: angular velocity w of the pump's shaft [rad/s].
        margin: set line pressure above the load pressure [Pa].
        band: range of the line pressure from full flow to none [Pa].
        leakage: leakage K of the line to the tank [m^3/(s Pa)].
        line: volume of the line [m^3].
        relief: relief valve of the line.

    Raises:
        MechanismError: naming the field, its value and the allowed range.

    Source: M. Karkee, B. L. Steward, A. G. Kelkar, Z. T. Kemp (2010), eq 3.
    Differs from the source: the source prints 1/(2 pi) for the bulk modulus over the line's volume, and
    has no law for the displacement.
    """

    displacement: Positive = 70e-6
    speed: Positive = 230.38
    margin: Positive = 2e6
    band: Positive = 5e5
    leakage: NonNegative = 6.4e-12
    line: Positive = 2e-3
    relief: Relief = field(default_factory=lambda: Relief(pressure=25e6, slope=1.95e8))

    who: ClassVar[str] = "pump"

    @property
    def flow(self) -> float:
        """Largest flow of the pump [m^3/s]."""
        return self.displacement * self.speed / (2.0 * math.pi)


@dataclass(frozen=True, kw_only=True)
@checked
class ConstantPressure:
    """Supply of constant pressure, ``P = pressure`` at any flow.

    Arguments:
        pressure: pressure P of the supply [Pa].

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    pressure: Positive

    who: ClassVar[str] = "supply"
