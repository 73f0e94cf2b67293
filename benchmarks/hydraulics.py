"""Cylinders, valves and pumps with a mass on the rod: one implicit solve beside explicit methods.

Run it with ``python -m benchmarks.hydraulics``.
"""

from __future__ import annotations

import json as json_format
from pathlib import Path

from cyclopts import App

from benchmarks.cli import (
    JsonFile,
    console,
    refuse_bad_input,
    run,
    writable_directory,
    writable_file,
    write_whole,
)

app = App(name="python -m benchmarks.hydraulics", help_format="markdown", version_flags=[])


@app.default
def main(*, out: Path = Path("out"), json: JsonFile = None) -> int:
    """Run both reference circuits in every way and at every step, against SciPy's Radau.

    Parameters
    ----------
    out
        Directory for the figures.
    json
        File for the results: one object for each run.
    """
    with refuse_bad_input():
        writable_directory(out)
        if json is not None:
            writable_file(json)
    from rich import box
    from rich.table import Table

    from benchmarks.hydraulic_cases import circuits
    from benchmarks.hydraulic_cases.compare import LIMITS, compare
    from benchmarks.hydraulic_cases.figures import draw

    screen, rows, pictures = console(), [], []
    for name in circuits.CASES:
        with screen.status(f"{name}: Radau, then every way"):
            times, exact, found = compare(name)
            pictures.append(draw(name, times, exact, out))
        rows += found
        table = Table(title=f"{name}, {circuits.DURATION:g} s", box=box.SIMPLE, padding=(0, 1, 0, 0))
        table.add_column("way")
        for head in (
            "step [ms]", "largest error [mm]", "pressure rms [MPa]", "energy gap", "missed",
            "passes a step", "us a simulated ms", "",
        ):  # fmt: skip
            table.add_column(head, justify="right", no_wrap=True)
        for row in found:
            table.add_row(*row.cells())
        screen.print(table)
    for name in circuits.CASES:
        best = min(
            (r for r in rows if r.case == name and r.step == 1e-3 and r.stable), key=lambda r: r.error
        )
        screen.print(f"{name}: at 1 ms take {best.way!r}, {1e3 * best.error:.2g} mm")
    for picture in pictures:
        screen.print(f"figure: {picture}", soft_wrap=True)
    if json is not None:
        write_whole(json, json_format.dumps([row.as_dict() for row in rows], indent=2))
        screen.print(f"results: {json}", soft_wrap=True)
    passed = all(row.passed for row in rows)
    words = ", ".join(f"{case} {way} {1e3 * most:g} mm" for (case, way), most in LIMITS.items())
    screen.print(
        f"[green]errors at 1 ms within {words}; every implicit run stable"
        if passed
        else "[red]a limit is missed"
    )
    return 0 if passed else 1


if __name__ == "__main__":
    run(app)
