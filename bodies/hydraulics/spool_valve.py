"""A spool valve: four metering edges moved by one lever."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import checks
from ..checks import checked
from ..kinds import NonNegative, Positive
from ..signals import Signal, check_signal

OPENINGS = tuple[tuple[float, float], ...]


@dataclass(frozen=True, kw_only=True)
@checked
class SpoolValve:
    """Valve with inlet area ``A_i(|y|)`` and outlet area ``A_o(|y|)``; y: spool position in [-1, 1].

    y > 0 extends the cylinder.

    Arguments:
        command: signal of the lever y_cmd, -1 to 1.
        inlet: pairs (position [-], area [m^2]) from pump to cylinder; positions from 0 to 1, areas not
            decreasing; constant outside.
        outlet: pairs (position [-], area [m^2]) from cylinder to tank, with the same conditions.
        bandwidth: bandwidth f of the spool [Hz], ``dy/dt = 2 pi f (y_cmd - y)``; None: y = y_cmd.
        fastest: largest speed of a spool with a bandwidth [1/s].
        leakage: leakage from each chamber to the tank [m^3/(s Pa)].
        load_check: whether a check valve stops flow back to the pump.
        reverse: whether y < 0 extends the cylinder, for example the second of two opposed cylinders on
            one lever.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    command: Signal
    inlet: OPENINGS
    outlet: OPENINGS
    bandwidth: Positive | None = None
    fastest: Positive | None = None
    leakage: NonNegative = 0.0
    load_check: bool = True
    reverse: bool = False

    who: ClassVar[str] = "spool valve"

    def __post_init__(self) -> None:
        who = self.who
        check_signal(who, "command", self.command, -1.0, 1.0)
        for field in ("inlet", "outlet"):
            table: Any = checks.table(who, field, getattr(self, field), rising=True)
            for which, k in (("first", 0), ("last", -1)):
                checks.number(who, f"{field}: the {which} position", table[k][0], 0.0, 1.0)
            checks.number(who, f"{field}: the first area", table[0][1], 0.0)
            object.__setattr__(self, field, table)
        if self.fastest is not None and self.bandwidth is None:
            raise checks.MechanismError(
                f"{who}: fastest = {self.fastest:g} needs a bandwidth: a spool without one follows its "
                "lever at once"
            )

    @property
    def lag(self) -> float:
        """Time constant of the spool [s]; 0: none."""
        return 0.0 if self.bandwidth is None else 0.5 / (math.pi * self.bandwidth)
