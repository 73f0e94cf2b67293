"""Is every tick in time: the 45-body vehicle beside an empty loop:  python -m benchmarks.jitter

Ten steps of 1 ms on soft soil in a tick of 10 ms, in spells of a second that take turns with an empty
loop of the same ticks, so that both see the same machine. A late tick ends after the next is due.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
from numpy.typing import NDArray

import bodies
from benchmarks.cli import (
    JsonFile,
    Whole,
    console,
    refuse_bad_input,
    run,
    writable_directory,
    writable_file,
    write_whole,
)
from benchmarks.verdict import Check, all_hold, recorded
from rig import Clock, Pace, WallClock
from rig.outside.live import undisturbed

TICK, STEP = 0.01, 1e-3  # [s]
SPELL = 100  # ticks
MORE_LATE, CORE = 1e-3, 0.10  # of all ticks, of a core
SHARES = (50.0, 90.0, 99.0, 99.9, 100.0)
QUICK = ("--seconds", "4")


def driven() -> Callable[[], None]:
    """A tick of the vehicle, in third gear on soft soil, settled and compiled."""
    from bodies.vehicle import load

    model = bodies.compile(load("hmmwv", controls={"throttle": 0.6, "gear": 3}))
    simulation = bodies.Simulation(model, STEP)
    steps = round(TICK / STEP)
    for _ in range(300):
        simulation.run(steps)
    return lambda: simulation.run(steps)


class Spells:
    """What the ticks of one kind of loop came to."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.cost: list[NDArray] = []
        self.wake: list[NDArray] = []
        self.late = self.ticks = 0
        self.busy = 0.0

    def run(self, clock: Clock) -> None:
        """One spell."""
        pace = Pace(clock, TICK)
        pace.begin(SPELL)
        began = time.process_time()
        for k in range(SPELL):
            pace.wait(k)
            self.work()
            pace.end(k)
        self.busy += time.process_time() - began
        self.cost.append(pace.cost)
        self.wake.append(pace.wake)
        self.late += int(pace.late.sum())
        self.ticks += SPELL

    def percentiles(self) -> dict[str, list[float]]:
        """Of lateness at the beginning and of the computing time [us], by ``SHARES``."""
        both = {"woken late": self.wake, "computing": self.cost}
        return {
            k: [float(x) / 1e3 for x in np.percentile(np.concatenate(v), SHARES)]
            for k, v in both.items()
        }


def checks_of(found: dict[str, Spells]) -> list[Check]:
    """What is promised of the vehicle beside the empty loop."""
    ours, empty = found["45-body vehicle"], found["empty loop"]
    late, least = ours.late / ours.ticks, empty.late / empty.ticks
    share = float(sum(c.sum() for c in ours.cost)) / (ours.ticks * TICK * 1e9)
    return [
        Check(
            "late ticks at most the empty loop's + 0.1 %", f"{late:.3%} beside {least:.3%}",
            late <= least + MORE_LATE, True,
        ),
        Check("computing at most 10 % of a core", f"{share:.1%}", share <= CORE, True),
    ]  # fmt: skip


def draw(found: dict[str, Spells], path: Path) -> Path:
    """How late ticks began, both loops, as the share of ticks that were later."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 4.0))
    for (name, spells), colour in zip(found.items(), ("#c0532b", "#888888"), strict=True):
        wake = np.sort(np.concatenate(spells.wake))[::-1] / 1e3
        share = np.arange(1, len(wake) + 1) / len(wake)
        axis.loglog(np.maximum(wake, 0.1), share, color=colour, label=name)
    axis.axvline(TICK * 1e6, color="black", linewidth=0.8, linestyle=":")
    axis.annotate(" one tick", (TICK * 1e6, axis.get_ylim()[0]), va="bottom")
    axis.set_xlabel("a tick began later than due by [us]")
    axis.set_ylabel("share of ticks")
    axis.grid(True, alpha=0.25)
    axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=130, pil_kwargs={"optimize": True})
    plt.close(figure)
    return path


def show(found: dict[str, Spells], checks: list[Check]) -> None:
    """Print the table and the verdicts."""
    from rich import box
    from rich.table import Table

    screen = console()
    table = Table(title="Ticks of 10 ms [us]", box=box.SIMPLE)
    for name in ("loop", "what", *(f"p{s:g}" if s < 100 else "worst" for s in SHARES), "late"):
        table.add_column(name, justify="left" if name in ("loop", "what") else "right", no_wrap=True)
    for name, spells in found.items():
        for what, values in spells.percentiles().items():
            table.add_row(name, what, *(f"{v:.1f}" for v in values), f"{spells.late} of {spells.ticks}")
    screen.print(table)
    for check in checks:
        screen.print(check.line)


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    seconds: Annotated[Whole, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=2))] = 60,
    out: Path = Path("out"),
    json_file: JsonFile = None,
) -> int:
    """Run the vehicle and an empty loop in turns and compare how late their ticks are.

    Parameters
    ----------
    seconds
        of both together [s].
    out
        directory for the picture.
    json_file
        file for the numbers.
    """
    with refuse_bad_input():
        writable_directory(out)
        if json_file is not None:
            writable_file(json_file)
    out.mkdir(parents=True, exist_ok=True)
    found = {"45-body vehicle": Spells(driven()), "empty loop": Spells(lambda: None)}
    clock = WallClock()
    with undisturbed():
        for _ in range(max(1, seconds // 2)):
            for spells in found.values():
                spells.run(clock)
    checks = checks_of(found)
    show(found, checks)
    console().print(f"picture: {draw(found, out / 'jitter.png')}")
    passed = all_hold(checks)
    if json_file is not None:
        content = {
            "loops": {
                name: {"late": s.late, "ticks": s.ticks, "us": s.percentiles(), "shares": SHARES}
                for name, s in found.items()
            },
            "checks": recorded(checks),
            "passed": passed,
        }  # fmt: skip
        write_whole(json_file, json.dumps(content, indent=1) + "\n")
    return 0 if passed else 1


if __name__ == "__main__":
    run(app)
