"""Engine: block on the frame, crankshaft in the block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ...driveline import Engine
from ...driveline.engine import Motoring
from ...driveline.fuel import FuelMap
from ...joints import Fixed
from ...kinds import EngineMap, Name, Pairs, Words
from ..elements import FORWARD
from ..part import Assembly, Part, Piece

RPM = np.pi / 30.0  # [rad/s] one revolution per minute


def radians(table: Pairs) -> Pairs:
    """Table over a speed in rad/s from a table over the speed in rpm."""
    return tuple((RPM * rpm, value) for rpm, value in table)


@dataclass(frozen=True, kw_only=True)
class CombustionEngine(Part):
    """Engine block and crankshaft; the torque depends on speed and the control "throttle".

    The crankshaft turns about x, seen from the driver's seat clockwise (``turns = "right"``) or
    anticlockwise ("left").

    Arguments:
        block: engine block with the housings bolted to it; centre in the axes of the vehicle.
        crankshaft: body of the crankshaft with the flywheel.
        full_load: pairs (speed [rpm], torque [N m]) at full throttle.
        motoring: pairs (speed [rpm], braking torque [N m]) at closed throttle.
        turns: sense of rotation, seen from the driver's seat; "right": clockwise.
        fuel_map: triples (speed [rpm], torque [N m], fuel [g/s]) on a grid; may be empty.
        on: body that carries the part.

    Raises:
        MechanismError: a sense of rotation other than "right" or "left", an invalid table.
    """

    on: Name = "frame"
    block: Piece
    crankshaft: Piece
    full_load: EngineMap
    motoring: Motoring = ()
    turns: Annotated[str, Words(("right", "left"))] = "right"
    fuel_map: FuelMap = ()

    def build(self, to: Assembly) -> None:
        to.turn = FORWARD if self.turns == "right" else (-1.0, 0.0, 0.0)
        place = to.centre(self, self.block)
        to.housing = to.body("power pack", self.block, place)
        to.add(Fixed(name="power pack mounts", body_a=self.on, body_b=to.housing, position=place))
        to.shaft("crankshaft", self.crankshaft, to.centre(self, self.crankshaft), to.housing)
        to.add(
            Engine(
                name=self.name,
                joint="crankshaft bearing",
                full_load=radians(self.full_load),
                motoring=radians(self.motoring),
                throttle=to.control("throttle"),
                fuel_map=tuple((RPM * rpm, torque, 1e-3 * g) for rpm, torque, g in self.fuel_map),
            )
        )
