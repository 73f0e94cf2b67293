"""Soils: what a penetrometer says of the ground, and what a bevameter says."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import checks


@dataclass(frozen=True)
class ConeIndexSoil:
    """Ground described by its cone index.

    Arguments:
        cone_index: c_i [Pa], penetration resistance of the standard cone over its base area.

    Raises:
        ValueError: a cone index that is not a positive finite number.
    """

    cone_index: float

    def __post_init__(self) -> None:
        checks.positive("ConeIndexSoil", "cone_index", self.cone_index, unit="Pa")


@dataclass(frozen=True)
class BekkerSoil:
    """Pressure-sinkage (Bekker) and shear strength (Mohr-Coulomb) of a homogeneous soil.

    ``sigma = (k_c / b + k_phi) z^n`` and ``tau_max = c + sigma tan(phi)``.

    Arguments:
        k_c: cohesive modulus of sinkage [N/m^(n+1)], at least 0.
        k_phi: frictional modulus of sinkage [N/m^(n+2)], at least 0.
        n: exponent of sinkage [-], above 0.
        cohesion: c [Pa], at least 0.
        friction_angle: phi [rad], in [0, pi/2).
        shear_modulus: K, shear deformation modulus of Janosi and Hanamoto [m].
        c_1, c_2: where the normal stress peaks, ``theta_m = (c_1 + c_2 i) theta_1`` [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Bekker (1969); Wong and Reece (1967).
    """

    k_c: float
    k_phi: float
    n: float
    cohesion: float = 0.0
    friction_angle: float = math.radians(30.0)
    shear_modulus: float = 0.025
    c_1: float = 0.43
    c_2: float = 0.32

    def __post_init__(self) -> None:
        owner = "BekkerSoil"
        checks.within(owner, "k_c", self.k_c, 0.0, unit="N/m^(n+1)")
        checks.within(owner, "k_phi", self.k_phi, 0.0, unit="N/m^(n+2)")
        if self.k_c == 0.0 and self.k_phi == 0.0:
            raise ValueError("BekkerSoil: k_c and k_phi are both 0, the soil would carry no load")
        checks.positive(owner, "n", self.n)
        checks.within(owner, "cohesion", self.cohesion, 0.0, unit="Pa")
        checks.within(owner, "friction_angle", self.friction_angle, 0.0, 1.5707, unit="rad")
        checks.positive(owner, "shear_modulus", self.shear_modulus, unit="m")
        checks.within(owner, "c_1", self.c_1, 0.0, 1.0)
        checks.within(owner, "c_2", self.c_2, 0.0, 1.0)

    def modulus(self, width: float) -> float:
        """``k_c / b + k_phi`` [N/m^(n+2)] for a contact of ``width`` b [m]."""
        return self.k_c / width + self.k_phi

    @classmethod
    def sandy_loam(cls) -> BekkerSoil:
        """Sandy loam at 15 % moisture: the default under the normal row, which the paper leaves open.

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
class ReeceSoil(BekkerSoil):
    """Soil with Reece's pressure-sinkage: ``sigma = (c k_c' + gamma_s b k_phi') (z / b)^n``.

    Arguments: those of ``BekkerSoil``, k_c and k_phi being Reece's k_c' and k_phi' [-], and
        unit_weight: gamma_s [N/m^3], above 0.

    Source: Reece (1965), Proc. Inst. Mech. Eng. 180.
    """

    unit_weight: float = 15e3

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.positive("ReeceSoil", "unit_weight", self.unit_weight, unit="N/m^3")
        if self.k_phi == 0.0 and self.cohesion == 0.0:
            raise ValueError("ReeceSoil: k_phi and cohesion are both 0, the soil would carry no load")

    def modulus(self, width: float) -> float:
        """``(c k_c' + gamma_s b k_phi') / b^n`` [N/m^(n+2)]."""
        strength = self.cohesion * self.k_c + self.unit_weight * width * self.k_phi
        return strength / width**self.n


@dataclass(frozen=True)
class PressureSinkageSoil(BekkerSoil):
    """Soil with Wong and Reece's own pressure-sinkage: ``sigma = (k_1 + k_2 b) (z / b)^n``.

    Arguments: those of ``BekkerSoil``, with k_c = k_1 [Pa] and k_phi = k_2 [Pa/m].

    Source: Wong and Reece (1967), Part I.
    """

    def modulus(self, width: float) -> float:
        """``(k_1 + k_2 b) / b^n`` [N/m^(n+2)]."""
        return (self.k_c + self.k_phi * width) / width**self.n


def cone_index_of(owner: str, soil: object) -> float:
    """c_i [Pa] of a soil described by its cone index; ``owner`` is named in the complaint.

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
        ValueError: naming the owner, the field and what it is.
    """
    if not isinstance(soil, BekkerSoil):
        raise ValueError(
            f"{owner}: {field} is a {type(soil).__name__}; it needs pressure-sinkage and shear "
            "parameters (BekkerSoil, ReeceSoil or PressureSinkageSoil)"
        )
