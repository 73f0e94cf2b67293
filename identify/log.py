"""Logs of a drive: measured signals over time, compared with a simulated run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import nearest

from .columns import notes_on_gaps
from .fit import Fit, search
from .recordings import on_one_clock, read_series
from .unknown import Unknown

REFUSED = 1e3  # error over the noise [-] of every row if the run fails with these parameter values
WILD = 4.0  # error of an outlier, over the noise [-], at least
LONGEST = 3  # most outliers in succession; a longer sequence is an error of the law

Run = Callable[[Mapping[str, float]], tuple[ArrayLike, Mapping[str, ArrayLike]]]


@dataclass(frozen=True, eq=False)
class Log:
    """Measured signals over a common time.

    Arguments:
        time: increasing [s], shape (n,). signals: by name, any unit, shape (n,), NaN where missing.
        noise: standard deviation of the difference of measurement and run, by signal [its unit].

    Raises:
        ValueError: times that do not increase, signals of another length or without a number, a
            missing noise.
    """

    time: ArrayLike
    signals: Mapping[str, ArrayLike]
    noise: Mapping[str, float]
    measured: dict[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        time = np.asarray(self.time, float)
        if time.ndim != 1 or time.size < 2 or not (np.diff(time) > 0.0).all():
            raise ValueError("Log: time must increase from row to row")
        if not self.signals:
            raise ValueError("Log: give at least one signal")
        measured = {name: np.asarray(values, float) for name, values in self.signals.items()}
        for name, values in measured.items():
            if values.shape != time.shape or not np.isfinite(values).any():
                raise ValueError(f"Log: signal {name!r} must have a number for some row of time")
            if not self.noise.get(name, 0.0) > 0.0:
                raise ValueError(f"Log: noise of {name!r} must be given, above 0")
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "measured", measured)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        columns: Mapping[str, str],
        noise: Mapping[str, float],
        time: str = "time",
    ) -> Log:
        """Read a CSV, MF4, MCAP or ROS 2 bag by its suffix; a bag may be a folder.

        Arguments:
            columns: header, channel or ``topic:field.field`` of each signal, by the signal's name, as of
                ``read_series``. time: header of a CSV's clock [s]; other formats begin at time 0.

        Raises:
            ValueError: naming the file, and the part of it that cannot be read.
            ModuleNotFoundError: the format's package is missing; with the command that installs it.
        """
        clock, found = on_one_clock(read_series(path, columns.values(), time))
        return cls(clock, {name: found[header] for name, header in columns.items()}, noise)

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on each signal with missing numbers."""
        return tuple(notes_on_gaps(self.measured))

    def errors(self, run: Run, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Predicted minus measured over the noise, one for each measured number.

        A predicted signal is ``gain y(t + offset) + bias`` with the values "clock.offset" [s],
        "<signal>.gain", "<signal>.bias" where they are unknown. Values that the run refuses with a
        ``ValueError`` or ``RuntimeError``, or with a signal that is not finite, have an error of 1000
        everywhere.

        Raises:
            ValueError: a run without a signal of the log, or one that does not span the log's times.
        """
        total = sum(int(np.isfinite(y).sum()) for y in self.measured.values())
        try:
            times, signals = run(values)
        except (ValueError, RuntimeError):
            return np.full(total, REFUSED)
        found = self._compared(times, signals, values)
        return found if np.isfinite(found).all() else np.full(total, REFUSED)

    def _compared(
        self, times: ArrayLike, signals: Mapping[str, ArrayLike], values: Mapping[str, float]
    ) -> NDArray[np.float64]:
        """Errors of a run's signals over the noise."""
        times = np.asarray(times, float)
        at, offset = np.asarray(self.time, float), values.get("clock.offset", 0.0)
        if times[0] > at[0] + abs(offset) or times[-1] < at[-1] - abs(offset) - 1e-9:
            raise ValueError(
                f"Log: the run goes from {times[0]:g} to {times[-1]:g} s, the log from {at[0]:g} to "
                f"{at[-1]:g} s"
            )
        parts = []
        for name, measured in self.measured.items():
            if name not in signals:
                raise ValueError(f"Log: the run has no signal {name!r}; {nearest(name, signals)}")
            known = np.isfinite(measured)
            found = np.interp(at[known] + offset, times, np.asarray(signals[name], float))
            found = values.get(f"{name}.gain", 1.0) * found + values.get(f"{name}.bias", 0.0)
            parts.append((found - measured[known]) / self.noise[name])
        return np.concatenate(parts)


def fit_log(
    log: Log,
    run: Run,
    unknown: Mapping[str, Unknown],
    starts: int = 1,
    seed: int = 0,
    outliers: float = 0.1,
) -> Fit:
    """Fit parameters of a run, and clock offset, gains and biases, to a log.

    If the law is rejected, outliers are sought: numbers further than 4 standard deviations from a fit
    with the loss ``2 (sqrt(1 + e^2) - 1)`` of an error e over its noise. If they are few and isolated,
    at most 3 in succession, the fit is repeated without them.

    Arguments:
        run: function of the unknowns' values by name; returns times [s] and signals by name.
        unknown: unknowns by name; "clock.offset" [s], "<signal>.gain" and "<signal>.bias" belong to the
            log, all others to the run.
        starts: number of starts of the search, the given one and random ones. seed: of random starts.
        outliers: largest share of outliers among the numbers of the log [-]; 0: none is left out.

    Returns:
        ``Fit``, as ``identify.fit``; ``notes`` has the numbers of missing numbers and of outliers.

    Raises:
        ValueError: as ``Log.errors``; no unknown, more unknowns than measured numbers; the exception of
            the run at the initial values.
    """
    if unknown:
        run({name: one.start for name, one in unknown.items()})  # raises here, not in the search

    def fitted(left_out: Any = (), loss: str = "linear") -> Fit:
        def errors(values: Mapping[str, float]) -> NDArray[np.float64]:
            return np.delete(log.errors(run, values), left_out)

        return search(errors, unknown, lambda _: {}, starts, seed, loss)

    found, notes = fitted(), log.notes
    if found.verdict == "law rejected" and outliers > 0.0:
        wild = np.abs(fitted(loss="soft_l1").errors) > WILD
        share, run_length = np.mean(wild), np.convolve(wild, np.ones(LONGEST + 1)).max()
        if 0.0 < share <= outliers and run_length <= LONGEST:
            found = fitted(np.flatnonzero(wild))
            notes += (f"{wild.sum()} of {wild.size} numbers left out as outliers",)
    return replace(found, notes=notes)
