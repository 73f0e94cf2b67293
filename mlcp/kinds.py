"""Checks of arguments by their annotations, for all packages.

    @dataclass(frozen=True)
    @checked                                            # checks the fields, before __post_init__
    class Tyre:
        width: Annotated[float, Range(0.0, unit="m", open_low=True)]

    @checked                                            # checks the arguments
    def mobility_index(mass: float, axles: int, ...) -> float: ...

A number has to be finite unless ``Range`` or an infinite default allows more; an array may hold NaN and
infinite numbers. Annotations are read at the first call, not at import. A value of the annotated type
is passed on unchanged; integral floats become integers, and lists become tuples or arrays, as annotated.
A default is not checked. The public methods of a class are ``explained``: their arguments are checked
only after a failed call, so that a successful call costs nothing more.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, TypeVar

import numpy as np

from mlcp.rules import Owner, Range, Rule, Shape, above, at_least, rule_of, within

__all__ = ["Checking", "Owner", "Range", "Shape", "above", "at_least", "check_fields", "checked"]
__all__ += ["Vector", "within"]

T = TypeVar("T")
Vector = Annotated[np.ndarray, Shape(1)]


class _Classes(dict[str, Any]):
    """Classes of the loaded modules by name, for annotations imported only under ``TYPE_CHECKING``."""

    def __init__(self, thing: Any) -> None:
        super().__init__()
        makers = thing.__mro__ if isinstance(thing, type) else (thing,)
        self.namespaces = [vars(builtins), *(vars(sys.modules[one.__module__]) for one in makers)]
        self.roots = {thing.__module__.partition(".")[0], "mlcp", "contact", "bodies"}

    def __missing__(self, name: str) -> Any:
        if any(name in namespace for namespace in self.namespaces):
            raise KeyError(name)  # makes Python search the annotation's own module
        found = {
            vars(module)[name]
            for key, module in list(sys.modules.items())
            if key.partition(".")[0] in self.roots and isinstance(vars(module).get(name), type)
        }
        if len(found) != 1:
            raise KeyError(name)
        return found.pop()


def hints_of(thing: Any) -> dict[str, Any]:
    """Annotations by name; unreadable ones are left out, so their arguments are not checked."""
    names, found = _Classes(thing), dict[str, Any]()
    try:
        return typing.get_type_hints(thing, localns=names, include_extras=True)
    except (NameError, TypeError):
        pass
    for one in reversed(thing.__mro__) if isinstance(thing, type) else (thing,):
        namespace = vars(sys.modules[one.__module__])
        for name, text in inspect.get_annotations(one).items():
            single = types.SimpleNamespace(__annotations__={name: text})
            try:
                found |= typing.get_type_hints(single, namespace, names, include_extras=True)
            except (NameError, TypeError):
                continue
    return found


@functools.cache
def field_rules(cls: type) -> tuple[tuple[str, Any, Rule], ...]:
    """Name, default and rule of each field with a rule, for a dataclass."""
    hints, found = hints_of(cls), []
    for field in fields(cls) if is_dataclass(cls) else ():
        rule = rule_of(hints.get(field.name, Any), field.default) if field.init else None
        if rule is not None:
            found.append((field.name, field.default, rule))
    return tuple(found)


def check_fields(owner: Owner, item: Any) -> None:
    """Check every field of a frozen dataclass by its annotation and store the converted value.

    A field that is its default, a tuple equal to its default, or an empty list for an empty default is
    not checked.

    Raises:
        owner.error: naming the owner, the field, its value and what is allowed.
    """
    for name, default, rule in field_rules(type(item)):
        value = getattr(item, name)
        if value is default or (type(value) is tuple and value == default):
            continue
        empty = type(value) is list and not value and default == ()
        found = () if empty else rule(owner, name, value)
        if found is not value:
            object.__setattr__(item, name, found)


# declarations ----------------------------------------------------------------------------------
class _Arguments:
    """Arguments of a function, with their rules."""

    def __init__(self, function: Any, who: str, error: type[ValueError]) -> None:
        self.function, self.who, self.error = function, who, error
        self.method = who.rpartition(".")[2] if "." in who else ""

    @functools.cached_property
    def rules(self) -> dict[str, tuple[Rule | None, Any]]:
        """Rule and default of each argument by name, positional arguments first."""
        hints = hints_of(self.function)
        return {
            one.name: (rule_of(hints.get(one.name, Any), one.default), one.default)
            for one in inspect.signature(self.function).parameters.values()
            if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        }

    def owner(self, args: Any) -> Owner:
        """Owner named in messages: the function; for a method, with the class of the object."""
        if not (self.method and args):
            return Owner(self.who, ": ", self.error)
        cls = args[0] if isinstance(args[0], type) else type(args[0])
        return Owner(f"{cls.__name__}.{self.method}", ": ", self.error)

    def check(self, args: Any, given: Any) -> tuple[Any, Any]:
        """Convert the arguments to their annotations; an argument that does not fit raises an error."""
        owner = self.owner(args)
        row = [
            rule(owner, name, value) if rule is not None and value is not default else value
            for value, (name, (rule, default)) in zip(args, self.rules.items())  # noqa: B905
        ]
        named = {}
        for name, value in given.items():
            rule, default = self.rules.get(name, (None, None))
            named[name] = value if rule is None or value is default else rule(owner, name, value)
        return [*row, *args[len(row) :]], named

    def error_for(self, args: Any, given: Any, why: Exception) -> ValueError | None:
        """Error that names a failed call's first wrong argument or unfitting shapes; None if all fit."""
        try:
            row, named = self.check(args, given)
        except self.error as wrong:
            return wrong
        before = dict(zip(self.rules, args)) | given  # noqa: B905
        after = dict(zip(self.rules, row)) | named  # noqa: B905
        owner = self.owner(args)
        for name, value in after.items():
            if isinstance(value, np.ndarray) and not isinstance(before[name], np.ndarray):
                return owner.refuse(name, before[name], "an array")
            if type(value) is int and not isinstance(before[name], int | np.integer):
                return owner.refuse(name, before[name], "an integer")
        if any(words in str(why) for words in _SHAPES):
            arrays = (np.ndarray, list, tuple, float)
            shapes = {n: np.shape(x) for n, x in before.items() if isinstance(x, arrays)}
            return self.error(f"{owner.who}: shapes of its arguments do not fit together: {shapes}")
        return None


