"""One vehicle of a batch: taken out, put back, looked at alone."""

from __future__ import annotations

import dataclasses
from typing import Any

from mlcp.compiled.signals import held_back

from ..model import Model
from ..running.simulation import Simulation
from ..state import State
from .parameters import Parameters
from .variants import with_numbers


class One:
    """A vehicle of a :class:`Batch`, ``batch[k]``."""

    def __init__(self, batch: Parameters, number: int) -> None:
        self.batch = batch
        self.number = number

    def __repr__(self) -> str:
        return f"vehicle {self.number} of a {self.batch!r}"

    @property
    def model(self) -> Model:
        """The model with this vehicle's numbers."""
        batch, k = self.batch, self.number
        if batch.store.models[1:]:
            return batch.store.models[k]
        base = batch.model
        F = base.floats.copy()
        with batch.turn():
            F[batch.store.places(base.ints)] = batch.store.values[k]
            changes = batch.changes[k]
        F.setflags(write=False)
        mechanism = with_numbers(base.mechanism, changes, batch.variants.known)
        return dataclasses.replace(base, floats=F, mechanism=mechanism)

    def state(self) -> State:
        """Snapshot from which a run of :attr:`model` goes on bit for bit."""
        with self.batch.turn():
            return self.batch.store.load(self.number).state()

    def simulation(self) -> Simulation:
        """The vehicle alone, from where it is now; the batch knows nothing of what it does."""
        with self.batch.turn():
            settings: dict[str, Any] = self.batch.settings | {"state": self.state()}
            return Simulation(self.model, **settings)

    def restore(self, state: State) -> None:
        """Put a snapshot in, of this vehicle or another; a vehicle that had stopped runs again.

        Raises:
            MechanismError: a state of another model, or a damaged one; nothing has changed then.
        """
        with self.batch.changing():
            space = self.batch.store.load(self.number)
            space.restore(state)
            with held_back():
                self.batch.store.put(self.number, space)
                self.batch.stopped.pop(self.number, None)
