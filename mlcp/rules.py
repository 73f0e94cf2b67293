"""Rules of arguments: the values that an annotation allows, and the message for other values."""

from __future__ import annotations

import inspect
import math
import os
import pathlib
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import numpy as np

from mlcp.checks import nearest, number, numbers, real_array, shown, whole


class Owner(NamedTuple):
    """Owner of an argument (a function or class): its name in messages, the text between this name and
    the argument's name, and the exception to raise."""

    who: str
    joint: str = "."
    error: type[ValueError] = ValueError

    def name(self, field: str) -> str:
        """Text with the owner and the field, for a message."""
        return f"{self.who}{self.joint}{field}"

    def refuse(self, field: str, value: object, wanted: str) -> ValueError:
        """Error that names the field, its value and the allowed values."""
        return self.error(f"{self.name(field)} = {shown(value)} must be {wanted}")


#: Function (owner, field, value) that returns the value converted to its annotation, or raises an error.
Rule = Callable[[Owner, str, Any], Any]


@dataclass(frozen=True)
class Range:
    """Number in [low, high]; ``open_low``, ``open_high`` exclude an end, ``finite`` excludes infinity.

    ``zero``: whether 0 is allowed.
    """

    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    open_low: bool = False
    open_high: bool = False
    finite: bool = True
    zero: bool = True

    def rule(self, owner: Owner, field: str, value: Any) -> float:
        """Return the value as a float in the range, or raise ``owner.error``."""
        x = number(
            owner.name(field), value, self.low, self.high, unit=self.unit, open_low=self.open_low,
            open_high=self.open_high, finite=self.finite, error=owner.error,
        )  # fmt: skip
        if x == 0.0 and not self.zero:
            raise owner.error(f"{owner.name(field)} must not be zero.")
        return x

    def whole(self, owner: Owner, field: str, value: Any) -> int:
        """Return the value as an integer in the range, or raise ``owner.error``."""
        self.rule(owner, field, value)
        return _whole(owner, field, value)


def above(low: float, unit: str = "") -> Range:
    """Range of finite numbers above ``low`` [unit]."""
    return Range(low, unit=unit, open_low=True)


def at_least(low: float, unit: str = "") -> Range:
    """Range of finite numbers from ``low`` [unit] on."""
    return Range(low, unit=unit)


def within(low: float, high: float, unit: str = "") -> Range:
    """Range of numbers from ``low`` to ``high`` [unit]."""
    return Range(low, high, unit)


@dataclass(frozen=True)
class Shape:
    """Allowed arrays of real numbers: number of axes, entries along the last axis (None: any)."""

    axes: int | None = None
    last: int | None = None

    def rule(self, owner: Owner, field: str, value: Any) -> Any:
        """Return the value unchanged if it has this shape, or raise ``owner.error``."""
        found = np.asarray(_array(owner, field, value))
        size = found.shape[-1] if found.ndim else None
        if found.ndim != (self.axes or found.ndim) or (self.last is not None and size != self.last):
            entries = "several" if self.last is None else self.last
            axes = f"{self.axes} axes" if self.axes else "at least one axis"
            raise owner.refuse(field, value, f"an array of {axes}, the last of {entries} entries")
        return value


