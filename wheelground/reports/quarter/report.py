"""Report of the quarter-vehicle test: runs, tables, figures, JSON."""

from __future__ import annotations

import dataclasses
import math
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from contact import OutsideValidity

from .. import cli
from ..cli import checks_table, new_table, save_results
from ..series import write_series
from ..task_bar import TaskBar
from ..verdict import Check, all_passed, recorded
from . import checks as promised
from .case import QuarterVehicleCase, SteadyState, steady_state
from .figures import forces_and_velocities, thrust_over_slip
from .input_checks import check_input, check_status
from .runs import QuarterVehicleRun, drive, referee, run_case, warm_up

REFERENCE_STEP = 1e-5  # step of the reference run [s]
REFERENCE_COST = 3.3  # computing time of the reference run on a quiet machine [s]
REFEREED = 200  # number of steps solved again by cvxpy
FIRST = "direct"  # solver of the first table and of the figures
Work = Callable[..., Any]  # ``TaskBar.work``
INTERRUPTED = 130  # exit code: 128 + SIGINT, as in a shell


def report(
    case: QuarterVehicleCase,
    schemes: tuple[str, ...],
    solvers: tuple[str, ...],
    out: Path,
    json_file: Path | None,
) -> int:
    """Run all cases, check, draw and write; return the exit code, 0 if every check passed.

    Pictures and a first table precede slower solvers and checks, and remain after an interruption.
    """
    with warnings.catch_warnings():
        if case.measured_as_table_1:  # no warning: ``describe`` prints the law's range of slip
            warnings.simplefilter("ignore", OutsideValidity)
        console = cli.console()
        steady = steady_state(case)
        describe(console, case, steady)
        first = FIRST if FIRST in solvers else solvers[0]
        others = tuple(solver for solver in solvers if solver != first)
        with TaskBar(console, "", planned(case, schemes, solvers)) as bar:
            work = bar.work
            runs = run_all(case, schemes, (first,), work)
            pictures = work("drawing", lambda: draw(case, runs, steady, out))
            console.print(runs_table(runs, steady))
            for name, path in pictures.items():
                console.print(f"{name}: {path}", soft_wrap=True)
            if sys.stdout.isatty():  # not in a file or a pipe
                others_too = f"the same with {' and '.join(others)}, and " if others else ""
                console.print(f"[dim]now {others_too}the checks; Ctrl-C ends it\n", soft_wrap=True)
            try:
                further = run_all(case, schemes, others, work)
                runs = sorted(runs + further, key=lambda run: schemes.index(run.scheme))
                checks = all_checks(case, schemes, solvers, runs, work)
            except KeyboardInterrupt:
                console.print("interrupted: nothing was checked; pictures and numbers above are written")
                return INTERRUPTED
        if further:
            console.print(runs_table(further, steady))
        console.print(checks_table(checks))
        passed = all_passed(checks)
        save_results(json_file, as_dict(case, runs, steady, checks))
        console.print("[green]every check passed" if passed else "[red]a check failed")
        return 0 if passed else 1


def run_all(
    case: QuarterVehicleCase, schemes: tuple[str, ...], solvers: tuple[str, ...], work: Work
) -> list[QuarterVehicleRun]:
    """Compile for the solvers, then run the case under every scheme with every solver."""
    if solvers:
        names = ", ".join(solvers)
        work(f"compiling for {names} (once per installation)", lambda: warm_up(case, solvers), 0.0)
    return [
        work(
            f"{scheme} / {solver}",
            lambda a=scheme, b=solver: run_case(case, a, b),
            expected_seconds(solver),
        )
        for scheme in schemes
        for solver in solvers
    ]


def expected_seconds(solver: str) -> float:
    """Expected time of a run of the case on a quiet machine [s], for the progress bar."""
    return 0.1 if solver in ("direct", "pgs", "newton") else 3.5


def planned(case: QuarterVehicleCase, schemes: tuple[str, ...], solvers: tuple[str, ...]) -> float:
    """Expected time of the whole program on a quiet machine [s]."""
    twice = len(schemes) + sum(scheme in promised.PROMISED for scheme in schemes)
    fine = len([scheme for scheme in promised.SMOOTH if scheme in schemes]) + ("set-valued" in schemes)
    return (
        1.0
        + twice * sum(map(expected_seconds, solvers))
        + 5.0
        + fine * REFERENCE_COST * case.as_in_table_1
    )


