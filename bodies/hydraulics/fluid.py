"""The oil and its tank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from ..checks import MechanismError, checked
from ..kinds import NonNegative, Positive, Range, Words


@dataclass(frozen=True, kw_only=True)
@checked
class Fluid:
    """Compressible oil, ``W = V exp(P/beta)``, and its tank.

    W: volume at zero pressure of the oil that fills the volume V at the pressure P. Flow through an
    orifice of area A: ``Q = A C_d sqrt(2/rho) g(dP)``, ``g = dP/(dP^2 + p_t^2)^(1/4)``, a square root
    with a finite slope at zero drop. Pressures are absolute.

    Arguments:
        density: density rho of the oil [kg/m^3].
        modulus: bulk modulus beta of the oil [Pa].
        hose_modulus: bulk modulus of the hoses' walls [Pa]; None: rigid.
        wall_modulus: bulk modulus of the cylinders' walls [Pa]; None: rigid.
        discharge: coefficient C_d of all orifices [-].
        transition: pressure drop p_t below which the flow is laminar [Pa].
        laminar: ``"smooth"``: g as above; ``"linear"``: g linear below p_t, ``sqrt(dP)`` above.
        tank: pressure of the tank [Pa].
        cavitation: least pressure [Pa]; a chamber with less oil has this pressure and a void.
        conserve: ``"oil"``: W is conserved; ``"volume"``: oil that passes a valve keeps its volume V.

    Raises:
        MechanismError: naming the field, its value and the allowed range.

    Source: bulk modulus, discharge coefficient and linear transition after J. Rahikainen, F. Gonzalez,
    M. Naya, J. Sopanen, A. Mikkola, Multibody System Dynamics 50 (2020) 143.
    """

    density: Positive = 860.0
    modulus: Positive = 1.2e9
    hose_modulus: Positive | None = None
    wall_modulus: Positive | None = None
    discharge: Annotated[float, Range(0.0, 1.0, open_low=True)] = 0.65
    transition: Positive = 2e4
    laminar: Annotated[str, Words(("smooth", "linear"))] = "smooth"
    tank: NonNegative = 1e5
    cavitation: NonNegative = 2e4
    conserve: Annotated[str, Words(("oil", "volume"))] = "oil"

    who: ClassVar[str] = "fluid"

    def __post_init__(self) -> None:
        if self.cavitation > self.tank:
            raise MechanismError(
                f"fluid: cavitation = {self.cavitation:g} Pa must not be above the tank's "
                f"{self.tank:g} Pa"
            )
