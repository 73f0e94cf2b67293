"""Uniform gravity."""

from __future__ import annotations

from dataclasses import dataclass

from .. import checks
from ..checks import checked


@dataclass(frozen=True)
@checked
class Gravity:
    """Weight ``f = m g`` at every centre of mass; g: ``acceleration`` [m/s^2], world axes (z up). The
    vertical component is at most 0.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    acceleration: tuple[float, ...] = (0.0, 0.0, -9.80665)  # standard gravity, CGPM 1901

    def __post_init__(self) -> None:
        value = checks.vector("gravity", "acceleration [m/s^2]", self.acceleration)
        if value[2] > 0.0:
            x, y, z = value
            raise checks.MechanismError(
                f"gravity: acceleration [m/s^2] = ({x:g}, {y:g}, {z:g}) points up, as the z-axis does; "
                f"({x:g}, {y:g}, {-z:g}) points down"
            )
        object.__setattr__(self, "acceleration", value)
