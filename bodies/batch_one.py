"""One vehicle of a batch: taken out, put back, looked at alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .model import Model
from .simulation import Simulation
from .state import State
from .variants import with_numbers

if TYPE_CHECKING:
    from .batch import Batch


class One:
    """A vehicle of a :class:`Batch`, ``batch[k]``."""

    def __init__(self, batch: Batch, number: int) -> None:
        self.batch = batch
        self.number = number

    def __repr__(self) -> str:
        return f"vehicle {self.number} of a {self.batch!r}"

    @property
    def model(self) -> Model:
        """The model with this vehicle's numbers."""
        batch, k = self.batch, self.number
        if batch._models[1:]:
            return batch._models[k]
        base = batch.model
        F = base.floats.copy()
        F[batch._places(base.ints)] = batch._values[k]
        F.setflags(write=False)
        mechanism = with_numbers(base.mechanism, batch._changes[k], batch._variants.known)
        return dataclasses.replace(base, floats=F, mechanism=mechanism)

    def state(self) -> State:
        """Snapshot from which a run of :attr:`model` goes on bit for bit."""
        return self.batch._load(self.number).state()

    def simulation(self) -> Simulation:
        """The vehicle alone, from where it is now; the batch knows nothing of what it does."""
        settings: dict[str, Any] = self.batch._settings | {"state": self.state()}
        return Simulation(self.model, **settings)

    def restore(self, state: State) -> None:
        """Put a snapshot in, of this vehicle or another; a vehicle that had stopped runs again.

        Raises:
            MechanismError: a state of another model, or a damaged one; nothing has changed then.
        """
        space = self.batch._load(self.number)
        space.restore(state)
        self.batch._store(self.number, space)
        self.batch.stopped.pop(self.number, None)
