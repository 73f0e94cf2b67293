"""List of all cases of the comparison of regularisations."""

from __future__ import annotations

from typing import Any

from contact.laws.base import KernelLaw

from .quarter_cases import quarter_cases
from .vehicle_case import vehicle_case

CASES = ("quarter", "torque step", "braking", "parking", "vehicle")


def cases(law: str | KernelLaw) -> list[Any]:
    """Make all cases of the comparison for a ground law."""
    return [*quarter_cases(law), vehicle_case(law)]
