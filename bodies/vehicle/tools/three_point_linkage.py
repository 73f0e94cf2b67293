"""Three-point linkage: lower links, upper link, lift arms and rods, implement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import checks
from ...joints import Motor
from ...kinds import Name, Point
from ..elements import LEFT
from ..part import SIDES, Assembly, Ends, Part, Piece, middle


@dataclass(frozen=True, kw_only=True)
class ThreePointLinkage(Part):
    """An implement on two lower links and an upper one, raised by rods from the lift arms.

    The lower links (bodies) have universal joints on the carrier (4 constraint rows each) and balls
    on the implement (3 each); upper link, lift rods and stabiliser are massless rods (1 row each); the
    lift arms turn about a lateral hinge (5 rows), driven to an angle (1 row). With a stabiliser there is
    no degree of freedom, without one the implement can sway, as with loose chains. A ``tillage_tool`` is
    ``on`` the body "NAME implement". :func:`bodies.vehicle.linkage_forces` returns the forces in the
    links.

    Arguments:
        on: body that carries the part.
        lower_link: balls of the left link on the carrier and on the implement, axes of the vehicle
            [m]; mirrored for the right.
        upper_link: end on the carrier and end on the implement's mast, in the middle plane [m].
        lift_arm: centre of the hinge of the lift arms, in the middle plane [m].
        lift_rod: ends of the left rod on the lift arm and on the lower link [m]; mirrored.
        stabiliser: ends of a lateral rod on the carrier and on the implement [m].
        lift: name of the control, the angle of the lift arms above the pose of the description
            [rad].
        lower_link_body: body of a lower link, inertia in body axes, the third along the link.
        lift_arms: body of both lift arms with their shaft; centre by default that of the hinge.
        implement: body of the implement with its hitch frame; centre in the axes of the vehicle.
    """

    on: Name = "frame"
    lower_link: Ends
    upper_link: Ends
    lift_arm: Point
    lift_rod: Ends
    stabiliser: Ends = ()
    lift: Name = "lift"
    lower_link_body: Piece
    lift_arms: Piece
    implement: Piece

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.implement.centre is None:
            raise checks.MechanismError(f"{self.who}: implement needs a centre [m].")
        for field in ("upper_link", "lift_arm"):
            for y in np.reshape(getattr(self, field), (-1, 3))[:, 1]:
                if y != 0.0:
                    raise checks.MechanismError(
                        f"{self.who}: {field} must lie in the middle plane, y = 0, got {y:g}."
                    )

    def build(self, to: Assembly) -> None:
        carrier = to.body(f"{self.name} implement", self.implement, to.centre(self, self.implement))
        shaft, piece = to.at(self.lift_arm), self.lift_arms
        arms = to.body(
            f"{self.name} lift arms", piece, shaft if piece.centre is None else to.at(piece.centre)
        )
        hinge = f"{self.name} lift hinge"
        raising = (0.0, 1.0, 0.0) if self.lift_rod[0][0] < self.lift_arm[0] else (0.0, -1.0, 0.0)
        to.hinge(hinge, self.on, arms, shaft, raising)
        to.add(
            Motor(name=f"{self.name} lift", joint=hinge, target=to.control(self.lift), mode="position")
        )
        to.rod(f"{self.name} upper link", self.on, carrier, *map(to.at, self.upper_link))
        for side, sign in SIDES:
            self.lower(to, f"{self.name} {side}", sign, carrier, arms)
        if self.stabiliser:
            to.rod(f"{self.name} stabiliser", self.on, carrier, *map(to.at, self.stabiliser))

    def lower(self, to: Assembly, name: str, sign: float, carrier: str, arms: str) -> None:
        """Add a lower link and its lift rod; ``sign``: +1 on the left, -1 on the right."""
        root, ball = (to.at(point, side=sign) for point in self.lower_link)
        top, foot = (to.at(point, side=sign) for point in self.lift_rod)
        along = np.subtract(ball, root)
        link = to.placed(f"{name} lower link", self.lower_link_body, middle(root, ball), along)
        to.rod_end(f"{name} lower pin", self.on, link, root, along, LEFT)
        to.ball(f"{name} lower ball", link, carrier, ball)
        to.rod(f"{name} lift rod", arms, link, top, foot)
