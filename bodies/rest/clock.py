"""Time limit and progress line of a search for static equilibrium."""

from __future__ import annotations

import time

from mlcp.compiled.lazy import UNITS

from ..progress import FIRST_LINE_AFTER, LINE_INTERVAL, ProgressLine, duration


class SearchClock:
    """Computing time of a search, compilation excluded: the lesser of wall time and processor time.

    Processor time is less than wall time on a machine that is busy with other programs.

    Arguments:
        what: name of the search, such as "equilibrium of 'hmmwv'".
        limit: time limit of the search for all vehicles together [s].
    """

    def __init__(self, what: str, limit: float) -> None:
        self.what: str = what
        self.limit: float = limit
        self._begun = self._said = self._read = time.perf_counter()
        self._processor = time.process_time()
        self._compiled = self._units()
        self._last = self._compiling = 0.0
        self._line = ProgressLine()
        self._rounds = 0

    @staticmethod
    def _units() -> int:
        """Number of lazily compiled kernels already compiled; it grows with each compilation."""
        return sum(bool(unit.place[0]) for unit in UNITS.values())

    @property
    def over(self) -> bool:
        """Whether the time limit has passed."""
        return self._last - self._compiling > self.limit

    def at(self, acceleration: float) -> None:
        """Account for the end of a round of the search and update the progress line.

        ``acceleration``: largest acceleration in the round [m/s^2].
        """
        self._rounds += 1
        now = time.perf_counter()
        # [s] between two readings of the processor time, each of which takes up to 1 ms
        if now - self._read < min(0.01, self.limit):
            return
        self._read = now
        used = min(now - self._begun, time.process_time() - self._processor)
        if used - self._last > 0.1 and (units := self._units()) != self._compiled:
            self._compiling += used - self._last
            self._compiled = units
        self._last = used
        if now - self._begun > FIRST_LINE_AFTER and now - self._said > LINE_INTERVAL:
            self._said = now
            used = duration(used - self._compiling)
            self._line.write(
                f"{self.what}: {used} of at most {duration(self.limit)}, round {self._rounds}, "
                f"accelerates by {acceleration:.1e} m/s^2"
            )

    def end(self) -> None:
        """Erase the progress line."""
        self._line.end()
