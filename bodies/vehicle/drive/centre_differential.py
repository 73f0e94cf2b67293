"""Centre differential: a transfer case for two axles at different speeds."""

from __future__ import annotations

from dataclasses import dataclass

from ...kinds import Name, NonNegative
from ..part import Assembly, Piece
from .differential_lock import LockingPart


@dataclass(frozen=True, kw_only=True)
class CentreDifferential(LockingPart):
    """A differential behind the gearbox, in the engine's housing, with a flange to either axle.

    Speeds: ``2 omega_in = omega_front + omega_rear``; the torques of both outputs are equal. The
    propeller shafts start at the bodies "NAME front output" and "NAME rear output".

    Arguments:
        input: hinge of the driving shaft.
        front, rear: bodies of the output shafts; centres in the axes of the vehicle.
    """

    input: Name = "transfer output bearing"
    front: Piece
    rear: Piece
    lock_capacity: NonNegative = 5e3

    def ready(self, to: Assembly) -> bool:
        return bool(to.housing)

    def build(self, to: Assembly) -> None:
        front, rear = (
            to.shaft(f"{self.name} {side} output", piece, to.centre(self, piece), to.housing)
            for side, piece in (("front", self.front), ("rear", self.rear))
        )
        self.divide(to, self.input, front, rear)
