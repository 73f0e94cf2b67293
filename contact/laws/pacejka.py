"""Magic formula with load-dependent coefficients: thrust and lateral force of tyres on the road."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, at_least, checked

from .. import validity
from ..kernels.laws import pacejka as column
from ..kernels.laws.lateral import PACEJKA
from ..kernels.laws.law import LAW_FLOATS
from .base import Given, KernelLaw

Floats = NDArray[np.float64]


@checked
def read_tir(path: str | Path) -> dict[str, float]:
    """Numbers of a tyre property file (.tir) by their keywords.

    Raises: FileNotFoundError: no such file.
    """
    text = Path(path).read_text(encoding="latin-1")
    pairs = re.findall(r"^\s*(\w+)\s*=\s*([-+.\deEdD]+)\s*(?:[$!{].*)?$", text, re.MULTILINE)
    found = {}
    for key, value in pairs:
        try:
            found[key.upper()] = float(value.replace("d", "e").replace("D", "e"))
        except ValueError:
            continue
    return found


@checked
class _OfFile(ABC):
    """Base class of ``Pacejka`` and ``PacejkaLateral``: nominal load, reading of tyre property files."""

    KEYS: ClassVar[tuple[str, ...]]
    SCALES: ClassVar[dict[str, tuple[str, ...]]]
    nominal_load: Annotated[float, above(0.0, "N")]

    def __post_init__(self) -> None:
        who = type(self).__name__
        dfz = np.linspace(*column.LOADS, 50) - 1.0
        with np.errstate(all="ignore"):
            C, ratio, stiffness, E = self._numbers(dfz)
        # p_ky2 = 0 makes a stiffness sin(pi) = 1e-16
        well = np.isfinite(C + ratio + stiffness + E) & (ratio > 0.0) & (stiffness > 1e-9)
        well &= (C > 0.0) & (C < 2.0)
        if not np.all(well):
            k = int(np.argmin(well))
            raise ValueError(
                f"{who}: at {(1.0 + dfz[k]) * self.nominal_load:g} N the coefficients make C = {C:g}, a "
                f"peak of {ratio[k]:g} and a stiffness of {stiffness[k]:g}: they belong above 0, C "
                "below 2"
            )

    @abstractmethod
    def _numbers(self, dfz: Any) -> tuple[Any, Any, Any, Any]:
        """Shape C, peak ratio D, stiffness over the load K and curvature E at dfz = F_n / F_n0 - 1."""

    @classmethod
    def from_tir(cls, path: str | Path) -> Self:
        """Law of a tyre property file (.tir, MF 5.2 to 6.2), with its scaling factors.

        Raises: FileNotFoundError: no such file. ValueError: naming a missing coefficient.
        """
        found = read_tir(path)
        fields = [field for field in cls.KEYS if field[-1] == "1" or field == "p_ky2"]
        needed = ("FNOMIN", *(field.upper().replace("_", "") for field in fields))
        absent = [key for key in needed if key not in found]
        if absent:
            raise ValueError(f"{cls.__name__}.from_tir: {path} has no {', '.join(absent)}")
        made = {"nominal_load": found["FNOMIN"] * found.get("LFZO", 1.0)}
        for field in cls.KEYS:
            key = field.upper().replace("_", "")
            if key in found:
                made[field] = found[key]
            elif field != "p_ky4":
                made[field] = 0.0
        for scale, fields in cls.SCALES.items():
            for field in fields:
                made[field] *= found.get(scale, 1.0)
        return cls(**made)


@dataclass(frozen=True)
class Pacejka(_OfFile, KernelLaw):
    """Thrust of a tyre on the road, load-dependent.

        mu = F_x / F_n = D sin(C atan(B kappa - E (B kappa - atan(B kappa)))),  B = K / (C D)
        f = F_n / F_n0 - 1,  C = p_cx1,  D = p_dx1 + p_dx2 f
        E = p_ex1 + p_ex2 f + p_ex3 f^2 (at most 1),  K = (p_kx1 + p_kx2 f) exp(p_kx3 f)
        kappa = s / (1 - s) driving, s braking

    Arguments:
        nominal_load: nominal load F_n0 of the tyre [N], above 0; f = F_n / F_n0 - 1.
        p_cx1: shape factor C [-]. p_dx1, p_dx2: peak ratio D and its rise with f [-].
        p_ex1, p_ex2, p_ex3: curvature factor E, and its coefficients of f and f^2 [-].
        p_kx1, p_kx2, p_kx3: slip stiffness K over the load, and its coefficients of f [-].
        rolling: ratio gamma of rolling resistance to load [-], constant.

    The defaults are those of a tyre 205/60 R15 at 2.2 bar. The load is limited to 0.02 to 3 times F_n0.

    Raises:
        ValueError: naming the field; coefficients without a rising force in that range.

    Source: Pacejka (2006), Tyre and Vehicle Dynamics, 2nd ed., eqs 4.E9 to 4.E18; values: its
    appendix 3, at second hand.
    Differs from the source: no shifts, E the same driving and braking (no p_ex4), no camber.
    """

    nominal_load: Annotated[float, above(0.0, "N")] = 4000.0
    p_cx1: float = 1.685
    p_dx1: float = 1.210
    p_dx2: float = -0.037
    p_ex1: float = 0.344
    p_ex2: float = 0.095
    p_ex3: float = -0.020
    p_kx1: float = 21.51
    p_kx2: float = -0.163
    p_kx3: float = 0.245
    rolling: Annotated[float, at_least(0.0)] = 0.0

    name = "pacejka"
    KEYS: ClassVar[tuple[str, ...]] = (
        "p_cx1", "p_dx1", "p_dx2", "p_ex1", "p_ex2", "p_ex3", "p_kx1", "p_kx2", "p_kx3",
    )  # fmt: skip
    SCALES: ClassVar[dict[str, tuple[str, ...]]] = {
        "LCX": ("p_cx1",),
        "LMUX": ("p_dx1", "p_dx2"),
        "LEX": ("p_ex1", "p_ex2", "p_ex3"),
        "LKX": ("p_kx1", "p_kx2"),
    }

    def _numbers(self, dfz: Any) -> tuple[Any, Any, Any, Any]:
        """C, D, K and E of the formula at dfz = F_n / F_n0 - 1."""
        E = self.p_ex1 + self.p_ex2 * dfz + self.p_ex3 * dfz**2
        stiffness = (self.p_kx1 + self.p_kx2 * dfz) * np.exp(self.p_kx3 * dfz)
        return self.p_cx1, self.p_dx1 + self.p_dx2 * dfz, stiffness, E

    def check(self, tyre: Any = None, soil: Any = None, load: Given = None, slip: Any = None) -> None:
        """Warn if the load is outside the range of the coefficients."""
        if load is not None:
            low, high = (x * self.nominal_load for x in column.LOADS)
            validity.outside(self.name, "load", load, low, high, "N", "the nearest end holds")

    def parameters(self, tyre: Any = None, soil: Any = None) -> Floats:
        p = np.zeros(LAW_FLOATS)
        p[column.NOMINAL], p[column.C], p[column.ROLLING] = self.nominal_load, self.p_cx1, self.rolling
        p[column.D], p[column.D_RISE] = self.p_dx1, self.p_dx2
        p[column.E], p[column.E_RISE], p[column.E_BEND] = self.p_ex1, self.p_ex2, self.p_ex3
        p[column.K], p[column.K_SHARE], p[column.K_GROWS] = self.p_kx1, self.p_kx2, self.p_kx3
        return p


@dataclass(frozen=True)
class PacejkaLateral(_OfFile):
    """Lateral force of a tyre on the road over its slip angle, load-dependent.

        F_y / F_n = D sin(C atan(B a - E (B a - atan(B a)))),  a = tan(alpha),  B = K / (C D)
        C = p_cy1,  D = |p_dy1 + p_dy2 f|,  E = p_ey1 + p_ey2 f (at most 1)
        K = |p_ky1| sin(p_ky4 atan(F_n / (p_ky2 F_n0))) F_n0 / F_n

    The cornering stiffness K F_n rises degressively with the load, and the peak ratio falls.

    Arguments:
        nominal_load: nominal load F_n0 of the tyre [N], above 0; f = F_n / F_n0 - 1.
        p_cy1: shape factor C [-]. p_dy1, p_dy2: peak ratio D and its rise with f [-], with the signs of
            a tyre file or both inverted.
        p_ey1, p_ey2: curvature factor E and its rise with f [-].
        p_ky1, p_ky2, p_ky4: largest cornering stiffness over F_n0 [1/rad], of either sign; load of the
            largest stiffness over F_n0 (for p_ky4 = 2); shape of the rise.

    Source: the book cited at ``Pacejka``, eqs 4.E19 to 4.E30, where p_ky4 is 2; later editions have
    p_ky4 as a coefficient.
    Differs from the source: no shifts, no p_ey3, no camber.

    Raises:
        ValueError: as for ``Pacejka``.
    """

    nominal_load: Annotated[float, above(0.0, "N")] = 4000.0
    p_cy1: float = 1.193
    p_dy1: float = -0.990
    p_dy2: float = 0.145
    p_ey1: float = -1.003
    p_ey2: float = -0.537
    p_ky1: float = -14.95
    p_ky2: float = 2.130
    p_ky4: float = 2.0

    number = PACEJKA
    KEYS: ClassVar[tuple[str, ...]] = (
        "p_cy1", "p_dy1", "p_dy2", "p_ey1", "p_ey2", "p_ky1", "p_ky2", "p_ky4",
    )  # fmt: skip
    SCALES: ClassVar[dict[str, tuple[str, ...]]] = {
        "LCY": ("p_cy1",),
        "LMUY": ("p_dy1", "p_dy2"),
        "LEY": ("p_ey1", "p_ey2"),
        "LKY": ("p_ky1",),
    }

    def _numbers(self, dfz: Any) -> tuple[Any, Any, Any, Any]:
        """C, D, K and E of the formula at dfz = F_n / F_n0 - 1."""
        share = 1.0 + dfz
        stiffness = abs(self.p_ky1) * np.sin(self.p_ky4 * np.arctan(share / self.p_ky2)) / share
        E = self.p_ey1 + self.p_ey2 * dfz
        return self.p_cy1, np.sign(self.p_dy1) * (self.p_dy1 + self.p_dy2 * dfz), stiffness, E

    def lateral_ratio(
        self, slip_angle: ArrayLike, load: ArrayLike, tyre: Any = None, soil: Any = None
    ) -> Floats:
        """Size of F_y / F_n with the sign of the slip angle [rad]; broadcasts over the load [N]."""
        from ..kernels.wheel.law_entry import side_over

        angle, load = np.broadcast_arrays(np.asarray(slip_angle, float), np.asarray(load, float))
        out = np.empty((angle.size, 3))
        side_over(self.number, self.parameters(), angle.ravel().copy(), load.ravel().copy(), out)
        return out[:, 0].reshape(angle.shape)[()]

    def parameters(self, tyre: Any = None, soil: Any = None) -> Floats:
        """Parameter array of this law's kernel."""
        p, sign = np.zeros(column.K_GROWS + 1), np.sign(self.p_dy1)
        p[column.NOMINAL], p[column.C] = self.nominal_load, self.p_cy1
        p[column.D], p[column.D_RISE] = sign * self.p_dy1, sign * self.p_dy2
        p[column.E], p[column.E_RISE] = self.p_ey1, self.p_ey2
        p[column.K], p[column.K_SHARE], p[column.K_GROWS] = abs(self.p_ky1), self.p_ky2, self.p_ky4
        return p
