"""Figs 1 to 7 of Peiret et al., from computed laws, rows of the complementarity problem, and runs.

Run it with ``wheelground paper``; ``--out docs/images`` writes the figures of the documentation.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from cyclopts import App

from .. import cli

app = App(name="wheelground paper", help_format="markdown", version_flags=[])


@app.default
def main(
    *,
    out: Path = Path("out"),
    json: cli.JsonFile = None,
) -> int:
    """Draw Figs 1 to 7 of Peiret et al. (see README) and check them against the computed values.

    Parameters
    ----------
    out
        Directory for the figures.
    json
        File for the checks.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json)
    from contact import OutsideValidity

    from ..verdict import all_passed, recorded
    from .checks import checks
    from .draw import draw

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
