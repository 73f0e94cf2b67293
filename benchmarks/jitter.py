"""Late ticks of a real-time loop with the 45-body vehicle, or empty:  python -m benchmarks.jitter

A tick of 10 ms has ten steps of 1 ms on soft soil, alone or with all connections (a second process with
a journal and the poses of all bodies, an operator, a client that reads 4 kB a second). Each second
alternates with a second of an empty loop, so that other programs disturb both loops alike. A late tick
ends after the start of the next is due; the table's row of processor times counts the ticks that are
longer than a tick by their own computing. ``--machine`` times shipped machines with scripted levers
instead, ``--machine all`` every one.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
from matplotlib import colormaps
from numpy.typing import NDArray

import bodies
from benchmarks.cockpit import MACHINES
from mlcp.checks import nearest
from rig import Clock, Pace, WallClock
from rig.outside.live import undisturbed
from wheelground.reports import cli
from wheelground.reports.pictures import new_figure, save
from wheelground.reports.verdict import Check, all_passed, recorded

TICK, STEP = 0.01, 1e-3  # length of a tick and of a time step [s]
SPELL = 100  # number of ticks in one measured spell
# limits: fraction of late ticks less that of the empty loop [-]; load of a core [-]
MAX_EXTRA_OVERRUNS, CORE = 1e-3, 0.10
WHOLE, EMPTY = "45-body vehicle", "empty loop"
SHARES = (50.0, 90.0, 99.0, 99.9, 100.0)
COLOURS = ("#c0532b", "#2b62b5", "#888888")
ALL = "all"  # name for every shipped machine


def driven() -> tuple[Callable[[], None], Callable[[], NDArray]]:
    """Functions that run one tick of the vehicle, in third gear on soft soil, and return all poses."""
    from bodies.vehicle import load

    model = bodies.compile(load("hmmwv", controls={"throttle": 0.6, "gear": 3}))
    simulation = bodies.Simulation(model, STEP)
    steps = round(TICK / STEP)
    for _ in range(300):
        simulation.run(steps)
    return lambda: simulation.run(steps), simulation.poses


def lever_script(names: set[str]) -> Callable[[float], dict[str, float]]:
    """Function from the time [s] to the values of levers: a slow drive, or cylinders moved at rest."""
    driving = {
        "engage": 0.0, "wanted_speed": 3.0, "left": 0.5, "drive": 0.5, "throttle": 0.6, "gear": 1.0,
    }  # fmt: skip
    digging = {"gear": 0.0, "throttle": 0.0, "brake": 1.0}
    digs = "swing_lever" in names
    fixed = driving | {"brake": 0.0} | (digging if digs else {})
    fixed = {name: value for name, value in fixed.items() if name in names}
    waves = {
        "steering_wheel": (0.2, 1.0), "steering": (0.3, 1.0), "right": (0.5, 1.0),
        "boom_lever": (0.4, 2.0), "crowd_lever": (0.4, 2.0), "swing_lever": (0.4, 1.0),
        "steering_lever": (0.0 if digs else 0.3, 1.0), "lift_lever": (0.3, 2.0),
    }  # fmt: skip
    moved = {name: wave for name, wave in waves.items() if name in names}
    return lambda t: fixed | {n: size * math.sin(rate * t) for n, (size, rate) in moved.items()}


def ticks_of(name: str) -> Callable[[], object]:
    """Function that runs one tick of a shipped machine with scripted levers, for "backhoe" of its arm
    alone."""
    from rig import Rig
    from rig.command.arguments import rig_of
    from rig.outside.background_compilation import load

    alone = {"linkage": "backhoe", "begin": False}
    rig = (
        Rig(TICK, **alone)
        if name == "backhoe"
        else rig_of(Path(name), None, 0.0, "field", 0, True, True)
    )
    rig.begin()
    load()
    outside = lever_script({n for n, signal in rig.bus.signals.items() if signal.by == "operator"})
    rig.run(0.3, outside=outside)
    return lambda: rig.run(TICK, outside=outside)


def names_of(machines: tuple[str, ...]) -> tuple[str, ...]:
    """Names of machines, with every shipped machine in place of ``ALL``; ValueError for unknown
    names."""
    for name in machines:
        if name not in (ALL, *MACHINES):
            raise ValueError(f"unknown machine {name!r}; {nearest(name, (ALL, *MACHINES))}")
    return tuple(dict.fromkeys(n for m in machines for n in (MACHINES if m == ALL else (m,))))


READER = """
import socket, sys, time
from rig.outside.net.frame import Kind, NetworkFrame
from rig.outside.net.schema import Hello
line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
line.sendall(NetworkFrame(Kind.HELLO, Hello("view", signals=("body_poses",), rate=100.0).pack()).pack())
while True:
    line.recv(4096)
    time.sleep(1.0)