def all_checks(
    case: QuarterVehicleCase,
    schemes: tuple[str, ...],
    solvers: tuple[str, ...],
    runs: list[QuarterVehicleRun],
    work: Work,
) -> list[Check]:
    """Do all checks of the test; return them in the order of the report."""
    checks = [promised.check_steady(case, runs)]
    if case.deflection_ratio == 0.0:
        other = replace(case, deflection_ratio=0.2)
        compared = [] if promised.not_steady(other) else [s for s in schemes if s in promised.PROMISED]
        again = [
            work(f"delta/H 0.2, {a} / {b}", lambda a=a, b=b: run_case(other, a, b), expected_seconds(b))
            for a in compared
            for b in solvers
        ]
        checks.append(promised.check_steady(other, again))
    checks += [*promised.check_chatter(case, runs), promised.check_floor(case, runs)]
    checks.append(promised.check_validity(case))
    references: dict[str, QuarterVehicleRun] = {}

    def reference(scheme: str) -> QuarterVehicleRun:
        if scheme not in references:
            references[scheme] = work(
                f"{scheme} at h = 1e-5 s, the reference", lambda: fine_run(case, scheme), REFERENCE_COST
            )
        return references[scheme]

    fine = reference("implicit") if "implicit" in schemes and case.as_in_table_1 else None
    checks.append(promised.check_coarse(case, fine))
    checks += work("the whole vehicle on one wheel", lambda: promised.check_whole_vehicle(case, schemes))
    checks.append(work("40 % slope", lambda: promised.check_slope(case, schemes)))
    checks.append(work("braking, coasting", lambda: promised.check_stopping(case, schemes)))
    checks += promised.check_order(case, schemes, reference)
    set_valued = lambda: promised.check_slow_convergence(case, schemes, reference)  # noqa: E731
    checks.append(work("set-valued", set_valued, REFERENCE_COST))
    checks.append(promised.check_energy(case, runs))
    checks.append(promised.check_residual(runs))
    checks.append(work("cvxpy, the referee", lambda: check_referee(case, schemes)))
    checks += [check_input(), check_status()]
    checks.append(work("speed", lambda: promised.check_speed(case, runs)))
    return checks


def fine_run(case: QuarterVehicleCase, scheme: str) -> QuarterVehicleRun:
    """Reference run: the same case at a hundredth of the step, with a record every millisecond."""
    trajectory = drive(case.vehicle(scheme), case.duration, REFERENCE_STEP, record_every=100)
    return QuarterVehicleRun(scheme, "direct", trajectory, math.nan)


def check_referee(case: QuarterVehicleCase, schemes: tuple[str, ...]) -> Check:
    """Check that cvxpy finds the same velocities in a second solve of sampled steps."""
    count, gap, worst = referee(case, schemes, REFEREED)
    measured = (
        f"{count} sampled steps: our objective worse by at most {gap:.1e} of it, "
        f"velocities within {worst:.1e}"
    )
    return Check("cvxpy finds the same solutions", measured, gap < 1e-8 and worst < 1e-3)


def describe(console: Console, case: QuarterVehicleCase, steady: SteadyState) -> None:
    """Print the description of the case and its exact steady state."""
    vehicle = case.vehicle("implicit")
    load = vehicle.static_load
    wheel = vehicle.wheel
    ratio = float(wheel.tyre.deflection_at(load)) / wheel.tyre.section_height
    b_m = float(wheel.ground_law.mobility_number(wheel.tyre, wheel.soil, load))
    console.print(
        f"[bold]Figs 4 and 5, quarter vehicle[/] (Peiret et al., section 4.1): {vehicle.mass:g} kg of "
        f"{case.vehicle_mass:g} kg on the wheel, F_n = {load:.1f} N, delta/H = {ratio:.4f}, "
        f"cone index {case.cone_index / 1e3:g} kPa, b_m = {b_m:.6f}, "
        f"h = {case.step:g} s, v_0 = {case.v_0:g} m/s"
    )
    if steady.moves and math.isfinite(steady.slip):
        console.print(
            f"exact steady state: slip {steady.slip:.6f}, thrust {steady.thrust_N:.3f} N, resistance "
            f"{steady.resistance_N:.3f} N, pull {steady.pull_N:.3f} N, speed {steady.speed_m_s:.4f} m/s"
        )
    if case.measured_as_table_1 and steady.slip > wheel.ground_law.known_slip:
        console.print(
            f"the law was measured up to a slip of {wheel.ground_law.known_slip:g}; beyond, its "
            "exponential continues, as in the paper"
        )
    if steady.reason:
        console.print(steady.reason)


