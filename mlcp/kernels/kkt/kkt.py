"""Sparse factorisation of ``K = [M J'; J -E]``, with the rows C of the contact channels eliminated last.

M: masses, J: Jacobian of the bilateral rows, E: their compliances. Unknowns: velocities v, the rows'
impulses p, the channels' impulses q:

    [M  J'  C'] [ v]   [momentum]
    [J -E   0 ] [-p] = [ -bias  ]
    [C  0   0 ] [-q]   [   u    ]

K is quasi-definite (M positive definite, E > 0), so ``L D L'`` without pivoting exists in every
order; the plan picks one that is also accurate. Eliminating K leaves the trailing block
``-C K^-1 C' = -B`` and, since the forward solve is the elimination of one more column, the
trailing right-hand side ``-u_free``. A node is a body or a group of rows, eliminated at once. The panel
of a node holds the node's rows of the factor: the pivots' inverses on the diagonal, then the columns
right of the diagonal block. Lanes are several vehicles side by side in one SIMD register.

Vanderbei 1995 (quasi-definite matrices); Duff, Erisman & Reid 1986 (minimum degree).
"""

from typing import Any, NamedTuple

import numpy as np

from mlcp.compiled.branches import as_many, where
from mlcp.jit import either, kernel
from mlcp.kernels.kkt.kkt_gather import gather_node, sweep_node
from mlcp.kernels.kkt.kkt_layout import NODE_FIELDS, PARTS, Header
from mlcp.kernels.kkt.kkt_node import back_node, eliminate_node, forward_node

_AT = {name: field.offset for name, field in Header.fields.items()}
_BLOCKS, _ROWS, _CHANNELS, _NODES = _AT["blocks"], _AT["rows"], _AT["channels"], _AT["nodes"]
_Y_AT, _WORK_AT, _TRAILING_AT = _AT["y_at"], _AT["work_at"], _AT["trailing_at"]
_ROW_AT, _X_AT, _NODE_AT = _AT["row_at"], _AT["x_at"], _AT["node_at"]
_PROGRAM_AT, _GATHER_AT, _CHANNEL_NODES = _AT["program_at"], _AT["gather_at"], _AT["channel_nodes"]
_CLEARS, _CLEAR_AT, _GIVEN_AT = _AT["clears"], _AT["clear_at"], _AT["given_at"]
_GIVEN_MASS, _GIVEN_JAC, _PART_AT = _AT["given_mass"], _AT["given_jac"], _AT["part_at"]
# shift and mask of the upper and the lower 32 bits of an entry of ``given_at``
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


class Values(NamedTuple):
    """Numbers of the equations that change in every step."""

    mass: Any  # (36 blocks,) mass blocks M
    jac: Any  # (jac_size,) entries of J and C
    compliance: Any  # (rows,) compliances e, the diagonal of E
    momentum: Any  # (6 blocks,) right-hand side of the bodies
    bias: Any  # (rows,) bias of J v + e p + bias = 0


@kernel
def assemble(table, scale, values, panels):
    """Write the matrix [M J'; J -max(e, floor)] and the right side (momentum, -bias) into panels.

    M: upper triangle of ``mass``; J: ``jac``; e: compliances of the rows; floor: smallest compliance of
    each row, the first numbers of ``scale``. Numbers that are zero in every step are not written.
    """
    first = table[_GIVEN_AT]
    last = first + table[_GIVEN_MASS]
    _copy(table, first, last, values.mass, panels)
    _copy(table, last, last + table[_GIVEN_JAC], values.jac, panels)
    _compliances(table, scale, values.compliance, panels)
    _right_hand_side(table, values.momentum, values.bias, panels)


@kernel
def _copy(table, first, last, source, panels):
    """Copy the numbers of ``table[first:last]`` from an array of the step into the panels."""
    for k in range(first, last):
        pair = np.uint64(table[np.uint64(k)])
        panels[pair >> _HALF] = source[pair & _LOW]


@kernel
def _compliances(table, scale, compliance, panels):
    """Write ``-max(e, floor)`` into the panels."""
    rows, a = table[_ROWS], table[_ROW_AT]
    for r in range(rows):
        panels[np.uint64(table[np.uint64(a + r)])] = -max(compliance[np.uint64(r)], scale[np.uint64(r)])


@kernel
def _right_hand_side(table, momentum, bias, panels):
    """Write ``[momentum; -bias; 0]`` into the panels, in elimination order."""
    nv, rows, a, y = 6 * table[_BLOCKS], table[_ROWS], table[_X_AT], table[_Y_AT]
    for i in range(nv):
        panels[np.uint64(y + table[np.uint64(a + i)])] = momentum[np.uint64(i)]
    a += nv
    for r in range(rows):
        panels[np.uint64(y + table[np.uint64(a + r)])] = -bias[np.uint64(r)]
    y += nv + rows
    for c in range(table[_CHANNELS]):
        panels[np.uint64(y + c)] = 0.0


@kernel
def eliminate(table, panels):
    """Factor the assembled panels in place, except the trailing panel of the channels."""
    at, y, work = table[_PROGRAM_AT], table[_Y_AT], table[_WORK_AT]
    for _ in range(table[_NODES]):
        at = eliminate_node(table, at, panels, y, work)


