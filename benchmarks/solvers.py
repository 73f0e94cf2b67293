"""Every solver on a set of problems: time, recomputed residual, correctness of its verdict.

    python -m benchmarks.solvers [--quick] [--rounds N] [--out DIR] [--json FILE]

Times are CPU times of a first solve, from the problem's numbers to z, with set-up and ordering,
without the check of the result. Solvers take turns, round after round, so that a busy machine slows
all of them alike. A solver that has used its time budget on a problem drops out of the remaining
rounds.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from mlcp.writing import written

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # one thread for all solvers; NumPy reads this at its import

import numpy as np  # noqa: E402
from cyclopts import App  # noqa: E402

from benchmarks import solver_families, solver_peers  # noqa: E402
from benchmarks.dense_families import FAMILIES  # noqa: E402
from mlcp import MLCP, SOLVERS, Status, StructuredMLCP  # noqa: E402
from mlcp.solution import natural_residual  # noqa: E402
from mlcp.solvers.base import Start, UnsuitableProblem  # noqa: E402
from tests.mlcp import generators  # noqa: E402
from tests.mlcp.named_problems import NAMED  # noqa: E402
from wheelground.reports import cli  # noqa: E402

app = App(name="solvers", help=__doc__)

BUDGET = 1.0  # time of a solver for all rounds of one problem [s]
SHORT = 1e-3  # [s] least duration of a timed turn; shorter solves are repeated
PEER_TOLERANCE = 1e-6  # residual [-] above which a peer's "solved" counts as wrong


@dataclass(frozen=True)
class Case:
    """A problem of the test set; ``solvable`` None: unknown."""

    name: str
    problem: MLCP | StructuredMLCP
    solvable: bool | None = True
    ours: tuple[str, ...] = tuple(SOLVERS)


@dataclass(frozen=True)
class SolverResult:
    """Result of one solver on one problem: time, residual, claim and its correctness."""

    problem: str
    rows: int
    solver: str
    median_us: float
    residual: float | None
    claimed: str
    correct: bool
    iterations: int | None = None


def cases(quick: bool) -> list[Case]:
    """Problems of the test set: from the literature and from generators."""
    found = [Case(name, make().problem, make().solvable) for name, make in NAMED.items()]
    for bounded in (12, 24):
        found.append(Case(f"vehicle_{bounded}", generators.vehicle(bounded)))
    for boxes in (3, 8, 25, 83):
        if quick and boxes > 25:
            continue
        found.append(Case(f"boxes_{12 * boxes}", generators.box_stack(boxes)))
        found.append(Case(f"boxes_{12 * boxes}_shaken", generators.box_stack(boxes, shake=1e-2)))
        heavy = generators.box_stack(boxes, mass_ratio=1e4)
        found.append(Case(f"boxes_{12 * boxes}_ratio_1e4", heavy))
    for contacts in (20, 80) if quick else (20, 80, 180, 333):
        n = 3 * contacts
        found.append(Case(f"contacts_{n}", generators.contact_graph(contacts)))
        wedged = generators.contact_graph(contacts, bodies=contacts // 10, seed=1)
        found.append(Case(f"contacts_{n}_wedged", wedged))
    soft = generators.contact_graph(22, bodies=2, seed=1, compliance=1e-9, tied=0.2).formed()
    found.append(Case("contacts_66_soft", soft))
    for n in (12, 96) if quick else (12, 96, 300):
        found.append(Case(f"boxed_{n}", generators.boxed_dense(n)))
        found.append(Case(f"semidefinite_{n}", generators.random_psd(n, n // 2)))
        found.append(Case(f"many_solutions_{n}", generators.singular_many(n // 2)))
        found.append(Case(f"infeasible_{n}", generators.infeasible(n), solvable=False))
    return found


def family_cases(quick: bool) -> dict[tuple[str, int], list[Case]]:
    """Problems of each (family, rows), none of them used for tuning."""
    seeds = range(2 if quick else 5)
    dense = {
        (name, n): [Case(f"{name}_{n}_{seed}", make(n, seed), ours=("direct",)) for seed in seeds]
        for n in ((12, 36) if quick else (12, 36, 96, 300))
        for name, make in FAMILIES.items()
    }
    others = {
        (name, n): [Case(f"{name}_{n}_{seed}", make(n, seed), ours=("direct",)) for seed in range(2)]
        for name, make in solver_families.FAMILIES.items()
        for n in solver_families.SIZES[name]
        if not quick or n < 50
    }
    return dense | others


def own_run(case: Case, name: str) -> Callable[[], tuple[np.ndarray, str, int]]:
    """Make a function that runs one of our solvers without warm start and with a new ordering.

    The function returns (z, claim, iterations).
    """
    solver = SOLVERS.find(name)
    problem = case.problem

    def run():
        fresh = problem
        if isinstance(problem, StructuredMLCP):
            problem.__dict__.pop("plan", None)
        answer = solver.answer(fresh, solver.tolerance, Start())
        if answer.status is Status.SOLVED:
            return answer.z, "solved", answer.iterations
        claim = "infeasible" if answer.status is Status.INFEASIBLE else "failed"
        return answer.z, claim, answer.iterations

    return run


def verdict_of(case: Case, name: str, z: np.ndarray, claim: str, tol: float) -> tuple[float, str, bool]:
    """Residual, claim, and whether the claim is right; for our solvers the claim is the final status."""
    residual = natural_residual(case.problem, z)
    if name in SOLVERS and claim == "solved" and not residual <= tol:
        claim = "failed"  # ``solve`` returns INACCURATE for such a residual
    if claim == "infeasible":
        return residual, claim, case.solvable is not True
    return residual, claim, claim == "solved" and residual <= tol


def contestants(case: Case) -> dict[str, Callable]:
    """Functions that run our solvers, and the installed peers that accept the problem, by name."""
    runs: dict[str, Callable] = {}
    slow = case.problem.n > 300
    endless = case.solvable is False and case.problem.n > 7  # infeasible: ProxQP takes 16 s for 12 rows
    for name in case.ours:
        if slow and name != "direct":
            continue  # our solvers but ``direct`` take minutes for so many rows
        runs[name] = own_run(case, name)
    for name, run in solver_peers.runs(case.problem).items():
        if endless or (slow and name in ("proxsuite", "clarabel", "piqp")):
            continue

        def peer(run=run):
            z, claimed = run()
            return z, "solved" if claimed else "failed", None

        runs[name] = peer
    return runs


def measure(case: Case, rounds: int, progress: Callable[[str], None]) -> list[SolverResult]:
    """Rows of all solvers on one problem, timed in turns."""
    times: dict[str, list[float]] = {}
    results: dict[str, SolverResult] = {}
    runs = contestants(case)
    for turn in range(rounds + 1):  # the first turn is for compilation and verdicts, without timing
        for name, run in list(runs.items()):
            spent = times.setdefault(name, [])
            if sum(spent) > BUDGET:
                continue
            if turn == 0:
                progress(f"{case.name}: {name}")
            begin = time.process_time()
            try:
                z, claim, iterations = run()  # the first run compiles; each loads the processor's caches
            except UnsuitableProblem:
                del runs[name], times[name]
                results[name] = SolverResult(
                    case.name, case.problem.n, name, np.nan, None, "refused", True
                )
                continue
            elapsed = time.process_time() - begin
            if turn == 0:
                tol = SOLVERS[name].tolerance if name in SOLVERS else PEER_TOLERANCE
                residual, claim, correct = verdict_of(case, name, z, claim, tol)
                finite = residual if np.isfinite(residual) else None
                results[name] = SolverResult(
                    case.name, case.problem.n, name, np.nan, finite, claim, correct, iterations
                )
            elif elapsed > SHORT:
                spent.append(elapsed)
            else:
                repeats = 1 + int(SHORT / max(elapsed, 1e-6))
                begin = time.process_time()
                for _ in range(repeats):
                    run()
                spent.append((time.process_time() - begin) / repeats)
    for name, spent in times.items():
        results[name] = replace(results[name], median_us=1e6 * float(np.median(spent)))
    return list(results.values())


def wrong_claims(rows: list[SolverResult]) -> list[SolverResult]:
    """Rows with a false claim of "solved" or "infeasible"."""
    return [row for row in rows if row.claimed in ("solved", "infeasible") and not row.correct]


def ratios(rows: list[SolverResult], accuracy: float) -> list[tuple[str, str, float]]:
    """Triples: problem, fastest peer solver with a residual of at most ``accuracy``, time of ``direct``
    over that peer's time."""
    found = []
    for problem in dict.fromkeys(row.problem for row in rows):
        mine = [r for r in rows if r.problem == problem and r.solver == "direct" and r.correct]
        peers = [
            r
            for r in rows
            if r.problem == problem
            and r.solver not in SOLVERS
            and r.correct
            and (r.residual or 0.0) <= accuracy
        ]
        if mine and peers:
            best = min(peers, key=lambda r: r.median_us)
            found.append((problem, best.solver, mine[0].median_us / best.median_us))
    return found


