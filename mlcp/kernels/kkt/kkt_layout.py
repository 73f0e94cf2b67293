"""Integer table of the structured factorisation: a header, then the sub-tables that it points to.

- ``given_at``: for each number of the upper halves of ``mass`` that is not always zero, then for each of
  ``jac``: its panel position in the upper 32 bits, its position in the array in the lower ones.
- ``row_at``: per row the panel position of its diagonal entry.
- ``x_at``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``node_at``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``program_at``: per node ``(pivots, panel position, stride, first scalar, position of its list of
  column scalars, runs)``, then per run of up to ``LONGEST_RUN`` columns that are neighbours in a later
  panel too ``(rows of that target, length, panel position of the first column, position of the rows'
  first ratio in the scratch, panel position of the target, stride of the target)``.
- ``gather_at``: the program for lanes (several vehicles side by side in one SIMD register), ordered by
  the panel that is written, panels of the channel groups last.
  Per node ``(pivots, panel position, stride, first scalar, position of its list of column scalars,
  pieces, offset to its halves or 0)``. Per piece of an earlier panel's update of this one
  ``(pivots, panel position, stride, first row's column, rows, panel position of the target, 1 if
  the rows' own columns come first, columns nonzero in the target, columns)`` and for each column its
  position in both panels. If a node's pivots fall into two uncoupled halves: the number of columns
  nonzero in the first, the number of nonzero columns, and their list.
- ``clear_at``: panel positions set to zero in lanes: they are read before the step writes them.

The ``panels`` workspace holds, one after the other: a panel per node and the trailing channel panel
(C x C); from ``y_at`` on the forward-solved right-hand side in elimination order, channels last;
from ``work_at`` on scratch.
"""

from mlcp.compiled.records import Record, integer

NODE_FIELDS = 7
LONGEST_RUN = 8


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
