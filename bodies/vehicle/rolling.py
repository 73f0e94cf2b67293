"""Tyre and ground (soil or hard ground) of a vehicle's wheels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from contact import WheelContact

from ..checks import checked
from ..kinds import Angle, NonNegative, Positive, Words
from ..wheel import COMBINED, LATERAL


@dataclass(frozen=True, kw_only=True)
@checked
class HardGround:
    """Hard, elastic ground under a wheel.

    Arguments:
        stiffness: stiffness of tyre and ground in series [N/m]; default: that of the tyre.
        damping: damping of tyre and ground along the normal [N s/m].
        friction: largest friction force over the load [-].
        rolling: rolling resistance over the load [-].
        lateral: law of the lateral force, see :class:`bodies.Wheel`.
        gamma: slip angle of the law "slip angle" at which its force is 63 % of the largest [rad].
        combined: combination of longitudinal and lateral friction, see :class:`bodies.Wheel`.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    stiffness: Positive | None = None
    damping: NonNegative = 2e3
    friction: NonNegative = 0.8
    rolling: NonNegative = 0.0
    lateral: Annotated[str, Words(LATERAL)] = "slip angle"
    gamma: Angle = 0.09
    combined: Annotated[str, Words(COMBINED)] = "sliding"

    who: ClassVar[str] = "hard ground"


@dataclass(frozen=True)
@checked
class Rolling:
    """Tyre and ground of a wheel.

    Arguments:
        contact: tyre, soil, ground law and regularisation.
        hard: hard ground instead of soil; None: soil.
        bearing_loss: viscous moment of the hub's bearing over the spin [N m s/rad], at least 0.

    Raises:
        MechanismError: naming the field and its value.
    """

    contact: WheelContact
    hard: HardGround | None = None
    bearing_loss: NonNegative = 0.0

    def fields(self, ground: Any, hard: bool, **hard_wheel: Any) -> dict[str, Any]:
        """Keyword arguments for a :class:`bodies.Wheel`; ``hard``: hard ground even if ``self.hard`` is
        None."""
        if not (hard or self.hard is not None):
            return {"ground": ground, "soil": self.contact}
        tyre, given = self.contact.tyre, self.hard or HardGround()
        size = {"radius": tyre.radius, "width": tyre.width}
        own = vars(given) | {"stiffness": given.stiffness or tyre.stiffness}
        return {"ground": ground} | size | own | hard_wheel


def axle_of(wheel: str) -> str:
    """Name of a wheel's axle, ``front`` of ``front_left``."""
    return wheel.removesuffix("_left").removesuffix("_right")
