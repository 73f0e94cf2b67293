"""Computing time of a step over its length; one solve compared with separate steps of oil and mechanics.

Run it with ``python -m benchmarks.realtime``.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from cyclopts import App

from wheelground.reports import cli
from wheelground.reports.verdict import Check, all_passed, recorded

app = App(name="python -m benchmarks.realtime", help_format="markdown", version_flags=[])
BUDGET = 60e-6  # [s] largest computing time of a tick with eight blocks that compute nothing
FASTER = 20.0  # least ratio of simulated to computing time of the single solve
GROWTH = 0.02  # relative tolerance on the growth t_a/t_d - 1 (computing time over length of a step)
TICKS = 300


def machines_table(lines: list) -> str:
    """Markdown table of the machines' computing times, for the documentation."""
    rows = ["| machine | t_d | t_a | t_a/t_d | real time |", "|---|---|---|---|---|"]
    for line in lines:
        verdict = "yes" if line.share <= 1.0 else "no"
        step, mean = f"{1e6 * line.step:.0f} µs", f"{1e6 * line.mean:.1f} µs"
        rows.append(f"| {line.name} | {step} | {mean} | {line.share:.2g} | {verdict} |")
    return "\n".join(rows) + "\n"


def circuits_table(rows: dict[str, list]) -> str:
    """Markdown table of the errors of each method (row) and circuit (column), for the documentation."""
    head = [f"{name}: error" for name in rows]
    out = ["| method | steps [ms] | " + " | ".join(head) + " |", "|---" * (2 + len(head)) + "|"]
    for found in zip(*rows.values(), strict=True):
        errors = " | ".join(row.cells()[0] for row in found)
        out.append(f"| {found[0].method} | {found[0].steps} | {errors} |")
    return "\n".join(out) + "\n"


def digger_table(rows: list) -> str:
    """Markdown table of the dig cycle's errors and times, for the documentation."""
    head = "| method | steps [ms] | largest error of a piston | time |\n|---|---|---|---|\n"
    return head + "".join("| " + " | ".join(row.cells()) + " |\n" for row in rows)


def checks_of(
    lines: list, slope_of_deficit: float, bounded: dict[str, float], overhead: float
) -> list[Check]:
    """Checks of deficits and computing times; missed time limits are no failure."""
    single, last = lines[4], lines[5]
    checks = [
        Check(
            f"{line.name}, {1e6 * line.step:g} µs: {'' if line.real_time else 'not '}in real time",
            f"t_a/t_d {line.share:.3g}",
            line.passed,
            of_time=True,
        )
        for line in lines
    ]
    expected = single.share - 1.0
    return [
        *checks,
        Check(f"{last.name}: {FASTER:g} times faster than real time", f"{1.0 / last.share:.1f} times",
              1.0 / last.share >= FASTER, of_time=True),
        Check("one rate's deficit grows as t_a/t_d - 1", f"{slope_of_deficit:.4f} beside {expected:.4f}",
              abs(slope_of_deficit - expected) <= GROWTH * expected),
        *(Check(f"{name}: bounded", f"at most {1e3 * most:.2g} ms behind", most < 0.02, of_time=True)
          for name, most in bounded.items()),
        Check(f"a tick of eight idle blocks within {1e6 * BUDGET:g} µs", f"{1e6 * overhead:.1f} µs",
              overhead <= BUDGET, of_time=True),
    ]  # fmt: skip


@app.default
def main(*, out: Path = Path("out"), json: cli.JsonFile = None, docs: bool = False) -> int:
    """Measure machines in real time, and circuits at one and at two rates against SciPy's Radau.

    Parameters
    ----------
    out
        Directory for the picture.
    json
        File for the results.
    docs
        Write tables and picture of docs/one_solve_or_several_rates.md.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json)
    from benchmarks.rates import digger, figures, machines
    from benchmarks.rates.circuits import ReferenceCircuit, circuits
    from wheelground.reports import pages

    screen = cli.console()
    with screen.status("machines"):
        lines = list(machines.table(TICKS))
        schedules = {
            "one rate, 10 µs": lines[4].taken,
            "two rates, 1 ms and 10 µs": machines.timed(machines.steered_four_wheel(1e-3, 1e-5), TICKS),
            "one solve, 1 ms": lines[5].taken,
        }
        deficit_s = {name: figures.deficit(taken) for name, taken in schedules.items()}
        overhead = machines.overhead()
    screen.print(machines_table(lines), markup=False)
    cases, rows = {name: ReferenceCircuit(name) for name in circuits.CASES}, {}
    choices = {}
    for name, case in cases.items():
        with screen.status(f"{name}: the search, then every way"):
            choices[name] = case.search()
            rows[name] = list(case.rows())
        screen.print(f"{name}:\n{choices[name]}", markup=False)
    screen.print(circuits_table(rows), markup=False, soft_wrap=True)
    with screen.status("the backhoe digs"):
        digging = list(digger.rows())
    screen.print(digger_table(digging), markup=False)
    picture = (pages.DOCS / "images" if docs else out) / "realtime.png"
    figures.draw(deficit_s, lines[:3], picture)
    single, *others = deficit_s
    checks = checks_of(
        lines,
        figures.slope_of_deficit(deficit_s[single]),
        {n: float(deficit_s[n].max()) for n in others},
        overhead,
    )
    best = digging[0]
    checks.append(Check("backhoe in one solve of 1 ms within 0.2 mm", f"{1e3 * best.error:.2g} mm",
                        best.error <= 2e-4))  # fmt: skip
    for name, case in cases.items():
        choice = choices[name]
        found = case.exchanged(choice.T, choice.c, choice.t)
        steps = ", ".join(f"{s} {1e3 * getattr(choice, s):.2g} ms" for s in ("s", "t", "c", "T"))
        checks.append(Check(f"{name}, steps of the search within 1 mm",
            f"{steps}: {1e3 * found.error:.2g} mm", found.error <= 1e-3))  # fmt: skip
    for check in checks:
        screen.print(check.line)
    screen.print(f"figure: {picture}", soft_wrap=True)
    if docs:
        page = pages.DOCS / "one_solve_or_several_rates.md"
        pages.write_blocks(
            page,
            {
                "machines": machines_table(lines),
                "circuits": circuits_table(rows),
                "digger": digger_table(digging),
            },
        )
    results = {
        "machines": [
            {"name": n.name, "step": n.step, "mean": n.mean, "real_time": n.share <= 1.0} for n in lines
        ],
        "circuits": [asdict(r) for found in rows.values() for r in found],
        "digger": [asdict(r) for r in digging],
        "search": {n: [asdict(t) for t in c.trials] for n, c in choices.items()},
        **recorded(checks),
    }
    cli.save_results(json, results)
    return 0 if all_passed(checks) else 1


if __name__ == "__main__":
    cli.run(app)
