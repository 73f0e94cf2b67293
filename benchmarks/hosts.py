"""Wheels on soft ground in other multibody codes, compared with ``bodies``.

The quarter vehicle of Peiret et al. in every installed host, the cost of four wheels in MuJoCo, and the
45-body vehicle in MuJoCo: its steady speed on soft ground, and its creep when parked on a grade.
``ground [us]`` is the median time of a step with the adapter less that of a step of the host alone under
a constant ground force, applied by the host's own interface; blocks of both kinds of steps alternate in
one run. Run with  python -m benchmarks.hosts
"""

from __future__ import annotations

import importlib.util
import math
from typing import Annotated, Any

from cyclopts import App, Parameter

from contact import checks
from wheelground.reports import cli

#: Limits of the checks: error of velocities relative to the largest speed, error of the steady slip,
#: relative error of the steady speed, creep [mm], time that four wheels add to a step [us].
VELOCITY, SLIP, SPEED, CREEP_MM, COST_US = 1e-3, 1e-5, 0.01, 1.0, 15.0
SCHEMES = ("implicit", "local")
GRADE = 0.3  # rise over run; rolling resistance alone holds the vehicle on less than half of this grade
NEEDS = {  # by host: required module, extra that installs it
    "generic": None,
    "mujoco": ("mujoco", "mujoco"),
    "mujoco-callback": ("mujoco", "mujoco"),
    "exudyn": ("exudyn", "exudyn"),
    "pinocchio": ("pinocchio", "pinocchio"),
    "drake": ("pydrake", "drake"),
    "fmi3-wheel": ("pythonfmu3", "fmi"),
    "fmi2-wheel": ("pythonfmu", "fmi"),
    "fmi3-quarter": ("pythonfmu3", "fmi"),
    "fmi2-quarter": ("pythonfmu", "fmi"),
}

app = App(name="python -m benchmarks.hosts", help_format="markdown", version_flags=[])


def not_installed(host: str) -> str | None:
    """Command that installs a host; None: it is installed."""
    needs = NEEDS[host]
    modules = [] if needs is None else [needs[0], *(["fmpy"] if needs[1] == "fmi" else [])]
    if all(importlib.util.find_spec(module) is not None for module in modules):
        return None
    return f"pip install 'wheelground[{needs[1]}]'"


def runner(host: str):
    """Function of (quarter, steps) that runs a host, and the host's version."""
    import importlib.metadata

    from benchmarks.host_cases import hosts, units

    if not host.startswith("fmi"):
        return hosts.HOSTS[host], hosts.version(host)
    function = units.wheel if host.endswith("wheel") else units.vehicle
    fmi = int(host[3])
    library = importlib.metadata.version("pythonfmu3" if fmi == 3 else "pythonfmu")
    return (lambda quarter, steps: function(quarter, steps, fmi)), library


def row(host: str, version: str, case: str, **numbers: Any) -> dict[str, Any]:
    """One line of the table; unmeasured values are null."""
    keys = ("max_velocity_error", "steady_slip", "creep_mm", "us_per_step_host", "us_per_step_ground")
    found = {key: numbers.get(key) for key in keys}
    found = {k: None if v is None or not math.isfinite(v) else float(v) for k, v in found.items()}
    return {"host": host, "version": version, "case": case, **found, "passed": numbers["passed"]}


