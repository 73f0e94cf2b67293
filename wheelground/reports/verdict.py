"""Checks of a benchmark: property, measured value, verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """A checked property, its measured value, and whether it passed; None: not applicable.

    ``of_time``: True for a limit of computing time, which a busy machine may exceed; a failure is shown
    as slow, without effect on the exit code.
    """

    name: str
    measured: str
    passed: bool | None
    of_time: bool = False

    @property
    def verdict(self) -> str:
        """Word for the result of the check: "passed", "FAILED", "slow" or "not applicable"."""
        if self.passed is None:
            return "not applicable"
        return "passed" if self.passed else "slow" if self.of_time else "FAILED"

    @property
    def colour(self) -> str:
        """Colour of the verdict on the screen."""
        return {"passed": "green", "FAILED": "bold red", "slow": "yellow"}.get(self.verdict, "dim")

    @property
    def line(self) -> str:
        """Text of the check for the screen."""
        return f"{self.name}: {self.measured}: [{self.colour}]{self.verdict}[/]"


def recorded(checks: Sequence[Check]) -> dict[str, Any]:
    """Entries "checks" and "passed" of the JSON file."""
    listed = [{"name": c.name, "measured": c.measured, "verdict": c.verdict} for c in checks]
    return {"checks": listed, "passed": all_passed(checks)}


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether all checks passed, except those of computing time."""
    return all(check.verdict != "FAILED" for check in checks)
