"""Electrohydraulic steering as a third-order system: a second-order valve and an integrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block, parameter
from ..catalogue import register
from ..linear import discretise
from ..timing.clock import multiple


@register
@dataclass
class ThirdOrderValve(Block):
    """Valve of second order with dead band, saturation and delay; the angle is the integral of its flow:

        delta = K_v w^2 / (s (s^2 + 2 zeta w s + w^2)) c

    with the steer angle delta [rad], the command c [-] and the Laplace variable s [1/s]; exact over a
    tick with constant command.

    Arguments:
        full_rate: K_v, steering rate at full flow [rad/s].
        frequency: natural frequency w [rad/s].
        damping: damping ratio zeta [-].
        dead_band: fraction of the command without effect [-].
        delay: delay of the command [s], a multiple of the tick.
        limit: largest steer angle [rad].

    Raises:
        RigError: a number out of its range; at the start, a delay that is no multiple of the tick.

    Source: Qiu, Zhang, Reid, Wu (2001), Modelling and simulation of an electro-hydraulic steering
    system.
    Differs from the source: its numbers are those of one tractor, ours are estimates.
    """

    category: ClassVar[str] = "steering"
    name: ClassVar[str] = "third-order valve"
    about: ClassVar[str] = "dead band, delay, second-order valve and an integrator"
    keeps: ClassVar[tuple[str, ...]] = ("x", "line")
    full_rate: float = parameter(0.3490658503988659, "rad/s", "at full flow", low=1e-3, high=100.0)
    frequency: float = parameter(44.0, "rad/s", "of the valve", low=0.1, high=1e5)
    damping: float = parameter(0.7, "", "of the valve", low=0.01, high=10.0)
    dead_band: float = parameter(0.08, "", "fraction of the command without effect", low=0.0, high=0.9)
    delay: float = parameter(0.05, "s", "dead time", low=0.0, high=10.0)
    limit: float = parameter(0.6632251157578453, "rad", "largest angle", low=0.0, high=1.5)

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """A and b of the linear part, states (delta, flow, rate of flow): shapes (3, 3), (3,)."""
        w = self.frequency
        A = np.array(
            [[0.0, self.full_rate, 0.0], [0.0, 0.0, 1.0], [0.0, -w * w, -2.0 * self.damping * w]]
        )
        return A, np.array([0.0, 0.0, w * w])

    def begin(self) -> None:
        """Start at rest at the rig's initial angle."""
        ticks = multiple(f"{self.title}: delay", self.delay, "the tick", self.site.tick, 0)
        self._in, self._out = self.input("valve_command"), self.output("steer_angle")
        self.x: NDArray[np.float64] = np.array([float(self._out[0]), 0.0, 0.0])
        # ring buffer of delayed commands; its last entry counts ticks
        self.line: NDArray[np.float64] = np.zeros(ticks + 1)
        self._step: tuple[float, NDArray[np.float64], NDArray[np.float64]] = (-1.0, self.x, self.x)

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick with the delayed command."""
        if self._step[0] != h:
            self._step = (h, *discretise(*self.matrices(), h))
        given = float(self._in[0])
        n = len(self.line) - 1
        if n:
            at = int(self.line[n]) % n
            given, self.line[at] = float(self.line[at]), given
            self.line[n] += 1
        x = self._step[1] @ self.x + self._step[2] * self.through(given)
        if abs(x[0]) > self.limit:
            x[0] = np.copysign(self.limit, x[0])
        self.x[:] = x
        self._out[0] = x[0]

    def through(self, command: float) -> float:
        """Valve opening for a command, after dead band and saturation; both in [-1, 1]."""
        size = (abs(command) - self.dead_band) / (1.0 - self.dead_band)
        return float(np.copysign(min(max(size, 0.0), 1.0), command))
