"""From a table of a file to an object."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from .. import checks
from ..units import key
from .values import Maker, Place, fields_of, read_value


def read_object(
    where: str, maker: Maker, row: Mapping[str, Any], made: Mapping[str, Any] | None = None
) -> Any:
    """What ``maker`` makes of a table.

    Arguments:
        where: the table as messages name it, the file first.
        maker: a class, or a function that makes an object; its types say what the values must be.
        row: keys (with their units) and values.
        made: fields that come from elsewhere and have no key.

    Raises:
        MechanismError: an unknown key (with the nearest known one), a missing key, a value of another
            shape, or one that the object refuses.
    """
    made = made or {}
    kind, hints = maker.__name__, fields_of(maker)
    arguments = inspect.signature(maker).parameters
    keys = {key(kind, name): name for name in arguments if name not in made}
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name not in keys:
            raise checks.UnknownName(f"{where}: key", name, keys)
        field = keys[name]
        values[field] = read_value(Place(where, name, name[len(field) + 1 :]), hints[field], value)
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
    """An object's complaint as one of the file's: where, and the key instead of the field."""
    text = f"{where}: {_in_keys(str(error), kind, keys or {})}"
    text += "" if text.endswith((".", ")")) else "."
    if isinstance(error, checks.MechanismError):
        error.args = (text,)
        return error
    return checks.MechanismError(text)


def _in_keys(text: str, kind: str, keys: Mapping[str, str]) -> str:
    """The sentence without the object's own name, and its first field as the file writes it."""
    if not kind:
        return text
    text = re.sub(r"^[\w ]+?(?: '[^']*')?: ", "", text)
    written = {field: name for name, field in keys.items()}
    found = re.match(rf"(?:{kind}\.)?(\w+)((?:\[\d+\])*)(?: \[[^\]\d][^\]]*\])?(?=\W|$)", text)
    if found is None or found[1] not in written:
        return text
    return written[found[1]] + found[2] + text[found.end() :]
