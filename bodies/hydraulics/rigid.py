"""Cylinders without oil: the lever sets the speed of the piston."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from mlcp.kinds import Range

from ..joints import Coupling
from .circuit import Branch, Circuit
from .pump import ConstantPressure

POINTS = 33  # points of the speed table at levers from 0 to 1, in addition to the valve's own points


@dataclass(frozen=True, kw_only=True)
class RigidPiston(Coupling):
    """Constraint row that sets the speed of a coordinate by a table over the lever, between two
    stops."""

    joint: str
    lever: Any
    speeds: tuple[tuple[float, float], ...]
    lower: Annotated[float, Range(finite=False)]
    upper: Annotated[float, Range(finite=False)]

    row: ClassVar[str] = "hydraulics.rigid_piston"

    @property
    def who(self) -> str:
        return f"cylinder {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        return (self.lower, self.upper)

    def signals(self) -> dict[str, Any]:
        return {"lever": self.lever}

    def tables(self) -> tuple[Any, ...]:
        return (self.speeds,)


def speeds(circuit: Circuit, branch: Branch) -> tuple[tuple[float, float], ...]:
    """Pairs (lever, speed [m/s]) of a cylinder without load.

    Behind a compensator, or with a load-sensing pump, the speed is ``A_i C_d sqrt(2 dp/rho)/A_d``, dp:
    the constant drop over the inlet. With a supply of constant pressure it is the speed at zero force::

        v^2 = (A_d P - A_b P_tank) / (A_d^3/(c A_i)^2 + A_b^3/(c A_o)^2),    c = C_d sqrt(2/rho)

    A_i, A_o: areas of the valve's inlet and outlet; A_d, A_b: piston areas of the driven chamber and of
    the opposite chamber; P: pressure of the supply; C_d, rho: discharge coefficient and density of the
    oil.
    """
    valve, fluid, pump = branch.valve, circuit.fluid, circuit.pump
    head, rod = branch.cylinder.areas
    discharge = fluid.discharge * math.sqrt(2.0 / fluid.density)
    knots = {x for table in (valve.inlet, valve.outlet) for x, _ in table if x <= 1.0}
    levers = sorted(knots | set(np.linspace(0.0, 1.0, POINTS).tolist()))

    def speed(lever: float, driven: float, back: float) -> float:
        a_in, a_out = (
            discharge * float(np.interp(lever, *np.transpose(table)))
            for table in (valve.inlet, valve.outlet)
        )
        if a_in == 0.0 or lever == 0.0:
            return 0.0
        if branch.compensator:
            return a_in * math.sqrt(branch.compensator.drop) / driven
        if not isinstance(pump, ConstantPressure):
            return a_in * math.sqrt(pump.margin) / driven
        force = driven * pump.pressure - back * fluid.tank
        if a_out == 0.0 or force <= 0.0:
            return 0.0
        return math.sqrt(force / (driven**3 / a_in**2 + back**3 / a_out**2))

    out = [(y, speed(y, head, rod)) for y in levers]
    back = [(-y, -speed(y, rod, head)) for y in reversed(levers) if y > 0.0]
    if not valve.reverse:
        return (*back, *out)
    return tuple((-y, v) for y, v in reversed((*back, *out)))


def rigid_piston(circuit: Circuit, branch: Branch, start: float) -> RigidPiston:
    """Constraint row of a rigid cylinder; ``start``: value of its coordinate [m] in the pose in which
    the bodies are described."""
    cylinder = branch.cylinder
    low = start - cylinder.extension if cylinder.stops else -math.inf
    return RigidPiston(
        name=cylinder.name,
        joint=cylinder.joint or "",
        lever=branch.valve.command,
        speeds=speeds(circuit, branch),
        lower=low,
        upper=low + cylinder.stroke if cylinder.stops else math.inf,
    )
