"""The quarter vehicle as a co-simulation unit.

Built by  ``python -m benchmarks.host_cases.quarter_unit --out QuarterVehicle.fmu [--fmi 2]``
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

import bodies
from bodies.vehicle import wheel_readings
from contact.hosts.fmu import build
from wheelground.reports.cli import refuse_bad_input
from wheelground.reports.quarter.case import QuarterVehicleCase


class QuarterVehicleUnit:
    """Unit of wheel, carried mass and ground (Peiret et al., Table 1); drive torque in, motion out.

    A communication step is divided into equal steps of at most ``step``, all under the same torque.
    """

    title = "Quarter vehicle on soft ground (Peiret et al., Table 1)"
    parameters: ClassVar[dict[str, tuple[Any, str, str]]] = {
        "step": (1e-3, "s", "largest step of its own"),
        "vehicle_mass": (1000.0, "kg", "mass of the vehicle, a quarter of it on the wheel"),
        "cone_index": (4e5, "Pa", "cone index of the soil"),
        "deflection_ratio": (0.0, "", "tyre deflection over section height"),
        "pull": (50.0, "N s^2/m^2", "coefficient of the pull that resists the vehicle"),
        "slope": (0.0, "", "rise over run of the ground"),
        "regularisation": ("implicit", "", "scheme of the ground law"),
    }
    inputs: ClassVar[dict[str, tuple[float, str, str]]] = {
        "drive_torque": (0.0, "N m", "drive torque on the wheel")
    }
    outputs: ClassVar[dict[str, tuple[float, str, str]]] = {
        name: (0.0, unit, said)
        for name, unit, said in (
            ("x", "m", "distance"),
            ("z", "m", "height of the wheel centre"),
            ("v_x", "m/s", "forward speed"),
            ("v_z", "m/s", "vertical speed"),
            ("omega", "rad/s", "wheel speed"),
            ("slip", "", "slip ratio"),
            ("load", "N", "normal force"),
            ("traction", "N", "traction"),
            ("resistance", "N", "motion resistance"),
            ("residual", "", "largest natural residual"),
            ("missed", "", "number of steps that missed their tolerance"),
        )
    }

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        for table in (self.parameters, self.inputs, self.outputs):
            self.values.update({name: start for name, (start, _, _) in table.items()})

    def start(self) -> None:
        """Compile the vehicle from the parameters; it stands in static equilibrium."""
        p = self.values
        case = QuarterVehicleCase(
            p["step"], 20.0, p["deflection_ratio"], p["vehicle_mass"], 0.25, p["cone_index"],
            p["pull"], p["slope"],
        )  # fmt: skip
        vehicle = case.vehicle(p["regularisation"], torque="drive_torque")
        self.sim = bodies.Simulation(bodies.compile(vehicle.mechanism()), p["step"])

    def step(self, time: float, h: float) -> None:
        """Take the steps from ``time`` to ``time + h``."""
        steps = max(1, int(np.ceil(h / self.values["step"] - 1e-9)))
        if abs(self.sim.step - h / steps) > 1e-12 * h:
            self.sim = bodies.Simulation(self.sim.model, h / steps, state=self.sim.state())
        sim = self.sim
        sim.set_input("drive_torque", self.values["drive_torque"])
        sim.run(steps)
        (x, _, z), (v_x, _, v_z) = sim.position("wheel").tolist(), sim.velocity("wheel").tolist()
        wheel = wheel_readings(sim)["wheel"]
        self.values.update(
            x=x, z=z, v_x=v_x, v_z=v_z, omega=float(sim.angular_velocity("wheel")[1]),
            slip=wheel.slip, load=wheel.load, traction=wheel.traction, resistance=wheel.resistance,
            residual=sim.residual(), missed=float(sim.missed),
        )  # fmt: skip


def main(out: Path = Path("QuarterVehicle.fmu"), *, fmi: Literal["2", "3"] = "3") -> None:
    """Build the quarter vehicle as a co-simulation unit.

    Parameters
    ----------
    out
        File to write.
    fmi
        Version of the standard, 3 or 2.
    """
    with refuse_bad_input():
        print(build("benchmarks.host_cases.quarter_unit:QuarterVehicleUnit", out, int(fmi)))


if __name__ == "__main__":
    import cyclopts

    cyclopts.run(main)
