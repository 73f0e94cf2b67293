"""Figs 1 to 7 of Peiret et al. in one folder: 1 to 3 from the equations, 4 to 7 from simulations."""

from __future__ import annotations

from pathlib import Path

from ..full.case import FullVehicleCase as VehicleCase
from ..full.case import run_case as drive
from ..full.figures import forces_and_slip, vehicle_picture
from ..quarter.case import SCHEMES, QuarterVehicleCase, steady_state
from ..quarter.figures import forces_and_velocities, thrust_over_slip
from ..quarter.runs import run_case
from . import linearisations, slip_ratio, wheel_forces


def draw(folder: Path) -> list[Path]:
    """Write every picture into a folder; return the paths of the files, Fig 1 first."""
    case, vehicle = QuarterVehicleCase(), drive(VehicleCase(), "global")
    runs, steady = [run_case(case, scheme, "direct") for scheme in SCHEMES], steady_state(case)
    return [
        wheel_forces.draw(folder / "forces_on_a_wheel.png"),
        slip_ratio.draw(folder / "slip_ratio.png"),
        linearisations.draw_lines(folder / "law_and_lines.png"),
        linearisations.draw_steps(folder / "one_step.png"),
        thrust_over_slip(case, runs, steady, folder / "quarter_vehicle_thrust_over_slip.png"),
        forces_and_velocities(case, runs, steady, folder / "quarter_vehicle_over_time.png"),
        vehicle_picture(vehicle.simulation, folder / "full_vehicle.png"),
        forces_and_slip(vehicle, folder / "full_vehicle_forces_and_slip.png"),
    ]
