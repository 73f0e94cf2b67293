"""Report of the full-vehicle test: runs, tables, figures, JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bodies import SimulationError, vehicle
from contact import ConeIndexSoil

from .. import cli
from ..cli import checks_table, new_table, refuse_bad_input, save_results
from ..series import write_series
from ..verdict import Check, all_passed, recorded
from . import checks as promised
from .case import FullVehicleCase, FullVehicleRun, run_case, time_per_step
from .figures import forces_and_slip, rear_wheels, vehicle_picture
from .power import check_gain


def report(
    case: FullVehicleCase,
    schemes: tuple[str, ...],
    solvers: tuple[str, ...],
    out: Path,
    json_file: Path | None,
    bodies_list: bool,
) -> int:
    """Run all cases, check, draw and write; return the exit code, 0 if every check passed."""
    console = cli.console()
    columns = (TextColumn("{task.description:44}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=1.0)

        def work(what, action):
            progress.update(task, description=what, completed=0.0)
            return action(lambda share: progress.update(task, completed=share))

        with refuse_bad_input(SimulationError):  # a user's vehicle may be unfit for the test
            work("compiling (about a minute at the first run)", lambda tick: case.at_rest(schemes[0]))
        runs = [
            work(f"{a} / {b}", lambda tick, a=a, b=b: run_case(case, a, b, tick))
            for b in solvers
            for a in schemes
        ]
        lead = next((r for r in runs if (r.scheme, r.solver) == ("global", "direct")), runs[0])
        seconds = work("timing", lambda tick: time_per_step(lead))
        checks = promised.check_bodies(case) + promised.check_loads(case)
        checks += [promised.check_speed(case, lead), promised.check_shift(case, lead)]
        checks += work("steady state", lambda tick: promised.check_steady(case, lead))
        checks.append(promised.check_agreement(case, runs))
        more, others = promised.check_steps(case, schemes, lead, work)
        checks += [*more, promised.check_residual(runs)]
        checks.append(work("energy, step by step", lambda tick: check_gain(case, schemes)))
        checks.append(promised.check_time(lead, seconds))
        out.mkdir(parents=True, exist_ok=True)
        pictures = {
            "the paper's Fig. 7": forces_and_slip(lead, out / "full_vehicle_forces_and_slip.png"),
            "its numbers": write_series(out / "figure_7.csv", rear_wheels(lead)),
            "the vehicle": vehicle_picture(lead.simulation, out / "full_vehicle.png"),
        }
    describe(console, case, lead, seconds)
    if bodies_list:
        console.print(bodies_table(case))
    console.print(wheels_table(lead))
    console.print(runs_table(runs + others, lead))
    console.print(checks_table(checks))
    for name, picture in pictures.items():
        console.print(f"{name}: {picture}", soft_wrap=True)
    passed = all_passed(checks)
    save_results(json_file, as_dict(lead, runs + others, seconds, checks))
    console.print("[green]every check passed" if passed else "[red]a check failed")
    return 0 if passed else 1


def describe(console: Console, case: FullVehicleCase, lead: FullVehicleRun, seconds: float) -> None:
    """Print vehicle, soil and numbers of rows, and speed, errors and computing time of one run."""
    described = case.vehicle(lead.scheme)
    model = lead.simulation.model
    metres, radians = lead.simulation.joint_error()
    soil = described.wheel.soil
    soil = f"cone index {soil.cone_index / 1e3:g} kPa" if isinstance(soil, ConeIndexSoil) else str(soil)
    console.print(
        f"[bold]Full vehicle[/] (Peiret et al., section 4.2): {described.about}, {soil}, "
        f"h = {case.step:g} s\n"
        f"{len(model.body_index)} bodies, {len(model.joint_order)} joints, "
        f"{model.structure.rows} bilateral rows, {model.structure.channel_rows} contact channels; "
        f"{lead.scheme} / {lead.solver}: {lead.km_h:.3f} km/h, joint error {metres:.1e} m, "
        f"{radians:.1e} rad, residual {lead.simulation.residual():.1e}, "
        f"{1e6 * seconds:.1f} us a step, {case.step / seconds:.1f} times real time"
    )


def bodies_table(case: FullVehicleCase) -> Table:
    """Table of the bodies: mass [kg], moments of inertia [kg m^2], reason for modelling the body."""
    mechanism, reasons = case.vehicle("implicit").assemble()
    headings = "body", "kg", "kg m2", "why it is one of its own"
    table = new_table("bodies", headings, headings)
    for body in mechanism.bodies:
        inertia = ", ".join(f"{x:g}" for x in np.diag(body.inertia_array))
        table.add_row(body.name, f"{body.mass:g}", inertia, reasons[body.name])
    return table


def wheels_table(run: FullVehicleRun) -> Table:
    """Table of each wheel's final values."""
    headings = "wheel", "load [N]", "traction [N]", "resistance [N]", "slip"
    table = new_table("wheels at the end", headings, ("wheel",))
    for name, r in vehicle.wheel_readings(run.simulation).items():
        table.add_row(name, f"{r.load:.1f}", f"{r.traction:.1f}", f"{r.resistance:.1f}", f"{r.slip:.6f}")
    return table


