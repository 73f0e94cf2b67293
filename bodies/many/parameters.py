"""Parameters, models and inputs of the vehicles of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp.compiled.signals import held_back

from .. import checks
from ..checks import checked
from ..kernels.slots import FLOATS, INTS, STATE_FLOATS, STATE_INTS
from ..model import Model
from ..running.simulation import Simulation
from .memory import Vehicles
from .variants import Variants, by_vehicle

WHO = "batch"


@checked.explained
class Parameters(Vehicles):
    """Parameters and inputs of each vehicle, by the names of its description."""

    settings: dict[str, Any]  # of the simulations
    variants: Variants
    changes: list[dict[str, Any]]  # by name
    _own: list[dict[Any, float]]  # by place: numbers other than the first's

    def _take_model(self, k: int, model: Model) -> None:
        """Give vehicle k the initial state and the parameters of its own model."""
        if model.digest != self.model.digest:
            raise checks.MechanismError(
                f"{WHO}: model number {k} is of another structure than the first: other names, joints, "
                "contacts or inputs"
            )
        other = Simulation(model, **self.settings).work
        for path in INTS:
            known = path in STATE_INTS or path == "plan"
            if not known and not np.array_equal(other.i(path), self.store.work.i(path)):
                raise checks.MechanismError(
                    f"{WHO}: model number {k} has tables, maps or laws of another kind or length than "
                    "the first"
                )
        for path in FLOATS:
            mine, its = self.store.work.f(path), other.f(path)
            if mine.size != its.size and path != "panels":
                raise checks.MechanismError(
                    f"{WHO}: model number {k} has tables of another length than the first"
                )
            if path not in (*STATE_FLOATS, "scale", "panels"):
                places = np.flatnonzero(mine != its)
                self._own[k] |= {(path, int(i)): float(its[i]) for i in places}
        self.store.put(k, other)

    def set(self, name: str, values: Any) -> None:
        """Give every vehicle its own value of a parameter; :meth:`vary` for several at once.

        Arguments:
            name: ``"element.field"`` of the description (``"frame.mass"``,
                ``"gravity.acceleration"``), for all wheels ``"soil.cone_index"``.
            values: (n,), or a number for all; of a field of three numbers (n, 3) or (3,).

        Raises:
            UnknownName: no such parameter, with the nearest. MechanismError: a wrong shape, a value that
                the element refuses, or one that changes the structure or the initial state. The
                batch is then unchanged.
        """
        self.vary({name: values})

    def parameter_size(self, name: str) -> int:
        """Number of components of a parameter, 0: a scalar.

        Raises:
            UnknownName: neither an input nor a parameter.
        """
        known = {*self.variants.known, *self.model.mechanism.inputs}
        if name not in known:
            raise checks.UnknownName(f"{WHO}: parameter", name, known)
        return 0 if name not in self.variants.known else self.variants.size(WHO, name)

    def vary(self, values: Mapping[str, Any]) -> None:
        """:meth:`set` for several parameters: {name: values}."""
        if self.store.models[1:]:
            raise checks.MechanismError(f"{WHO}: each vehicle has a model of its own; set numbers there")
        given = {
            name: by_vehicle(WHO, name, column, self.n, self.variants.size(WHO, name))
            for name, column in values.items()
        }
        with self.changing():
            changes, own, known = [], [], {}
            for k in range(self.n):
                mine = self.changes[k] | {name: column[k] for name, column in given.items()}
                key = tuple(sorted(mine.items()))
                if key not in known:
                    known[key] = self.variants.changed(f"{WHO}: vehicle {k}", mine)[1]
                changes.append(mine)
                own.append(known[key])
            with held_back():
                self.changes, self._own = changes, own
                self.write_parameters()

    def write_parameters(self) -> None:
        """Build the table of the numbers in which vehicles differ from the first model."""
        self.store.forget_spaces()  # they hold old numbers
        self.store.keys = sorted({key for own in self._own for key in own})
        work = self.store.work
        base = [work.f(path)[i] for path, i in self.store.keys]
        self.store.values = np.tile(np.array(base, float), (self.n, 1))
        column = {key: j for j, key in enumerate(self.store.keys)}
        for k, own in enumerate(self._own):
            for key, value in own.items():
                self.store.values[k, column[key]] = value

    def set_input(self, name: str, values: Any) -> None:
        """Set a named input of every vehicle, until the next call.

        Arguments:
            name: of :attr:`Mechanism.inputs`; values: (n,), or a number for all.

        Raises:
            UnknownName: no such input. MechanismError: a wrong length, or a value out of range; the
                batch is then unchanged.
        """
        mechanism = self.model.mechanism
        if not isinstance(name, str) or name not in mechanism.inputs:
            raise checks.UnknownName(f"model {mechanism.name!r}: input", name, mechanism.inputs)
        column = np.array(by_vehicle(WHO, f"input {name!r}", values, self.n, 0))
        broken = column[column != np.round(column)][:1]  # for numbers of gears
        for one in (column.min(), column.max(), *broken):  # inputs have ranges
            mechanism.check_input(name, float(one))
        with self.turn():
            self.store.states[:, self.store.first("input") + self.model.input(name)] = column
