"""Report of the comparison of regularisations: runs, tables, figures, CSV, JSON."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import warnings
from pathlib import Path
from typing import Any

from rich.console import Console

from contact import OutsideValidity

from .. import cli
from ..cli import save_results, write_whole
from ..pages import DOCS, write_blocks
from ..task_bar import TaskBar
from .figures import choose, draw_comparison
from .matrix import REFERENCE, Matrix, Results, run_matrix, total_weight
from .measure import MISSED, SchemeResult
from .page import blocks
from .standing import criteria, seconds
from .tables import laws_table, schemes_table, solvers_table

WIDTH = 130  # width of the tables if the output is no terminal [characters]


def compare(matrix: Matrix, out: Path, json_file: Path | None, docs: bool = False) -> int:
    """Run the matrix, print its tables, write pictures, CSV and JSON.

    Returns:
        the exit code: 1 if the scheme of the reference missed more steps than a stable run may, else 0.
    """
    console = cli.console()
    if not console.is_terminal:
        console.width = WIDTH
    bar = TaskBar(console, "compiling (about 40 s at the first run)")
    with warnings.catch_warnings(), bar:
        warnings.simplefilter("ignore", OutsideValidity)  # some cases exceed the laws' ranges on purpose
        try:
            warm_up(matrix)
            bar.update(bar.bar, total=total_weight(matrix))
            results = run_matrix(matrix, bar.begin)
        except KeyboardInterrupt:
            bar.stop()
            console.print("interrupted; nothing is written")
            return 130
    for table in (
        schemes_table(results, console.width),
        solvers_table(results),
        laws_table(results),
    ):
        if table is not None:
            console.print(table)
    describe(console, results)
    out.mkdir(parents=True, exist_ok=True)
    written = [
        draw_comparison(results, out / "regularisation.png"),
        choose(results, out / "regularisation_choice.png"),
    ]
    csv_file = out / "regularisation.csv"
    write_whole(csv_file, as_csv(results))
    for path in (*written, csv_file):
        console.print(f"written: {path}", soft_wrap=True)
    if docs:
        written = [write_blocks(DOCS / "how_to_choose_a_regularisation.md", blocks(results))]
        written.append(choose(results, DOCS / "images" / "regularisation_choice.png"))
        for path in written:
            console.print(f"written: {path}", soft_wrap=True)
    scheme, solver = REFERENCE
    solved = all(
        x.missed <= MISSED * x.steps
        for x in results.pick(law=matrix.laws[0].name, scheme=scheme, solver=solver)
    )
    save_results(json_file, as_dict(results, solved))
    return 0 if solved else 1


def warm_up(matrix: Matrix) -> None:
    """Run a few steps of every case of the first law, to compile or load the kernels of all runs."""
    for case in matrix.make_cases(matrix.laws[0].what):
        if matrix.only and case.name not in matrix.only:
            continue
        short = dataclasses.replace(case, duration=5e-3)
        for solver in matrix.solvers:
            short.run("implicit", solver, 1e-3)


def describe(console: Console, results: Results) -> None:
    """Print the errors of the references and the number of runs left out."""
    main = results.matrix.laws[0].name
    console.print(criteria(main), highlight=False)
    for reference in results.references:
        if reference.law != main:
            continue
        text = f"  {reference.case.name}: {reference.case.title}"
        if reference.run is not None:
            text += f"; reference at {seconds(reference.step)}, which moves by "
            text += f"{reference.error_m_s:.1e} m/s when its step is doubled"
        else:
            text += "; exactly at rest"
        console.print(text, highlight=False)
    for reference in results.references:
        reason = reference.case.goal.reason
        if reason:
            case = f"{reference.law}, {reference.case.name}"
            console.print(f"  {case}: no closed form, {reason}", highlight=False)
    if results.refused:
        console.print(
            f"refused or not brought to an end: {len(results.refused)} runs; the first: "
            f"{results.refused[0]}",
            highlight=False,
        )
    if results.left_out:
        console.print(
            f"left out: {results.left_out} runs that are expected to take longer than "
            f"{results.matrix.patience:g} s (--patience runs them)",
            highlight=False,
        )


def as_csv(results: Results) -> str:
    """CSV text with a line for each run; the columns are the fields of ``measure.SchemeResult``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([f.name for f in dataclasses.fields(SchemeResult)])
    for line in results.lines:
        writer.writerow([repr(float(v)) if isinstance(v, float) else v for v in line.cells()])
    return text.getvalue()


def as_dict(results: Results, passed: bool) -> dict[str, Any]:
    """Dictionary of all runs and references for a JSON file; undefined numbers are None."""

    def clean(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    runs = [{k: clean(v) for k, v in dataclasses.asdict(x).items()} for x in results.lines]
    references = [
        {"law": r.law, "case": r.case.name, "step_s": r.step, "error_m_s": r.error_m_s}
        for r in results.references
        if r.step > 0.0
    ]
    return {"runs": runs, "references": references, "left_out": results.left_out, "passed": passed}
