"""Comparison of published measurements with this program's laws and vehicles, with all deviations.

Run it with ``wheelground measured``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclopts import App

from .. import cli
from ..pages import DOCS, write_blocks
from .sources import MeasuredRows

app = App(name="wheelground measured", help_format="markdown", version_flags=[])


def markdown(rows: Sequence[MeasuredRows]) -> str:
    """Markdown table of the comparison, one row per case, followed by the parameters of each case."""
    figures: dict[tuple[str, str], list[str]] = {}
    cases: dict[str, dict[str, None]] = {}
    for r in rows:
        text = f"{r.quantity} {r.bias:.3g}, {r.rms:.3g}/{r.span:.3g} {r.unit}"
        figures.setdefault((r.source, r.case), []).append(text.removesuffix(" -"))
        cases.setdefault(f"{r.source}: {r.parameters}", {})[r.case] = None
    lines = ["| source | case | bias, rms/span |", "|" + "---|" * 3]
    lines += [f"| {source} | {case} | {'; '.join(of)} |" for (source, case), of in figures.items()]
    lines += ["", "Parameters:", ""]
    for about, named in cases.items():
        source, _, parameters = about.partition(": ")
        *most, last = named
        origin = last.rpartition(", ")[2]
        most = [case.removesuffix(f", {origin}") for case in most]
        lines.append(f"- {source}, {'; '.join([*most, last])}: {parameters}")
    return "\n".join(lines) + "\n"


@app.default
def main(*, out: Path = Path("out"), json: cli.JsonFile = None, docs: bool = False) -> int:
    """Print and draw published measurements of wheels, tyres and robots with our predictions.

    Parameters
    ----------
    out
        Directory for the pictures.
    json
        File for the results: one object for each series.
    docs
        Write the table and the pictures of the page docs/measured.md, in a checkout.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json)
    from rich.markup import escape

    from . import machines, wheels
    from .figures import draw

    screen = cli.console()
    with screen.status("single wheels (the first run compiles the law)"):
        of_wheels = wheels.rows()
    with screen.status("tyres and robots"):
        of_machines = machines.rows()
    rows = [*of_wheels, *of_machines]
    out = DOCS / "images" if docs else out
    pictures = [
        draw(of_wheels, out / "measured_wheels.png", "Wheels: points measured, lines by Wong and Reece"),
        draw(of_machines, out / "measured_machines.png", "Tyre and robots: measured and predicted"),
    ]
    if docs:
        write_blocks(DOCS / "measured.md", {"measurements": markdown(rows)})
    screen.print("Predicted minus measured; span: largest minus smallest measured value.")
    texts = "source", "case", "quantity"
    table = cli.new_table("measurements", (*texts, "rows", "bias", "rms", "span"), texts)
    for r in rows:
        figures = (f"{value:.3g}" for value in (r.bias, r.rms, r.span))
        table.add_row(r.source, r.case, escape(f"{r.quantity} [{r.unit}]"), str(len(r.at)), *figures)
    screen.print(table)
    for about in dict.fromkeys(f"{r.source}, {r.case}: {r.parameters}" for r in rows):
        screen.print(escape(about), soft_wrap=True)
    for picture in pictures:
        screen.print(f"figure: {picture}", soft_wrap=True)
    cli.save_results(json, [r.as_dict() for r in rows])
    return 0
