"""Free elements: bodies, joints, forces and oil of a vehicle's file, as in a mechanism's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ...body import Body
from ...mounting import moved, replaced
from ..part import Assembly, Part


@dataclass(frozen=True, kw_only=True)
class FreeElements(Part):
    """Bodies and elements in the axes of the vehicle, of any kind that a mechanism has.

    Arguments:
        bodies: bodies of the part.
        elements: joints, lengths, couplings, forces and circuits, between these and other bodies; an
            input of an element is the vehicle's control with the same name.

    Raises:
        MechanismError: a body or an element of a wrong type.
    """

    remote: ClassVar[bool] = True
    bodies: tuple[Body, ...] = ()
    elements: tuple[Any, ...] = ()

    def build(self, to: Assembly) -> None:
        at = tuple(float(x) for x in to.origin)
        to.bodies += [moved(body, at) for body in self.bodies]
        to.add(*(moved(replaced(element, to.controls), at) for element in self.elements))
        to.reasons |= {body.name: "a free body of the file" for body in self.bodies}
