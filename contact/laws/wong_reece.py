"""Wong and Reece's law: a rigid wheel on soil, from the stresses at the contact; eqs: Peiret et al."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import within

from .. import checks, validity
from ..kernels.stresses import stress_pieces as column
from ..kernels.stresses import wong_reece as kernel
from ..kernels.stresses import wong_reece_table as table
from ..soil import BekkerSoil, need_bekker
from ..tyre import Tyre
from .base import LOAD_FLOOR, Given, KernelLaw

_LOADS = (LOAD_FLOOR, 1e6)  # first and last load of the tables [N]
_SLIPS = np.array([-1.0, -0.7, -0.4, -0.2, -0.1, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0])


@dataclass(frozen=True)
class WheelForces:
    """A wheel in equilibrium with its load; arrays for arrays of input.

    entry_angle: theta_1 [rad]; sinkage: z = r (1 - cos theta_1) [m]; thrust: F_t, eq 10 [N];
    compaction: F_c, eq 11 [N]; drawbar_pull: F_t - F_c [N]; torque: of the shear about the axle
    [N m]. Beyond the soil's capacity the entry angle is theta_1 = 1.5 rad and the forces are those of
    that depth.
    """

    entry_angle: NDArray[np.float64] | float
    sinkage: NDArray[np.float64] | float
    drawbar_pull: NDArray[np.float64] | float
    torque: NDArray[np.float64] | float
    thrust: NDArray[np.float64] | float
    compaction: NDArray[np.float64] | float


@dataclass(frozen=True)
class WongReece(KernelLaw):
    """Forces on a rigid wheel from the soil's normal and shear stress (Peiret et al., eqs 9-14).

        sigma(theta) = M exp(-a |s|) r^n (cos theta_w - cos theta_1)^n,   M the modulus of the soil
        tau(theta)   = sgn(j) (c + sigma tan(phi)) (1 - exp(-|j| / K))
        F_n = r b int (sigma cos + tau sin),  F_t = r b int tau cos,  F_c = r b int sigma sin
        T   = r^2 b int tau,   T_rr = T - r F_t,   mu = F_t/F_n, gamma = F_c/F_n, rho = T_rr/(F_n r)

    theta runs from theta_2 (exit) to theta_1 (entry); in front of theta_m theta_w = theta, behind it
    theta_w = theta_1 - (theta - theta_2)/(theta_m - theta_2) (theta_1 - theta_m); theta_1 follows
    from the load. Driven (Part I): theta_m = (c_1 + c_2 s) theta_1 and
    j = r [(theta_1 - theta) - (1 - s)(sin theta_1 - sin theta)]. Towed (Part II, skid i): the shear
    changes its sign at theta_0, also the angle of the largest sigma, see ``towed``.

    Braking (s < 0) is Part II's towed wheel at skid i = -s/(1 + s), including free rolling (theta_0
    of 0.1 to 0.5 theta_1). Towards zero slip, where Parts II and I do not match (i below
    0.2 theta_1^2), and towards the locked wheel, with shear of one sign (theta_0 above 0.6 theta_1), it
    is blended into the driven wheel's kinematics at the same skid: with weights 3 t^2 - 2 t^3, each
    wheel in its own equilibrium.

    Thrust at zero slip, mu(0) > 0, acts with the rolling direction like rho.

    Arguments:
        exit_angle: angle theta_2 of the contact's end behind the axle [rad], in [-1.5, 0].
        exit_share: in place of the exit angle: sinkage of the exit over that of the entry, in [0, 1]:
            1 - cos theta_2 = share (1 - cos theta_1). 0.34 in dry sand, which flows back (measured); 0
            where ruts stand, below the height 4 c / gamma tan(45 deg + phi / 2) of Terzaghi (1943).
        slip_softening, skid_softening: exponent a of the modulus of sinkage M exp(-a |s|), driving and
            braking, in [0, 20]: a wheel sinks further with more slip or skid.
        side_softening: exponent a_y of this modulus, M exp(-sqrt((a s)^2 + (a_y beta)^2)), at a slip
            angle beta [rad], in [0, 20]; in a run beta is the slip angle at the start of the step.
        rim_friction: friction angle of soil on the rim over that of soil on soil, in [0, 1]; cohesion
            likewise. 1: lugs, with soil between them; steel in dry sand 0.54 polished, 0.76 rusty.

    Raises:
        ValueError: an exit angle or share outside its range, or both; soil other than a Bekker, Reece
            or pressure-sinkage soil.

    Source: Wong and Reece (1967), J. Terramechanics 4, Parts I and II (Part II's theta_m = theta_0 as
    the open program pyTerramechanics has it; the paper's text was not seen); Janosi and Hanamoto
    (1961); exit as a share of the sinkage: Ishigami et al. (2007), J. Field Robotics 24.
    Sinkage by slip: Ding et al. (2014), J. Terramechanics 52, whose exponent n + n_1 |s| is replaced by
    a falling modulus, close to it over the depths of one wheel; a = 0: no sinkage by slip. Friction on
    the rim: Potyondy (1961), Geotechnique 11, 339, at second hand.
    Differs from the source: n stands outside the bracket; braking as above, since Part II is of towed
    wheels alone; the exit is never further behind the axle than the entry is in front; theta_m stays 2 %
    of the contact inside it (towed: 1e-6); loads below 1 N are taken as 1 N; phi of theta_0 is that on
    the rim. A tyre is taken as a rigid wheel of its unloaded radius. Valid on deformable soil for a
    sinkage that does not reach the axle, and rims stiff against the soil.
    """

    exit_angle: Annotated[float, within(-1.5, 0.0, "rad")] = 0.0
    exit_share: Annotated[float, within(0.0, 1.0)] | None = None
    slip_softening: Annotated[float, within(0.0, 20.0)] = 0.0
    skid_softening: Annotated[float, within(0.0, 20.0)] = 0.0
    side_softening: Annotated[float, within(0.0, 20.0)] = 0.0
    rim_friction: Annotated[float, within(0.0, 1.0)] = 1.0

    name = "wong-reece"

    def __post_init__(self) -> None:
        if self.exit_share is not None and self.exit_angle != 0.0:
            raise ValueError(
                f"WongReece: exit_angle = {self.exit_angle} rad and exit_share = {self.exit_share} are "
                "both given; give one"
            )

    @property
    def _options(self) -> tuple[float, ...]:
        softening = self.slip_softening, self.skid_softening, self.side_softening
        return self.exit_angle, self.exit_share or 0.0, *softening

    def wheel(
        self, soil: BekkerSoil, radius: float, width: float, load: ArrayLike, slip: ArrayLike
    ) -> WheelForces:
        """Driven (slip >= 0) or braked (slip < 0) wheel under ``load`` [N], slip in [-1, 1].

        radius r and width b [m]; loads above 0 and slips broadcast together. The forces are those of the
        law in a run; a braked wheel blended from two equilibria has the weighted mean of their entry
        angles.
        """
        slip = np.asarray(slip, dtype=float)
        return self._forces(soil, radius, width, load, slip, np.full_like(slip, -1.0))

    def towed(
        self, soil: BekkerSoil, radius: float, width: float, load: ArrayLike, skid: ArrayLike
    ) -> WheelForces:
        """Towed wheel of Part II at skid ``i = v/(omega r) - 1 >= 0`` under ``load`` [N].

            tan(45 deg - phi/2) = (cos theta_0 - 1/(1 + i)) / sin theta_0,   theta_m = theta_0
            front: j = r [(theta_1 - theta)(1 + K_v (1 + i)) - (1 + i)(sin theta_1 - sin theta)]
            rear:  j = r [(theta_0 - theta) - (1 + i)(sin theta_0 - sin theta)]
            1 + K_v (1 + i) = (1 + i)(sin theta_1 - sin theta_0)/(theta_1 - theta_0)

        A free-rolling wheel has the skid of zero torque.
        """
        skid = _between("skid", skid, 0.0, 1e6)
        return self._forces(soil, radius, width, load, -skid / (1.0 + skid), skid)

    def deepest_load(self, soil: BekkerSoil, radius: float, width: float) -> float:
        """Load [N] at zero slip with the largest entry angle, 1.5 rad: sunk nearly to the axle."""
        p = _wheel_parameters(soil, radius, width, *self._options, rim=self.rim_friction)
        return float(kernel.forces_at.py_func(p, kernel.DEEPEST, 0.0, -1.0)[0])

    def pushes(self, p: NDArray[np.float64]) -> bool:
        return True

    def parameters(self, tyre: Tyre, soil: BekkerSoil) -> NDArray[np.float64]:
        """Array for the law's kernel: constants, Gauss rules, tables of offset, peak and entry angle."""
        return _law_parameters(
            soil, tyre.radius, tyre.width, *self._options, rim=self.rim_friction
        ).copy()

    def need(self, soil: object) -> None:
        need_bekker(self.name, "soil", soil)

    def check(self, tyre: Tyre, soil: BekkerSoil, load: Given = None, slip: Given = None) -> None:
        """Warn if the wheel would sink beyond its axle."""
        if load is not None and np.size(load):
            most = self.deepest_load(soil, tyre.radius, tyre.width)
            validity.outside(
                self.name, "load", load, 0.0, most, "N",
                "the wheel stands sunk to its axle and gives the ratios of that depth",
            )  # fmt: skip

    def _forces(self, soil, radius, width, load, slip, skid) -> WheelForces:
        from ..kernels.wheel.law_entry import wheel_over

        p, flat, shape = wheel_rows(self, soil, radius, width, load, slip, skid)
        out = np.empty((flat[0].size, 5))
        wheel_over(p, *flat, out)
        shaped = out.reshape(*shape, 5)
        theta_1, thrust, compaction, torque = (shaped[..., k] for k in range(4))
        validity.outside(
            self.name, "entry angle", theta_1, 0.0, 0.999 * kernel.DEEPEST, "rad",
            "the wheel stands sunk to its axle, with the forces of that depth",
        )  # fmt: skip
        return WheelForces(
            theta_1[()],
            (radius * (1.0 - np.cos(theta_1)))[()],
            (thrust - compaction)[()],
            (torque * radius)[()],
            thrust[()],
            compaction[()],
        )


def _between(field, value, low, high):
    value = np.asarray(value, dtype=float)
    if not (np.isfinite(value).all() and np.all((value >= low) & (value <= high))):
        raise ValueError(f"WongReece: {field} = {value} must be in [{low:g}, {high:g}]")
    return value


def wheel_rows(
    law: WongReece,
    soil: BekkerSoil,
    radius: float,
    width: float,
    load: ArrayLike,
    slip: ArrayLike,
    other: ArrayLike,
) -> tuple[NDArray[np.float64], list[NDArray[np.float64]], tuple[int, ...]]:
    """Parameter array of the integrals; load, slip and ``other`` (a third input, such as the skid) as
    flat arrays; their common shape.

    Raises:
        ValueError: a load that is not above 0, a slip outside [-1, 1].
    """
    p = _wheel_parameters(soil, radius, width, *law._options, rim=law.rim_friction)
    load, slip = np.asarray(load, dtype=float), _between("slip", slip, -1.0, 1.0)
    if not (np.isfinite(load).all() and (load > 0.0).all()):
        raise ValueError(f"WongReece: load = {load} N must be above 0")
    rows = np.broadcast_arrays(load, slip, np.asarray(other, dtype=float))
    return p, [np.ascontiguousarray(x.ravel()) for x in rows], rows[0].shape


def jacobi_rule(points: int, power: float) -> NDArray[np.float64]:
    """Gauss nodes, then weights, for ``int_0^1 x^power f(x) dx`` (Golub and Welsch 1969)."""
    k = np.arange(1, points)
    diagonal = np.empty(points)
    diagonal[0] = power / (power + 2.0)
    diagonal[1:] = power**2 / ((2.0 * k + power) * (2.0 * k + power + 2.0))
    beta = (4.0 * k**2 * (k + power) ** 2) / (
        (2.0 * k + power) ** 2 * (2.0 * k + power + 1.0) * (2.0 * k + power - 1.0)
    )
    matrix = np.diag(diagonal) + np.diag(np.sqrt(beta), 1) + np.diag(np.sqrt(beta), -1)
    nodes, vectors = np.linalg.eigh(matrix)
    return np.concatenate([0.5 * (nodes + 1.0), vectors[0] ** 2 / (power + 1.0)])


def _wheel_parameters(soil, radius, width, *options, rim=1.0) -> NDArray[np.float64]:
    need_bekker("WongReece", "soil", soil)
    checks.positive("WongReece", "radius", radius, unit="m")
    checks.positive("WongReece", "width", width, unit="m")
    p = np.zeros(column.INTEGRAL_FLOATS)  # unused settings are 0
    p[: column.EXIT + len(options)] = (
        radius, width, soil.modulus(width), soil.n, rim * soil.cohesion,
        math.tan(rim * soil.friction_angle), soil.shear_modulus, soil.c_1, soil.c_2, *options,
    )  # fmt: skip
    counts = column.FEWEST, column.FEW, column.MANY
    rules = [jacobi_rule(count, power) for power in (soil.n, 0.0) for count in counts]
    p[column.JACOBI_FEWEST :] = np.concatenate(rules)
    return p


@functools.lru_cache(maxsize=64)
def _law_parameters(soil, radius, width, *options, rim) -> NDArray[np.float64]:
    from ..kernels.wheel.law_entry import tables_over

    p = np.zeros(table.WONG_REECE_FLOATS)
    p[: table.LOAD_FLOOR] = _wheel_parameters(soil, radius, width, *options, rim=rim)
    logs = np.linspace(math.log(_LOADS[0]), math.log(_LOADS[1]), table.POINTS)
    p[table.LOAD_FLOOR], p[table.LOG_LOW], p[table.LOG_STEP] = (LOAD_FLOOR, logs[0], logs[1] - logs[0])
    out = np.empty((2, table.POINTS))
    entries = np.empty((table.PARTS, table.POINTS, table.SLIPS))
    tables_over(p, np.exp(logs), _SLIPS, out, entries)
    p[table.TABLE :] = np.concatenate([out[0], 1.001 * out[1], entries.ravel()])
    return p
