"""Tractor (bicycle model) with a single-axle implement as one linear system of seven states."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import parameter
from ..catalogue import register
from ..errors import RigError
from .bicycle import Bicycle


@register
@dataclass
class Towing(Bicycle):
    """Bicycle model with a towed implement (index i).

    u, v: forward and lateral speed [m/s], g: yaw rate [rad/s], F, alpha: lateral force [N] and slip
    angle [rad] of an axle (f, r: front and rear axle of the tractor, see ``Bicycle``), lambda = psi_i -
    psi: difference of headings [rad], Y: lateral hitch force on the tractor [N].

        m (dv/dt + u g) = F_f + F_r + Y,       I dg/dt = a F_f - b F_r - c Y
        m_i (dv_i/dt + u g_i) = F_i - Y,       I_i dg_i/dt = -d Y - e F_i
        v_i = v - c g - d g_i - u lambda,      dlambda/dt = g_i - g
        sigma_i dalpha_i/dt = v_i - e g_i - |u| alpha_i,     F_i = -C_i alpha_i

    Y is eliminated; the states are v, g, alpha_f, alpha_r, g_i, lambda, alpha_i.

    Arguments:
        mass, inertia, a, b, stiffness_f, stiffness_r, sigma_f, sigma_r, friction, track: as for
            ``Bicycle`` [kg, kg m^2, m, N/rad]; friction must be 0, the relaxation lengths above 0.
        towed_mass: m_i [kg].
        towed_inertia: I_i about z [kg m^2].
        c: distance of the hitch behind the tractor's centre of mass [m].
        d: distance from the hitch to the implement's centre of mass [m].
        e: distance of the implement's axle behind its centre of mass [m].
        towed_stiffness: cornering stiffness C_i of the implement's axle [N/rad].
        towed_sigma: relaxation length sigma_i of the implement's tyres [m].

    Raises:
        RigError: a number out of its range; saturating tyres, or relaxation lengths of 0.
    """

    name: ClassVar[str] = "towing"
    about: ClassVar[str] = "bicycle and single-axle implement as one linear system"
    towed_mass: float = parameter(2127.0, "kg", "of the implement", low=1.0, high=1e6)
    towed_inertia: float = parameter(6402.0, "kg m^2", "of the implement", low=1.0, high=1e8)
    c: float = parameter(2.0, "m", "centre to hitch", low=0.0, high=50.0)
    d: float = parameter(3.5, "m", "hitch to the implement's centre", low=0.0, high=50.0)
    e: float = parameter(0.4, "m", "that centre to the axle behind", low=-50.0, high=50.0)
    towed_stiffness: float = parameter(167e3, "N/rad", "implement's axle", low=1.0, high=1e9)
    towed_sigma: float = parameter(0.5, "m", "implement's relaxation length", low=1e-3, high=10.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.friction or not self.sigma_f:
            raise RigError(f"{self.title}: friction must be 0 and sigma_f, sigma_r above 0 m")

    def matrices(self, u: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """A and b of dx/dt = A x + b delta at a speed u [m/s], shapes (7, 7) and (7,).

        x: (v, g, alpha_f, alpha_r, g_i, lambda, alpha_i). delta: steer angle [rad].
        """
        A4, b4 = super().matrices(u)
        m, i, mi, ii = self.mass, self.inertia, self.towed_mass, self.towed_inertia
        a, b, c, d, e = self.a, self.b, self.c, self.d, self.e
        f, r, ci = self.stiffness_f, self.stiffness_r, self.towed_stiffness
        # matrices of: left @ (dv/dt, dg/dt, dg_i/dt, Y) = right @ (v, g, alpha_f, alpha_r, g_i, lambda,
        # alpha_i)
        left = np.array(
            [[m, 0.0, 0.0, -1.0], [0.0, i, 0.0, c], [mi, -mi * c, -mi * d, 1.0], [0.0, 0.0, ii, d]]
        )
        right = np.zeros((4, 7))
        right[0, [1, 2, 3]] = -m * u, -f, -r
        right[1, [2, 3]] = -a * f, b * r
        right[2, [1, 6]] = -mi * u, -ci  # since dv_i/dt + u g_i = dv/dt - c dg/dt - d dg_i/dt + u g
        right[3, 6] = e * ci
        rates = np.linalg.solve(left, right)
        A, forcing = np.zeros((7, 7)), np.zeros(7)
        A[[0, 1, 4]] = rates[:3]
        A[2:4, :4], forcing[2:4] = A4[2:], b4[2:]
        A[5, 4], A[5, 1] = 1.0, -1.0
        s = self.towed_sigma
        A[6, [0, 1, 4, 5, 6]] = 1.0 / s, -c / s, -(d + e) / s, -u / s, -abs(u) / s
        return A, forcing

    @property
    def hitch(self) -> tuple[float, float]:
        """Present hitch angle lambda [rad] and yaw rate of the implement [rad/s]."""
        return float(self.x[5]), float(self.x[4])

    def begin(self) -> None:
        """Start with hitch angle 0; the implement has the tractor's yaw rate."""
        super().begin()
        rate = float(self.x[1])
        self.x: NDArray[np.float64] = np.concatenate((self.x[:4], [rate, 0.0, 0.0], self.x[4:]))

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick; RigError for a hitch angle above 90 degrees."""
        super().advance(time, h)
        slip = self.output("slip_angle")
        slip[0], slip[1] = self.x[2], self.x[3]
        if abs(self.x[5]) > 0.5 * math.pi:
            raise RigError(
                f"at {time:g} s the hitch angle is {self.x[5]:.3g} rad: tractor and implement touch"
            )
