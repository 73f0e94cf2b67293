"""Engine: torque over speed and throttle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from .. import checks
from ..joints.coupling import Coupling
from ..signals import Signal, check_signal
from .fuel import FuelGrid, Map
from .outside_table import engine_tables


@dataclass(frozen=True)
class Braking:
    """Pairs (speed, braking torque) that take energy at every speed, also beyond the table's ends."""

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


Motoring = Annotated[tuple[tuple[float, float], ...], Braking()]


@dataclass(frozen=True, kw_only=True)
class Engine(Coupling):
    """``T = throttle T_full(omega) - (1 - throttle) T_drag(omega)`` on the crankshaft's hinge.

    The implicit row of a damper, ``e = 1/(h c)``, ``b = -(T + c omega)/c`` with T at the start of the
    step and c = -dT/domega: a governor, however steep, is stable at any step. Between two points of
    different slope c is that of the chord to the speed which the crankshaft alone would reach in the
    step, if that is steeper. Where the torque rises with the speed it is the one at the start of the
    step.

    Outside its table an engine gives no energy, it takes some by compression and friction. Above the
    last speed the governor takes the torque away, along the last slope or within 5 % of that speed, and
    no fuel is burnt any more: ``T = -T_drag``, or what is left below 0 at the last speed. Turned
    backward it resists with the torque of standstill, times the throttle, and with its friction, the
    mirror image of that forward. There is no starter: from the first speed down to standstill the first
    slope goes on, and what turns an engine is its throttle.

    Arguments:
        name: unique name.
        joint: hinge of the crankshaft on its housing.
        full_load: pairs (speed [rad/s], torque [N m]) at full throttle.
        motoring: pairs (speed [rad/s], braking torque [N m]) at closed throttle; may be empty. Torques
            of forward speeds are at least 0 and do not fall at the table's ends.
        throttle: signal in [0, 1]; an input beyond is clamped.
        fuel_map: triples (speed [rad/s], torque [N m], fuel [kg/s]) on a grid, for what a run tells
            (:meth:`bodies.Trajectory.trade`); the torque does not depend on it. May be empty.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    joint: str
    full_load: tuple[tuple[float, float], ...]
    motoring: tuple[tuple[float, float], ...] = ()
    throttle: Signal = 1.0
    fuel_map: Map = ()

    row: ClassVar[str] = "driveline.engine"
    compliant: ClassVar[bool] = True
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"throttle": (0.0, 1.0)}

    def __post_init__(self) -> None:
        object.__setattr__(self, "full_load", checks.table(self.who, "full_load", self.full_load))
        if self.motoring != ():
            object.__setattr__(self, "motoring", Braking()(self.who, "motoring", self.motoring))
        check_signal(self.who, "throttle", self.throttle, *self.signal_ranges["throttle"])
        if self.fuel_map != ():
            object.__setattr__(self, "fuel_map", FuelGrid()(self.who, "fuel_map", self.fuel_map))

    def terms(self) -> tuple[tuple[str, float], ...]:
        return ((self.joint, 1.0),)

    def signals(self) -> tuple[Any, ...]:
        return (self.throttle,)

    def tables(self) -> tuple[Any, ...]:
        return engine_tables(self.full_load, self.motoring)
