"""Base class of the joints: two bodies, a point and an axis, in world axes, in the pose in which the
bodies are described.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .. import checks
from ..checks import checked
from ..kernels.codes import JOINTS
from ..kinds import UnitVector, Vector


@dataclass(frozen=True, kw_only=True)
@checked
class Joint:
    """A joint between ``body_a`` and ``body_b``.

    Point and axis are given in world axes, in the pose in which the bodies are described. Body b
    has the same point and axis unless ``position_b`` or ``axis_b`` is given. Except in distance,
    universal and constant-velocity joints, a difference is a joint error, see :func:`bodies.compile`.

    Arguments:
        name: unique name.
        body_a: first body, or ``"ground"``; for a spinning wheel or shaft, the body that carries it.
        body_b: second body, or ``"ground"``.
        position: joint point [m].
        axis: joint axis, any length but zero.
        position_b, axis_b: point and axis fixed to ``body_b``.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    body_a: str
    body_b: str
    position: Vector = (0.0, 0.0, 0.0)
    axis: UnitVector = (0.0, 0.0, 1.0)
    position_b: Vector | None = None
    axis_b: UnitVector | None = None

    kind: ClassVar[int] = -1  # index in the table ``JOINTS`` of ``kernels/codes.py``
    rows: ClassVar[int] = 0  # number of scalar equations
    linear_rows: ClassVar[int] = 0  # number of first rows, with errors in m; later rows: errors in rad
    coordinates: ClassVar[tuple[str, ...]] = ()  # free coordinates, on which couplings can act
    compliant: ClassVar[bool] = False  # whether the rows are springs, without a position error

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.kind = JOINTS.index(file)

    def __post_init__(self) -> None:
        if self.body_a == self.body_b:
            raise checks.MechanismError(
                f"{self.who}: a joint connects two different bodies, but "
                f"body_a and body_b are both {self.body_a!r}."
            )

    @property
    def who(self) -> str:
        """Name of this joint in messages."""
        return f"{type(self).__name__.lower()} joint {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        """Parameters of the joint for its kernels, at most twelve."""
        return ()
