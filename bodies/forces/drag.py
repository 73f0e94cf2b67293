"""Aerodynamic drag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kinds import NonNegative, Vector
from .base import Force


@dataclass(frozen=True, kw_only=True)
class Drag(Force):
    """Drag ``f = -1/2 rho c_d A |v - w| (v - w)`` at the centre of mass, whose velocity is v; w: wind.

    In a step the force is ``-1/2 rho c_d A |v - w| (v+ - w)``, v+: v at the end of the step; it is
    stable at any step length, and exact for a body without other forces.

    Arguments:
        name: unique name.
        body: name of the body.
        area: frontal area A [m^2].
        coefficient: drag coefficient c_d [-].
        density: density rho of the air [kg/m^3]; default: ISO 2533 sea level.
        wind: velocity w of the wind [m/s], world axes.
    """

    name: str
    body: str
    area: NonNegative
    coefficient: NonNegative
    density: NonNegative = 1.225
    wind: Vector = (0.0, 0.0, 0.0)

    @property
    def factor(self) -> float:
        """Factor ``1/2 rho c_d A`` of the drag [N s^2/m^2]."""
        return 0.5 * self.density * self.coefficient * self.area

    def numbers(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        return (self.factor, *self.wind)
