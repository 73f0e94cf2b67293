"""Lateral load transfer of an axle by the torque of its propeller shaft.

On an axle with its own pinion the propeller shaft exerts a moment about the vehicle's longitudinal axis,
the wheels' torque over the ratio of the final drive, and on the body the opposite one. The body rolls on
the springs of all axles, which returns part of the moment.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from bodies.vehicle import AntiRollBar, BeamAxle, FinalDrive, RigidAxle, Vehicle
from mlcp.kinds import Range, checked

LEAN = 0.01  # roll to both sides for the difference quotient of the stiffness [rad]


@dataclass(frozen=True)
@checked
class Roll:
    """Roll of an axle relative to the body.

    Attributes:
        stiffness: roll stiffness [N m/rad]; inf: no roll.
        stiffening: increase of the stiffness by the rods' forces, over the torque of the axle's wheels
            [1/rad].
        centre: height of the roll centre above the wheels' centres [m].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    stiffness: Annotated[float, Range(finite=False)]
    stiffening: float = 0.0
    centre: float = 0.0


def twisted(made: Any, described: Vehicle, parts: Sequence[Any]) -> Any:
    """Lumped vehicle with ``twist`` and ``roll`` of the axles with a pinion; others are unchanged."""
    drives = {p.name: p for p in described.parts if isinstance(p, FinalDrive)}
    bars = [p for p in described.parts if isinstance(p, AntiRollBar)]
    axles = []
    for axle, part, load in zip(made.axles, parts, made.loads, strict=True):
        drive, body = drives.get(part.name), body_of(part)
        twist = 1.0 / drive.ratio if drive is not None and drive.on == body else 0.0
        mine = [bar for bar in bars if body in (bar.left, bar.on)]
        radius = (axle.contact or made.contact).tyre.radius
        pressed = float(load) - axle.give.unsprung * made.weight / made.mass
        roll = roll_of(part, radius, pressed, mine)
        axles.append(dataclasses.replace(axle, roll=roll, twist=twist))
    return dataclasses.replace(made, axles=tuple(axles)) if any(a.twist for a in axles) else made


def body_of(part: Any) -> str | None:
    """Name of the body between both wheels of an axle; None: independent wheels."""
    kinds = {RigidAxle: "axle", BeamAxle: "beam"}
    return f"{part.name} {kinds[type(part)]}" if type(part) in kinds else None


def roll_of(part: Any, radius: float, load: float, bars: Sequence[AntiRollBar] = ()) -> Roll | None:
    """Roll of an axle ``part``; None: independent wheels.

    Arguments: radius: of the wheels [m]. load: load of the springs at rest [N]. bars: anti-roll bars.
    """
    if isinstance(part, BeamAxle):
        return Roll(0.0, centre=part.pivot[2] - part.wheel_centre[2])
    if not isinstance(part, RigidAxle):
        return None
    centre, yaw = roll_axis(part)
    found = _springs(part, load, centre, yaw)
    if part.leaf_seat is not None:
        found += 2.0 * (
            part.leaf_rotational_stiffness[0] + part.leaf_stiffness[2] * part.leaf_seat[1] ** 2
        )
    for bar in bars:
        lever = bar.arm_end[0] - bar.pivot[0]
        found += bar.stiffness * (2.0 * bar.link_end[1] / lever) ** 2
    return Roll(found, _stiffening(part, radius, centre, yaw), centre)


def roll_axis(part: RigidAxle) -> tuple[float, float]:
    """Roll axis of a rigid axle: ``(height above the wheels' centres [m], yaw over roll [-])``.

    The rods or leaf springs permit a motion of the body relative to the axle with the velocity (0, v, 0)
    midway between the wheels and the angular velocity (1, 0, yaw), at which the end of every rod moves
    perpendicular to the rod. The height is v.
    """
    x_0, _, z_0 = part.wheel_centre
    rows = []
    rods = [*part.links, *([part.panhard] if part.panhard else [])]
    for (x, y, z), end in ((np.subtract(on, (x_0, 0.0, z_0)), body) for on, body in rods):
        d = np.subtract(end, (x + x_0, y, z + z_0))
        d /= np.linalg.norm(d)
        rows.append((d[1], d[1] * x - d[0] * y, d[1] * z - d[2] * y))
    if part.leaf_seat is not None:
        x, y, z = np.subtract(part.leaf_seat, (x_0, 0.0, z_0))
        rows += [(1.0, x, z), (0.0, -y, 0.0)]
    rods = np.array(rows)
    centre, yaw = np.linalg.lstsq(rods[:, :2], rods[:, 2], rcond=None)[0]
    return float(centre), float(yaw)


def _springs(part: RigidAxle, load: float, centre: float, yaw: float) -> float:
    """Roll stiffness [N m/rad] of left and right spring about the roll axis, under a load [N]."""
    from scipy.spatial.transform import Rotation

    x_0, _, z_0 = part.wheel_centre
    on = np.array([x_0, 0.0, z_0 + centre])
    axis = np.array([1.0, 0.0, yaw]) / np.hypot(1.0, yaw)
    top, foot = (np.array(end, float) for end in part.spring)
    table = np.array(part.spring_law[0])

    def length(turn: float) -> float:
        return float(np.linalg.norm(top - on - Rotation.from_rotvec(turn * axis).apply(foot - on)))

    steep = (top - foot)[2] / length(0.0)
    rest = np.interp(-0.5 * load / steep, table[:, 1], table[:, 0]) - length(0.0)

    def moment(turn: float) -> float:
        """Moment of the left spring about the axis: compressive force times d length / d turn."""
        rate = (length(turn + 1e-4) - length(turn - 1e-4)) / 2e-4
        return -float(np.interp(length(turn) + rest, table[:, 0], table[:, 1])) * rate

    return 2.0 * (moment(-LEAN) - moment(LEAN)) / (2.0 * LEAN)  # the right spring is the mirror image


def _stiffening(part: RigidAxle, radius: float, centre: float, yaw: float) -> float:
    """Roll stiffness by the rods' forces over the wheels' torque [1/rad].

    The rods take up torque T [N m] and thrust T / radius. A rod with tension N adds N d^2 l / d turn^2;
    l: length of the rod [m] for a roll ``turn`` [rad] of the body about the roll axis over a fixed axle.
    """
    hub, axis = np.array([part.wheel_centre[0], 0.0, part.wheel_centre[2]]), np.array([1.0, 0.0, yaw])
    rows, bends = [], []
    for ends in part.links:
        on, body = (np.array(end, float) - hub for end in ends)
        many = 1.0 if on[1] == 0.0 and body[1] == 0.0 else 2.0  # a rod off the middle has a mirror image
        long_, arm = np.linalg.norm(body - on), body - (0.0, 0.0, centre)
        d, goes = (body - on) / long_, np.cross(axis, arm)
        rows.append((many * d[0], many * (on[2] * d[0] - on[0] * d[2])))
        bends.append(many * (goes @ goes / long_ + d @ np.cross(axis, goes)))
    if len(rows) < 2:
        return 0.0
    tensions = np.linalg.lstsq(np.array(rows).T, np.array([-1.0 / radius, 1.0]), rcond=None)[0]
    return float(tensions @ bends)
