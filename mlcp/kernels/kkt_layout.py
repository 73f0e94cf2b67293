"""Header of the structured factorisation's integer table: where everything is.

``table[BLOCKS]`` and so on are counts or the positions of sub-tables in the same array:

- ``MASS_AT``: per mass block ``(panel position of its diagonal block, stride)``.
- ``RHS_AT``: per scalar of ``[momentum; bias]`` its position in the panels' last column.
- ``JAC_AT``: per ``rows x 6`` block of ``jac`` the five numbers ``(start in jac, rows, panel
  position, step per row, step per column)``.
- ``ROW_AT``: per row the panel position of its diagonal entry.
- ``X_AT``: per scalar of ``[velocity; impulse]`` its place in elimination order.
- ``NODE_AT``: per node in elimination order ``(pivots, panel position, stride, first scalar,
  columns without channels, columns with channels, position of its list of column scalars)``.
- ``PROGRAM_AT``: per node ``(pivots, panel position, stride, targets)``, then per target ``(rows,
  source column, panel position of the target's first row, stride, runs)``, then per run
  ``(source column, length, target column)``. The first run starts on the target's diagonal.
"""

BLOCKS = 0
GROUPS = 1
ROWS = 2
CHANNELS = 3
NODES = 4
PANEL_SIZE = 5
JAC_BLOCKS = 6
MASS_AT = 7
RHS_AT = 8
JAC_AT = 9
ROW_AT = 10
X_AT = 11
NODE_AT = 12
PROGRAM_AT = 13
TRAILING_AT = 14  # panel position of the trailing channel panel, C x (C + 1)
HEADER = 16

NODE_FIELDS = 7
