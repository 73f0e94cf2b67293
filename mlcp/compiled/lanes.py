"""Lane: several numbers side by side in one vector register, one vehicle each.

A kernel compiled for lanes computes for all vehicles at once. Comparisons give masks; a branch on a mask
does not compile, so a kernel has to write ``where(c, a, b)``, and no branch is silently wrong. For one
number ``where(c, a, b)`` is ``a if c else b``, and ``every(c)`` and ``some(c)`` are c. Branches on
integers (kind of joint, of law) are the same for all lanes and remain branches.

Elementary functions come from ``kernels.elementary``; only ``hypot`` is libm's, called lane by lane.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from .bundles import Bundle
from .extension import compiled_as, typed_as
from .record_types import BundleOf, bundle_at
from .row_types import LONG, Parts, Row


class _Several(types.Type):
    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"{type(self).__name__}({width})")


class Lane(_Several):
    """Numba type of ``width`` float64 side by side."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Float | types.Integer) else None


class Mask(_Several):
    """Numba type of ``width`` truth values side by side."""


class Places(_Several):
    """Numba type of ``width`` indices side by side: each vehicle reads and writes at another index."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Integer) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Integer) else None


def _vector(kind: type[_Several], element: Any) -> None:
    """Register Numba's data model of a type: one vector register."""

    @register_model(kind)
    class _Model(models.PrimitiveModel):
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, ir.VectorType(element, fe_type.width))


_vector(Lane, ir.DoubleType())
_vector(Mask, ir.IntType(1))
_vector(Places, LONG)


