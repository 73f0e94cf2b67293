"""The quarter vehicle: one wheel with its mass, drive and brake."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from contact import WheelContact, checks
from contact.rigid import Plane
from mlcp.kinds import above, at_least, within

from ..body import Body
from ..checks import checked, flag
from ..driveline import Brake
from ..forces import Drag, Gravity, Torque
from ..joints import Planar
from ..mechanism import Mechanism
from ..signals import Signal, check_signal
from ..wheel import Wheel

#: Standard gravity in the examples of Peiret et al. [m/s^2].
GRAVITY = 9.81


@dataclass(frozen=True)
@checked
class QuarterVehicle:
    """A wheel with a mass in planar motion, in the vertical plane of its heading.

    There are three velocities: v_x and v_z of the mass (and wheel centre) along and normal to the
    ground, and the wheel's spin omega.

    Arguments:
        mass: mass on the wheel, including that of the wheel [kg].
        wheel_inertia: moment of inertia I_y about the axle, with the driveline [kg m^2].
        wheel: tyre, soil, law and regularisation.
        torque: drive torque on the wheel, forward positive [N m]: a number, a schedule over time
            (evaluated in the middle of each step), or the name of an input, initially 0.
        pull: coefficient of a resisting pull, ``F = pull v |v|`` [N s^2/m^2]. In Peiret et al. the pull
            grows with the speed, but no numbers are given; the steady slip does not depend on this law.
        brake: largest torque of a brake between wheel and vehicle [N m].
        slope: grade of the ground, rise over run [-], positive uphill.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    mass: Annotated[float, above(0.0, "kg")]
    wheel_inertia: Annotated[float, above(0.0, "kg m^2")]
    wheel: WheelContact
    torque: Signal = 0.0
    pull: Annotated[float, at_least(0.0, "N s^2/m^2")] = 0.0
    brake: Annotated[float, at_least(0.0, "N m")] = 0.0
    slope: Annotated[float, within(-10.0, 10.0)] = 0.0

    def __post_init__(self) -> None:
        check_signal("QuarterVehicle", "torque [N m]", self.torque)

    @property
    def angle(self) -> float:
        """Inclination of the ground [rad]."""
        return math.atan(self.slope)

    @property
    def static_load(self) -> float:
        """Normal force at rest [N], F_n = m g cos(angle); m: ``mass``, g: gravity, angle: ``angle``."""
        return self.mass * GRAVITY * math.cos(self.angle)

    def mechanism(self, speed: float = 0.0, *, hard: bool = False, ground: Any = None) -> Mechanism:
        """Mechanism of a body ``"wheel"`` on a planar joint, with a wheel of that name.

        x is along the ground, z normal to it.

        Arguments:
            speed: initial speed [m/s], rolling without slip, in static equilibrium on tyre and soil.
            hard: whether the wheel is on hard, elastic ground instead of soil.
            ground: plane or height field; default: the plane z = 0.

        Raises:
            ValueError: a speed that is not finite; a load that tyre and soil cannot carry.
        """
        speed = checks.finite("QuarterVehicle.mechanism", "speed", speed)
        tyre = self.wheel.tyre
        rolls: dict[str, Any] = {"ground": Plane() if ground is None else ground}
        if flag("QuarterVehicle.mechanism", "hard", hard):
            sunk = self.static_load / tyre.stiffness
            rolls |= {"radius": tyre.radius, "width": tyre.width, "stiffness": tyre.stiffness}
        else:
            sunk = self.wheel.static_compression(self.static_load)
            rolls["soil"] = self.wheel
        centre = (0.0, 0.0, tyre.radius - sunk)
        wheel = Body(
            "wheel",
            self.mass,
            (self.wheel_inertia,) * 3,
            centre,
            velocity=(speed, 0.0, 0.0),
            angular_velocity=(0.0, speed / tyre.radius, 0.0),
        )
        elements: list[Any] = [
            Planar(name="plane", body_a="ground", body_b="wheel", position=centre, axis=(0.0, 1.0, 0.0)),
            Torque(name="drive", joint="plane", effort=self.torque),
        ]
        if self.pull > 0.0:  # pull as a drag: 1/2 rho c_d A v^2 = pull v^2
            elements.append(
                Drag(name="pull", body="wheel", area=1.0, coefficient=2.0 * self.pull, density=1.0)
            )
        if self.brake > 0.0:
            elements.append(Brake(name="brake", joint="plane", capacity=self.brake, pressure=1.0))
        down = (-GRAVITY * math.sin(self.angle), 0.0, -GRAVITY * math.cos(self.angle))
        return Mechanism(
            "quarter vehicle",
            (wheel,),
            tuple(elements),
            wheels=(Wheel(name="wheel", body="wheel", centre=centre, **rolls),),
            gravity=Gravity(down),
            inputs={self.torque: 0.0} if isinstance(self.torque, str) else {},
        )
