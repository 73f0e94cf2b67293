"""Rigid axle: one body for both wheels, guided by links or by its leaf springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ... import checks
from ...joints import Bushing, Distance, Revolute
from ...kinds import Length, Name, NonNegative, NonNegatives, Point, Points, RisingPairs
from ..part import FORWARD, LEFT, SIDES, Assembly, Part, Piece, middle
from .air_spring import AirSpring
from .spring_and_damper import check_spring, spring_and_damper
from .wheel_brakes import brake_wheel

Ends = Annotated[tuple[Point, ...], Points(2)]
ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class RigidAxle(Part):
    """An axle housing on springs, with a wheel at each end, free in bounce and roll.

    The body "NAME axle" is guided by massless rods (1 constraint row each, :class:`bodies.Distance`), or
    by its leaf springs: a bushing at each spring seat (6 compliant rows), with ``spring_table`` as the
    vertical spring. With four rods bounce and roll are free; an upper wishbone is two rods that meet on
    the axle. With ``kingpin`` the wheels are on knuckles that turn in the axle; a massless tie rod
    connects both knuckles, and ``drag_link_steering`` moves the left one. A final drive on this axle has
    ``on = "NAME axle"``.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        carrier: body that carries the part.
        origin: origin of the axle's axes, in the axes of the vehicle [m]; the points below are in the
            axle's axes [m], mirrored for the right.
        wheel_centre: centre of mass of the wheel.
        links: rods from axle to carrier; those outside the middle plane are mirrored.
        panhard: rod across the vehicle, from axle to carrier, not mirrored.
        leaf_seat: seat of a leaf spring on the axle; default: no leaf springs.
        leaf_stiffness, leaf_damping: stiffness and damping of one spring pack along x, y, z; upward in
            addition to ``spring_table`` [N/m, N s/m].
        leaf_rotational_stiffness: stiffness of one pack against roll, wind-up and yaw of the seat
            [N m/rad].
        spring, damper: upper end on the carrier, lower end.
        spring_table: pairs (elongation from the free length [m], tension [N]), both not falling.
        free_length: length of the spring without tension [m], above 0.
        air_spring: bellows instead of table and free length.
        damper_table: pairs (speed of elongation [m/s], tension [N]), both not falling.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
        axle_body: the housing; its centre in the axle's axes, by default their origin.
        wheel_body: the wheel with all parts that turn at its speed.
        kingpin: lower and upper end of the kingpin; default: no steering.
        knuckle_centre: centre of mass of the left knuckle. knuckle_body: knuckle, with the hub.
        tie_rod: end of the tie rod on the left knuckle; mirrored for the right.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range; an axle without
            guidance; a kingpin without knuckle and tie rod, or these without a kingpin.
    """

    carrier: Name = "frame"
    origin: Point
    wheel_centre: Point
    links: tuple[tuple[tuple[float, ...], ...], ...] = ()
    panhard: Ends = ()
    leaf_seat: Point | None = None
    leaf_stiffness: NonNegatives = ORIGIN
    leaf_damping: NonNegatives = ORIGIN
    leaf_rotational_stiffness: NonNegatives = ORIGIN
    spring: Ends
    spring_table: RisingPairs | None = None
    free_length: Length | None = None
    air_spring: AirSpring | None = None
    damper: Ends
    damper_table: RisingPairs
    brake_capacity: NonNegative = 0.0
    axle_body: Piece
    wheel_body: Piece
    kingpin: Ends = ()
    knuckle_centre: Point | None = None
    knuckle_body: Piece | None = None
    tie_rod: Point | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_spring(self)
        if not isinstance(self.links, list | tuple):
            got = checks.shown(self.links)
            raise checks.MechanismError(f"{self.who}: links must be pairs of points [m], got {got}.")
        rods = tuple(Points(2)(self.who, f"links[{k}]", rod) for k, rod in enumerate(self.links))
        object.__setattr__(self, "links", rods)
        if not rods and self.leaf_seat is None:
            raise checks.MechanismError(
                f"{self.who}: links or a leaf_seat must hold the axle, got neither."
            )
        if self.leaf_seat is not None and min(self.leaf_stiffness[:2]) <= 0.0 and not rods:
            raise checks.MechanismError(
                f"{self.who}: leaf_stiffness must be above 0 along and across where leaf springs alone "
                f"hold the axle, got {self.leaf_stiffness}."
            )
        for field in ("knuckle_centre", "knuckle_body", "tie_rod"):
            if (getattr(self, field) is None) == bool(self.kingpin):
                raise checks.MechanismError(
                    f"{self.who}: {field} must be given with a kingpin, and only then."
                )

    def build(self, to: Assembly) -> None:
        def at(point: Any, side: float = 1.0) -> Point:
            return to.at(point, self.origin, side)

        axle = to.body(f"{self.name} axle", self.axle_body, at(self.axle_body.centre or ORIGIN))
        for k, rod in enumerate(self.links):
            for side, sign in SIDES:
                if sign > 0.0 or rod[0][1] != 0.0 or rod[1][1] != 0.0:
                    self.rod(to, f"{self.name}_{side} link {k + 1}", at(rod[0], sign), at(rod[1], sign))
        if self.panhard:
            self.rod(to, f"{self.name} panhard rod", *map(at, self.panhard))
        for side, sign in SIDES:
            self.end(to, f"{self.name}_{side}", sign, axle)
        if self.tie_rod is not None:
            left, right = (f"{self.name}_{side} knuckle" for side, _ in SIDES)
            to.add(
                Distance(
                    name=f"{self.name} tie rod",
                    body_a=left,
                    body_b=right,
                    position=at(self.tie_rod),
                    position_b=at(self.tie_rod, -1.0),
                )
            )

    def rod(self, to: Assembly, name: str, inner: Point, outer: Point) -> None:
        """Add a massless rod from the axle to the carrier."""
        axle = f"{self.name} axle"
        to.add(Distance(name=name, body_a=self.carrier, body_b=axle, position=outer, position_b=inner))

    def end(self, to: Assembly, name: str, sign: float, axle: str) -> None:
        """Add one end of the axle (wheel, spring, damper); ``sign``: +1 on the left, -1 on the right."""

        def at(point: Any) -> Point:
            return to.at(point, self.origin, sign)

        hub, holder = at(self.wheel_centre), axle
        if self.knuckle_body is not None:
            low, high = map(at, self.kingpin)
            holder = to.placed(f"{name} knuckle", self.knuckle_body, at(self.knuckle_centre))
            to.add(
                Revolute(
                    name=f"{name} kingpin",
                    body_a=axle,
                    body_b=holder,
                    position=middle(low, high),
                    axis=tuple(np.subtract(high, low)),
                )
            )
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.add(Revolute(name=f"{name} hub", body_a=holder, body_b=wheel, position=hub, axis=LEFT))
        if self.leaf_seat is not None:
            # a bushing with a longitudinal axis has its stiffnesses in the order up, across, along
            along, across, up = self.leaf_stiffness
            roll, wind, yaw = self.leaf_rotational_stiffness
            to.add(
                Bushing(
                    name=f"{name} leaf",
                    body_a=self.carrier,
                    body_b=axle,
                    position=at(self.leaf_seat),
                    axis=FORWARD,
                    stiffness=(up, across, along),
                    damping=self.leaf_damping[::-1],
                    rotational_stiffness=(yaw, wind, roll),
                )
            )
        spring_and_damper(to, name, self, axle, at)
        brake_wheel(to, name, self.brake_capacity)
        to.wheel(name, wheel, hub)