def splat(builder: Any, value: Any, width: int) -> Any:
    """Vector with ``value`` in every lane."""
    vector = ir.VectorType(value.type, width)
    first = builder.insert_element(vector(ir.Undefined), value, ir.IntType(32)(0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(first, vector(ir.Undefined), order)


@lower_cast(types.Float, Lane)
@lower_cast(types.Integer, Lane)
def _from_number(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return splat(builder, context.cast(builder, value, given, types.float64), wanted.width)


@lower_cast(types.Integer, Places)
def _from_index(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return splat(builder, context.cast(builder, value, given, types.int64), wanted.width)


def _operation(
    function: Any, count: int, kind: Any, code: Any, given: Any = (), gives: Any = None
) -> None:
    """Register with Numba a function of ``count`` values of the class ``kind``.

    given: classes of the single numbers that the function also takes, in all lanes the same.
    gives: class of the result, ``kind`` by default.
    """

    @typed_as(function)
    def _type(*args: Any) -> Any:
        several = next((one for one in args if isinstance(one, kind)), None)
        if several is None or len(args) != count or not all(isinstance(a, (kind, *given)) for a in args):
            return None
        return signature((gives or kind)(several.width), *[several] * count)

    @lower_builtin(function, *[kind] * count)
    def _code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return code(builder, *args)


def _intrinsic(name: str) -> Any:
    def code(builder: Any, *args: Any) -> Any:
        kind = args[0].type
        full = f"llvm.{name}.v{kind.count}f64"
        function = builder.module.globals.get(full)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(kind, [kind] * len(args)), full)
        return builder.call(function, args)

    return code


def _one_by_one(name: str) -> Any:
    """Make the code of a rare function: libm's function is called lane by lane."""

    def code(builder: Any, *args: Any) -> Any:
        kind, found = args[0].type, args[0]
        function = builder.module.globals.get(name)
        if function is None:
            one = ir.FunctionType(kind.element, [kind.element] * len(args))
            function = ir.Function(builder.module, one, name)
        for k in range(kind.count):
            at = ir.IntType(32)(k)
            value = builder.call(function, [builder.extract_element(arg, at) for arg in args])
            found = builder.insert_element(found, value, at)
        return found

    return code


def _smaller(builder: Any, a: Any, b: Any) -> Any:
    """Python's min(a, b): b if it is smaller, else a."""
    return builder.select(builder.fcmp_ordered("<", b, a), b, a)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", b, a), b, a)


_NUMBERS = types.Float, types.Integer
for _functions, _code in (
    ((operator.add, operator.iadd), lambda builder, a, b: builder.fadd(a, b)),
    ((operator.sub, operator.isub), lambda builder, a, b: builder.fsub(a, b)),
    ((operator.mul, operator.imul), lambda builder, a, b: builder.fmul(a, b)),
    ((operator.truediv, operator.itruediv), lambda builder, a, b: builder.fdiv(a, b)),
    ((min,), _smaller),
    ((max,), _larger),
    ((math.copysign,), _intrinsic("copysign")),
    ((math.hypot,), _one_by_one("_hypot" if sys.platform == "win32" else "hypot")),
):
    for _function in _functions:
        _operation(_function, 2, Lane, _code, _NUMBERS)
for _function, _code in (
    (operator.neg, lambda builder, a: builder.fneg(a)),
    (abs, _intrinsic("fabs")),
    (math.sqrt, _intrinsic("sqrt")),
    (math.floor, _intrinsic("floor")),
):
    _operation(_function, 1, Lane, _code, _NUMBERS)


def _comparison(sign: str) -> Any:
    if sign == "!=":  # true for NaN, as in Python
        return lambda builder, a, b: builder.fcmp_unordered(sign, a, b)
    return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)


for _function, _sign in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    _operation(_function, 2, Lane, _comparison(_sign), _NUMBERS, Mask)

_operation(operator.and_, 2, Mask, lambda builder, a, b: builder.and_(a, b))
_operation(operator.or_, 2, Mask, lambda builder, a, b: builder.or_(a, b))
_operation(operator.invert, 1, Mask, lambda builder, a: builder.not_(a))
_operation(operator.add, 2, Places, lambda builder, a, b: builder.add(a, b), (types.Integer,))
_operation(operator.mul, 2, Places, lambda builder, a, b: builder.mul(a, b), (types.Integer,))


def mask_bits(builder: Any, mask: Any) -> Any:
    """Mask as an integer with one bit per lane; a single truth value is returned unchanged."""
    several = isinstance(mask.type, ir.VectorType)
    return builder.bitcast(mask, ir.IntType(mask.type.count)) if several else mask


def first_of(builder: Any, lane: Any) -> Any:
    """Value of a lane for its first vehicle."""
    return builder.extract_element(lane, ir.IntType(32)(0))


def _are_lanes(row: Any, places: Any) -> bool:
    return isinstance(row, Row) and isinstance(row.dtype, Lane) and isinstance(places, Places)


@typed_as(operator.getitem)
def _gathered(row: Any, places: Any) -> Any:
    return row.dtype if _are_lanes(row, places) else None


@lower_builtin(operator.getitem, Row, Places)
def _gather(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Read the number of each lane k at index ``args[1][k]`` of the array, in its column k."""
    found = context.get_value_type(sig.return_type)(ir.Undefined)
    for at, place in _own_places(context, builder, sig, args):
        found = builder.insert_element(found, builder.load(place), at)
    return found


def _own_places(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Yield for each lane k its number, and the address of row ``args[1][k]``, column k of the array."""
    kind = context.get_value_type(sig.args[0].dtype)
    data = Parts(context, builder, sig.args[0], args[0]).data
    first = builder.bitcast(data, kind.element.as_pointer())
    for k in range(kind.count):
        at = ir.IntType(32)(k)
        place = builder.mul(builder.extract_element(args[1], at), LONG(kind.count))
        yield at, builder.gep(first, [builder.add(place, LONG(k))])


@typed_as(operator.setitem)
def _scattered(row: Any, places: Any, value: Any) -> Any:
    return signature(types.void, row, places, row.dtype) if _are_lanes(row, places) else None


@lower_builtin(operator.setitem, Row, Places, Lane)
def _scatter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Write the number of each lane k at index ``args[1][k]`` of the array, in its column k."""
    for at, place in _own_places(context, builder, sig, args):
        builder.store(builder.extract_element(args[2], at), place)
    return context.get_dummy_value()


def lane_viewer(bundle: type[Bundle], width: int) -> Any:
    """Make ``view(F, N)``, which returns a bundle of lanes.

    ``F`` holds ``width`` float64 for every number, side by side; ``N`` is the same for all lanes.
    ``view(F, N, base)``: the table of offsets begins at ``N[base]``.
    """

    def view(F: Any, N: Any, base: int = 0) -> Any:
        raise TypeError("lanes exist in compiled code only")

    both = types.Array, types.Array
    typed = lambda F, N, base=None: BundleOf(bundle, Lane(width))  # noqa: E731  Numba reads parameters
    compiled_as(view, typed, both, (*both, types.Integer))(bundle_at)
    return view
