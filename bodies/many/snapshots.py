"""Snapshots of the states of all vehicles of a batch, and their restoration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcp.compiled.failures import deferred_signals

from .. import checks
from ..kernels.records import RUNNING, ClockRecord, Count, WheelFrame
from ..memory.elimination import Elimination
from ..memory.snapshot import COUNTED, IMPULSES, SETTINGS
from ..state import State
from .parameters import WHO, Parameters


@dataclass(frozen=True, eq=False)
class Snapshot:
    """States of all vehicles of a batch, one row per vehicle."""

    states: np.ndarray
    counters: np.ndarray
    plans: list[Elimination]
    model: str

    def taken(self, numbers: ArrayLike) -> Snapshot:
        """Snapshot in which vehicle k has the state of vehicle ``numbers[k]``."""
        rows = np.asarray(numbers, np.int64)
        plans = [self.plans[k] for k in rows.tolist()]
        return Snapshot(self.states[rows], self.counters[rows], plans, self.model)

    def __repr__(self) -> str:
        return f"Snapshot of {len(self.plans)} vehicles of a model {self.model[:8]}"


class Snapshots(Parameters):
    """Snapshots and restoration of a batch's vehicles."""

    def snapshot(self) -> Snapshot:
        """Present states of all vehicles, for :meth:`restore`."""
        with self.turn():
            store = self.store
            plans = [store.plans[k] for k in store.plan.tolist()]
            return Snapshot(store.states.copy(), store.counters.copy(), plans, self.model.digest)

    def restore(self, found: State | Snapshot, lanes: Any = None) -> None:
        """Restore states; parameters, settings such as the step length, and constant inputs are
        unchanged, and stopped vehicles can run again.

        Arguments:
            found: one state for all chosen vehicles, or a :meth:`snapshot` with a state for each.
            lanes: the chosen vehicles, as in :meth:`set`.

        Raises:
            MechanismError: a state or snapshot of another model, a damaged state, a snapshot of another
                number of vehicles. The batch is then unchanged.
        """
        rows, store = self.chosen(lanes), self.store
        if rows.size == 0:
            return
        with self.changing():
            if isinstance(found, Snapshot):
                if found.states.shape != store.states.shape or found.model != self.model.digest:
                    raise checks.MechanismError(
                        f"{WHO}: {found!r} is not of this batch, {self.n} vehicles of a model "
                        f"{self.model.digest[:8]}"
                    )
                states, counters = found.states[rows], found.counters[rows]
                self._keep_settings(rows, states, counters)
                plans = [found.plans[k] for k in rows.tolist()]
            else:
                first = int(rows[0])
                space = store.load(first)
                space.restore(found)
                store.put(first, space)
                states, counters = store.states[first], store.counters[first]
                plans = [store.plans[store.plan[first]]] * rows.size
            self._put(rows, states, counters, plans)

    def _put(self, rows: Any, states: Any, counters: Any, plans: list[Elimination]) -> None:
        """Store states, counters and eliminations of the vehicles ``rows``; they can run again."""
        store = self.store
        with deferred_signals():
            store.states[rows], store.counters[rows] = states, counters
            for k, plan in zip(rows.tolist(), plans, strict=True):
                store.plan[k] = store.number_of(plan)
                self.stopped.pop(k, None)

    def adopt(self, other: Parameters, chosen: Sequence[int], vehicles: Sequence[int]) -> None:
        """Take the states of vehicles of another batch of this structure, as :meth:`restore` does:
        settings and constant inputs are unchanged.

        Arguments:
            other: the other batch.
            chosen: numbers of the vehicles of ``other`` whose states are taken.
            vehicles: for each vehicle of ``other``, number of the corresponding vehicle of this batch.
        """
        theirs = np.asarray(chosen, np.int64)
        rows, given = np.asarray(vehicles, np.int64)[theirs], other.store
        states, counters = given.states[theirs], given.counters[theirs]
        self._keep_settings(rows, states, counters)
        counters[:, Count.status.offset] = RUNNING
        self._put(rows, states, counters, [given.plans[k] for k in given.plan[theirs].tolist()])

    def _keep_settings(self, rows: Any, states: Any, counters: Any) -> None:
        """Replace in ``states`` and ``counters``, one row per vehicle of ``rows``, settings and constant
        inputs by those of this batch; scale the impulses to its step length."""
        store = self.store
        first, clock = store.first("input"), store.first("clock")
        ratio = store.column("step")[rows, None] / states[:, [clock + ClockRecord.step.offset]]
        fields = [ClockRecord.fields[name] for name in SETTINGS]
        kept = [clock + f.offset + i for f in fields for i in range(f.size)]
        kept += range(first + len(self.model.mechanism.inputs), first + store.rows("input").shape[1])
        states[:, kept] = store.states[rows[:, None], kept]
        for path in IMPULSES:
            start = store.first(path)
            states[:, start : start + store.rows(path).shape[1]] *= ratio
        wheels, start = store.rows("wheel_state").shape[1], store.first("wheel_state")
        rolling = start + WheelFrame.rolling.offset
        states[:, rolling : start + wheels : WheelFrame.FLOATS] *= ratio
        others = [f.offset for name, f in Count.fields.items() if name not in (*COUNTED, "status")]
        counters[:, others] = store.counters[rows[:, None], others]
