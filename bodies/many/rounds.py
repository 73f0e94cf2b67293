"""Distribution of a batch's steps over threads and lanes (vehicles side by side in one SIMD
register)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from mlcp.jit import SWITCHED_OFF, address

from ..checks import SimulationError
from ..kernels.records import REORDER
from ..memory.compiled import lane_table
from ..memory.refusal import refuse
from .memory import WIDTH, Vehicles

ALL = np.iinfo(np.int64).max  # value for FEWEST with one thread, which never changes its bundle
FEW = 3  # fewest vehicles for which lanes are faster than single vehicles
FEWEST = 8  # fewest steps of a bundle (vehicles stepped together) before its thread changes to another
Group = tuple[int, bool, NDArray[np.int64]]
_TABLE = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
_KINDS = (
    types.float64[::1], types.int64[::1], types.int64[::1], _TABLE[1], _TABLE[0], _TABLE[1], _TABLE[0],
    types.int64[::1],
)  # fmt: skip
_LANE_KINDS = (_TABLE[0], _TABLE[1], *_KINDS[2:])


class Rounds(Vehicles):
    """Steps of many vehicles, distributed over threads and, if possible, lanes."""

    _parts: Any  # addresses of the stages for a single vehicle
    _lane_parts: NDArray[np.int64]  # addresses of the stages for lanes, then of those for one vehicle
    _rolls: bool  # whether the contact problem is solved for all lanes at once
    _finds: bool  # whether contacts are detected for all lanes at once

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.lanes: bool = self.lanes and not SWITCHED_OFF
        self._compile()

    def _compile(self) -> None:
        """Compile the loops over vehicles and over lanes, before the threads start."""
        from ..kernels.stages import MEASURE

        self._parts = self.store.work.parts()
        address(_chunk_kernel(False), *_KINDS)
        if self.lanes:
            lanes = lane_table(self._rolls).copy()
            lanes[MEASURE] = not self._finds  # 1: contacts are detected lane by lane
            self._lane_parts = np.concatenate([lanes, self._parts])
            address(_chunk_kernel(True), *_LANE_KINDS)

    def do_steps(
        self, steps: int, threads: int, pool: ThreadPoolExecutor, vehicles: NDArray[Any]
    ) -> None:
        """Advance those of ``vehicles`` that have not stopped by ``steps`` steps.

        A vehicle whose factorisation has a small pivot gets a new elimination order from Python code,
        then continues with the others.
        """
        left, passes = np.zeros(self.n, np.int64), self._passes_so_far()
        left[[k for k in vehicles.tolist() if k not in self.stopped]] = steps
        status = self.store.counts("status")
        while left.any():
            running = np.flatnonzero(left)
            todo = np.stack([running, left[running], np.zeros_like(running)], axis=1)
            self._distribute(todo, threads, pool)
            self.store.alone[running] += todo[:, 2]
            left[running] = todo[:, 1]
            for k in running[(todo[:, 1] > 0) | (status[running] != 0)].tolist():
                self._go_on(k, min(int(left[k]), 1))
                left[k] = 0 if k in self.stopped else max(0, left[k] - 1)
        self.store.busy[vehicles] = (self._passes_so_far() - passes)[vehicles] / max(1, steps)

    def _passes_so_far(self) -> NDArray[np.int64]:
        """Number of passes of each vehicle's contact solves since its start."""
        return self.store.counts("iterations").copy()

    def _groups(self, vehicles: NDArray[np.int64]) -> list[Group]:
        """Groups of vehicles with one elimination order (in lanes: with equal tables), as triples:
        number of the order, whether the vehicles run in lanes, their indices in ``vehicles``.

        The contact solve of a register iterates until its slowest vehicle has converged: neighbouring
        lanes therefore get vehicles with similar numbers of iterations (passes) in the last call.
        """
        plans, rest = self.store.plan[vehicles], np.arange(len(vehicles))
        groups: list[Group] = []
        if self.lanes and FEW <= rest.size <= WIDTH and len(self.store.plans) == 1:
            return [(0, True, rest)]  # one register needs no sort (a sixth of a short call's time)
        if self.lanes:  # a remainder of less than ``FEW`` vehicles is stepped singly
            same, left = np.array(self.store.alike)[plans], []
            for plan in np.unique(same).tolist():
                mine = np.flatnonzero(same == plan)
                mine = mine[np.argsort(self.store.busy[vehicles[mine]], kind="stable")]
                whole = mine.size if mine.size % WIDTH >= FEW else mine.size - mine.size % WIDTH
                groups += [(plan, True, mine[:whole])] if whole else []
                left.append(mine[whole:])
            rest = np.concatenate(left)
        for plan in sorted(set(plans[rest].tolist())):
            groups.append((plan, False, rest[plans[rest] == plan]))
        return groups

    def _distribute(self, todo: NDArray[np.int64], threads: int, pool: ThreadPoolExecutor) -> None:
        """Advance the vehicles of ``todo`` (vehicle, steps left, steps solved singly) by ``threads``
        threads, which claim bundles of vehicles for some steps at a time."""
        groups = self._groups(todo[:, 0])
        bundles = sum(-(-rows.size // (WIDTH if in_lanes else 1)) for _, in_lanes, rows in groups)
        threads = min(threads, bundles)
        own = []
        for _, _, rows in groups:
            mine = np.zeros((rows.size, 5), np.int64)
            mine[:, :3], mine[:, 3] = todo[rows], FEWEST if threads > 1 else ALL
            own.append(mine)
        store = self.store
        values = store.values_in_lanes() if any(in_lanes for _, in_lanes, _ in groups) else store.values

        def work(thread: int) -> None:
            for (plan, in_lanes, _), mine in zip(groups, own, strict=True):
                tables = mine, store.states, store.counters
                if in_lanes:
                    F, N, places = store.lane_space(thread, plan)
                    _chunk_kernel(True)(F, N, self._lane_parts, *tables, values, places)
                else:
                    space = store.space(thread, plan)
                    places = store.places(space.N)
                    _chunk_kernel(False)(space.F, space.N, self._parts, *tables, store.values, places)

        futures = [pool.submit(work, thread) for thread in range(1, threads)]
        try:
            work(0)
        finally:  # also after Ctrl-C: wait for all threads
            for future in futures:
                future.result()
        for (_, _, rows), mine in zip(groups, own, strict=True):
            todo[rows] = mine[:, :3]

    def _go_on(self, k: int, left: int) -> None:
        """Choose a new elimination order for vehicle k and take ``left`` steps, or store the reason of
        its stop."""
        space = self.store.load(k)
        try:
            if space.machine.count.status == REORDER:
                space.run_piece(left)
            refuse(space)
        except SimulationError as error:
            self.stopped[k] = str(error)
        self.store.put(k, space)


def _chunk_kernel(in_lanes: bool) -> Any:
    """Compiled loop over vehicles, in lanes or single; its module is imported on first use."""
    if in_lanes:
        from ..kernels.many.lanes import run_chunk
    else:
        from ..kernels.many.batch import run_chunk
    return run_chunk
