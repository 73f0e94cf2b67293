"""One vehicle of a batch: its model, state and simulation."""

from __future__ import annotations

import dataclasses
from typing import Any

from mlcp.compiled.failures import deferred_signals

from ..model import Model
from ..running.simulation import Simulation
from ..state import State
from .parameter_names import values_of, with_numbers
from .parameters import Parameters


class BatchVehicle:
    """Vehicle k of a :class:`Batch`, ``batch[k]``."""

    def __init__(self, batch: Parameters, number: int) -> None:
        self.batch = batch
        self.number = number

    def __repr__(self) -> str:
        return f"vehicle {self.number} of a {self.batch!r}"

    @property
    def model(self) -> Model:
        """Model with this vehicle's parameters."""
        batch, k = self.batch, self.number
        if batch.store.models[1:]:
            return batch.store.models[k]
        base = batch.model
        F = base.floats.copy()
        with batch.turn():
            F[batch.store.places(base.ints)] = batch.store.values[k]
            changes = values_of(batch.varied, k)
        F.setflags(write=False)
        mechanism = with_numbers(base.mechanism, changes, batch.variants.known)
        return dataclasses.replace(base, floats=F, mechanism=mechanism)

    def state(self) -> State:
        """Snapshot from which a run of :attr:`model` continues bit for bit."""
        with self.batch.turn():
            return self.batch.store.load(self.number).state()

    def simulation(self) -> Simulation:
        """Simulation of this vehicle from its present state, independent of the batch."""
        with self.batch.turn():
            settings: dict[str, Any] = self.batch.settings | {"state": self.state()}
            return Simulation(self.model, **settings)

    def set(self, name: str, value: Any) -> None:
        """:meth:`Batch.set` for this vehicle."""
        self.batch.set(name, value, [self.number])

    def set_input(self, name: str, value: Any) -> None:
        """:meth:`Batch.set_input` for this vehicle."""
        self.batch.set_input(name, value, [self.number])

    def restore(self, state: State) -> None:
        """Restore a state of this vehicle or of another one; a stopped vehicle can then run again.

        Raises:
            MechanismError: a state of another model, or a damaged one; the batch is unchanged.
        """
        with self.batch.changing():
            space = self.batch.store.load(self.number)
            space.restore(state)
            with deferred_signals():
                self.batch.store.put(self.number, space)
                self.batch.stopped.pop(self.number, None)
