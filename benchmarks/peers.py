"""Time of our step and of MuJoCo's on the same vehicle:  python -m benchmarks.peers

The 45-body vehicle rolls on hard flat ground, exported by ``bodies.to_mjcf``. MuJoCo is tried with
its solvers, Jacobians, integrators, friction cones and constraint stiffnesses. The fastest settings
whose kinematic loops stay closed to 1e-4 m then run against ours in interleaved rounds of one
process and thread, every round of a program from the same state of steady rolling.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import cyclopts
import numpy as np

import bodies as B
from benchmarks.mujoco_peer import NOT_INSTALLED, Peer, settings
from wheelground.reports import cli

STEP = 1e-3  # time step [s]
STEPS_TO_REST = 1500  # number of steps before the timing
STEPS = 50  # number of steps in a round
LOOP_LIMIT = 1e-4  # largest error of a closed loop [m, rad]
RATIO = 0.5  # largest ratio of our time to MuJoCo's
FINALISTS = 4  # number of MuJoCo's settings in the timed rounds
PERCENTILE = 5.0  # percentile of the rounds that is reported as the time


@dataclass(frozen=True)
class PeerResult:
    """Times of a step of one program and setting: percentiles over the rounds [us]; ``ours_over_it``:
    median of our time over its time in the same round."""

    name: str
    us_per_step: float
    median_us: float
    joint_error: float
    size: tuple[int, int]
    ours_over_it: float | None = None


def vehicle() -> tuple[B.Model, str]:
    """The 45-body vehicle on hard flat ground, in first gear, and the name of its frame."""
    from bodies.vehicle import load

    return B.compile(load("hmmwv", hard=True, controls={"throttle": 0.6})), "frame"


def qualify(model: B.Model, body: str, expected: np.ndarray) -> tuple[list[Peer], list[Peer]]:
    """All settings, and the fastest ones that keep driving with closed loops."""
    from rich.progress import track

    peers = [
        Peer(model, s, STEP, STEPS_TO_REST, expected, body)
        for s in track(settings(), "trying MuJoCo's settings", transient=True)
    ]
    good = [p for p in peers if p.alive and p.loop_error < LOOP_LIMIT]
    first = race({p.setting.name: p for p in good}, 5)
    good.sort(key=lambda p: min(first[p.setting.name]))
    return peers, good[:FINALISTS]


def race(runners: dict[str, Any], rounds: int) -> dict[str, list[float]]:
    """Times of a step [us] of every runner, in interleaved rounds from its initial state."""
    times: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, runner in runners.items():
            runner.rewind()
            runner.run(5)  # steps before the timing, for caches and warm starts
            times[name].append(_once(lambda r=runner: r.run(STEPS)) / STEPS)
            runner.check()
    return times


class Ours:
    """Our simulation with the interface of a :class:`Peer`."""

    def __init__(self, model: B.Model) -> None:
        self.simulation = B.Simulation(model, STEP)
        self.simulation.run(STEPS_TO_REST)
        self._state = self.simulation.state()
        self.run = self.simulation.run

    def rewind(self) -> None:
        """Restore the state of steady rolling."""
        self.simulation.restore(self._state)

    def check(self) -> None:
        """Do nothing: our simulation itself records the joint errors of every step."""

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of velocities and of constraint rows of our model."""
        s = self.simulation.model.structure
        return 6 * s.blocks, int(s.rows + s.channel_rows)


def _once(call: Callable[[], object]) -> float:
    """Time of one call [us]."""
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) * 1e-3


def compare(rounds: int) -> tuple[list[PeerResult], list[Peer], B.Model]:
    """Rows of the result: ours, then MuJoCo's fastest settings, fastest first."""
    model, body = vehicle()
    ours = Ours(model)
    peers, best = qualify(model, body, ours.simulation.position(body))
    runners = {"ours": ours, **{p.setting.name: p for p in best}}
    times = race(runners, rounds)
    mine = np.array(times["ours"])
    rows = []
    for name, runner in runners.items():
        t = np.array(times[name])
        error = max(ours.simulation.joint_error()) if runner is ours else runner.loop_error
        rows.append(
            PeerResult(
                name,
                float(np.percentile(t, PERCENTILE)),
                float(np.median(t)),
                error,
                runner.size,
                None if runner is ours else float(np.median(mine / t)),
            )
        )
    return [rows[0], *sorted(rows[1:], key=lambda r: r.us_per_step)], peers, model


