"""Two rates: a slow and a fast model that exchange motion and force at fixed times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import nearest

from .errors import RigError

Array = NDArray[np.float64]

#: Explicit fixed-step methods of the fast model: rows of the tableau, weights.
METHODS: dict[str, tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]] = {
    "ode1": (((),), (1.0,)),
    "ode2": (((), (1.0,)), (0.5, 0.5)),
    "ode3": (((), (0.5,), (0.0, 0.75)), (2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0)),
    "ode4": (((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)),
}
INPUTS = ("held", "linear")
FORCES = ("last", "mean")


class Slow(ABC):
    """The slow model: steps with a force held, and tells its motion."""

    @abstractmethod
    def step(self, x: Array, force: Array, h: float) -> Array:
        """State after h [s] under a held force [N]."""

    @abstractmethod
    def motion(self, x: Array) -> Array:
        """What the fast model sees of a state: positions and speeds [m, m/s]."""


class Fast(ABC):
    """The fast model: a differential equation driven by the motion, and the force that it gives."""

    @abstractmethod
    def rate(self, y: Array, motion: Array) -> Array:
        """dy/dt [1/s times the units of y]."""

    @abstractmethod
    def force(self, y: Array, motion: Array) -> Array:
        """Force on the slow model [N]."""


def multiple(what: str, large: float, of: str, small: float) -> int:
    """How often a step goes into a larger one [s]; RigError with the nearest that does."""
    if not (0.0 < small <= large * (1.0 + 1e-9) and large < np.inf):
        raise RigError(f"{of} = {small:g} s must be above 0 and at most {what} = {large:g} s")
    ratio = large / small
    if abs(ratio - round(ratio)) > 1e-6 * ratio:
        near = round(ratio) * small
        raise RigError(f"{what} = {large:g} s is no multiple of {of} = {small:g} s; {near:g} s is")
    return round(ratio)


@dataclass(frozen=True)
class MultiRate:
    """The scheduler: slow steps T, exchanges every c, fast steps t, whole multiples of each other.

    Every exchange the fast model gets the slow one's motion and goes on by explicit steps t; then
    the slow one goes the same way by steps T under the force that came of it. With c below T there
    is nothing new to hand over before T is done, so that the exchange is every max(T, c): only a c
    above T changes results.

    Arguments:
        slow, fast: the two models.
        T, c, t: steps of the slow model, of the exchange and of the fast model [s].
        method: of the fast model, one of ``METHODS``.
        input: motion between two exchanges: "held", or "linear", extrapolated from the last two.
        force: on the slow model: the "last" before the exchange, or the "mean" since the one before.

    Raises:
        RigError: steps that are no multiples, with the nearest that are; an unknown name.

    Source: Karkee, Steward, Kelkar, Kemp (2010), section on multi-rate simulation.
    Differs from the source: linear extrapolation and the mean force are ours; theirs are held and last.
    """

    slow: Slow
    fast: Fast
    T: float
    c: float
    t: float
    method: str = "ode4"
    input: str = "held"
    force: str = "last"

    def __post_init__(self) -> None:
        large, small = ("T", "c") if self.T >= self.c else ("c", "T")
        multiple(large, max(self.T, self.c), small, min(self.T, self.c))
        multiple(small, min(self.T, self.c), "t", self.t)
        for what, known in (("method", METHODS), ("input", INPUTS), ("force", FORCES)):
            given = getattr(self, what)
            if given not in known:
                raise RigError(f"unknown {what} {given!r}; {nearest(given, known)}")

    def run(self, x: Array, y: Array, duration: float) -> tuple[Array, Array, Array]:
        """Slow states, fast states and forces at every exchange.

        Arguments:
            x, y: states at the start [their units].
            duration: [s], a multiple of T and c.

        Returns:
            shapes (n + 1, len(x)), (n + 1, len(y)) and (n, len(force)).
        """
        c = max(self.T, self.c)
        count = multiple("duration", duration, "the exchange", c)
        steps, slow = round(c / self.t), round(c / self.T)
        x, y = np.array(x, float), np.array(y, float)
        xs, ys, sent = [x], [y], []
        before = now = self.slow.motion(x)
        for _ in range(count):
            slope = (now - before) / c if self.input == "linear" else np.zeros_like(now)
            last = self.fast.force(y, now)
            total = np.zeros_like(last)
            for i in range(steps):
                y = self._explicit(y, now, slope, i * self.t)
                first, last = last, self.fast.force(y, now + slope * ((i + 1) * self.t))
                total = total + 0.5 * self.t * (first + last)
            force = last if self.force == "last" else total / c
            for _ in range(slow):
                x = self.slow.step(x, force, self.T)
            before, now = now, self.slow.motion(x)
            xs.append(x)
            ys.append(y)
            sent.append(force)
        return np.array(xs), np.array(ys), np.array(sent)

    def _explicit(self, y: Array, motion: Array, slope: Array, since: float) -> Array:
        """One fast step."""
        rows, weights = METHODS[self.method]
        h, slopes = self.t, []
        for row in rows:
            at, inner = since + h * sum(row), y
            for a, k in zip(row, slopes, strict=False):
                inner = inner + h * a * k
            slopes.append(self.fast.rate(inner, motion + slope * at))
        for weight, k in zip(weights, slopes, strict=True):
            y = y + h * weight * k
        return y
