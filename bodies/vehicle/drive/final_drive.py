"""Final drive: pinion, differential and its two output shafts."""

from __future__ import annotations

from dataclasses import dataclass

from ... import checks
from ...forces import JointSpring
from ...kinds import Name, NonNegative, Ratio
from ..elements import LEFT
from ..part import SIDES, Assembly, Piece
from .differential_lock import LockingPart


@dataclass(frozen=True, kw_only=True)
class FinalDrive(LockingPart):
    """Bevel drive and differential of an axle in a housing on the carrier.

    Arguments:
        pinion: shaft with the pinion, centre in the axes of the vehicle.
        output: body of one output shaft, centre of the left one [m], mirrored for the right; default: no
            shafts, the differential turns the wheels of the axle with the part's name.
        ratio: pinion speed over mean output speed [-], not 0; includes hub reductions.
        drag: viscous drag of the pinion in its oil [N m s/rad], at least 0.
        on: body that carries the part.
    """

    on: Name = "frame"
    pinion: Piece
    output: Piece | None = None
    ratio: Ratio
    drag: NonNegative = 0.0

    def ready(self, to: Assembly) -> bool:
        wheels = {f"{self.name}_{side}" for side, _ in SIDES}
        return bool(to.housing) and (self.output is not None or wheels <= to.wheel_names)

    def build(self, to: Assembly) -> None:
        pinion = to.shaft(f"{self.name} pinion", self.pinion, to.centre(self, self.pinion), self.on)
        left, right = (self.output_of(to, side, sign) for side, sign in SIDES)
        self.divide(to, pinion, left, right, self.ratio)
        if self.drag > 0.0:
            to.add(JointSpring(name=f"{self.name} drag", joint=pinion, damping=self.drag))

    def output_of(self, to: Assembly, side: str, sign: float) -> str:
        """Add the output of one side, a shaft or the wheel itself; returns the name of its hinge."""
        name = f"{self.name}_{side}"
        if self.output is None:
            if name not in to.wheel_names:
                known = {wheel.rpartition("_")[0] for wheel in to.wheel_names}
                raise checks.UnknownName(
                    f"{self.who}: without an output it needs an axle", self.name, known
                )
            return f"{name} hub"
        place = to.at(self.output.centre, side=sign)
        return to.shaft(f"{name} output", self.output, place, self.on, LEFT)
