"""One line of the tables of ``benchmarks.mobility``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Measurement:
    """Measured value and its limit; ``least``: a lower limit, else an upper one."""

    what: str
    value: float
    unit: str
    limit: float | None = None
    least: bool = False
    timing: bool = False

    @property
    def passed(self) -> bool:
        """Whether the value is within its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.least else self.value <= self.limit

    def cells(self) -> tuple[str, ...]:
        """Texts of the row for the table."""
        sign = "" if self.limit is None else f"{'>=' if self.least else '<='} {self.limit:.3g}"
        verdict = "" if self.limit is None else ("[green]yes[/]" if self.passed else "[red]no[/]")
        return self.what, f"{self.value:.4g}", self.unit, sign, verdict

    def as_dict(self) -> dict[str, Any]:
        """Values of the row for the file."""
        return asdict(self) | {"passed": self.passed}
