"""Numbers of a compiled model as functions of its parameters, recorded while the model is compiled.

A parameter enters a compilation as a ``Traced`` float. Arithmetic with it is recorded on a tape;
comparisons with it are recorded as conditions for the validity of the tape. If a number of the model
equals a result on the tape, this result is assumed to be its formula: the tape then evaluates the number
for many vehicles at once, to the same bytes. (The formulas are checked against compiled vehicles.)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp import checks

Floats = NDArray[np.float64]


def _power(a: Any, b: Any) -> Any:
    """a**b element by element with Python's power, since that of NumPy may differ in the last digit."""
    columns = np.broadcast_arrays(a, b)
    return np.array([math.pow(x, y) for x, y in zip(*(c.tolist() for c in columns), strict=True)])


_IN_COLUMNS: dict[Callable[..., Any], Callable[..., Any]] = {pow: _power}


class Tape:
    """Recorded operations on traced numbers, in their order.

    Attributes:
        steps: function and arguments of each number; an argument is ``(place on the tape,)`` or a
            constant.
        values: values of the numbers during the recording.
        conditions: function, arguments and outcome of each comparison.
    """

    def __init__(self) -> None:
        self.steps: list[tuple[Any, tuple[Any, ...]]] = []
        self.values: list[float] = []
        self.conditions: dict[tuple[Any, ...], bool] = {}

    def add(self, value: float, function: Any, arguments: tuple[Any, ...]) -> Traced:
        """Append an operation with its result; returns the result as a traced number."""
        made = float.__new__(Traced, value)
        made.tape, made.at = self, len(self.steps)
        self.steps.append((function, arguments))
        self.values.append(float(value))
        return made

    def inputs(self, values: Iterable[float]) -> list[Traced]:
        """Traced numbers for the parameters, whose order is that of ``columns`` in :meth:`evaluate`."""
        return [self.add(value, None, ()) for value in values]

    def evaluate(self, columns: Sequence[Floats], wanted: Iterable[int]) -> tuple[list[Floats], Any]:
        """Numbers at the places ``wanted``, and whether all conditions hold, for n vehicles.

        ``columns``: values of each parameter, (n,).
        """
        needed = set(wanted)
        for key in self.conditions:
            needed |= {a[0] for a in key[1:] if isinstance(a, tuple)}
        for k in range(len(self.steps) - 1, -1, -1):
            if k in needed:
                needed |= {a[0] for a in self.steps[k][1] if isinstance(a, tuple)}
        found: dict[int, Floats] = {}

        def argument(a: Any) -> Any:
            return found[a[0]] if isinstance(a, tuple) else a

        with np.errstate(all="ignore"):
            for k in sorted(needed):
                function, arguments = self.steps[k]
                if function is None:
                    found[k] = columns[k]
                else:
                    operation: Any = _IN_COLUMNS.get(function, function)
                    found[k] = np.asarray(operation(*map(argument, arguments)), float)
            valid_rows = np.ones(len(columns[0]), bool)
            for (compare, *arguments), outcome in self.conditions.items():
                valid_rows &= compare(*map(argument, arguments)) == outcome
        return [found[k] for k in wanted], valid_rows


_UFUNCS: dict[Any, Any] = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul,
    np.divide: operator.truediv, np.power: pow, np.negative: operator.neg, np.absolute: abs,
    np.less: operator.lt, np.less_equal: operator.le, np.greater: operator.gt,
    np.greater_equal: operator.ge, np.equal: operator.eq, np.not_equal: operator.ne,
}  # fmt: skip


class Traced(float):
    """A float whose arithmetic and comparisons are recorded."""

    __slots__ = ("at", "tape")
    tape: Tape
    at: int

    def __reduce__(self) -> Any:
        return float, (float(self),)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **settings: Any) -> Any:
        """Record arithmetic with NumPy scalars; arrays and other functions get the plain float."""
        scalars = all(isinstance(x, int | float | np.number) for x in given)
        if method == "__call__" and scalars and not settings and ufunc in _UFUNCS:
            first, *others = (float(x) if isinstance(x, np.number) else x for x in given)
            return _UFUNCS[ufunc](first, *others)
        plain = [float(x) if isinstance(x, Traced) else x for x in given]
        return getattr(ufunc, method)(*plain, **settings)

    def __bool__(self) -> bool:
        return _compared(operator.ne)(self, 0.0)


def _argument(a: Any) -> Any:
    return (a.at,) if isinstance(a, Traced) else float(a)


def _recorded(function: Any, swapped: bool = False) -> Any:
    def method(self: Traced, *others: Any) -> Any:
        if others and isinstance(others[0], np.ndarray):  # operations on arrays are not recorded
            return function(*((others[0], float(self)) if swapped else (float(self), others[0])))
        if not all(isinstance(other, int | float | np.number) for other in others):
            return NotImplemented
        given = (*others, self) if swapped else (self, *others)
        value = function(*map(float, given))
        if isinstance(value, complex):
            return value
        return self.tape.add(value, function, tuple(map(_argument, given)))

    return method


def _compared(compare: Any) -> Any:
    def method(self: Traced, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return compare(float(self), other)
        if not isinstance(other, int | float | np.number):
            return NotImplemented
        outcome = compare(float(self), float(other))
        self.tape.conditions[compare, (self.at,), _argument(other)] = outcome
        return outcome

    return method


for _name in ("add", "sub", "mul", "truediv"):
    _function = getattr(operator, _name)
    setattr(Traced, f"__{_name}__", _recorded(_function))
    setattr(Traced, f"__r{_name}__", _recorded(_function, swapped=True))
Traced.__pow__, Traced.__rpow__ = _recorded(pow), _recorded(pow, swapped=True)  # type: ignore
Traced.__neg__, Traced.__abs__ = _recorded(operator.neg), _recorded(abs)  # type: ignore
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Traced, f"__{_name}__", _compared(getattr(operator, _name)))
checks.PASSED.add(Traced)
