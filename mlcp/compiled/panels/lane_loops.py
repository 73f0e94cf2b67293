"""LLVM code of loops for lanes (vehicles side by side in a SIMD register); in Python: ``kkt_vector``."""

from llvmlite import ir
from numba.core import cgutils

from .emitter import LONG, Emitter, as_long, emitter_of
from .loops import emit_pivots, emit_subtraction

# Sizes of the groups of rows updated at once, by the number of rows: registers hold the ratios of 4 rows
GROUPS = {1: (1,), 2: (2,), 3: (3,), 4: (4,), 5: (3, 2), 6: (3, 3)}


def emit_halves(own, builder, arrays, places):
    """Emit the code of ``loops.emit_sweep`` for a pivot block whose first half is diagonal and not
    coupled to the second half."""
    (base, table), (o, w, y, first, columns, both, listed, n) = arrays, places
    e, at, half = emitter_of(builder, base), Emitter(builder, table), own // 2
    ratio, _, weight = emit_pivots(own, half, e, (o, w, y, first))
    for least, low, high in ((0, as_long(0), both), (half, both, n)):
        with cgutils.for_range_slice(builder, low, high, as_long(1), LONG) as (k, _):
            column, values, amount = at.load(at.at(listed, k), 1), {}, e.zero(1)
            for i in range(least, own):
                place = e.at(o, (w, i), own, column)
                values[i] = e.load(place, 1)
                for j in range(half, i):
                    values[i] = e.minus(values[i], ratio[i, j], values[j])
                if i > half:
                    e.store(values[i], place, 1)
                amount = e.plus(amount, values[i], weight[i])
            emit_subtraction(e, at, e.at(columns, column), y, amount, 1)


def emit_gather(own, builder, arrays, places):
    (base, table), (start, w, first, rows, to, stride, columns, own_first, *_) = arrays, places
    e, at = emitter_of(builder, base), Emitter(builder, table)
    nothing = emitter_of(builder, e.slot(e.zero(1)))
    inverse = [e.load(e.at(start, (w, i), i), 1) for i in range(own)]
    done = builder.append_basic_block("gathered")
    cases = builder.switch(rows, done)
    for count, groups in GROUPS.items():
        block = builder.append_basic_block(f"rows_{count}")
        cases.add_case(ir.Constant(LONG, count), block)
        builder.position_at_end(block)
        for k, few in enumerate(groups):
            group = range(sum(groups[:k]), sum(groups[:k]) + few)
            ratio = {
                (r, i): e.times(e.load(e.at(start, (w, i), first, r), 1), inverse[i])
                for r in group
                for i in range(own)
            }
            begin = builder.mul(own_first, as_long(group[-1] + 1))
            with builder.if_then(builder.icmp_signed("!=", own_first, as_long(0))):
                for c in group:  # columns of the diagonal block: entries on and above the diagonal only
                    pair, above = at.at(columns, 2 * c), {k: x for k, x in ratio.items() if k[0] <= c}
                    target = e, e.at(to, at.load(at.at(pair, 1), 1)), stride
                    emit_column(e, above, places, at.load(pair, 1), (target, target))
            emit_columns(e, at, ratio, places, (begin, nothing))
        builder.branch(done)
    builder.position_at_end(done)


def emit_columns(e, at, ratio, places, start):
    """Emit the update of some rows, in the columns after their diagonal block.

    One loop for both kinds of columns, in two phases: first those whose target already has numbers, then
    those whose target starts from zero.
    """
    (begin, nothing), builder, (*_, to, stride, columns, _, old, n) = start, e.builder, places
    zero = as_long(0)
    with cgutils.for_range_slice(builder, zero, as_long(2), as_long(1), LONG) as (phase, _):
        later = builder.icmp_signed("!=", phase, zero)
        low, high = builder.select(later, old, begin), builder.select(later, n, old)
        source = type(e)(builder, builder.select(later, nothing.base, e.base))
        source_stride = builder.select(later, zero, stride)
        keep = builder.sub(phase, as_long(1))  # mask: all bits in the first phase, none in the second
        with cgutils.for_range_slice(builder, low, high, as_long(1), LONG) as (c, _):
            pair = at.at(columns, (c, 2))
            place = e.at(to, at.load(at.at(pair, 1), 1))
            begun = source, builder.and_(place, keep), source_stride
            emit_column(e, ratio, places, at.load(pair, 1), (begun, (e, place, stride)))


def emit_column(e, ratio, places, here, ends):
    """Emit the update of one column in the rows of ``ratio``.

    ``ends``: source and target of the column's numbers, each an emitter, an offset and a stride.
    """
    (start, w, *_), ((source, begun, spacing), (target, place, stride)) = places, ends
    rows, pivots = (sorted({key[k] for key in ratio}) for k in (0, 1))
    total = {r: source.load(source.at(begun, (spacing, r)), 1) for r in rows}
    for i in pivots:
        value = e.load(e.at(start, (w, i), here), 1)
        for r in rows:
            total[r] = e.minus(total[r], ratio[r, i], value)
    for r in rows:
        target.store(total[r], target.at(place, (stride, r)), 1)
