"""Aerodynamic drag."""

from __future__ import annotations

from dataclasses import dataclass

from .. import checks
from ..kernels import codes


@dataclass(frozen=True, kw_only=True)
class Drag:
    """``f = -1/2 rho c_d A |v - w| (v - w)`` at the centre of mass, w the wind.

    Over a step ``-1/2 rho c_d A |v - w| (v+ - w)``, v+ at its end: stable at any step, and exact for a
    body that nothing else acts on.

    Arguments:
        name: unique name.
        body: name of the body.
        area: frontal area A [m^2].
        coefficient: c_d [-].
        density: of the air [kg/m^3]; default: ISO 2533 sea level.
        wind: [m/s], world axes.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    body: str
    area: float
    coefficient: float
    density: float = 1.225
    wind: tuple[float, ...] = (0.0, 0.0, 0.0)

    code = codes.DRAG

    def __post_init__(self) -> None:
        who = f"drag {self.name!r}"
        for field in ("area", "coefficient", "density"):
            object.__setattr__(self, field, checks.number(who, field, getattr(self, field), 0.0))
        object.__setattr__(self, "wind", checks.vector(who, "wind", self.wind))