"""


@contextlib.contextmanager
def with_outside(work: Callable[[], None], poses: Callable[[], NDArray]) -> Iterator[Callable[[], None]]:
    """Function that runs ``work`` and exchanges data with the other processes of a live session."""
    from rig import Rig
    from rig.outside.front import Front
    from rig.outside.journal import Journal
    from rig.outside.net.client import Client
    from rig.outside.net.schema import Hello

    rig = Rig(TICK, chassis="kinematic", speed=3.0)
    rig.pace = pace = Pace(WallClock(), TICK)
    desk = Hello("operator", inputs=("engage", "wanted_speed"))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        front = stack.enter_context(Front(rig, poses=poses, journal=Path(folder) / "drive.mcap"))
        hook = stack.enter_context(Journal(front, rig)).outside(front)
        operator = stack.enter_context(Client(front.port, desk))
        reader = subprocess.Popen([sys.executable, "-c", READER, str(front.port)])
        stack.callback(reader.wait)
        stack.callback(reader.kill)

        def tick() -> None:
            work()
            if rig.ticks % 2 == 0:
                operator.send({"engage": 0.0, "wanted_speed": 3.0})
            pace.begin(0)  # the journal records this time
            hook(rig.time)
            rig.ticks += 1

        yield tick


class Spells:
    """Timing of the ticks of one kind of loop."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.cost: list[NDArray] = []
        self.wake: list[NDArray] = []
        self.processor: list[NDArray] = []
        self.overruns = self.ticks = 0
        self.busy = 0.0

    def run(self, clock: Clock) -> None:
        """Measure delays, computing and processor times of the next ``SPELL`` ticks on a clock."""
        pace, processor = Pace(clock, TICK), np.zeros(SPELL)
        pace.begin(SPELL)
        began = time.process_time()
        for k in range(SPELL):
            pace.wait(k)
            start = time.thread_time_ns()
            self.work()
            processor[k] = time.thread_time_ns() - start
            pace.end(k)
        self.processor.append(processor)
        self.busy += time.process_time() - began
        self.cost.append(pace.cost)
        self.wake.append(pace.wake)
        self.overruns += int(pace.overruns.sum())
        self.ticks += SPELL

    @property
    def too_long(self) -> int:
        """Number of ticks whose processor time exceeds the tick: late without any other program."""
        return int(sum(np.count_nonzero(spent > TICK * 1e9) for spent in self.processor))

    def percentiles(self) -> dict[str, list[float]]:
        """Percentiles ``SHARES`` of the starting delay, the computing time and the processor time of its
        thread [us]; the last is without the time in which another program had the core."""
        both = {"woken late": self.wake, "computing": self.cost, "processor time": self.processor}
        return {
            k: [float(x) / 1e3 for x in np.percentile(np.concatenate(v), SHARES)]
            for k, v in both.items()
        }


