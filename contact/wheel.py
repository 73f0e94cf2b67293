"""A wheel on its ground: description of one wheel's contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import shown
from mlcp.kinds import above, at_least, checked, within

from . import checks, validity
from .lateral import BrixiusLateral, LateralLaw
from .lateral_stresses import WongReeceLateral
from .laws import LAWS, WongReece
from .laws.base import KernelLaw
from .lugre import LuGre
from .normal import series_table
from .schemes.regularisation import REGULARISATIONS, Regularisation
from .sinkage import SINKAGES, ConeIndexSinkage, bearing_of, check_sinkage
from .slip import V_0
from .soil import BekkerSoil, ConeIndexSoil, cone_index_of
from .trail import PneumaticTrail, SoilTrail
from .tyre import Tyre

SLIPS = ("ratio", "smooth")
COMBINED = ("demand", "sliding")


@dataclass(frozen=True)
@checked
class WheelContact:
    """One wheel on soil.

    Arguments:
        tyre: geometry and deflection.
        soil: soil of the ground law: ``ConeIndexSoil``, or ``BekkerSoil`` for Wong-Reece.
        base: Bekker parameters of the ground below the tyre, and of laws of stresses on a soil with
            a cone index; None: those of the soil, or sandy loam.
        law: ground law, a name in ``LAWS`` or an instance.
        regularisation: a name in ``REGULARISATIONS``, or a user's (``Regularisation.own``).
        v_0: floor of v_max, the larger of rim and travel speed in the slip [m/s]; also the
            speed below which a scheme with static friction sticks.
        slip: "ratio" (eqs 5, 6) or "smooth" (eq 7; creeps on a slope by construction).
        v_min: speed of eq 7 below which the smooth slip vanishes [m/s].
        damping_time: eta_n of eq 22 [s], normal damping over stiffness. 0.02 s damps the bounce of
            a quarter vehicle on tyre and soil at about a fifth of critical; published only as "small".
        lateral: ``Crolla``, ``BrixiusLateral``, ``WongReeceLateral`` or ``PacejkaLateral``; None: no
            lateral force, and no rows for it.
        ellipse: whether thrust and lateral force have a common friction ellipse. At rest the bounds are
            moved along the ellipse until the force opposes the sliding or the wheel sticks with a force
            inside the ellipse, to 1e-6 (to 1e-5 in steps of many passes).
        combined: combination of thrust and lateral force on the ellipse. "sliding": both laws are
            evaluated at the total sliding of the contact point, with the force opposite to it at full
            slip, so that a spinning or locked wheel has no separate lateral grip; "demand": each law
            is evaluated alone, and both are scaled onto the ellipse. None: "sliding", or
            "demand" with a relaxation length.
        sinkage: ground below the tyre for the normal force, a name in ``SINKAGES`` or a
            ``ConeIndexSinkage``: "bekker", the pressure-sinkage of ``base``, independent of the cone
            index; "maclaurin", the sinkage from the soil's cone index; "none", rigid ground. None:
            "maclaurin" with a cone index, else "bekker"; also "bekker" with a ``base``, a law of
            stresses, or a tyre of deflection 0, which has no mobility number.
        rolling_share: reduction of the effective rolling radius over the tyre's deflection under load,
            in [0, 1]: 0 for the unloaded radius, 1 for the loaded radius.
        trail: a ``PneumaticTrail`` or ``SoilTrail``, for an aligning moment of the lateral force;
            None: without.
        slip_sinkage: whether the normal force is eq 9 with its shear stress at the slip of the step's
            start, on the law's own soil, so that a spinning wheel digs in. For "wong-reece" only.
        relaxation_length: distance over which the lateral force follows the slip angle [m], sigma of a
            tyre's carcass; 0: without lag. For "implicit", combined = "demand" and slip = "ratio".
        lugre: bristles in place of a regularisation, with the law as their envelope.

    The laws ignore camber. Equation numbers: Peiret et al.

    Raises:
        ValueError: naming the field, its value and the allowed range; unknown names with the nearest;
            a soil of another kind than the law needs.
    """

    tyre: Tyre
    soil: ConeIndexSoil | BekkerSoil
    base: BekkerSoil | None = None
    law: str | KernelLaw = "brixius"
    regularisation: str | Regularisation = "implicit"
    v_0: Annotated[float, above(0.0, "m/s")] = V_0
    slip: str = "ratio"
    v_min: Annotated[float, above(0.0, "m/s")] = 0.1
    damping_time: Annotated[float, at_least(0.0, "s")] = 0.02
    lateral: LateralLaw | None = None
    ellipse: bool = True
    combined: str | None = None
    sinkage: str | ConeIndexSinkage | None = None
    rolling_share: Annotated[float, within(0.0, 1.0)] = 0.0
    trail: PneumaticTrail | SoilTrail | None = None
    slip_sinkage: bool = False
    relaxation_length: Annotated[float, at_least(0.0, "m")] = 0.0
    lugre: LuGre | None = None

    def __post_init__(self) -> None:
        if isinstance(self.law, str):
            checks.known("ground law", self.law, LAWS)
        if not isinstance(self.regularisation, Regularisation):
            checks.known("regularisation", self.regularisation, REGULARISATIONS)
        for name, known in REGULARISATIONS.items():
            if self.regularisation == known:  # a scheme of the table is stored by its name, for files
                object.__setattr__(self, "regularisation", name)
        checks.known("slip", self.slip, SLIPS)
        checks.known("combined", self.combination, COMBINED)
        self.ground_law.need(self.ground)
        if self.sinkage is not None:
            check_sinkage("WheelContact", self.sinkage, self.tyre, self.soil)
        for name, known in SINKAGES.items():
            if known is not None and self.sinkage == known:
                object.__setattr__(self, "sinkage", name)
        if self.slip_sinkage and self.sinkage not in (None, "bekker"):
            raise ValueError(
                "WheelContact: slip_sinkage takes the sinkage from the law's stresses; leave out "
                f"sinkage = {shown(self.sinkage)}"
            )
        if self.slip_sinkage and not isinstance(self.ground_law, WongReece):
            raise ValueError(
                f"WheelContact: slip_sinkage needs the stresses of the law 'wong-reece'; the law is "
                f"{self.ground_law.name!r}"
            )
        if isinstance(self.lateral, BrixiusLateral):
            cone_index_of("BrixiusLateral", self.soil)
        if isinstance(self.trail, SoilTrail) and not isinstance(self.lateral, WongReeceLateral):
            raise ValueError(
                "WheelContact: a SoilTrail needs the stresses of lateral = WongReeceLateral()"
            )
        if self.ploughs:
            self._need_for_ploughing()
        if self.relaxation_length > 0.0:
            self._need_for_relaxation()
        self._warn_of_assumptions()

    def _warn_of_assumptions(self) -> None:
        """Warn (``OutsideValidity``) of Bekker parameters that a cone index does not give."""
        if self.base is not None or isinstance(self.soil, BekkerSoil):
            return
        if self._of_stresses or isinstance(self.lateral, WongReeceLateral):
            validity.assumed(
                "WheelContact: a law of stresses does not use a cone index; pressure-sinkage and "
                "shear are those of sandy loam: give base = BekkerSoil(...)"
            )
        elif self.sinkage is None and self.tyre.fixed_deflection == 0.0:
            validity.assumed(
                "WheelContact: a tyre of deflection 0 has no mobility number, so it sinks as on sandy "
                "loam whatever the cone index; give it a deflection, or set sinkage = 'bekker'"
            )

    def _need_for_relaxation(self) -> None:
        """Raise ``ValueError`` for settings that exclude a relaxation length."""
        implicit = self.scheme == REGULARISATIONS["implicit"]
        for well, needed in (
            (self.lateral is not None, "a lateral law, whose force it delays; there is none"),
            (self.lugre is None, "a regularisation; bristles have their own stiffness, leave out lugre"),
            (implicit, f"regularisation = 'implicit'; it is {self.scheme.name!r}"),
            (self.combination == "demand", f"combined = 'demand'; it is {self.combined!r}"),
            (self.slip == "ratio", f"slip = 'ratio'; it is {self.slip!r}"),
        ):
            if not well:
                raise ValueError(f"WheelContact: relaxation_length needs {needed}")

    def _need_for_ploughing(self) -> None:
        """Raise ``ValueError`` for settings that exclude a lateral law that ploughs."""
        by_sliding = self.ellipse and self.combination == "sliding"
        for well, needed in (
            (isinstance(self.ground_law, WongReece), "the stresses of law = 'wong-reece'"),
            (by_sliding, "combined = 'sliding' on an ellipse"),
            (self.lugre is None, "a regularisation; leave out lugre"),
        ):
            if not well:
                raise ValueError(f"WheelContact: WongReeceLateral(ploughing=True) needs {needed}")

    @property
    def combination(self) -> str:
        """Combination of thrust and lateral force on the ellipse, a name in ``COMBINED``."""
        if self.combined is not None:
            return self.combined
        return "demand" if self.relaxation_length > 0.0 else "sliding"

    @property
    def softens(self) -> bool:
        """Whether the ground law's soil softens by the slip angle (``side_softening``)."""
        law = self.ground_law
        return self.lateral is not None and isinstance(law, WongReece) and law.side_softening > 0.0

    @property
    def ploughs(self) -> bool:
        """Whether the lateral law is that of a ploughing wheel (``WongReeceLateral``)."""
        return isinstance(self.lateral, WongReeceLateral) and self.lateral.ploughing

    @property
    def _of_stresses(self) -> bool:
        """Whether the ground law needs pressure-sinkage and shear parameters."""
        return self.ground_law.name == "wong-reece"

    @property
    def bekker(self) -> BekkerSoil:
        """Bekker parameters in use: ``base``, else the soil's own, else sandy loam."""
        if self.base is not None:
            return self.base
        return self.soil if isinstance(self.soil, BekkerSoil) else BekkerSoil.sandy_loam()

    @property
    def ground(self) -> ConeIndexSoil | BekkerSoil:
        """Soil of the ground law: ``soil``, but ``bekker`` for Wong-Reece on a cone index."""
        given = isinstance(self.soil, BekkerSoil) or not self._of_stresses
        return self.soil if given else self.bekker

    @property
    def lateral_ground(self) -> Any:
        """Soil of the lateral law: ``soil``, but ``bekker`` for a law of stresses on a cone index."""
        given = isinstance(self.soil, BekkerSoil) or not isinstance(self.lateral, WongReeceLateral)
        return self.soil if given else self.bekker

    @property
    def bearing(self) -> BekkerSoil | ConeIndexSinkage | None:
        """Pressure-sinkage or sinkage law of the ground below the tyre; None: rigid ground."""
        sinkage = self.sinkage
        if sinkage is None:
            other = self.base is not None or isinstance(self.soil, BekkerSoil) or self._of_stresses
            sinkage = "bekker" if other or self.tyre.fixed_deflection == 0.0 else "maclaurin"
        return bearing_of(sinkage, self.soil, self.bekker)

    @property
    def ground_law(self) -> KernelLaw:
        """Ground law as an object: ``law``, looked up in ``LAWS`` if it is a name."""
        return LAWS[self.law] if isinstance(self.law, str) else self.law

    @property
    def scheme(self) -> Regularisation:
        """Regularisation as an object: ``regularisation``, looked up if it is a name."""
        given = self.regularisation
        return REGULARISATIONS[given] if isinstance(given, str) else given

    def thrust_ratio(self, slip: ArrayLike, load: ArrayLike) -> NDArray[np.float64] | np.float64:
        """Thrust ratio mu(s) [-] of this wheel on this ground, broadcasting over slip and load [N]."""
        return self.ground_law.thrust_ratio(slip, load, self.tyre, self.ground)

    def resistance_ratio(self, slip: ArrayLike, load: ArrayLike) -> NDArray[np.float64] | np.float64:
        """Resistance ratio gamma(s) [-] of this wheel on this ground; slip and load [N] broadcast."""
        return self.ground_law.resistance_ratio(slip, load, self.tyre, self.ground)

    def rolling_moment_ratio(self, slip: ArrayLike, load: ArrayLike) -> NDArray[np.float64] | np.float64:
        """Rolling-moment ratio rho(s) [-] of this wheel on this ground; slip and load [N] broadcast."""
        return self.ground_law.rolling_moment_ratio(slip, load, self.tyre, self.ground)

    def check(self, slip: ArrayLike, load: ArrayLike) -> None:
        """Warn (``OutsideValidity``) if a run has left the law's range of validity.

        slip (driving) and load [N]: of a run, shape (n,). Only the middle nine tenths of the values
        with ground contact are checked, without drops, starts and stops, which are outside any source.
        """
        slip, load = np.asarray(slip, float).ravel(), np.asarray(load, float).ravel()
        down = load > 0.0
        if down.any():
            most = (0.05, 0.95)
            loads, slips = np.quantile(load[down], most), np.quantile(slip[down], most)
            self.ground_law.check(self.tyre, self.ground, loads, slips)

    def static_compression(self, load: float) -> float:
        """Total compression of tyre and soil [m] under a static ``load`` [N] above 0.

        Raises:
            ValueError: a load that is not positive, or beyond the soil's capacity; a deflection of the
                tyre beyond its section height.
        """
        from scipy.optimize import brentq

        from .kernels.wheel.normal import compression_force

        load = checks.positive("WheelContact.static_compression", "load", load, unit="N")
        if isinstance(self.ground_law, WongReece) and self.slip_sinkage:
            ground: Any = self.ground
            sunk = self.ground_law.wheel(ground, self.tyre.radius, self.tyre.width, load, 0.0).sinkage
            return float(sunk) + load / self.tyre.stiffness
        tyre, bearing = self.tyre, self.bearing
        table, deepest = series_table(tyre, bearing)
        if load >= table[-2]:
            soft = "soil `base`" if self.base is not None and bearing == self.base else "soil"
            raise ValueError(
                f"WheelContact: a load of {load:g} N sinks the wheel beyond 0.8 of its radius "
                f"(reached at {table[-2]:.4g} N); the {soft} is too soft for it"
            )
        most = tyre.stiffness * (tyre.section_height - tyre.toe)
        if load > most:
            raise ValueError(
                f"WheelContact: a load of {load:g} N deflects the tyre by "
                f"{tyre.toe + load / tyre.stiffness:.4g} m, more than its section height of "
                f"{tyre.section_height:g} m (reached at {most:.4g} N); raise its pressure of "
                f"{tyre.pressure:g} Pa, or lighten the load"
            )
        force = compression_force.py_func
        root: Any = brentq(lambda d: force(table, deepest, d) - load, 0.0, deepest, xtol=1e-15)
        return float(root)
