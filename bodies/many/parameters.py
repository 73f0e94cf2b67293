"""Parameters, models and inputs of the vehicles of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown
from mlcp.compiled.failures import deferred_signals

from .. import checks
from ..checks import checked
from ..kernels.slots import FLOATS, INTS, STATE_FLOATS, STATE_INTS
from ..model import Model
from ..running.simulation import Simulation
from .memory import Vehicles
from .parameter_names import by_vehicle, value_at
from .variants import Variants

WHO = "batch"


@checked.explained
class Parameters(Vehicles):
    """Parameters and inputs of each vehicle, by the names in its description."""

    settings: dict[str, Any]  # settings of the simulations
    variants: Variants
    varied: dict[str, NDArray[np.float64]]  # parameters by name, (n,) or (n, size)
    _own: list[dict[Any, float]]  # by vehicle: numbers that differ from the first model's

    def _take_model(self, k: int, model: Model) -> None:
        """Set initial state and parameters of vehicle k to those of its own model."""
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

    def set(self, name: str, values: Any, lanes: Any = None) -> None:
        """Set a parameter of the chosen vehicles; :meth:`vary` sets several parameters.

        The changed numbers of the compiled model are written to each vehicle's memory. If these numbers
        are formulas of the parameters or tables of the normal force, as a rule only the vehicles with
        the least and largest values are compiled.

        Arguments:
            name: ``"element.field"`` of the description (``"frame.mass"``,
                ``"gravity.acceleration"``), for all wheels ``"soil.cone_index"``.
            values: a value for each chosen vehicle, or one value for all; of a field of three numbers
                (n, 3) or (3,).
            lanes: the chosen vehicles: (n,) of True and False, or their numbers; default: all.

        Raises:
            UnknownName: no such parameter; with the nearest names. MechanismError: a wrong shape, a
                value that the element refuses, or one that changes the structure or the initial state.
                The batch is then unchanged.
        """
        self.vary({name: values}, lanes)

    def parameter_size(self, name: str) -> int:
        """Number of components of a parameter or input; 0: a scalar.

        Raises:
            UnknownName: ``name`` is neither an input nor a parameter.
        """
        known = {*self.variants.known, *self.model.mechanism.inputs}
        checks.need_known(f"{WHO}: parameter", name, known)
        return 0 if name not in self.variants.known else self.variants.size(WHO, name)

    def vary(self, values: Mapping[str, Any], lanes: Any = None) -> None:
        """:meth:`set` for several parameters: {name: values}."""
        if self.store.models[1:]:
            raise checks.MechanismError(f"{WHO}: each vehicle has a model of its own; set numbers there")
        rows = self.chosen(lanes)
        given = {
            name: by_vehicle(WHO, name, column, rows.size, self.variants.size(WHO, name))
            for name, column in values.items()
        }
        with self.changing():
            varied = dict(self.varied)
            other = np.zeros(self.n, bool)
            for name, column in given.items():
                first = value_at(self.model.mechanism, self.variants.known[name][0])
                old = varied.get(name)
                if old is None:
                    old = np.tile(np.array(first, float), (self.n, *(1,) * np.ndim(first)))
                new = varied[name] = old.copy()
                new[rows] = column
                other |= (new != old).reshape(self.n, -1).any(axis=1)
            if not other.any():
                return
            changed = np.flatnonzero(other)
            keys, table = self.variants.table(WHO, varied, changed)
            with deferred_signals():
                self.varied = varied
                self._write(changed, keys, table)

    def chosen(self, lanes: Any) -> NDArray[np.int64]:
        """Numbers of the chosen vehicles, from a mask (n,) or from numbers; None: all.

        Raises:
            MechanismError: a mask of another length, or a number that is not a vehicle's.
        """
        if lanes is None:
            return np.arange(self.n)
        found = np.asarray(lanes)
        if found.dtype == bool and found.shape == (self.n,):
            return np.flatnonzero(found)
        whole = found.dtype.kind in "iu" and found.ndim == 1
        if not whole or (found.size and not (0 <= found.min() and found.max() < self.n)):
            raise checks.MechanismError(
                f"{WHO}: lanes = {shown(lanes)} must be {self.n} values of True and False, or "
                f"numbers of vehicles, 0 to {self.n - 1}"
            )
        return found.astype(np.int64)

    def _write(self, rows: NDArray[np.int64], keys: list[Any], table: NDArray[np.float64]) -> None:
        """Write the numbers ``table`` at ``keys`` of the vehicles ``rows``; their other numbers become
        those of the first model."""
        store, work = self.store, self.store.work
        more = sorted(set(keys) - set(store.keys))
        if more:
            base = np.array([work.f(path)[i] for path, i in more], float)
            store.values = np.hstack([store.values, np.tile(base, (self.n, 1))])
            store.keys, store.base = store.keys + more, np.concatenate([store.base, base])
            store.forget_spaces()  # the workspaces have old copies of these numbers
        store.values[rows] = store.base
        if keys == store.keys:
            store.values[rows] = table
        else:
            column = {key: j for j, key in enumerate(store.keys)}
            store.values[rows[:, None], [column[key] for key in keys]] = table
        store.forget_values()

    def write_parameters(self) -> None:
        """Write the numbers in which the vehicles' own models differ from the first model."""
        keys = sorted({key for own in self._own for key in own})
        base = [self.store.work.f(path)[i] for path, i in keys]
        table = [[own.get(key, b) for key, b in zip(keys, base, strict=True)] for own in self._own]
        self._write(np.arange(self.n), keys, np.array(table, float).reshape(self.n, len(keys)))

    def set_input(self, name: str, values: Any, lanes: Any = None) -> None:
        """Set a named input of the chosen vehicles, until the next call.

        Arguments:
            name: name in :attr:`Mechanism.inputs`.
            values: a value for each chosen vehicle, (n,), or one value for all.
            lanes: the chosen vehicles, as in :meth:`set`.

        Raises:
            UnknownName: no such input. MechanismError: a wrong length, or a value out of range; the
                batch is then unchanged.
        """
        self.check_known_input(name)
        rows = self.chosen(lanes)
        column = by_vehicle(WHO, f"input {name!r}", values, rows.size, 0)
        self.check_range_of_input(name, column)
        with self.turn():
            self.store.states[rows, self.store.first("input") + self.model.input(name)] = column

    def check_known_input(self, name: str) -> None:
        """Raise UnknownName if the vehicles have no input ``name``."""
        mechanism = self.model.mechanism
        checks.need_known(f"model {mechanism.name!r}: input", name, mechanism.inputs)

    def check_range_of_input(self, name: str, column: NDArray[np.float64]) -> None:
        """Raise MechanismError if a value is out of the range of the input ``name``."""
        broken = column[column != np.round(column)][:1]  # gears must be whole numbers
        for one in (column.min(), column.max(), *broken) if column.size else ():
            self.model.mechanism.check_input(name, float(one))