def checks_of(found: dict[str, Spells]) -> list[Check]:
    """Checks of late ticks with the vehicle against the empty loop's, and of the load of a core."""
    *ours, empty = found.values()
    least, checks = empty.overruns / empty.ticks, []
    for name, spells in list(found.items())[: len(ours)]:
        overruns = spells.overruns / spells.ticks
        checks.append(
            Check(
                f"{name}: late ticks at most the empty loop's + 0.1 %",
                f"{overruns:.3%} beside {least:.3%}",
                overruns <= least + MAX_EXTRA_OVERRUNS,
                True,
            )
        )
    if WHOLE in found:
        share = found[WHOLE].busy / (found[WHOLE].ticks * TICK)
        words = f"{WHOLE}: at most 10 % of a core, waiting included"
        checks.append(Check(words, f"{share:.1%}", share <= CORE, True))
    return checks


def draw(found: dict[str, Spells], path: Path) -> Path:
    """Draw for every loop the fraction of ticks that begin later than due by more than a delay."""
    figure = new_figure(6.4, 4.0)
    axis = figure.subplots()
    colours = itertools.cycle(COLOURS[:-1] if len(found) <= len(COLOURS) else colormaps["tab20"].colors)
    for name, spells in found.items():
        colour = COLOURS[-1] if name == EMPTY else next(colours)
        wake = np.sort(np.concatenate(spells.wake))[::-1] / 1e3
        share = np.arange(1, len(wake) + 1) / len(wake)
        axis.loglog(np.maximum(wake, 0.1), share, color=colour, label=name)
    axis.axvline(TICK * 1e6, color="black", linewidth=0.8, linestyle=":")
    axis.annotate(" one tick", (TICK * 1e6, axis.get_ylim()[0]), va="bottom")
    axis.set_xlabel("a tick began later than due by [us]")
    axis.set_ylabel("share of ticks")
    axis.grid(True, alpha=0.25)
    axis.legend()
    return save(figure, path)


def show(found: dict[str, Spells], checks: list[Check]) -> None:
    """Print the table and the verdicts."""
    screen = cli.console()
    texts, figures = ("loop", "what"), [f"p{s:g}" if s < 100 else "worst" for s in SHARES]
    table = cli.new_table("Ticks of 10 ms [us]", (*texts, *figures, "late"), texts)
    for name, spells in found.items():
        for what, values in spells.percentiles().items():
            number = spells.too_long if what == "processor time" else spells.overruns
            table.add_row(name, what, *(f"{v:.1f}" for v in values), f"{number} of {spells.ticks}")
    screen.print(table)
    for check in checks:
        screen.print(check.line)


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    seconds: Annotated[cli.Whole, cli.at_least(3)] = 60,
    machine: tuple[str, ...] = (),
    out: Path = Path("out"),
    json_file: cli.JsonFile = None,
) -> int:
    """Run the vehicle, alone and with its connections, and an empty loop; print their late ticks.

    Parameters
    ----------
    seconds
        duration of each loop's measurement [s].
    machine
        shipped machine to be timed instead, such as wheel_loader or backhoe; repeat the option for
        several machines; all: every shipped machine.
    out
        directory for the picture.
    json_file
        file for the numbers.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json_file)
        names = names_of(machine)
        works = {name: ticks_of(name) for name in names}
    clock = WallClock()
    with contextlib.ExitStack() as stack:
        if not names:
            work, poses = driven()
            works = {WHOLE: work, "with all connections": stack.enter_context(with_outside(work, poses))}
        stack.enter_context(undisturbed())
        found = {name: Spells(work) for name, work in works.items()} | {EMPTY: Spells(lambda: None)}
        for _ in range(round(seconds / (SPELL * TICK))):
            for spells in found.values():
                spells.run(clock)
    checks = checks_of(found)
    show(found, checks)
    cli.console().print(f"picture: {draw(found, out / 'jitter.png')}")
    loops = {
        name: {
            "late": s.overruns,
            "too long": s.too_long,
            "ticks": s.ticks,
            "us": s.percentiles(),
            "shares": SHARES,
        }
        for name, s in found.items()
    }
    cli.save_results(json_file, {"loops": loops, **recorded(checks)})
    return 0 if all_passed(checks) else 1


if __name__ == "__main__":
    cli.run(app)
