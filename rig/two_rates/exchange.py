"""Multirate simulation: a slow and a fast model exchange motion and force at fixed times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError, checked, known
from ..timing.clock import multiple

Array = NDArray[np.float64]

INPUTS = ("held", "linear")
FORCES = ("last", "mean")


class Slow(ABC):
    """Base of the slow model: steps under constant force, output of its motion."""

    @abstractmethod
    def step(self, x: Array, force: Array, h: float) -> Array:
        """State after h [s] under a constant force [N]."""

    @abstractmethod
    def motion(self, x: Array) -> Array:
        """Input of the fast model from a state: positions and speeds [m, m/s]."""


class Stepped(ABC):
    """Base of the fast model, which does all its small steps in one call."""

    @abstractmethod
    def go(
        self, y: Array, motion: Array, slope: Array, count: int, t: float, method: str
    ) -> tuple[Array, Array, Array]:
        """Take ``count`` steps t [s] from the state y under the motion ``motion`` + ``slope`` x time.

        Returns:
            State, force on the slow model at the end [N], and its mean [N].
        """


class Fast(Stepped):
    """Fast model as a differential equation driven by the motion, with a force as output."""

    @abstractmethod
    def rate(self, y: Array, motion: Array) -> Array:
        """Derivative dy/dt [1/s times the units of y]."""

    @abstractmethod
    def force(self, y: Array, motion: Array) -> Array:
        """Force on the slow model [N]."""

    def go(
        self, y: Array, motion: Array, slope: Array, count: int, t: float, method: str
    ) -> tuple[Array, Array, Array]:
        """Take explicit steps; the mean of the force is computed by the trapezoidal rule."""
        from bodies.hydraulics.tableaux import tableau

        last = self.force(y, motion)
        total = np.zeros_like(last)
        nodes, weights, couplings = tableau(method)
        for i in range(count):
            slopes: list[Array] = []
            for node, row in zip(nodes, couplings, strict=True):
                inner = y
                for a, k in zip(row, slopes, strict=False):
                    inner = inner + t * a * k
                slopes.append(self.rate(inner, motion + slope * (i * t + t * node)))
            for weight, k in zip(weights, slopes, strict=True):
                y = y + t * weight * k
            first, last = last, self.force(y, motion + slope * ((i + 1) * t))
            total = total + 0.5 * t * (first + last)
        return y, last, total / (count * t)


def _multiple(name: str, large: float, of: str, small: float) -> int:
    """Ratio of a larger to a smaller step [s]; RigError, with the nearest step, unless it is whole."""
    if not (0.0 < small <= large * (1.0 + 1e-9) and large < np.inf):
        raise RigError(f"{of} = {small:g} s must be above 0 and at most {name} = {large:g} s")
    return multiple(name, large, f"{of} =", small)


@dataclass(frozen=True)
@checked
class MultiRate:
    """Scheduler of slow steps T, exchanges c and fast steps t.

    The longer of T and c is a whole multiple of the shorter, which is a whole multiple of t.

    At each exchange the fast model receives the motion of the slow one and takes explicit steps t; then
    the slow model covers the same time with steps T under the resulting force. Exchanges are max(T, c)
    apart, since the slow model has no new motion within a step T.

    Arguments:
        slow, fast: the two models.
        T, c, t: steps of the slow model, of the exchange and of the fast model [s].
        method: method of the fast model, "ode1" to "ode5".
        input: motion between two exchanges: "held", or "linear", extrapolated from the last two.
        force: force on the slow model: "last" value, or "mean" since the last exchange.

    Raises:
        RigError: steps that are no multiples (the message has the nearest ones that are); an unknown
            method, ``input`` or ``force``.

    Source: Karkee, Steward, Kelkar, Kemp (2010), section on multi-rate simulation.
    Differs from the source: linear extrapolation and mean force are added; the source has held motion
    and last force.
    """

    slow: Slow
    fast: Stepped
    T: float
    c: float
    t: float
    method: str = "ode4"
    input: str = "held"
    force: str = "last"

    def __post_init__(self) -> None:
        large, small = ("T", "c") if self.T >= self.c else ("c", "T")
        _multiple(large, max(self.T, self.c), small, min(self.T, self.c))
        _multiple(small, min(self.T, self.c), "t", self.t)
        from bodies.hydraulics.tableaux import METHODS  # imported late: clients of a rig need no Numba

        for field, names in (("method", METHODS), ("input", INPUTS), ("force", FORCES)):
            known(f"unknown {field}", getattr(self, field), names)

    def run(self, x: Array, y: Array, duration: float) -> tuple[Array, Array, Array]:
        """Run both models; slow states, fast states and forces at every exchange.

        Arguments:
            x, y: initial states of the slow and the fast model [units of the model].
            duration: simulated time [s], a multiple of T and c.

        Returns:
            Arrays of shapes (n + 1, len(x)), (n + 1, len(y)) and (n, len(force)).
        """
        c = max(self.T, self.c)
        count = _multiple("duration", duration, "the exchange", c)
        steps, slow = round(c / self.t), round(c / self.T)
        x, y = np.array(x, float), np.array(y, float)
        xs, ys, sent = [x], [y], []
        before = now = self.slow.motion(x)
        for _ in range(count):
            slope = (now - before) / c if self.input == "linear" else np.zeros_like(now)
            y, last, mean = self.fast.go(y, now, slope, steps, self.t, self.method)
            force = last if self.force == "last" else mean
            for _ in range(slow):
                x = self.slow.step(x, force, self.T)
            before, now = now, self.slow.motion(x)
            xs.append(x)
            ys.append(y)
            sent.append(force)
        return np.array(xs), np.array(ys), np.array(sent)
