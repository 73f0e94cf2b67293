"""Workspaces: names for the parts of one flat scratch array whose sizes follow from a few counts.

A solver of n rows says once what it keeps, by a class::

    class SweepWork(Workspace, sizes="n"):
        w = part("n", "A z + b")
        factor = part("n n", "of the free rows")
        size = within(SizeWork, "what rows are judged by")

    SweepWork.length(n)      # of the array
    W = SweepWork(work, n)   # the same in Python and in compiled code
    W.factor[i * n + j]

In Python the parts are views of the array; in kernels an address and a count, as of ``records``.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from llvmlite import ir
from numba import types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_global,
    signature,
)
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
)

from .lengths import Length, evaluated, length_of
from .row_types import Row, made, moved, parts


class _Part:
    """One name of a workspace: where it begins and how long it is."""

    def __init__(self, length: Length, inner: type[Workspace] | None, meaning: str) -> None:
        self.length, self.inner, self.meaning = length, inner, meaning
        self.name, self.start = "", dict[tuple[str, ...], int]()

    def __get__(self, work: Any, owner: Any = None) -> Any:
        if work is None:
            return self
        first = evaluated(self.start, work._sizes)
        if self.inner is not None:
            return self.inner(work._floats[first:], *(work._sizes[s] for s in self.inner.SIZES))
        return work._floats[first : first + evaluated(self.length, work._sizes)]


def part(length: str, meaning: str) -> Any:
    """So many numbers: products of sizes and whole numbers, added up."""
    return _Part(length_of(length), None, meaning)


def within(work: type[Workspace], meaning: str) -> Any:
    """Another workspace, of the same sizes."""
    return _Part(work.LENGTH, work, meaning)


class Workspace:
    """Names for the parts of a flat array; see the module.

    Attributes:
        SIZES: the sizes on which it depends, in the order in which they are given.
        parts: what was declared, by name.
        LENGTH: of the array.
    """

    SIZES: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[dict[str, _Part]] = {}
    LENGTH: ClassVar[Length] = {}

    def __init_subclass__(cls, sizes: str) -> None:
        cls.SIZES, cls.parts, cls.LENGTH = tuple(sizes.split()), {}, {}
        for name, found in list(vars(cls).items()):
            if isinstance(found, _Part):
                found.name, found.start = name, dict(cls.LENGTH)
                for product, count in found.length.items():
                    cls.LENGTH[product] = cls.LENGTH.get(product, 0) + count
                cls.parts[name] = found
        _teach(cls)

    def __init__(self, floats: Any, *sizes: int) -> None:
        self._floats = floats
        self._sizes = dict(zip(self.SIZES, sizes, strict=True))

    @classmethod
    @functools.lru_cache(maxsize=256)  # a tenth of a small warm solve, asked for in each of them
    def length(cls, *sizes: int) -> int:
        """Length of the array for these sizes."""
        return evaluated(cls.LENGTH, dict(zip(cls.SIZES, sizes, strict=True)))


# compiled code ------------------------------------------------------------------------------------
class WorkOf(types.Type):
    """A workspace: the array's address and its sizes."""

    def __init__(self, declaration: type[Workspace], dtype: Any) -> None:
        self.declaration, self.dtype = declaration, dtype
        super().__init__(f"WorkOf({declaration.__module__}.{declaration.__name__}, {dtype})")


@register_model(WorkOf)
class _Model(models.StructModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        sizes = [(name, types.intp) for name in fe_type.declaration.SIZES]
        super().__init__(dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), *sizes])


def _teach(declaration: type[Workspace]) -> None:
    """Let compiled code make such a workspace of an array and sizes."""
    counts = len(declaration.SIZES)

    class _Call(AbstractTemplate):
        key = declaration

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 1 + counts or not isinstance(args[0], types.Array | Row):
                return None
            return signature(WorkOf(declaration, args[0].dtype), *args)

    infer_global(declaration, types.Function(_Call))

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = sig.args[0]
        if isinstance(array, Row):
            at = parts(context, builder, array, args[0])
        else:
            at = context.make_array(array)(context, builder, args[0])
        sizes = {
            name: context.cast(builder, value, kind, types.intp)
            for name, value, kind in zip(declaration.SIZES, args[1:], sig.args[1:], strict=True)
        }
        return made(context, builder, sig.return_type, data=at.data, **sizes)

    for array in (types.Array, Row):
        lower_builtin(declaration, array, *[types.Integer] * counts)(code)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = WorkOf

    def generic_resolve(self, kind: Any, name: str) -> Any:
        found = kind.declaration.parts.get(name)
        if found is None:
            return types.intp if name in kind.declaration.SIZES else None
        return Row(kind.dtype) if found.inner is None else WorkOf(found.inner, kind.dtype)


@lower_getattr_generic(WorkOf)
def _attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = parts(context, builder, kind, value)
    found = kind.declaration.parts.get(name)
    if found is None:
        return getattr(at, name)

    def computed(length: Length) -> Any:
        total = ir.Constant(ir.IntType(64), length.get((), 0))
        for product, count in length.items():
            if product:
                term = ir.Constant(ir.IntType(64), count)
                for size in product:
                    term = builder.mul(term, getattr(at, size))
                total = builder.add(total, term)
        return total

    data = moved(builder, at.data, computed(found.start))
    if found.inner is not None:
        sizes = {size: getattr(at, size) for size in found.inner.SIZES}
        return made(context, builder, WorkOf(found.inner, kind.dtype), data=data, **sizes)
    return made(context, builder, Row(kind.dtype), data=data, size=computed(found.length))
