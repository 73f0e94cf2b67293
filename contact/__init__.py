"""Wheel and ground: turns a wheel's motion and load into rows of a complementarity problem.

Knows ``mlcp`` and no bodies, so that it can be used from any other multibody code. ISO 8855 axes
(x forward, y left, z up), SI units, forces on the wheel.
"""

from __future__ import annotations

from .ground_contact import GroundContact
from .laws import LAWS, Brixius
from .regularisation import REGULARISATIONS, Regularisation
from .slip import driving_slip, slip_ratio, smooth_slip_ratio
from .soil import BekkerSoil, ConeIndexSoil
from .tyre import Tyre
from .wheel import WheelContact

__all__ = [
    "LAWS",
    "REGULARISATIONS",
    "BekkerSoil",
    "Brixius",
    "ConeIndexSoil",
    "GroundContact",
    "Regularisation",
    "Tyre",
    "WheelContact",
    "driving_slip",
    "slip_ratio",
    "smooth_slip_ratio",
]
