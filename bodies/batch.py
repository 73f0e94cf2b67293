"""Many vehicles of one structure side by side: ``Batch``."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mlcp.checks import shown
from mlcp.cores import cores

from . import checks
from .batch_lanes import finds_in_lanes, rolls_in_lanes, tables_are_alike, why_no_lanes
from .batch_memory import WIDTH
from .batch_one import One
from .batch_parameters import WHO, Parameters
from .batch_rounds import Rounds
from .batch_views import Views
from .checks import SimulationWarning
from .kernels import layout as L
from .model import Model
from .simulation import Simulation
from .variants import Variants
from .workspace import PIECE


class Batch(Rounds, Parameters, Views):
    """Vehicles of one structure that run side by side, each as if it were alone.

    What a vehicle computes depends on nothing but its own state, parameters and inputs: not on how many
    others there are, which, or on how many threads; to the last bit. One that cannot go on stops alone.

    Arguments:
        model: compiled mechanism, or one for each vehicle; these may differ in numbers.
        n: how many vehicles; left out with a list of models.
        step: h [s].
        lanes: whether several vehicles share a vector register; left out: from eight vehicles on, where
            the model has no hydraulic circuit and no terrain of more than some 200,000 points.
        settings: as for :class:`bodies.Simulation`: solver, tolerance, contact..., state.

    Raises:
        MechanismError: a number out of range, naming it; models of different structure; a solver
            without a kernel. UnknownName: an unknown solver.
    """

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
        #: Of the first vehicle, as compiled.
        self.model: Model = models[0]
        self._settings = {"step": step, **settings}
        first = Simulation(models[0], **self._settings)
        if not first.compiled:
            raise checks.MechanismError(
                f"{WHO}: solver = {shown(first.solver)} runs from Python, one vehicle at a time; take "
                "'direct', 'pgs' or 'newton'"
            )
        work = first.work
        self._work = work
        self._plans = [work.plan]
        self._alike = [0]
        self._plan = np.zeros(self.n, np.int64)
        self._alone = np.zeros(self.n, np.int64)
        self._busy = np.zeros(self.n)
        self._piece = max(1, 2000 // self.n)  # steps after which Python may answer Ctrl-C
        self._variants = Variants(models[0])
        self._changes = [{} for _ in range(self.n)]
        self._models = list(models)
        self._own = [{} for _ in range(self.n)]
        #: Vehicles that cannot go on, and why.
        self.stopped: dict[int, str] = {}
        self._states = np.tile(work.F[: work.N[2 * L.STATE_FLOATS - 1]], (self.n, 1))
        at = 2 * L.N_FLOATS
        counters = work.N[work.N[at] : work.N[at + 2 * L.STATE_INTS - 1]]
        self._counters = np.tile(counters, (self.n, 1))
        for k in range(1, len(models)):
            self._take_model(k, models[k])
        self._lay_parameters()
        self._compile()
        #: Whether vehicles go side by side in lanes; the numbers are the same.
        self.lanes: bool = self._choose_lanes(lanes)
        if self.lanes:
            rolls = rolls_in_lanes(work) and tables_are_alike(work, self._places(work.N))
            self._compile_lanes(rolls, finds_in_lanes(work))

    def _choose_lanes(self, asked: bool | None) -> bool:
        """Whether to go in lanes: as asked, if that can be."""
        if asked is not None:
            checks.flag(WHO, "lanes", asked)
        if asked is False or (asked is None and self.n < WIDTH):
            return False
        why = why_no_lanes(self._work)
        if why and asked:
            raise checks.MechanismError(f"{WHO}: lanes = True, but {why}; leave lanes out")
        return not why

    # running ---------------------------------------------------------------------------------
    def run(self, steps: int, threads: int | None = None) -> None:
        """Do ``steps`` steps of every vehicle that has not stopped; other threads run Python meanwhile.

        Arguments:
            steps: a whole number.
            threads: at most; default: one for every core this process may use.

        Ctrl-C is answered between steps, all vehicles then being equally far.

        Raises:
            MechanismError: no whole number, or one out of range.

        Warns:
            SimulationWarning: vehicles have stopped, naming the first of them and why.
        """
        steps = checks.whole(WHO, "steps", steps)
        threads = checks.whole(WHO, "threads", cores() if threads is None else threads, 1, 4096)
        before, everyone = len(self.stopped), np.arange(self.n)
        with ThreadPoolExecutor(threads) as pool:
            while steps > 0 and len(self.stopped) < self.n:
                take, start = min(self._piece, steps), time.perf_counter()
                self._round(take, threads, pool, everyone)
                if take == self._piece or take < steps:  # long enough to tell
                    share = PIECE / max(time.perf_counter() - start, 1e-9)
                    self._piece = max(1, int(take * min(share, 4.0)))
                steps -= take
        self._tell(before)

    def _tell(self, before: int) -> None:
        """Warn of the vehicles that have stopped since there were ``before`` of them."""
        new = list(self.stopped.items())[before:]
        if new:
            told = f"{WHO}: {len(new)} of {self.n} vehicles stopped, the others went on; the first is"
            warnings.warn(f"{told} number {new[0][0]}: {new[0][1]}", SimulationWarning, stacklevel=3)

    def equilibrium(
        self,
        *,
        inputs: Mapping[str, Any] | None = None,
        tolerance: float = 1e-7,
        scrub: bool = False,
        rounds: int = 3000,
        patient: bool = True,
        threads: int | None = None,
    ) -> None:
        """Put every vehicle that has not stopped to rest, where :func:`bodies.equilibrium` would put it.

        Arguments:
            inputs: named inputs to hold, (n,) or a number for all; kept. Others are as they are.
            tolerance, scrub, rounds, patient: as of :func:`bodies.equilibrium`.
            threads: at most; default: one for every core this process may use.

        Raises:
            UnknownName, MechanismError: as :meth:`set_input` and :func:`bodies.equilibrium`; nothing has
                changed then.

        Warns:
            SimulationWarning: vehicles that find no rest; they stop, and :attr:`stopped` says why.
        """
        from .equilibrium import rest_of

        threads = checks.whole(WHO, "threads", cores() if threads is None else threads, 1, 4096)
        inputs = {} if inputs is None else inputs
        if not isinstance(inputs, Mapping):
            raise checks.MechanismError(
                f"{WHO}: inputs = {shown(inputs)} must be a dict of names and values"
            )
        before, kept = len(self.stopped), self._states.copy()
        try:
            for name, values in inputs.items():
                self.set_input(name, values)
            found = rest_of(self, tolerance, scrub, rounds, patient, threads)
        except BaseException:
            self._states[:] = kept
            raise
        for k, state in found.items():
            if isinstance(state, str):
                self.stopped[k] = state
            else:
                self[k].restore(state)
        self._tell(before)

    def _likewise(self, who: Sequence[int], step: float, **settings: Any) -> Batch:
        """Some of the vehicles as they are described, with their parameters and inputs."""
        models = [self._models[k] for k in who] if self._models[1:] else self.model
        other = Batch(models, len(who), step, **settings)
        if not self._models[1:]:
            other._changes, other._own = [self._changes[k] for k in who], [self._own[k] for k in who]
            other._lay_parameters()
        first, named = self._first(L.INPUT), len(self.model.mechanism.inputs)
        other._states[:, first : first + named] = self._states[list(who), first : first + named]
        return other

    # one of them -----------------------------------------------------------------------------
    def __len__(self) -> int:
        return self.n

    def __getitem__(self, k: int) -> One:
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not -self.n <= k < self.n:
            raise IndexError(f"{WHO}: {shown(k)} is none of its vehicles, 0 to {self.n - 1}")
        return One(self, int(k) % self.n)

    def __iter__(self) -> Iterator[One]:
        return (One(self, k) for k in range(self.n))

    def __repr__(self) -> str:
        name = self.model.mechanism.name
        return f"Batch of {self.n} vehicles {name!r}, {len(self.stopped)} of them stopped"
