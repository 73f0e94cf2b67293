"""Header of the structured factorisation's integer table: positions of its parts.

``table[BLOCKS]`` and so on are counts or the positions of sub-tables in the same array:

- ``MASS_AT``: per mass block ``(panel position of its diagonal block, stride)``.
- ``JAC_AT``: per row of six numbers of ``jac`` that is a row of a panel ``(start in jac, panel
  position)``; then per row that is a column of a panel ``(start in jac, panel position, stride)``.
- ``ROW_AT``: per row the panel position of its diagonal entry.
- ``X_AT``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``NODE_AT``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``PROGRAM_AT``: per node ``(pivots, panel position, stride, first scalar, position of its list of
  column scalars, runs)``, then per run of columns that are neighbours in a later panel too ``(rows
  of that target, length, panel position of the first column, position of the rows' first ratio in the
  scratch, panel position of the target, stride of the target)``.
- ``GATHER_AT``: the program for lanes (several vehicles side by side in one SIMD register), ordered by
  the panel that is written, panels of the channel groups last.
  Per node ``(pivots, panel position, stride, first scalar, position of its list of column scalars,
  pieces, offset to its halves or 0)``. Per piece of an earlier panel's update of this one
  ``(pivots, panel position, stride, first row's column, rows, panel position of the target, 1 if
  the rows' own columns come first, columns nonzero in the target, columns)`` and for each column its
  position in both panels. If a node's pivots fall into two uncoupled halves: the number of columns
  nonzero in the first, the number of nonzero columns, and their list.
- ``GIVEN_AT``: for lanes, position in ``mass`` and panel position of every number that is not always
  zero, then those of ``jac``.
- ``CLEAR_AT``: panel positions set to zero in lanes: they are read before the step writes them.

The ``panels`` workspace holds, one after the other: a panel per node and the trailing channel panel
(C x C); from ``Y_AT`` on the forward-solved right-hand side in elimination order, channels last;
from ``WORK_AT`` on scratch.
"""

BLOCKS = 0
GROUPS = 1
ROWS = 2
CHANNELS = 3
NODES = 4
JAC_ROWS = 5
Y_AT = 6
WORK_AT = 7
TRAILING_AT = 8
MASS_AT = 9
JAC_AT = 10
ROW_AT = 11
X_AT = 12
NODE_AT = 13
PROGRAM_AT = 14
JAC_COLUMNS = 15
CHANNEL_NODES = 16
GATHER_AT = 17
CLEARS = 18
CLEAR_AT = 19
GIVEN_AT = 20
GIVEN_MASS = 21
GIVEN_JAC = 22
HEADER = 23

NODE_FIELDS = 7
