"""Names of the previous release; each gives a DeprecationWarning with the new name."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F")
_of_classes: dict[type, dict[str, str]] = {}  # new names of arguments by old ones


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now called {new}; the next release removes {old}", DeprecationWarning, 3)


def names(module: str, **new: str) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a module, which finds the object of a new name by the old name."""

    def find(name: str) -> Any:
        if name not in new:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", new[name])
        return getattr(sys.modules[module], new[name])

    return find


def attributes(**new: str) -> Callable[[F], F]:
    """Decorator of a class that keeps old names of attributes and methods."""

    def decorate(kind: Any) -> Any:
        for old, name in new.items():
            setattr(
                kind, old, property(functools.partial(_read, old=old, new=name), doc=f"Now ``{name}``.")
            )
        return kind

    return decorate


def _read(thing: Any, old: str, new: str) -> Any:
    _warn(f"{type(thing).__name__}.{old}", new)
    return getattr(thing, new)


def arguments(**new: str) -> Callable[[F], F]:
    """Decorator of a function or class that accepts old names of arguments."""

    def decorate(function: Any) -> Any:
        call = function.__init__ if isinstance(function, type) else function

        @functools.wraps(call)
        def renamed(*given: Any, **named: Any) -> Any:
            for old in new.keys() & named.keys():
                _warn(f"{function.__name__}({old}=)", f"{new[old]}=")
                named[new[old]] = named.pop(old)
            return call(*given, **named)

        if isinstance(function, type):
            _of_classes[function] = new
            function.__init__ = renamed
            return function
        return renamed

    return decorate


def key(kind: Any, name: str) -> str:
    """Present name of a key ``argument`` or ``argument_unit`` of a table from which ``kind`` is made."""
    for old, new in _of_classes.get(kind, {}).items():
        if name == old or name.startswith(f"{old}_"):
            _warn(f"key {name}", new + name[len(old) :])
            return new + name[len(old) :]
    return name
