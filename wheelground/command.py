"""The command ``wheelground``: a subcommand and its options."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from . import __version__
from .commands import doctor, drawbar, drive, examples, identify, solve
from .reports.cli import console, leave, refuse_bad_input, run
from .reports.page import report

ROOT = Path(__file__).resolve().parents[1]
#: Module of each comparison; those of ``benchmarks`` measure speed and need a checkout.
COMPARISONS = {
    "schemes": "wheelground.reports.schemes.command",
    "laws": "wheelground.reports.laws.command",
    "solvers": "benchmarks.solvers",
    "hosts": "benchmarks.hosts",
    "peers": "benchmarks.peers",
}
Words = Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]

app = App(
    name="wheelground",
    version=__version__,
    help="Wheels on soft ground: drive a vehicle, pull on a soil, compare schemes, solve a problem.",
    help_format="markdown",
)
for program in (
    drive.drive,
    drawbar.drawbar,
    solve.solve,
    identify.identify,
    report,
    doctor.doctor,
    examples.examples,
):
    app.command(program)


def _program(module: str, words: Sequence[str], called: str) -> None:
    """Pass the command line to a module's program, whose help shows the name ``called``."""
    program = App(name=called, version_flags=[], help_format="markdown")
    program.default(importlib.import_module(module).app.default_command)
    run(lambda: program(words))


@app.command(help_flags=())
def quarter(*words: Words) -> None:
    """Quarter vehicle of Peiret et al. (see README) on one wheel: every scheme, checked and drawn."""
    _program("wheelground.reports.quarter.command", words, "wheelground quarter")


@app.command(help_flags=())
def full(*words: Words) -> None:
    """Vehicle of Peiret et al., 45 bodies, on soft ground: every scheme, checked and drawn."""
    _program("wheelground.reports.full.command", words, "wheelground full")


@app.command(help_flags=())
def paper(*words: Words) -> None:
    """Figs 1 to 7 of Peiret et al., drawn and checked against the computed values."""
    _program("wheelground.reports.paper.command", words, "wheelground paper")


@app.command(help_flags=())
def pull(*words: Words) -> None:
    """A tractor test: pull, slip, efficiency and fuel on soils of ASABE D497."""
    _program("wheelground.reports.drawbar", words, "wheelground pull")


@app.command(help_flags=())
def measured(*words: Words) -> None:
    """Published measurements of wheels, tyres and robots, compared with our laws and vehicles."""
    _program("wheelground.reports.measured.command", words, "wheelground measured")


@app.command(help_flags=())
def compare(*words: Words) -> None:
    """Comparisons: ``compare schemes`` (default), ``laws``, ``solvers``, ``hosts`` or ``peers``."""
    what = words[0] if words and not words[0].startswith("-") else "schemes"
    with refuse_bad_input():
        if what not in COMPARISONS:
            from mlcp.checks import nearest

            raise ValueError(f"compare: unknown {what!r}; {nearest(what, COMPARISONS)}")
        module = COMPARISONS[what]
        if not (ROOT / module.partition(".")[0]).is_dir():
            raise ValueError(
                f"compare {what} measures speed and is not installed; in a checkout of the sources: "
                f"python -m {module}"
            )
    rest = words[1:] if words and what == words[0] else words
    _program(module, rest, f"wheelground compare {what}")


@app.command(name="map", help_flags=())
def map_(*words: Words) -> int:
    """Mobility maps: class, speed, probability; ``map --soil ci.tif --dem dem.tif --out map``.

    ``map compare FIRST SECOND`` compares two finished maps.
    """
    if words and not {"-h", "--help"} & set(words):
        print("map: loading ...", flush=True)
    from mobility.command import main as program

    return program(words, "wheelground map")


@app.command(help_flags=())
def landscape(*words: Words) -> int:
    """An artificial landscape for trials of ``map``: ``landscape --out place``."""
    from mobility.landscape import main as program

    return program(words, "wheelground landscape")


def main(words: Sequence[str] | None = None) -> None:
    """Run the command and exit with its code; an unknown subcommand gives one sentence and code 2."""
    words = list(sys.argv[1:] if words is None else words)
    known = [name for name in app if not name.startswith("-")]
    if words and not words[0].startswith("-") and words[0] not in known:
        from mlcp.checks import nearest

        with refuse_bad_input():
            raise ValueError(f"wheelground: unknown command {words[0]!r}; {nearest(words[0], known)}")
    if not words:
        app.help_print([], console=console())
        raise SystemExit(0)
    (leave if words[0].startswith("-") else run)(lambda: app(words))
