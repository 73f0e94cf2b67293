"""LLVM vector code of the inner loops of a sparse elimination; in Python: ``kkt_vector``."""

from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..extension import compiled_as
from ..row_types import Parts
from .emitter import LONG, WIDTHS, Emitter, emitter_of

MAX_PIVOTS = 6
RUN_FIELDS = 6
RUN_WIDTHS = (4, 8)  # vector widths for runs (neighbouring columns) of a node (body or row group)


def emit_subtraction(e, at, places, start, amount, width, live=None):
    """Emit ``array[start + place] -= amount`` by column; a table has them from ``places`` on."""
    for k in range(width):
        place = e.at(start, at.load(at.at(places, k), 1))
        one = e.columns(amount, k, 1) if width > 1 else amount
        old = e.load(place, 1)
        e.store(e.chosen(live, e.builder.fsub(old, one), old), place, 1)


def emit_pivots(own, free, e, places):
    """Emit the elimination of a diagonal block and its right-hand side; its first ``free`` pivots are
    coupled to no other. Returns ratios, inverses of the pivots, right-hand side over the pivots."""
    (o, w, y, first), coupled = places, [range(i + 1, own if i >= free else 0) for i in range(own)]
    y_own = e.at(y, first)
    block = {(i, j): e.at(o, (w, i), j) for i in range(own) for j in (i, *coupled[i])}
    u = {key: e.load(place, 1) for key, place in block.items()}
    right = [e.load(e.at(y_own, i), 1) for i in range(own)]
    inverse, ratio = [], {}
    for i in range(own):
        inverse.append(e.one_over(u[i, i]))
        e.store(inverse[i], block[i, i], 1)
        for r in coupled[i]:
            ratio[r, i] = e.times(u[i, r], inverse[i])
            right[r] = e.minus(right[r], ratio[r, i], right[i])
            for c in range(r, own):
                u[r, c] = e.minus(u[r, c], ratio[r, i], u[i, c])
    for i in range(free + 1, own):
        e.store(right[i], e.at(y_own, i), 1)
        for r in coupled[i]:
            e.store(u[i, r], block[i, r], 1)
    return ratio, inverse, [e.times(right[i], inverse[i]) for i in range(own)]


def emit_sweep(own, builder, arrays, places):
    (base, table), (o, w, y, first, columns, work, n) = arrays, places
    e, at = emitter_of(builder, base), Emitter(builder, table)
    own, free = (MAX_PIVOTS, MAX_PIVOTS // 2) if own > MAX_PIVOTS else (own, 0)
    ratio, inverse, weight = emit_pivots(own, free, e, (o, w, y, first))

    def body(column, width):
        values, amount = [], e.zero(width)
        for i in range(own):
            place = e.at(o, (w, i), own, column)
            value = e.load(place, width)
            for j in range(free, i):
                value = e.minus(value, e.spread(ratio[i, j], width), values[j])
            if i > free:
                e.store(value, place, width)
            if e.stores_ratios:
                scaled = e.times(value, e.spread(inverse[i], width))
                e.store(scaled, e.at(work, (n, i), column), width)
            amount = e.plus(amount, value, e.spread(weight[i], width))
            values.append(value)
        emit_subtraction(e, at, e.at(columns, column), y, amount, width)

    e.chunks(n, body)


def emit_forward(own, builder, arrays, places):
    (base, table, x), (o, w, columns, first, n) = arrays, places
    e, at, values = emitter_of(builder, base), Emitter(builder, table), emitter_of(builder, x)
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
        amount = e.zero(width)
        for i in range(own):
            value = e.load(e.at(o, (w, i), own, column), width)
            amount = e.plus(amount, value, e.spread(weight[i], width))
        emit_subtraction(values, at, at.at(columns, column), 0, amount, width, live)

    e.chunks(n, body)


def emit_back(own, builder, arrays, places):
    (base, table, x), (o, w, columns, first, n) = arrays, places
    e, at, values = emitter_of(builder, base), Emitter(builder, table), emitter_of(builder, x)
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
            # the ratio u_ij / u_ii is computed first, since it does not depend on x_j
            ratio = e.times(e.load(e.at(o, (w, i), j), 1), inverse)
            found[i] = e.minus(found[i], ratio, found[j])
        values.store(found[i], values.at(first, i), 1)


def emit_updates(own, builder, arrays, places):
    """Emit the updates of one node for ``runs`` groups of neighbouring columns, each described by
    RUN_FIELDS numbers in the table, from ``at`` on."""
    (base, table), (w, work, n, at, runs) = arrays, places
    e = Emitter(builder, table)
    with cgutils.for_range(builder, runs) as loop:
        place = e.at(at, (RUN_FIELDS, loop.index))
        rows, length, source, ratios, to, stride = (e.load(e.at(place, k), 1) for k in range(RUN_FIELDS))
        run = rows, length, source, builder.add(ratios, work), to, stride
        emit_update(own, builder, base, (w, n), run)


def emit_update(own, builder, base, widths, run):
    """Emit the update of a run: up to 8 neighbouring columns as one vector, the rest of it masked."""
    e, (w, n), (rows, length, source, ratios, to, stride) = Emitter(builder, base), widths, run
    done = builder.append_basic_block("run_done")

    def body(width):
        within = e.first(length, width)
        values = [e.load(e.at(source, (w, i)), width) for i in range(own)]
        # branch to the last row and fall through to the first: a counted loop is a seventh slower
        entries = [builder.append_basic_block(f"row_{r}") for r in range(MAX_PIVOTS)]
        cases = builder.switch(rows, done)
        for r in reversed(range(MAX_PIVOTS)):
            cases.add_case(ir.Constant(LONG, r + 1), entries[r])
            builder.position_at_end(entries[r])
            place = e.at(to, (stride, r))
            total = old = e.load(place, width)
            for i in range(own):
                ratio = e.load(e.at(ratios, (n, i), r), 1)
                total = e.minus(total, e.spread(ratio, width), values[i])
            e.store(e.chosen(within, total, old), place, width)
            builder.branch(entries[r - 1] if r else done)

    narrow, wide = (builder.append_basic_block(f"columns_{width}") for width in RUN_WIDTHS)
    builder.cbranch(builder.icmp_signed("<=", length, ir.Constant(LONG, RUN_WIDTHS[0])), narrow, wide)
    for block, width in zip((narrow, wide), RUN_WIDTHS, strict=True):
        builder.position_at_end(block)
        body(width)
    builder.position_at_end(done)


def vectorised(
    python: Callable[..., None],
    emit: Callable[..., None],
    pivots: Iterable[int] = range(1, MAX_PIVOTS + 1),
) -> None:
    """Make compiled calls ``python(own, arrays, positions)`` run the code of ``emit``, emitted once per
    number ``own`` of pivots."""
    kinds = types.Integer, types.BaseTuple, types.BaseTuple

    @compiled_as(python, lambda own, arrays, positions: types.void, kinds)
    def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointers = [
            Parts(context, builder, kind, builder.extract_value(arguments[1], k)).data
            for k, kind in enumerate(signature.args[1].types)
        ]
        values = cgutils.unpack_tuple(builder, arguments[2])
        done = builder.append_basic_block("all_pivots")
        cases = builder.switch(arguments[0], done)
        for count in pivots:
            block = builder.append_basic_block(f"pivots_{count}")
            cases.add_case(ir.Constant(LONG, count), block)
            builder.position_at_end(block)
            emit(count, builder, pointers, values)
            builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()
