"""Inner loops of the factorisation, on vectors of 4, 2 and 1 numbers.

A panel has the rows u_i of one node, with pivots d_i. Arguments of each function: ``own``, the
node's number of pivots; the arrays to read and write; and positions in them: ``o`` of the panel,
``w`` numbers a row, ``columns`` in the table, of the scalars of the ``n`` columns after the pivots.

Numba leaves these loops scalar, since it cannot prove that the rows read and the row written never
overlap. So each is a plain Python function as the reference, and ``compiled.panels`` builds the same
operations in the same order from LLVM vectors; multiply-adds are fused if the machine has them, so the
two agree to rounding.
"""

from mlcp.compiled.panels import lane_loops as emit_lanes
from mlcp.compiled.panels import loops as emit
from mlcp.compiled.panels.emitter import WIDTHS
from mlcp.compiled.panels.loops import MAX_PIVOTS, RUN_FIELDS, vectorised
from mlcp.kernels.kkt.kkt_layout import HALVED


def sweep(own, arrays, places):
    """Factor a panel: its diagonal block, the ``n`` columns right of it, and the right-hand side.

    ``arrays = panels, table; places = o, w, y, first, columns, work, n``.

    The ``own x own`` diagonal block becomes ``u`` with inverse pivots on its diagonal. For every
    other column and for the node's part of the right-hand side, ``u_i -= sum_(j < i) (u_ji / d_j)
    u_j``. The ratio ``u_i / d_i`` is written to ``work`` at ``i n + c``, except in lanes (several
    vehicles in one SIMD register). From the right-hand side of column c, at ``y + table[columns + c]``,
    the sum of ``u_i y_i / d_i`` is subtracted. ``o``, ``y`` and ``work`` are positions in ``panels``,
    ``first`` is the node's first scalar. ``own`` HALVED stands for MAX_PIVOTS pivots, the first half of
    them diagonal and not coupled to the second: the ratios of this half are zero and left out.
    """
    (panels, table), (o, w, y, first, columns, work, n) = arrays, places
    own, own_y = min(own, MAX_PIVOTS), y + first
    for i in range(own):
        inverse = 1.0 / panels[o + i * w + i]
        panels[o + i * w + i] = inverse
        for r in range(i + 1, own):
            ratio = panels[o + i * w + r] * inverse
            panels[own_y + r] -= ratio * panels[own_y + i]
            for c in range(r, own):
                panels[o + r * w + c] -= ratio * panels[o + i * w + c]
    for c in range(n):
        amount = 0.0
        for i in range(own):
            value = panels[o + i * w + own + c]
            for j in range(i):
                ratio = panels[o + j * w + i] * panels[o + j * w + j]
                value -= ratio * panels[o + j * w + own + c]
            panels[o + i * w + own + c] = value
            panels[work + i * n + c] = value * panels[o + i * w + i]
            amount += value * (panels[own_y + i] * panels[o + i * w + i])
        panels[y + table[columns + c]] -= amount


def halves(own, arrays, places):
    """Factor a panel as ``sweep`` does; the first half of pivots is diagonal, not coupled to the second.

    ``arrays = panels, table; places = o, w, y, first, columns, both, listed, n``: ``table`` from
    ``listed`` on has the n nonzero columns; those after the first ``both`` are zero in the first half.
    """
    (panels, table), (o, w, y, first, columns, both, listed, n) = arrays, places
    own_y, half = y + first, own // 2
    for i in range(own):
        panels[o + i * w + i] = 1.0 / panels[o + i * w + i]
        for r in range(i + 1, own) if i >= half else ():
            ratio = panels[o + i * w + r] * panels[o + i * w + i]
            panels[own_y + r] -= ratio * panels[own_y + i]
            for c in range(r, own):
                panels[o + r * w + c] -= ratio * panels[o + i * w + c]
    for k in range(n):
        c, amount = table[listed + k], 0.0
        for i in range(0 if k < both else half, own):
            value = panels[o + i * w + own + c]
            for j in range(half, i):
                ratio = panels[o + j * w + i] * panels[o + j * w + j]
                value -= ratio * panels[o + j * w + own + c]
            panels[o + i * w + own + c] = value
            amount += value * (panels[own_y + i] * panels[o + i * w + i])
        panels[y + table[columns + c]] -= amount


