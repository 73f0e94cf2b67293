"""Header of the structured factorisation's integer table: where everything is.

``table[BLOCKS]`` and so on are counts or the positions of sub-tables in the same array:

- ``MASS_AT``: per mass block ``(panel position of its diagonal block, stride)``.
- ``JAC_AT``: per row of six numbers of ``jac`` that is a row of a panel ``(start in jac, panel
  position)``; then per row that is a column there ``(start in jac, panel position, stride)``.
- ``ROW_AT``: per row the panel position of its diagonal entry.
- ``X_AT``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``NODE_AT``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``PROGRAM_AT``: per node ``(pivots, panel position, stride, first scalar, position of its list of
  column scalars, runs)``, then per run of columns that are neighbours in a later panel too ``(rows
  there, length, panel position of its first column, that of the rows' first ratio in the scratch,
  panel position of the target, stride there)``.
- ``GATHER_AT``: the same for lanes, by the panel that is written, those of the channel groups last.
  Per node ``(pivots, panel position, stride, first scalar, position of its list of column scalars,
  pieces, how far on its halves are or 0)``. Per piece of what an earlier panel has for this one
  ``(pivots, panel position, stride, first row's column, rows, panel position of the target, 1 where
  the rows' own columns come first, columns with something in the target, columns)`` and for each column
  where it is there and here. If a node's pivots fall into two halves that are apart: how many columns
  have something in the first, how many in any, and which these are.
- ``GIVEN_AT``: for lanes, of every number of ``mass`` that is not always zero its place there and panel
  position, then the same of ``jac``.
- ``CLEAR_AT``: panel positions that lanes zero: they are read before anything of the step is written.

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
