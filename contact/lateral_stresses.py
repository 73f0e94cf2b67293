"""Lateral force from the stresses under and beside a sunken wheel."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, at_least, checked

from .kernels.laws import lateral as column
from .laws.wong_reece import WongReece, wheel_rows
from .soil import BekkerSoil, need_bekker
from .tyre import Tyre

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS  # nodes and weights on [0, 1]
_ANGLES, _LOADS = 257, 33  # numbers of slip angles and of loads in the table


@dataclass(frozen=True)
class SlidingWheel:
    """A wheel that slips and slides sideways under its load; arrays for arrays of input.

    entry_angle: theta_1 [rad]; sinkage [m]; drawbar_pull: force along the heading [N]; side_force: size
    of the lateral force, with the sign of the slip angle [N]; torque: of the ground's shear about the
    axle [N m].
    """

    entry_angle: NDArray[np.float64] | float
    sinkage: NDArray[np.float64] | float
    drawbar_pull: NDArray[np.float64] | float
    side_force: NDArray[np.float64] | float
    torque: NDArray[np.float64] | float


@dataclass(frozen=True)
@checked
class WongReeceLateral:
    """Lateral ratio of a rigid wheel from shear below it and bulldozing beside it.

        F_y = int_0^theta_1 [r b (c + sigma tan phi) + R_b(h) (r - h cos theta)] f dtheta
        f = 1 - exp(-j_y / K_y)
        j_y = r (theta_1 - theta) tan alpha,   h = r (cos theta - cos theta_1)
        R_b = D_1 (c h + D_2 gamma_s h^2 / 2)
        D_1 = cot X + tan(X + phi),   D_2 = cot X + cot^2 X / cot phi,   X = 45 deg - phi/2

    sigma and theta_1 are those of ``WongReece`` at zero slip under the load, on the same soil.

    The soil beside a ploughing wheel presses on the whole sunken chord, at the sinkage for slip and slip
    angle (see ``side_softening`` of ``WongReece``),

        F_y = shear + sin(alpha) int R_b(h) dx

    The shear is that of zero slip on the soil softened by the slip angle; shear and thrust oppose the
    sliding velocity together (``combined="sliding"``), the pressure opposes the lateral velocity.

    alpha: slip angle; theta: angle on the rim from the vertical; r, b: radius and width of the wheel;
    c, phi: cohesion and friction angle of the soil; x: along the sunken chord.

    Arguments:
        shear_modulus: shear deformation modulus sideways, K_y [m]; None: the soil's K.
        unit_weight: weight density of the soil, gamma_s [N/m^3], at least 0.
        bulldozing: whether to include the resistance R_b of the soil beside the wheel.
        ploughing: whether the wheel ploughs; needs the law "wong-reece" and ``combined="sliding"``.

    Raises: ValueError: naming the field, its value and the allowed range.

    Source: Ishigami, Miwa, Nagatani and Yoshida (2007), J. Field Robotics 24, 233, which quotes Hegedus'
    estimate of R_b.
    Differs from the source: the bulldozing grows with the displacement, like the shear, without a
    discontinuity at zero slip angle; the law is that of zero slip (thrust and lateral force are combined
    later, which replaces the source's factor ``1 - s`` in j_y); the contact ends below the axle.
    """

    shear_modulus: Annotated[float, above(0.0, "m")] | None = None
    unit_weight: Annotated[float, at_least(0.0, "N/m^3")] = 15e3
    bulldozing: bool = True
    ploughing: bool = False

    @property
    def number(self) -> int:
        """Number of this law among the lateral laws of the compiled step."""
        return column.PLOUGHING if self.ploughing else column.SAMPLED

    def wheel(
        self,
        soil: BekkerSoil,
        radius: float,
        width: float,
        load: ArrayLike,
        slip: ArrayLike,
        slip_angle: ArrayLike,
        law: WongReece | None = None,
    ) -> SlidingWheel:
        """Ploughing wheel in steady motion; load, slip and slip angle broadcast.

        Arguments: radius, width [m]; load [N]; slip: driving slip along the heading, in [-1, 1];
        slip_angle: angle beta of the velocity from the heading [rad], |beta| < pi/2; law: law of the
        stresses, None: ``WongReece()``.

        Raises: ValueError: values outside their ranges; a law that does not plough.
        """
        from .kernels.wheel.law_entry import steady_over

        if not self.ploughing:
            raise ValueError(
                "WongReeceLateral: wheel() needs ploughing=True; without it a step has the table of "
                "lateral_ratio"
            )
        p, rows, shape = wheel_rows(law or WongReece(), soil, radius, width, load, slip, slip_angle)
        load, slip, angle = rows
        if not (np.abs(angle) < 0.5 * math.pi).all():
            raise ValueError(f"WongReeceLateral: slip_angle = {angle} rad must be within +-pi/2")
        out = np.empty((load.size, 4))
        side = self.parameters(Tyre(2.0 * radius, width, 0.5 * radius), soil)
        steady_over(p, side, load, slip, np.tan(np.abs(angle)), out)
        theta_1, pull, side_force, turning = out.T.reshape(4, *shape)
        sign = np.sign(angle).reshape(shape)
        return SlidingWheel(
            theta_1[()],
            (radius * (1.0 - np.cos(theta_1)))[()],
            pull[()],
            (sign * side_force)[()],
            (radius * turning)[()],
        )

    def lateral_ratio(
        self, slip_angle: ArrayLike, load: ArrayLike, tyre: Tyre, soil: BekkerSoil
    ) -> NDArray[np.float64]:
        """Size of F_y / F_n with the sign of the slip angle [rad]; broadcasts over the load [N]."""
        need_bekker("WongReeceLateral", "soil", soil)
        if self.ploughing:
            raise ValueError(
                "WongReeceLateral: the lateral force of a wheel that ploughs depends on its slip too; "
                "take wheel(...)"
            )
        angle, load = np.broadcast_arrays(np.asarray(slip_angle, float), np.asarray(load, float))
        wheel = WongReece().wheel(soil, tyre.radius, tyre.width, load, 0.0)
        return self._ratio(angle, load, np.asarray(wheel.entry_angle), tyre, soil)[()]

    def trail(
        self, slip_angle: ArrayLike, load: ArrayLike, tyre: Tyre, soil: BekkerSoil
    ) -> NDArray[np.float64]:
        """Distance of the lateral force behind the axle [m], negative: ahead; arguments as for
        ``lateral_ratio``.

        ``t = -int r sin(theta) dF_y / F_y``: the contact ends below the axle, so that the force acts
        ahead and turns a steered wheel further in. The distance is smaller at small slip angles, since
        the shear grows from the entry backwards.
        """
        need_bekker("WongReeceLateral", "soil", soil)
        angle, load = np.broadcast_arrays(np.asarray(slip_angle, float), np.asarray(load, float))
        angle = np.maximum(np.abs(angle), 1e-6)
        wheel = WongReece().wheel(soil, tyre.radius, tyre.width, load, 0.0)
        force, moment = self._integrals(angle, np.asarray(wheel.entry_angle), tyre, soil)
        return (-moment / force)[()]

    def _ratio(self, angle, load, theta_1, tyre: Tyre, soil: BekkerSoil) -> NDArray[np.float64]:
        """F_y / F_n at slip angles and entry angles theta_1 [rad] under loads [N]."""
        return np.sign(angle) * self._integrals(angle, theta_1, tyre, soil)[0] / load

    def _integrals(
        self, angle, theta_1, tyre: Tyre, soil: BekkerSoil
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Size of F_y [N], and its moment about the vertical through the axle [N m], positive if F_y
        acts ahead of the axle."""
        r, tan_phi = tyre.radius, math.tan(soil.friction_angle)
        d_1, d_2 = _passive(soil)
        far = r * np.abs(np.tan(angle)) / (self.shear_modulus or soil.shear_modulus)
        total = np.zeros(np.broadcast_shapes(np.shape(angle), np.shape(theta_1)))
        moment = np.zeros_like(total)
        middle = soil.c_1 * theta_1
        for x, w in zip(_NODES, _WEIGHTS, strict=True):
            # substitution x^4: it makes the fractional power of the stress at both ends smooth
            step, lies = 4.0 * x**3 * w, theta_1 - (theta_1 - middle) * x**4
            drop = np.cos(lies) - np.cos(theta_1)
            sigma = soil.modulus(tyre.width) * (r * drop) ** soil.n
            for theta, span in ((lies, theta_1 - middle), (middle * x**4, middle)):
                h = r * (np.cos(theta) - np.cos(theta_1))
                force = r * tyre.width * (soil.cohesion + sigma * tan_phi)
                if self.bulldozing:
                    pressure = d_1 * (soil.cohesion * h + 0.5 * d_2 * self.unit_weight * h * h)
                    force = force + pressure * (r - h * np.cos(theta))
                part = step * span * force * -np.expm1(-far * (theta_1 - theta))
                total += part
                moment += part * r * np.sin(theta)
        return total, moment

    def parameters(self, tyre: Tyre, soil: BekkerSoil) -> NDArray[np.float64]:
        """Parameter array of this law's kernel: a table over slip angle and load; for a ploughing wheel
        D_1 c [Pa] and D_1 D_2 gamma_s / 2 [N/m^3] (0 without bulldozing), and K / K_y."""
        need_bekker("WongReeceLateral", "soil", soil)
        if self.ploughing:
            d_1, d_2 = _passive(soil) if self.bulldozing else (0.0, 0.0)
            faster = soil.shear_modulus / (self.shear_modulus or soil.shear_modulus)
            return np.array([d_1 * soil.cohesion, 0.5 * d_1 * d_2 * self.unit_weight, faster])
        return _table(self, tyre, soil)


def _passive(soil: BekkerSoil) -> tuple[float, float]:
    """Factors D_1 and D_2 [-] of the pressure R_b beside a wheel (``WongReeceLateral``)."""
    cot = 1.0 / math.tan(0.25 * math.pi - 0.5 * soil.friction_angle)
    d_1 = cot + math.tan(0.25 * math.pi + 0.5 * soil.friction_angle)
    return d_1, cot + cot * cot * math.tan(soil.friction_angle)


@functools.lru_cache(maxsize=64)  # shared by all wheels of a vehicle
def _table(law: WongReeceLateral, tyre: Tyre, soil: BekkerSoil) -> NDArray[np.float64]:
    """Ratio F_y / F_n over slip angle and load, as a table of ``kernels.laws.sampled``.

    In place of the slip the table has the slip angle over 90 degrees; the table's resistance is zero.
    """
    most = WongReece().deepest_load(soil, tyre.radius, tyre.width)
    # least load of the table: 50 N, or 1 % of ``most`` if that is less
    logs = np.linspace(math.log(min(50.0, 0.01 * most)), math.log(0.99 * most), _LOADS)
    load = np.exp(logs)
    theta_1 = np.asarray(WongReece().wheel(soil, tyre.radius, tyre.width, load, 0.0).entry_angle)
    angle = np.linspace(0.0, 0.5 * math.pi, _ANGLES)[:, None]
    mu = law._ratio(angle, load, theta_1, tyre, soil)
    scalars = np.stack([0.0 * load, 0.0 * load, mu[-1]], axis=1)
    head = [_ANGLES, _LOADS, logs[0], logs[1] - logs[0]]
    return np.concatenate([head, scalars.ravel(), mu.ravel(), -mu.ravel(), np.zeros(2 * mu.size)])
