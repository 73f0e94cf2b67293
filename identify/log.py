"""Logs of a drive: measured signals over time, compared with a simulated run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bodies import Mechanism, Model
from mlcp.checks import nearest, number, whole
from mlcp.kinds import checked as checked_fields

from .columns import notes_on_gaps
from .recordings import on_one_clock, read_series
from .solve import Fit, central, search
from .unknown import Unknown, checked
from .vehicle_run import LEAST_SPEED, SI, Vehicle, VehicleRun

REFUSED = 1e3  # error over the noise [-] of every row if the run fails with these parameter values
# A vehicle stays at rest in a run if the range of each predicted signal over its noise is below
# CONSTANT, although the mean square of the errors over the noise is above CHANGES.
CONSTANT, CHANGES = 0.1, 4.0
WILD = 4.0  # least error of an outlier over the noise [-]
SETTINGS = ("starts", "outliers", "step")  # arguments of ``fit_log`` that ``fit`` passes on
STEPS = 1e-5, 0.1  # range of the step of a vehicle's run [s]
STARTS = 4  # number of starts of a second search if the law is rejected
TRIALS = 8  # number of random points from which each of these starts but the first is chosen
# Step of an unknown of a vehicle for finite differences, in standard deviations of a uniform prior
SEARCH = 2e-2
LONGEST = 3  # largest number of outliers in succession; a longer sequence is an error of the law

Run = Callable[[Mapping[str, float]], tuple[ArrayLike, Mapping[str, ArrayLike]]]


@dataclass(frozen=True, eq=False)
@checked_fields
class Log:
    """Measured signals over a common time.

    Arguments:
        time: increasing [s], shape (n,). signals: by name, any unit, shape (n,), NaN where missing.
        noise: standard deviation of the difference of measurement and run, by signal [its unit].
        inputs: inputs of the run by name, as recorded, shape (n,), NaN where missing.
        remarks: sentences on the file that was read.

    Raises:
        ValueError: times that do not increase or are not finite, signals or inputs of another length
            or without a number, a noise that is missing, not above 0 and finite, or of no signal.
    """

    time: ArrayLike
    signals: Mapping[str, ArrayLike]
    noise: Mapping[str, float]
    inputs: Mapping[str, ArrayLike] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    clock: NDArray[np.float64] = field(init=False, repr=False)
    measured: dict[str, NDArray[np.float64]] = field(init=False, repr=False)
    controls: dict[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        time = np.asarray(self.time, float)
        if time.ndim != 1 or time.size < 2 or not (np.diff(time) > 0.0).all():
            raise ValueError("Log: time must increase from row to row")
        if not np.isfinite(time).all():
            raise ValueError("Log: time must be finite in all rows")
        if not self.signals:
            raise ValueError("Log: give at least one signal")
        measured, controls = (
            {name: np.asarray(values, float) for name, values in given.items()}
            for given in (self.signals, self.inputs)
        )
        for name, values in [*measured.items(), *controls.items()]:
            if values.shape != time.shape or not np.isfinite(values).any():
                raise ValueError(f"Log: signal {name!r} must have a number for some row of time")
        for name in self.noise:
            if name not in measured:
                raise ValueError(
                    f"Log: noise of {name!r}, which is no signal; {nearest(name, measured)}"
                )
        for name in measured:
            if not self.noise.get(name, 0.0) > 0.0:
                raise ValueError(f"Log: noise of {name!r} must be given, above 0")
        object.__setattr__(self, "clock", time)
        object.__setattr__(self, "measured", measured)
        object.__setattr__(self, "controls", controls)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        columns: Mapping[str, str],
        noise: Mapping[str, float],
        time: str = "time",
        inputs: Mapping[str, str] | None = None,
    ) -> Log:
        """Read a CSV, MF4, MCAP or ROS 2 bag by its suffix; a bag may be a folder.

        Arguments:
            columns: header, channel or ``topic:field.field`` of each signal, by the signal's name, as of
                ``read_series``. time: header of a CSV's clock [s]; other formats begin at time 0.
            inputs: header, channel or field of each input of the run.

        Raises:
            ValueError: naming the file, and the part of it that cannot be read.
            ModuleNotFoundError: the format's package is missing; with the command that installs it.
        """
        places = (columns, inputs or {})
        headers = [header for one in places for header in one.values()]
        si = {header: SI.get(name.rpartition(".")[2], "") for name, header in columns.items()}
        si = {header: unit for header, unit in si.items() if unit}
        series, remarks = read_series(path, headers, time, si)
        clock, found = on_one_clock(series)
        signals, given = ({n: found[header] for n, header in one.items()} for one in places)
        return cls(clock, signals, noise, given, remarks)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the file, and a sentence on each signal with missing numbers."""
        return *self.remarks, *notes_on_gaps(self.measured)

    def errors(self, run: Run, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Predicted minus measured, divided by the noise, one number for each measured number.

        The prediction of a signal is ``gain y(t + offset) + bias``, y: signal of the run, with the
        ``values`` of "clock.offset" [s], "<signal>.gain" and "<signal>.bias", by default 0, 1 and 0. If
        the run raises a ``ValueError`` or ``RuntimeError``, or a signal is not finite, all errors are
        1000.

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

    def errors_in_motion(self, run: Run, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Result of ``errors``, but all 1000 if the run stays at rest while measured signals change."""
        found = self.errors(run, values)
        return np.full(found.size, REFUSED) if self._stays_at_rest(found) else found

    def _stays_at_rest(self, errors: NDArray[np.float64]) -> bool:
        """Whether all signals of a run are constant although the measured ones change.

        Such errors have no slopes, and may be less than those of a run that moves too far.
        """
        first = 0
        for name, y in self.measured.items():
            known = y[np.isfinite(y)]
            predicted = errors[first : first + known.size] + known / self.noise[name]
            if not np.ptp(predicted) < CONSTANT:
                return False
            first += known.size
        return float(np.mean(np.square(errors))) > CHANGES

    def times_without(self, left_out: Any) -> dict[str, NDArray[np.float64]]:
        """Times of the errors [s], without those of the indices ``left_out``, by signal."""
        times = {name: self.clock[np.isfinite(y)] for name, y in self.measured.items()}
        ends = np.cumsum([t.size for t in times.values()])
        kept = np.split(np.isin(np.arange(ends[-1]), left_out, invert=True), ends[:-1])
        return {name: times[name][rows] for name, rows in zip(times, kept, strict=True)}

    def driven(self, vehicle: Vehicle, unknown: Mapping[str, Unknown], step: float) -> VehicleRun:
        """Run of a vehicle under the inputs of the log.

        ``unknown``: unknowns of the fit; those of the log (offset, gains, biases) are no parameters of
        the run.

        Raises:
            ValueError: as in ``VehicleRun``; a measured speed that is not zero at first.
        """
        signals = [f"{name}.{kind}" for name in self.measured for kind in ("gain", "bias")]
        for name, values in self.measured.items():
            first = values[np.isfinite(values)][: LONGEST + 1]  # up to LONGEST of them may be outliers
            biased = f"{name}.bias" in unknown or not name.endswith("speed")
            if not biased and np.abs(first).min() > LEAST_SPEED + 4.0 * self.noise[name]:
                raise ValueError(
                    f"Log: {name!r} begins at {first[0]:.3g} m/s; a vehicle's log must begin at rest"
                )
        start = {n: one.start for n, one in unknown.items() if n not in ("clock.offset", *signals)}
        offset = unknown.get("clock.offset")
        longer = max(abs(offset.low), abs(offset.high)) if offset else 0.0
        return VehicleRun(vehicle, self.clock, self.controls, self.measured, start, longer, step)

    def table(self, run: VehicleRun, values: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Results of ``errors_in_motion`` for m values of each unknown, (m, n); inf in place of 1000."""
        each = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
        try:
            times, signals = run(values)
        except (ValueError, RuntimeError):
            total = sum(int(np.isfinite(y).sum()) for y in self.measured.values())
            return np.full((len(each), total), np.inf)
        rows = [{name: signal[j] for name, signal in signals.items()} for j in range(len(each))]
        found = np.array([self._compared(times, *pair) for pair in zip(rows, each, strict=True)])
        found[[self._stays_at_rest(one) for one in found]] = np.inf
        return found

    def _compared(
        self, times: ArrayLike, signals: Mapping[str, ArrayLike], values: Mapping[str, float]
    ) -> NDArray[np.float64]:
        """Predicted minus measured over the noise, for the times [s] and signals of a run."""
        times = np.asarray(times, float)
        at, offset = self.clock, values.get("clock.offset", 0.0)
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
            values_of_run = np.asarray(signals[name], float)
            if values_of_run.shape != times.shape:
                raise ValueError(
                    f"Log: signal {name!r} of the run has shape {values_of_run.shape}, its times "
                    f"{times.shape}"
                )
            found = np.interp(at[known] + offset, times, values_of_run)
            found = values.get(f"{name}.gain", 1.0) * found + values.get(f"{name}.bias", 0.0)
            parts.append((found - measured[known]) / self.noise[name])
        return np.concatenate(parts)


def fit_log(
    log: Log,
    run: Run | Vehicle,
    unknown: Mapping[str, Unknown],
    starts: int = 1,
    seed: int = 0,
    outliers: float = 0.1,
    step: float = 2.5e-3,
) -> Fit:
    """Fit parameters of a run, and clock offset, gains and biases, to a log.

    If the law is rejected, the search is repeated from four starts, three of them the best of 24 random
    points. If the law is still rejected, outliers are sought: numbers further than 4 standard deviations
    from a fit, begun at the last one, with the loss ``2 (sqrt(1 + e^2) - 1)`` of an error e over its
    noise. If these are few and isolated, at most 3 in succession, the fit is repeated without them.

    The result of a vehicle's run jumps with its parameters, for example when a breakaway shifts by one
    time step: the derivatives for the confidence intervals are differences over one standard deviation
    of each fitted value.

    Arguments:
        run: function of the unknowns' values by name; returns times [s] and signals by name. Or a
            shipped vehicle's name, a vehicle file or a mechanism: ``VehicleRun`` drives it from rest by
            the inputs of the log, one vehicle of a batch for each set of values.
        unknown: unknowns by name; "clock.offset" [s], "<signal>.gain" and "<signal>.bias" belong to the
            log, all others to the run: of a vehicle the parameters of ``Batch.set``.
        starts: number of starts of the search, the given one and random ones. seed: of random starts.
        outliers: largest fraction of outliers among the numbers of the log [-]; 0: none is left out.
        step: step length of a vehicle's run [s].

    Returns:
        ``Fit``, as of ``identify.fit``; ``notes`` has the counts of missing numbers and of outliers.

    Raises:
        ValueError: as in ``Log.errors``; no unknown, more unknowns than measured numbers; exception of
            the run at the initial values; another argument out of its range.
    """
    unknown, starts = checked(unknown), whole("fit: starts", starts, 1)
    seed, outliers = whole("fit: seed", seed), number("fit: outliers", outliers, 0.0, 1.0)
    step = number("fit: step", step, *STEPS, unit="s")
    first = {name: one.value(one.scaled(one.start)) for name, one in unknown.items()}
    notes, vehicle, slopes = log.notes, None, None
    if isinstance(run, str | Path | Mechanism | Model):
        vehicle = log.driven(run, unknown, step)
        base, slopes = _by_lanes(log, vehicle, unknown)
        if unknown and (base(first) == REFUSED).all():
            try:
                signals = vehicle({name: np.array([value]) for name, value in first.items()})[1]
                failed = not all(np.isfinite(signal).all() for signal in signals.values())
                why = next(iter(vehicle.batch.stopped.values()), "values out of range")
            except (ValueError, RuntimeError) as error:
                failed, why = True, str(error)
            if failed:
                raise ValueError(f"fit: the vehicle fails at the initial values: {why}")
    elif not callable(run):
        raise ValueError(f"fit: {run!r} is neither a vehicle nor a function")
    else:
        base = functools.partial(log.errors_in_motion, run)
        if unknown:
            result = run(first)  # an exception of the run is raised here, not in the search
            if not (isinstance(result, tuple | list) and len(result) == 2):
                raise ValueError(f"fit: the run must return times and signals, not {result!r}")
            if not isinstance(result[1], Mapping):
                raise ValueError("fit: signals of the run must be a dict of arrays by name")
            if not np.isfinite(log._compared(*result, first)).all():
                raise ValueError("fit: signals of the run are not finite at the initial values")

    def fitted(starts: int, left_out: Any = (), loss: str = "linear", near: Any = ()) -> Fit:
        def kept(function: Any) -> Any:
            return lambda *at: np.delete(function(*at), left_out, axis=0)

        how = kept(slopes) if slopes else None
        return search(kept(base), unknown, starts, seed, loss, how, TRIALS, near)

    left_out: Any = ()
    found = fitted(starts)
    if found.verdict == "law rejected" and starts < STARTS:
        found = fitted(STARTS)
    if found.verdict == "law rejected" and outliers > 0.0:
        robust = fitted(1, loss="soft_l1", near=[found.values])
        wild = np.abs(robust.errors) > WILD
        share, run_length = np.mean(wild), np.convolve(wild, np.ones(LONGEST + 1)).max()
        if 0.0 < share <= outliers and run_length <= LONGEST:
            left_out = np.flatnonzero(wild)
            found = fitted(1, left_out, near=[robust.values])
            notes += (f"{wild.sum()} of {wild.size} numbers left out as outliers",)
    notes += vehicle.notes if vehicle else ()
    return replace(found, notes=notes, abscissas=log.times_without(left_out))


def _by_lanes(log: Log, vehicle: VehicleRun, unknown: Mapping[str, Unknown]) -> tuple[Any, Any]:
    """Two functions of values by name: errors of a vehicle's run, and derivatives of these errors.

    One run of a batch of vehicles, at the values and beside them, yields both; the results for the last
    values are kept. The second function also takes the steps of the differences, shape (k,).
    """
    kept: list[Any] = [None, None]

    def both(values: Mapping[str, float], steps: ArrayLike = SEARCH) -> Any:
        asked = dict(values), np.asarray(steps).tolist()
        if kept[0] != asked:
            x = np.array([one.scaled(values[name]) for name, one in unknown.items()])
            found, slopes = central(lambda table: log.table(vehicle, table), x, unknown, steps)
            if not np.isfinite(found).all():
                found, slopes = np.full(found.size, REFUSED), np.zeros((found.size, x.size))
            kept[:] = asked, (found, slopes)
        return kept[1]

    return (lambda values: both(values)[0]), (lambda *at: both(*at)[1])
