"""Words of kernels that are compiled for one number and for a lane alike: branches, and how loops begin.

For one number ``where`` is ``a if c else b``, and ``every`` and ``some`` are c itself; in lanes they
work on masks. Anything else on a mask does not compile.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from .lanes import Lane, Mask, Places


def as_many(value: Any, like: Any) -> Any:
    """A number or index for as many vehicles as another number is of: what a loop begins with."""
    return value


@type_callable(as_many)
def _type_of_many(context: Any) -> Any:
    def typer(value: Any, like: Any) -> Any:
        whole = isinstance(value, types.Integer)
        if isinstance(like, Lane):
            return Places(like.width) if whole else like
        return types.int64 if whole else types.float64

    return typer


@lower_builtin(as_many, types.Any, types.Any)
def _code_of_many(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


def split(x: Any) -> Any:
    """A number that is not negative as a whole one, an index, and what is left."""
    return int(x), x - int(x)


@type_callable(split)
def _type_of_split(context: Any) -> Any:
    def typer(x: Any) -> Any:
        return types.Tuple((Places(x.width) if isinstance(x, Lane) else types.int64, x))

    return typer


@lower_builtin(split, Lane)
@lower_builtin(split, types.Float)
def _code_of_split(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    index, left = (context.get_value_type(kind) for kind in sig.return_type)
    whole = builder.fptosi(args[0], index)
    rest = builder.fsub(args[0], builder.sitofp(whole, left))
    return context.make_tuple(builder, sig.return_type, [whole, rest])


def where(c: Any, a: Any, b: Any) -> Any:
    """a where c holds, else b; both are computed."""
    return a if c else b


def every(c: Any) -> Any:
    """Whether c holds in every lane. Only ever a shortcut around work whose result is masked anyway."""
    return c


def some(c: Any) -> Any:
    """Whether c holds in some lane; a shortcut too."""
    return c


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


@lower_builtin(where, Mask, types.Any, types.Any)
@lower_builtin(where, types.Boolean, types.Any, types.Any)
def _code_of_where(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    one, other = (
        context.cast(builder, value, kind, sig.return_type)
        for value, kind in zip(args[1:], sig.args[1:], strict=True)
    )
    return builder.select(args[0], one, other)


def no(c: Any) -> Any:
    """Where c does not hold."""
    return not c


@type_callable(no)
def _type_of_no(context: Any) -> Any:
    return lambda c: c if isinstance(c, Mask | types.Boolean) else None


@lower_builtin(no, Mask)
@lower_builtin(no, types.Boolean)
def _code_of_no(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


@type_callable(every)
@type_callable(some)
def _type_of_whether(context: Any) -> Any:
    return lambda c: types.boolean if isinstance(c, Mask | types.Boolean) else None


@lower_builtin(every, types.Boolean)
@lower_builtin(some, types.Boolean)
def _itself(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


def _bits(builder: Any, mask: Any) -> Any:
    return builder.bitcast(mask, ir.IntType(mask.type.count))


@lower_builtin(every, Mask)
def _all(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = _bits(builder, args[0])
    return builder.icmp_unsigned("==", bits, bits.type(2**bits.type.width - 1))


@lower_builtin(some, Mask)
def _any(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = _bits(builder, args[0])
    return builder.icmp_unsigned("!=", bits, bits.type(0))


def same(x: Any) -> Any:
    """A number that is the same in all lanes."""
    return x


@type_callable(same)
def _type_of_same(context: Any) -> Any:
    return lambda x: types.float64 if isinstance(x, Lane) else x


@lower_builtin(same, Lane)
def _first_lane(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.extract_element(args[0], ir.IntType(32)(0))


@lower_builtin(same, types.Float)
def _the_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


def bits(c: Any) -> Any:
    """Truths as the bits of an integer, lane 0 the lowest."""
    return int(c)


@type_callable(bits)
def _type_of_bits(context: Any) -> Any:
    return lambda c: types.int64 if isinstance(c, Mask | types.Boolean) else None


@lower_builtin(bits, Mask)
def _code_of_bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.zext(_bits(builder, args[0]), ir.IntType(64))
