"""Rigs from the command line:  python -m rig list,  python -m rig drive [FILE]."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
from cyclopts import App

from . import Path, Rig, RigError, Run, make
from .catalogue import BLOCKS
from .path import field_work, headland_turn, straight

app: App = App(name="python -m rig", help=__doc__, version_flags=[])
PATHS = {
    "straight": lambda: straight(400.0),
    "headland": lambda: straight(60.0).then(headland_turn(12.0, 6.0)).then(straight(60.0)),
    "field": lambda: field_work(120.0, 12.0, 6.0, tracks=4),
}


@app.command(name="list")
def list_() -> int:
    """List the categories in the order of a tick, their blocks, and the signals that they write."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from .bus import core

    bus = core()
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in ("category", "block", "what it is", "writes"):
        table.add_column(heading)
    for category in bus.order:
        ports = bus.outputs(category).items()
        writes = ", ".join(f"{n} [{p.unit}]" if p.unit else n for n, p in ports)
        for i, (name, kind) in enumerate(BLOCKS[category].items()):
            first = i == 0
            table.add_row(category * first, name, kind.about, escape(writes) if first else "")
    Console().print(table)
    return 0


def _choices(given: tuple[str, ...]) -> dict[str, str]:
    """``category=block`` as a mapping."""
    pairs = [text.partition("=") for text in given]
    for text, (_, sign, block) in zip(given, pairs, strict=True):
        if not sign or not block:
            raise RigError(f"--block {text} must read category=block, such as chassis=kinematic")
    return {category: block for category, _, block in pairs}


def report(run: Run) -> list[str]:
    """What a drive comes to, a line each."""
    p, off = run["position"], run["off_track"]
    driven = float(np.hypot(*np.diff(p[:, :2], axis=0).T).sum())
    half, fixed = off[len(off) // 2 :], np.flatnonzero(run["engaged"])
    return [
        f"{run.time[-1] - run.time[0]:g} s, {driven:.1f} m driven to x {p[-1, 0]:.2f}, y "
        f"{p[-1, 1]:.2f} m",
        f"off track as guidance sees it: {off[fixed[0] if len(fixed) else 0]:+.3f} m at first, in "
        f"the second half at most "
        f"{np.abs(half).max():.3f} m, rms {np.sqrt(np.mean(half**2)):.3f} m",
    ]


@app.command
def drive(
    file: pathlib.Path | None = None, /, *, seconds: float = 60.0, speed: float = 4.5, off: float = 1.0,
    path: str = "straight", block: tuple[str, ...] = (), seed: int = 0, csv: pathlib.Path | None = None,
    save: pathlib.Path | None = None,
) -> int:  # fmt: skip
    """Drive a machine along a path on the simulated clock and say how it went.

    Parameters
    ----------
    file
        rig as TOML; without one: a tractor with look-ahead guidance, a valve and an RTK receiver.
    seconds
        how long [s].
    speed
        of the rig without a file [m/s].
    off
        where it starts, left of its path [m].
    path
        of the rig without a file: straight, headland or field.
    block
        category=block, such as chassis=kinematic; may be given several times.
    seed
        of the receiver's noise.
    csv
        file for every signal over time.
    save
        file for the rig itself, as TOML.
    """
    try:
        rig = Rig.read(file) if file is not None else _machine(speed, off, path, seed)
        for category, name in _choices(block).items():
            rig.swap(category, name)
        if save is not None:
            rig.write(save)
        run = rig.run(seconds)
        if csv is not None:
            run.to_csv(csv)
    except (RigError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in report(run):
        print(line)
    return 0


def _machine(speed: float, off: float, path: str, seed: int) -> Rig:
    from mlcp.checks import nearest

    if path not in PATHS:
        raise RigError(f"unknown path {path!r}; {nearest(path, PATHS)}")
    laid: Path = PATHS[path]()
    return Rig(
        0.01, path=laid, speed=speed, seed=seed, start={"position": (0.0, off, 0.0)}, chassis="bicycle",
        steering="third-order valve", steering_controller="proportional", guidance=make("guidance",
        "look-ahead"),
        gnss="rtk",
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(app())
