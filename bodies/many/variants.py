"""Other parameters of a model's elements, by the names of its description; same structure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mlcp.checks import numbers

from .. import checks
from ..building.compile import arrays_of
from ..kernels.records import ClockRecord
from ..kernels.slots import FLOATS, STATE_FLOATS
from ..mechanism import Mechanism
from ..model import Model

KINDS = ("bodies", "elements", "contacts", "wheels")
#: Fields of a body's initial state, which are not parameters.
STARTS = {"position", "orientation", "velocity", "angular_velocity"}


class ParameterLocation(NamedTuple):
    """Location of a parameter in a mechanism: list (or ``gravity``), number in it, path of fields."""

    kind: str
    number: int
    path: tuple[str, ...]


def parameters(mechanism: Mechanism) -> dict[str, list[ParameterLocation]]:
    """Locations of all numbers of a mechanism by name, ``"element.field"`` or ``"element.field.field"``.

    A wheel's fields are there also without its name, and those of its contact with the names of a
    vehicle's file: ``"soil.cone_index"`` is that of all wheels.
    """
    found: dict[str, list[ParameterLocation]] = {}
    for path in _fields(mechanism.gravity, ()):
        found[".".join(("gravity", *path))] = [ParameterLocation("gravity", 0, path)]
    for kind in KINDS:
        for k, element in enumerate(getattr(mechanism, kind)):
            for path in _fields(element, ()):
                if kind == "bodies" and path[0] in STARTS:
                    continue
                place = ParameterLocation(kind, k, path)
                found.setdefault(".".join((element.name, *path)), []).append(place)
                if kind == "wheels":
                    short = path[1:] if path[0] == "soil" else path
                    found.setdefault(".".join(short), []).append(place)
    return found


def _fields(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Paths of the numbers and vectors of numbers under a dataclass."""
    for field in dataclasses.fields(value):
        inner, here = getattr(value, field.name), (*path, field.name)
        if dataclasses.is_dataclass(inner) and not isinstance(inner, type):
            yield from _fields(inner, here)
        elif _is_number(inner) or (isinstance(inner, tuple) and inner and all(map(_is_number, inner))):
            yield here


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def with_numbers(
    mechanism: Mechanism, changes: Mapping[str, Any], known: dict[str, list[ParameterLocation]]
) -> Any:
    """Mechanism with other numbers, by name; checked once, with all of them."""
    lists: dict[str, Any] = {}
    for name, value in changes.items():
        for place in known[name]:
            if place.kind == "gravity":
                gravity = lists.get("gravity", mechanism.gravity)
                lists["gravity"] = _replaced(gravity, place.path, value)
            else:
                items = lists.setdefault(place.kind, list(getattr(mechanism, place.kind)))
                items[place.number] = _replaced(items[place.number], place.path, value)
    changed = {kind: tuple(new) if isinstance(new, list) else new for kind, new in lists.items()}
    return dataclasses.replace(mechanism, **changed) if changed else mechanism


def _replaced(value: Any, path: tuple[str, ...], number: Any) -> Any:
    inner = number if len(path) == 1 else _replaced(getattr(value, path[0]), path[1:], number)
    return dataclasses.replace(value, **{path[0]: inner})


def value_at(mechanism: Mechanism, place: ParameterLocation) -> Any:
    """Present value of a parameter."""
    value = (
        mechanism.gravity if place.kind == "gravity" else getattr(mechanism, place.kind)[place.number]
    )
    for name in place.path:
        value = getattr(value, name)
    return value


def by_vehicle(who: str, name: str, values: Any, n: int, size: int) -> list[Any]:
    """Values of a parameter, a float or tuple of ``size`` for each of n vehicles.

    Raises:
        MechanismError: neither one value for all nor one for each, or not finite.
    """
    given = numbers(values)
    one = () if size == 0 else (size,)
    if given.shape == one:
        given = np.broadcast_to(given, (n, *one))
    if given.shape != (n, *one) or not np.isfinite(given).all():
        each = "a number" if size == 0 else f"{size} numbers"
        got = "values that are not finite" if given.shape == (n, *one) else checks.shown(values)
        if given.ndim and given.dtype != object and given.shape != (n, *one):
            got = f"an array of shape {given.shape}"
        raise checks.MechanismError(
            f"{who}: {name} must be {each} for each of the {n} vehicles or one for all, got {got}."
        )
    return [float(x) if size == 0 else tuple(x.tolist()) for x in given]


class Variants:
    """Changes of a model's arrays by other parameters.

    Arguments:
        model: compiled mechanism with the reference parameters.
    """

    def __init__(self, model: Model) -> None:
        self.mechanism: Mechanism = model.mechanism
        self.named: int = len(self.mechanism.inputs)  # named ones first, then constants
        self.known: dict[str, list[ParameterLocation]] = parameters(self.mechanism)
        self.base: Any = None  # model as described, made on use

    def size(self, who: str, name: str) -> int:
        """Number of components of a parameter, 0: a scalar.

        Raises:
            UnknownName: no such parameter.
        """
        if not isinstance(name, str) or name not in self.known:
            raise checks.UnknownName(f"{who}: parameter", name, self.known)
        value = value_at(self.mechanism, self.known[name][0])
        return len(value) if isinstance(value, tuple) else 0

    def changed(self, who: str, changes: Mapping[str, Any]) -> tuple[Mechanism, dict[Any, float]]:
        """Mechanism with other parameters, and the changes {(array, index): number}.

        Raises:
            MechanismError: a value that the element refuses, or one that changes the structure or the
                initial state.
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
        """Whether steps leave these places of a state array unchanged."""
        if path == "clock":
            return bool(np.isin(places - ClockRecord.gravity.offset, range(3)).all())
        return places.size == 0 or (path == "input" and bool((places >= self.named).all()))
