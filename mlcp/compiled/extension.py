"""Registration of functions with Numba: result type by argument types, and code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import infer_getattr, lower_builtin, lower_getattr_generic, type_callable


def compiled_as(function: Any, typed: Callable[..., Any], *kinds: tuple[Any, ...]) -> Any:
    """Decorator for the code of ``function``: ``code(context, builder, signature, arguments)``.

    Arguments:
        typed: function from the arguments' types to the result's type; None for unsupported ones.
        kinds: tuples with one class of Numba types per argument; the code is registered for each tuple.
    """
    type_callable(function)(lambda context: typed)

    def decorate(code: Any) -> Any:
        for each in kinds:
            lower_builtin(function, *each)(code)
        return code

    return decorate


def typed_as(function: Any) -> Any:
    """Decorator that adds argument types to a function known to Numba, such as an operator or ``len``.

    The decorated function gets the types of the arguments and returns the result's type, a signature, or
    None for unsupported ones.
    """

    def decorate(answer: Callable[..., Any]) -> Any:
        class _Template(AbstractTemplate):
            key = function

            def generic(self, args: Any, kws: Any) -> Any:
                found = answer(*args)
                return signature(found, *args) if isinstance(found, types.Type) else found

        infer_global(function, types.Function(_Template))
        return answer

    return decorate


def attributes(kind: Any, typed: Callable[[Any, str], Any]) -> Any:
    """Decorator for the code of ``value.name``, for values of the class ``kind`` of Numba types.

    ``typed``: function from the value's type and the attribute's name to the attribute's type or None.
    """

    @infer_getattr
    class _Template(AttributeTemplate):
        key = kind

        def generic_resolve(self, value: Any, name: str) -> Any:
            return typed(value, name)

    return lower_getattr_generic(kind)
