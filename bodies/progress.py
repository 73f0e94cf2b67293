"""Progress of long tasks: a line on a screen or in a notebook, and records in a log.

The log is ``logging.getLogger("bodies")``, level INFO; it writes nothing unless a program enables it, as
:func:`show_in_pipes` does.
"""

from __future__ import annotations

import logging
import sys
import threading
import time

FIRST_LINE_AFTER = 2.0  # [s] time before the first line or record
LINE_INTERVAL = 0.2  # [s] time between two lines on a screen
LOG_INTERVAL = 10.0  # [s] time between two records in the log

log: logging.Logger = logging.getLogger("bodies")


def show_in_pipes() -> None:
    """Write the log's records to standard error, if this is a pipe or a file instead of a screen."""
    if sys.stderr is not None and not ProgressLine().seen and not log.handlers:
        log.addHandler(logging.StreamHandler())
        log.setLevel(logging.INFO)


class Progress:
    """Report of the progress and remaining time of a task that takes more than two seconds.

    Arguments:
        what: name of the task, such as "simulate 'hmmwv'".
        total: amount of the whole task [``unit``].
        unit: unit of the amount, such as "s".
    """

    def __init__(self, what: str, total: float, unit: str = "s") -> None:
        self.what: str = what
        self.total: float = total
        self.unit: str = unit
        self.begun: float = time.perf_counter()
        self._said, self._logged = self.begun, self.begun - LOG_INTERVAL
        self._line = ProgressLine()

    def at(self, done: float) -> None:
        """Report the amount done so far [``unit``]."""
        now = time.perf_counter()
        if (
            now - self.begun < FIRST_LINE_AFTER
            or now - self._said < LINE_INTERVAL
            or not 0.0 < done < self.total
        ):
            return
        self._said = now
        left = (now - self.begun) * (self.total / done - 1.0)
        line = (
            f"{self.what}: {done / self.total:.0%}, {done:.4g} of {self.total:.4g} {self.unit}, "
            f"{duration(left)} left"
        )
        self._line.write(line)
        if now - self._logged >= LOG_INTERVAL:
            self._logged = now
            log.info(line)

    def end(self) -> None:
        """Erase the line; log the elapsed time, also that of a short task."""
        self._line.end()
        log.info("%s: %s of computing", self.what, duration(time.perf_counter() - self.begun))


class ProgressLine:
    """A line on a screen that each call overwrites; no output without a screen, or while the library
    rich shows its own progress bar."""

    def __init__(self) -> None:
        self._width = 0
        screen = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        # rich prints above its own progress bar, where a line cannot be overwritten
        self.seen: bool = screen and not hasattr(sys.stderr, "rich_proxied_file")

    def write(self, line: str) -> None:
        """Overwrite the line; errors of a closed screen are ignored."""
        if not self.seen:
            return
        try:
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
        except (OSError, ValueError):
            self.seen = False
        self._width = len(line)

    def end(self) -> None:
        """Erase the line."""
        if self._width and self.seen:
            self.write("")
            sys.stderr.write("\r")


class Elapsed:
    """Context manager that shows the elapsed time of a task of unknown length: every second on a screen;
    without a screen in the log, after one second and then every ``LOG_INTERVAL``.

    Arguments:
        what: name of the task.
    """

    def __init__(self, what: str) -> None:
        self.what: str = what
        #: Text of the progress after the name of the task, such as ", 2 of 5 parts".
        self.far: str = ""
        self._line, self._over = ProgressLine(), threading.Event()
        self._shows: bool = self._line.seen or log.isEnabledFor(logging.INFO)
        self._begun = time.perf_counter()
        self._clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Elapsed:
        if self._shows:
            self._clock.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        if self._shows:
            self._clock.join()
        self._line.end()

    def _tick(self) -> None:
        seen, wait = self._line.seen, 1.0
        while not self._over.wait(wait):
            so_far = duration(round(time.perf_counter() - self._begun))
            text = f"{self.what}{self.far}, {so_far} so far"
            self._line.write(text)
            if not seen:
                log.info(text)
                wait = LOG_INTERVAL


def duration(seconds: float) -> str:
    """Text of a duration: 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 60.0:
        return f"{seconds:.3g} s" if seconds < 10.0 else f"{seconds:.0f} s"
    if seconds < 3600.0:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
