"""Mobility maps: cells a second, scaling with workers, time of one command ``map``.

Run it with ``python -m benchmarks.mobility``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from wheelground.reports import cli

app = App(name="python -m benchmarks.mobility", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    out: Path = Path("out"),
    cells: cli.Whole = 1000,
    workers: Annotated[tuple[int, ...], Parameter(consume_multiple=True)] = (1, 2),
    json: cli.JsonFile = None,
) -> int:
    """Measure maps of a made-up landscape.

    Parameters
    ----------
    out
        Directory for the landscape and its maps.
    cells
        Number of cells along each side of the landscape, such as 1000 or 10000.
    workers
        Numbers of processes with which the same map is made.
    json
        File for the results.
    """
    with cli.refuse_bad_input(ModuleNotFoundError):
        cli.writable(out, json)
        from benchmarks.mobility_cases import maps, rates

        screen, rows = cli.console(), []
        with screen.status("cells a second, one core"):
            rows += rates.measure()
        with screen.status("the landscape, and its map by each number of workers"):
            rows += maps.measure(out, cells, workers)
    table = cli.new_table("maps", ("what", "measured", "unit", "asked", ""), ("what", "unit"))
    for row in rows:
        table.add_row(*row.cells())
    screen.print(table)
    cli.save_results(json, [row.as_dict() for row in rows])
    sound = all(row.passed for row in rows if not row.timing)
    screen.print("[green]sizes within limits" if sound else "[red]a size is beyond its limit")
    return 0 if sound else 1


if __name__ == "__main__":
    cli.run(app)
