"""Cab: a body on rubber mounts."""

from __future__ import annotations

from dataclasses import dataclass

from ..joints import Bushing
from ..kinds import Name, NonNegatives, Point
from .elements import UP
from .part import Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class Cab(Part):
    """A body on rubber mounts, modelled as one bushing with a vertical axis.

    Arguments:
        body: mass, inertia, centre in the axes of the vehicle.
        on: body that carries the part.
        mount: elastic centre of the mounts [m].
        stiffness, damping: stiffness and damping along x, y, z [N/m, N s/m].
        rotational_stiffness, rotational_damping: values about x, y, z [N m/rad, N m s/rad], at least 0.
    """

    body: Piece
    on: Name = "frame"
    mount: Point
    stiffness: NonNegatives
    damping: NonNegatives
    rotational_stiffness: NonNegatives
    rotational_damping: NonNegatives

    def build(self, to: Assembly) -> None:
        to.body(self.name, self.body, to.centre(self, self.body))
        to.add(
            Bushing(
                name=f"{self.name} mounts",
                body_a=self.on,
                body_b=self.name,
                position=to.at(self.mount),
                axis=UP,
                stiffness=self.stiffness,
                damping=self.damping,
                rotational_stiffness=self.rotational_stiffness,
                rotational_damping=self.rotational_damping,
            )
        )
