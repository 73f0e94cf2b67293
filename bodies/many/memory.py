"""The memory of a batch: its vehicles, and the workspaces in which threads step them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.records import ClockRecord, Count
from ..kernels.slots import FLOATS, INTS, LANES, STATE_FLOATS, STATE_INTS
from ..memory.elimination import Elimination
from ..memory.turns import Shared
from ..memory.workspace import Workspace
from ..model import Model

WIDTH = LANES  # vehicles side by side
MOST_SPACES = 64  # most workspaces kept


class Store:
    """A row of state, counters and parameters a vehicle; a workspace a thread.

    Attributes:
        models: of the vehicles, or the one of all.
        work: of the first model, which never runs.
        states, counters: floats and integers that decide a vehicle's future, a row each.
        keys, values: array and place of the numbers in which vehicles differ, and these, a row each.
        plans: elimination orders; alike: for each the first one with the same tables.
        plan: which of them each vehicle has.
        alone: steps of each vehicle whose contacts lanes left to the single solver.
        busy: passes a step of each vehicle's contacts in the last round.
    """

    def __init__(self, models: Sequence[Model], n: int, work: Workspace) -> None:
        self.models: list[Model] = list(models)
        self.work: Workspace = work
        self.plans: list[Elimination] = [work.plan]
        self.alike: list[int] = [0]
        self.plan: NDArray[np.int64] = np.zeros(n, np.int64)
        self.alone: NDArray[np.int64] = np.zeros(n, np.int64)
        self.busy: NDArray[np.float64] = np.zeros(n)
        self.keys: list[Any] = []
        self.values: NDArray[np.float64] = np.zeros((n, 0))
        last = [max(slots.values()) for slots in (STATE_FLOATS, STATE_INTS)]
        size, stop = (work.N[2 * slot + 1] for slot in last)
        self.states: NDArray[np.float64] = np.tile(work.F[:size], (n, 1))
        self.counters: NDArray[np.int64] = np.tile(work.N[work.N[2 * INTS["count"]] : stop], (n, 1))
        self.forget_spaces()

    def __getstate__(self) -> dict[str, Any]:
        """State of copies and pickles, which get memory of their own."""
        kept = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        own = np.ndarray, list, Workspace
        return {k: copy.copy(v) if isinstance(v, own) else v for k, v in kept.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.forget_spaces()

    def forget_spaces(self) -> None:
        """Drop the threads' workspaces, to be made again on use."""
        self._spaces: dict[tuple[int, int], Workspace] = {}
        self._lane_spaces: dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any], Any]] = {}
        self.forget_values()

    def forget_values(self) -> None:
        """Drop the copy of the values for lanes, to be made again on use."""
        self._values_by_plan: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None

    def values_in_lanes(self) -> NDArray[np.float64]:
        """Numbers in which vehicles differ, followed by the scales of their elimination orders."""
        if self._values_by_plan is None or not np.array_equal(self._values_by_plan[0], self.plan):
            scales = np.stack([plan.scale for plan in self.plans])
            self._values_by_plan = self.plan.copy(), np.hstack([self.values, scales[self.plan]])
        return self._values_by_plan[1]

    def space(self, thread: int, plan: int) -> Workspace:
        """Workspace of a thread for vehicles of one elimination order."""
        found = self._spaces.get((thread, plan))
        if found is None:
            if len(self._spaces) >= MOST_SPACES:  # many orders
                self._spaces.clear()
            found = self._spaces[thread, plan] = self._new_space(plan)
        return found

    def lane_space(self, thread: int, plan: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
        """Workspace of a thread in lanes: their memory, a workspace each, indices of the parameters."""
        if (thread, plan) not in self._lane_spaces:
            one = self._new_space(plan)
            room = np.zeros(2 * WIDTH * one.F.size + 8)
            first = -room.ctypes.data // 8 % 8  # a vector's address is a multiple of its size
            F = room[first : first + 2 * WIDTH * one.F.size].reshape(2 * WIDTH, one.F.size)
            F[:WIDTH].reshape(-1, WIDTH)[:] = one.F[:, None]
            F[WIDTH:] = one.F
            F[:WIDTH].reshape(-1, WIDTH)[_numbers(one.N, "panels")] = 0.0
            scale = _numbers(one.N, "scale")
            places = np.concatenate([self.places(one.N), scale])
            self._lane_spaces[thread, plan] = F, np.tile(one.N, (WIDTH, 1)), places
        return self._lane_spaces[thread, plan]

    def _new_space(self, plan: int) -> Workspace:
        return self.work.another(self.plans[plan])

    def load(self, k: int) -> Workspace:
        """New workspace with the state of vehicle k."""
        from ..kernels.many import batch as kernels

        space = self._new_space(int(self.plan[k]))
        kernels.copy_in.py_func(space.F, space.N, self.states[k], self.counters[k])
        space.F[self.places(space.N)] = self.values[k]
        return space

    def put(self, k: int, space: Workspace) -> None:
        """Store the state of vehicle k from a workspace."""
        from ..kernels.many import batch as kernels

        kernels.copy_out.py_func(space.F, space.N, self.states[k], self.counters[k])
        self.plan[k] = self.number_of(space.plan)

    def number_of(self, plan: Elimination) -> int:
        """Number of an elimination order, added if it is new."""
        number = next((p for p, one in enumerate(self.plans) if one is plan), None)
        if number is None:
            same = (p for p, one in enumerate(self.plans) if one.same(plan))
            number = next(same, len(self.plans))
        if number == len(self.plans):
            self._add_plan(plan)
        return number

    def _add_plan(self, plan: Elimination) -> None:
        """Add an elimination order, and find the first one with the same tables.

        Vehicles reordered in different poses mostly differ in the sizes of their pivots alone, which
        are separate for each lane.
        """
        known = enumerate(self.plans)
        alike = next((p for p, one in known if np.array_equal(one.table, plan.table)), len(self.plans))
        if alike < len(self.plans):  # share the table
            plan = replace(plan, table=self.plans[alike].table)
        self.plans.append(plan)
        self.alike.append(alike)

    def places(self, N: np.ndarray) -> NDArray[np.int64]:
        """Indices of the parameters in a workspace."""
        return np.array([N[2 * FLOATS[path]] + i for path, i in self.keys], np.int64)

    def first(self, path: str) -> int:
        """First index of a state array."""
        return int(self.work.N[2 * STATE_FLOATS[path]])

    def rows(self, path: str) -> NDArray[np.float64]:
        """A state array of all vehicles."""
        N, slot = self.work.N, STATE_FLOATS[path]
        return self.states[:, N[2 * slot] : N[2 * slot + 1]]

    def column(self, name: str) -> NDArray[np.float64]:
        """A number of the clock of all vehicles."""
        return self.rows("clock")[:, ClockRecord.fields[name].offset]

    def counts(self, name: str) -> NDArray[np.int64]:
        """A count of all vehicles."""
        return self.counters[:, Count.fields[name].offset]


def _numbers(N: np.ndarray, path: str) -> NDArray[np.int64]:
    """Indices of the numbers of an array."""
    return np.arange(*N[2 * FLOATS[path] : 2 * FLOATS[path] + 2])


class Vehicles(Shared):
    """Several vehicles and their memory."""

    n: int
    model: Model  # model of the first vehicle
    lanes: bool
    stopped: dict[int, str]
    store: Store

    def __getstate__(self) -> dict[str, Any]:
        """State of copies and pickles, which get memory of their own and no address of this process."""
        with self.turn():
            kept = self._unshared()
            for name in ("_parts", "_lane_parts"):
                kept.pop(name, None)
            own = np.ndarray, list, dict, Store
            return kept | {k: copy.copy(v) for k, v in kept.items() if isinstance(v, own)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()
