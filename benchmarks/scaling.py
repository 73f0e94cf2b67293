"""Cost of a step and its growth:  python -m benchmarks.scaling

(a) Cost of the whole step of the shipped vehicle of 45 bodies on 4 hard wheels, and of the
    structured factorisation alone (factor, reduced contact problem, back substitution), beside
    SciPy, which factors the same matrix and solves once, in interleaved rounds of one run. Compared
    are low percentiles of the rounds, which disturbances by other programs hardly affect, and their
    ratio.
(b) Cost of the whole step over the length of a hinged chain, 100 to 1000 bodies: slope of a line
    through the logarithms. A body takes some 4.4 kB, so that from about 250 bodies on a step no longer
    fits a second-level cache of 1 MB: there the cost per body rises by a seventh, and the slope is
    1.05 to 1.08 where the work itself grows in proportion.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np

import bodies as B
from mlcp.kkt import KktProblem
from wheelground.reports import cli
from wheelground.reports.pictures import new_figure, save
from wheelground.reports.verdict import Check, all_passed

STEP = 1e-3  # [s]
STEPS_TO_REST = 2000  # number of steps before the timing, for rolling on warm contacts
PERCENTILE = 5.0
LENGTHS = (100, 150, 220, 320, 470, 680, 1000)
SLOPE = (0.9, 1.1)  # range of the exponent of cost over size, on a quiet machine
QUADRATIC = 1.5  # exponent that is not reached under disturbances by other programs
TOLERANCE = 1e-10
STEP_LIMIT = 40.0  # [us] largest cost of a step of the 45-body mechanism


@dataclass(frozen=True)
class TimedCase:
    """A timed computation: ``run(times)`` repeats it; ``rivals`` are the same computation by others."""

    name: str
    bodies: int
    rows: int
    run: Callable[[int], None]
    rivals: dict[str, Callable[[], object]] = field(default_factory=dict)
    error: float = 0.0


@dataclass(frozen=True)
class ScalingResult:
    """One line of the result."""

    case: str
    bodies: int
    rows: int
    cost_us: float
    rival: str
    rival_us: float
    ratio: float
    error: float


def vehicle() -> list[TimedCase]:
    """Cases: the whole step of the shipped vehicle, and the factorisation of that step's matrix."""
    from bodies.vehicle import load
    from mlcp.kernels.kkt.kkt_entry import repeat_entry

    car = load("hmmwv", hard=True, controls={"throttle": 0.6})
    simulation = B.Simulation(B.compile(car), STEP)
    simulation.run(STEPS_TO_REST)
    problem = matrix(simulation)
    plan, channels = problem.plan, problem.plan.channels
    panels, delassus = np.zeros(plan.panel_size), np.zeros((channels, channels))
    x, u_free = np.zeros(plan.scalars + channels), np.zeros(channels)
    v, p, q = np.zeros(len(problem.momentum)), np.zeros(len(problem.bias)), np.zeros(channels)

    def run(times: int) -> None:
        values = problem.mass, problem.jac, problem.compliance, problem.momentum, problem.bias
        reduced, solved = (delassus, u_free), (q, x, v, p)
        repeat_entry((plan.table, plan.scale), values, panels, reduced, solved, times)

    run(1)
    rivals, error = _scipy(problem, v)
    s = problem.structure
    return [
        TimedCase(
            "whole step, 4 wheels", s.blocks, s.rows, simulation.run, rivals, simulation.residual()
        ),
        TimedCase("factorisation alone", s.blocks, s.rows, run, rivals, error),
    ]


def matrix(simulation: B.Simulation) -> KktProblem:
    """Matrix of the simulation's present step, for SciPy."""

    work = simulation.work
    structure = simulation.model.structure
    work.stage("detect", "assemble")
    return KktProblem(
        structure,
        work.f("mass_block").copy(),
        work.f("jacobian")[: structure.jac_size].copy(),
        np.maximum(work.f("compliance"), 0.0),
        work.f("momentum").copy(),
        work.f("bias").copy(),
    )


