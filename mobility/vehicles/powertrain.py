"""Engine and gears: torque at the driven wheels over their speed, gear by gear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bodies.driveline.outside_table import governed
from bodies.vehicle import AutomaticTransmission, ClutchAndGearbox, CombustionEngine, FinalDrive
from mlcp.kinds import Vector, checked

from .converter import behind_converter

RPM = np.pi / 30.0  # [rad/s]


@dataclass(frozen=True)
@checked
class GearStage:
    """Torque of all driven wheels together over the mean speed of their shafts, at full throttle.

    Arguments:
        number: of the gear, from 1.
        speed: of the wheels [rad/s], shape (n,), rising.
        torque: of engine and gear less the oil's drag [N m], shape (n,).

    Between the points it is linear, as the engine's table and viscous losses are: nothing is lost.

    Raises:
        ValueError: arrays of different length, or speeds that do not rise.
    """

    number: int
    speed: Vector
    torque: Vector

    def __post_init__(self) -> None:
        if (
            len(self.speed) != len(self.torque)
            or len(self.speed) < 2
            or (np.diff(self.speed) <= 0.0).any()
        ):
            raise ValueError(
                f"gear {self.number}: speed and torque must be as long, and the speeds rise"
            )


def gears_of(
    engine: CombustionEngine,
    box: ClutchAndGearbox | AutomaticTransmission,
    drives: Sequence[FinalDrive],
) -> tuple[GearStage, ...]:
    """Every forward gear of an engine, a gearbox with its transfer case, and final drives.

    Torque of the wheels: that of the engine times gear, transfer case and final drive, less the viscous
    drag [N m s/rad] of the gearbox's input shaft and of each pinion at their own speeds. Of an automatic
    transmission the torque is that behind its converter, in any gear that is asked.

    Arguments:
        engine, box, drives: parts of a vehicle. Wheels and their torque are those of the first drive; a
            torque of others counts by its ratio over the first one's.
    """
    final = abs(drives[0].ratio)
    pinions = sum(d.drag for d in drives)
    curve = governed(tuple((rpm * RPM, torque) for rpm, torque in engine.full_load))
    table = np.array([(speed, torque) for speed, torque in curve if speed >= 0.0])
    if isinstance(box, AutomaticTransmission):
        table = behind_converter(table, box)
    gears = []
    for number, ratio in enumerate(box.ratios, 1):
        total = abs(ratio) * box.transfer_ratio
        torque = (table[:, 1] - box.drag * table[:, 0]) * total - pinions * table[:, 0] / total
        gears.append(GearStage(number, table[:, 0] / (total * final), torque * final))
    return tuple(gears)


def falling(gears: Sequence[GearStage]) -> np.ndarray:
    """Every gear from its largest torque on, shape (gears, 2, points): speed [rad/s], torque [N m].

    There the torque falls with the speed: the speed at a torque is the one at which the engine settles.
    Shorter gears are filled up with a torque of -inf, that is: nothing beyond.
    """
    peaks = [int(np.argmax(gear.torque)) for gear in gears]
    longest = max(len(gear.speed) - k for gear, k in zip(gears, peaks, strict=True))
    out = np.full((len(gears), 2, longest), -np.inf)
    for row, gear, k in zip(out, gears, peaks, strict=True):
        size = len(gear.speed) - k
        row[0], row[0, :size] = gear.speed[-1], gear.speed[k:]
        row[1, :size] = np.minimum.accumulate(gear.torque[k:])
    return out