@dataclass(frozen=True)
class Family:
    """Results of ``direct`` on one family and size, medians over its problems."""

    name: str
    rows: int
    median_us: float
    solved: int  # number of solved problems
    problems: int
    ratio: float | None  # time of direct over that of the fastest peer with a residual below 1e-10
    peer: str | None  # peer that was fastest for most problems


def family(name: str, n: int, rows: list[SolverResult]) -> Family:
    """Summary of the problems of a family and size."""
    mine = [row for row in rows if row.solver == "direct"]
    found = ratios(rows, 1e-10)
    peers = [peer for _, peer, _ in found]
    return Family(
        name,
        n,
        float(np.median([row.median_us for row in mine])),
        sum(row.correct for row in mine),
        len(mine),
        float(np.median([ratio for *_, ratio in found])) if found else None,
        max(set(peers), key=peers.count) if peers else None,
    )


def warm_start_ratios(rounds: int) -> list[tuple[str, float]]:
    """Time of ``direct`` without over time with a warm start, after a small change of the vector b."""
    rng = np.random.default_rng(0)
    found = []
    for n in (96, 140, 300):
        problem = generators.boxed_dense(n)
        near = replace(problem, b=problem.b * (1.0 + 1e-4 * rng.normal(size=n)))
        solver = SOLVERS.find("direct")
        first = solver.answer(problem, 1e-10, Start())
        warm = Start(first.z, _states(problem, first.z))
        cold_times, warm_times = [], []
        for _ in range(rounds + 1):
            for start, times in ((Start(), cold_times), (warm, warm_times)):
                begin = time.process_time()
                solver.answer(near, 1e-10, start)
                times.append(time.process_time() - begin)
        found.append((f"boxed_{n}", float(np.median(cold_times[1:]) / np.median(warm_times[1:]))))
    return found