@kernel
def scatter_panels(table, scale, values, panels):
    """Factor the panels of one vehicle; each panel's updates are added to the later panels at once."""
    start, mass, a = 0, table[_GIVEN_AT], table[_PART_AT]
    jac = mass + table[_GIVEN_MASS]
    for _ in range(PARTS):
        for i in range(start, table[a]):
            panels[np.uint64(i)] = 0.0
        _copy(table, mass, table[a + 1], values.mass, panels)
        _copy(table, jac, table[a + 2], values.jac, panels)
        start, mass, jac = table[a], table[a + 1], table[a + 2]
        a += 3
    _compliances(table, scale, values.compliance, panels)
    _right_hand_side(table, values.momentum, values.bias, panels)
    eliminate(table, panels)


@kernel
def gather_panels(table, scale, values, panels):
    """Factor the panels by gathering: each panel sums all updates from earlier ones, then is factored.

    For lanes, in which writes are slow: ratios are not stored, and entries that are always zero are left
    out of the sums. The order of the sums is that of ``scatter_panels``.
    """
    y, work, a = table[_Y_AT], table[_WORK_AT], table[_CLEAR_AT]
    for i in range(table[_CLEARS]):
        panels[np.uint64(table[np.uint64(a + i)])] = 0.0
    assemble(table, scale, values, panels)
    at = table[_GATHER_AT]
    for _ in range(table[_NODES]):
        after = gather_node(table, at, panels)
        sweep_node(table, at, panels, y, work)
        at = after
    for _ in range(table[_CHANNEL_NODES]):
        at = gather_node(table, at, panels)


fill_panels = either(scatter_panels, gather_panels)


@kernel
def smallest_pivot(table, scale, panels):
    """Smallest monitored pivot of a row, relative to the row's size in ``scale`` (``Plan.scale``)."""
    rows, a = table[_ROWS], table[_ROW_AT]
    largest = unknown = as_many(0.0, panels[np.uint64(0)])
    for r in range(rows):
        # the panel holds the inverse of a negative pivot
        s = -scale[np.uint64(rows + r)] * panels[np.uint64(table[np.uint64(a + r)])]
        largest = where(s > largest, s, largest)
        unknown = where(s != s, s, unknown)  # a NaN pivot makes the result NaN
    watched = largest != 0.0
    return unknown + where(watched, 1.0 / where(watched, largest, 1.0), np.inf)


@kernel
def factor(table, scale, values, panels, delassus, u_free):
    """Factor K, solve forward, and return the reduced contact problem.

    Arguments:
        table, scale: arrays of the ``Plan``.
        values: the step's ``Values``; ``M v = momentum + J' p + C' q``, ``J v + e p + bias = 0``.
        panels (panel_size,): written; ``back`` and ``resolve`` read it.
        delassus (N, N), N >= channels: written with ``B = C K^-1 C'`` (leading block, symmetric).
        u_free (channels,): written with ``C v`` at q = 0.

    Returns the smallest scaled pivot of the plan's monitored rows (inf without such rows, NaN if the
    input has a NaN). If this pivot collapses, make a plan in the current pose.
    """
    fill_panels(table, scale, values, panels)
    n, o = table[_CHANNELS], table[_TRAILING_AT]
    y = table[_Y_AT] + 6 * table[_BLOCKS] + table[_ROWS]
    for i in range(n):
        for j in range(i, n):
            value = -panels[np.uint64(o + i * n + j)]
            delassus[i, j] = value
            delassus[j, i] = value
        u_free[i] = -panels[np.uint64(y + i)]
    return smallest_pivot(table, scale, panels)


@kernel
def back(table, panels, q, x, velocity, impulse):
    """Compute the velocities at the end of the step and the row impulses from the channel impulses.

    Arguments: q (channels,); x (scalars + channels,) scratch; velocity (6 blocks,) and impulse
    (rows,) are written.
    """
    n = 6 * table[_BLOCKS] + table[_ROWS]
    y = table[_Y_AT]
    for i in range(n):
        x[np.uint64(i)] = panels[np.uint64(y + i)]
    for c in range(table[_CHANNELS]):
        x[np.uint64(n + c)] = -q[np.uint64(c)]
    f = table[_NODE_AT] + table[_NODES] * NODE_FIELDS
    for _ in range(table[_NODES]):
        f -= NODE_FIELDS
        back_node(table, f, table[f + 5], panels, x)
    _split_solution(table, x, velocity, impulse)


@kernel
def resolve(table, panels, momentum, bias, x, velocity, impulse):
    """Solve once more with the same factorisation, channels left out (their impulses zero).

    ``M v = momentum + J' p``, ``J v + e p + bias = 0``; used for the projection of the positions
    with momentum 0 and bias phi, the rows' position errors. Arguments as in ``factor`` and ``back``.
    """
    nv, rows, a = 6 * table[_BLOCKS], table[_ROWS], table[_X_AT]
    for i in range(nv):
        x[np.uint64(table[np.uint64(a + i)])] = momentum[np.uint64(i)]
    a += nv
    for r in range(rows):
        x[np.uint64(table[np.uint64(a + r)])] = -bias[np.uint64(r)]
    f = table[_NODE_AT]
    for _ in range(table[_NODES]):
        forward_node(table, f, panels, x)
        f += NODE_FIELDS
    for _ in range(table[_NODES]):
        f -= NODE_FIELDS
        back_node(table, f, table[f + 4], panels, x)
    _split_solution(table, x, velocity, impulse)


@kernel
def _split_solution(table, x, velocity, impulse):
    nv, rows, a = 6 * table[_BLOCKS], table[_ROWS], table[_X_AT]
    for i in range(nv):
        velocity[np.uint64(i)] = x[np.uint64(table[np.uint64(a + i)])]
    a += nv
    for r in range(rows):
        impulse[np.uint64(r)] = -x[np.uint64(table[np.uint64(a + r)])]
