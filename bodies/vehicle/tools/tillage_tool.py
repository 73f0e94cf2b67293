"""Tillage tool: draft of ASABE D497 on a frame, a beam or a trailer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...forces import Draft
from ...joints import Fixed
from ...kinds import Name, Point, Range, Remark, Words
from ..part import Assembly, Part, Piece
from .d497 import TEXTURES, TOOLS, draft_numbers


@dataclass(frozen=True, kw_only=True)
class TillageTool(Part):
    """A plow, cultivator or harrow: a :class:`bodies.Draft` with the coefficients of the tool's row in
    D497.

    A tool on the towing vehicle is a mounted implement, a tool on a trailer a towed implement.

    Arguments:
        on: body that carries the part.
        point: point of application of the draft [m], axes of the vehicle.
        tool: name of the tool in :data:`bodies.vehicle.tools.d497.TOOLS`.
        texture: texture of the soil.
        width: width of the implement [m], or number of its tools, by the unit of the tool in D497.
        depth: tillage depth [m].
        engaged: name of the control for lowering, 0 to 1; empty: always in the ground.
        body: body of the implement, fixed to ``on``; default: part of ``on``.
    """

    on: Name = "frame"
    point: Point
    tool: Annotated[str, Words(tuple(TOOLS))]
    texture: Annotated[str, Words(TEXTURES)]
    width: Annotated[float, Range(0.0, 100.0, open_low=True)]
    depth: Annotated[float, Range(0.0, 2.0, open_low=True)]
    engaged: Remark = ""
    body: Piece | None = None

    def build(self, to: Assembly) -> None:
        carrier, place = self.on, to.at(self.point)
        if self.body is not None:
            where = place if self.body.centre is None else to.at(self.body.centre)
            carrier = to.body(self.name, self.body, where)
            to.add(Fixed(name=f"{self.name} mount", body_a=self.on, body_b=carrier, position=where))
        to.add(
            Draft(
                name=f"{self.name} draft",
                body=carrier,
                position=place,
                draft=draft_numbers(self.tool, self.texture, self.width, self.depth),
                engaged=to.control(self.engaged) if self.engaged else 1.0,
            )
        )
