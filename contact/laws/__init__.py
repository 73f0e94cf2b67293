"""Ground laws: thrust and resistance ratios of a wheel over slip and load.

Every law is a frozen dataclass with the methods ``thrust_ratio``, ``thrust_slope``,
``resistance_ratio`` and ``rolling_moment_ratio``, each with the arguments ``(slip, load, tyre, soil)``,
of which slip and load broadcast, and ``parameters(tyre, soil)`` for its kernel.
"""

from __future__ import annotations

import importlib

from ..kernels.laws import law as kernels
from .base import KernelLaw
from .brixius import Brixius
from .clay import Clay
from .magic_formula import MagicFormula
from .pacejka import Pacejka, PacejkaLateral
from .sand import Sand
from .tabulated import Tabulated
from .unified_sand import UnifiedSand
from .user import UserLaw
from .wong_reece import WheelForces, WongReece

__all__ = [
    "LAWS", "Brixius", "Clay", "MagicFormula", "Pacejka", "PacejkaLateral", "Sand", "Tabulated",
    "UnifiedSand", "UserLaw", "WheelForces", "WongReece",
]  # fmt: skip


def _described_in(file: str) -> type[KernelLaw]:
    """The law class that a file of this folder defines."""
    module = importlib.import_module(f".{file}", __package__)
    own = (c for c in vars(module).values() if getattr(c, "__module__", "") == module.__name__)
    return next(c for c in own if isinstance(c, type) and issubclass(c, KernelLaw))


#: Law classes, in the order of the table ``LAWS`` in ``contact/kernels/laws/law.py``.
KINDS = tuple(map(_described_in, kernels.LAWS))

#: Laws by name, with default settings.
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
