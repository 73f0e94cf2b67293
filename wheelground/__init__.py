"""Common names of ``mlcp``, ``contact`` and ``bodies``, and the command ``wheelground``.

A package is loaded at the first use of one of its names.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import bodies as bodies
    import contact as contact
    import mlcp as mlcp
    from bodies import (
        Mechanism,
        Schedule,
        Simulation,
        Trajectory,
        compile,
        equilibrium,
        simulate,
        vehicle,
    )
    from contact import SOILS, BekkerSoil, ConeIndexSoil, Tyre, WheelContact
    from mlcp import MLCP, solve

__version__ = "0.1.0"

_HOME = {
    "mlcp": ("MLCP", "solve"),
    "contact": ("BekkerSoil", "ConeIndexSoil", "SOILS", "Tyre", "WheelContact"),
    "bodies": (
        "Mechanism",
        "Schedule",
        "Simulation",
        "Trajectory",
        "compile",
        "equilibrium",
        "simulate",
    ),
}

__all__ = [
    "MLCP",
    "SOILS",
    "BekkerSoil",
    "ConeIndexSoil",
    "Mechanism",
    "Schedule",
    "Simulation",
    "Trajectory",
    "Tyre",
    "WheelContact",
    "__version__",
    "bodies",
    "compile",
    "contact",
    "equilibrium",
    "mlcp",
    "simulate",
    "solve",
    "vehicle",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return importlib.import_module(name)
    if name == "vehicle":
        return importlib.import_module("bodies.vehicle")
    for package, names in _HOME.items():
        if name in names:
            return getattr(importlib.import_module(package), name)
    from mlcp.checks import nearest

    raise AttributeError(f"wheelground has no name {name!r}; {nearest(name, __all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