def ratio(rows: list[PeerResult]) -> float | None:
    """Our time over that of MuJoCo's fastest setting, both as low percentiles; None without a valid
    setting."""
    return rows[0].us_per_step / rows[1].us_per_step if len(rows) > 1 else None


def comparable(model: B.Model, peers: list[Peer]) -> list[str]:
    """Sizes and settings of both models, as text for the report."""
    s = model.structure
    nv, rows = peers[0].size
    notes = [n for n in peers[0].notes if "left out" in n]
    found = [
        "same: bodies, masses, joints, springs, dampers, gears, tyre stiffness and damping, "
        "friction coefficient, ground, step, start, thread and process.",
        f"different: MuJoCo solves in {nv} joint coordinates of a spanning tree with {rows} rows of "
        f"loops and contacts; ours in {6 * s.blocks} body coordinates with "
        f"{s.rows + s.channel_rows} rows.",
        "different: MuJoCo's pyramidal cones make its tyres stiffer than ours, its elliptic ones not.",
        "different: MuJoCo's loops are soft, their error is the column; ours are projected.",
        "different: friction is MuJoCo's cone, convex and regularised; ours is a box, set-valued.",
        f"in MuJoCo's favour: what MJCF lacks (engine and damper tables, inputs) is held within "
        f"a round of {STEPS} steps; ours is looked up in every step.",
    ]
    if notes:
        found.append(f"in MuJoCo's favour: {len(notes)} doubled hinges are left out there.")
    return found


def show(rows: list[PeerResult], peers: list[Peer], model: B.Model) -> None:
    """Print the tables and the verdict."""
    screen = cli.console()
    good = [p for p in peers if p.alive and p.loop_error < LOOP_LIMIT]
    screen.print(
        f"{len(peers)} settings of MuJoCo tried, {len(good)} drive with loops closed to "
        f"{LOOP_LIMIT:g}; the fastest {len(rows) - 1} of them are timed."
    )
    headings = "", "µs, 5 %", "median", "error", "ratio"
    table = cli.new_table("One step: ours, then MuJoCo's settings", headings, ("",))
    for r in rows:
        table.add_row(
            r.name,
            f"{r.us_per_step:.1f}",
            f"{r.median_us:.0f}",
            f"{r.joint_error:.1e}",
            "" if r.ours_over_it is None else f"{r.ours_over_it:.2f}",
        )
    screen.print(table)
    for line in comparable(model, peers):
        screen.print(f"- {line}")
    found = ratio(rows)
    if found is None:
        screen.print("No setting of MuJoCo qualified: nothing to compare.")
        return
    verdict = "passed" if found <= RATIO else "FAILED"
    screen.print(
        f"fastest: {rows[1].name}, {rows[1].us_per_step:.1f} µs a step; ours "
        f"{rows[0].us_per_step:.1f} µs, the low {PERCENTILE:g} % of the rounds."
    )
    screen.print(f"ours takes {found:.2f} of MuJoCo's time, at most {RATIO:g}: {verdict}")


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    rounds: Annotated[cli.Whole, cli.at_least(1)] = 200,
    json_file: cli.JsonFile = None,
) -> int:
    """Compare our step with MuJoCo's.

    Parameters
    ----------
    rounds
        interleaved rounds of 50 steps.
    json_file
        file for the numbers.
    """
    with cli.refuse_bad_input():
        cli.writable_file(json_file)
    if importlib.util.find_spec("mujoco") is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 2
    rows, peers, model = compare(rounds)
    show(rows, peers, model)
    found = ratio(rows)
    passed = found is not None and found <= RATIO
    tried = [
        {
            "setting": p.setting.name,
            "alive": p.alive,
            "loop_error": p.loop_error if np.isfinite(p.loop_error) else None,
        }
        for p in peers
    ]
    results = {
        "rows": [asdict(r) for r in rows],
        "settings": tried,
        "ratio": found,
        "allowed": RATIO,
        "comparable": comparable(model, peers),
        "passed": passed,
    }
    cli.save_results(json_file, results)
    return 0 if passed else 1


if __name__ == "__main__":
    cli.run(app)
