"""Bicycle model: one wheel for each axle, lateral tyre forces with relaxation lengths."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown

from ..block import parameter
from ..catalogue import register
from ..errors import RigError
from ..linear import discretise
from .planar import PlanarChassis

G = 9.80665  # standard gravity [m/s^2]
SLOWEST = 0.1  # [m/s] least speed in the denominator of slip angles without relaxation


@register
@dataclass
class Bicycle(PlanarChassis):
    """Bicycle model of lateral speed v [m/s], yaw rate gamma [rad/s] and slip angles alpha [rad]:

        m (dv/dt + u gamma) = F_f + F_r,     I dgamma/dt = a F_f - b F_r,     F = -C alpha
        sigma_f dalpha_f/dt = v + a gamma - u delta - |u| alpha_f
        sigma_r dalpha_r/dt = v - b gamma - |u| alpha_r
        dx/dt = u cos psi - v sin psi,  dy/dt = u sin psi + v cos psi,  dpsi/dt = gamma

    u: forward speed [m/s], delta: steer angle [rad], x, y: centre of mass [m], psi: heading [rad],
    F: lateral force of an axle [N]; f, r: front and rear axle.
    The equations do not divide by u, so they are valid at standstill. u is prescribed and constant over
    a tick, so that the linear equations are solved exactly (matrix exponential); x and y follow by
    Simpson's rule. With ``friction`` mu > 0 the tyres saturate under the axle load N, F = -mu N
    tanh(C alpha / (mu N)), and the classical Runge-Kutta method integrates in steps of at most 1 ms.

    Arguments:
        mass: m [kg].
        inertia: I about z [kg m^2].
        a, b: distances from the centre of mass to front and rear axle [m].
        stiffness_f, stiffness_r: cornering stiffness C of an axle [N/rad].
        sigma_f, sigma_r: relaxation lengths [m], both positive or both 0; for 0 alpha is the ratio of
            lateral to forward speed, which is taken as at least 0.1 m/s.
        friction: mu of the saturating tyres; 0: linear tyres.
        track: distance between left and right wheels [m]; for roll on uneven ground.

    Raises:
        RigError: a number out of its range; one relaxation length without the other.

    Source: Karkee, Steward, Kelkar, Kemp (2010), eqs 7 to 12.
    Differs from the source: here eq 7 has C_ar in its second term, eq 8 dgamma/dt on its left side.
    """

    name: ClassVar[str] = "bicycle"
    about: ClassVar[str] = "lateral dynamics with tyre relaxation"
    keeps: ClassVar[tuple[str, ...]] = ("pose", "x")
    mass: float = parameter(9391.0, "kg", "total", low=1.0, high=1e6)
    inertia: float = parameter(35709.0, "kg m^2", "about z", low=1.0, high=1e8)
    a: float = parameter(1.7, "m", "to the front axle", low=0.01, high=50.0)
    b: float = parameter(1.2, "m", "to the rear axle", low=0.01, high=50.0)
    stiffness_f: float = parameter(220e3, "N/rad", "front axle", low=1.0, high=1e9)
    stiffness_r: float = parameter(486e3, "N/rad", "rear axle", low=1.0, high=1e9)
    sigma_f: float = parameter(0.5, "m", "front relaxation length", low=0.0, high=10.0)
    sigma_r: float = parameter(0.5, "m", "rear relaxation length", low=0.0, high=10.0)
    friction: float = parameter(0.0, "", "0: linear tyres", low=0.0, high=3.0)
    track: float = parameter(1.8, "m", "between the wheels", low=0.1, high=100.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.sigma_f > 0.0) != (self.sigma_r > 0.0):
            raise RigError(f"{self.title}: sigma_f and sigma_r must both be above 0 m, or both 0")

    @property
    def wheelbase(self) -> float:
        """Wheelbase L = a + b [m]."""
        return self.a + self.b

    @property
    def understeer_gradient(self) -> float:
        """Understeer gradient K = (m/L) (b/C_f - a/C_r) [rad s^2/m]."""
        return self.mass / self.wheelbase * (self.b / self.stiffness_f - self.a / self.stiffness_r)

    @property
    def characteristic_speed(self) -> float:
        """Characteristic speed u_ch = sqrt(L/K) [m/s]; RigError for an oversteering machine."""
        if not self.understeer_gradient > 0.0:
            raise RigError(
                f"K = {self.understeer_gradient:.4g} rad s^2/m: a characteristic speed "
                f"exists only for K above 0"
            )
        return math.sqrt(self.wheelbase / self.understeer_gradient)

    def yaw_gain(self, u: float) -> float:
        """Steady-state yaw gain gamma/delta = u / (L + K u^2) [1/s] at a speed u [m/s]."""
        return u / (self.wheelbase + self.understeer_gradient * u * u)

    def matrices(self, u: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """A and b of d/dt (v, gamma, alpha_f, alpha_r) = A (...) + b delta at a speed u [m/s].

        Shapes (4, 4) and (4,); without relaxation (2, 2) and (2,), for the states (v, gamma).

        Raises:
            RigError: a speed that is no finite number.
        """
        if not math.isfinite(u):
            raise RigError(f"u = {shown(u)} must be a finite speed [m/s]")
        m, i, a, b = self.mass, self.inertia, self.a, self.b
        f, r = self.stiffness_f, self.stiffness_r
        if self.sigma_f == 0.0:
            w = math.copysign(max(abs(u), SLOWEST), u)
            A = np.array(
                [
                    [-(f + r) / (m * w), -u - (a * f - b * r) / (m * w)],
                    [-(a * f - b * r) / (i * w), -(a * a * f + b * b * r) / (i * w)],
                ]
            )
            return A, np.array([f / m, a * f / i]) * (u / w)
        sf, sr = self.sigma_f, self.sigma_r
        A = np.array(
            [
                [0.0, -u, -f / m, -r / m],
                [0.0, 0.0, -a * f / i, b * r / i],
                [1.0 / sf, a / sf, -abs(u) / sf, 0.0],
                [1.0 / sr, -b / sr, 0.0, -abs(u) / sr],
            ]
        )
        return A, np.array([0.0, 0.0, -u / sf, 0.0])

    def eigenvalues(self, u: float) -> NDArray[np.complex128]:
        """Eigenvalues of A at a speed u [m/s], shape (4,) or (2,) [1/s].

        With relaxation their sum is -|u| (1/sigma_f + 1/sigma_r).
        """
        return np.linalg.eigvals(self.matrices(u)[0]).astype(complex)

    def response(self, u: float, frequency: float) -> complex:
        """Frequency response gamma/delta [1/s] at a speed u [m/s] and a frequency [rad/s]."""
        A, b = self.matrices(u)
        return complex(np.linalg.solve(1j * frequency * np.eye(len(A)) - A, b)[1])

    def phase(self, u: float, frequency: float) -> float:
        """Phase of the yaw rate relative to the steering [rad], negative for a lag.

        Arguments: u: speed [m/s]. frequency: angular frequency [rad/s].
        """
        return cmath.phase(self.response(u, frequency))

    def begin(self) -> None:
        """Set the state from pose and velocity of the reference point, with zero slip angles."""
        super().begin()
        velocity, rate = self.output("velocity"), float(self.output("yaw_rate")[0])
        n = 4 if self.sigma_f else 2
        self.x: NDArray[np.float64] = np.zeros(n + 2)  # v, gamma, slip angles, heading, steer angle
        self.x[:2] = float(velocity[1]) + self.b * rate, rate
        self.x[n:] = self.pose[2], self._steer[0]
        self._step: tuple[tuple[float, float], NDArray[np.float64], NDArray[np.float64]] = (
            (math.nan, math.nan),
            self.x,
            self.x,
        )

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick; the steer angle varies linearly over it."""
        u, delta = float(self._speed[0]), float(self._steer[0])
        x0, n = self.x, len(self.x) - 2
        turning = (delta - float(x0[-1])) / h
        middle, end = (self._saturating if self.friction else self._linear)(u, turning, h)
        px, py = float(self.pose[0]), float(self.pose[1])
        b = self.b
        px, py = px + b * math.cos(x0[n]), py + b * math.sin(x0[n])
        for x, weight in ((x0, h / 6.0), (middle, 4.0 * h / 6.0), (end, h / 6.0)):
            c, s, v = math.cos(x[n]), math.sin(x[n]), x[0]
            px += weight * (u * c - v * s)
            py += weight * (u * s + v * c)
        v, rate, psi = float(end[0]), float(end[1]), float(end[n])
        slip = (float(end[2]), float(end[3])) if n == 4 else self._slip(u, delta, v, rate)
        pose = (px - b * math.cos(psi), py - b * math.sin(psi), psi)
        self.x = end
        self.publish(pose, (u, v - b * rate), rate, slip)

    def _slip(self, u: float, delta: float, v: float, rate: float) -> tuple[float, float]:
        """Slip angles of front and rear axle without relaxation [rad]; ``rate``: yaw rate [rad/s]."""
        w = math.copysign(max(abs(u), SLOWEST), u)
        return (v + self.a * rate - u * delta) / w, (v - self.b * rate) / w

    def _linear(
        self, u: float, turning: float, h: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Exact states after half a tick and after the tick.

        Arguments: u: speed [m/s]. turning: steering rate [rad/s]. h: length of the tick [s].
        """
        if self._step[0] != (u, h):
            A, b = self.matrices(u)
            n = len(A)
            whole, forcing = np.zeros((n + 2, n + 2)), np.zeros(n + 2)
            whole[:n, :n], whole[:n, n + 1], whole[n, 1], forcing[n + 1] = A, b, 1.0, 1.0
            self._step = ((u, h), *discretise(whole, forcing, 0.5 * h))
        _, P, q = self._step
        forcing = q * turning
        middle = P @ self.x + forcing
        return middle, P @ middle + forcing

    def _saturating(
        self, u: float, turning: float, h: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """States after half a tick and after the tick with saturating tyres, by Runge-Kutta steps.

        Arguments: as for ``_linear``.
        """
        n = len(self.x) - 2
        grip_f = self.friction * self.mass * G * self.b / self.wheelbase
        grip_r = self.friction * self.mass * G * self.a / self.wheelbase

        def rate(x: NDArray[np.float64]) -> NDArray[np.float64]:
            v, g, delta = float(x[0]), float(x[1]), float(x[-1])
            f, r = (float(x[2]), float(x[3])) if n == 4 else self._slip(u, delta, v, g)
            force_f = -grip_f * math.tanh(self.stiffness_f * f / grip_f)
            force_r = -grip_r * math.tanh(self.stiffness_r * r / grip_r)
            out = np.empty(n + 2)
            out[0] = (force_f + force_r) / self.mass - u * g
            out[1] = (self.a * force_f - self.b * force_r) / self.inertia
            if n == 4:
                out[2] = (v + self.a * g - u * delta - abs(u) * f) / self.sigma_f
                out[3] = (v - self.b * g - abs(u) * r) / self.sigma_r
            out[n:] = g, turning
            return out

        half = max(1, math.ceil(0.5 * h / 1e-3 - 1e-9))
        d, x, seen = 0.5 * h / half, self.x, []
        for _ in range(2):
            for _ in range(half):
                k1 = rate(x)
                k2 = rate(x + 0.5 * d * k1)
                k3 = rate(x + 0.5 * d * k2)
                k4 = rate(x + d * k3)
                x = x + d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            seen.append(x)
        return seen[0], seen[1]
