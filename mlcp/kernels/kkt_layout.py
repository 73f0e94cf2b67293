"""Header of the structured factorisation's integer table: where everything is.

``table[BLOCKS]`` and so on are counts or the positions of sub-tables in the same array:

- ``MASS_AT``: per mass block ``(panel position of its diagonal block, stride)``.
- ``JAC_AT``: per ``rows x 6`` block of ``jac`` the five numbers ``(start in jac, rows, panel
  position, step per row, step per column)``.
- ``ROW_AT``: per row the panel position of its diagonal entry.
- ``X_AT``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``NODE_AT``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``PROGRAM_AT``: per node ``(pivots, panel position, stride, first scalar, position of its list of
  column scalars, targets)``, then per target ``(rows, source column, panel position of the target's
  first row, stride, runs)``, then per run ``(source column, length, target column)``. The first
  run starts on the target's diagonal block.

The ``panels`` workspace holds, one after the other: a panel per node and the trailing channel panel
(C x C); from ``Y_AT`` on the forward-solved right-hand side in elimination order, channels last;
from ``WORK_AT`` on scratch.
"""

BLOCKS = 0
GROUPS = 1
ROWS = 2
CHANNELS = 3
NODES = 4
JAC_BLOCKS = 5
Y_AT = 6
WORK_AT = 7
TRAILING_AT = 8
MASS_AT = 9
JAC_AT = 10
ROW_AT = 11
X_AT = 12
NODE_AT = 13
PROGRAM_AT = 14
HEADER = 16

NODE_FIELDS = 7
