"""Parameters of a mechanism: the numbers in the fields of its elements, by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import numbers

from .. import checks
from ..mechanism import Mechanism

Floats = NDArray[np.float64]
KINDS = ("bodies", "elements", "contacts", "wheels")
#: Fields of a body that are its initial state, not parameters.
STARTS = {"position", "orientation", "velocity", "angular_velocity"}


class ParameterLocation(NamedTuple):
    """Location of a parameter in a mechanism: list of elements (or ``gravity``), number of the element,
    path of fields."""

    kind: str
    number: int
    path: tuple[str, ...]


def parameters(mechanism: Mechanism) -> dict[str, list[ParameterLocation]]:
    """Locations of all numbers of a mechanism by name, ``"element.field"`` or ``"element.field.field"``.

    A wheel's field without the name of a wheel refers to all wheels, as in a vehicle's file:
    ``"soil.cone_index"`` is the cone index under all wheels.
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
    """Paths of fields to all numbers and vectors of numbers in the dataclass ``value`` at ``path``."""
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
    """Mechanism with the parameter values ``changes``, by name; the mechanism is checked once, after all
    changes."""
    lists: dict[str, Any] = {}
    for name, value in changes.items():
        for place in known[name]:
            if place.kind == "gravity":
                gravity = lists.get("gravity", mechanism.gravity)
                lists["gravity"] = replaced(gravity, place.path, value)
            else:
                items = lists.setdefault(place.kind, list(getattr(mechanism, place.kind)))
                items[place.number] = replaced(items[place.number], place.path, value)
    changed = {kind: tuple(new) if isinstance(new, list) else new for kind, new in lists.items()}
    return dataclasses.replace(mechanism, **changed) if changed else mechanism


def replaced(value: Any, path: tuple[str, ...], number: Any) -> Any:
    inner = number if len(path) == 1 else replaced(getattr(value, path[0]), path[1:], number)
    return dataclasses.replace(value, **{path[0]: inner})


def value_at(mechanism: Mechanism, place: ParameterLocation) -> Any:
    """Value of the parameter at a location."""
    value = (
        mechanism.gravity if place.kind == "gravity" else getattr(mechanism, place.kind)[place.number]
    )
    for name in place.path:
        value = getattr(value, name)
    return value


def by_vehicle(who: str, name: str, values: Any, n: int, size: int) -> Floats:
    """Values of a parameter for n vehicles: (n,) of a scalar (size 0), (n, size) of a vector.

    Raises:
        MechanismError: ``values`` is neither one value for all vehicles nor one for each, or not finite.
    """
    given = numbers(values)
    one = () if size == 0 else (size,)
    if given.shape == one:
        given = np.broadcast_to(given, (n, *one))
    if given.shape != (n, *one) or not np.isfinite(given).all():
        each = "a number" if size == 0 else f"{size} numbers"
        got = "values that are not finite" if given.shape == (n, *one) else checks.shown(values)
        if given.size and given.ndim and given.dtype != object and given.shape != (n, *one):
            got = f"an array of shape {given.shape}"
        raise checks.MechanismError(
            f"{who}: {name} must be {each} for each of the {n} vehicles or one for all, got {got}."
        )
    return np.array(given, float)


def values_of(varied: Mapping[str, Floats], k: int) -> dict[str, Any]:
    """Parameters of vehicle k by name: floats, or tuples of floats."""
    return {
        name: float(column[k]) if column.ndim == 1 else tuple(column[k].tolist())
        for name, column in varied.items()
    }
