"""What differs between the vehicles of a batch: parameters by name, models, inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import checks
from .batch_memory import Memory
from .kernels import layout as L
from .model import Model
from .simulation import Simulation
from .variants import Variants, by_vehicle

WHO = "batch"


class Parameters(Memory):
    """Numbers and inputs of each vehicle, by the names of its description."""

    _settings: dict[str, Any]  # of the simulations
    _variants: Variants
    _changes: list[dict[str, Any]]  # by name
    _own: list[dict[Any, float]]  # by place: numbers unlike the first's

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
        self._keys = sorted({key for own in self._own for key in own})
        work = self._work
        base = [work.f(array)[i] for array, i in self._keys]
        self._values = np.tile(np.array(base, float), (self.n, 1))
        column = {key: j for j, key in enumerate(self._keys)}
        for k, own in enumerate(self._own):
            for key, value in own.items():
                self._values[k, column[key]] = value

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
