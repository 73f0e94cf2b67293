"""Table 1 of Peiret et al. as a case: options, vehicle, and exact steady state."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from contact import REGULARISATIONS, BekkerSoil, ConeIndexSoil, Tyre, WheelContact, checks
from contact.slip import V_0

from .closed_form import SteadyState, steady_driving

#: Torque of the test in Table 1: ramp to PEAK [N m] in RAMP [s], then constant until DURATION [s].
PEAK, RAMP, DURATION = 600.0, 10.0, 20.0
SCHEMES = tuple(REGULARISATIONS)
SOLVERS = ("pgs", "osqp", "direct")


@dataclass(frozen=True)
class QuarterVehicleCase:
    """Quarter-vehicle test with the options of the command line.

    vehicle_mass [kg] times wheel_share is the mass on the wheel; deflection_ratio: tyre deflection over
    section height, or None for the tyre's own model at 2 bar; cone_index [Pa]; pull [N s^2/m^2]; slope
    [-]; brake [N m]; initial_speed [m/s]; v_0 [m/s]; step, duration [s].
    """

    step: float = 1e-3
    duration: float = DURATION
    deflection_ratio: float | None = 0.0
    vehicle_mass: float = 1000.0
    wheel_share: float = 0.25
    cone_index: float = 4e5
    pull: float = 50.0
    slope: float = 0.0
    brake: float = 0.0
    initial_speed: float = 0.0
    v_0: float = V_0

    def __post_init__(self) -> None:
        checks.positive("quarter vehicle", "step", self.step, unit="s")
        checks.positive("quarter vehicle", "duration", self.duration, unit="s")
        checks.positive("quarter vehicle", "vehicle_mass", self.vehicle_mass, unit="kg")
        checks.within("quarter vehicle", "wheel_share", self.wheel_share, 0.0, 1.0, open_low=True)
        checks.within("quarter vehicle", "initial_speed", self.initial_speed, -100.0, 100.0, unit="m/s")
        if self.duration < self.step:
            raise ValueError(
                f"quarter vehicle.duration = {self.duration:g} s must be at least one step of "
                f"{self.step:g} s"
            )
        self.vehicle("implicit")  # raises for invalid fields

    def wheel(self, scheme: str, **changes) -> WheelContact:
        """Wheel of Table 1 under a regularisation scheme, with ``changes`` of its fields."""
        tyre = Tyre(
            diameter=0.762,
            width=0.2,
            section_height=0.14,
            pressure=2e5,
            deflection_ratio=self.deflection_ratio,
        )
        soil, base = ConeIndexSoil(self.cone_index), BekkerSoil.sandy_loam()
        plain = {"sinkage": "bekker"}  # other laws of sinkage need a tyre that deflects
        return WheelContact(tyre, soil, base, "brixius", scheme, self.v_0, **plain | changes)

    def vehicle(self, scheme: str, **changes) -> QuarterVehicle:
        """Vehicle of Table 1 under a regularisation scheme, with ``changes`` of its fields."""
        described = QuarterVehicle(
            mass=self.vehicle_mass * self.wheel_share,
            wheel_inertia=6.0,
            wheel=self.wheel(scheme),
            torque=Schedule.ramp(PEAK, RAMP),
            pull=self.pull,
            brake=self.brake,
            slope=self.slope,
        )
        return replace(described, **changes)

    @property
    def as_in_table_1(self) -> bool:
        """True if all options that affect the published behaviour are those of Table 1."""
        plain = QuarterVehicleCase(deflection_ratio=self.deflection_ratio)
        return self == replace(plain, pull=self.pull) and self.pull > 0.0

    @property
    def measured_as_table_1(self) -> bool:
        """True if load, soil and torque, and therefore the slips, are those of Table 1."""
        plain = QuarterVehicleCase(deflection_ratio=self.deflection_ratio)
        names = ("vehicle_mass", "wheel_share", "cone_index", "slope", "brake", "initial_speed")
        return all(getattr(self, name) == getattr(plain, name) for name in names)


def steady_state(case: QuarterVehicleCase) -> SteadyState:
    """Closed form of the steady state under the constant torque PEAK."""
    return steady_driving(case.vehicle("implicit"), PEAK)
