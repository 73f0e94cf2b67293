"""Checks of a benchmark: property, measured value, verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """A checked property. ``passed`` None: not applicable.

    ``of_time``: limit of computing time, which a busy machine exceeds; shown, without effect on the exit
    code.
    """

    name: str
    measured: str
    passed: bool | None
    of_time: bool = False

    @property
    def verdict(self) -> str:
        """ "passed", "FAILED", "slow" or "not applicable"."""
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


def recorded(checks: Iterable[Check]) -> list[dict[str, str]]:
    """Entries of the checks for the JSON file."""
    return [{"name": c.name, "measured": c.measured, "verdict": c.verdict} for c in checks]


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether all checks passed, except those of computing time."""
    return all(check.verdict != "FAILED" for check in checks)
