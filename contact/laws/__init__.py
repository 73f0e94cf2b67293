"""Ground laws: thrust and resistance ratios of a wheel over slip and load.

Every law is a frozen dataclass with ``thrust_ratio``, ``thrust_slope``, ``resistance_ratio`` and
``rolling_moment_ratio``, each ``(slip, load, tyre, soil)`` and broadcasting, and
``parameters(tyre, soil)`` for its kernel.
"""

from __future__ import annotations

from .brixius import Brixius
from .clay import Clay
from .magic_formula import MagicFormula
from .sand import Sand
from .tabulated import Tabulated
from .unified_sand import UnifiedSand
from .user import UserLaw
from .wong_reece import WheelForces, WongReece

__all__ = [
    "LAWS", "Brixius", "Clay", "MagicFormula", "Sand", "Tabulated", "UnifiedSand", "UserLaw",
    "WheelForces", "WongReece",
]  # fmt: skip

#: Laws by name, each with the settings most people start from.
LAWS = {
    "brixius": Brixius("bias"),
    "brixius-radial": Brixius("radial"),
    "dry": MagicFormula.surface("dry"),
    "wet": MagicFormula.surface("wet"),
    "snow": MagicFormula.surface("snow"),
    "ice": MagicFormula.surface("ice"),
    "sand": Sand(),
    "sand-unified": UnifiedSand(),
    "clay": Clay("calibrated"),
    "clay-original": Clay("original"),
    "clay-run-time": Clay("run-time"),
    "wong-reece": WongReece(),
}
