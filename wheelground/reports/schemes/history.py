"""Quantities of a run that all cases have, so that all runs are measured in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bodies
from bodies.running.recorder import Recorder
from contact import WheelContact
from mlcp import MLCP

from ..reduced import problem_of

MOST_RECORDS = 2000  # largest number of records of the whole state (1 to 10 kB) before a reduction


@dataclass(frozen=True)
class History:
    """Quantities of a run over time; each record is the end of a step.

    time: (n,) [s]. speeds: (n, k) v_x and rim speeds, compared with the reference [m/s].
    position: (n,) of the vehicle along its heading [m]. slip: (n, wheels) [-]. thrust, resistance,
    load: (n, wheels) [N]. lost: energy dissipated neither by ground nor brake nor air [J].
    turned_over: initial energy plus energy input [J]. passes: (n,) mean number of contact solves per
    step. missed: steps that missed a tolerance. residual: largest residual [-]. wall_s: computing time
    [s]. problems: complementarity problems of the wheels (last solve of a step), sampled over the run.
    """

    time: NDArray[np.float64]
    speeds: NDArray[np.float64]
    position: NDArray[np.float64]
    slip: NDArray[np.float64]
    thrust: NDArray[np.float64]
    resistance: NDArray[np.float64]
    load: NDArray[np.float64]
    lost: float
    turned_over: float
    passes: NDArray[np.float64]
    missed: int
    residual: float
    steps: int
    wall_s: float
    problems: tuple[MLCP, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Goal:
    """Exact end of a run, from the ground law alone.

    when: "end": in the last second; "braking": at speeds between 0.6 and 0.4 of the initial speed;
    "rest": at rest from ``since`` [s] on; "law": each wheel's forces follow the law in the last second.
    slip [-], thrust, resistance [N]: closed form for the wheel ("end" and "braking").
    wheel: contact whose law is the reference ("law"). reason: why there is no closed form, or empty.
    """

    when: str
    slip: float = np.nan
    thrust: float = np.nan
    resistance: float = np.nan
    since: float = np.inf
    wheel: WheelContact | None = None
    reason: str = ""


def history(
    sim: bodies.Simulation,
    steps: int,
    every: int,
    samples: int,
    tick: Callable[[float], None] | None,
    piece_of: Callable[[bodies.Trajectory], dict[str, Any]],
) -> History:
    """Run ``steps`` steps, with a record every ``every`` steps; ``piece_of`` reduces pieces of records.

    The first record of a piece is the last record of the previous piece; "lost" and "turned_over" are
    summed over the pieces. samples: number of stored complementarity problems.
    """
    records = steps // every
    chunk = min(MOST_RECORDS, max(records // max(samples, 1), 1))
    wall, passes, problems, pieces = 0.0, [], [], []
    for first in range(0, records, chunk):
        take = min(chunk, records - first)
        recorder = Recorder(sim, take + 1)
        begin = time.perf_counter()
        recorder.run(take * every, every)
        wall += time.perf_counter() - begin
        passes.append(np.diff(recorder.passes) / every)
        pieces.append(piece_of(recorder.trajectory()))
        if len(problems) < min(samples * (first + take) // records, samples):
            problems.append(problem_of(sim)[0])
        if tick is not None:
            tick((first + take) / records)
    names = ("time", "position", "speeds", "slip", "thrust", "resistance", "load")
    whole = {name: np.concatenate([piece[name] for piece in pieces]) for name in names}
    return History(
        **whole, lost=sum(p["lost"] for p in pieces), turned_over=sum(p["turned_over"] for p in pieces),
        passes=np.concatenate(passes), missed=sim.missed, residual=sim.residual(), steps=steps,
        wall_s=wall, problems=tuple(problems),
    )  # fmt: skip
