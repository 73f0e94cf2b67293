"""Random tests of batches (many vehicles in one object): copied, sent to processes, shared by threads.

    python -m tests.bodies.batch_fuzzer SEED ROUNDS

Each round takes some steps while the batch is copied or sent, and compares every vehicle, byte for
byte, with a batch that takes as many steps undisturbed. The first difference is printed and ends the
process with exit code 1. The last line is "done" if there is none.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import bodies as B
from bodies import vehicle

from .test_batch import end, quarter

STARTS = [start for start in ("fork", "spawn", "forkserver") if start != "fork" or hasattr(os, "fork")]


def run_and_send(batch: Any, steps: int, threads: int, pipe: Any) -> None:
    """Continue the run of a batch in another process and send the batch back."""
    batch.run(steps, threads)
    pipe.send(batch)


class Fuzzer:
    """Pairs of equal batches: one is copied, sent or shared while it runs, the other runs undisturbed.

    Arguments:
        seed: seed of the random numbers.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.models = (
            B.compile(quarter()),
            B.compile(quarter(regularisation="local")),
            B.compile(vehicle.load("hmmwv", controls={"throttle": 0.6, "gear": 2})),
        )
        self.ways: tuple[Callable[[Any, int], Any], ...] = (
            self.copied, self.sent, self.shared, self.looked_at, self.forked_beside,
        )  # fmt: skip

    def pair(self) -> tuple[Any, Any]:
        """Two equal batches of random size, with or without lanes (vehicles in vector registers)."""
        model = self.models[self.random.integers(len(self.models))]
        n, lanes = int(self.random.integers(1, 20)), (None, False, True)[self.random.integers(3)]
        soils = self.random.uniform(2e5, 9e5, n)
        made = [B.Batch(model, n, lanes=lanes) for _ in range(2)]
        for batch in made:
            batch.set("soil.cone_index", soils)
        return made[0], made[1]

    def threads(self) -> int:
        return int(self.random.integers(1, 4))

    def copy_of(self, batch: Any) -> Any:
        return list(COPIES.values())[self.random.integers(len(COPIES))](batch)

    def copied(self, batch: Any, steps: int) -> Any:
        other = self.copy_of(batch)
        batch.run(7)
        other.run(steps, self.threads())
        return other

    def sent(self, batch: Any, steps: int) -> Any:
        context: Any = multiprocessing.get_context(STARTS[self.random.integers(len(STARTS))])
        here, there = context.Pipe()
        process = context.Process(target=run_and_send, args=(batch, steps, self.threads(), there))
        process.start()
        there.close()
        other = here.recv()
        process.join()
        return other

    def shared(self, batch: Any, steps: int) -> Any:
        cuts = np.sort(self.random.integers(0, steps + 1, 2))
        parts = np.diff([0, *cuts, steps]).tolist()
        crew = [threading.Thread(target=batch.run, args=(part, self.threads())) for part in parts]
        for one in crew:
            one.start()
        for one in crew:
            one.join()
        return batch

    def looked_at(self, batch: Any, steps: int) -> Any:
        """Copy the batch while another thread runs it; the copy takes the remaining steps."""
        runner = threading.Thread(target=batch.run, args=(steps, self.threads()))
        batch._piece = int(self.random.integers(1, 30))
        before = round(1e3 * batch.time[0])
        runner.start()
        other = self.copy_of(batch)
        runner.join()
        other.run(steps - (round(1e3 * other.time[0]) - before))
        return (batch, other)[self.random.integers(2)]

    def forked_beside(self, batch: Any, steps: int) -> Any:
        """Send the batch to a process while another batch runs in a thread."""
        busy, _ = self.pair()
        runner = threading.Thread(target=busy.run, args=(4 * steps, self.threads()))
        runner.start()
        other = self.sent(batch, steps)
        runner.join()
        return other

    def round(self, number: int) -> None:
        """Apply 1 to 3 random ``ways`` to one of two equal batches, then compare all their vehicles."""
        batch, twin = self.pair()
        told = []
        for _ in range(int(self.random.integers(1, 4))):
            steps, way = (
                int(self.random.integers(1, 60)),
                self.ways[self.random.integers(len(self.ways))],
            )
            told.append(way.__name__)
            batch = way(batch, steps)
            twin.run(steps, 1)
        for k in range(twin.n):
            if end(batch[k]) != end(twin[k]):
                print(f"round {number}: vehicle {k} of {twin!r} differs after {told}")
                raise SystemExit(1)


#: Ways to copy a batch, by name.
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


def main(seed: int, rounds: int) -> None:
    """Do ``rounds`` rounds; the first difference ends the process."""
    fuzzer = Fuzzer(seed)
    for number in range(rounds):
        fuzzer.round(number)
    print("done")


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)  # forks while threads run, intended here
    main(*map(int, sys.argv[1:]))
