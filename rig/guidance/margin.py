"""Stability limit and delay margin of a linear guidance loop."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from mlcp import renamed
from mlcp.checks import number
from mlcp.kinds import above

from ..chassis.bicycle import Bicycle
from ..errors import RigError, checked
from ..linear import discretise
from ..steering.third_order_valve import ThirdOrderValve


@checked
def gains(distance: Annotated[float, above(0.0, "m")]) -> tuple[float, float]:
    """Gains k_e = 2/l^2 [1/m^2], k_psi = 2/l [1/m] of look-ahead near a straight path; l = distance."""
    return 2.0 / distance**2, 2.0 / distance


@checked
def sampled_spectral_radius(
    distance: float, u: float, lag: float, period: float, *, delay: int = 0
) -> float:
    """Spectral radius of look-ahead guidance with sample and hold (kinematic model, steering lag).

    Arguments:
        distance: look-ahead distance l [m].
        u: speed [m/s].
        lag: time constant tau of the steering [s].
        period: sampling period [s].
        delay: additional delay of the command, in samples.

    Returns:
        Growth factor of the errors in a sample [-]; the loop is stable below 1.
    """
    k_e, k_psi = gains(distance)
    # states: cross-track error [m], heading error [rad], curvature of the track [1/m]
    A = np.array([[0.0, u, 0.0], [0.0, 0.0, u], [0.0, 0.0, -1.0 / lag]])
    P, q = discretise(A, np.array([0.0, 0.0, 1.0 / lag]), period)
    whole = np.zeros((3 + delay, 3 + delay))
    whole[:3, :3] = P
    command = np.array([-k_e, -k_psi, 0.0])
    if delay:
        whole[:3, 3] = q
        for i in range(delay - 1):
            whole[3 + i, 4 + i] = 1.0
        whole[2 + delay, :3] = command
    else:
        whole += np.outer(q, command)
    return float(np.abs(np.linalg.eigvals(whole)).max())


@renamed.arguments(late="delay")
@checked
def sampled_limit(u: float, lag: float, period: float, *, delay: int = 0) -> float:
    """Shortest stable look-ahead distance [m] with sample and hold (in continuous time l = u tau).

    Arguments:
        u, lag, period, delay: as in ``sampled_spectral_radius`` [m/s, s, s].

    Raises:
        ValueError: u, lag or period is not positive.
    """
    for what, value in (("u", u), ("lag", lag), ("period", period)):
        number(what, value, 0.0, open_low=True)
    low, high = 0.0, u * (lag + period)
    while sampled_spectral_radius(high, u, lag, period, delay=delay) >= 1.0:
        low, high = high, 2.0 * high
    while high - low > 1e-12 * high:
        middle = 0.5 * (low + high)
        stable = sampled_spectral_radius(middle, u, lag, period, delay=delay) < 1.0
        low, high = (low, middle) if stable else (middle, high)
    return high


@dataclass(frozen=True)
@checked
class Loop:
    """Linear guidance loop: feedback of the errors, steering, bicycle model, dead time.

    Arguments:
        chassis: bicycle model of the machine.
        valve: steering valve, taken as linear, since the steering controller compensates its dead band.
        gain: gain of the steering controller [1/rad].
        k_e, k_psi: gains of the guidance law [1/m^2, 1/m].
        u: speed [m/s].
        delay: dead time [s]: latency of the fix plus half its period.

    Raises:
        RigError: a field of a wrong kind.
    """

    chassis: Bicycle
    valve: ThirdOrderValve
    gain: float
    k_e: float
    k_psi: float
    u: float
    delay: float

    def open(self, frequency: float) -> complex:
        """Open-loop transfer function [-] at a frequency [rad/s], without the feedback's minus sign."""
        s = 1j * frequency
        w = self.valve.frequency
        valve = self.valve.full_rate * w * w / (s * (s * s + 2.0 * self.valve.damping * w * s + w * w))
        inner = self.gain * valve * cmath.exp(-s * self.valve.delay)
        A, b = self.chassis.matrices(self.u)
        x = np.linalg.solve(s * np.eye(len(A)) - A, b)
        heading = x[1] / s
        off = (self.u * heading + x[0] - self.chassis.b * x[1]) / s
        guided = self.chassis.wheelbase * (self.k_e * off + self.k_psi * heading)
        return complex(guided * inner / (1.0 + inner) * cmath.exp(-s * self.delay))

    def delay_margin(self) -> tuple[float, float]:
        """Delay margin [s], and frequency [rad/s] of the undamped oscillation at this additional delay.

        Raises:
            RigError: the loop is unstable without additional delay.
        """
        grid = np.geomspace(1e-2, 60.0, 4000)
        size = np.array([abs(self.open(float(w))) for w in grid])
        cross = np.flatnonzero((size[:-1] >= 1.0) & (size[1:] < 1.0))
        best = (math.inf, 0.0)
        for i in cross:
            low, high = float(grid[i]), float(grid[i + 1])
            for _ in range(50):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if abs(self.open(middle)) >= 1.0 else (low, middle)
            margin = math.remainder(cmath.phase(self.open(low)) + math.pi, 2.0 * math.pi)
            best = min(best, (margin / low, low))
        if best[0] <= 0.0:
            raise RigError("the guidance loop is unstable as it is: look farther ahead, or be slower")
        return best
