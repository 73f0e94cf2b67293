"""Compliance of an axle: springs at the wheels, and path of its wheels during their travel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bodies.vehicle import (
    BeamAxle,
    Bogie,
    DoubleWishbone,
    RigidAxle,
    RockerBogie,
    SolidMountedAxle,
    TrailingArm,
)
from bodies.vehicle.axles.rocker_bogie import AXLES as ROCKER_AXLES
from mlcp.kinds import checked

TRAVEL = 0.12  # wheel travel up and down for the curve of a spring [m]
POINTS = 49  # number of points of the curve
LEAST, MOST = 0.5, 1.5  # range of the fit of a spring's curve, over the load at rest


@dataclass(frozen=True)
@checked
class Give:
    """Compliance of an axle: rise of both wheels relative to the body under a force.

        rise = force / stiffness + bend force^2,   both from the position at rest

    Attributes:
        stiffness: linear stiffness [N/m]; inf: no springs. bend: quadratic term [m/N^2].
        path: forward over vertical motion of the wheels' centres [-].
        path_driven: forward over vertical motion of the point of the thrust [-]: the contact if a rigid
            axle takes up the torque of its wheels, the wheel centre if the body does.
        unsprung: mass that moves with the wheels [kg].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    stiffness: float = np.inf
    bend: float = 0.0
    path: float = 0.0
    path_driven: float = 0.0
    unsprung: float = 0.0


#: Supported kinds of axles.
AXLES = (DoubleWishbone, RigidAxle, TrailingArm, BeamAxle, SolidMountedAxle, Bogie, RockerBogie)


@dataclass(frozen=True)
class Support:
    """An axle of a part: its name, and the place where its load acts, ahead of the vehicle's origin.

    Wheels of a bogie have equal loads, whose sum acts at the bogie's pivot. ``along`` [m]: place of the
    load; None: at the wheels.
    """

    name: str
    part: Any
    along: float | None = None


def supports(part: Any) -> tuple[Support, ...]:
    """Axles of a part, one of ``AXLES``.

    Raises:
        ValueError: a bogie with unequal levers.
    """
    if not isinstance(part, Bogie | RockerBogie):
        return (Support(part.name, part),)
    rocker = isinstance(part, RockerBogie)
    axles = ROCKER_AXLES if rocker else part.axles
    pivot = (part.bogie_pivot if rocker else part.pivot)[0]
    places = [centre[0] for centre in part.wheel_centres]
    if abs(sum(places[-2:]) - 2.0 * pivot) > 0.02 * abs(places[-1] - places[-2]):
        raise ValueError(
            f"{part.who}: a map takes the wheels of a bogie as equally loaded, its pivot midway between "
            f"them; it lies at {pivot:g} m, the wheels at {places[-2]:g} and {places[-1]:g} m"
        )
    alone = tuple(Support(axle, part) for axle in axles[:-2])
    return (*alone, *(Support(axle, part, pivot) for axle in axles[-2:]))


def axle_compliance(part: Any, radius: float, load: float | None = None, drive: float = 0.0) -> Give:
    """Compliance of a vehicle's axle.

    Arguments:
        part: one of ``AXLES``. radius: radius of its wheels [m].
        load: load of both wheels at rest, less the unsprung weight [N]; None: the springs' force in
            the pose of the description.
        drive: mass of a final drive on a rigid axle [kg].
    """
    if isinstance(part, DoubleWishbone):
        rise, centre = _wishbones(part)
        unsprung = 2.0 * _corner_mass(part)
        lowest = centre
    elif isinstance(part, TrailingArm):
        rise, centre = _trailing(part)
        unsprung = 2.0 * part.wheel_body.mass + part.arm_body.mass  # half the mass of each arm
        lowest = centre
    elif isinstance(part, RigidAxle):
        rise, centre, lowest = _rigid(part, radius)
        knuckles = part.knuckle_body.mass if part.knuckle_body else 0.0
        unsprung = part.axle_body.mass + 2.0 * (part.wheel_body.mass + knuckles) + drive
    else:
        return Give()
    up = np.linspace(-TRAVEL, TRAVEL, POINTS)
    force = 2.0 * np.array([_pressed(part, length) for length in map(rise, up)])
    force *= -np.gradient([rise(x) for x in up], up)  # force on both wheels by virtual work
    here = float(np.interp(0.0, up, force)) if load is None else load
    near = (force > LEAST * here) & (force < MOST * here)
    at_rest = float(np.interp(here, force, up))
    slope, bend = _curve(force[near] - here, up[near] - at_rest)
    path, driven = (float((f(at_rest + 0.03) - f(at_rest - 0.03)) / 0.06) for f in (centre, lowest))
    return Give(1.0 / slope, bend, path, driven, unsprung)


def carried(part: Any) -> float:
    """Force of the springs at both wheels in the pose of the description [N]; nan: wheels without
    springs.
    """
    if isinstance(part, DoubleWishbone):
        rise = _wishbones(part)[0]
    elif isinstance(part, TrailingArm):
        rise = _trailing(part)[0]
    elif isinstance(part, RigidAxle):
        rise = _rigid(part, 1.0)[0]
    else:
        return np.nan
    return 2.0 * _pressed(part, rise(0.0)) * -(rise(1e-4) - rise(-1e-4)) / 2e-4


def _pressed(part: Any, length: float) -> float:
    """Compressive force of the spring [N] at a length [m]."""
    pairs, free = part.spring_law
    table = np.array(pairs)
    return -float(np.interp(length - free, table[:, 0], table[:, 1]))


