"""The memory of a batch: state and parameters of each vehicle, workspaces of the threads.

A "lane" is a vehicle's place in a SIMD register: up to ``WIDTH`` vehicles are computed side by side.
"""

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

WIDTH = LANES  # number of vehicles side by side
MOST_SPACES = 64  # largest number of workspaces in the cache


class Store:
    """State, counters and parameters of each vehicle; a workspace for each thread.

    Attributes:
        models: model of each vehicle, or the common model of all.
        work: workspace of the first model, in which no steps are taken.
        states, counters: floats and integers of each vehicle's state, one row per vehicle.
        keys: array and index of the numbers in which vehicles differ.
        values: these numbers, one row per vehicle; base: those of the first model.
        plans: elimination orders; alike: for each of them, number of the first order with equal tables.
        plan: number of each vehicle's elimination order.
        alone: for each vehicle, number of steps in a lane whose contacts were solved for it singly.
        busy: mean number of iterations (passes) of each vehicle's contact solve in a step, over the last
            call of ``do_steps``.
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
        self.base: NDArray[np.float64] = np.zeros(0)
        last = [max(slots.values()) for slots in (STATE_FLOATS, STATE_INTS)]
        size, stop = (work.N[2 * slot + 1] for slot in last)
        self.states: NDArray[np.float64] = np.tile(work.F[:size], (n, 1))
        self.counters: NDArray[np.int64] = np.tile(work.N[work.N[2 * INTS["count"]] : stop], (n, 1))
        self.forget_spaces()

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for copies and pickles, with their own memory and without workspaces."""
        kept = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        own = np.ndarray, list, Workspace
        return {k: copy.copy(v) if isinstance(v, own) else v for k, v in kept.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.forget_spaces()

    def forget_spaces(self) -> None:
        """Drop the threads' workspaces; new ones are made when needed."""
        self._spaces: dict[tuple[int, int], Workspace] = {}
        self._lane_spaces: dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any], Any]] = {}
        self.forget_values()

    def forget_values(self) -> None:
        """Drop the cached result of :meth:`values_in_lanes`."""
        self._values_by_plan: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None

    def values_in_lanes(self) -> NDArray[np.float64]:
        """Parameters that differ between vehicles computed in SIMD lanes, shape (vehicles, numbers):
        ``values``, then the row scales of the vehicle's elimination order."""
        if self._values_by_plan is None or not np.array_equal(self._values_by_plan[0], self.plan):
            scales = np.stack([plan.scale for plan in self.plans])
            self._values_by_plan = self.plan.copy(), np.hstack([self.values, scales[self.plan]])
        return self._values_by_plan[1]

    def space(self, thread: int, plan: int) -> Workspace:
        """Workspace of a thread for the vehicles of elimination order ``plan``."""
        found = self._spaces.get((thread, plan))
        if found is None:
            if len(self._spaces) >= MOST_SPACES:  # limits the memory of the workspaces
                self._spaces.clear()
            found = self._spaces[thread, plan] = self._new_space(plan)
        return found

    def lane_space(self, thread: int, plan: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
        """Memory of a thread for lanes, for the vehicles of elimination order ``plan``.

        Returns F (the lanes' floats, then a workspace for each lane), N (the integers of these
        workspaces), and the indices in F of the numbers of :meth:`values_in_lanes`.
        """
        if (thread, plan) not in self._lane_spaces:
            one = self._new_space(plan)
            room = np.zeros(2 * WIDTH * one.F.size + 8)
            first = -room.ctypes.data // 8 % 8  # start of F: aligned to the 64 bytes of a SIMD vector
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
        space = self._new_space(int(self.plan[k]))
        F, N, first = space.F, space.N, space.N[2 * INTS["count"]]
        F[: self.states.shape[1]] = self.states[k]
        N[first : first + self.counters.shape[1]] = self.counters[k]
        space.f("contact.rows.q")[:] = space.f("channels.impulse")[: space.f("contact.rows.q").size]
        space.F[self.places(space.N)] = self.values[k]
        return space

    def put(self, k: int, space: Workspace) -> None:
        """Store the state of vehicle k from a workspace."""
        first = space.N[2 * INTS["count"]]
        self.states[k] = space.F[: self.states.shape[1]]
        self.counters[k] = space.N[first : first + self.counters.shape[1]]
        self.plan[k] = self.number_of(space.plan)

    def number_of(self, plan: Elimination) -> int:
        """Number of an elimination order, which is added to ``plans`` if it is new."""
        number = next((p for p, one in enumerate(self.plans) if one is plan), None)
        if number is None:
            same = (p for p, one in enumerate(self.plans) if one.same(plan))
            number = next(same, len(self.plans))
        if number == len(self.plans):
            self._add_plan(plan)
        return number

    def _add_plan(self, plan: Elimination) -> None:
        """Add an elimination order, and find the first order with the same tables.

        Orders chosen in different poses mostly differ in their scales only, which may differ between
        lanes.
        """
        known = enumerate(self.plans)
        alike = next((p for p, one in known if np.array_equal(one.table, plan.table)), len(self.plans))
        if alike < len(self.plans):  # the new order shares the earlier order's table
            plan = replace(plan, table=self.plans[alike].table)
        self.plans.append(plan)
        self.alike.append(alike)

    def places(self, N: np.ndarray) -> NDArray[np.int64]:
        """Indices in F of the numbers ``keys``; N: integers of a workspace."""
        return np.array([N[2 * FLOATS[path]] + i for path, i in self.keys], np.int64)

    def first(self, path: str) -> int:
        """Index of the first number of a state array in a row of ``states``."""
        return int(self.work.N[2 * STATE_FLOATS[path]])

    def rows(self, path: str) -> NDArray[np.float64]:
        """View of the state array ``path`` of all vehicles, one row per vehicle."""
        N, slot = self.work.N, STATE_FLOATS[path]
        return self.states[:, N[2 * slot] : N[2 * slot + 1]]

    def column(self, name: str) -> NDArray[np.float64]:
        """View of the field ``name`` of the record ``ClockRecord`` of all vehicles, (n,)."""
        return self.rows("clock")[:, ClockRecord.fields[name].offset]

    def counts(self, name: str) -> NDArray[np.int64]:
        """View of the count ``name`` (record ``Count``) of all vehicles, (n,)."""
        return self.counters[:, Count.fields[name].offset]


def _numbers(N: np.ndarray, path: str) -> NDArray[np.int64]:
    """Indices in F of all numbers of the array ``path``."""
    return np.arange(*N[2 * FLOATS[path] : 2 * FLOATS[path] + 2])


class Vehicles(Shared):
    """Several vehicles and their memory."""

    n: int
    model: Model  # model of the first vehicle
    lanes: bool
    stopped: dict[int, str]
    store: Store

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for copies and pickles, with their own memory and without addresses of this
        process."""
        with self.turn():
            kept = self._unshared()
            for name in ("_parts", "_lane_parts"):
                kept.pop(name, None)
            own = np.ndarray, list, dict, Store
            return kept | {k: copy.copy(v) for k, v in kept.items() if isinstance(v, own)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()