def quarter_rows(host: str, steps: int, references: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of the quarter vehicle in one host, under each scheme."""
    from benchmarks.host_cases import quarter as q

    function, version = runner(host)
    rows = []
    for scheme in SCHEMES:
        case = q.Quarter.of_table_1(scheme)
        radius = case.wheel.tyre.radius
        if scheme not in references:
            references[scheme] = q.reference(case, scheme, steps)
        exact = references[scheme]
        run = function(case, steps)
        error, slip = q.error(run, exact, radius), q.slip(run, radius)
        expected = 1.0 - exact[-1, 0] / (exact[-1, 2] * radius)
        rows.append(
            row(
                host,
                version,
                f"quarter vehicle, {scheme}",
                max_velocity_error=error,
                steady_slip=slip,
                us_per_step_host=run.us_host,
                us_per_step_ground=run.us_ground,
                passed=bool(error <= VELOCITY and abs(slip - expected) <= SLIP and not run.missed),
            )
        )
    return rows


def mujoco_rows(duration: float, parking: float) -> list[dict[str, Any]]:
    """Rows of four wheels and of the 45-body vehicle in MuJoCo."""
    from benchmarks.host_cases import rover, vehicle
    from benchmarks.host_cases.hosts import version

    number = version("mujoco")
    rows = []
    for lateral in (False, True):
        host, ground, slip = rover.cost(lateral)
        case = "four wheels, driving" + (", lateral force" if lateral else "")
        rows.append(
            row("mujoco", number, case, steady_slip=slip, us_per_step_host=host,
                us_per_step_ground=ground, passed=bool(ground <= COST_US))
        )  # fmt: skip
    drive = vehicle.steady_speed(duration)
    error = abs(drive["mujoco"] / drive["ours"] - 1.0)
    rows.append(
        row("mujoco", number, "45-body vehicle, steady speed", max_velocity_error=error,
            steady_slip=drive["slip"], us_per_step_host=drive["us_host"],
            us_per_step_ground=drive["us_ground"],
            passed=bool(error <= SPEED and drive["us_ground"] <= drive["us_host"])),
    )  # fmt: skip
    for kind in ("complementarity", "own contact", "force callback"):
        creep = vehicle.parked(kind, GRADE, parking)["creep_mm"]
        # our contact alone must not creep; the results of other contacts are for comparison
        passed = kind != "complementarity" or abs(creep) < CREEP_MM
        case = f"45-body vehicle parked {parking:g} s on {GRADE:g}, {kind}"
        rows.append(row("mujoco", number, case, creep_mm=creep, passed=bool(passed)))
    return rows


def show(rows: list[dict[str, Any]]) -> None:
    """Print the rows as a table."""
    texts = "host", "version", "case", ""
    figures = "velocity error", "slip", "creep [mm]", "host [us]", "ground [us]"
    table = cli.new_table("Wheels on soft ground inside other codes", (*texts[:3], *figures, ""), texts)
    formats = ("max_velocity_error", ".1e"), ("steady_slip", ".6f"), ("creep_mm", ".3g"), (
        "us_per_step_host", ".1f"), ("us_per_step_ground", ".1f")  # fmt: skip
    for line in rows:
        cells = ["" if line[key] is None else format(line[key], form) for key, form in formats]
        verdict = "pass" if line["passed"] else "[red]FAIL"
        table.add_row(line["host"], line["version"], line["case"], *cells, verdict)
    screen = cli.console()
    screen.width = 160
    screen.print(table)


@app.default
def main(
    *,
    host: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = (),
    duration: float = 20.0,
    parking: float = 60.0,
    vehicle: bool = True,
    json_file: cli.JsonFile = None,
) -> int:
    """Run every installed host and print its accuracy and cost.

    Parameters
    ----------
    host
        Name of a host; repeat for several. [all installed]
    duration
        Simulated time of the quarter vehicle and of the vehicle's drive [s].
    parking
        Simulated time on the grade [s].
    vehicle
        Include four wheels and the 45-body vehicle in MuJoCo.
    json_file
        File for the results.
    """
    with cli.refuse_bad_input():
        for name in host:
            checks.known("host", name, NEEDS)
        checks.within("hosts", "duration", duration, 2.0, 1e4, unit="s")
        checks.within("hosts", "parking", parking, 0.1, 1e4, unit="s")
        cli.writable_file(json_file)
    rows: list[dict[str, Any]] = []
    references: dict[str, Any] = {}
    for name in host or tuple(NEEDS):
        if (command := not_installed(name)) is not None:
            print(f"{name}: not installed; {command}")
            continue
        print(f"{name} ...", flush=True)
        rows += quarter_rows(name, round(duration / 1e-3), references)
        if name == "mujoco" and vehicle:
            print("mujoco, four wheels and the 45-body vehicle ...", flush=True)
            rows += mujoco_rows(duration, parking)
    show(rows)
    cli.save_results(json_file, rows)
    return 0 if rows and all(line["passed"] for line in rows) else 1


if __name__ == "__main__":
    cli.run(app)
