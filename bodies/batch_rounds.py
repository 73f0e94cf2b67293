"""How the steps of a batch are shared out to threads and lanes."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from mlcp.jit import address

from .batch_memory import WIDTH, Memory
from .checks import SimulationError
from .compiled import lane_table
from .kernels import layout as L
from .workspace import REORDER

FEW = 3  # vehicles that make lanes worth while
CHUNK = 25  # steps after which a thread puts a portion back, so that all threads end together
Portions = deque[tuple[int, bool, NDArray[np.int64]]]
_TABLE = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
_KINDS = (
    types.float64[::1], types.int64[::1], types.int64[::1], _TABLE[1], _TABLE[0], _TABLE[1], _TABLE[0],
    types.int64[::1],
)  # fmt: skip
_LANE_KINDS = (_TABLE[0], _TABLE[1], *_KINDS[2:])


class Rounds(Memory):
    """Steps of many vehicles: in portions, several side by side where lanes can do it."""

    _parts: Any  # addresses of the stages
    _lane_parts: NDArray[np.int64]  # and of those in lanes before them

    def _compile(self) -> None:
        """The loop over vehicles; here, not in a thread."""
        self._parts = self._work.parts()
        address(_visit(), *_KINDS)

    def _compile_lanes(self, rolls: bool) -> None:
        """The same for lanes; ``rolls``: their contacts too."""
        self._lane_parts = np.concatenate([lane_table(rolls), self._parts])
        address(_visit_lanes(), *_LANE_KINDS)

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


def _visit_lanes() -> Any:
    """The same for vehicles side by side."""
    from .kernels.lanes import visit

    return visit


def _visit() -> Any:
    """The compiled loop over vehicles; loaded when first needed."""
    from .kernels.batch import visit

    return visit
