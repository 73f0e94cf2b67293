"""Figs 1 to 7 of Peiret et al., from computed laws, rows of the complementarity problem, and runs.

Run it with ``python -m benchmarks.paper_figures``; ``--out docs/images`` writes the documentation's.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from cyclopts import App

from wheelground.reports import cli

app = App(name="python -m benchmarks.paper_figures", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
) -> int:
    """Draw the paper's Figs 1 to 7 and check them against the computed values.

    Parameters
    ----------
    out
        Directory for the figures.
    json
        File for the checks.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json)
    from benchmarks.paper.checks import checks
    from benchmarks.paper.draw import draw
    from contact import OutsideValidity
    from wheelground.reports.verdict import all_passed, recorded

    console = cli.console()
    out.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), console.status("drawing (the first run compiles)"):
        warnings.simplefilter("ignore", OutsideValidity)
        found = checks()
        written = draw(out)
    for check in found:
        console.print(
            f"[{check.colour}]{check.verdict}[/] {check.name}: {check.measured}", highlight=False
        )
    for path in written:
        console.print(f"figure: {path}", soft_wrap=True)
    cli.save_results(json, recorded(found))
    return 0 if all_passed(found) else 1


if __name__ == "__main__":
    cli.run(app)
