"""Rate of batches of vehicles, compared with one vehicle and with MuJoCo:  python -m benchmarks.batch

The 45-body vehicle on eight soft soils of cone index 245 to 600 kPa, full throttle in third gear:
vehicle-steps per second for each size of batch and number of threads. MuJoCo's ``rollout`` runs
the exported vehicle on hard flat ground, on as many threads, with MuJoCo's fastest setting whose
kinematic loops stay closed to 1e-4 m. Single vehicle, batches and MuJoCo run in interleaved rounds of
one process, from the same states of the drive.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import cyclopts
import numpy as np

import bodies as B
from benchmarks.batch_rest import VEHICLES, rests
from benchmarks.mujoco_peer import NOT_INSTALLED
from wheelground.reports import cli
from wheelground.reports.pictures import new_figure, save
from wheelground.reports.verdict import Check, all_passed, recorded

STEP = 1e-3  # time step [s]
STEPS_TO_REST = 3000  # number of steps before the timing
SOILS = np.linspace(2.45e5, 6e5, 8)  # cone indices [Pa]
SIZES = (1, 8, 64, 512)  # numbers of vehicles
# vehicle-steps in a timed round of a batch, which takes about as long as a round of MuJoCo; a round has
# at least one step of each vehicle
ROUND = 6400
SHORT_RUN_VEHICLES, SHORT_RUN_STEPS = 1000, 10  # vehicles in runs of few steps, and steps of such a run
RESTORE_AFTER = 600  # steps after which the states are restored, so that all rounds have the same drive
ROLLOUTS, ROLLED = 16, 50  # number of vehicles and of steps in a round of MuJoCo
LEARNERS, STEPS_PER_ACTION, EPISODE = (
    256,
    10,
    60,
)  # learning loop: number of vehicles, steps per action, actions per episode
ACTIONS = 12  # actions per vehicle in a timed round of the learning loop
ON_SOIL, ON_BOTH = ", random start and soil", ", random start, soil and pressure"
# least values of the checks: rate of 64 vehicles on two threads [vehicle-steps/s]; ratio of this rate
# to MuJoCo's; ratio of the rates of 64 vehicles and of one, on one thread; ratio of the rates of short
# runs and of 64 vehicles, on two threads; ratio of the rates of episodes and of actions alone
RATE, OVER_MUJOCO, OVER_ONE, OF_STEADY, OF_BARE = 2e5, 6.0, 3.4, 0.85, 0.7

Round = Callable[[], float]  # function that runs a round and returns vehicle-steps per second


def driven_states() -> tuple[B.Model, list[Any]]:
    """The compiled vehicle, and a state of its drive on each soil."""
    from bodies.vehicle import load

    model = B.compile(load("hmmwv", controls={"throttle": 1.0, "gear": 3}))
    batch = B.Batch(model, len(SOILS), STEP)
    batch.set("soil.cone_index", SOILS)
    batch.run(STEPS_TO_REST)
    return model, [one.state() for one in batch]


def batch_of(model: B.Model, states: list[Any], n: int, **settings: Any) -> B.Batch:
    """Batch of n vehicles that start from the states of the drive; vehicle k has soil k modulo 8."""
    batch = B.Batch(model, n, STEP, **settings)
    batch.set("soil.cone_index", np.resize(SOILS, n))
    for k in range(n):
        batch[k].restore(states[k % len(states)])
    return batch


def timed(work: Callable[[], object], steps: int) -> float:
    """Rate [vehicle-steps/s] of ``work``, a call that takes ``steps`` vehicle-steps."""
    start = time.perf_counter()
    work()
    return steps / (time.perf_counter() - start)


def ours(model: B.Model, states: list[Any], threads: list[int]) -> dict[str, Round]:
    """Functions that time a round of one vehicle or of a batch, by name."""
    batch = batch_of(model, states, 1)
    alone = batch[0].simulation()

    def one() -> float:
        alone.restore(states[0])
        return timed(lambda: alone.run(RESTORE_AFTER), RESTORE_AFTER)

    found: dict[str, Round] = {"one vehicle": one}
    for n in SIZES:
        batch = batch_of(model, states, n)
        for t in threads:
            steps = max(1, min(RESTORE_AFTER, ROUND // n))
            found[f"{n} on {t}"] = functools.partial(round_of, batch, states, t, steps)
    batch = batch_of(model, states, SHORT_RUN_VEHICLES)
    name = f"{SHORT_RUN_VEHICLES} by {SHORT_RUN_STEPS} steps on {threads[-1]}"
    return found | {name: functools.partial(round_of, batch, states, threads[-1], SHORT_RUN_STEPS)}


def round_of(batch: B.Batch, states: list[Any], threads: int, steps: int) -> float:
    """Rate of one round of a batch; its states are restored after ``RESTORE_AFTER`` steps."""
    if batch.time[0] > (STEPS_TO_REST + RESTORE_AFTER - steps) * STEP:
        for k in range(batch.n):
            batch[k].restore(states[k % len(states)])
    return timed(lambda: batch.run(steps, threads=threads), batch.n * steps)


def episodes(model: B.Model, states: list[Any], threads: int) -> dict[str, Round]:
    """Functions that time a round of a learning loop, by name.

    One loop has actions alone. Other loops have episodes, each from a random
    state on a new random soil, in one loop also with a new tyre pressure.
    """
    batch = batch_of(model, states, LEARNERS)
    starts, rng = batch.snapshot(), np.random.default_rng(1)
    age = np.arange(LEARNERS) % EPISODE
    ranges = {"soil.cone_index": (SOILS[0], SOILS[-1]), "tyre.pressure": (1e5, 2e5)}
    # the first change of parameters allocates memory, which the timing must not include
    batch.vary({name: np.resize(ends, LEARNERS) for name, ends in ranges.items()})

    def actions(drawn: tuple[str, ...]) -> None:
        for _ in range(ACTIONS):
            batch.set_input("throttle", rng.uniform(0.5, 1.0, LEARNERS))
            batch.run(STEPS_PER_ACTION, threads=threads)
            age[:] += 1
            ended = age >= EPISODE
            age[ended] = 0
            if drawn and ended.any():
                start = rng.integers(LEARNERS, size=LEARNERS)
                batch.restore(starts.taken(start), lanes=ended)
                count = int(ended.sum())
                batch.vary({n: rng.uniform(*ranges[n], count) for n in drawn}, lanes=ended)

    def clock(drawn: tuple[str, ...]) -> float:
        batch.restore(starts)
        return timed(lambda: actions(drawn), ACTIONS * STEPS_PER_ACTION * LEARNERS)

    return {
        f"{LEARNERS} in a loop{name}": functools.partial(clock, drawn)
        for name, drawn in (("", ()), (ON_SOIL, ("soil.cone_index",)), (ON_BOTH, tuple(ranges)))
    }


def has_mujoco() -> bool:
    """Whether MuJoCo and its rollout are installed."""
    return importlib.util.find_spec("mujoco") is not None


def mujocos(threads: list[int]) -> tuple[dict[str, Round], str]:
    """Functions that time a round of MuJoCo's rollout, by name, and the name of its setting."""
    import mujoco
    from mujoco import rollout

    from benchmarks.peers import Ours, qualify, vehicle

    model, body = vehicle()
    _, best = qualify(model, body, Ours(model).simulation.position(body))
    if not best:
        return {}, "none of its settings keeps the loops closed"
    peer = best[0]
    peer.rewind()
    start = np.zeros(mujoco.mj_stateSize(peer.m, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(peer.m, peer.d, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    initial, control = np.tile(start, (ROLLOUTS, 1)), peer.d.ctrl.copy()[None, None]
    found: dict[str, Round] = {}
    for t in threads:
        pool = rollout.Rollout(nthread=t)
        datas = [mujoco.MjData(peer.m) for _ in range(t)]
        found[f"MuJoCo on {t}"] = lambda p=pool, d=datas: timed(
            lambda: p.rollout(peer.m, d, initial, np.repeat(control, ROLLED, axis=1), nstep=ROLLED),
            ROLLOUTS * ROLLED,
        )
    return found, peer.setting.name


def checks_of(rate: dict[str, float], threads: list[int]) -> list[Check]:
    """Checks of the rates; a missed time limit is printed as slow and is no failure."""
    most, largest = threads[-1], f"64 on {threads[-1]}"
    words, reached = f"{rate[largest] / 1e3:.0f} k", rate[largest] >= RATE
    found = [Check(f">= {RATE / 1e3:g} k vehicle-steps/s", words, reached, True)]
    over = rate["64 on 1"] / rate["one vehicle"]
    found.append(
        Check(f"one thread >= {OVER_ONE:g} vehicles alone", f"{over:.2f}", over >= OVER_ONE, True)
    )
    share = rate[f"{SHORT_RUN_VEHICLES} by {SHORT_RUN_STEPS} steps on {most}"] / rate[largest]
    words = (
        f"{SHORT_RUN_VEHICLES} in runs of {SHORT_RUN_STEPS} steps >= {OF_STEADY:g} of the steady rate"
    )
    found.append(Check(words, f"{share:.2f}", share >= OF_STEADY, True))
    for name in (ON_SOIL, ON_BOTH):
        share = rate[f"{LEARNERS} in a loop{name}"] / rate[f"{LEARNERS} in a loop"]
        words = f"{LEARNERS} in a loop{name} >= {OF_BARE:g} of the bare loop"
        found.append(Check(words, f"{share:.2f}", share >= OF_BARE, True))
    if f"MuJoCo on {most}" in rate:
        over = rate[largest] / rate[f"MuJoCo on {most}"]
        found.append(
            Check(f">= {OVER_MUJOCO:g} rollouts of MuJoCo", f"{over:.1f}", over >= OVER_MUJOCO, True)
        )
    return found


def draw(rate: dict[str, float], threads: list[int], path: Path) -> Path:
    """Draw the rate over the size of the batch, a line for each number of threads."""
    figure = new_figure(6.4, 4.0)
    axis = figure.subplots()
    for t, colour in zip(threads, ("#1b7fbd", "#e07b00"), strict=False):
        words = f"{t} thread{'s' if t > 1 else ''}"
        axis.plot(SIZES, [rate[f"{n} on {t}"] / 1e3 for n in SIZES], "o-", color=colour, label=words)
        if f"MuJoCo on {t}" in rate:
            axis.axhline(
                rate[f"MuJoCo on {t}"] / 1e3,
                color=colour,
                linestyle=":",
                label=f"MuJoCo's rollout, {words}",
            )
    axis.set_xscale("log", base=2)
    axis.set_xticks(SIZES, [str(n) for n in SIZES])
    axis.set_ylim(0.0, None)
    axis.set_xlabel("vehicles")
    axis.set_ylabel("1000 vehicle-steps a second")
    axis.grid(True, alpha=0.25)
    axis.legend(fontsize=8)
    return save(figure, path)


def show(rate: dict[str, float], setting: str, checks: list[Check]) -> None:
    """Print the table and the verdicts."""
    screen = cli.console()
    title, texts = "Vehicle-steps a second, the best tenth of the rounds", ("vehicles on threads",)
    table = cli.new_table(title, (*texts, "1000/s", "µs"), texts)
    for name, value in rate.items():
        table.add_row(name, f"{value / 1e3:.1f}", f"{1e6 / value:.2f}")
    screen.print(table)
    if setting:
        screen.print(f"MuJoCo: {setting}")
    for check in checks:
        screen.print(check.line)


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *,
    rounds: Annotated[cli.Whole, cli.at_least(1)] = 20,
    equilibria: Annotated[cli.Whole, cli.at_least(0)] = VEHICLES,
    out: Path = Path("out"),
    json_file: cli.JsonFile = None,
) -> int:
    """Compare batches with one vehicle and with MuJoCo's rollout.

    Parameters
    ----------
    rounds
        interleaved rounds, each of 600 vehicle-steps or more.
    equilibria
        number of vehicles in the search for static equilibria, 0: none.
    out
        directory for the picture.
    json_file
        file for the numbers.
    """
    with cli.refuse_bad_input():
        cli.writable(out, json_file)
    from mlcp.cores import cores

    threads = [1, 2] if cores() > 1 else [1]
    model, states = driven_states()
    runners, setting = ours(model, states, threads) | episodes(model, states, threads[-1]), ""
    if not has_mujoco():
        print(NOT_INSTALLED, file=sys.stderr)
    else:
        more, setting = mujocos(threads)
        runners |= more
    times: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, clock in runners.items():
            times[name].append(clock())
    rate = {name: float(np.percentile(found, 90.0)) for name, found in times.items()}
    checks = checks_of(rate, threads)
    if equilibria:
        checks += rests(model, equilibria, threads[-1])
    show(rate, setting, checks)
    cli.console().print(f"picture: {draw(rate, threads, out / 'batch.png')}")
    cli.save_results(json_file, {"rates": rate, "setting": setting, **recorded(checks)})
    return 0 if all_passed(checks) else 1


if __name__ == "__main__":
    cli.run(app)
