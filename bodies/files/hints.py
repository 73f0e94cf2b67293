"""Types of the fields of objects in files, from their annotations."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from .vocabulary import KINDS, table_name

Maker = Callable[..., Any]


@functools.cache
def fields_of(maker: Maker) -> dict[str, Any]:
    """Annotated types of all arguments of a class or function, by name."""
    return {name: hint for name, hint in get_type_hints(maker).items() if name != "return"}


def alternatives(hint: Any) -> list[Any]:
    """Plain types that an annotation allows, without None."""
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
    """Classes and functions that make an object of one of the types ``options``, by the value of the key
    ``type`` in files."""
    classes = tuple(o for o in options if isinstance(o, type) and o not in (float, int, bool, str))
    classes = tuple(c for c in classes if get_origin(c) is None)
    kinds = {name: maker for name, maker in KINDS.items() if issubclass(_made(maker), classes)}
    return kinds or {table_name(c.__name__): c for c in classes if is_dataclass(c)}


@functools.cache
def _made(maker: Maker) -> type:
    return maker if isinstance(maker, type) else get_type_hints(maker)["return"]


def type_name(hint: Any) -> str:
    """Name of a type in plain English, for messages."""
    words = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
    found: list[str] = []
    options = alternatives(hint)
    for option in options:
        if option in words:
            found.append(words[option])
        elif get_origin(option) in (tuple, Sequence):
            args = get_args(option)
            if len(args) == 1 or args[-1] is Ellipsis:
                found.append("a list" if args[0] is Any else f"a list of {_plural(type_name(args[0]))}")
            else:
                found.append(f"{len(args)} {_plural(type_name(args[0]))}")
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
