"""Soils, from a penetrometer (cone index) or a bevameter (pressure-sinkage and shear)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from mlcp.kinds import above, at_least, checked, within

from . import validity

#: Least cone index [Pa] at which a wheel has been measured.
LEAST_CONE_INDEX = 1e4


@dataclass(frozen=True)
@checked
class ConeIndexSoil:
    """Ground described by its cone index.

    Arguments:
        cone_index: penetration resistance of the standard cone over its base area, c_i [Pa].

    Raises:
        ValueError: a cone index that is not a positive finite number.

    Warns:
        OutsideValidity: a cone index below 10 kPa, softer than mud: it is probably in another unit.
    """

    cone_index: Annotated[float, above(0.0, "Pa")]

    def __post_init__(self) -> None:
        found = self.cone_index
        if found < LEAST_CONE_INDEX:
            unit, size = ("MPa", 1e6) if found < 20.0 else ("kPa", 1e3)
            validity.assumed(
                f"ConeIndexSoil.cone_index = {found:g} Pa is softer than mud, outside the range of "
                f"every law here; {found:g} {unit} are {found * size:.0f} Pa"
            )


@dataclass(frozen=True)
@checked
class BekkerSoil:
    """Pressure-sinkage (Bekker) and shear strength (Mohr-Coulomb) of a homogeneous soil.

    ``sigma = (k_c / b + k_phi) z^n`` and ``tau_max = c + sigma tan(phi)``.

    Arguments:
        k_c: cohesive modulus of sinkage [N/m^(n+1)], at least 0.
        k_phi: frictional modulus of sinkage [N/m^(n+2)], at least 0.
        n: exponent of the sinkage z in the normal stress sigma (contact width b) [-], above 0.
        cohesion: shear strength c without normal stress [Pa], at least 0.
        friction_angle: angle of internal friction phi [rad], in [0, pi/2).
        shear_modulus: K, shear deformation modulus of Janosi and Hanamoto [m].
        c_1, c_2: coefficients of the angle of the peak normal stress ``theta_m = (c_1 + c_2 i) theta_1``
            at slip i and entry angle theta_1 [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Bekker (1969); Wong and Reece (1967).
    """

    k_c: Annotated[float, at_least(0.0, "N/m^(n+1)")]
    k_phi: Annotated[float, at_least(0.0, "N/m^(n+2)")]
    n: Annotated[float, above(0.0)]
    cohesion: Annotated[float, at_least(0.0, "Pa")] = 0.0
    friction_angle: Annotated[float, within(0.0, 1.5707, "rad")] = math.radians(30.0)
    shear_modulus: Annotated[float, above(0.0, "m")] = 0.025
    c_1: Annotated[float, within(0.0, 1.0)] = 0.43
    c_2: Annotated[float, within(0.0, 1.0)] = 0.32

    def __post_init__(self) -> None:
        if self.k_c == 0.0 and self.k_phi == 0.0:
            raise ValueError("BekkerSoil: k_c and k_phi are both 0, the soil would carry no load")

    def modulus(self, width: float) -> float:
        """Modulus ``k_c / b + k_phi`` [N/m^(n+2)] for a contact of ``width`` b [m]."""
        return self.k_c / width + self.k_phi

    @classmethod
    def sandy_loam(cls) -> BekkerSoil:
        """Sandy loam at 15 % moisture: default for the normal force; Peiret et al. have no soil for it.

        Source: Land Locomotion Laboratory, in Wong, Theory of Ground Vehicles (2008), table 2.3, at
        second hand (see ``contact.catalogue``): n 0.7, k_c 5.27 kN/m^(n+1), k_phi 1515.04 kN/m^(n+2),
        c 1.72 kPa, phi 29 deg. K = 25 mm is the usual figure for loam, not of that table.
        """
        return cls(
            k_c=5.27e3,
            k_phi=1515.04e3,
            n=0.7,
            cohesion=1.72e3,
            friction_angle=math.radians(29.0),
            shear_modulus=0.025,
        )


@dataclass(frozen=True)
@checked
class ReeceSoil(BekkerSoil):
    """Soil with Reece's pressure-sinkage: ``sigma = (c k_c' + gamma_s b k_phi') (z / b)^n``.

    Arguments: those of ``BekkerSoil``, k_c and k_phi being Reece's k_c' and k_phi' [-], and
        unit_weight: weight density of the soil, gamma_s [N/m^3], above 0.

    Source: Reece (1965), Proc. Inst. Mech. Eng. 180.
    """

    unit_weight: Annotated[float, above(0.0, "N/m^3")] = 15e3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k_phi == 0.0 and self.cohesion == 0.0:
            raise ValueError("ReeceSoil: k_phi and cohesion are both 0, the soil would carry no load")

    def modulus(self, width: float) -> float:
        """Modulus ``(c k_c' + gamma_s b k_phi') / b^n`` [N/m^(n+2)] for a contact of ``width`` b [m]."""
        strength = self.cohesion * self.k_c + self.unit_weight * width * self.k_phi
        return strength / width**self.n


@dataclass(frozen=True)
@checked
class PressureSinkageSoil(BekkerSoil):
    """Soil with Wong and Reece's own pressure-sinkage: ``sigma = (k_1 + k_2 b) (z / b)^n``.

    Arguments: those of ``BekkerSoil``, with k_c = k_1 [Pa] and k_phi = k_2 [Pa/m].

    Source: Wong and Reece (1967), Part I.
    """

    def modulus(self, width: float) -> float:
        """Modulus ``(k_1 + k_2 b) / b^n`` [N/m^(n+2)] for a contact of ``width`` b [m]."""
        return (self.k_c + self.k_phi * width) / width**self.n


def cone_index_of(owner: str, soil: object) -> float:
    """Cone index [Pa] of ``soil``; ``owner``: name of the caller in messages.

    Raises:
        ValueError: any other kind of soil.
    """
    if not isinstance(soil, ConeIndexSoil):
        raise ValueError(
            f"{owner}: soil is a {type(soil).__name__}; it needs a cone index (ConeIndexSoil)"
        )
    return soil.cone_index


def need_bekker(owner: str, field: str, soil: object) -> None:
    """Refuse a soil without pressure-sinkage and shear parameters.

    Raises:
        ValueError: naming the owner, the field and its class.
    """
    if not isinstance(soil, BekkerSoil):
        raise ValueError(
            f"{owner}: {field} is a {type(soil).__name__}; it needs pressure-sinkage and shear "
            "parameters (BekkerSoil, ReeceSoil or PressureSinkageSoil)"
        )
