"""Functions for kernels compiled both for one number and for a lane: branches and loops' initial values.

A lane is several numbers, one a vehicle, in one SIMD register. For one number ``where(c, a, b)`` is
``a if c else b``, and ``every(c)`` and ``some(c)`` are c; for lanes c is a mask. A branch on a mask does
not compile.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import lower_builtin, type_callable

from .extension import compiled_as
from .lanes import Lane, Mask, Places, first_of, mask_bits
from .row_types import LONG

_ANY, _TRUTHS = types.Any, ((Mask,), (types.Boolean,))


def _is_truth(c: Any) -> bool:
    return isinstance(c, Mask | types.Boolean)


def as_many(value: Any, like: Any) -> Any:
    """Copy a number or index to all lanes if ``like`` is a lane: initial value of a loop variable."""
    return value


def _type_of_many(value: Any, like: Any) -> Any:
    whole = isinstance(value, types.Integer)
    if isinstance(like, Lane):
        return Places(like.width) if whole else like
    return types.int64 if whole else types.float64


@compiled_as(as_many, _type_of_many, (_ANY, _ANY))
def _code_of_many(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


def split(x: Any) -> Any:
    """Integer part (an index) and fraction of a number x >= 0."""
    return int(x), x - int(x)


def _type_of_split(x: Any) -> Any:
    return types.Tuple((Places(x.width) if isinstance(x, Lane) else types.int64, x))


@compiled_as(split, _type_of_split, (Lane,), (types.Float,))
def _code_of_split(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    index, left = (context.get_value_type(kind) for kind in sig.return_type)
    whole = builder.fptosi(args[0], index)
    rest = builder.fsub(args[0], builder.sitofp(whole, left))
    return context.make_tuple(builder, sig.return_type, [whole, rest])


def where(c: Any, a: Any, b: Any) -> Any:
    """Select a where c holds and b elsewhere, lane by lane; both values are computed."""
    return a if c else b


@type_callable(where)
def _type_of_where(context: Any) -> Any:
    def typer(c: Any, a: Any, b: Any) -> Any:
        if isinstance(c, Mask):
            if isinstance(a, Mask) and isinstance(b, Mask):
                return a
            whole = all(isinstance(k, Places | types.Integer) for k in (a, b))
            return Places(c.width) if whole and Places(c.width) in (a, b) else Lane(c.width)
        return context.unify_types(a, b) if isinstance(c, types.Boolean) else None

    return typer


@lower_builtin(where, Mask, _ANY, _ANY)
@lower_builtin(where, types.Boolean, _ANY, _ANY)
def _code_of_where(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    one, other = (
        context.cast(builder, value, kind, sig.return_type)
        for value, kind in zip(args[1:], sig.args[1:], strict=True)
    )
    return builder.select(args[0], one, other)


def no(c: Any) -> Any:
    """Negation of c, lane by lane."""
    return not c


@compiled_as(no, lambda c: c if _is_truth(c) else None, *_TRUTHS)
def _code_of_no(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def every(c: Any) -> Any:
    """True if c holds in every lane; use it only to skip work whose result is masked anyway."""
    return c


@compiled_as(every, lambda c: types.boolean if _is_truth(c) else None, *_TRUTHS)
def _code_of_every(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = mask_bits(builder, args[0])
    whole = bits.type(2**bits.type.width - 1)
    return bits if bits is args[0] else builder.icmp_unsigned("==", bits, whole)


def some(c: Any) -> Any:
    """True if c holds in some lane; use it, like ``every``, only to skip work."""
    return c


@compiled_as(some, lambda c: types.boolean if _is_truth(c) else None, *_TRUTHS)
def _code_of_some(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = mask_bits(builder, args[0])
    return bits if bits is args[0] else builder.icmp_unsigned("!=", bits, bits.type(0))


def same(x: Any) -> Any:
    """Single number from a lane x that holds the same number for every vehicle."""
    return x


def _type_of_same(x: Any) -> Any:
    return types.float64 if isinstance(x, Lane) else x


@compiled_as(same, _type_of_same, (Lane,), (types.Float,))
def _code_of_same(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    several = isinstance(sig.args[0], Lane)
    return first_of(builder, args[0]) if several else args[0]


def bits(c: Any) -> Any:
    """Integer whose bit k is the mask's truth value in lane k."""
    return int(c)


@compiled_as(bits, lambda c: types.int64 if _is_truth(c) else None, (Mask,))
def _code_of_bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.zext(mask_bits(builder, args[0]), LONG)
