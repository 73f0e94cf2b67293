"""LLVM vector code for the inner loops whose meaning ``kkt_vector`` states in Python."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

MAX_PIVOTS = 6
RUN_FIELDS = 6
COMMON = (4, 6)  # lengths of half of all runs of a vehicle: code without a loop to guess
WIDTHS = (4, 2, 1)
# rows at a time whose ratios stay in registers
GROUPS = {1: (1,), 2: (2,), 3: (3,), 4: (4,), 5: (3, 2), 6: (3, 3)}
NARROW = (1,)  # columns of lanes at a time where the order of the sums does not depend on it
_FUSE = ("contract",)
_LONG, _REAL = ir.IntType(64), ir.DoubleType()


class _Emitter:
    """Addresses, loads and stores of doubles in one array, in vectors of a given width."""

    widths: tuple[int, ...] = WIDTHS
    pushes = True  # a panel's updates follow it

    def __init__(self, builder, base):
        self.builder, self.base = builder, base

    def at(self, *terms):
        """Sum of positions; a pair is a product."""
        b, total = self.builder, None
        for term in terms:
            if isinstance(term, tuple):
                term = b.mul(_as_long(term[0]), _as_long(term[1]))
            total = _as_long(term) if total is None else b.add(total, _as_long(term))
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
        """``value - a b``, fused where the machine can."""
        product = self.builder.fmul(a, b, flags=_FUSE)
        return self.builder.fsub(value, product, flags=_FUSE)

    def plus(self, value, a, b):
        """``value + a b``, fused where the machine can."""
        product = self.builder.fmul(a, b, flags=_FUSE)
        return self.builder.fadd(value, product, flags=_FUSE)

    def sum(self, a, b):
        return self.builder.fadd(a, b)

    def one_over(self, value):
        return self.builder.fdiv(ir.Constant(_REAL, 1.0), value)

    def spread(self, value, width):
        """The same number in every column."""
        if width == 1:
            return value
        vector = ir.VectorType(_REAL, width)
        first = self.builder.insert_element(ir.Constant(vector, ir.Undefined), value, _int32(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
        return self.builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), order)

    def zero(self, width):
        if width == 1:
            return ir.Constant(_REAL, 0.0)
        return ir.Constant(ir.VectorType(_REAL, width), [0.0] * width)

    def columns(self, value, first, width):
        """Some neighbouring columns of a vector; one column is a scalar."""
        if width == 1:
            return self.builder.extract_element(value, _int32(first))
        vector = ir.VectorType(ir.IntType(32), width)
        mask = ir.Constant(vector, list(range(first, first + width)))
        return self.builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), mask)

    def insert(self, vector, value, column, width):
        return value if width == 1 else self.builder.insert_element(vector, value, _int32(column))

    def slot(self, value):
        """A place for a value that changes in a loop."""
        place = cgutils.alloca_once(self.builder, value.type)
        self.put(value, place)
        return place

    def put(self, value, place):
        self.builder.store(value, place)

    def take(self, place):
        return self.builder.load(place)

    def live(self, values):
        """Which vehicles have something to pass on; None: the only one has."""
        return None

    def chosen(self, live, value, old):
        """The value where a vehicle is among those."""
        return value

    def chunks(self, length, body, before=None, widths=None):
        """Call ``body(column, width)`` for 4 columns at a time, then for the 2 and 1 left.

        ``before(width)`` is called ahead of each width but the first, whether there is one or not.
        """
        b, widths = self.builder, widths or self.widths
        whole = b.and_(length, ir.Constant(_LONG, -widths[0]))
        zero, step = ir.Constant(_LONG, 0), ir.Constant(_LONG, widths[0])
        with cgutils.for_range_slice(b, zero, whole, step, _LONG) as (column, _):
            body(column, widths[0])
        column = whole
        for width in widths[1:]:
            if before is not None:
                before(width)
            bit = b.and_(length, ir.Constant(_LONG, width))
            with b.if_then(b.icmp_unsigned("!=", bit, zero)):
                body(column, width)
            column = b.add(column, bit)


class _LaneEmitter(_Emitter):
    """The same where a number is a lane of vehicles: several columns are several of these vectors.

    Each vehicle's sums are taken in the order in which they are taken for one alone.
    """

    widths = NARROW
    pushes = False

    def __init__(self, builder, base):
        super().__init__(builder, base)
        self.number = base.type.pointee

    def _constant(self, value):
        return ir.Constant(self.number, [value] * self.number.count)

    def _each(self, operation, *values):
        """Column by column."""
        if not isinstance(values[0], list):
            return operation(*values)
        return [operation(*column) for column in zip(*values, strict=True)]

    def load(self, position, width):
        found = [
            self.builder.load(self.builder.gep(self.base, [self.at(position, k)], inbounds=True))
            for k in range(width)
        ]
        return found[0] if width == 1 else found

    def store(self, value, position, width):
        for k, one in enumerate([value] if width == 1 else value):
            self.builder.store(one, self.builder.gep(self.base, [self.at(position, k)], inbounds=True))

    def times(self, a, b):
        return self._each(super().times, a, b)

    def minus(self, value, a, b):
        return self._each(super().minus, value, a, b)

    def plus(self, value, a, b):
        return self._each(super().plus, value, a, b)

    def sum(self, a, b):
        return self._each(super().sum, a, b)

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

    def slot(self, value):
        return self._each(super().slot, value)

    def put(self, value, place):
        self._each(super().put, value, place)

    def take(self, place):
        return self._each(super().take, place)

    def live(self, values):
        b, found = self.builder, None
        for value in values:
            one = b.fcmp_unordered("!=", value, self._constant(0.0))
            found = one if found is None else b.or_(found, one)
        return found

    def chosen(self, live, value, old):
        return value if live is None else self.builder.select(live, value, old)


def _numbers(builder, base):
    """Of an array of numbers or of lanes."""
    kind = base.type.pointee
    return (_LaneEmitter if isinstance(kind, ir.VectorType) else _Emitter)(builder, base)


def _as_long(value):
    return ir.Constant(_LONG, value) if isinstance(value, int) else value


def _int32(value):
    return ir.Constant(ir.IntType(32), value)


def _take_away(e, at, places, start, amount, width, live=None):
    """``array[start + place] -= amount`` column by column; the places are numbers of a table."""
    for k in range(width):
        place = e.at(start, at.load(at.at(places, k), 1))
        one = e.columns(amount, k, 1) if width > 1 else amount
        old = e.load(place, 1)
        e.store(e.chosen(live, e.builder.fsub(old, one), old), place, 1)


def emit_sweep(own, builder, arrays, places):
    (base, table), (o, w, y, first, columns, work, n) = arrays, places
    e, at = _numbers(builder, base), _Emitter(builder, table)
    y_own = e.at(y, first)
    block = {(i, j): e.at(o, (w, i), j) for i in range(own) for j in range(i, own)}
    u = {key: e.load(place, 1) for key, place in block.items()}
    right = [e.load(e.at(y_own, i), 1) for i in range(own)]
    inverse, ratio = [], {}
    for i in range(own):
        inverse.append(e.one_over(u[i, i]))
        e.store(inverse[i], block[i, i], 1)
        for r in range(i + 1, own):
            ratio[r, i] = e.times(u[i, r], inverse[i])
            right[r] = e.minus(right[r], ratio[r, i], right[i])
            for c in range(r, own):
                u[r, c] = e.minus(u[r, c], ratio[r, i], u[i, c])
    for i in range(own):
        e.store(right[i], e.at(y_own, i), 1)
        for r in range(i + 1, own):
            e.store(u[i, r], block[i, r], 1)
    weight = [e.times(right[i], inverse[i]) for i in range(own)]

    def body(column, width):
        values, pushed = [], e.zero(width)
        for i in range(own):
            place = e.at(o, (w, i), own, column)
            value = e.load(place, width)
            for j in range(i):
                value = e.minus(value, e.spread(ratio[i, j], width), values[j])
            if i:
                e.store(value, place, width)
            if e.pushes:
                scaled = e.times(value, e.spread(inverse[i], width))
                e.store(scaled, e.at(work, (n, i), column), width)
            pushed = e.plus(pushed, value, e.spread(weight[i], width))
            values.append(value)
        _take_away(e, at, e.at(columns, column), y, pushed, width)

    e.chunks(n, body)


def emit_forward(own, builder, arrays, places):
    (base, table, x), (o, w, columns, first, n) = arrays, places
    e, at, values = _numbers(builder, base), _Emitter(builder, table), _numbers(builder, x)
    before = [values.load(values.at(first, i), 1) for i in range(own)]
    right, live = list(before), e.live(before)
    weight = []
    for i in range(own):
        weight.append(e.times(right[i], e.load(e.at(o, (w, i), i), 1)))
        for j in range(i + 1, own):
            right[j] = e.minus(right[j], weight[i], e.load(e.at(o, (w, i), j), 1))
        if i:
            values.store(e.chosen(live, right[i], before[i]), values.at(first, i), 1)

    def body(column, width):
        pushed = e.zero(width)
        for i in range(own):
            value = e.load(e.at(o, (w, i), own, column), width)
            pushed = e.plus(pushed, value, e.spread(weight[i], width))
        _take_away(values, at, at.at(columns, column), 0, pushed, width, live)

    e.chunks(n, body)


def emit_back(own, builder, arrays, places):
    (base, table, x), (o, w, columns, first, n) = arrays, places
    e, at, values = _numbers(builder, base), _Emitter(builder, table), _numbers(builder, x)
    widest = WIDTHS[0]
    sums = {widest: [e.slot(e.zero(widest)) for _ in range(own)]}

    def body(column, width):
        gathered = e.zero(width)
        for k in range(width):
            value = values.load(at.load(at.at(columns, column, k), 1), 1)
            gathered = e.insert(gathered, value, k, width)
        for i, place in enumerate(sums[width]):
            value = e.load(e.at(o, (w, i), own, column), width)
            e.put(e.plus(e.take(place), value, gathered), place)

    def fold(width):
        sums[width] = []
        for before in sums[2 * width]:
            value = e.take(before)
            low, high = e.columns(value, 0, width), e.columns(value, width, width)
            sums[width].append(e.slot(e.sum(low, high)))

    e.chunks(n, body, before=fold, widths=WIDTHS)
    found = {}
    for i in reversed(range(own)):
        inverse = e.load(e.at(o, (w, i), i), 1)
        right = builder.fsub(values.load(values.at(first, i), 1), e.take(sums[1][i]))
        found[i] = e.times(right, inverse)
        for j in range(own - 1, i, -1):
            # the ratio first: it is ready before x_j is
            ratio = e.times(e.load(e.at(o, (w, i), j), 1), inverse)
            found[i] = e.minus(found[i], ratio, found[j])
        values.store(found[i], values.at(first, i), 1)


def emit_updates(own, builder, arrays, places):
    """All runs of one node, from its place ``at`` in the program."""
    (base, table), (w, work, n, at, runs) = arrays, places
    e = _Emitter(builder, table)
    fields = ir.Constant(_LONG, RUN_FIELDS)
    with cgutils.for_range(builder, runs) as loop:
        place = e.at(at, (fields, loop.index))
        rows, length, source, ratios, to, stride = (e.load(e.at(place, k), 1) for k in range(RUN_FIELDS))
        run = rows, length, source, builder.add(ratios, work), to, stride
        emit_update(own, builder, base, (w, n), run)


def emit_update(own, builder, base, widths, run):
    e, (w, n), (rows, length, source, ratios, to, stride) = _numbers(builder, base), widths, run

    def body(column, width):
        values = [e.load(e.at(source, (w, i), column), width) for i in range(own)]
        # jump to the last row and fall through to the first: a counted loop is a seventh slower
        entries = [builder.append_basic_block(f"row_{r}") for r in range(MAX_PIVOTS)]
        done = builder.append_basic_block("done")
        cases = builder.switch(rows, done)
        for r in reversed(range(MAX_PIVOTS)):
            cases.add_case(ir.Constant(_LONG, r + 1), entries[r])
            builder.position_at_end(entries[r])
            place = e.at(to, (stride, r), column)
            total = e.load(place, width)
            for i in range(own):
                ratio = e.load(e.at(ratios, (n, i), r), 1)
                total = e.minus(total, e.spread(ratio, width), values[i])
            e.store(total, place, width)
            builder.branch(entries[r - 1] if r else done)
        builder.position_at_end(done)

    finished = builder.append_basic_block("run_done")
    other = builder.append_basic_block("any_length")
    jump = builder.switch(length, other)
    for count in COMMON:
        block = builder.append_basic_block(f"length_{count}")
        jump.add_case(ir.Constant(_LONG, count), block)
        builder.position_at_end(block)
        column = 0
        for width in e.widths:
            while count - column >= width:
                body(ir.Constant(_LONG, column), width)
                column += width
        builder.branch(finished)
    builder.position_at_end(other)
    e.chunks(length, body)
    builder.branch(finished)
    builder.position_at_end(finished)


def emit_gather(own, builder, arrays, places):
    (base, table), (start, w, first, rows, there, to, stride) = arrays, places
    e, at = _numbers(builder, base), _Emitter(builder, table)
    inverse = [e.load(e.at(start, (w, i), i), 1) for i in range(own)]
    length = builder.sub(w, first)
    done = builder.append_basic_block("gathered")
    cases = builder.switch(rows, done)
    for count, groups in GROUPS.items():
        block = builder.append_basic_block(f"rows_{count}")
        cases.add_case(ir.Constant(_LONG, count), block)
        builder.position_at_end(block)
        for k, few in enumerate(groups):
            group = range(sum(groups[:k]), sum(groups[:k]) + few)
            ratio = {
                (r, i): e.times(e.load(e.at(start, (w, i), first, r), 1), inverse[i])
                for r in group
                for i in range(own)
            }
            # what is left of the target's own columns is below the diagonal
            begin = ir.Constant(_LONG, group[0])
            with cgutils.for_range_slice(builder, begin, length, _as_long(1), _LONG) as (c, _):
                place = e.at(to, at.load(at.at(there, c), 1))
                total = {r: e.load(e.at(place, (stride, r)), 1) for r in group}
                for i in range(own):
                    value = e.load(e.at(start, (w, i), first, c), 1)
                    for r in group:
                        total[r] = e.minus(total[r], ratio[r, i], value)
                for r in group:
                    e.store(total[r], e.at(place, (stride, r)), 1)
        builder.branch(done)
    builder.position_at_end(done)


def vectorised(emit: Callable[..., None], numbers: int, arrays: int) -> Any:
    """An intrinsic ``f(own, arrays, positions)`` with one copy of the code per pivot count."""

    @intrinsic
    def chosen(typing, own, given, positions):
        signature = types.void(types.int64, given, types.UniTuple(types.int64, numbers))

        def codegen(context, builder, signature, arguments):
            pointers = [
                context.make_array(kind)(context, builder, array).data
                for kind, array in zip(
                    given, cgutils.unpack_tuple(builder, arguments[1], arrays), strict=True
                )
            ]
            values = cgutils.unpack_tuple(builder, arguments[2], numbers)
            done = builder.append_basic_block("all_pivots")
            cases = builder.switch(arguments[0], done)
            for own in range(1, MAX_PIVOTS + 1):
                block = builder.append_basic_block(f"pivots_{own}")
                cases.add_case(ir.Constant(_LONG, own), block)
                builder.position_at_end(block)
                emit(own, builder, pointers, values)
                builder.branch(done)
            builder.position_at_end(done)
            return context.get_dummy_value()

        return signature, codegen

    return chosen
