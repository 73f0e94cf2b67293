"""Check of the bodies and axles to which parts refer; the messages use the words of the vehicle's
file."""

from __future__ import annotations

from collections.abc import Sequence

from .. import checks
from ..body import GROUND
from .part import Assembly, Part
from .steering.beam_steering import BeamSteering
from .steering.drag_link import DragLinkSteering
from .tools.hitch import Hitch

#: Fields of a part with the name of a body.
BODIES = ("on", "carrier", "guide", "trailer", "towing", "front", "rear")


def check_references(name: str, parts: Sequence[Part], assemblies: Sequence[Assembly]) -> None:
    """Check that the parts of a vehicle and its trailers refer to known bodies and axles.

    Raises:
        MechanismError: a trailer without a towing vehicle.
        UnknownName: naming the part, the field, and the nearest known name.
    """
    bodies = {GROUND, *(body.name for assembly in assemblies for body in assembly.bodies)}
    for part in parts:
        for field in BODIES:
            body = getattr(part, field, None)
            if isinstance(part, Hitch) and field == "towing" and body not in bodies:
                raise checks.MechanismError(
                    f"vehicle {name!r} is towed, and {body!r} a body of what tows it; put them "
                    f"together by vehicle.read('hmmwv').mechanism(towing=(vehicle.read({name!r}),))."
                )
            if isinstance(body, str) and body not in bodies:
                raise checks.UnknownName(f"vehicle {name!r}: {part.who}: {field}", body, bodies)
        if isinstance(part, BeamSteering | DragLinkSteering):
            end = " beam" if isinstance(part, BeamSteering) else f"_{part.side} knuckle"
            axles = {body.removesuffix(end) for body in bodies if body.endswith(end)}
            if part.axle not in axles:
                raise checks.UnknownName(f"vehicle {name!r}: {part.who}: axle", part.axle, axles)
