"""Integer table of the structured factorisation: a header, then the sub-tables that it points to.

- ``given_at``: for each possible nonzero of the upper halves of ``mass``, then for each of ``jac``: the
  number's panel position in the upper 32 bits, the position in the array in the lower 32 bits; each
  in the order of the panels.
- ``part_at``: for each of PARTS parts of the panels its end, and the ends of the part's entries of
  ``mass`` and of ``jac`` in ``given_at``. A part stays in the processor's first cache while it is
  cleared and filled.
- ``row_at``: for each row the panel position of the row's diagonal entry.
- ``x_at``: for each scalar of ``[velocity; impulse]`` the position in elimination order.
- ``node_at``: for each node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of the node's list of column scalars)``.
- ``program_at``: for each node ``(pivots, panel position, stride, first scalar, position of the node's
  list of column scalars, runs, pivots to sweep)``; the last is HALVED if the node's first three pivots
  are coupled to none of its others. Then for each run, up to ``LONGEST_RUN`` columns that are neighbours
  in a later panel (target) too: ``(rows of the target, length, panel position of the first column,
  position of the rows' first ratio in the scratch, panel position of the target, target's stride)``.
- ``gather_at``: the program for lanes (several vehicles side by side in one SIMD register), ordered by
  the panel that is written (target), panels of the channel groups last.
  For each node ``(pivots, panel position, stride, first scalar, position of the node's list of column
  scalars, pieces, offset to the halves or 0)``. For each piece of an update of the node's panel by an
  earlier panel ``(pivots, panel position, stride, first row's column, rows, panel position of the
  target, 1 if the columns of these rows come first, columns nonzero in the target, columns)``, and for
  each column the position in both panels. If a node's pivots fall into two uncoupled halves: the number
  of columns nonzero in the first half, the number of nonzero columns, and the list of these columns.
- ``clear_at``: panel positions set to zero in lanes, because they are read before the step writes them.

The ``panels`` workspace holds, one after the other: a panel per node and the trailing channel panel
(C x C); from ``y_at`` on the forward-solved right-hand side in elimination order, channels last;
from ``work_at`` on scratch.
"""

from mlcp.compiled.records import Record, integer

NODE_FIELDS = 7
LONGEST_RUN = 8
PARTS = 8
HALVED = 7  # in place of a body's 6 pivots


class Header(Record):
    """Counts, positions in the panels, and positions of the sub-tables in the same array."""

    blocks = integer("mass blocks")
    rows = integer("constraint rows")
    channels = integer("channel rows C")
    nodes = integer("nodes of the elimination, without channel groups")
    channel_nodes = integer("channel groups")
    y_at = integer("panel position of the right-hand side")
    work_at = integer("panel position of the scratch")
    trailing_at = integer("panel position of the channel panel")
    row_at = integer("diagonal entries of the rows")
    x_at = integer("places of velocity and impulse")
    node_at = integer("nodes")
    program_at = integer("nodes with their runs")
    gather_at = integer("program for lanes")
    clear_at = integer("panel positions cleared in lanes")
    clears = integer("number of these")
    given_at = integer("entries of mass, then of jac")
    given_mass = integer("number of those of mass")
    given_jac = integer("number of those of jac")
    part_at = integer("parts of the panels")
