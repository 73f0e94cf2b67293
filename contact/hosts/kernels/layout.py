"""Integers of the interface: header of a ``block``, stages of a call, codes that a call returns."""

MAGIC = 0x7768656C  # value of N[0] in every block of this interface
# Positions in the header, the first TABLE integers of a block's array N.
MAGIC_AT, WHEELS, CHANNELS, SOLVER, TERRAIN, GRID_ROWS, GRID_COLUMNS = range(7)
FLOATS, INTS = 7, 8  # positions of the lengths of the two arrays
CULPRIT, ONLY_PYTHON = 9, 10
TABLE = 16

# Stages of a call, to be added up.
DETECT, PROJECT, CHECK, SOLVE, REPORT = 1, 2, 4, 8, 16
ALL = DETECT | PROJECT | CHECK | SOLVE | REPORT
PREPARED = 32  # flag of a call: Python has set the soils and ruts of this step

# Codes returned by a call.
DONE, BAD_BLOCK, BAD_STEP, NOT_FINITE, TOO_DEEP, NOT_DEFINITE, BAD_AXIS, NOT_FROM_C = range(8)

#: Meanings of the constants whose names need an explanation.
MEANINGS = {
    "TABLE": "start of the table of offsets",
    "CULPRIT": "after an error: number of the wheel",
    "ONLY_PYTHON": "1: soil map, ruts or a solver without a kernel; C cannot solve it",
    "BAD_BLOCK": "N[0] is not MAGIC",
    "NOT_FINITE": "a number from the host",
    "TOO_DEEP": "a wheel's centre more than its radius below the ground",
    "NOT_DEFINITE": "not the mobility of a positive definite mass matrix",
    "BAD_AXIS": "not a unit vector, or along the ground's normal",
    "NOT_FROM_C": "varying ground or a solver without a kernel: call WheelsOnGround from Python",
}
