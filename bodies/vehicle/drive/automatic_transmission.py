"""Automatic transmission: torque converter, and a gearbox that shifts by throttle and speed."""

from __future__ import annotations

from dataclasses import dataclass

from ...driveline import Clutch, PowershiftGearbox, TorqueConverter
from ...driveline.powershift_gearbox import Line, check_gears, check_lines
from ...driveline.torque_converter import Capacity, TorqueRatio, check_efficiency
from ...forces import JointSpring
from ...kinds import Fraction, NonNegative, Positive, Ratios
from ..part import Assembly, Part, Piece
from .engine import RPM
from .gearbox import Reverse, Transfer


@dataclass(frozen=True, kw_only=True)
class AutomaticTransmission(Part):
    """Converter, powershift gearbox and transfer case in the engine's housing; two shafts.

    A vehicle has this part instead of ``clutch_and_gearbox``; the converter's turbine is the gearbox's
    input shaft. See :class:`bodies.TorqueConverter` and :class:`bodies.PowershiftGearbox`. Controls:
    "throttle"; "gear" (set it to 1 to drive, and the gearbox then writes the present gear into it; 0
    neutral, -1 reverse; a schedule prescribes the gears); with a lock-up clutch also "lockup" (0 to 1).

    Arguments:
        input_shaft: body with the turbine; centre in the axes of the vehicle.
        output_shaft: body of the output shaft of the transfer case.
        converter_capacity: pairs (speed ratio [-], torque of the pump over its speed squared
            [N m s^2/rad^2]) for speed ratios from 0 to 1, with a last torque of 0; this quotient is
            1/K^2 of the capacity factor K.
        torque_ratio: pairs (speed ratio, turbine's torque over the pump's) from 0 (stall) to 1.
        coasting: fraction of the capacity while the vehicle drives the engine.
        lockup_capacity: torque of the lock-up clutch [N m]; 0: none.
        ratios: input over output speed of the gears, above 0 and falling.
        reverse: ratio of the reverse gear, negative; 0: none.
        transfer_ratio: ratio of the transfer case, a factor of every gear's ratio, above 0.
        clutch_capacity: capacity of a gear's clutch, at the input [N m], above 0.
        upshift, downshift: pairs (throttle [-], speed of the input [rpm]). The gearbox shifts up when
            the input's speed exceeds ``upshift``, and down when its speed in the next lower gear would
            be below ``downshift``.
        drag: viscous drag of the input shaft in its oil [N m s/rad], at least 0.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range; a converter with
            an efficiency above 1, shift lines without hysteresis.
    """

    input_shaft: Piece
    output_shaft: Piece
    converter_capacity: Capacity
    torque_ratio: TorqueRatio
    coasting: Fraction = 1.0
    lockup_capacity: NonNegative = 0.0
    ratios: Ratios
    reverse: Reverse = 0.0
    transfer_ratio: Transfer = 1.0
    clutch_capacity: Positive
    upshift: Line
    downshift: Line
    drag: NonNegative = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_efficiency(self.who, self.torque_ratio)
        check_gears(self.who, self.ratios)
        check_lines(self.who, self.upshift, self.downshift)

    def ready(self, to: Assembly) -> bool:
        return bool(to.housing)

    def build(self, to: Assembly) -> None:
        for piece, name in ((self.input_shaft, "gearbox input"), (self.output_shaft, "transfer output")):
            to.shaft(name, piece, to.centre(self, piece), to.housing)
        crank, turbine = "crankshaft bearing", "gearbox input bearing"
        to.add(
            TorqueConverter(
                name="converter",
                pump=crank,
                turbine=turbine,
                capacity=self.converter_capacity,
                torque_ratio=self.torque_ratio,
                coasting=self.coasting,
            ),
            PowershiftGearbox(
                name="gearbox",
                input=turbine,
                output="transfer output bearing",
                ratios=tuple(r * self.transfer_ratio for r in self.ratios),
                reverse=self.reverse * self.transfer_ratio,
                capacity=self.clutch_capacity,
                upshift=tuple((u, RPM * n) for u, n in self.upshift),
                downshift=tuple((u, RPM * n) for u, n in self.downshift),
                gear=to.control("gear"),
                throttle=to.control("throttle"),
            ),
        )
        if self.lockup_capacity > 0.0:
            to.add(
                Clutch(
                    name="lock-up clutch",
                    joint_1=crank,
                    joint_2=turbine,
                    capacity=self.lockup_capacity,
                    engagement=to.control("lockup"),
                )
            )
        if self.drag > 0.0:
            to.add(JointSpring(name="gearbox drag", joint=turbine, damping=self.drag))