def chain(length: int) -> TimedCase:
    """Case: the whole step of a moving, hanging chain of hinged bodies."""
    half, axis = 0.5, (0.0, 1.0, 0.0)
    links, hinges = [], []
    for k in range(length):
        links.append(B.Body(f"link {k}", 1.0, (0.09, 0.09, 0.01), (0.0, 0.0, -half - k)))
        hinges.append(
            B.Revolute(
                name=f"hinge {k}",
                body_a=f"link {k - 1}" if k else "ground",
                body_b=f"link {k}",
                position=(0.0, 0.0, -float(k)),
                axis=axis,
            )
        )
    torque = [B.Torque(name="push", joint="hinge 0", effort=5.0)]
    model = B.compile(B.Mechanism("chain", tuple(links), (*hinges, *torque)))
    simulation = B.Simulation(model, STEP)
    simulation.run(5)
    return TimedCase("whole step, chain", length, model.structure.rows, simulation.run)


def _scipy(problem: KktProblem, v: np.ndarray) -> tuple[dict, float]:
    """SciPy's methods for the same system, and the difference of our velocities from theirs."""
    from scipy.linalg import lu_factor, lu_solve
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    K, right, _ = problem.to_dense()
    sparse = csc_array(K)
    symmetric = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    rivals = {
        "splu, MMD, symmetric": lambda: splu(sparse, permc_spec="MMD_AT_PLUS_A", **symmetric).solve(
            right
        ),
        "splu, COLAMD": lambda: splu(sparse, permc_spec="COLAMD").solve(right),
        "dense LU": lambda: lu_solve(lu_factor(K, check_finite=False), right, check_finite=False),
    }
    exact = rivals["dense LU"]()[: len(v)]
    return rivals, float(np.abs(v - exact).max() / np.abs(exact).max())


def measure(cases: list[TimedCase], rounds: int) -> list[ScalingResult]:
    """Low percentile of the times of all cases and of SciPy, in interleaved rounds.

    Every round has all sizes, so that a slow minute of the machine slows all of them.
    """
    times, ours, theirs = [], [], []
    for case in cases:
        case.run(1)
        times.append(max(1, round(3000.0 / _once(case.run, 1))))  # steps for rounds of about 3 ms
        ours.append([])
        theirs.append({name: [] for name in case.rivals})
    for _ in range(rounds):
        for case, n, own, rivals in zip(cases, times, ours, theirs, strict=True):
            own.append(_once(case.run, n) / n)
            for name, call in case.rivals.items():
                rivals[name].append(_once(call))
    rows = []
    for case, own, rivals in zip(cases, ours, theirs, strict=True):
        cost = float(np.percentile(own, PERCENTILE))
        best = {name: float(np.percentile(t, PERCENTILE)) for name, t in rivals.items()}
        name = min(best, key=best.__getitem__) if best else ""
        rival = best.get(name, np.nan)
        rows.append(
            ScalingResult(case.name, case.bodies, case.rows, cost, name, rival, rival / cost, case.error)
        )
    return rows


def _once(call: Callable[..., object], *arguments: int) -> float:
    """Microseconds of one call."""
    start = time.perf_counter_ns()
    call(*arguments)
    return (time.perf_counter_ns() - start) * 1e-3


def slope(rows: list[ScalingResult]) -> float:
    """Least-squares slope of log cost over log bodies."""
    bodies, cost = [row.bodies for row in rows], [row.cost_us for row in rows]
    return float(np.polyfit(np.log(bodies), np.log(cost), 1)[0])


