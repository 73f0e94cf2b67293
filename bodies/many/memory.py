"""What a batch keeps of its vehicles, and the workspaces in which threads step them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.records import Count
from ..kernels.slots import FLOATS, LANES, STATE_FLOATS
from ..memory.elimination import Elimination
from ..memory.turns import Shared
from ..memory.workspace import Workspace
from ..model import Model

WIDTH = LANES  # vehicles side by side
MOST_SPACES = 64  # workspaces that are kept


class Memory(Shared):
    """A row of state, counters and parameters a vehicle; a workspace a thread."""

    n: int
    model: Model
    lanes: bool
    stopped: dict[int, str]
    _work: Workspace  # of the first model, which never runs
    _states: NDArray[np.float64]
    _counters: NDArray[np.int64]
    _values: NDArray[np.float64]  # numbers in which vehicles differ, which ``_keys`` name
    _keys: list[Any]
    _plans: list[Elimination]
    _alike: list[int]  # for each the first one with the same tables
    _plan: NDArray[np.int64]  # which of them each vehicle has
    _alone: NDArray[np.int64]
    _busy: NDArray[np.float64]  # passes a step of each vehicle's contacts in the last round
    _models: Sequence[Model]

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: memory of their own, and no address of this process."""
        with self.turn():
            kept = self._unshared()
            for name in ("_spaces", "_lane_spaces", "_laid", "_parts", "_lane_parts"):
                kept.pop(name, None)
            own = {k: copy.copy(v) for k, v in kept.items() if isinstance(v, np.ndarray | list | dict)}
            return kept | own | {"_work": copy.copy(self._work)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()
        self._forget_spaces()

    def _forget_spaces(self) -> None:
        """The threads' workspaces are made again when they are needed."""
        self._spaces: dict[tuple[int, int], Workspace] = {}
        self._lane_spaces: dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any], Any]] = {}
        self._laid: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None

    def _values_in_lanes(self) -> NDArray[np.float64]:
        """The numbers in which vehicles differ, and after them those of their elimination orders."""
        if self._laid is None or not np.array_equal(self._laid[0], self._plan):
            scales = np.stack([plan.scale for plan in self._plans])
            self._laid = self._plan.copy(), np.hstack([self._values, scales[self._plan]])
        return self._laid[1]

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
            F[:WIDTH].reshape(-1, WIDTH)[_numbers(one.N, "panels")] = 0.0
            scale = _numbers(one.N, "scale")
            places = np.concatenate([self._places(one.N), scale])
            self._lane_spaces[thread, plan] = F, np.tile(one.N, (WIDTH, 1)), places
        return self._lane_spaces[thread, plan]

    def _new_space(self, plan: int) -> Workspace:
        return self._work.another(self._plans[plan])

    def _load(self, k: int) -> Workspace:
        """A workspace of its own with vehicle k in it."""
        from ..kernels.many import batch as kernels

        space = self._new_space(int(self._plan[k]))
        kernels.copy_in.py_func(space.F, space.N, self._states[k], self._counters[k])
        space.F[self._places(space.N)] = self._values[k]
        return space

    def _store(self, k: int, space: Workspace) -> None:
        """Take over vehicle k as it is in a workspace."""
        from ..kernels.many import batch as kernels

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

    def _places(self, N: np.ndarray) -> NDArray[np.int64]:
        """Where the parameters belong in a workspace."""
        return np.array([N[2 * FLOATS[path]] + i for path, i in self._keys], np.int64)

    def _first(self, path: str) -> int:
        """Where an array of state begins."""
        return int(self._work.N[2 * STATE_FLOATS[path]])

    def _counts(self, name: str) -> NDArray[np.int64]:
        """A count of all vehicles."""
        return self._counters[:, Count.fields[name].offset]


def _numbers(N: np.ndarray, path: str) -> NDArray[np.int64]:
    """Where the numbers of an array are."""
    return np.arange(*N[2 * FLOATS[path] : 2 * FLOATS[path] + 2])
