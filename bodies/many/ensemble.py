"""Many vehicles of one structure, simulated together.

A "lane" is a vehicle's place in a SIMD register: up to ``WIDTH`` vehicles are computed side by side.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mlcp.checks import shown
from mlcp.compiled.failures import deferred_signals
from mlcp.cores import cores

from .. import checks
from ..checks import SimulationWarning
from ..memory.turns import let_others
from ..memory.workspace import INTERRUPT_INTERVAL
from ..model import Model
from ..running.simulation import Simulation
from .lanes import finds_in_lanes, rolls_in_lanes, tables_are_alike, why_no_lanes
from .member import BatchVehicle
from .memory import WIDTH, Store
from .parameters import WHO
from .recording import Recording
from .snapshots import Snapshots
from .variants import Variants


class Ensemble(Recording, Snapshots):
    """A :class:`bodies.Batch` without the search for equilibrium; same arguments and errors."""

    def __init__(
        self,
        model: Model | Sequence[Model],
        n: int | None = None,
        step: float = 1e-3,
        lanes: bool | None = None,
        **settings: Any,
    ) -> None:
        models = [model] if isinstance(model, Model) else model
        if (
            not isinstance(models, Sequence)
            or not models
            or not all(isinstance(m, Model) for m in models)
        ):
            raise checks.MechanismError(
                f"{WHO}: model = {shown(model)} must be a bodies.Model or a list of them"
            )
        if n is None and isinstance(model, Model):
            raise checks.MechanismError(f"{WHO}: n, how many vehicles, is missing")
        self.n: int = len(models) if n is None else checks.whole(WHO, "n", n, 1, 1e8)
        if len(models) not in (1, self.n):
            raise checks.MechanismError(
                f"{WHO}: n = {self.n}, but there are {len(models)} models; give as many, or no n"
            )
        #: Compiled model of the first vehicle.
        self.model: Model = models[0]
        self.settings: dict[str, Any] = {"step": step, **settings}
        self._share()
        first = Simulation(models[0], **self.settings)
        if not first.compiled:
            raise checks.MechanismError(
                f"{WHO}: solver = {shown(first.solver)} runs from Python, one vehicle at a time; take "
                "'direct', 'pgs' or 'newton'"
            )
        work = first.work
        self.store: Store = Store(models, self.n, work)
        self._piece = max(1, 2000 // self.n)  # steps between two checks for Ctrl-C
        self.variants: Variants = Variants(models[0])
        self.varied: dict[str, Any] = {}
        self._contacts: dict[str, Any] = {}
        self._own = [{} for _ in range(self.n)]
        #: Reason why a vehicle has stopped, by its number.
        self.stopped: dict[int, str] = {}
        for k in range(1, len(models)):
            self._take_model(k, models[k])
        self.write_parameters()
        #: Whether vehicles run in lanes (SIMD); the results do not depend on it.
        self.lanes: bool = self._choose_lanes(lanes)
        self._rolls = self._finds = False
        if self.lanes:
            self._rolls = rolls_in_lanes(work) and tables_are_alike(work, self.store.places(work.N))
            self._finds = finds_in_lanes(work)
        self._compile()

    def _choose_lanes(self, requested: bool | None) -> bool:
        """Whether to use lanes: as requested; None: if possible and there are enough vehicles.

        Raises MechanismError if lanes are requested but not possible.
        """
        if requested is not None:
            checks.flag(WHO, "lanes", requested)
        if requested is False or (requested is None and self.n < WIDTH):
            return False
        why = why_no_lanes(self.store.work)
        if why and requested:
            raise checks.MechanismError(f"{WHO}: lanes = True, but {why}; leave lanes out")
        return not why

    # running ---------------------------------------------------------------------------------
    def run(self, steps: int, threads: int | None = None) -> None:
        """Advance every vehicle that has not stopped by ``steps`` steps, without Python's global lock.

        Ctrl-C interrupts between steps, with all vehicles at the same step. Other threads of the program
        can use the batch between steps; if several threads call ``run``, the steps of all calls are run.

        Arguments:
            steps: number of steps.
            threads: largest number of threads; default: one for every core this process may use.

        Raises:
            MechanismError: ``steps`` or ``threads`` is not a whole number, or out of range.

        Warns:
            SimulationWarning: vehicles have stopped, naming the first of them and the reason.
        """
        steps = checks.whole(WHO, "steps", steps)
        threads = checks.whole(WHO, "threads", cores() if threads is None else threads, 1, 4096)
        new: dict[int, str] = {}
        with ThreadPoolExecutor(threads) as pool:
            while steps > 0 and len(self.stopped) < self.n:
                with self.turn(), deferred_signals():
                    take, self._halfway = min(self._piece, steps), True
                    try:
                        new |= self._piece_of_run(take, take < steps, threads, pool)
                    finally:
                        self._halfway = False
                steps -= take
                if steps > 0:
                    let_others()
        self._warn_stopped(new)

    def _piece_of_run(
        self, take: int, cut: bool, threads: int, pool: ThreadPoolExecutor
    ) -> dict[int, str]:
        """Advance all vehicles by ``take`` steps; adapt the number of steps between checks for Ctrl-C.

        ``cut``: whether the run has more steps after these. Returns the reason why a vehicle has stopped
        in these steps, by the vehicle's number.
        """
        before, start = len(self.stopped), time.perf_counter()
        self.do_steps(take, threads, pool, np.arange(self.n))
        if cut or take == self._piece:  # enough steps for an estimate of their time
            ratio = INTERRUPT_INTERVAL / max(time.perf_counter() - start, 1e-9)
            self._piece = max(1, int(take * min(ratio, 4.0)))
        return dict(list(self.stopped.items())[before:])

    def _warn_stopped(self, stopped: Mapping[int, str]) -> None:
        """Warn of vehicles that have stopped in this run."""
        new = list(stopped.items())
        if new:
            text = f"{WHO}: {len(new)} of {self.n} vehicles stopped, the others went on; the first is"
            warnings.warn(f"{text} number {new[0][0]}: {new[0][1]}", SimulationWarning, stacklevel=3)

    def likewise(self, vehicles: Sequence[int], step: float, **settings: Any) -> Ensemble:
        """New batch of the vehicles with the numbers ``vehicles``: it takes over their parameters and
        inputs, and starts from the model's initial state.
        """
        models = [self.store.models[k] for k in vehicles] if self.store.models[1:] else self.model
        other = Ensemble(models, len(vehicles), step, **settings)
        if not self.store.models[1:]:
            rows = list(vehicles)
            other.varied = {name: column[rows] for name, column in self.varied.items()}
            other.store.keys = list(self.store.keys)
            other.store.values, other.store.base = self.store.values[rows], self.store.base
            other.store.forget_spaces()
        first, named = self.store.first("input"), len(self.model.mechanism.inputs)
        other.store.states[:, first : first + named] = self.store.states[
            list(vehicles), first : first + named
        ]
        return other

    # single vehicles -------------------------------------------------------------------------
    def __len__(self) -> int:
        return self.n

    def __getitem__(self, k: int) -> BatchVehicle:
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not -self.n <= k < self.n:
            raise IndexError(f"{WHO}: {shown(k)} is none of its vehicles, 0 to {self.n - 1}")
        return BatchVehicle(self, int(k) % self.n)

    def __iter__(self) -> Iterator[BatchVehicle]:
        return (BatchVehicle(self, k) for k in range(self.n))

    def __repr__(self) -> str:
        name = self.model.mechanism.name
        return f"Batch of {self.n} vehicles {name!r}, {len(self.stopped)} of them stopped"
