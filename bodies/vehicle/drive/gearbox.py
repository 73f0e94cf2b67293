"""Clutch, gearbox and transfer case between the crankshaft and the propeller shafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...driveline import Clutch, Gearbox
from ...forces import JointSpring
from ...kinds import LARGEST_RATIO, NonNegative, Positive, Range, Ratios
from ..part import Assembly, Part, Piece

Reverse = Annotated[float, Range(-LARGEST_RATIO, 0.0)]
Transfer = Annotated[float, Range(0.0, LARGEST_RATIO, open_low=True)]


@dataclass(frozen=True, kw_only=True)
class ClutchAndGearbox(Part):
    """Friction clutch, gearbox and transfer case in the engine's housing; two shafts.

    Controls: "clutch" (engagement, 0 to 1) and "gear" (1, 2, ...; 0 neutral, -1 reverse).

    Arguments:
        input_shaft: body with the clutch disc; centre in the axes of the vehicle.
        output_shaft: body of the output shaft of the transfer case.
        ratios: input over output speed of the gears, each other than 0.
        reverse: ratio of the reverse gear, negative; 0: none.
        transfer_ratio: ratio of the transfer case, a factor of every gear's ratio, above 0.
        clutch_capacity: largest torque of the closed clutch [N m], above 0.
        drag: viscous drag of the input shaft in its oil [N m s/rad], at least 0.
    """

    input_shaft: Piece
    output_shaft: Piece
    ratios: Ratios
    reverse: Reverse = 0.0
    transfer_ratio: Transfer = 1.0
    clutch_capacity: Positive
    drag: NonNegative = 0.0

    def ready(self, to: Assembly) -> bool:
        return bool(to.housing)

    def build(self, to: Assembly) -> None:
        for piece, name in ((self.input_shaft, "gearbox input"), (self.output_shaft, "transfer output")):
            to.shaft(name, piece, to.centre(self, piece), to.housing)
        to.add(
            Clutch(
                name="clutch",
                joint_1="crankshaft bearing",
                joint_2="gearbox input bearing",
                capacity=self.clutch_capacity,
                engagement=to.control("clutch"),
            ),
            Gearbox(
                name="gearbox",
                input="gearbox input bearing",
                output="transfer output bearing",
                ratios=tuple(r * self.transfer_ratio for r in self.ratios),
                reverse=self.reverse * self.transfer_ratio,
                gear=to.control("gear"),
            ),
        )
        if self.drag > 0.0:
            to.add(JointSpring(name="gearbox drag", joint="gearbox input bearing", damping=self.drag))
