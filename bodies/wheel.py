"""A wheel: data of a rolling body's contact with its ground."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from contact import WheelContact
from contact.grounds import soils_of
from contact.rigid import HeightField, Plane
from contact.terrain import Terrain

from . import checks
from .body import GROUND
from .checks import checked
from .kinds import Angle, Length, NonNegative, Positive, UnitVector, Vector, Words

LATERAL = ("slip angle", "coulomb")
COMBINED = ("sliding", "apart")


@dataclass(frozen=True, kw_only=True)
@checked
class Wheel:
    """A wheel on a body, with four contact channels.

    The channels, all on the wheel's body, are the velocities along which the ground acts:
    [0] normal at the contact point (separating positive), [1] longitudinal sliding of the contact
    point ``v_t = v_x - omega r``, [2] lateral at the contact point, [3] longitudinal of the wheel
    centre, v_x (omega, r: speed and radius of the wheel; v_y: lateral velocity). Directions:
    ``x = a x n / |a x n|`` (forward), ``y = n x x``, with a the spin axis (pointing left) and n the
    terrain's normal at its point nearest to the axle in the wheel's plane.

    Arguments:
        name: unique name.
        body: the spinning body.
        centre: wheel centre on the spin axis [m], world axes, pose of the description.
        spin_axis: direction of the spin axis to the left (ISO 8855), world axes, pose of the
            description.
        soil: tyre, soil, ground law and regularisation; None: hard, elastic ground. A mechanism may
            have wheels of both kinds.
        radius, width: unloaded radius and width [m]; optional with ``soil``, whose tyre has them.
        ground: a plane, a height field, or any terrain of ``contact.terrain`` (plane, step, sine,
            height field). A wheel with ``soil`` leaves ruts in a terrain's memory, and the soils of a
            terrain's soil map replace its own.
        stiffness, damping: stiffness and damping of tyre and ground in series along the normal on hard
            ground [N/m, N s/m].
        friction: coefficient of friction mu on hard ground [-].
        rolling: coefficient of rolling resistance on hard ground, force at the centre over normal force
            [-].
        lateral: law of the lateral force on hard ground. ``"slip angle"``: Crolla's
            ``F_y = -mu F_n (1 - exp(-|alpha| / gamma)) sgn(v_y)``, ``tan |alpha| = |v_y / v_x|``, with
            static friction at rest. ``"coulomb"``: Coulomb friction, with which a rolling wheel has no
            slip angle, so that two wheels of an axle with toe permanently act against each other.
        gamma: crossover angle of Crolla's law [rad]; 0.0873 to 0.2618 published for agricultural tyres.
        combined: combination of longitudinal and lateral friction on hard ground. ``"sliding"``: the
            resultant is at most mu F_n, and opposite to the velocity of a sliding contact point; the
            compliance of the slip angle is scaled by ``1 - |v_t| / max(|v_x|, |omega r|)``, so that a
            wheel locked, or spinning in place, is a sliding block. ``"apart"``: each of the two forces
            is at most mu F_n, independent of the other.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    body: str
    centre: Vector
    spin_axis: UnitVector = (0.0, 1.0, 0.0)
    soil: WheelContact | None = None
    radius: Length | None = None
    width: Length = 0.2
    ground: Plane | HeightField | Terrain = field(default_factory=Plane)
    stiffness: Positive = 2e5
    damping: NonNegative = 2e3
    friction: NonNegative = 0.8
    rolling: NonNegative = 0.0
    lateral: Annotated[str, Words(LATERAL)] = "slip angle"
    gamma: Angle = 0.09
    combined: Annotated[str, Words(COMBINED)] = "sliding"

    @property
    def who(self) -> str:
        """Name of this wheel in messages."""
        return f"wheel {self.name!r}"

    @property
    def terrain(self) -> Terrain | None:
        """The ground, if it is one of ``contact.terrain``."""
        return self.ground if isinstance(self.ground, Terrain) else None

    @property
    def soils(self) -> list[WheelContact]:
        """Contacts of the wheel with each soil on which it may stand, also after earlier passes."""
        return [] if self.soil is None else soils_of(self.soil, self.terrain)

    def __post_init__(self) -> None:
        who = self.who
        there = self.terrain
        varied = there is not None and (there.soil_map is not None or there.memory is not None)
        if self.soil is None and varied:
            raise checks.MechanismError(
                f"{who}: its ground has a soil map or a memory, but the wheel has no soil; give it a "
                "WheelContact, or a ground without them."
            )
        if self.soil is None:
            checks.number(who, "radius", self.radius)
        else:
            tyre = self.soil.tyre
            try:
                _ = self.soils  # raises for a soil of the map that the law cannot use
            except ValueError as error:
                raise checks.MechanismError(f"{who}: on its ground's soil map, {error}") from None
            if self.radius is not None and abs(self.radius - tyre.radius) > 1e-12:
                raise checks.MechanismError(
                    f"{who}: radius = {self.radius} m is not its tyre's {tyre.radius} m; leave it out."
                )
            if self.width != Wheel.width and abs(self.width - tyre.width) > 1e-12:
                raise checks.MechanismError(
                    f"{who}: width = {self.width} m is not its tyre's {tyre.width} m; leave it out."
                )
            object.__setattr__(self, "radius", tyre.radius)
            object.__setattr__(self, "width", tyre.width)
        if self.body == GROUND:
            raise checks.MechanismError(f"{who}: body must be one that moves, got 'ground'.")
        normal = self.ground.normal if isinstance(self.ground, Plane) else (0.0, 0.0, 1.0)
        if math.dist((0.0, 0.0, 0.0), np.cross(self.spin_axis, normal)) < 1e-6:
            raise checks.MechanismError(
                f"{who}: spin_axis = {self.spin_axis} is the ground's normal; a wheel that lies flat "
                "does not roll."
            )
