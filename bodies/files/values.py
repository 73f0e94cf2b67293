"""Conversion of a file's values to the types of fields, with a check of shape, type and magnitude.

The object itself checks its ranges, as it does for values from Python.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin

from mlcp import renamed

from .. import checks, units
from ..units import key
from .hints import Maker, alternatives, fields_of, kinds_of, type_name


@dataclass(frozen=True)
class ValueLocation:
    """Location of a value in a file: name of its table in messages, key, unit in the key."""

    where: str
    key: str
    unit: str = ""

    def item(self, k: int) -> ValueLocation:
        """Location of element k of the list at this location."""
        return ValueLocation(self.where, f"{self.key}[{k}]", self.unit)

    def refuse(self, what: str, value: Any) -> checks.MechanismError:
        """Error for the wrong value at this location; ``what``: the expected value in words."""
        return checks.MechanismError(
            f"{self.where}: {self.key} must be {what}, got {checks.shown(value)}."
        )


def read_value(place: ValueLocation, hint: Any, value: Any) -> Any:
    """Convert a TOML value to the type ``hint``.

    Raises:
        MechanismError: naming the location, the value and the expected type.
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
    raise place.refuse(type_name(hint), value)


def _number(place: ValueLocation, value: float) -> float:
    """Check that a number has a plausible magnitude for its unit; the object checks infinite numbers."""
    most = units.largest(place.unit)
    size = abs(value)
    if size != size:
        raise place.refuse("a number", value)
    if most < size < math.inf:
        raise place.refuse(
            f"between -{most:g} and {most:g}{f' {place.unit}' if place.unit else ''}", value
        )
    if 0.0 < size < units.LEAST_VALUE:
        raise place.refuse(f"0, or at least {units.LEAST_VALUE:g} in size", value)
    return float(value)


def _list(place: ValueLocation, items: list[Any], hint: Any, value: list[Any]) -> tuple[Any, ...]:
    """Tuple from a list, element by element; ``items``: tuple types that ``hint`` allows."""
    many = [args[0] for args in items if len(args) == 1 or args[-1] is Ellipsis]
    if many == [float] and {*map(type, value)} == {float}:  # fast for long lists of numbers
        most = units.largest(place.unit)
        if all(units.LEAST_VALUE <= abs(x) <= most or x == 0.0 for x in value):
            return tuple(value)
    if many:
        hint = Union[tuple(many)]  # noqa: UP007 - the number of types varies
        return tuple(read_value(place.item(k), hint, x) for k, x in enumerate(value))
    if len(value) != len(items[0]):
        raise place.refuse(type_name(hint), value)
    return tuple(read_value(place.item(k), items[0][k], x) for k, x in enumerate(value))


def _object(place: ValueLocation, kinds: dict[str, Maker], value: dict[str, Any]) -> Any:
    """Object from a nested table; its key ``type`` is optional if only one of ``kinds`` is allowed."""
    row = dict(value)
    only = next(iter(kinds)) if len(kinds) == 1 else ""
    kind = row.pop("type", only)
    checks.need_known(f"{place.where}: type of {place.key}", kind, kinds)
    link = ": " if place.key.startswith("[") else ", "  # "[key]": head of a table; else: inline
    return read_object(f"{place.where}{link}{place.key}", kinds[kind], row)


def read_object(
    where: str, maker: Maker, row: Mapping[str, Any], made: Mapping[str, Any] | None = None
) -> Any:
    """Object made by ``maker`` from a table.

    Arguments:
        where: name of the table in messages, with the file first.
        maker: class or function that makes an object, with annotated arguments.
        row: keys (with their units) and values.
        made: values of fields that have no key in the table.

    Raises:
        MechanismError: an unknown key (with the nearest known one), a missing key, a value of another
            shape, or a value that the object refuses.
    """
    made = made or {}
    kind, hints = maker.__name__, fields_of(maker)
    arguments = inspect.signature(maker).parameters
    keys = {key(kind, name): name for name in arguments if name not in made}
    values: dict[str, Any] = {}
    for given, value in row.items():
        name = renamed.key(maker, given)
        checks.need_known(f"{where}: key", name, keys)
        field = keys[name]
        values[field] = read_value(
            ValueLocation(where, name, name[len(field) + 1 :]), hints[field], value
        )
    for name, field in keys.items():
        if field not in values and arguments[field].default is inspect.Parameter.empty:
            raise checks.MechanismError(f"{where}: the key {name!r} is missing.")
    try:
        return maker(**values, **made)
    except (ValueError, OSError, ImportError) as error:
        raise located(where, error, kind, keys) from None


def located(
    where: str, error: Exception, kind: str = "", keys: Mapping[str, str] | None = None
) -> checks.MechanismError:
    """Error of an object, rewritten for the file: with the location in the file, and the key instead of
    the field's name."""
    text = f"{where}: {_in_keys(str(error), kind, keys or {})}"
    text += "" if text.endswith((".", ")")) else "."
    if isinstance(error, checks.MechanismError):
        error.args = (text,)
        return error
    return checks.MechanismError(text)


def _in_keys(text: str, kind: str, keys: Mapping[str, str]) -> str:
    """Error message of an object without the object's name; the file's key replaces the field's name at
    its start."""
    if not kind:
        return text
    text = re.sub(r"^[\w ]+?(?: '[^']*')?: ", "", text)
    written = {field: name for name, field in keys.items()}
    found = re.match(rf"(?:{kind}\.)?(\w+)((?:\[\d+\])*)(?: \[[^\]\d][^\]]*\])?(?=\W|$)", text)
    if found is None or found[1] not in written:
        return text
    return written[found[1]] + found[2] + text[found.end() :]
