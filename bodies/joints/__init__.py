"""Joints and couplings, one a file. ``JOINTS`` and ``COUPLINGS`` are the tables of names."""

from .base import Joint
from .bushing import Bushing
from .constant_velocity import ConstantVelocity
from .coupling import Coupling
from .cylindrical import Cylindrical
from .differential import Differential
from .distance import Distance
from .fixed import Fixed
from .gear import Gear
from .limit import Limit
from .motor import Motor
from .planar import Planar
from .point_on_line import PointOnLine
from .prismatic import Prismatic
from .rack_and_pinion import RackAndPinion
from .revolute import Revolute
from .spherical import Spherical
from .universal import Universal

JOINTS = {
    c.__name__: c
    for c in (
        Fixed,
        Revolute,
        Prismatic,
        Cylindrical,
        Spherical,
        Universal,
        ConstantVelocity,
        Planar,
        Distance,
        PointOnLine,
        Bushing,
    )
}
COUPLINGS = {c.__name__: c for c in (Gear, RackAndPinion, Differential, Motor, Limit)}

__all__ = [
    "COUPLINGS",
    "JOINTS",
    "Bushing",
    "ConstantVelocity",
    "Coupling",
    "Cylindrical",
    "Differential",
    "Distance",
    "Fixed",
    "Gear",
    "Joint",
    "Limit",
    "Motor",
    "Planar",
    "PointOnLine",
    "Prismatic",
    "RackAndPinion",
    "Revolute",
    "Spherical",
    "Universal",
]
