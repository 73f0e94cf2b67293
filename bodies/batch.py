"""Many vehicles of one structure side by side: ``Batch``."""

from __future__ import annotations

import os
import time
import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from mlcp.checks import shown
from mlcp.jit import address

from . import checks
from .batch_lanes import rolls_in_lanes, tables_are_alike, why_no_lanes
from .batch_one import One
from .checks import SimulationError, SimulationWarning
from .compiled import lane_table
from .elimination import Elimination
from .kernels import layout as L
from .model import Model
from .simulation import Simulation
from .variants import Variants, by_vehicle
from .workspace import PIECE, REORDER, Workspace

WHO = "batch"
WIDTH, FEW = L.LANES, 3  # vehicles side by side, and how many of them make it worth while
MOST_SPACES = 64  # workspaces that are kept
CHUNK = 25  # steps after which a thread puts a portion back, so that all threads end together
Portions = deque[tuple[int, bool, NDArray[np.int64]]]
_TABLE = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
_KINDS = (
    types.float64[::1], types.int64[::1], types.int64[::1], _TABLE[1], _TABLE[0], _TABLE[1], _TABLE[0],
    types.int64[::1],
)  # fmt: skip
_LANE_KINDS = (_TABLE[0], _TABLE[1], *_KINDS[2:])


