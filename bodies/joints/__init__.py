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

for _file in codes.JOINTS:
    importlib.import_module(f".{_file}", __package__)  # also files without an import above
JOINTS = {c.__name__: c for c in sorted(Joint.__subclasses__(), key=lambda c: c.kind)}
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
