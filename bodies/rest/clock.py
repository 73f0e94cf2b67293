"""How long a search for rest may take, and who is told how far it is."""

from __future__ import annotations

import time

from mlcp.compiled.late import UNITS

from ..progress import EVERY, QUIET, Line, duration


class Clock:
    """Time that a search has used, without that of the compiler.

    Arguments:
        what: runs, as in "equilibrium of 'hmmwv'".
        limit: [s], of all vehicles of the search together.
    """

    def __init__(self, what: str, limit: float) -> None:
        self.what: str = what
        self.limit: float = limit
        self._begun = self._last = self._said = time.perf_counter()
        self._compiled, self._spent = self._units(), 0.0
        self._line = Line()
        self._rounds = 0

    @staticmethod
    def _units() -> int:
        """How many of the kernels that are compiled when first needed are there."""
        return sum(bool(unit.place[0]) for unit in UNITS.values())

    @property
    def over(self) -> bool:
        """Whether the time is used up."""
        return self._last - self._begun - self._spent > self.limit

    def at(self, acceleration: float) -> None:
        """Tell that a round is done, after which something accelerates by so much [m/s^2]."""
        now = time.perf_counter()
        if now - self._last > 0.1 and (units := self._units()) != self._compiled:
            self._spent += now - self._last
            self._compiled = units
        self._last = now
        self._rounds += 1
        if now - self._begun > QUIET and now - self._said > EVERY:
            self._said = now
            used = duration(now - self._begun - self._spent)
            self._line.write(
                f"{self.what}: {used} of at most {duration(self.limit)}, round {self._rounds}, "
                f"accelerates by {acceleration:.1e} m/s^2"
            )

    def end(self) -> None:
        """Take the line away."""
        self._line.end()
