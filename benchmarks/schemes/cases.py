"""All cases of the comparison, by name."""

from __future__ import annotations

from typing import Any

from contact.laws.base import KernelLaw

from .quarter_cases import quarter_cases

CASES = ("quarter", "torque step", "braking", "parking")


def cases(law: str | KernelLaw) -> list[Any]:
    """The cases under a ground law."""
    return list(quarter_cases(law))
