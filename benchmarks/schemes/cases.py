"""All cases of the comparison, by name."""

from __future__ import annotations

import importlib.util
from typing import Any

from contact.laws.base import KernelLaw

from .quarter_cases import quarter_cases

HAS_VEHICLE = importlib.util.find_spec("bodies.vehicle") is not None
CASES = ("quarter", "torque step", "braking", "parking", *(("vehicle",) if HAS_VEHICLE else ()))


def cases(law: str | KernelLaw) -> list[Any]:
    """The cases under a ground law."""
    found: list[Any] = list(quarter_cases(law))
    if HAS_VEHICLE:
        from .vehicle_case import vehicle_case

        found.append(vehicle_case(law))
    return found
