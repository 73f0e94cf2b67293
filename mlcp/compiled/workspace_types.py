"""Numba types of ``workspace``: names for the parts of one flat scratch array."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import lower_builtin, models, register_model

from .extension import attributes, typed_as
from .lengths import Length
from .row_types import LONG, Parts, Row, made, moved


class WorkOf(types.Type):
    """Numba type of a workspace: the array's address and its sizes."""

    def __init__(self, declaration: Any, dtype: Any) -> None:
        self.declaration, self.dtype = declaration, dtype
        super().__init__(f"WorkOf({declaration.__module__}.{declaration.__name__}, {dtype})")


@register_model(WorkOf)
class _Model(models.StructModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        sizes = [(name, types.intp) for name in fe_type.declaration.SIZES]
        super().__init__(dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), *sizes])


def register_workspace(declaration: Any) -> None:
    """Register with Numba the constructor of a workspace from an array and sizes."""
    counts = len(declaration.SIZES)

    @typed_as(declaration)
    def _type(*args: Any) -> Any:
        fits = len(args) == 1 + counts and isinstance(args[0], types.Array | Row)
        return WorkOf(declaration, args[0].dtype) if fits else None

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = Parts(context, builder, sig.args[0], args[0])
        sizes = {
            name: context.cast(builder, value, kind, types.intp)
            for name, value, kind in zip(declaration.SIZES, args[1:], sig.args[1:], strict=True)
        }
        return made(context, builder, sig.return_type, data=at.data, **sizes)

    for array in (types.Array, Row):
        lower_builtin(declaration, array, *[types.Integer] * counts)(code)


def _type_of_part(kind: Any, name: str) -> Any:
    found = kind.declaration.parts.get(name)
    if found is None:
        return types.intp if name in kind.declaration.SIZES else None
    return Row(kind.dtype) if found.inner is None else WorkOf(found.inner, kind.dtype)


@attributes(WorkOf, _type_of_part)
def _attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = Parts(context, builder, kind, value)
    found = kind.declaration.parts.get(name)
    if found is None:
        return getattr(at, name)

    def computed(length: Length) -> Any:
        total = LONG(length.get((), 0))
        for product, count in length.items():
            if product:
                term = LONG(count)
                for size in product:
                    term = builder.mul(term, getattr(at, size))
                total = builder.add(total, term)
        return total

    data = moved(builder, at.data, computed(found.start))
    if found.inner is not None:
        sizes = {size: getattr(at, size) for size in found.inner.SIZES}
        return made(context, builder, WorkOf(found.inner, kind.dtype), data=data, **sizes)
    return made(context, builder, Row(kind.dtype), data=data, size=computed(found.length))
