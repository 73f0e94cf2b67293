"""One command over all the benchmarks.

python -m benchmarks                          lists them
python -m benchmarks NAME [its options]       runs one, the same as  python -m benchmarks.NAME
python -m benchmarks all [NAME ...] --out DIR [--quick]    runs them into one HTML report
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from cyclopts import App
from rich.table import Table

from benchmarks.cli import console, refuse_bad_input, run, writable_directory
from benchmarks.front import catalogue

app = App(name="python -m benchmarks", version_flags=[], help="Run and compare.")


@app.default
def overview() -> int:
    """List the benchmarks."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for benchmark in catalogue.found():
        table.add_row(f"[bold]{benchmark.name}[/]", benchmark.summary)
    table.add_row("[bold]all[/]", "Several of them, or all, into one HTML report.")
    screen = console()
    screen.print("Run one with  [bold]python -m benchmarks NAME[/]  (--help shows its options):\n")
    screen.print(table)
    screen.print("\nA report of all:  [bold]python -m benchmarks all --out out/report --quick[/]")
    return 0


@app.command(name="all")
def run_all(*names: str, out: Path = Path("out/report"), quick: bool = False) -> int:
    """Run benchmarks and write one self-contained page, DIR/report.html.

    Ends with code 0 if all that could run passed; one that lacks an extra says which and is no failure.

    Parameters
    ----------
    names
        Which ones; every one if none is named.
    out
        Directory for the report, and a folder for each benchmark's own figures and results.
    quick
        Shorter variants: minutes instead of an hour, the same tables and pictures.
    """
    with refuse_bad_input():
        chosen = [catalogue.named(name) for name in names] or catalogue.found()
        writable_directory(out)
    from benchmarks.front.report import write_report
    from benchmarks.front.run import run_several

    screen = console()
    results = run_several(chosen, out, quick, screen)
    page = write_report(results, quick, out / "report.html")
    screen.print(f"report: {page}", soft_wrap=True)
    return 0 if all(result.passed or result.missing for result in results) else 1


def main() -> None:
    """Hand a benchmark its own command line; everything else is the front's."""
    words = sys.argv[1:]
    if words and words[0] != "all" and not words[0].startswith("-"):
        with refuse_bad_input():
            benchmark = catalogue.named(words[0])
        sys.argv = [f"python -m benchmarks.{benchmark.name}", *words[1:]]
        runpy.run_module(f"benchmarks.{benchmark.name}", run_name="__main__", alter_sys=True)
        return
    run(app)


if __name__ == "__main__":
    main()
