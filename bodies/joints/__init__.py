"""Joints and couplings, one per file; ``JOINTS`` and ``COUPLINGS`` have their classes by name.

``bodies/kernels/codes.py`` lists the files of the joints.
"""

import importlib

from ..kernels import codes
from .base import Joint
from .bushing import Bushing
from .constant_velocity import ConstantVelocity
from .coupling import Coupling
from .cylindrical import Cylindrical
from .differential import Differential
from .distance import Distance
from .fixed import Fixed
from .gear import Gear
from .length import Length
from .limit import Limit
from .motor import Motor
from .planar import Planar
from .point_on_line import PointOnLine
from .prismatic import Prismatic
from .rack_and_pinion import RackAndPinion
from .revolute import Revolute
from .spherical import Spherical
from .universal import Universal


def _described_in(file: str) -> type[Joint]:
    """The joint class in a file of this folder."""
    module = importlib.import_module(f".{file}", __package__)
    own = (c for c in vars(module).values() if getattr(c, "__module__", "") == module.__name__)
    return next(c for c in own if isinstance(c, type) and issubclass(c, Joint))


JOINTS = {c.__name__: c for c in map(_described_in, codes.JOINTS)}
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
    "Length",
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
