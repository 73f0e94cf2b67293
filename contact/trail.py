"""Trail of a wheel's lateral force, behind or ahead of the middle of its contact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import Range, checked, within

from .kernels.wheel.layout import TRAIL_ANGLES, TRAIL_LOADS
from .lateral_stresses import WongReeceLateral
from .soil import BekkerSoil
from .tyre import Tyre


@dataclass(frozen=True)
@checked
class PneumaticTrail:
    """Pneumatic trail of the brush model: the lateral force acts behind the contact point.

        t = share a (1 - q)^3 / (1 - q + q^2 / 3),   q = |tan alpha| / tan(angle), at most 1
        a = sqrt(delta (D - delta))                  half the length of the contact, delta = F_n / k

    with slip angle alpha, load F_n, and stiffness k and diameter D of the tyre. The aligning moment
    about the normal is ``-t F_y``. In a step the lateral row's velocity is that of the force's point of
    action, so that the moment supplies no energy; slip angle and load are those of the step's start, and
    below 0.1 m/s the trail decreases to 0. The force acts behind the contact point in both directions of
    travel. A fixed deflection of the tyre is for the ground laws alone.

    Arguments:
        share: trail at zero slip angle over half the contact length [-]; a third in the brush model,
            0.26 measured on a 205/60 R15 at its nominal load.
        angle: slip angle of full sliding [rad], above 0, at most 1.5.

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Pacejka (2012), Tire and Vehicle Dynamics, 3rd ed., chapter 3. Measured share: Besselink,
    Schmeitz and Pacejka (2010), Veh. Syst. Dyn. 48, trail 0.09068 r, as in open programs; a is the chord
    of the undeformed tyre, longer than its contact. For tyres on firm ground; on
    soft soil the contact is longer than a.
    """

    share: Annotated[float, within(0.0, 1.0)] = 1.0 / 3.0
    angle: Annotated[float, Range(0.0, 1.5, "rad", open_low=True)] = 0.2

    def length(
        self, slip_angle: ArrayLike, load: ArrayLike, tyre: Tyre
    ) -> NDArray[np.float64] | np.float64:
        """Trail t [m] at slip angles [rad] under loads [N], broadcast together."""
        deflection = np.minimum(np.asarray(load, float) / tyre.stiffness, tyre.radius)
        half = np.sqrt(deflection * (tyre.diameter - deflection))
        q = np.minimum(np.abs(np.tan(slip_angle)) / math.tan(self.angle), 1.0)
        return (self.share * half * (1.0 - q) ** 3 / (1.0 - q + q * q / 3.0))[()]


@dataclass(frozen=True)
@checked
class SoilTrail:
    """Trail of the stresses of a ``WongReeceLateral``, below and beside a wheel on soft soil.

        t = -int r sin(theta) dF_y / F_y

    It is negative (``WongReeceLateral.trail``): the force acts ahead of the axle, where the stresses
    are, and turns a steered wheel further in. In a step it is interpolated in a table over slip angle
    and load, within 2 % of the integral, and then used like a ``PneumaticTrail``.

    Source: the stresses of Ishigami et al. (2007), see ``WongReeceLateral``; the moment is ours.
    """

    def table(
        self, lateral: WongReeceLateral, tyre: Tyre, soil: BekkerSoil
    ) -> tuple[float, float, float, NDArray[np.float64]]:
        """Table of the trail t for the compiled step: ``(tangent, lightest [N], log step, t [m])``.

        Its nodes lie at equal steps of ``tan|alpha| / (tan|alpha| + tangent)`` from 0 to 1, and at equal
        steps (log step) of the logarithm of the load, from the lightest load.
        """
        from .laws.wong_reece import WongReece

        most = WongReece().deepest_load(soil, tyre.radius, tyre.width)
        loads = np.geomspace(0.02 * most, 0.9 * most, TRAIL_LOADS)  # loads up to 0.9 of the largest
        tangent = (lateral.shear_modulus or soil.shear_modulus) / (0.2 * tyre.radius)
        share = np.linspace(0.0, 1.0, TRAIL_ANGLES)
        angle = np.arctan2(share * tangent, 1.0 - share)
        lengths = lateral.trail(angle[:, None], loads, tyre, soil)
        return tangent, float(loads[0]), math.log(loads[1] / loads[0]), lengths
