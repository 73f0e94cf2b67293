"""Base class of a vehicle's parts, their bodies, and the assembly to which parts add their elements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from .. import checks
from ..body import Body, inertia_matrix
from ..checks import checked
from ..kinds import LARGEST_DISTANCE, Name, Point, Points, Range, Remark
from ..signals import Signal
from ..wheel import Wheel
from .elements import FORWARD, Elements

Roller = Callable[[str], dict[str, Any]]

SIDES = (("left", 1.0), ("right", -1.0))
LEAST_GYRATION = 1e-4  # [m] least radius of gyration of a body; the largest is LARGEST_DISTANCE
Ends = Annotated[tuple[Point, ...], Points(2)]  # both ends of a rod, of a spring or of a hinge [m]
Swing = Annotated[float, Range(0.0, 1.5, "rad")]  # angle to a stop [rad]


@dataclass(frozen=True, kw_only=True)
@checked
class Piece:
    """A rigid body of a part.

    Bodies whose centre follows from other points of the part (wheels, knuckles, rods) have none here.

    Arguments:
        mass: mass [kg].
        inertia: inertia about the centre of mass [kg m^2], three moments or 3 x 3, axes of the vehicle;
            of a rod or shaft: body axes, of which the third is along the rod.
        centre: centre of mass [m], axes of the part; default: a point that the part defines.
        reason: remark: why this body is separate.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    mass: Annotated[float, Range(0.0, 1e6, open_low=True)]
    inertia: tuple[float, ...] | tuple[tuple[float, ...], ...]
    centre: Point | None = None
    reason: Remark = ""

    who: ClassVar[str] = "body"

    def __post_init__(self) -> None:
        moments = np.linalg.eigvalsh(inertia_matrix("body", self.inertia))
        for moment in (moments[0], moments[-1]):
            if not self.mass * LEAST_GYRATION**2 <= moment <= self.mass * LARGEST_DISTANCE**2:
                raise checks.MechanismError(
                    f"body: inertia [kg m^2] of {moment:g} with a mass of {self.mass:g} kg: the radius "
                    f"of gyration must be {LEAST_GYRATION:g} to {LARGEST_DISTANCE:g} m, got "
                    f"{np.sqrt(moment / self.mass):.3g}."
                )


@dataclass(frozen=True, kw_only=True)
@checked
class Part(ABC):
    """A part of a vehicle: bodies, joints, forces and wheels for an assembly.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    name: Name

    if TYPE_CHECKING:  # the decorator ``checked`` adds this method, which checks the fields

        def __post_init__(self) -> None: ...

    #: Whether the part's bodies may be far from all wheels, such as a load on a long drawbar.
    remote: ClassVar[bool] = False

    @property
    def who(self) -> str:
        """Class and name of this part in messages."""
        return f"{type(self).__name__} {self.name!r}"

    def ready(self, to: Assembly) -> bool:
        """Whether the assembly already has the wheels and housings that ``build`` needs; default:
        True."""
        return True

    @abstractmethod
    def build(self, to: Assembly) -> None:
        """Add the part's bodies and elements to the assembly."""


