"""Row of the tables: one run of a circuit or of the dig cycle against its reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CircuitRun:
    """Errors, energy balance and cost of one run.

    ``error`` and ``diverged`` are of the piston [m] or, in the dig cycle, of the joints [rad].
    """

    case: str
    method: str
    step: float  # step length [s]
    error: float  # largest error over the run
    pressure: float  # root mean square error of the chambers' pressures [Pa]
    energy: float  # error of the energy balance over the pump's work; nan: not recorded
    missed: int
    passes: float  # Newton steps of the oil's equations per time step
    cost: float  # CPU time of a simulated millisecond [us]
    implicit: bool
    diverged: float  # error above which a run counts as diverged
    most: float  # largest permitted ``error``
    most_energy: float | None = None  # limit of the error of the energy balance; None: no limit

    @property
    def stable(self) -> bool:
        """Whether the run was complete, with an error below ``diverged``."""
        return self.error < self.diverged

    @property
    def passed(self) -> bool:
        """Whether an implicit run is stable, without missed steps, and within its limits."""
        balanced = self.most_energy is None or abs(self.energy) <= self.most_energy
        kept = self.stable and self.missed == 0 and self.error <= self.most and balanced
        return kept or not self.implicit

    def cells(self) -> list[str]:
        """Table cells of this run, as text."""
        words = [self.method, f"{1e3 * self.step:g}"]
        if not self.stable:
            return [*words, "-", "-", "-", "-", "-", "-", "unstable"]
        booked = [f"{self.energy:.0e}", f"{self.missed}", f"{self.passes:.1f}"]
        return [
            *words,
            f"{1e3 * self.error:.2g}",
            f"{1e-6 * self.pressure:.2g}",
            *(booked if self.implicit else [""] * 3),
            f"{self.cost:.1f}",
            "" if self.passed else "[bold red]failed",
        ]

    def as_dict(self) -> dict[str, Any]:
        """Values of the row for --json."""
        names = ("case", "method", "step", "error", "pressure", "energy", "missed", "passes", "cost")
        found = {name: getattr(self, name) for name in names}
        return found | {"stable": bool(self.stable), "passed": bool(self.passed)}
