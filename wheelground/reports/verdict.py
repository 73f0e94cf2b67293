"""Checks of a benchmark: promise, measured value, verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One promise. ``passed`` None: not applicable here.

    ``of_time``: a limit of time; a busy machine misses it, so it is shown and fails nothing.
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
        """Of the verdict on the screen."""
        return {"passed": "green", "FAILED": "bold red", "slow": "yellow"}.get(self.verdict, "dim")

    @property
    def line(self) -> str:
        """As the screen shows it."""
        return f"{self.name}: {self.measured}: [{self.colour}]{self.verdict}[/]"


def recorded(checks: Iterable[Check]) -> list[dict[str, str]]:
    """The promises for a file of results."""
    return [{"name": c.name, "measured": c.measured, "verdict": c.verdict} for c in checks]


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether no promise failed, times left out."""
    return all(check.verdict != "FAILED" for check in checks)
