"""Guidance: stability limits and decay beside their closed forms, and a field test of three laws.

Run it with ``python -m benchmarks.guidance``.
"""

from __future__ import annotations

import json as json_format
from dataclasses import asdict
from pathlib import Path

import numpy as np
from cyclopts import App

from mlcp.writing import written
from wheelground.reports.cli import (
    JsonFile,
    console,
    refuse_bad_input,
    run,
    writable_directory,
    writable_file,
    write_whole,
)
from wheelground.reports.verdict import Check, all_hold

app = App(name="python -m benchmarks.guidance", help_format="markdown", version_flags=[])
SEEDS = (0, 1, 2)
REACH, WITHIN, RMS = 60.0, 0.05, 0.03  # [m]


def field_test() -> tuple[dict, list[Check]]:
    """Tracks of every law and seed (x, y), and what is promised of them."""
    from benchmarks.guided.cases import LAWS, field_machine

    tracks, checks = {}, []
    for law in LAWS:
        for seed in SEEDS:
            tracks[law, seed] = field_machine(law, seed).run(60.0)["position"][:, :2]
        after = np.concatenate([t[t[:, 0] > REACH, 1] for (name, _), t in tracks.items() if name == law])
        rms, most = float(np.sqrt(np.mean(after**2))), float(np.abs(after).max())
        told = f"rms {1e3 * rms:.1f} mm, at most {1e3 * most:.0f} mm"
        checks.append(
            Check(f"{law}: within 50 mm after 60 m, rms below 30 mm", told, most < WITHIN and rms < RMS)
        )
    return tracks, checks


def table_of(lines: list, checks: list[Check]) -> str:
    """Both as a page writes them."""
    rows = ["| what | closed form | measured | apart |", "|---|---|---|---|"]
    for line in lines:
        unit = f" {line.unit}" if line.unit else ""
        rows.append(
            f"| {line.what} | {line.closed:.6g}{unit} | {line.measured:.6g}{unit} | {line.error:.0e} |"
        )
    rows += ["", "| field test | measured |", "|---|---|"]
    rows += [f"| {check.name} | {check.measured} |" for check in checks]
    return "\n".join(rows) + "\n"


def draw(tracks: dict, path: Path) -> Path:
    """Off track over distance of the three laws, and look-ahead about its limit."""
    from matplotlib.figure import Figure

    from benchmarks.guided.cases import LAG, LAWS, U, off_path
    from rig.guidance import LookAhead

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for law, colour in zip(LAWS, ("tab:blue", "tab:orange", "tab:green"), strict=True):
        for seed in SEEDS:
            x, y = tracks[law, seed].T
            left.plot(x, y, color=colour, lw=1.0, label=law if seed == SEEDS[0] else None)
    left.axhspan(-WITHIN, WITHIN, color="0.9", zorder=0)
    left.set(xlabel="driven along the path (m)", ylabel="off track (m)", xlim=(0.0, 150.0))
    left.set_title("tractor with valve and RTK receiver, three seeds", fontsize=10)
    left.legend(frameon=False)
    for share, colour in ((0.95, "tab:red"), (1.0, "0.4"), (1.1, "tab:blue")):
        got = off_path(LookAhead(distance=share * U * LAG), tick=0.001, time=4.0, lag=LAG, off=1e-3)
        right.plot(
            got.time, 1e3 * got["position"][:, 1], color=colour, lw=1.0, label=f"l = {share:g} u τ"
        )
    right.set(xlabel="time (s)", ylabel="off track (mm)", ylim=(-1.0, 1.7))
    right.set_title("look-ahead with a steering lag, about its limit", fontsize=10)
    right.legend(frameon=False, loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as place:
        figure.savefig(place, dpi=130)
    return path


@app.default
def main(*, out: Path = Path("out"), json: JsonFile = None, docs: bool = False) -> int:
    """Measure guidance loops beside their closed forms.

    Parameters
    ----------
    out
        Directory for the picture.
    json
        File for the results.
    docs
        Write the tables and the picture of the page on guidance.
    """
    with refuse_bad_input():
        writable_directory(out)
        writable_file(json)
    from rich import box
    from rich.table import Table

    from benchmarks.guided.cases import lines
    from wheelground.reports import pages

    screen = console()
    with screen.status("driving (about a minute)"):
        found = list(lines())
        tracks, checks = field_test()
        picture = draw(tracks, (pages.DOCS / "images" if docs else out) / "guidance.png")
    table = Table(title="guidance beside its closed forms", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for name in ("what", "closed form", "measured", "apart", ""):
        table.add_column(name)
    for line in found:
        verdict = "[green]passed" if line.passed else "[bold red]failed"
        table.add_row(
            f"{line.what} {line.unit}".rstrip(),
            f"{line.closed:.8g}",
            f"{line.measured:.8g}",
            f"{line.error:.0e}",
            verdict,
        )
    screen.print(table)
    for check in checks:
        screen.print(check.line)
    screen.print(f"figure: {picture}", soft_wrap=True)
    passed = all(line.passed for line in found) and all_hold(checks)
    if docs:
        pages.write_blocks(pages.DOCS / "guidance.md", {"guidance": table_of(found, checks)})
    if json is not None:
        content = {
            "lines": [asdict(f) for f in found],
            "checks": [asdict(c) for c in checks],
            "passed": passed,
        }
        write_whole(json, json_format.dumps(content, indent=2))
    return 0 if passed else 1


if __name__ == "__main__":
    run(app)
