"""From a value of a file to what the type of a field asks for: shape, kind and size are looked at here.

The range is the object's own business: it is checked where the object is made, in Python as from a file.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from .. import checks, units
from .vocabulary import KINDS, table_name

Maker = Callable[..., Any]


@dataclass(frozen=True)
class Place:
    """Where a value stands: the table, as messages name it, the key, and the unit that it states."""

    where: str
    key: str
    unit: str = ""

    def item(self, k: int) -> Place:
        """The k-th element of a list."""
        return Place(self.where, f"{self.key}[{k}]", self.unit)

    def refuse(self, what: str, value: Any) -> checks.MechanismError:
        """The sentence that asks for something else."""
        return checks.MechanismError(
            f"{self.where}: {self.key} must be {what}, got {checks.shown(value)}."
        )


def read_value(place: Place, hint: Any, value: Any) -> Any:
    """What the type ``hint`` asks for, from a value as TOML has it.

    Raises:
        MechanismError: naming the place, the value and what is allowed.
    """
    options = alternatives(hint)
    if isinstance(value, dict) and (kinds := kinds_of(options)):
        return _object(place, kinds, value)
    if isinstance(value, list):
        items = [get_args(o) for o in options if get_origin(o) in (tuple, Sequence)]
        if items:
            return _list(place, items, hint, value)
    if isinstance(value, bool):
        if bool in options:
            return value
    elif isinstance(value, str):
        if str in options:
            return value
    elif isinstance(value, int | float):
        if float in options:
            return _number(place, value)
        if int in options and (isinstance(value, int) or value.is_integer()):
            return int(_number(place, value))
    raise place.refuse(said(hint), value)


def _number(place: Place, value: float) -> float:
    """A number of a size that its unit makes sense of; infinite ones are the object's business."""
    most = units.largest(place.unit)
    size = abs(value)
    if size != size:
        raise place.refuse("a number", value)
    if most < size < math.inf:
        raise place.refuse(
            f"between -{most:g} and {most:g}{f' {place.unit}' if place.unit else ''}", value
        )
    if 0.0 < size < units.LEAST_OF_ALL:
        raise place.refuse(f"0, or at least {units.LEAST_OF_ALL:g} in size", value)
    return float(value)


def _list(place: Place, items: list[Any], hint: Any, value: list[Any]) -> tuple[Any, ...]:
    """A tuple; ``items`` are the arguments of the tuples that the hint allows."""
    many = [args[0] for args in items if len(args) == 1 or args[-1] is Ellipsis]
    if many == [float] and {*map(type, value)} == {float}:  # long lists of numbers, quickly
        most = units.largest(place.unit)
        if all(units.LEAST_OF_ALL <= abs(x) <= most or x == 0.0 for x in value):
            return tuple(value)
    if many:
        hint = Union[tuple(many)]  # noqa: UP007 - of as many as there are
        return tuple(read_value(place.item(k), hint, x) for k, x in enumerate(value))
    if len(value) != len(items[0]):
        raise place.refuse(said(hint), value)
    return tuple(read_value(place.item(k), items[0][k], x) for k, x in enumerate(value))


def _object(place: Place, kinds: dict[str, Maker], value: dict[str, Any]) -> Any:
    """An object from a table inside a table; ``type`` may be left out where only one fits."""
    from .objects import read_object

    row = dict(value)
    only = next(iter(kinds)) if len(kinds) == 1 else ""
    kind = row.pop("type", only)
    if not isinstance(kind, str) or kind not in kinds:
        raise checks.UnknownName(f"{place.where}: type of {place.key}", kind, kinds)
    link = (
        ": " if place.key.startswith("[") else ", "
    )  # a table of its own, or a key of the table before
    return read_object(f"{place.where}{link}{place.key}", kinds[kind], row)


# types -----------------------------------------------------------------------------------------
@functools.cache
def fields_of(maker: Maker) -> dict[str, Any]:
    """The type of every argument of a class or function."""
    return {name: hint for name, hint in get_type_hints(maker).items() if name != "return"}


def alternatives(hint: Any) -> list[Any]:
    """The plain types that a type allows, None left out."""
    if hint == ArrayLike:
        return [tuple[tuple[float, ...], ...]]
    if hint is Any:
        return [float, tuple[float, ...]]
    if get_origin(hint) is Annotated:
        return alternatives(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return [option for part in get_args(hint) for option in alternatives(part)]
    return [] if hint is type(None) else [hint]


def kinds_of(options: list[Any]) -> dict[str, Maker]:
    """What can stand as a table where one of these types is asked for, by the name of its type."""
    classes = tuple(o for o in options if isinstance(o, type) and o not in (float, int, bool, str))
    classes = tuple(c for c in classes if get_origin(c) is None)
    kinds = {name: maker for name, maker in KINDS.items() if issubclass(_made(maker), classes)}
    return kinds or {table_name(c.__name__): c for c in classes if is_dataclass(c)}


@functools.cache
def _made(maker: Maker) -> type:
    return maker if isinstance(maker, type) else get_type_hints(maker)["return"]


def said(hint: Any) -> str:
    """A type as a sentence has it."""
    words = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
    found: list[str] = []
    options = alternatives(hint)
    for option in options:
        if option in words:
            found.append(words[option])
        elif get_origin(option) in (tuple, Sequence):
            args = get_args(option)
            if len(args) == 1 or args[-1] is Ellipsis:
                found.append("a list" if args[0] is Any else f"a list of {_plural(said(args[0]))}")
            else:
                found.append(f"{len(args)} {_plural(said(args[0]))}")
    if kinds := kinds_of(options):
        found.append("a table" if len(kinds) == 1 else f"a table of type {', '.join(sorted(kinds))}")
    return " or ".join(dict.fromkeys(found))


def _plural(words: str) -> str:
    for one, many in (
        ("a number", "numbers"),
        ("a list of numbers", "lists of numbers"),
        ("a list", "lists"),
        ("a table", "tables"),
    ):
        if words == one:
            return many
    return words.replace("2 numbers", "pairs of numbers")
