"""Hydrodynamic torque converter: pump, turbine, and a stator on the housing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from .. import checks
from ..joints.coupling import Coupling
from ..kinds import Fraction, Pairs

CHECKED_RATIOS = np.linspace(0.0, 1.0, 2001)  # speed ratios for the check of the efficiency


@dataclass(frozen=True)
class OverSpeedRatio:
    """Check of pairs (speed ratio, value): ratios from 0 to 1, values at least 0.

    ``ends``: whether the last value must be 0.
    """

    ends: bool

    def __call__(self, who: str, field: str, value: Any) -> tuple[tuple[float, float], ...]:
        table = checks.table(who, field, value)
        if table[0][0] != 0.0 or table[-1][0] != 1.0:
            raise checks.MechanismError(
                f"{who}: {field} must go from speed ratio 0 (stall) to 1, got "
                f"{table[0][0]:g} to {table[-1][0]:g}."
            )
        for ratio, number in table:
            checks.number(who, f"{field} at speed ratio {ratio:g}", number, 0.0, 1e6)
        if self.ends and table[-1][1] != 0.0:
            raise checks.MechanismError(
                f"{who}: {field} must end with 0, at speed ratio 1 nothing is left to drive the oil; "
                f"got {table[-1][1]:g}."
            )
        return table


Capacity = Annotated[Pairs, OverSpeedRatio(True)]
TorqueRatio = Annotated[Pairs, OverSpeedRatio(False)]


def check_efficiency(who: str, table: tuple[tuple[float, float], ...]) -> None:
    """Check that the efficiency, speed ratio times torque ratio, is at most 1.

    Raises:
        MechanismError: naming a speed ratio with an efficiency above 1.
    """
    efficiency = CHECKED_RATIOS * np.interp(CHECKED_RATIOS, *np.transpose(table))
    worst = int(np.argmax(efficiency))
    if efficiency[worst] > 1.0:
        raise checks.MechanismError(
            f"{who}: torque_ratio times speed ratio must be at most 1, no converter makes power; it is "
            f"{efficiency[worst]:.4g} at speed ratio {CHECKED_RATIOS[worst]:.4g}."
        )


@dataclass(frozen=True, kw_only=True)
class TorqueConverter(Coupling):
    """Torques ``T_pump = C(nu) w_pump^2``, ``T_turbine = R(nu) T_pump``; ``nu = w_turbine / w_pump``.

    C: capacity, R: torque ratio, T, w: torques and speeds of pump and turbine. One row for
    ``s = w_pump - R w_turbine``: the damper ``p = -h (T_pump / s) s+`` (p: impulse, h: step length, s+:
    s at the end of the step) with R and T_pump / s at the start of the step, which dissipates
    ``T_pump w_pump (1 - nu R) >= 0``. The stator's torque ``(R - 1) T_pump`` acts on the common housing
    of both hinges. A turbine faster than the pump (overrun) drives the pump with R = 1 and ``coasting``
    times the capacity at the inverse speed ratio; a turbine that turns backward has the torque of stall.

    The capacity is ``1 / K^2`` of the capacity factor ``K = w_pump / sqrt(T_pump)``.

    Arguments:
        name: unique name.
        pump, turbine: hinges of pump and turbine on a common housing.
        capacity: pairs (speed ratio [-], T_pump / w_pump^2 [N m s^2/rad^2]) from 0 to 1, the last value
            0.
        torque_ratio: pairs (speed ratio [-], T_turbine / T_pump [-]) from 0 (stall) to 1.
        coasting: fraction of the capacity when the turbine drives, in [0, 1].

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range; an efficiency
            above 1.

    Source: SAE J643 (test code of hydrodynamic drives) for the two curves; the row is ours.
    """

    pump: str
    turbine: str
    capacity: Capacity
    torque_ratio: TorqueRatio
    coasting: Fraction = 1.0

    row: ClassVar[str] = "driveline.torque_converter"
    coefficients: ClassVar[dict[str, float]] = {"pump": 1.0, "turbine": -1.0}
    compliant: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_efficiency(self.who, self.torque_ratio)

    def numbers(self) -> tuple[float, ...]:
        return (self.coasting,)

    def tables(self) -> tuple[Any, ...]:
        return (self.capacity, self.torque_ratio)