def runs_table(runs: list[QuarterVehicleRun], steady: SteadyState) -> Table:
    """Table of the runs, one line each."""
    title = (
        "runs: speed [m/s]; chatter: rms swing of the thrust over its peak, swings per s; wall time [s]"
    )
    texts = "scheme", "solver"
    figures = "slip", "error", "m/s", "chatter", "1/s", "resid.", "missed", "wall"
    table = new_table(title, (*texts, *figures), texts)
    for run in runs:
        end, trajectory = run.steady, run.trajectory
        error = abs(end["slip"] / steady.slip - 1.0) if steady.slip else math.nan
        table.add_row(
            run.scheme, run.solver, f"{end['slip']:.6f}", f"{error:.0e}", f"{end['speed_m_s']:.2f}",
            f"{100.0 * run.chatter:.1f} %", f"{run.swings_a_second:.0f}",
            f"{trajectory.residuals[-1]:.0e}", str(trajectory.missed),
            f"{run.wall_s:.3f}",
        )  # fmt: skip
    return table


def draw(
    case: QuarterVehicleCase, runs: list[QuarterVehicleRun], steady: SteadyState, out: Path
) -> dict[str, Path]:
    """Draw Figs 4 and 5 and write their curves for one solver; the curves of all solvers coincide."""
    out.mkdir(parents=True, exist_ok=True)
    solver = "direct" if any(run.solver == "direct" for run in runs) else runs[0].solver
    shown = [run for run in runs if run.solver == solver]
    over_slip, over_time = "quarter_vehicle_thrust_over_slip.png", "quarter_vehicle_over_time.png"
    return {
        "the paper's Fig. 4": thrust_over_slip(case, shown, steady, out / over_slip),
        "the paper's Fig. 5": forces_and_velocities(case, shown, steady, out / over_time),
        **{
            f"numbers of both, {run.scheme}": write_series(
                out / f"figures_4_and_5_{run.scheme}.csv",
                {
                    "time_s": run.trajectory.time,
                    "slip": run.wheel.slip,
                    "load_N": run.wheel.load,
                    "thrust_N": run.wheel.traction,
                    "resistance_N": run.wheel.resistance,
                    "v_x_m_s": run.wheel.v_x,
                    "rim_speed_m_s": run.wheel.rim_speed,
                },
            )
            for run in shown
        },
    }


def as_dict(
    case: QuarterVehicleCase,
    runs: list[QuarterVehicleRun],
    steady: SteadyState,
    checks: list[Check],
) -> dict[str, Any]:
    """Dictionary of the results for a JSON file; undefined numbers are None."""
    exact = dataclasses.asdict(steady)
    compared = not promised.not_steady(case)
    listed = []
    for run in runs:
        good = run.trajectory.missed == 0
        if compared and run.scheme in promised.PROMISED and not promised.drift_reason(case, [run]):
            good = good and promised.steady_error(case, run) <= 1e-6
        listed.append(
            {
                "regularisation": run.scheme,
                "solver": run.solver,
                "step_s": case.step,
                "steps": round(case.duration / case.step),
                "wall_s": run.wall_s,
                "chatter": run.chatter,
                "swings_per_s": run.swings_a_second,
                "max_residual": float(run.trajectory.residuals[-1]),
                "steady": run.steady,
                "passed": good,
            }
        )
    analytic = {
        name: exact[name] if math.isfinite(exact[name]) else None
        for name in ("slip", "thrust_N", "resistance_N", "pull_N", "speed_m_s")
    }
    return {"analytic": analytic, "runs": listed, **recorded(checks)}
