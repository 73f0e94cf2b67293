"""Mobility maps: cells a second, scaling with workers, time of one command, and agreement of results.

Run it with ``python -m benchmarks.mobility``.
"""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from wheelground.reports.cli import (
    JsonFile,
    Whole,
    console,
    refuse_bad_input,
    run,
    writable_directory,
    writable_file,
    write_whole,
)

app = App(name="python -m benchmarks.mobility", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    out: Path = Path("out"),
    cells: Whole = 1000,
    workers: Annotated[tuple[int, ...], Parameter(consume_multiple=True)] = (1, 2),
    whole: bool = False,
    json: JsonFile = None,
) -> int:
    """Measure maps of a made-up landscape, and compare the force balance with the whole vehicle.

    Parameters
    ----------
    out
        Directory for the landscape and its maps.
    cells
        Along each side of the landscape; 10000 is the large one.
    workers
        Numbers of processes with which the same map is made.
    whole
        Drive the whole vehicles too: slips against the balance's, 200 random cases, a minute or two.
    json
        File for the results.
    """
    with refuse_bad_input(ModuleNotFoundError):
        writable_directory(out)
        writable_file(json)
        from rich import box
        from rich.table import Table

        from benchmarks.mobility_cases import maps, rates
        from benchmarks.mobility_cases import whole as driven

        screen, rows = console(), []
        with screen.status("cells a second, one core"):
            rows += rates.measure()
        with screen.status("the landscape, and its map by each number of workers"):
            rows += maps.measure(out, cells, workers)
        if whole:
            with screen.status("the whole vehicle, 200 cases"):
                rows += driven.measure()
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for head in ("what", "measured", "unit", "asked", ""):
        table.add_column(head, justify="left" if head in ("what", "unit") else "right")
    for row in rows:
        table.add_row(*row.cells())
    screen.print(table)
    if json is not None:
        write_whole(json, json_format.dumps([row.as_dict() for row in rows], indent=2))
        screen.print(f"results: {json}", soft_wrap=True)
    sound = all(row.passed for row in rows if not row.timing)
    screen.print("[green]what must agree agrees" if sound else "[red]something does not agree")
    return 0 if sound else 1


if __name__ == "__main__":
    run(app)
