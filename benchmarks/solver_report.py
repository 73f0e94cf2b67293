"""The table and the figure of ``benchmarks.solvers``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.table import Table

from wheelground.reports.pictures import new_figure, save


def print_report(
    console, rows, families, ratios, loose_ratios, warm, own_wrong, all_wrong, out: Path
) -> None:
    """Print one line for each problem and solver, then the comparisons."""
    table = Table(title="Solvers, cold, one thread", caption="times are medians")
    for name, justify in (("problem", "left"), ("rows", "right"), ("solver", "left"),
                          (r"time \[us]", "right"), ("iterations", "right"),
                          ("natural residual [-]", "right"), ("claimed", "left"),
                          ("correct", "left")):  # fmt: skip
        table.add_column(name, justify=justify)
    last = None
    for row in rows:
        first = row.problem != last
        if first and last is not None:
            table.add_section()
        last = row.problem
        table.add_row(
            row.problem if first else "",
            str(row.rows) if first else "",
            row.solver,
            f"{row.median_us:,.0f}" if np.isfinite(row.median_us) else "-",
            "-" if row.iterations is None else str(row.iterations),
            "-" if row.residual is None else f"{row.residual:.1e}",
            row.claimed,
            "yes" if row.correct else ("WRONG" if row in all_wrong else "no"),
        )
    console.print(table)
    comparison = Table(title="time of direct / time of the fastest peer")
    comparison.add_column("problem")
    for name in ("residual <= 1e-10", "residual <= 1e-6"):
        comparison.add_column(name)
        comparison.add_column("ratio", justify="right")
    exact = {problem: (peer, ratio) for problem, peer, ratio in ratios}
    for problem, peer, ratio in loose_ratios:
        best = exact.get(problem)
        first = ("none", "-") if best is None else (best[0], f"{best[1]:.3f}")
        comparison.add_row(problem, *first, peer, f"{ratio:.3f}")
    if loose_ratios:
        console.print(comparison)
    else:
        console.print("No peers are installed: pip install 'wheelground[peers]' adds them.")
    print_families(console, families)
    for problem, ratio in warm:
        console.print(f"warm start on {problem}: {ratio:.1f} times faster than cold")
    console.print(f"wrong answers called right, our solvers: {len(own_wrong)}")
    others = [row for row in all_wrong if row not in own_wrong]
    console.print(f"wrong answers called right, peers (residual > 1e-6): {len(others)}")
    for row in all_wrong:
        console.print(f"  {row.solver} on {row.problem}: {row.claimed}, {row.residual}")
    console.print(f"written to {out}")


def print_families(console, families) -> None:
    """Print one line for each family: time of direct over that of the fastest peer, by size."""
    sizes = sorted({f.rows for f in families})
    table = Table(
        title="time of direct / time of the fastest peer that reaches 1e-10, cold",
        caption="medians over seeds; families of benchmarks.dense_families and solver_families",
    )
    table.add_column("family")
    for n in sizes:
        table.add_column(f"{n} rows", justify="right")
    for name in dict.fromkeys(f.name for f in families):
        cells = {}
        for f in (f for f in families if f.name == name):
            text = "no peer" if f.ratio is None else f"{f.ratio:.2f} {f.peer}"
            missed = "" if f.solved == f.problems else f", solved {f.solved}/{f.problems}"
            cells[f.rows] = text + missed
        table.add_row(name, *(cells.get(n, "") for n in sizes))
    console.print(table)


def draw_profile(rows, path: Path) -> None:
    """Performance profile (Dolan & More 2002): share of problems within a factor of the fastest."""
    right = [r for r in rows if r.correct and np.isfinite(r.median_us)]
    problems = [
        p
        for p in dict.fromkeys(r.problem for r in right)
        if any(r.problem == p and r.rows > 7 for r in right)
    ]
    fastest = {p: min(r.median_us for r in right if r.problem == p) for p in problems}
    figure = new_figure(7.0, 4.2)
    axes = figure.subplots()
    ends = []
    for solver in dict.fromkeys(r.solver for r in rows):
        factors = np.sort(
            [
                r.median_us / fastest[r.problem]
                for r in right
                if r.solver == solver and r.problem in fastest
            ]
        )
        if not len(factors):
            continue
        share = np.arange(1, len(factors) + 1) / len(problems)
        ours = solver == "direct"
        axes.step(
            np.concatenate([[1.0], factors, [1e4]]),
            np.concatenate([[np.mean(factors <= 1.0) * share[-1]], share, share[-1:]]),
            where="post",
            label=solver,
            linewidth=2.5 if ours else 1.2,
            color="black" if ours else None,
            linestyle="-" if len(ends) < 10 else "--",
        )
        ends.append(share[-1])
    axes.set_xscale("log")
    axes.set_xlim(1.0, 1e4)
    axes.set_ylim(0.0, 1.03)
    axes.set_xlabel("time / time of the fastest [-]")
    axes.set_ylabel("share of problems solved correctly [-]")
    axes.set_title(f"Performance profile, {len(problems)} problems of more than 7 rows")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="lower right", ncols=2)
    save(figure, path, dpi=160)
