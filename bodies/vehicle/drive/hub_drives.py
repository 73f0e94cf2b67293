"""Hub drives: an electric motor in every wheel, with separate controls left and right."""

from __future__ import annotations

from dataclasses import dataclass

from ... import checks
from ...driveline import ElectricMotor
from ...driveline.engine import Motoring
from ...kinds import EngineMap, Name
from ..part import SIDES, Assembly, Part
from ..rolling import axle_of
from .engine import radians


@dataclass(frozen=True, kw_only=True)
class HubDrives(Part):
    """A geared motor at each wheel of some axles; different commands left and right steer the vehicle.

    Arguments:
        axles: names of driven axles, or of single wheels, which follow the control ``left``.
        full_load: pairs (speed [rpm], torque [N m]) of a wheel at the command 1, see
            :class:`bodies.ElectricMotor`; the wheels' inertia includes the rotors.
        motoring: pairs (speed [rpm], braking torque [N m]) at the command 0; may be empty.
        left, right: names of the motors' controls, -1 (back) to 1; one name for both if wheels steer.
    """

    axles: tuple[Name, ...]
    full_load: EngineMap
    motoring: Motoring = ()
    left: Name = "left"
    right: Name = "right"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.axles:
            raise checks.MechanismError(f"{self.who}: axles must name at least one axle, got ().")

    def ready(self, to: Assembly) -> bool:
        there = {w for name in to.wheel_names for w in (name, axle_of(name))}
        return there.issuperset(self.axles)

    def build(self, to: Assembly) -> None:
        wheels = to.wheel_names
        for axle in self.axles:
            single = axle in wheels
            for (side, _), command in zip(SIDES, (self.left, self.right), strict=True):
                wheel = axle if single else f"{axle}_{side}"
                if wheel not in wheels:
                    known = {axle_of(name) for name in wheels}
                    raise checks.UnknownName(f"{self.who}: axle", axle, known)
                to.add(
                    ElectricMotor(
                        name=f"{wheel} motor",
                        joint=f"{wheel} hub",
                        full_load=radians(self.full_load),
                        motoring=radians(self.motoring),
                        command=to.control(command),
                    )
                )
                if single:
                    break