# rules -----------------------------------------------------------------------------------------
def _number(owner: Owner, field: str, value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    return number(owner.name(field), value, error=owner.error)


def _number_or_infinite(owner: Owner, field: str, value: Any) -> float:
    return number(owner.name(field), value, finite=False, error=owner.error)


def _whole(owner: Owner, field: str, value: Any) -> int:
    return (
        value
        if type(value) is int and abs(value) <= MOST
        else whole(owner.name(field), value, -MOST, MOST, error=owner.error)
    )


MOST = 2**63 - 1


def _flag(owner: Owner, field: str, value: Any) -> bool:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise owner.refuse(field, value, "True or False")


def _text(owner: Owner, field: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise owner.refuse(field, value, "a text")


def _path(owner: Owner, field: str, value: Any) -> Any:
    if not isinstance(value, str | os.PathLike):
        raise owner.refuse(field, value, "a path, a text or a pathlib.Path")
    if "\0" in os.fspath(value):
        raise owner.refuse(field, value, "a path without a zero byte")
    return value


def _file(owner: Owner, field: str, value: Any) -> Any:
    return pathlib.Path(_path(owner, field, value))


def _array(owner: Owner, field: str, value: Any) -> Any:
    """Rule for real numbers in any container: the value is checked and returned unchanged."""
    if type(value) is not float and not (type(value) is np.ndarray and value.dtype.kind in "fiub"):
        real_array(owner.name(field), value, owner.error)
    return value


def _ndarray(owner: Owner, field: str, value: Any) -> Any:
    found = _array(owner, field, value)
    return found if isinstance(found, np.ndarray) else np.asarray(found)


def _callable(owner: Owner, field: str, value: Any) -> Any:
    if callable(value):
        return value
    raise owner.refuse(field, value, "a function")


def _one_of(words: tuple[Any, ...]) -> Rule:
    def rule(owner: Owner, field: str, value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return value
        raise owner.error(f"unknown {owner.name(field)} {shown(value)}; {nearest(value, words)}")

    return rule


def _instance(cls: type) -> Rule:
    vowel = cls.__name__[0] in "AEIO" or cls.__name__.startswith("ML")
    wanted = f"{'an' if vowel else 'a'} {cls.__name__}"

    def rule(owner: Owner, field: str, value: Any) -> Any:
        if isinstance(value, cls):
            return value
        raise owner.refuse(field, value, wanted)

    return rule


def _subclass(cls: Any) -> Rule:
    cls = getattr(cls, "__bound__", None) or cls  # a type variable stands for its bound
    cls = cls if isinstance(cls, type) else object

    def rule(owner: Owner, field: str, value: Any) -> Any:
        if isinstance(value, type) and issubclass(value, cls):
            return value
        raise owner.refuse(field, value, f"a class of {cls.__name__}")

    return rule


def _items(kind: type, item: Rule | None, size: int | None) -> Rule:
    """Rule for a sequence of ``size`` items, of any length for None; a tuple or list if annotated so."""
    make = {tuple: tuple, list: list}.get(kind)
    loose = not issubclass(kind, Sequence)  # iterables, sets: not read, since that empties iterators

    def rule(owner: Owner, field: str, value: Any) -> Any:
        row = value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" else value
        if not isinstance(row, Iterable if loose or make else Sequence) or isinstance(row, _NO_ROWS):
            raise owner.refuse(field, value, f"a row of {size or 'several'} entries")
        if loose and not isinstance(row, Sequence):
            return value
        row = row if isinstance(row, Sequence) else tuple(row)
        if size is not None and len(row) != size:
            raise owner.refuse(field, value, f"{size} entries")
        if item is not None:
            row = [item(owner, f"{field}[{k}]", x) for k, x in enumerate(row)]
        return (make or list)(row)

    return rule


_NO_ROWS = (str, bytes, Mapping, np.ndarray, type)


def _floats(size: int | None, finite: bool) -> Rule:
    """Rule for a sequence of ``size`` numbers (None: any length), returned as a tuple."""
    wanted = f"{'' if size is None else f'{size} '}{'finite ' if finite else ''}numbers"

    def rule(owner: Owner, field: str, value: Any) -> Any:
        found = numbers(value)
        empty = isinstance(value, Sequence) and not isinstance(value, str | bytes) and not value
        fits = found.ndim == 1 and (found.size > 0 or empty) and size in (None, found.size)
        if not fits or np.isnan(found).any() or (finite and not np.isfinite(found).all()):
            raise owner.refuse(field, value, wanted)
        return tuple(found.tolist())

    return rule


def _mapping(key: Rule | None, item: Rule | None) -> Rule:
    def rule(owner: Owner, field: str, value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise owner.refuse(field, value, "a dictionary")
        for name, x in value.items():
            if key is not None:
                key(owner, f"a key of {field}", name)
            if item is not None:
                item(owner, f"{field}[{shown(name)}]", x)
        return value

    return rule


def _either(rules: list[Rule], optional: bool) -> Rule:
    """Rule that applies the first of ``rules`` to accept the value; a refusal lists all allowed values.

    A value of the right kind with wrong contents is refused with the message of the rule of its kind.
    """

    def rule(owner: Owner, field: str, value: Any) -> Any:
        if optional and value is None:
            return None
        said = list[str]()
        for one in rules:
            try:
                return one(owner, field, value)
            except owner.error as error:
                said.append(str(error))
        head = f"{owner.name(field)} = {shown(value)} "
        wanted = [text.removeprefix(head) for text in said]
        wanted = ["must be a number" if text == "is not a number" else text for text in wanted]
        for text in wanted if len(said) > 1 else said:
            if not text.startswith("must be "):
                raise owner.error(text)  # value of the right kind with wrong contents
        raise owner.error(head + "must be " + " or ".join(dict.fromkeys(text[8:] for text in wanted)))

    return rule


# annotations -----------------------------------------------------------------------------------
_PLAIN: dict[Any, Rule] = {
    float: _number, int: _whole, bool: _flag, str: _text, np.ndarray: _ndarray, Callable: _callable,
    slice: _instance(slice),
}  # fmt: skip


def rule_of(hint: Any, default: Any = inspect.Parameter.empty) -> Rule | None:
    """Rule for values of an annotation; None if values are not checked."""
    if hint is float and isinstance(default, float) and not math.isfinite(default):
        return _number_or_infinite
    if hint is Any:
        return None
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(hint)
    if origin in (Union, types.UnionType):
        return _union(args, default)
    if origin is Literal:
        return _one_of(args)
    if origin in (type, Callable):
        return _callable if origin is Callable else _subclass(args[0])
    if origin is np.ndarray:
        return _ndarray
    if origin is tuple:
        several = len(args) == 2 and args[1] is Ellipsis
        if {part for part in args if part is not Ellipsis} == {float}:
            ends = numbers(default)
            return _floats(None if several else len(args), not np.isinf(ends).any())
        parts = {rule_of(part) for part in args if part is not Ellipsis}
        return _items(tuple, parts.pop() if len(parts) == 1 else None, None if several else len(args))
    if isinstance(origin, type):
        if issubclass(origin, Mapping):
            return _mapping(*map(rule_of, args))
        if issubclass(origin, Iterable):
            return _items(origin, rule_of(args[0]), None)
    if isinstance(hint, type) and issubclass(hint, pathlib.PurePath):
        return _file
    plain = isinstance(hint, type) and hint is not object and hint.__module__ != "builtins"
    if not plain or (getattr(hint, "_is_protocol", False) and not _at_runtime(hint)):
        return None
    return _instance(hint)


def _at_runtime(protocol: Any) -> bool:
    return bool(getattr(protocol, "_is_runtime_protocol", False))


def _annotated(hint: Any) -> Rule | None:
    for note in hint.__metadata__:
        if isinstance(note, Range):
            return note.whole if get_args(hint)[0] is int else note.rule
        if isinstance(note, Shape):
            return note.rule
        if callable(note):
            return lambda owner, field, value: note(owner.who, field, value)
    return rule_of(get_args(hint)[0])


def _union(args: tuple[Any, ...], default: Any) -> Rule | None:
    optional = type(None) in args
    if any(getattr(part, "__module__", "").startswith("numpy._typing") for part in args):
        return _either([_array], optional)
    parts = [part for part in args if part is not type(None)]
    rules = [rule_of(part, default) for part in parts]
    if _file in rules and _text in rules:
        rules = [_path if rule is _file else rule for rule in rules if rule is not _text]
    if None in rules:
        return None
    return _either([rule for rule in rules if rule is not None], optional)