def runs_table(runs: list[FullVehicleRun], lead: FullVehicleRun) -> Table:
    """Table with one line per run: speed at the end, and differences from the run ``lead`` in steady
    state, speed and slip."""
    table = Table(
        title="runs: km/h at the end, difference of the steady state from "
        f"{lead.scheme} / {lead.solver}, and speed [m/s] and rear slip on the way",
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
    )
    for name in ("scheme, solver", "h [s]"):
        table.add_column(name, no_wrap=True)
    for name in ("km/h", "apart", "m/s", "slip", "res.", "miss", "wall"):
        table.add_column(name, justify="right", no_wrap=True)
    for run in runs:
        speed, slip = largest_differences(run, lead)
        table.add_row(
            f"{run.scheme} {run.solver}",
            f"{run.step:.4f}",
            f"{run.km_h:.4f}",
            f"{promised.difference(lead, run):.0e}",
            f"{speed:.3f}",
            f"{slip:.3f}",
            f"{run.simulation.residual():.0e}",
            str(run.simulation.missed),
            f"{run.wall_s:.1f}",
        )
    return table


def largest_differences(run: FullVehicleRun, lead: FullVehicleRun) -> tuple[float, float]:
    """Largest differences of speed [m/s] and rear left slip from the run ``lead``, from 1 s on."""
    times = np.linspace(1.0, min(run.time[-1], lead.time[-1]), 200)

    def at(which: FullVehicleRun, values: np.ndarray) -> np.ndarray:
        return np.interp(times, which.time, values)

    speed = np.abs(at(run, run.speed) - at(lead, lead.speed)).max()
    slip = np.abs(
        at(run, run.history("rear_left", "slip")) - at(lead, lead.history("rear_left", "slip"))
    ).max()
    return float(speed), float(slip)


def as_dict(
    lead: FullVehicleRun, runs: list[FullVehicleRun], seconds: float, checks: list[Check]
) -> dict[str, Any]:
    """Dictionary of the results for a JSON file."""
    sim = lead.simulation
    metres, radians = sim.joint_error()
    listed = [
        {
            "regularisation": r.scheme,
            "solver": r.solver,
            "step_s": r.step,
            "steady_speed_km_h": r.km_h,
            "agreement": promised.difference(lead, r),
            "max_residual": r.simulation.residual(),
            "missed": r.simulation.missed,
            "max_joint_error_m": r.simulation.joint_error()[0],
            "max_joint_error_rad": r.simulation.joint_error()[1],
            "wall_s": r.wall_s,
        }
        for r in runs
    ]
    return {
        "bodies": len(sim.model.body_index),
        "joints": len(sim.model.joint_order),
        "rows": int(sim.model.structure.rows),
        "steady_speed_km_h": lead.km_h,
        "max_joint_error_m": metres,
        "max_joint_error_rad": radians,
        "max_residual": sim.residual(),
        "us_per_step": 1e6 * seconds,
        "real_time_factor": lead.step / seconds,
        "wheels": [
            {
                "name": n,
                "load_N": r.load,
                "traction_N": r.traction,
                "resistance_N": r.resistance,
                "slip": r.slip,
            }
            for n, r in vehicle.wheel_readings(sim).items()
        ],
        "runs": listed,
        **recorded(checks),
    }