def draw(rows: list[ScalingResult], grown: float, path: Path) -> None:
    """Log-log picture of cost over bodies with the fitted line."""
    bodies = np.array([row.bodies for row in rows], dtype=float)
    cost = np.array([row.cost_us for row in rows])
    figure = new_figure(5.2, 3.8)
    axes = figure.subplots()
    middle = np.exp(np.mean(np.log(cost)) - grown * np.mean(np.log(bodies)))
    axes.loglog(bodies, middle * bodies**grown, color="0.6", label=f"slope {grown:.2f}")
    axes.loglog(bodies, cost, "o", color="tab:blue", label="whole step")
    axes.set_xticks(bodies, [f"{b:.0f}" for b in bodies])
    axes.minorticks_off()
    low, high = np.floor(np.log10(cost.min())), np.ceil(np.log10(cost.max()))
    ticks = [m * 10.0**k for k in range(int(low), int(high) + 1) for m in (1, 2, 5)]
    ticks = [t for t in ticks if 0.8 * cost.min() <= t <= 1.25 * cost.max()]
    axes.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axes.set_xlabel("bodies in the chain")
    axes.set_ylabel("time (µs)")
    axes.set_title("Cost of a step over the length of a hinged chain")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    save(figure, path, dpi=160)


def show(single: list[ScalingResult], chains: list[ScalingResult], grown: float) -> None:
    """Print the tables."""
    screen = cli.console()
    headings = "case", "bodies", "rows", "µs", "fastest SciPy", "µs", "ratio", "error"
    title = f"{PERCENTILE:g} % percentile of interleaved rounds"
    table = cli.new_table(title, headings, ("case", "fastest SciPy"))
    for r in single:
        table.add_row(
            r.case, str(r.bodies), str(r.rows), f"{r.cost_us:.1f}", r.rival,
            f"{r.rival_us:.0f}", f"{r.ratio:.0f}", f"{r.error:.1e}",
        )  # fmt: skip
    screen.print(table)
    table = cli.new_table("Hinged chain, whole step", ("bodies", "rows", "µs", "µs per body"))
    for r in chains:
        table.add_row(str(r.bodies), str(r.rows), f"{r.cost_us:.0f}", f"{r.cost_us / r.bodies:.3f}")
    screen.print(table)
    for check in verdicts(single, grown):
        screen.print(f"{check.name}, {check.measured}: {check.verdict}")


def verdicts(single: list[ScalingResult], grown: float) -> list[Check]:
    """Checks of the limits; missed times are reported as slow and are no failure."""
    step = next(row for row in single if row.case.startswith("whole step"))
    worst = max(row.error for row in single)
    return [
        Check(f"step of {step.bodies} bodies at most {STEP_LIMIT:g} µs", f"{step.cost_us:.1f} µs",
              step.cost_us <= STEP_LIMIT, of_time=True),
        Check(f"residual of the contact problem and error of v at most {TOLERANCE:g}",
              f"{worst:.1e}", worst <= TOLERANCE),
        Check(f"growth with the length within {SLOPE[0]} and {SLOPE[1]}", f"{grown:.3f}",
              SLOPE[0] <= grown <= SLOPE[1], of_time=True),
        Check(f"growth less than {QUADRATIC:g}", f"{grown:.3f}", grown < QUADRATIC),
    ]  # fmt: skip


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    rounds: Annotated[cli.Whole, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1))] = 200,
    out: Path | None = None,
    json_file: cli.JsonFile = None,
) -> int:
    """Measure the cost of a step and its growth.

    Parameters
    ----------
    rounds
        interleaved rounds per case.
    out
        folder for the figure ``scaling.png``.
    json_file
        file for the numbers.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json_file)
    print("Compiling (some seconds the first time) ...", flush=True)
    single = measure(vehicle(), rounds)
    chains = measure([chain(n) for n in LENGTHS], max(20, rounds // 2))
    grown = slope(chains)
    show(single, chains, grown)
    passed = all_passed(verdicts(single, grown))
    if out is not None:
        draw(chains, grown, out / "scaling.png")
        print(f"figure: {out / 'scaling.png'}")
    rows = {"cases": [*map(_plain, single)], "chain": [*map(_plain, chains)]}
    cli.save_results(json_file, rows | {"slope": grown, "passed": passed})
    return 0 if passed else 1


def _plain(row: ScalingResult) -> dict[str, object]:
    """Row for JSON, with None for NaN."""
    return {k: None if v != v else v for k, v in asdict(row).items()}


if __name__ == "__main__":
    cli.run(app)