def _curve(force: np.ndarray, rise: np.ndarray) -> tuple[float, float]:
    """Least squares of ``rise = slope force + bend force^2``, both from the static position.

    Returns: slope [m/N], bend [m/N^2].
    """
    rows = np.stack([force, force**2], axis=1)
    scale = np.abs(rows).max(axis=0)
    slope, bend = np.linalg.lstsq(rows / scale, rise, rcond=None)[0] / scale
    return float(slope), float(bend)


def _corner_mass(part: DoubleWishbone) -> float:
    """Mass of wheel, upright and half of the links [kg]."""
    led = (part.upper_arm_body, part.lower_arm_body, part.tie_rod_body, part.damper_tube_body)
    halves = sum(0.5 * piece.mass for piece in (*led, part.damper_rod_body))
    return part.wheel_body.mass + part.upright_body.mass + halves


def _wishbones(part: DoubleWishbone) -> tuple[Callable[[float], float], ...]:
    """Functions of the wheel's rise [m]: length of the spring, forward motion of the wheel centre [m].

    They interpolate poses of the closed linkage of a corner (upright, ball joints, tie rod) at several
    angles of the lower arm.
    """
    from scipy.optimize import fsolve
    from scipy.spatial.transform import Rotation

    lower, upper = np.array(part.lower_arm), np.array(part.upper_arm)
    inner, outer = np.array(part.tie_rod)
    top, foot = np.array(part.spring)
    hub, rod = np.array(part.wheel_centre), np.linalg.norm(outer - inner)

    def swung(arm: np.ndarray, point: np.ndarray, turn: float) -> np.ndarray:
        axis = (arm[0] - arm[1]) / np.linalg.norm(arm[0] - arm[1])
        return arm[1] + Rotation.from_rotvec(turn * axis).apply(point - arm[1])

    found, guess = [], np.zeros(4)
    reach = np.linalg.norm(np.cross(lower[0] - lower[1], lower[2] - lower[1])) / np.linalg.norm(
        lower[0] - lower[1]
    )
    for turn in np.linspace(-1.2, 1.2, 25) * TRAVEL / reach:
        ball = swung(lower, lower[2], turn)

        def open_by(x: np.ndarray, ball: np.ndarray = ball) -> np.ndarray:
            upright = Rotation.from_rotvec(x[1:])
            gap = ball + upright.apply(upper[2] - lower[2]) - swung(upper, upper[2], x[0])
            tie_rod = ball + upright.apply(outer - lower[2]) - inner
            return np.array([*gap, np.linalg.norm(tie_rod) - rod])

        # a guess off 0 by 1e-3, since fsolve's steps are relative to x; full_output suppresses warnings
        guess = fsolve(open_by, guess + 1e-3, xtol=1e-13, full_output=True)[0]
        moved = ball + Rotation.from_rotvec(guess[1:]).apply(hub - lower[2]) - hub
        found.append((moved[2], np.linalg.norm(top - swung(lower, foot, turn)), moved[0]))
    return _over_rise(found)


def _over_rise(found: list[tuple[float, ...]]) -> tuple[Callable[[float], float], ...]:
    """Functions of the wheel's rise (first column of ``found``) that interpolate the other columns."""
    from scipy.interpolate import CubicSpline

    first, *others = np.array(sorted(found)).T
    return tuple(CubicSpline(first, values) for values in others)  # pyright: ignore[reportReturnType]


def _trailing(part: TrailingArm) -> tuple[Callable[[float], float], ...]:
    """Functions of the wheel's rise [m]: length of the spring, forward motion of wheel centre [m]."""
    from scipy.spatial.transform import Rotation

    inner, outer = np.array(part.pivot)
    axis = (outer - inner) / np.linalg.norm(outer - inner)
    hub, (top, foot) = np.array(part.wheel_centre), np.array(part.spring)
    reach, found = abs(np.cross(axis, hub - inner)[2]), []
    for turn in np.linspace(-1.2, 1.2, 25) * TRAVEL / reach:
        swing = Rotation.from_rotvec(turn * axis)
        moved = inner + swing.apply(hub - inner) - hub
        spring = top - inner - swing.apply(foot - inner)
        found.append((moved[2], float(np.linalg.norm(spring)), moved[0]))
    return _over_rise(found)


def _rigid(part: RigidAxle, radius: float) -> tuple[Callable[[float], float], ...]:
    """Functions of the axle's rise [m]: length of the spring, forward motion of hub and contact [m].

    In the side view the end of every rod moves perpendicular to the rod; on leaf springs the axle moves
    straight up.
    """
    hub = np.array(part.wheel_centre)[[0, 2]]
    rows = []
    for ends in part.links:
        on_axle, on_body = (np.array(end, float)[[0, 2]] for end in ends)
        along = (on_body - on_axle) / np.linalg.norm(on_body - on_axle)
        x, z = on_axle - hub
        rows.append((along[0], along[0] * z - along[1] * x, -along[1]))
    forward, turn = 0.0, 0.0  # per rise: forward motion of the axle's centre [-], pitch [rad/m]
    if len(rows) >= 2:
        rods = np.array(rows)
        forward, turn = np.linalg.lstsq(rods[:, :2], rods[:, 2], rcond=None)[0]
    top, foot = np.array(part.spring)
    x, z = foot[[0, 2]] - hub
    went = np.array([forward + turn * z, 0.0, 1.0 - turn * x])  # motion of the spring's foot per rise

    def length(up: float) -> float:
        return float(np.linalg.norm(top - foot - up * went))

    return length, lambda up: forward * up, lambda up: (forward - turn * radius) * up
