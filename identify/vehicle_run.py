"""Runs of a vehicle under the inputs of a log, for many sets of parameter values in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bodies
from bodies.frames import quaternion_matrices
from bodies.vehicle import load
from mlcp.checks import nearest

ROW = 0.02  # time between two rows of a run [s]
OF_BODIES, OF_WHEELS = ("speed", "yaw_rate"), ("rim_speed", "spin")
SI = {"speed": "m/s", "yaw_rate": "rad/s", "rim_speed": "m/s", "spin": "rad/s"}  # units of the signals
MOST_ROWS = 1_000_000  # largest number of rows of a run: 5.5 h in rows of 0.02 s
LEAST_SPEED = 0.1  # [m/s], below which a vehicle is at rest and a wheel has no slip

Array = NDArray[np.float64]
Vehicle = str | Path | bodies.Mechanism | bodies.Model


def ahead(left: Array) -> Array:
    """Horizontal unit vectors at a right angle to ``left``, shape (..., 3)."""
    found = np.cross(left, (0.0, 0.0, 1.0))
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


class VehicleRun:
    """A vehicle that starts at rest and is driven by the inputs of a log.

    Signals: "<body>.speed", forward velocity of the body [m/s], horizontal for a wheel's body;
    "<body>.yaw_rate", angular velocity about the vertical [rad/s]; "<wheel>.spin", angular velocity
    about the axle [rad/s]; "<wheel>.rim_speed", spin times the unloaded radius [m/s].

    Arguments:
        vehicle: shipped vehicle by name, vehicle file, or mechanism, also compiled.
        clock: times of the inputs [s], increasing, shape (m,).
        inputs: values of inputs by name, shape (m,), NaN where missing. An input with whole numbers
            only, such as a gear, is constant from row to row, any other is interpolated.
        signals: names of the signals of a run.
        start: initial values of the unknown parameters, as of ``bodies.Batch.set``, by name.
        longer: time of a run after the end of the clock [s].
        step: step length [s].

    Raises:
        ValueError: a parameter, a signal or an input that the vehicle does not have, or a value that it
            refuses.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        clock: Array,
        inputs: Mapping[str, Array],
        signals: Iterable[str],
        start: Mapping[str, float],
        longer: float,
        step: float,
    ) -> None:
        model = load(vehicle) if isinstance(vehicle, str | Path) else vehicle
        model = bodies.compile(model) if isinstance(model, bodies.Mechanism) else model
        self.own, self.stride, rows = (
            list(start),
            max(1, round(ROW / step)),
            max(8, 2 * len(start) + 1),
        )
        self.batch = bodies.Batch(model, rows, step=step)
        names = [one.name for one in model.mechanism.bodies]
        self.upright = {n: quaternion_matrices(np.array(self.batch.quaternion(n)))[0] for n in names}
        self.wheels: dict[str, Any] = {wheel.name: wheel for wheel in model.mechanism.wheels}
        left = model.mechanism.wheels[0].spin_axis if self.wheels else (0.0, 1.0, 0.0)
        self.left: Array = np.array(left)
        self.turning = [wheel.body for wheel in self.wheels.values()]
        self.slip = 0.0  # largest slip of a wheel in the last run [-]
        places = [f"{name}.{kind}" for name in self.upright for kind in OF_BODIES]
        places += [f"{name}.{kind}" for name in self.wheels for kind in OF_WHEELS]
        self.signals = list(signals)
        for name in self.signals:
            if name not in places:
                raise ValueError(f"Log: the vehicle has no signal {name!r}; {nearest(name, places)}")
        bodies_seen = [name.rpartition(".")[0] for name in self.signals]
        bodies_seen = [name for name in bodies_seen if name in self.upright]
        self.seen = list(dict.fromkeys([*bodies_seen, *(w.body for w in self.wheels.values())]))
        row = step * self.stride
        seconds = clock[-1] - clock[0] + longer
        if seconds > MOST_ROWS * row:
            raise ValueError(
                f"Log: a run of {seconds:.3g} s, clock offset included, has above {MOST_ROWS} rows of "
                f"{row:g} s"
            )
        self.times: Array = clock[0] + row * np.arange(2 + int(seconds / row))
        self.inputs = {name: self._sampled(clock, values) for name, values in inputs.items()}
        self._put({name: np.full(rows, value) for name, value in start.items()})
        self.batch.equilibrium()
        self.rest = self.batch.snapshot()

    def _sampled(self, clock: Array, values: Array) -> Array:
        """Values of an input at the rows of the run."""
        known = np.isfinite(values)
        clock, values = clock[known], values[known]
        if (values == np.round(values)).all():
            return values[np.maximum(np.searchsorted(clock, self.times, "right") - 1, 0)]
        return np.interp(self.times, clock, values)

    def _put(self, values: Mapping[str, Array]) -> None:
        """Set the inputs of the first row, and the parameters ``values`` by name."""
        for name, column in self.inputs.items():
            self.batch.set_input(name, column[0])
        self.batch.vary(values)

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on a drive without slip, if parameters of the soil are unknown."""
        of_soil = any("soil." in name for name in self.own)
        if not of_soil or self.slip > 0.01:
            return ()
        return ("no wheel has a slip above 1 %: such a log hardly determines the soil",)

    def __call__(self, values: Mapping[str, Array]) -> tuple[Array, dict[str, Array]]:
        """Times [s] and signals (m, n) for m values of each unknown; NaN where the vehicle fails."""
        count = len(next(iter(values.values())))
        table = np.array([values[name] for name in self.own]).reshape(len(self.own), count).T
        alike, place = np.unique(table, axis=0, return_inverse=True)
        rows = np.concatenate([alike, np.repeat(table[:1], self.batch.n - len(alike), axis=0)])
        self.batch.restore(self.rest)
        self._put(dict(zip(self.own, rows.T, strict=True)))
        self.batch.equilibrium(patient=False, threads=1)
        seen = self.batch.record(self.times.size, self.stride, self.inputs, self.seen)
        self.slip = self._largest_slip(seen[:, :1])
        signals = {name: self._signal(name, seen).T for name in self.signals}
        for signal in signals.values():
            signal[list(self.batch.stopped)] = np.nan
        return self.times, {name: signal[place.ravel()] for name, signal in signals.items()}

    def _signal(self, name: str, seen: Array) -> Array:
        """Values of a signal, (rows, vehicles), from the record ``seen`` of a run."""
        thing, _, kind = name.rpartition(".")
        wheel = self.wheels[thing] if kind in OF_WHEELS else None
        body = wheel.body if wheel else thing
        of = seen[:, :, self.seen.index(body)]
        if kind == "yaw_rate":
            return of[..., 12]
        level = wheel is None and body not in self.turning
        axis = np.array(wheel.spin_axis) if wheel else ahead(self.left) if level else self.left
        now = quaternion_matrices(of[..., 3:7]) @ (self.upright[body].T @ axis)
        if wheel is None:
            now = now if level else ahead(now)
            return np.sum(now * of[..., 7:10], axis=-1)
        return np.sum(now * of[..., 10:], axis=-1) * (wheel.radius if kind == "rim_speed" else 1.0)

    def _largest_slip(self, seen: Array) -> float:
        """Largest slip of a wheel [-] while its centre or its rim is faster than ``LEAST_SPEED``."""
        most = 0.0
        for name, wheel in self.wheels.items():
            rim = np.abs(self._signal(f"{name}.rim_speed", seen))
            speed = np.linalg.norm(seen[:, :, self.seen.index(wheel.body), 7:10], axis=-1)
            top = np.maximum(rim, speed)
            slip = np.abs(rim - speed) / np.maximum(top, LEAST_SPEED)
            most = max(most, float(slip[top > LEAST_SPEED].max(initial=0.0)))
        return most
