"""What all parts of a vehicle share: data with units, and adding themselves to an assembly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .. import checks, units
from ..body import Body
from ..signals import Signal

SIDES = (("left", 1.0), ("right", -1.0))
FORWARD, LEFT, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


#: Units in the key names of a vehicle's file, where they are not those of every file.
UNITS = {
    **dict.fromkeys(
        (
            "lower_arm",
            "upper_arm",
            "upright_centre",
            "wheel_centre",
            "tie_rod",
            "damper",
            "spring",
            "mount",
            "start",
            "end",
            "inner",
            "outer",
            "pinion_radius",
            "ball",
            "pitman_pivot",
            "arm_end",
        ),
        "m",
    ),
    "brake_capacity": "N_m",
    "clutch_capacity": "N_m",
    "lock_capacity": "N_m",
    "force_limit": "N",
    "drag": "N_m_s_rad",
    "full_load": "rpm_N_m",
    "motoring": "rpm_N_m",
}


def key(field: str) -> str:
    """Key of a part's field in a file."""
    return f"{field}_{UNITS[field]}" if field in UNITS else units.key("", field)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A rigid body of a part.

    Arguments:
        mass: [kg].
        inertia: about the centre of mass [kg m^2], three moments or 3 x 3, axes of the vehicle;
            of rods and shafts, which say so, in their own axes: the third is the rod's.
        centre: of mass [m], axes of the part; where it is left out, the part knows it.
        reason: why the body is one of its own.
    """

    mass: float
    inertia: tuple[float, ...]
    centre: tuple[float, ...] | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """A part of a vehicle; it adds bodies, joints, forces and wheels to an assembly."""

    name: str

    pieces: ClassVar[tuple[str, ...]] = ()  # fields that hold a Piece

    @property
    def who(self) -> str:
        """How messages name this part."""
        return f"{type(self).__name__} {self.name!r}"

    @abstractmethod
    def build(self, to: Assembly) -> None:
        """Add everything to the assembly."""


class Assembly:
    """Collects what the parts of one vehicle add.

    Arguments:
        name: of the mechanism.
        controls: signals of "throttle", "brake", "steering", "gear", "clutch"...
        wheel: keyword arguments that every wheel gets: ground, soil, radius...
        origin: where the origin of the vehicle's axes lies in the world [m].

    Raises:
        MechanismError: an origin that is not three numbers.
    """

    def __init__(
        self, name: str, controls: dict[str, Signal], wheel: dict[str, Any], origin: tuple[float, ...]
    ) -> None:
        self.name: str = name
        self.controls: dict[str, Signal] = controls
        self.wheel: dict[str, Any] = wheel
        self.origin: np.ndarray = np.array(checks.vector("vehicle", "origin [m]", origin))
        self.bodies: list[Body] = []
        self.elements: list[Any] = []
        self.wheels: list[Any] = []
        self.reasons: dict[str, str] = {}
        self.turn: tuple[float, ...] = FORWARD  # axis about which the crankshaft turns
        self.housing = ""  # body that carries the gearbox

    def at(self, point: Any, origin: Any = (0.0, 0.0, 0.0), side: float = 1.0) -> tuple[float, ...]:
        """World coordinates of a point [m]; side -1 mirrors it to the right."""
        p = np.array(checks.vector(self.name, "point [m]", point)) * (1.0, side, 1.0)
        return tuple(float(x) for x in self.origin + np.asarray(origin, float) + p)

    def body(self, name: str, piece: Piece, position: tuple[float, ...], along: Any = None) -> str:
        """Add a body; returns its name. ``along`` is the axis of a rod or shaft."""
        turned = (1.0, 0.0, 0.0, 0.0) if along is None else upright_to(along)
        self.bodies.append(Body(name, piece.mass, piece.inertia, position, turned))
        self.reasons[name] = piece.reason
        return name

    def add(self, *elements: Any) -> None:
        """Add joints, couplings and forces."""
        self.elements += elements

    def control(self, name: str) -> Signal:
        """Signal of a control, with the nearest name if the vehicle has none of that name."""
        if name not in self.controls:
            raise checks.UnknownName(f"{self.name}: control", name, self.controls)
        return self.controls[name]


def upright_to(along: Any) -> tuple[float, ...]:
    """Quaternion of the smallest rotation that takes z to the given direction."""
    n = np.asarray(along, float) / np.linalg.norm(along)
    if n[2] < 0.0:  # a rod has no sense; this keeps far from the half turn
        n = -n
    q = np.array([1.0 + n[2], -n[1], n[0], 0.0])
    return tuple(float(x) for x in q / np.linalg.norm(q))


def middle(a: Any, b: Any, share: float = 0.5) -> tuple[float, ...]:
    """A point between two points."""
    return tuple(float(p + share * (q - p)) for p, q in zip(a, b, strict=True))
