"""The machines of Karkee et al. (2010): chassis with and without a steering valve, at the steps of
their table.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rig
from bodies import Simulation, compile, equilibrium
from bodies.hydraulics import Circuit
from rig.chassis import Bicycle, FourWheel, Kinematic
from rig.chassis.four_wheel import described
from rig.linear import discretise
from rig.steering import Hydraulic

from .steered import drive

SPEED = 3.0  # forward speed of the machines [m/s]
COMMAND = 0.3  # command of the steering valve, -1 to 1
TICK = 1e-3  # interval of the records [s]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class MachineRun:
    """Computing times of one machine with one step length."""

    name: str
    step: float  # step length t_d [s]
    taken: Array  # computing time of each tick of 1 ms [s]
    real_time: bool  # expectation: Karkee et al. list the machine at this step as real time

    @property
    def mean(self) -> float:
        """Mean computing time t_a of a step [s]."""
        return float(self.taken.mean()) * self.step / TICK

    @property
    def share(self) -> float:
        """Mean computing time of a step over its length, t_a/t_d [-]."""
        return self.mean / self.step

    @property
    def passed(self) -> bool:
        """True if ``share`` <= 1 and real time is expected, or ``share`` > 1 and it is not."""
        return (self.share <= 1.0) == self.real_time


def timed(tick: Callable[[], Any], ticks: int, rounds: int = 5) -> Array:
    """Computing time of each tick [s], the least of some rounds."""
    found = np.full((rounds, ticks), np.inf)
    for r in range(rounds):
        for k in range(ticks):
            began = time.perf_counter()
            tick()
            found[r, k] = time.perf_counter() - began
    return found.min(axis=0)


def chassis(block: rig.Block) -> Callable[[], None]:
    """Function that runs one tick of a slightly turning chassis in a rig."""
    r = rig.Rig(TICK, chassis=block, speed=SPEED, start={"steer_angle": 0.05})

    def tick() -> None:
        r.wiring.advance(r.ticks, r.ticks * TICK, False)
        r.ticks += 1

    return tick


def oil(step: float) -> Hydraulic:
    """Hydraulic circuit of the steering after one tick under ``COMMAND``, by explicit steps [s]."""
    block = Hydraulic(integration="ode5", step=step)
    block.start(rig.Site(tick=TICK))
    block.input("valve_command")[0] = COMMAND
    block.advance(0.0, TICK)
    return block


def steered_bicycle(step: float) -> Callable[[], None]:
    """Function that runs one tick of bicycle and oil at one rate."""
    block, b = oil(step), Bicycle()
    A, forcing = b.matrices(SPEED)
    n = len(A)
    whole, lever = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
    whole[:n, :n], lever[:n], whole[n, 1] = A, forcing, 1.0
    P, q = discretise(whole, lever, step)
    x, trial, memory = np.zeros(n + 1), np.zeros(n + 1), block._memory
    at = np.array([0.5 * block.stroke, block.arm, SPEED, 0.0, 0.0])
    memory.clock.step, steps = step, round(TICK / step)
    return lambda: drive(memory.F, memory.N, steps, P, q, x, trial, at)


def rolling(step: float) -> Simulation:
    """Simulation of the four-wheel machine, rolling at ``SPEED`` for 10 steps."""
    block = FourWheel(step=step)
    rig.Rig(TICK, chassis=block, speed=SPEED)
    block.sim.run(10)
    return block.sim


def steered_four_wheel(step: float, inner: float) -> Callable[[], None]:
    """Function that runs one tick of the four-wheel machine, with oil at its own rate."""
    sim, block = rolling(step), oil(inner)
    steps = round(TICK / step)

    def tick() -> None:
        block.advance(0.0, TICK)
        sim.run(steps)

    return tick


def hydraulic_tractor() -> Any:
    """The four-wheel machine with the steering's oil in its own mechanism instead of column and rack."""
    what = described("tractor", "firm", False)
    made = what.mechanism()
    gone = ("steering gear", "driver", "steering wheel")
    circuit: Circuit = Hydraulic().circuit()
    branch = circuit.branches[0]
    cylinder = dataclasses.replace(branch.cylinder, joint="front steering slide")
    branch = dataclasses.replace(branch, cylinder=cylinder)
    elements = (
        *(e for e in made.elements if e.name not in gone),
        dataclasses.replace(circuit, branches=(branch,)),
    )
    inputs = {k: v for k, v in made.inputs.items() if k != "steering"} | {"valve": 0.0}
    bodies = tuple(b for b in made.bodies if b.name != "steering column")
    return dataclasses.replace(made, bodies=bodies, elements=elements, inputs=inputs)


def one_solve(step: float) -> tuple[Simulation, Callable[[], None]]:
    """Simulation of machine, wheels and steering oil in one solve, and function that runs one tick."""
    model = compile(hydraulic_tractor())
    sim = Simulation(model, step, state=equilibrium(model))
    twists, ratio = described("tractor", "firm", False).rolling(sim)
    sim.work.machine.velocity[: len(twists)] = SPEED * twists
    sim.set_input("drive", SPEED * ratio)
    sim.set_input("valve", COMMAND)
    steps = round(TICK / step)
    return sim, lambda: sim.run(steps)


def table(ticks: int = 300) -> Iterator[MachineRun]:
    """The five machines of Karkee et al. at their steps, and a machine in one solve."""
    for name, block in (("kinematic", Kinematic()), ("bicycle", Bicycle()), ("four-wheel", FourWheel())):
        yield MachineRun(name, 1e-3, timed(chassis(block), ticks), True)
    yield MachineRun("bicycle + steering valve", 1e-5, timed(steered_bicycle(1e-5), ticks), True)
    yield MachineRun(
        "four-wheel + steering valve", 1e-5, timed(steered_four_wheel(1e-5, 1e-5), ticks, 3), False
    )
    _, tick = one_solve(1e-3)
    yield MachineRun("four-wheel + steering valve, one solve", 1e-3, timed(tick, ticks), True)


def overhead(ticks: int = 3000) -> float:
    """Time of a tick of a rig with eight blocks that compute nothing [s]."""

    def idle(self: Any, time: float, h: float) -> None:
        """Do nothing."""

    blocks = {
        category: type("Idle", (rig.Block,), {"category": category, "name": "idle", "advance": idle})()
        for category in rig.Bus.read().order
    }
    r = rig.Rig(0.01, **blocks)
    best = np.inf
    for _ in range(5):
        began = time.perf_counter()
        r.run(0.01 * ticks)
        best = min(best, (time.perf_counter() - began) / ticks)
    return best