class Batch:
    """Vehicles of one structure that run side by side, each as if it were alone.

    What a vehicle computes depends on nothing but its own state, parameters and inputs: not on how many
    others there are, which, or on how many threads; to the last bit. One that cannot go on stops alone.

    Arguments:
        model: compiled mechanism, or one for each vehicle; these may differ in numbers.
        n: how many vehicles; left out with a list of models.
        step: h [s].
        lanes: whether several vehicles share a vector register; left out: from eight vehicles on, where
            the model's stages know lanes, which is where all its contacts are wheels on flat soil.
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
        self._settings: dict[str, Any] = {"step": step, **settings}
        first = Simulation(models[0], **self._settings)
        if not first.compiled:
            raise checks.MechanismError(
                f"{WHO}: solver = {shown(first.solver)} runs from Python, one vehicle at a time; take "
                "'direct', 'pgs' or 'newton'"
            )
        work = first.work
        self._work: Workspace = work
        self._plans: list[Elimination] = [work.plan]
        self._alike: list[int] = [0]  # for each the first one with the same tables
        self._plan: NDArray[np.int64] = np.zeros(self.n, np.int64)
        self._alone: NDArray[np.int64] = np.zeros(self.n, np.int64)
        self._piece = max(1, 2000 // self.n)  # steps after which Python may answer Ctrl-C
        self._variants = Variants(models[0])
        self._changes: list[dict[str, Any]] = [{} for _ in range(self.n)]
        self._models: list[Model] = list(models)
        self._own: list[dict[Any, float]] = [{} for _ in range(self.n)]  # numbers unlike the first's
        #: Vehicles that cannot go on, and why.
        self.stopped: dict[int, str] = {}
        self._states: NDArray[np.float64] = np.tile(
            work.F[: work.N[2 * L.STATE_FLOATS - 1]], (self.n, 1)
        )
        at = 2 * L.N_FLOATS
        counters = work.N[work.N[at] : work.N[at + 2 * L.STATE_INTS - 1]]
        self._counters: NDArray[np.int64] = np.tile(counters, (self.n, 1))
        for k in range(1, len(models)):
            self._take_model(k, models[k])
        self._lay_parameters()
        self._parts = work.parts()
        address(_visit(), *_KINDS)  # compiled here, not in a thread
        #: Whether vehicles go side by side in lanes; the numbers are the same.
        self.lanes: bool = self._choose_lanes(lanes)
        if self.lanes:
            rolls = rolls_in_lanes(work) and tables_are_alike(work, self._places(work.N))
            self._lane_parts: NDArray[np.int64] = np.concatenate([lane_table(rolls), self._parts])
            address(_visit_lanes(), *_LANE_KINDS)

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

    def _take_model(self, k: int, model: Model) -> None:
        """Vehicle k begins as its own model does, and has that model's numbers."""
        if model.digest != self.model.digest:
            raise checks.MechanismError(
                f"{WHO}: model number {k} is of another structure than the first: other names, joints, "
                "contacts or inputs"
            )
        other = Simulation(model, **self._settings).work
        for number in range(L.STATE_INTS, L.N_INTS):
            if number != L.PLAN_I and not np.array_equal(other.i(number), self._work.i(number)):
                raise checks.MechanismError(
                    f"{WHO}: model number {k} has tables, maps or laws of another kind or length than "
                    "the first"
                )
        for number in range(L.N_FLOATS):
            mine, its = self._work.f(number), other.f(number)
            if mine.size != its.size and number != L.PANELS:
                raise checks.MechanismError(
                    f"{WHO}: model number {k} has tables of another length than the first"
                )
            if L.STATE_FLOATS <= number != L.SCALE and number != L.PANELS:
                places = np.flatnonzero(mine != its)
                self._own[k] |= {(number, int(i)): float(its[i]) for i in places}
        self._store(k, other)

    # parameters and inputs -------------------------------------------------------------------
    def set(self, name: str, values: Any) -> None:
        """Give every vehicle its own value of a parameter; :meth:`vary` for several at once.

        Arguments:
            name: ``"element.field"`` as the description has it (``"frame.mass"``,
                ``"gravity.acceleration"``), for all wheels ``"soil.cone_index"``.
            values: (n,), or a number for all; of a field of three numbers (n, 3) or (3,).

        Raises:
            UnknownName: no such parameter, with the nearest. MechanismError: a wrong shape, a value that
                the element refuses, or one that changes the structure or where a run starts. Nothing
                has changed then.
        """
        self.vary({name: values})

    def parameter_size(self, name: str) -> int:
        """How many numbers a parameter holds, 0: it is a number.

        Raises:
            UnknownName: neither an input nor a parameter.
        """
        known = {*self._variants.known, *self.model.mechanism.inputs}
        if name not in known:
            raise checks.UnknownName(f"{WHO}: parameter", name, known)
        return 0 if name not in self._variants.known else self._variants.size(WHO, name)

    def vary(self, values: Mapping[str, Any]) -> None:
        """:meth:`set` for several parameters: {name: values}."""
        if self._models[1:]:
            raise checks.MechanismError(f"{WHO}: each vehicle has a model of its own; set numbers there")
        given = {
            name: by_vehicle(WHO, name, column, self.n, self._variants.size(WHO, name))
            for name, column in values.items()
        }
        changes, own, known = [], [], {}
        for k in range(self.n):
            mine = self._changes[k] | {name: column[k] for name, column in given.items()}
            key = tuple(sorted(mine.items()))
            if key not in known:
                known[key] = self._variants.changed(f"{WHO}: vehicle {k}", mine)[1]
            changes.append(mine)
            own.append(known[key])
        self._changes, self._own = changes, own
        self._lay_parameters()

    def _lay_parameters(self) -> None:
        """A table of the numbers in which vehicles differ from the first model."""
        self._forget_spaces()  # those there hold numbers of before
        self._keys: list[Any] = sorted({key for own in self._own for key in own})
        work = self._work
        base = [work.f(array)[i] for array, i in self._keys]
        self._values: NDArray[np.float64] = np.tile(np.array(base, float), (self.n, 1))
        column = {key: j for j, key in enumerate(self._keys)}
        for k, own in enumerate(self._own):
            for key, value in own.items():
                self._values[k, column[key]] = value

    def _places(self, N: np.ndarray) -> NDArray[np.int64]:
        """Where the parameters belong in a workspace."""
        return np.array([N[2 * array] + i for array, i in self._keys], np.int64)

    def set_input(self, name: str, values: Any) -> None:
        """Set a named input of every vehicle until it is set again.

        Arguments:
            name: of :attr:`Mechanism.inputs`; values: (n,), or a number for all.

        Raises:
            UnknownName: no such input. MechanismError: a wrong length, or a value out of range; nothing
                has changed then.
        """
        mechanism = self.model.mechanism
        if not isinstance(name, str) or name not in mechanism.inputs:
            raise checks.UnknownName(f"model {mechanism.name!r}: input", name, mechanism.inputs)
        column = np.array(by_vehicle(WHO, f"input {name!r}", values, self.n, 0))
        for extreme in (column.min(), column.max()):  # inputs are refused by range
            mechanism.check_input(name, float(extreme))
        self._states[:, self._first(L.INPUT) + self.model.input(name)] = column

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

    def _round(self, steps: int, threads: int, pool: ThreadPoolExecutor, who: NDArray[Any]) -> None:
        """Some steps of those of ``who`` that run; one that needs Python has its step and goes on with
        the others."""
        left = np.zeros(self.n, np.int64)
        left[[k for k in who.tolist() if k not in self.stopped]] = steps
        first = self._first_counter(L.COUNT_I) + L.STATUS
        while left.any():
            running = np.flatnonzero(left)
            todo = np.stack([running, left[running], np.zeros_like(running)], axis=1)
            self._share_out(todo, threads, pool)
            self._alone[running] += todo[:, 2]
            left[running] = todo[:, 1]
            for k in running[(todo[:, 1] > 0) | (self._counters[running, first] != 0)].tolist():
                self._go_on(k, min(int(left[k]), 1))
                left[k] = 0 if k in self.stopped else max(0, left[k] - 1)

    def _portions(self, todo: NDArray[np.int64], threads: int) -> Portions:
        """Rows of ``todo`` that go together: their elimination order, whether in lanes."""
        plans, rest = self._plan[todo[:, 0]], np.arange(len(todo))
        size = max(1, min(64, len(todo) // (4 * threads)))
        portions: Portions = deque()
        if self.lanes:  # what is left of it, if too few for lanes, goes one by one
            size = -(-size // WIDTH) * WIDTH
            same, left = np.array(self._alike)[plans], []
            for plan in np.unique(same).tolist():
                mine = np.flatnonzero(same == plan)
                whole = mine.size if mine.size % WIDTH >= FEW else mine.size - mine.size % WIDTH
                several = mine[:whole]
                portions.extend((plan, True, several[a : a + size]) for a in range(0, whole, size))
                left.append(mine[whole:])
            rest = np.concatenate(left)
        for plan in np.unique(plans[rest]).tolist():
            mine = rest[plans[rest] == plan]
            portions.extend((plan, False, mine[a : a + size]) for a in range(0, mine.size, size))
        return portions

    def _share_out(self, todo: NDArray[np.int64], threads: int, pool: ThreadPoolExecutor) -> None:
        """The steps of ``todo``, in portions that threads take as they come, some steps at a time."""
        portions, values = self._portions(todo, threads), self._values
        threads = min(threads, len(portions))
        most = CHUNK if threads > 1 else int(todo[:, 1].max())
        if self.lanes:
            scales = np.stack([plan.scale for plan in self._plans])
            values = np.hstack([values, scales[self._plan]])

        def work(thread: int) -> None:
            while True:
                try:
                    plan, in_lanes, rows = portions.popleft()
                except IndexError:
                    return
                own = todo[rows]
                own[:, 1] = np.minimum(own[:, 1], most)
                later = todo[rows, 1] - own[:, 1]
                tables = own, self._states, self._counters
                if in_lanes:
                    F, N, places = self._lane_space(thread, plan)
                    _visit_lanes()(F, N, self._lane_parts, *tables, values, places)
                else:
                    space = self._space(thread, plan)
                    places = self._places(space.N)
                    _visit()(space.F, space.N, self._parts, *tables, self._values, places)
                going = (own[:, 1] == 0) & (later > 0)
                todo[rows, 1:] = np.stack([own[:, 1] + later, own[:, 2]], axis=1)
                if going.any():
                    portions.append((plan, in_lanes, rows[going]))

        if threads == 1:
            work(0)
        else:
            shares = [pool.submit(work, thread) for thread in range(threads)]
            try:
                wait(shares)
            finally:  # after Ctrl-C too: a round ends for all
                for share in shares:
                    share.result()

    def _go_on(self, k: int, left: int) -> None:
        """What vehicle k needs from Python: a new elimination order, or the reason why it stops."""
        space = self._load(k)
        try:
            if space.i(L.COUNT_I)[L.STATUS] == REORDER:
                space._run_piece(left)
            space.refuse()
        except SimulationError as error:
            self.stopped[k] = str(error)
        self._store(k, space)

    # memory ----------------------------------------------------------------------------------
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

    def _forget_spaces(self) -> None:
        """The threads' workspaces are made again when they are needed."""
        self._spaces: dict[tuple[int, int], Workspace] = {}
        self._lane_spaces: dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any], Any]] = {}

    def _space(self, thread: int, plan: int) -> Workspace:
        """The workspace of a thread for vehicles of one elimination order."""
        found = self._spaces.get((thread, plan))
        if found is None:
            if len(self._spaces) >= MOST_SPACES:  # vehicles with orders of their own: as many as they
                self._spaces.clear()
            found = self._spaces[thread, plan] = self._new_space(plan)
        return found

    def _lane_space(self, thread: int, plan: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
        """The same in lanes: their memory, a workspace for each, and where the parameters belong."""
        if (thread, plan) not in self._lane_spaces:
            one = self._new_space(plan)
            room = np.zeros(2 * WIDTH * one.F.size + 8)
            first = -room.ctypes.data // 8 % 8  # a vector's address is a multiple of its size
            F = room[first : first + 2 * WIDTH * one.F.size].reshape(2 * WIDTH, one.F.size)
            F[:WIDTH].reshape(-1, WIDTH)[:] = one.F[:, None]
            F[WIDTH:] = one.F
            scale = np.arange(one.N[2 * L.SCALE], one.N[2 * L.SCALE + 1])
            places = np.concatenate([self._places(one.N), scale])
            self._lane_spaces[thread, plan] = F, np.tile(one.N, (WIDTH, 1)), places
        return self._lane_spaces[thread, plan]

    def _new_space(self, plan: int) -> Workspace:
        space = Workspace.__new__(Workspace)
        space.__dict__.update(self._work.__getstate__())
        space._install(self._plans[plan])
        return space

    def _load(self, k: int) -> Workspace:
        """A workspace of its own with vehicle k in it."""
        from .kernels import batch as kernels

        space = self._new_space(int(self._plan[k]))
        kernels.copy_in.py_func(space.F, space.N, self._states[k], self._counters[k])
        space.F[self._places(space.N)] = self._values[k]
        return space

    def _store(self, k: int, space: Workspace) -> None:
        """Take over vehicle k as it is in a workspace."""
        from .kernels import batch as kernels

        kernels.copy_out.py_func(space.F, space.N, self._states[k], self._counters[k])
        same = (p for p, plan in enumerate(self._plans) if plan.same(space.plan))
        number = next(same, len(self._plans))
        if number == len(self._plans):
            self._add_plan(space.plan)
        self._plan[k] = number

    def _add_plan(self, plan: Elimination) -> None:
        """Take up an elimination order; and which is the first one with the same tables.

        Vehicles reordered in poses of their own mostly differ in the sizes of their pivots alone, and
        those are numbers of a lane's own.
        """
        known = enumerate(self._plans)
        alike = next((p for p, one in known if np.array_equal(one.table, plan.table)), len(self._plans))
        if alike < len(self._plans):  # kept once
            plan = replace(plan, table=self._plans[alike].table)
        self._plans.append(plan)
        self._alike.append(alike)

    def _first(self, array: int) -> int:
        return int(self._work.N[2 * array])

    def _first_counter(self, array: int) -> int:
        at = 2 * L.N_FLOATS
        return int(self._work.N[at + 2 * array] - self._work.N[at])

    def _view(self, array: int, first: int, size: int | None) -> NDArray[np.float64]:
        """Some numbers of a state array of all vehicles: they change as the batch runs."""
        at = self._first(array) + first
        found = self._states[:, at] if size is None else self._states[:, at : at + size]
        found.flags.writeable = False
        return found

    # reading ---------------------------------------------------------------------------------
    def position(self, body: str) -> NDArray[np.float64]:
        """Centres of mass (n, 3) [m], a view that follows the run; as all that follow."""
        return self._view(L.POSITION, 3 * self.model.body(body), 3)

    def quaternion(self, body: str) -> NDArray[np.float64]:
        """Orientations (n, 4), scalar first."""
        return self._view(L.QUATERNION, 4 * self.model.body(body), 4)

    def velocity(self, body: str) -> NDArray[np.float64]:
        """Velocities of the centre of mass (n, 3) [m/s]."""
        return self._view(L.VELOCITY, 6 * self.model.body(body), 3)

    def angular_velocity(self, body: str) -> NDArray[np.float64]:
        """Angular velocities (n, 3) [rad/s], world axes."""
        return self._view(L.VELOCITY, 6 * self.model.body(body) + 3, 3)

    def coordinate(self, name: str) -> NDArray[np.float64]:
        """A joint coordinate (n,) [rad or m], turns counted."""
        return self._view(L.COORDINATE, self.model.coordinate(name), None)

    @property
    def time(self) -> NDArray[np.float64]:
        """Time of each vehicle [s], (n,)."""
        return self._view(L.SCALAR, L.TIME, None)

    @property
    def residual(self) -> NDArray[np.float64]:
        """Largest natural residual of the reduced contact problem since the start [-], (n,)."""
        return self._view(L.SCALAR, L.RESIDUAL_MAX, None)

    @property
    def missed(self) -> NDArray[np.int64]:
        """Steps whose contact problem missed its tolerance, (n,)."""
        found = self._counters[:, self._first_counter(L.COUNT_I) + L.MISSED]
        found.flags.writeable = False
        return found

    @property
    def fallbacks(self) -> NDArray[np.int64]:
        """Steps in lanes whose contacts were not the usual ones and were solved alone, (n,); the numbers
        are the same."""
        found = self._alone[:]
        found.flags.writeable = False
        return found

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


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _visit_lanes() -> Any:
    """The same for vehicles side by side."""
    from .kernels.lanes import visit

    return visit


def _visit() -> Any:
    """The compiled loop over vehicles; loaded when first needed."""
    from .kernels.batch import visit

    return visit
