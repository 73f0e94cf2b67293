"""Wheel-ground contact: rows of a complementarity problem from wheels' motions and loads.

Any multibody code can use it: it needs only the package ``mlcp`` (complementarity solvers). Axes are
those of ISO 8855 (x forward, y left, z up), units are SI, and forces are those on the wheel.
"""

try:
    from mlcp.neighbours import require_neighbour
except ModuleNotFoundError as _error:
    if not (_error.name or "").startswith("mlcp"):
        raise  # mlcp was found, but one of its dependencies is missing; the message names it
    raise ImportError(
        "wheelground needs its own package 'mlcp', but Python finds another one first, or none."
    ) from _error
require_neighbour("mlcp", __file__)

from .catalogue import SOILS, NamedSoil, named_soil
from .ground_contact import GroundContact
from .lateral import BrixiusLateral, Crolla, crolla
from .lateral_stresses import WongReeceLateral
from .laws import (
    LAWS,
    Brixius,
    Clay,
    MagicFormula,
    Pacejka,
    PacejkaLateral,
    Sand,
    Tabulated,
    UnifiedSand,
    UserLaw,
    WheelForces,
    WongReece,
)
from .lugre import LuGre
from .schemes.own import Line, Sliding
from .schemes.regularisation import REGULARISATIONS, Regularisation
from .sinkage import SINKAGES, ConeIndexSinkage
from .slip import driving_slip, slip_ratio, smooth_slip_ratio
from .snow import ShallowSnow
from .soil import BekkerSoil, ConeIndexSoil, PressureSinkageSoil, ReeceSoil
from .trafficability import mobility_index, vehicle_cone_index
from .trail import PneumaticTrail, SoilTrail
from .tyre import Tyre
from .validity import OutsideValidity
from .wheel import WheelContact

__all__ = [
    "LAWS", "REGULARISATIONS", "SINKAGES", "SOILS", "BekkerSoil", "Brixius", "BrixiusLateral", "Clay",
    "ConeIndexSinkage", "ConeIndexSoil", "Crolla", "GroundContact", "Line", "LuGre", "MagicFormula",
    "NamedSoil", "OutsideValidity", "Pacejka", "PacejkaLateral", "PneumaticTrail", "PressureSinkageSoil",
    "ReeceSoil", "Regularisation", "Sand", "ShallowSnow", "Sliding", "SoilTrail", "Tabulated", "Tyre",
    "UnifiedSand", "UserLaw", "WheelContact", "WheelForces", "WongReece", "WongReeceLateral", "crolla",
    "driving_slip", "mobility_index", "named_soil", "slip_ratio", "smooth_slip_ratio",
    "vehicle_cone_index",
]  # fmt: skip
