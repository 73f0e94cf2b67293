"""Header of the structured factorisation's integer table: positions of its parts.

``table[BLOCKS]`` and so on are counts or the positions of sub-tables in the same array:

- ``GIVEN_AT``: for each number of the upper halves of ``mass`` that is not always zero, then for each of
  ``jac``: its panel position in the upper 32 bits, its position in the array in the lower ones.
- ``ROW_AT``: per row the panel position of its diagonal entry.
- ``X_AT``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``NODE_AT``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``PROGRAM_AT``: per node ``(pivots, panel position, stride, first scalar, position of its list of
  column scalars, runs)``, then per run of up to ``LONGEST_RUN`` columns that are neighbours in a later
  panel too ``(rows of that target, length, panel position of the first column, position of the rows'
  first ratio in the scratch, panel position of the target, stride of the target)``.
- ``GATHER_AT``: the program for lanes (several vehicles side by side in one SIMD register), ordered by
  the panel that is written, panels of the channel groups last.
  Per node ``(pivots, panel position, stride, first scalar, position of its list of column scalars,
  pieces, offset to its halves or 0)``. Per piece of an earlier panel's update of this one
  ``(pivots, panel position, stride, first row's column, rows, panel position of the target, 1 if
  the rows' own columns come first, columns nonzero in the target, columns)`` and for each column its
  position in both panels. If a node's pivots fall into two uncoupled halves: the number of columns
  nonzero in the first, the number of nonzero columns, and their list.
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
Y_AT = 5
WORK_AT = 6
TRAILING_AT = 7
ROW_AT = 8
X_AT = 9
NODE_AT = 10
PROGRAM_AT = 11
CHANNEL_NODES = 12
GATHER_AT = 13
CLEARS = 14
CLEAR_AT = 15
GIVEN_AT = 16
GIVEN_MASS = 17
GIVEN_JAC = 18
HEADER = 19

NODE_FIELDS = 7
LONGEST_RUN = 8
