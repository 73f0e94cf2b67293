"""Emitters of LLVM vector code: loads, stores and arithmetic on neighbouring numbers of one array.

Two classes have the same methods, one for numbers, one for lanes (several vehicles side by side in one
SIMD register). The module ``loops`` emits the elimination's loops with them.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils

from ..lanes import splat
from ..row_types import LONG as LONG

WIDTHS = (4, 2, 1)
NARROW = (1,)  # lanes: one column at a time, so that sums have one order for any number of lanes
_FUSE = ("contract",)
_REAL = ir.DoubleType()


class Emitter:
    """Addresses, loads and stores of doubles in one array, in vectors of a given width."""

    widths: tuple[int, ...] = WIDTHS
    stores_ratios = True  # store pivot rows divided by their pivots too, for the updates of other rows

    def __init__(self, builder, base):
        self.builder, self.base = builder, base

    def at(self, *terms):
        """Emit the sum of positions; a pair (a, b) stands for the product a b."""
        b, total = self.builder, None
        for term in terms:
            if isinstance(term, tuple):
                term = b.mul(as_long(term[0]), as_long(term[1]))
            total = as_long(term) if total is None else b.add(total, as_long(term))
        return total

    def _pointer(self, position, width):
        pointer = self.builder.gep(self.base, [position], inbounds=True)
        if width == 1:
            return pointer
        return self.builder.bitcast(pointer, ir.VectorType(_REAL, width).as_pointer())

    def load(self, position, width):
        return self.builder.load(self._pointer(position, width), align=8)

    def store(self, value, position, width):
        self.builder.store(value, self._pointer(position, width), align=8)

    def times(self, a, b):
        return self.builder.fmul(a, b)

    def minus(self, value, a, b):
        """Emit ``value - a b``, as a fused operation if the machine has one."""
        product = self.builder.fmul(a, b, flags=_FUSE)
        return self.builder.fsub(value, product, flags=_FUSE)

    def plus(self, value, a, b):
        """Emit ``value + a b``, as a fused operation if the machine has one."""
        product = self.builder.fmul(a, b, flags=_FUSE)
        return self.builder.fadd(value, product, flags=_FUSE)

    def sum(self, a, b):
        return self.builder.fadd(a, b)

    def one_over(self, value):
        return self.builder.fdiv(ir.Constant(_REAL, 1.0), value)

    def spread(self, value, width):
        """Vector with ``value`` in every column."""
        return value if width == 1 else splat(self.builder, value, width)

    def zero(self, width):
        if width == 1:
            return ir.Constant(_REAL, 0.0)
        return ir.Constant(ir.VectorType(_REAL, width), [0.0] * width)

    def columns(self, value, first, width):
        """Columns ``first`` to ``first + width - 1`` of a vector; one column is a scalar."""
        if width == 1:
            return self.builder.extract_element(value, _int32(first))
        vector = ir.VectorType(ir.IntType(32), width)
        mask = ir.Constant(vector, list(range(first, first + width)))
        return self.builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), mask)

    def insert(self, vector, value, column, width):
        return value if width == 1 else self.builder.insert_element(vector, value, _int32(column))

    def slot(self, value):
        """Stack slot for a value that changes in a loop."""
        return cgutils.alloca_once_value(self.builder, value)

    def put(self, value, place):
        self.builder.store(value, place)

    def take(self, place):
        return self.builder.load(place)

    def live(self, values):
        """Mask of the vehicles for which any of ``values`` is nonzero; None for a single vehicle."""
        return None

    def chosen(self, live, value, old):
        """``value`` where the mask ``live`` is true (None: everywhere), ``old`` elsewhere."""
        return value if live is None else self.builder.select(live, value, old)

    def first(self, count, width):
        """Mask of the first ``count`` columns of a vector."""
        columns = ir.Constant(ir.VectorType(LONG, width), list(range(width)))
        return self.builder.icmp_signed("<", columns, self.spread(count, width))

    def chunks(self, length, body, before=None, widths=None):
        """Call ``body(column, width)`` for 4 columns at a time, then for the remaining 2 and 1.

        ``before(width)`` is called before each width but the first, also if no column is left for it.
        """
        b, widths = self.builder, widths or self.widths
        whole = b.and_(length, ir.Constant(LONG, -widths[0]))
        zero, step = ir.Constant(LONG, 0), ir.Constant(LONG, widths[0])
        with cgutils.for_range_slice(b, zero, whole, step, LONG) as (column, _):
            body(column, widths[0])
        column = whole
        for width in widths[1:]:
            if before is not None:
                before(width)
            bit = b.and_(length, ir.Constant(LONG, width))
            with b.if_then(b.icmp_unsigned("!=", bit, zero)):
                body(column, width)
            column = b.add(column, bit)


def _by_columns(name: str) -> Any:
    """Method of ``Emitter`` that also takes lists of columns, and then acts on each column."""
    method = getattr(Emitter, name)

    def applied(self, *values):
        if not isinstance(values[0], list):
            return method(self, *values)
        return [method(self, *column) for column in zip(*values, strict=True)]

    return applied


class LaneEmitter(Emitter):
    """Emitter for arrays of lanes: each column is one vector, with a number per vehicle.

    Each vehicle's sums are in the same order as for a single vehicle.
    """

    widths = NARROW
    stores_ratios = False
    times, minus, plus, sum = map(_by_columns, ("times", "minus", "plus", "sum"))
    slot, put, take = map(_by_columns, ("slot", "put", "take"))

    def __init__(self, builder, base):
        super().__init__(builder, base)
        self.number = base.type.pointee

    def _constant(self, value):
        return ir.Constant(self.number, [value] * self.number.count)

    def load(self, position, width):
        found = [
            self.builder.load(self.builder.gep(self.base, [self.at(position, k)], inbounds=True))
            for k in range(width)
        ]
        return found[0] if width == 1 else found

    def store(self, value, position, width):
        for k, one in enumerate([value] if width == 1 else value):
            self.builder.store(one, self.builder.gep(self.base, [self.at(position, k)], inbounds=True))

    def one_over(self, value):
        return self.builder.fdiv(self._constant(1.0), value)

    def spread(self, value, width):
        return value if width == 1 else [value] * width

    def zero(self, width):
        return self.spread(self._constant(0.0), width)

    def columns(self, value, first, width):
        return value[first] if width == 1 else value[first : first + width]

    def insert(self, vector, value, column, width):
        return value if width == 1 else [*vector[:column], value, *vector[column + 1 :]]

    def live(self, values):
        b, found = self.builder, None
        for value in values:
            one = b.fcmp_unordered("!=", value, self._constant(0.0))
            found = one if found is None else b.or_(found, one)
        return found


def emitter_of(builder, base):
    """Make the emitter for an array of numbers or of lanes."""
    kind = base.type.pointee
    return (LaneEmitter if isinstance(kind, ir.VectorType) else Emitter)(builder, base)


def as_long(value):
    return ir.Constant(LONG, value) if isinstance(value, int) else value


def _int32(value):
    return ir.Constant(ir.IntType(32), value)
