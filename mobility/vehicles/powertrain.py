"""Torque of the driven wheels over their speed, for each gear, or for hub drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bodies.driveline.outside_table import governed
from bodies.vehicle import (
    AutomaticTransmission,
    ClutchAndGearbox,
    CombustionEngine,
    FinalDrive,
    HubDrives,
)
from mlcp.kinds import Vector, checked

from .converter import behind_converter

RPM = np.pi / 30.0  # one revolution a minute [rad/s]


@dataclass(frozen=True)
@checked
class GearStage:
    """Gear at full throttle: sum of the driven wheels' torques over the mean speed of their shafts.

    Arguments:
        number: number of the gear, from 1.
        speed: speeds of the wheels [rad/s], shape (n,), increasing.
        torque: torques after viscous losses [N m], shape (n,).

    The torque is linear between the points, as are the engine's table and the viscous losses.

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
    transfers: Sequence[float] = (),
    allowed: Sequence[int] = (),
) -> tuple[GearStage, ...]:
    """Forward gears of an engine, a gearbox with transfer case, and final drives.

    Torque of the wheels: engine torque times the ratios of gear, transfer case and final drive, less the
    viscous drag [N m s/rad] of the gearbox's input shaft and of each pinion. For an automatic
    transmission the engine torque is replaced by that behind the converter.

    Arguments:
        engine, box, drives: parts of a vehicle. The first drive has the reference wheels; torques of the
            others are scaled by the ratios.
        transfers: ratios of the transfer case's ranges, each with all gears; default: that of ``box``.
        allowed: numbers of the permitted gears; default: all.
    """
    final = abs(drives[0].ratio)
    pinions = sum(d.drag for d in drives)
    curve = governed(tuple((rpm * RPM, torque) for rpm, torque in engine.full_load))
    table = np.array([(speed, torque) for speed, torque in curve if speed >= 0.0])
    if isinstance(box, AutomaticTransmission):
        table = behind_converter(table, box)
    gears = []
    for transfer in transfers or (box.transfer_ratio,):
        for number, ratio in enumerate(box.ratios, 1):
            if allowed and number not in allowed:
                continue
            total = abs(ratio) * transfer
            torque = (table[:, 1] - box.drag * table[:, 0]) * total - pinions * table[:, 0] / total
            at = number if not transfers else len(gears) + 1
            gears.append(GearStage(at, table[:, 0] / (total * final), torque * final))
    return tuple(gears)


def hub_stage(drives: Sequence[HubDrives], radii: Mapping[str, float], radius: float) -> GearStage:
    """The single stage of hub drives: sum of the wheels' torques, all at one speed over ground.

    Arguments:
        drives: parts of a vehicle. radii: radius of the wheels of every axle, by its name [m].
        radius: radius of the reference wheels [m].
    """
    curves = []
    for drive in drives:
        curve = governed(tuple((rpm * RPM, torque) for rpm, torque in drive.full_load))
        table = np.array([(speed, torque) for speed, torque in curve if speed >= 0.0])
        curves += [(radii[axle] / radius, table) for axle in drive.axles]
    speeds = np.unique(np.concatenate([ratio * table[:, 0] for ratio, table in curves]))
    torque = np.zeros(speeds.size)
    for ratio, table in curves:
        torque += 2.0 / ratio * np.interp(speeds / ratio, table[:, 0], table[:, 1])
    return GearStage(1, speeds, torque)


def falling(gears: Sequence[GearStage]) -> np.ndarray:
    """Falling parts of the gears' curves, shape (gears, 2, points): speed [rad/s], torque [N m].

    Each part begins at the largest torque; beyond it the speed at a torque is stable. Curves with fewer
    points are padded with a torque of -inf.
    """
    peaks = [int(np.argmax(gear.torque)) for gear in gears]
    longest = max(len(gear.speed) - k for gear, k in zip(gears, peaks, strict=True))
    out = np.full((len(gears), 2, longest), -np.inf)
    for row, gear, k in zip(out, gears, peaks, strict=True):
        size = len(gear.speed) - k
        row[0], row[0, :size] = gear.speed[-1], gear.speed[k:]
        row[1, :size] = np.minimum.accumulate(gear.torque[k:])
    return out
