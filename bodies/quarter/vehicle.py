"""The quarter vehicle, described: one wheel, its share of the vehicle, what drives and holds it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from contact import WheelContact, checks

from ..signals import Schedule

#: Standard gravity of the paper's examples [m/s^2].
GRAVITY = 9.81


@dataclass(frozen=True)
class QuarterVehicle:
    """A wheel that carries a mass, in the vertical plane of its heading.

    Three velocities: v_x and v_z of the mass (and wheel centre) along and normal to the ground,
    and the wheel's spin omega.

    Arguments:
        mass: carried by the wheel, its own included [kg].
        wheel_inertia: I_y about the axle, driveline included [kg m^2].
        wheel: tyre, soil, law and regularisation.
        torque: drive torque on the wheel over time [N m], sampled at the middle of each step.
        pull: coefficient of the pull that resists the vehicle, ``F = pull v_x |v_x|`` [N s^2/m^2].
            The paper's pull grows with speed and is not given; the steady slip does not depend on it.
        brake: largest brake torque [N m], a bounded row between wheel and vehicle.
        slope: grade of the ground, rise over run [-], positive uphill.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    mass: float
    wheel_inertia: float
    wheel: WheelContact
    torque: Schedule = field(default_factory=lambda: Schedule.constant(0.0))
    pull: float = 0.0
    brake: float = 0.0
    slope: float = 0.0

    def __post_init__(self) -> None:
        owner = "QuarterVehicle"
        checks.positive(owner, "mass", self.mass, unit="kg")
        checks.positive(owner, "wheel_inertia", self.wheel_inertia, unit="kg m^2")
        checks.within(owner, "pull", self.pull, 0.0, unit="N s^2/m^2")
        checks.within(owner, "brake", self.brake, 0.0, unit="N m")
        checks.within(owner, "slope", self.slope, -10.0, 10.0)

    @property
    def angle(self) -> float:
        """Inclination of the ground [rad]."""
        return math.atan(self.slope)

    @property
    def static_load(self) -> float:
        """Normal force at rest F_n = m g cos(angle) [N]."""
        return self.mass * GRAVITY * math.cos(self.angle)