class Assembly(Elements):
    """Bodies, elements and wheels added by the parts of one vehicle.

    Arguments:
        name: name of the mechanism.
        controls: signals of the controls by name: "throttle", "brake", "steering", "gear", "clutch", ...
        rolling: function from a wheel's name to keyword arguments of its :class:`bodies.Wheel`.
        origin: origin of the vehicle's axes, world axes [m].

    Raises:
        MechanismError: an origin other than three numbers.
    """

    def __init__(
        self, name: str, controls: dict[str, Signal], rolling: Roller, origin: tuple[float, ...]
    ) -> None:
        super().__init__(name, controls)
        self.rolling: Roller = rolling
        self.origin: np.ndarray = np.array(checks.vector(f"vehicle {name!r}", "origin [m]", origin))
        self.bodies: list[Body] = []
        self.wheels: list[Any] = []
        self.reasons: dict[str, str] = {}
        self.turn: tuple[float, ...] = FORWARD  # direction of the crankshaft's axis
        self.housing = ""  # name of the body that is the housing of engine and gearbox

    def at(self, point: Any, origin: Any = (0.0, 0.0, 0.0), side: float = 1.0) -> tuple[float, ...]:
        """World coordinates [m] of a point in the vehicle's axes, relative to ``origin``.

        ``side`` = -1: coordinates of the point's mirror image on the right.
        """
        p = np.array(checks.vector(f"vehicle {self.name!r}", "point [m]", point)) * (1.0, side, 1.0)
        return tuple(float(x) for x in self.origin + np.asarray(origin, float) + p)

    def centre(self, part: Part, piece: Piece) -> tuple[float, ...]:
        """World coordinates [m] of the centre of a body that must have one; MechanismError if not."""
        if piece.centre is None:
            field = next((name for name, value in vars(part).items() if value is piece), "a body")
            raise checks.MechanismError(f"{part.who}: {field} must have a centre [m].")
        return self.at(piece.centre)

    def body(self, name: str, piece: Piece, position: tuple[float, ...], along: Any = None) -> str:
        """Add a body with its centre at ``position`` (world axes [m]); returns its name.

        ``along``: direction of a rod or shaft, the third of its body axes.
        """
        if along is not None and np.linalg.norm(along) < 1e-6:
            raise checks.MechanismError(
                f"vehicle {self.name!r}: the two ends of {name!r} coincide; they must lie apart."
            )
        turned = (1.0, 0.0, 0.0, 0.0) if along is None else upright_to(along)
        self.bodies.append(Body(name, piece.mass, piece.inertia, position, turned))
        self.reasons[name] = piece.reason
        return name

    def placed(self, name: str, piece: Piece, position: tuple[float, ...], along: Any = None) -> str:
        """As ``body``, for a centre that follows from other points; MechanismError for a given one."""
        if piece.centre is not None:
            raise checks.MechanismError(
                f"vehicle {self.name!r}: body {name!r}: its centre follows from other points of its "
                f"part; leave out its centre [m], got {checks.shown(piece.centre)}."
            )
        return self.body(name, piece, position, along)

    def shaft(self, name: str, piece: Piece, place: Any, on: str, axis: Any = None) -> str:
        """Add a shaft on a hinge "NAME bearing" of the body ``on``; returns the hinge's name.

        ``place``: centre of the shaft, world axes [m]; ``axis``: default: that of the crankshaft.
        """
        self.body(name, piece, place)
        return self.hinge(f"{name} bearing", on, name, place, self.turn if axis is None else axis)

    def wheel(self, name: str, body: str, centre: tuple[float, ...]) -> None:
        """Add a wheel with a lateral spin axis on a body; ``centre``: in world axes [m].

        Raises:
            MechanismError: a wheel "..._left" that lies on the right.
        """
        if name.endswith("_left") and centre[1] < self.origin[1]:
            right = self.origin[1] - centre[1]
            raise checks.MechanismError(
                f"vehicle {self.name!r}: wheel {name!r} lies {right:g} m to the right; "
                "points are those of the left side, where y is above 0."
            )
        self.wheels.append(Wheel(name=name, body=body, centre=centre, **self.rolling(name)))

    @property
    def wheel_names(self) -> set[str]:
        """Names of the wheels added so far."""
        return {wheel.name for wheel in self.wheels}


def in_order(parts: Sequence[Part], to: Assembly) -> Iterator[Part]:
    """Parts in their order, but each one after the parts that it needs.

    If none of the remaining parts is ready, the first of them is next: an error then follows from its
    ``build`` or from the mechanism.
    """
    waiting = list(parts)
    while waiting:
        part = next((p for p in waiting if p.ready(to)), waiting[0])
        waiting.remove(part)
        yield part


def across(along: Any) -> np.ndarray:
    """Component of the forward direction perpendicular to the direction ``along``."""
    return np.array(FORWARD) - (np.array(FORWARD) @ along) / (along @ along) * along


def upright_to(along: Any) -> tuple[float, ...]:
    """Quaternion of the smallest rotation from z to a direction, or to minus a downward direction."""
    n = np.asarray(along, float) / np.linalg.norm(along)
    if n[2] < 0.0:  # reversed, since a half turn is singular; both directions of a rod are equivalent
        n = -n
    q = np.array([1.0 + n[2], -n[1], n[0], 0.0])
    return tuple(float(x) for x in q / np.linalg.norm(q))


def middle(a: Any, b: Any, fraction: float = 0.5) -> tuple[float, ...]:
    """Point between two points, at a fraction of their distance from the first."""
    return tuple(float(p + fraction * (q - p)) for p, q in zip(a, b, strict=True))
