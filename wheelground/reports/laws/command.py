"""Comparison of the ground laws with reference numbers, and their figures by kind of ground.

Run it with ``wheelground compare laws``.
"""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from .. import cli

app = App(name="wheelground compare laws", help_format="markdown", version_flags=[])


@app.default
def main(*, out: Path = Path("out"), json: cli.JsonFile = None) -> int:
    """Check every ground law against reference numbers and draw it.

    Parameters
    ----------
    out
        Directory for the figures.
    json
        File for the results: one object for each reference number.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json)
    from rich.markup import escape

    from .figures import draw
    from .references import references

    screen = cli.console()
    with screen.status("evaluating the laws (the first run compiles them)"):
        rows = list(references())
        pictures = draw(out)
    texts, figures = ("law", "case", "quantity", ""), ("reference", "computed", "error")
    table = cli.new_table("ground laws against their references", (*texts[:3], *figures, ""), texts)
    for row in rows:
        verdict = "[green]passed" if row.passed else "[bold red]failed"
        table.add_row(
            row.law, row.case, escape(row.quantity), f"{row.reference:.10g}", f"{row.computed:.10g}",
            f"{row.error:.0e}", verdict,
        )  # fmt: skip
    screen.print(table)
    for picture in pictures:
        screen.print(f"figure: {picture}", soft_wrap=True)
    cli.save_results(json, [row.as_dict() for row in rows])
    passed = all(row.passed for row in rows)
    screen.print("[green]every reference met" if passed else "[red]a reference is missed")
    return 0 if passed else 1
