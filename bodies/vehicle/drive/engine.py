"""Engine: block on the frame, crankshaft in the block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ...driveline import Engine
from ...driveline.engine import Motoring
from ...driveline.fuel import FuelMap
from ...joints import Fixed, Revolute
from ...kinds import EngineMap, Name, Words
from ..part import FORWARD, Assembly, Part, Piece

RPM = np.pi / 30.0  # [rad/s] one revolution per minute


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
        to.housing = to.body("power pack", self.block, to.centre(self, self.block))
        crank = to.body("crankshaft", self.crankshaft, to.centre(self, self.crankshaft))

        def radians(table: tuple) -> tuple:
            return tuple((RPM * rpm, torque) for rpm, torque in table)

        to.add(
            Fixed(
                name="power pack mounts",
                body_a=self.on,
                body_b=to.housing,
                position=to.centre(self, self.block),
            ),
            Revolute(
                name="crankshaft bearing",
                body_a=to.housing,
                body_b=crank,
                position=to.centre(self, self.crankshaft),
                axis=to.turn,
            ),
            Engine(
                name=self.name,
                joint="crankshaft bearing",
                full_load=radians(self.full_load),
                motoring=radians(self.motoring),
                throttle=to.control("throttle"),
                fuel_map=tuple((RPM * rpm, torque, 1e-3 * g) for rpm, torque, g in self.fuel_map),
            ),
        )
