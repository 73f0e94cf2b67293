"""Engine: torque over speed and throttle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from .. import checks
from ..joints.coupling import Coupling
from ..kinds import Pairs, Table
from ..signals import Signal
from .fuel import FuelMap
from .outside_table import engine_tables


@dataclass(frozen=True)
class Braking:
    """Check of pairs (speed, braking torque): dissipative at every speed, also outside the table."""

    def __call__(self, who: str, field: str, value: Any) -> tuple[tuple[float, float], ...]:
        table = checks.table(who, field, value)
        for speed, torque in table:
            if torque < 0.0 < speed or speed < 0.0 < torque or (speed == 0.0 and torque < 0.0):
                raise checks.MechanismError(
                    f"{who}: {field} is a braking torque, against the rotation: at speed {speed:g} it "
                    f"must be {'at least' if speed >= 0.0 else 'at most'} 0, got {torque:g}."
                )
        for (x, low), (y, high), end in ((*table[:2], "first"), (*table[-2:], "last")):
            if high < low:
                raise checks.MechanismError(
                    f"{who}: {field} must not fall between its {end} two speeds ({low:g} at {x:g}, "
                    f"{high:g} at {y:g}): that slope goes on beyond the table, and would drive."
                )
        return table


Motoring = Annotated[Pairs, Braking()]


@dataclass(frozen=True, kw_only=True)
class Engine(Coupling):
    """Torque ``T = throttle T_full(omega) - (1 - throttle) T_drag(omega)`` on the crankshaft's hinge.

    The row is that of a damper, ``omega+ + e p + b = 0`` with ``e = 1/(h c)``, ``b = -(T + c omega)/c``
    (omega+: speed at the end of the step, p: impulse, h: step length). T and c = -dT/domega are taken
    at the step's start. The chord to the speed that the crankshaft alone would have at the end of the
    step replaces the tangent if the chord is steeper, so that a governor of any steepness is stable at
    any step length. A torque that rises with the speed is explicit (c = 0).

    Above its table and turned backward an engine supplies no energy. Above the last speed the torque
    falls to ``T = -T_drag`` (no fuel), or to the torque of the last speed if that is negative: along the
    last slope, but within 5 % of the last speed (governor). Turned backward, the engine resists with the
    full-load torque of standstill times the throttle, and with its friction, an odd function of the
    speed. There is no starter: the first slope is extrapolated to standstill, so that the throttle
    starts the engine.

    Arguments:
        name: unique name.
        joint: hinge of the crankshaft on its housing.
        full_load: pairs (speed [rad/s], torque [N m]) at full throttle.
        motoring: pairs (speed [rad/s], braking torque [N m]) at closed throttle; may be empty. At
            forward speeds the braking torques are at least 0 and do not fall at the table's ends.
        throttle: signal in [0, 1]; an input is clamped to this range.
        fuel_map: triples (speed [rad/s], torque [N m], fuel [kg/s]) on a grid, for reports
            (:meth:`bodies.Trajectory.tractive_performance`); it has no effect on the torque; may be
            empty.
    """

    joint: str
    full_load: Table
    motoring: Motoring = ()
    throttle: Signal = 1.0
    fuel_map: FuelMap = ()

    row: ClassVar[str] = "driveline.engine"
    compliant: ClassVar[bool] = True
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"throttle": (0.0, 1.0)}

    def tables(self) -> tuple[Any, ...]:
        return engine_tables(self.full_load, self.motoring)
