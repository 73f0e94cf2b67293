"""Published references: pendulum, four-bar, Andrews' squeezer, revolute pendulum.

Each case runs at two or more step sizes; the table states the error at each and the observed order
``log(error_1 / error_2) / log(h_1 / h_2)`` of the first two. At a step longer than the last one the
allowed error is longer in proportion. Run with  python -m benchmarks.references
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

from bodies import Simulation
from contact import checks

from .cli import JsonFile, console, refuse_bad_input, run, writable_file, write_whole
from .reference_cases import andrews, four_bar, pendulum, revolute_pendulum

CASES: dict[str, ModuleType] = {
    "pendulum": pendulum,
    "four-bar": four_bar,
    "andrews": andrews,
    "revolute pendulum": revolute_pendulum,
}
LEAST_ORDER = 0.9


def run_case(name: str) -> list[dict[str, Any]]:
    """Rows (one per quantity and step size) of one case."""
    case = CASES[name]
    model = case.build()
    results = []
    for step in case.STEPS:
        simulation = Simulation(model, step, tolerance=1e-12)
        simulation.run(round(case.DURATION / step))
        results.append(case.measure(simulation))
    coarse, fine, last = case.STEPS[0], case.STEPS[1], case.STEPS[-1]
    rows = []
    for quantity, reference in case.REFERENCE.items():
        errors = [abs(r[quantity] - reference) for r in results]
        allowed = case.TOLERANCE
        if isinstance(allowed, dict):
            allowed = allowed[quantity]
        order = math.inf
        if errors[1] > 0.0:
            order = math.log(max(errors[0], 1e-300) / errors[1]) / math.log(coarse / fine)
        for step, result, error in zip(case.STEPS, results, errors, strict=True):
            rows.append(
                {
                    "case": name,
                    "quantity": quantity,
                    "reference": reference,
                    "computed": float(result[quantity]),
                    "error": float(error),
                    "step_s": step,
                    "order": order,
                    "passed": bool(error <= allowed * step / last and order >= LEAST_ORDER),
                }
            )
    return rows


def main(case: str | None = None, *, json_file: Path | None = None) -> None:
    """Print the table of published references.

    Parameters
    ----------
    case:
        Only this one of: pendulum, four-bar, andrews, revolute pendulum.
    json_file:
        Also write the table to this file.
    """
    from rich.table import Table

    with refuse_bad_input():
        if case is not None:
            checks.known("case", case, CASES)
        writable_file(json_file)
    rows = [row for name in ([case] if case else CASES) for row in run_case(name)]
    table = Table(title="Published references")
    for heading in ("case", "quantity", "reference", "computed", "error", "step [s]", "order", ""):
        table.add_column(heading, justify="left" if heading in ("case", "quantity") else "right")
    for row in rows:
        table.add_row(
            row["case"],
            row["quantity"],
            f"{row['reference']:.8g}",
            f"{row['computed']:.8g}",
            f"{row['error']:.2e}",
            f"{row['step_s']:g}",
            f"{row['order']:.2f}",
            "pass" if row["passed"] else "[red]FAIL",
        )
    console().print(table)
    if json_file:
        write_whole(json_file, json.dumps(rows, indent=2) + "\n")
    if not all(row["passed"] for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    import cyclopts

    app = cyclopts.App(help=__doc__)

    @app.default
    def command(case: str | None = None, *, json: JsonFile = None) -> None:
        main(case, json_file=json)

    run(app)