#: Parts of NumPy's messages on arrays of unfitting shapes.
_SHAPES = ("be broadcast", "shape mismatch", "matmul: Input", "boolean index did not match")


class Checking:
    """Decorator of classes and functions; ``error`` is the exception for wrong arguments, ``joint`` the
    text between a class's and an argument's name in messages."""

    def __init__(self, error: type[ValueError] = ValueError, joint: str = ".") -> None:
        self.error: type[ValueError] = error
        self.joint: str = joint

    def __call__(self, target: T) -> T:
        """Check the arguments of a function or class; of public methods only after failed calls."""
        made: Any = target
        if not isinstance(made, type):
            return self._function(made, made.__qualname__)
        self._with_subclasses(made, self._class)
        return target

    def _with_subclasses(self, made: Any, treat: Callable[[Any], None]) -> None:
        """Apply ``treat`` to a class now, and to each subclass at its definition."""
        treat(made)
        own = vars(made).get("__init_subclass__")

        def subclass(cls: type, **given: Any) -> None:
            if own is None:
                super(made, cls).__init_subclass__(**given)
            else:
                own.__func__(cls, **given)
            treat(cls)

        type.__setattr__(made, "__init_subclass__", classmethod(subclass))

    def _class(self, made: Any) -> None:
        """Check arguments of a class's constructor (of a dataclass, its fields) and of its methods.

        A dataclass gets a ``__post_init__``, so it must not yet have been decorated as dataclass.
        """
        own: dict[str, Any] = dict(vars(made))
        if "__init__" in own:
            made.__init__ = self._function(own["__init__"], made.__name__)
        elif "__post_init__" in own or own.get("__annotations__"):
            then = getattr(made, "__post_init__", None)
            if "__post_init__" in own or not hasattr(then, "checks_fields"):
                made.__post_init__ = self._fields(then)
        self._methods(made)

    @staticmethod
    def bare(target: T) -> T:
        """Leave a method without checks, if a call takes microseconds and checks its arguments
        itself."""
        function: Any = target
        function.bare = True
        return target

    def explained(self, target: T) -> T:
        """Check the arguments only after a failed call, so that a successful call has no extra cost."""
        function: Any = target
        if isinstance(function, type):
            self._with_subclasses(function, self._open)
            return target
        arguments = _Arguments(function, function.__qualname__.removesuffix(".__init__"), self.error)

        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            try:
                return function(*args, **given)
            except Exception as why:
                ours = isinstance(why, self.error) and type(why) is not ValueError
                wrong = None if ours else arguments.error_for(args, given, why)
                if wrong is not None:
                    raise wrong from None
                raise

        made: Any = call
        return made

    def _open(self, made: Any) -> None:
        """Check the arguments of a class's constructor and methods after failed calls."""
        self._methods(made, "__init__")

    def _methods(self, made: Any, *more: str) -> None:
        """Check the arguments of failed calls of a class's public methods, and of the methods
        ``more``."""
        for name, one in list(vars(made).items()):
            bare = one.__func__ if isinstance(one, classmethod | staticmethod) else one
            known = name[0] != "_" or name in more
            if known and inspect.isfunction(bare) and not vars(bare).keys() & {"__wrapped__", "bare"}:
                if len(bare.__annotations__) > 1:  # annotations of the result and of an argument
                    wrapped = self.explained(bare)
                    setattr(made, name, wrapped if bare is one else type(one)(wrapped))

    def _fields(self, then: Any) -> Any:
        def __post_init__(item: Any) -> None:
            who = getattr(item, "who", None)
            joint = self.joint if who is None else ": "
            if who is not None and "\n" in who:
                who = " ".join(who.split())  # ``who`` printed from an array has line breaks
            check_fields(Owner(who or type(item).__name__, joint, self.error), item)
            if then is not None:
                then(item)

        made: Any = __post_init__
        made.checks_fields = True  # subclasses inherit this check and get no second one
        return made

    def _function(self, function: Any, who: str) -> Any:
        arguments = _Arguments(function, who, self.error)

        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            args, given = arguments.check(args, given)
            return function(*args, **given)

        return call


checked: Checking = Checking()
