"""Parameters fitted to the last seconds of a rig's signals, during the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import number, shown

from . import bus as buses
from .block import Block, parameter
from .errors import RigError
from .port import Port

if TYPE_CHECKING:
    from identify import Fit, Unknown

Array = NDArray[np.float64]
#: Predicted signals, (m, n), for m values of each unknown, (m,), and n rows of history.
Run = Callable[[Mapping[str, Array], Mapping[str, Array]], Mapping[str, ArrayLike]]

EVALUATIONS = 5  # largest number of calls of ``run`` in a fit
SHARPER = 0.5  # share of the last answer's standard deviation below which a new answer replaces it
DIFFERS = 2.0  # difference of the answers over its standard deviation above which the new one replaces
NEW, OLD, REJECTED = 1.0, 0.0, -1.0  # values of the signal "identified_status"


@dataclass
class Window(Block):
    """Observer: a least-squares fit of unknowns to the last seconds of signals:

    ``min 1/2 sum ((y(theta) - y_m) / s_m)^2 + 1/2 sum ((theta - last) / s_b)^2``, theta between its
    bounds. y: signals predicted by ``run``; y_m, s_m: measured signals, their noise; last: last answer;
    s_b: standard deviation of a uniform distribution between the bounds. One call of ``run`` has 2 k + 1
    sets of values for k unknowns: theta, and two for the central difference by each unknown. An answer
    stays unchanged if the new standard deviation exceeds ``precision`` times that of the prior, if chi
    square rejects ``run`` at 99 %, or if the new one has more than half of the last standard deviation
    and differs from the last by less than 2 standard deviations of this difference.

    Outputs, shape (k,) in the order of ``unknown``: "identified" [unit of the unknown],
    "identified_deviation" (of the logarithm with ``log``), "identified_status": 1 a new answer, 0 an old
    one, -1 ``run`` rejected.

    Arguments:
        run: predicted signals {name: (m, n)} for values {unknown: (m,)} and the window's history
            {"time": (n,) [s], signal: (n,) or (n, size)}.
        unknown: ``identify.Unknown`` by name.
        noise: standard deviation of each measured signal [its unit]; "velocity.0" is a component.
        reads: other signals that ``run`` needs.
        ports: ports of signals that are not in ``rig/bus.toml``.
        seconds: length of the window [s]. every: time between two fits [s].
        precision: largest standard deviation of a new answer, over that of the unknown's prior [-].

    Raises:
        RigError: no unknown, no measured signal, an unknown signal or component, a number out of its
            range; in a run, predicted signals that are missing or of another shape.
    """

    category: ClassVar[str] = "observer"
    name: ClassVar[str] = "window"
    keeps: ClassVar[tuple[str, ...]] = ("rows", "counts")
    run: Run
    unknown: Mapping[str, Unknown]
    noise: Mapping[str, float]
    reads: tuple[str, ...] = ()
    ports: Mapping[str, Port] = field(default_factory=dict)
    seconds: float = parameter(4.0, "s", "length of the window", low=0.01, high=1e3)
    every: float = parameter(0.5, "s", "time between two fits", low=1e-3, high=1e3)
    precision: float = parameter(
        0.1, "", "largest deviation over that of the priors", low=1e-6, high=1.0
    )

    def __post_init__(self) -> None:
        if not self.unknown or not self.noise:
            raise RigError(f"{self.title}: give at least one unknown and one measured signal")
        from identify import Unknown

        for name, one in self.unknown.items():
            if not isinstance(one, Unknown):
                raise RigError(f"{self.title}: unknown {name!r} = {shown(one)} must be an Unknown")
        for name, value in self.noise.items():
            number(f"{self.title}: noise of {name!r}", value, 0.0, open_low=True, error=RigError)
        names = (*(name.partition(".")[0] for name in self.noise), *self.reads)
        bus = buses.core()
        self._inputs = {
            name: self.ports.get(name) or bus.signal(name, f"{self.title}: ").port
            for name in dict.fromkeys(names)
        }
        for name in self.noise:
            signal, dot, place = name.partition(".")
            shape = self._inputs[signal].shape
            if not shape and dot:
                raise RigError(f"{self.title}: {name!r}: {signal!r} is one number, without components")
            if shape and not (place.isdecimal() and int(place) < shape[0]):
                raise RigError(
                    f"{self.title}: {name!r} must be a component, {signal}.0 to {signal}.{shape[0] - 1}"
                )
        self.last: Fit | None = None
        super().__post_init__()

    @property
    def inputs(self) -> Mapping[str, Port]:
        """Ports of the measured signals, and of other signals read by ``run``."""
        return self._inputs

    @property
    def outputs(self) -> Mapping[str, Port]:
        """Ports of answer, standard deviation and status of the unknowns."""
        shape, start = (len(self.unknown),), tuple(one.start for one in self.unknown.values())
        return {
            "identified": Port("", shape, start, about="fitted values"),
            "identified_deviation": Port("", shape, about="standard deviations of the answers"),
            "identified_status": Port("", shape, OLD, about="1 new, 0 old, -1 law rejected"),
        }

    def extend(self, bus: buses.Bus) -> buses.Bus:
        """Table of signals, extended by the answers."""
        own = {name: buses.Signal(name, port, self.category) for name, port in self.outputs.items()}
        return buses.Bus(bus.signals | own, bus.reads, bus.order, bus.about)

    def begin(self) -> None:
        """Empty the window of recorded signals."""
        tick = self.site.tick if self.period is None else self.period
        self.rows: Array = np.zeros((max(2, round(self.seconds / tick)), 1 + self.u.size))
        self.counts: NDArray[np.int64] = np.zeros(2, np.int64)  # rows in the window, since the last fit
        self._wait = max(1, round(self.every / tick))

    def advance(self, time: float, h: float) -> None:
        """Append the signals to the window, and fit them every ``every`` seconds."""
        self.rows[:-1] = self.rows[1:]
        self.rows[-1, 0], self.rows[-1, 1:] = time, self.u
        self.counts[0] = min(self.counts[0] + 1, len(self.rows))
        self.counts[1] += 1
        if self.counts[0] == len(self.rows) and self.counts[1] >= self._wait:
            self.counts[1] = 0
            self._answer()

    def history(self) -> dict[str, Array]:
        """Time [s] and signals of the window, shape (n,) or (n, size)."""
        found, at = {"time": self.rows[:, 0].copy()}, 1
        for name, port in self.inputs.items():
            found[name] = self.rows[:, at : at + port.size].reshape(-1, *port.shape).copy()
            at += port.size
        return found

    def _answer(self) -> None:
        """Fit the window; write the determined unknowns only."""
        value, deviation, status = (self.output(name) for name in self.outputs)
        status[:] = OLD
        self.last = found = self._fit(self.history(), value)
        if found is None:
            return
        if found.verdict == "law rejected":
            status[:] = REJECTED
            return
        for k, (name, one) in enumerate(self.unknown.items()):
            spread = found.deviations.get(name, np.inf)
            moved = one.uniform * abs(one.scaled(found.values[name]) - one.scaled(value[k]))
            sharper = spread < SHARPER * (deviation[k] or np.inf)
            better = sharper or moved > DIFFERS * np.hypot(spread, deviation[k])
            if spread <= self.precision * one.deviation and better:
                value[k], deviation[k], status[k] = found.values[name], spread, NEW

    def _fit(self, history: dict[str, Array], start: Array) -> Fit | None:
        """Fit of the unknowns, begun at the last answer; None if the errors there are not finite."""
        from identify.solve import conclude, descend

        ones = list(self.unknown.values())
        bounded = [min(max(v, one.low), one.high) for v, one in zip(start, ones, strict=True)]
        first = np.array([one.scaled(v) for v, one in zip(bounded, ones, strict=True)])
        slopes = np.zeros((0, first.size))

        def errors(x: Array) -> Array:  # errors of the signals, then distance of x from the last answer
            nonlocal slopes
            found, slopes = self._errors(x, history)
            return np.concatenate([found, x - first])

        try:
            best = descend(errors, first, EVALUATIONS, lambda x: np.vstack([slopes, np.eye(x.size)]))
        except RigError:
            raise
        except ValueError:  # the first errors are not finite
            return None
        rows = slice(-first.size)
        return conclude(best.x, best.fun[rows], best.jac[rows], self.unknown)

    def _errors(self, x: Array, history: dict[str, Array]) -> tuple[Array, Array]:
        """Errors over the noise, shape (n,), and their derivatives by the scaled unknowns, (n, k)."""
        from identify.solve import central

        def rows(values: dict[str, Array]) -> Array:
            try:
                predicted = self.run(values, history)
            except (ValueError, RuntimeError):
                return np.full((2 * x.size + 1, 1), np.inf)
            parts = []
            for name, noise in self.noise.items():
                has = predicted if isinstance(predicted, Mapping) else {}
                if name not in has:
                    raise RigError(f"{self.title}: run returned no {name!r}; it has {shown([*has])}")
                signal, _, place = name.partition(".")
                measured = history[signal][..., int(place)] if place else history[signal]
                found = np.asarray(predicted[name], float)
                try:
                    parts.append(
                        (np.broadcast_to(found, (2 * x.size + 1, len(measured))) - measured) / noise
                    )
                except ValueError:
                    raise RigError(
                        f"{self.title}: run returned {name!r} of shape {found.shape}; it must be "
                        f"{(2 * x.size + 1, len(measured))}"
                    ) from None
            return np.concatenate(parts, axis=1)

        return central(rows, x, self.unknown)
