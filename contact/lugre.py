"""LuGre friction: bristles between tyre and ground, as rows of the contact problem."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from mlcp import renamed
from mlcp.kinds import above, at_least, checked


@renamed.attributes(v_hold="stribeck_velocity", angle_hold="stribeck_angle")
@renamed.arguments(v_hold="stribeck_velocity", angle_hold="stribeck_angle")
@dataclass(frozen=True)
@checked
class LuGre:
    """Bristles with a deflection as state; the wheel's ground law is their envelope g.

        z'  = v - sigma_0 |v| z / g                     v: sliding velocity of the contact point
        F   = -(sigma_0 z + sigma_1 z' + sigma_2 v)     on the wheel
        z+  = (z + h v) / (1 + h sigma_0 |v| / g)       backward Euler, step h, |z+| <= g / sigma_0

    The longitudinal force has v = v_t, the lateral force the lateral velocity. The envelope is
    ``g = max(|mu| F_n, w mu(1) F_n)``, ``w = exp(-(V / v_s)^2)``: the force of a locked wheel near
    standstill; V: larger of rim and centre speed, v_s: Stribeck velocity. mu is taken at the slip of the
    step's start, F_n at the step's end. With combined = "demand" the lateral force has the centre's
    speed for V, and mu at the step's end. With a Stribeck angle alpha_s the lateral envelope has a least
    value at every speed, as in the program VDSim: its w is at least ``exp(-(alpha / alpha_s)^2)``,
    alpha: slip angle.
    In steady sliding the force is ``g sgn(v) + sigma_2 v``, so with sigma_2 = 0 and alpha_s = 0 the
    steady states are those of the law; otherwise a slip angle far below alpha_s, kept for long, leads to
    nearly the largest lateral force.

    Arguments:
        sigma_0: bristle stiffness [N/m], above 0.
        sigma_1: bristle damping [N s/m]; None: critical for ``mass``, ``2 sqrt(sigma_0 mass)``.
        sigma_2: viscous friction over the sliding velocity [N s/m], at least 0 (the program VDSim: 120).
        mass: mass for the critical damping [kg].
        stribeck_velocity: v_s, speed at which the least envelope is 1/e of a locked wheel's force [m/s].
        stribeck_angle: alpha_s, slip angle at which the least lateral envelope at speed is 1/e of the
            largest force [rad], at least 0 (VDSim: 0.03); 0: at standstill only.

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Canudas de Wit et al. (1995), IEEE TAC 40; VDSim v0.2.
    Differs from the source: sigma_1 is kept below g / |v| (a constant one would give 35 kN at 5 m/s);
    the longitudinal envelope has a least value at standstill (VDSim: 1 N), for standing on a grade; the
    ellipse scales the envelopes instead of the forces; a bristle beyond a shrunken envelope is first
    projected onto it and then moved (VDSim: moved, then projected, with the same result for a growing
    or constant envelope), so that the force of the step, which depends on the bristle's rate, stays
    within the envelope; the lateral least value at speed is an option.
    """

    sigma_0: Annotated[float, above(0.0, "N/m")] = 3e5
    sigma_1: Annotated[float, at_least(0.0, "N s/m")] | None = None
    sigma_2: Annotated[float, at_least(0.0, "N s/m")] = 0.0
    mass: Annotated[float, above(0.0, "kg")] = 40.0
    stribeck_velocity: Annotated[float, above(0.0, "m/s")] = 0.05
    stribeck_angle: Annotated[float, at_least(0.0, "rad")] = 0.0

    def numbers(self) -> tuple[float, float, float, float, float]:
        """(sigma_0, sigma_1, sigma_2, v_s, alpha_s), with the critical damping by default."""
        damping = self.sigma_1
        if damping is None:
            damping = 2.0 * math.sqrt(self.sigma_0 * self.mass)
        return self.sigma_0, damping, self.sigma_2, self.stribeck_velocity, self.stribeck_angle
