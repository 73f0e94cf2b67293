"""Electric motor: torque over speed for forward and backward commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..joints.coupling import Coupling
from ..kinds import Table
from ..signals import Signal
from .engine import Motoring
from .outside_table import motor_tables


@dataclass(frozen=True, kw_only=True)
class ElectricMotor(Coupling):
    """Motor torque ``T = u T_full(omega) - (1 - u) T_drag(omega)`` for a command u of at least 0.

    T_full, T_drag: ``full_load`` and ``motoring`` at the speed omega. For u < 0,
    ``T(u, omega) = -T(-u, -omega)``. A direct-current motor at the fraction u of its voltage
    has ``full_load = ((0, T_stall), (omega_0, 0))`` and ``motoring = ((0, 0), (omega_0, T_stall))``, so
    that ``T = T_stall (u - omega / omega_0)``. The torque is linearised in an implicit row, like the
    torque of an :class:`Engine`.

    Arguments:
        name: unique name.
        joint: hinge of the rotor, or of the wheel if the tables are for the output of a hub gear.
        full_load: pairs (speed [rad/s], torque [N m]) at the command 1. Outside the table, a torque that
            falls with the speed is extrapolated: the motor brakes above the last speed, and its torque
            grows with the speed of backward rotation. Any other torque is constant outside the table,
            and at least 0 for backward rotation.
        motoring: pairs (speed [rad/s], braking torque [N m]) at the command 0, an odd function of the
            speed; may be empty.
        command: signal in [-1, 1]; an input is clamped to this range.
    """

    joint: str
    full_load: Table
    motoring: Motoring = ()
    command: Signal = 0.0

    row: ClassVar[str] = "driveline.electric_motor"
    compliant: ClassVar[bool] = True
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"command": (-1.0, 1.0)}

    def tables(self) -> tuple[Any, ...]:
        return motor_tables(self.full_load, self.motoring)
