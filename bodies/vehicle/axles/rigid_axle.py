"""Rigid axle: one body for both wheels, guided by links or by its leaf springs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ... import checks
from ...joints import Bushing
from ...kinds import NonNegatives, Point
from ..elements import FORWARD
from ..part import SIDES, Assembly, Ends, Piece, middle
from .axle import SprungAxle

ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class RigidAxle(SprungAxle):
    """An axle housing on springs, with a wheel at each end, free in bounce and roll.

    The body "NAME axle" is guided by massless rods (1 constraint row each, :class:`bodies.Distance`), or
    by its leaf springs: a bushing at each spring seat (6 compliant rows), with ``spring_table`` as the
    vertical spring. With four rods bounce and roll are free; an upper wishbone is two rods that meet on
    the axle. With ``kingpin`` the wheels are on knuckles that turn in the axle; a massless tie rod
    connects both knuckles, and ``drag_link_steering`` moves the left one. A final drive on this axle has
    ``on = "NAME axle"``.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        wheel_centre: centre of mass of the wheel.
        links: rods from axle to carrier; those outside the middle plane are mirrored.
        panhard: rod across the vehicle, from axle to carrier, not mirrored.
        leaf_seat: seat of a leaf spring on the axle; default: no leaf springs.
        leaf_stiffness, leaf_damping: stiffness and damping of one spring pack along x, y, z; upward in
            addition to ``spring_table`` [N/m, N s/m].
        leaf_rotational_stiffness: stiffness of one pack against roll, wind-up and yaw of the seat
            [N m/rad].
        axle_body: the housing; its centre in the axle's axes, by default their origin.
        kingpin: lower and upper end of the kingpin; default: no steering.
        knuckle_centre: centre of mass of the left knuckle. knuckle_body: knuckle, with the hub.
        tie_rod: end of the tie rod on the left knuckle; mirrored for the right.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range; an axle without
            guidance; a kingpin without knuckle and tie rod, or these without a kingpin.
    """

    wheel_centre: Point
    links: tuple[Ends, ...] = ()
    panhard: Ends = ()
    leaf_seat: Point | None = None
    leaf_stiffness: NonNegatives = ORIGIN
    leaf_damping: NonNegatives = ORIGIN
    leaf_rotational_stiffness: NonNegatives = ORIGIN
    axle_body: Piece
    kingpin: Ends = ()
    knuckle_centre: Point | None = None
    knuckle_body: Piece | None = None
    tie_rod: Point | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.links and self.leaf_seat is None:
            raise checks.MechanismError(
                f"{self.who}: links or a leaf_seat must hold the axle, got neither."
            )
        if self.leaf_seat is not None and min(self.leaf_stiffness[:2]) <= 0.0 and not self.links:
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
        at = partial(to.at, origin=self.origin)
        axle = to.body(f"{self.name} axle", self.axle_body, at(self.axle_body.centre or ORIGIN))
        for k, rod in enumerate(self.links):
            for side, sign in SIDES:
                if sign > 0.0 or rod[0][1] != 0.0 or rod[1][1] != 0.0:
                    inner, outer = (at(point, side=sign) for point in rod)
                    to.rod(f"{self.name}_{side} link {k + 1}", self.carrier, axle, outer, inner)
        if self.panhard:
            inner, outer = map(at, self.panhard)
            to.rod(f"{self.name} panhard rod", self.carrier, axle, outer, inner)
        for side, sign in SIDES:
            self.end(to, f"{self.name}_{side}", sign, axle)
        if self.tie_rod is not None:
            left, right = (f"{self.name}_{side} knuckle" for side, _ in SIDES)
            to.rod(f"{self.name} tie rod", left, right, at(self.tie_rod), at(self.tie_rod, side=-1.0))

    def end(self, to: Assembly, name: str, sign: float, axle: str) -> None:
        """Add one end of the axle (wheel, spring, damper); ``sign``: +1 on the left, -1 on the right."""
        at = partial(to.at, origin=self.origin, side=sign)
        hub, holder = at(self.wheel_centre), axle
        if self.knuckle_body is not None:
            low, high = map(at, self.kingpin)
            holder = to.placed(f"{name} knuckle", self.knuckle_body, at(self.knuckle_centre))
            to.hinge(f"{name} kingpin", axle, holder, middle(low, high), np.subtract(high, low))
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.hinge(f"{name} hub", holder, wheel, hub)
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
        self.add_spring(to, name, axle, at)
        self.add_brake(to, name)
        to.wheel(name, wheel, hub)
