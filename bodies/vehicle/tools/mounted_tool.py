"""Mounted tool: a mechanism, read from a file of its own, on a body of the vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from ... import checks
from ...files.mechanisms import read_mechanism
from ...kinds import Name, Point, Range
from ...mounting import moved, replaced, turned
from ..part import Assembly, Part

SHIPPED = Path(__file__).parents[2] / "hydraulics"


@dataclass(frozen=True, kw_only=True)
class MountedTool(Part):
    """A mechanism on a body of the vehicle: its joints with the ground become joints with this body.

    The inputs of the mechanism are controls of the same names.

    Arguments:
        file: name of a shipped mechanism, "backhoe", or a mechanism's file.
        on: body that carries the tool.
        position: position of the mechanism's origin [m].
        heading: angle of the mechanism's x-axis from the vehicle's, to the left [rad].

    Raises:
        MechanismError: a file that cannot be read, or with wheels or rigid contacts; an input that is
            no control.
    """

    remote: ClassVar[bool] = True
    file: Name
    on: Name = "frame"
    position: Point
    heading: Annotated[float, Range(-1e3, 1e3)] = 0.0

    def build(self, to: Assembly) -> None:
        shipped = SHIPPED / f"{self.file}.toml"
        try:
            tool = read_mechanism(shipped if shipped.is_file() else self.file)
        except checks.MechanismError as error:
            raise checks.MechanismError(f"{self.who}: file: {error}") from None
        if items := (*tool.wheels, *tool.contacts):
            raise checks.MechanismError(
                f"{self.who}: file: a mounted tool has neither wheels nor rigid contacts, got "
                f"{items[0].name!r}."
            )
        signals = {name: to.control(name) for name in tool.inputs}
        tool = turned(tool, self.heading, (0.0, 0.0, 0.0)) if self.heading else tool
        at = to.at(self.position)
        to.bodies += [moved(body, at) for body in tool.bodies]
        to.add(*(moved(replaced(e, signals), at, self.on) for e in tool.elements))
        to.reasons |= {body.name: f"of the mounted {tool.name}" for body in tool.bodies}