def _states(problem: MLCP, z: np.ndarray) -> np.ndarray:
    from mlcp.solvers.base import active_set

    return active_set(problem, z)


@app.default
def main(
    *,
    quick: bool = False,
    rounds: Annotated[cli.Whole, cli.at_least(1)] = 15,
    out: Path = Path("out/solvers"),
    json_file: cli.JsonFile = None,
) -> int:
    """Run the test set, print the table, write CSV and the performance profile.

    Parameters
    ----------
    quick
        leave out the largest problems.
    rounds
        timed turns of every solver on every problem; in families at most 3.
    out
        folder for solvers.csv and performance_profile.png.
    json_file
        also write the rows as JSON.
    """
    from benchmarks.solver_report import draw_profile, print_report

    with cli.refuse_bad_input():
        cli.writable(out, json_file)
    screen = cli.console()
    screen.width = max(screen.width, 120)  # at least 120 characters, for long names of problems
    rows: list[SolverResult] = []
    chosen = cases(quick)
    with screen.status("compiling, then measuring") as status:
        for k, case in enumerate(chosen, 1):
            rows += measure(
                case, rounds, lambda text, k=k: status.update(f"{k} of {len(chosen)}: {text}")
            )
        families: list[Family] = []
        for k, ((name, n), problems) in enumerate((kinds := family_cases(quick)).items(), 1):
            status.update(f"families: {k} of {len(kinds)}")
            found = [row for case in problems for row in measure(case, min(rounds, 3), lambda _: None)]
            families.append(family(name, n, found))
            rows += found
        status.update("warm starts")
        warm = warm_start_ratios(rounds)
    out.mkdir(parents=True, exist_ok=True)
    with written(out / "solvers.csv") as place, open(place, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(asdict(rows[0])))
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
    draw_profile(rows, out / "performance_profile.png")
    fields = ("problem", "rows", "solver", "median_us", "residual", "claimed", "correct")
    cli.save_results(json_file, [{f: _number(getattr(row, f)) for f in fields} for row in rows])
    own_wrong = [row for row in wrong_claims(rows) if row.solver in SOLVERS]
    names = {case.name for case in chosen}
    named = [row for row in rows if row.problem in names]
    print_report(
        screen,
        named,
        families,
        ratios(named, 1e-10),
        ratios(named, PEER_TOLERANCE),
        warm,
        own_wrong,
        wrong_claims(rows),
        out,
    )
    return 1 if own_wrong else 0


def _number(value):
    return None if isinstance(value, float) and not np.isfinite(value) else value


if __name__ == "__main__":
    cli.run(app)