def forward(own, arrays, places):
    """Forward substitution of one node in x, the right-hand side, as in the last part of ``sweep``.

    ``arrays = panels, table, x; places = o, w, columns, first, n``.
    """
    (panels, table, x), (o, w, columns, first, n) = arrays, places
    weight = [0.0] * own
    for i in range(own):
        weight[i] = x[first + i] * panels[o + i * w + i]
        for j in range(i + 1, own):
            x[first + j] -= weight[i] * panels[o + i * w + j]
    for c in range(n):
        amount = 0.0
        for i in range(own):
            amount += panels[o + i * w + own + c] * weight[i]
        x[table[columns + c]] -= amount


def back(own, arrays, places):
    """Back substitution of one node; ``arrays`` and ``places`` as in ``forward``.

    ``x_i = (y_i - sum_(j > i) u_ij x_j) / d_i``; x holds y at the scalars of the node.

    The terms of the ``n`` columns after the pivots, ``x[table[columns + c]]``, are added in four partial
    sums, which are folded in halves as in the vector code.
    """
    (panels, table, x), (o, w, columns, first, n) = arrays, places
    for i in range(own - 1, -1, -1):
        lanes, c = [0.0] * 8, 0
        for width in WIDTHS:
            lanes = [lanes[k] + lanes[k + width] for k in range(width)]
            while n - c >= width:
                for k in range(width):
                    lanes[k] += panels[o + i * w + own + c + k] * x[table[columns + c + k]]
                c += width
        inverse = panels[o + i * w + i]
        x[first + i] = (x[first + i] - lanes[0]) * inverse
        for j in range(own - 1, i, -1):
            x[first + i] -= (panels[o + i * w + j] * inverse) * x[first + j]


def updates(own, arrays, places):
    """Call ``update`` for every run of a node; table[at:] has the six numbers of each run.

    ``arrays = panels, table; places = w, work, n, at, runs``.
    """
    (panels, table), (w, work, n, at, runs) = arrays, places
    for k in range(at, at + RUN_FIELDS * runs, RUN_FIELDS):
        rows, length, source, ratio, to, stride = (int(i) for i in table[k : k + RUN_FIELDS])
        update(own, panels, (w, n), (rows, length, source, work + ratio, to, stride))


def update(own, panels, widths, run):
    """Update one run of columns; ``widths = w, n; run = rows, length, source, ratios, to, stride``.

    Subtract ``sum_i ratio_i[r] u_i`` from ``rows`` rows of a later panel, in one run of columns.

    ``u_i`` starts at ``panels[source + i w]``, ``ratio_i`` at ``panels[ratios + i n]``, target row
    r at ``panels[to + r stride]``; each run has ``length`` columns.
    """
    (w, n), (rows, length, source, ratios, to, stride) = widths, run
    for r in range(rows):
        for c in range(length):
            value = panels[to + r * stride + c]
            for i in range(own):
                value -= panels[ratios + i * n + r] * panels[source + i * w + c]
            panels[to + r * stride + c] = value


def gather(own, arrays, places):
    """Subtract an earlier panel's update from a panel; ``arrays = panels, table``; ``places = start,
    w, first, rows, to, stride, columns, own_first, old, n``.

    Subtract ``sum_i (u_i[r] / d_i) u_i[c]`` from some rows of a later panel.

    The earlier panel's rows ``u_i`` have w numbers and begin at ``panels[start]``; their ``rows``
    columns from ``first`` on belong to the changed rows, which begin at ``panels[to]``. ``table``
    from ``columns`` on has each of the n columns' positions in the earlier and in the changed panel.
    Columns after the first ``old`` are empty in the changed panel and are set. ``own_first``: the
    columns begin with the diagonal block, of which only the upper triangle is written.
    """
    (panels, table), (start, w, first, rows, to, stride, columns, own_first, old, n) = arrays, places
    for r in range(rows):
        for c in range(r * own_first, n):
            here, place = table[columns + 2 * c], to + table[columns + 2 * c + 1] + r * stride
            value = panels[place] if c < old else 0.0
            for i in range(own):
                ratio = panels[start + i * w + first + r] * panels[start + i * w + i]
                value -= ratio * panels[start + i * w + here]
            panels[place] = value


vectorised(sweep, emit.emit_sweep, range(1, HALVED + 1))
vectorised(halves, emit_lanes.emit_halves, (MAX_PIVOTS,))
vectorised(forward, emit.emit_forward)
vectorised(back, emit.emit_back)
vectorised(updates, emit.emit_updates)
vectorised(gather, emit_lanes.emit_gather)
