"""Numbers of a compiled model that depend on the parameters of its elements, for many vehicles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import checks
from ..building.compile import arrays_of
from ..kernels.records import ClockRecord
from ..kernels.slots import FLOATS, STATE_FLOATS
from ..mechanism import Mechanism
from ..model import Model
from .formulas import Formulas, Key
from .parameter_names import Floats, ParameterLocation, parameters, value_at, values_of, with_numbers
from .series_tables import TABLES, WheelTables
from .traced import Tape

MOST_KEPT = 10_000  # largest number of vehicles whose compiled numbers are cached


class Variants:
    """Numbers in the arrays of a compiled model as functions of the elements' parameters.

    Arguments:
        model: compiled mechanism with the reference parameters.
    """

    def __init__(self, model: Model) -> None:
        self.mechanism: Mechanism = model.mechanism
        self.named: int = len(self.mechanism.inputs)  # these inputs come first, then the constant ones
        self.known: dict[str, list[ParameterLocation]] = parameters(self.mechanism)
        self.base: Any = None  # arrays of the unchanged model, made on first use
        self.formulas: dict[tuple[str, ...], Formulas | None] = {}
        self.compiled: dict[Any, dict[Key, float]] = {}  # cache: changed numbers by parameter values
        self.tables: WheelTables = WheelTables(self.mechanism, self.known)

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for copies and pickles, without the cached formulas and compilations."""
        return self.__dict__ | {"formulas": {}, "compiled": {}}

    def size(self, who: str, name: str) -> int:
        """Number of components of a parameter; 0: a scalar.

        Raises:
            UnknownName: no such parameter.
        """
        checks.need_known(f"{who}: parameter", name, self.known)
        value = value_at(self.mechanism, self.known[name][0])
        return len(value) if isinstance(value, tuple) else 0

    def table(
        self, who: str, varied: Mapping[str, Floats], rows: Iterable[int]
    ) -> tuple[list[Key], Floats]:
        """Numbers of the compiled model that the parameters change, for the vehicles ``rows``.

        Arguments:
            varied: parameters of all vehicles by name, (n,) or (n, size).
            rows: numbers of the vehicles.

        Returns:
            keys: array and index of each number, sorted; values: (rows, keys).

        Raises:
            MechanismError: the error of :meth:`changed` for the first vehicle that has one.
        """
        rows = np.fromiter(rows, int)
        names = tuple(varied)
        some = {name: column[rows] for name, column in varied.items()}
        columns = [c for column in some.values() for c in (column.T if column.ndim > 1 else [column])]
        if rows.size == 0 or not columns:
            return [], np.zeros((rows.size, 0))

        def compiled(j: int) -> dict[Key, float]:
            one = values_of(some, j)
            key = tuple(one.items())
            if key not in self.compiled:
                if len(self.compiled) >= MOST_KEPT:
                    self.compiled.clear()
                self.compiled[key] = self.changed(f"{who}: vehicle {rows[j]}", one)[1]
            return self.compiled[key]

        formulas = self.formulas.get(names)
        # the vehicles with the least and largest values are compiled in full, so that the elements' own
        # checks refuse bad values and the formulas are checked over the whole range
        extremes = [(f, i, int(f(c))) for i, c in enumerate(columns) for f in (np.argmin, np.argmax)]
        if formulas is not None:
            extremes = [(f, i, j) for f, i, j in extremes if not formulas.covers(i, columns[i][j])]
        if extremes or formulas is None:
            found = {j: compiled(j) for j in sorted({j for _, _, j in extremes})}
            wider = formulas and formulas.widened(columns, found, self._right)
            formulas = self.formulas[names] = wider or self._formulas(formulas, some, columns, found)
        one_by_one = range(rows.size)
        keys: list[Key] = []
        values = np.zeros((rows.size, 0))
        if formulas is not None:
            keys, (values, valid_rows) = formulas.keys, formulas.evaluate(columns)
            if formulas.in_tables:
                self.tables.write(some, keys, formulas.in_tables, values)
            one_by_one = np.flatnonzero(~valid_rows).tolist()
        alone = {j: compiled(j) for j in one_by_one}
        more = sorted({key for one in alone.values() for key in one} - set(keys))
        if more or alone:
            keys = [*keys, *more]
            values = np.hstack([values, np.tile(self._base_at(more), (rows.size, 1))])
            base = self._base_at(keys)
            for j, one in alone.items():
                values[j] = [one.get(key, b) for key, b in zip(keys, base, strict=True)]
            order = sorted(range(len(keys)), key=keys.__getitem__)
            keys, values = [keys[i] for i in order], values[:, order]
        return keys, values

    def _base_at(self, keys: Sequence[Key]) -> Floats:
        return np.array([self.base.array(path)[i] for path, i in keys], float)

    def _formulas(
        self,
        known: Formulas | None,
        some: Mapping[str, Floats],
        columns: Sequence[Floats],
        compiled: Mapping[int, Mapping[Key, float]],
    ) -> Formulas | None:
        """Formulas of all numbers that the parameters change, checked against the ``compiled`` vehicles.

        None if a number has no formula, or a formula contradicts a vehicle. ``known``: formulas for a
        narrower range, or None.
        """
        low, high = (np.array([f(c) for c in columns]) for f in (np.min, np.max))
        if known is not None:
            low, high = np.minimum(low, known.low), np.maximum(high, known.high)
        fraction = 0.3 + 0.4 * np.modf(0.618034 * np.arange(1, low.size + 1))[0]
        probe, tape = low + fraction * (high - low), Tape()
        traced = iter(tape.inputs(probe))
        free = high > low
        numbers = [one if free[i] else float(one) for i, one in enumerate(traced)]
        changes, at = {}, 0
        for name, column in some.items():
            size = 0 if column.ndim == 1 else column.shape[1]
            changes[name] = tuple(numbers[at : at + size]) if size else numbers[at]
            at += max(size, 1)
        try:
            other = arrays_of(with_numbers(self.mechanism, changes, self.known))
        except ValueError:  # an element refuses a value between two that it allows
            return None
        keys = {key for one in compiled.values() for key in one} | set(known.keys if known else ())
        for path in FLOATS:
            old, new = self.base.array(path), other.array(path)
            if old.shape != new.shape:
                return None
            keys |= {(path, int(i)) for i in np.flatnonzero((old != new) & ~np.isnan(old))}
        keys = sorted(keys)
        number = {value: k for k, value in reversed(list(enumerate(tape.values)))}
        number |= {float(probe[i]): int(i) for i in np.flatnonzero(free)}
        found: list[int | float | None] = []
        for key, constant in zip(keys, self._base_at(keys), strict=True):
            value = float(other.array(key[0])[key[1]])
            same = all(one.get(key, constant) == value for one in compiled.values())
            found.append(value if same else number.get(value))
        unknown = {key[0] for key, k in zip(keys, found, strict=True) if k is None}
        if unknown:
            if not (unknown <= TABLES and self.tables.known_by_contact):
                return None
            # add all numbers of the tables: also those that are equal in these vehicles may vary in
            # others
            numbers_by_key = dict(zip(keys, found, strict=True))
            numbers_by_key |= {(p, i): None for p in TABLES for i in range(self.base.array(p).size)}
            keys = sorted(numbers_by_key)
            found = [numbers_by_key[key] for key in keys]
        formulas = Formulas(keys, found, tape, low, high)
        return formulas.widened(columns, compiled, self._right)

    def _right(self, keys: Sequence[Key], one: Mapping[Key, float]) -> Floats:
        """Numbers at ``keys`` in the compiled model of one vehicle; ``one``: those of its numbers that
        differ from the unchanged model."""
        return np.array([one.get(k, b) for k, b in zip(keys, self._base_at(keys), strict=True)])

    def changed(self, who: str, changes: Mapping[str, Any]) -> tuple[Mechanism, dict[Any, float]]:
        """Mechanism with the parameters ``changes``, and its changed numbers {(array, index): number}.

        Raises:
            MechanismError: a value that the element refuses, or a value that changes the structure or
                the initial state.
        """
        if self.base is None:
            self.base = arrays_of(self.mechanism)
        try:
            mechanism = with_numbers(self.mechanism, changes, self.known)
            other = arrays_of(mechanism)
        except ValueError as error:
            raise checks.MechanismError(f"{who}: {error}") from None
        base, found = self.base, {}
        same = np.array_equal(base.ints, other.ints)
        for path in FLOATS if same else ():
            old, new = base.array(path), other.array(path)
            places = np.flatnonzero(~((old == new) | (np.isnan(old) & np.isnan(new))))
            if path in STATE_FLOATS and not self._constant(path, places):
                same = False
            found.update({(path, int(i)): float(new[i]) for i in places})
        if not same:
            raise checks.MechanismError(
                f"{who}: {', '.join(changes)} changes where a run starts or what the model consists of; "
                "compile a model for each vehicle and give the batch a list of them."
            )
        return mechanism, found

    def _constant(self, path: str, places: np.ndarray) -> bool:
        """Whether steps never change the numbers at ``places`` of the state array ``path``: gravity and
        constant inputs."""
        if path == "clock":
            return bool(np.isin(places - ClockRecord.gravity.offset, range(3)).all())
        return places.size == 0 or (path == "input" and bool((places >= self.named).all()))
