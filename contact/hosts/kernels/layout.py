"""Layout of the two blocks shared by a host and the ground solver.

``F`` has float64, ``N`` int64. ``N[:TABLE]`` is the header; ``N[TABLE + 2 k]`` is the start of array
number k in its own block, and ``N[TABLE + 2 k + 1]`` its length.
``python -m contact.hosts.header`` writes names, numbers and comments for C, into ``wheelground.h``.
"""

from __future__ import annotations

MAGIC = 0x7768656C  # value of N[0]
# Header.
MAGIC_AT, WHEELS, CHANNELS, SOLVER, TERRAIN, GRID_ROWS, GRID_COLUMNS = range(7)
FLOATS, INTS = 7, 8  # sizes of the blocks
CULPRIT = 9  # after an error: number of the wheel or row
ONLY_PYTHON = 10  # 1: soil map, ruts or a solver without a kernel; C cannot solve it
CONTACT_FLOATS, CONTACT_INTS = 11, 12  # start of the ``Contact`` of contact.kernels.data
TABLE = 16  # start of the table

# Stages of a call, to be added up.
DETECT, PROJECT, CHECK, SOLVE, REPORT = 1, 2, 4, 8, 16
ALL = DETECT | PROJECT | CHECK | SOLVE | REPORT
PREPARED = 32  # soils and ruts of this step are set by Python

# Arrays of the interface, in F. W wheels, C = 4 W channels.
# Inputs, written by the host before a call:
STEP = 0  # (1,) h [s]
POSITION = 1  # (W, 3) wheel centres, world [m]
AXIS = 2  # (W, 3) spin axes, unit, pointing left, world
TWIST = 3  # (W, 6) velocity of the centre [m/s], angular velocity [rad/s], world, start of the step
FREE_TWIST = 4  # (W, 6) twist at the end of the step without ground forces
MOBILITY = 5  # (6 W, 6 W) change of the twists per impulse [1/kg, 1/(kg m), 1/(kg m^2)]
# Results of a call:
WRENCH = 6  # (W, 6) force [N] and torque about the wheel centre [N m] on the wheel, world
POINT = 7  # (W, 3) contact point, world [m]
FRAME = 8  # (W, 9) normal, forward, left, world
STATE = 9  # (W, STATES) readings of each wheel, columns below
VERDICT = 10  # (4,) natural residual, passes, missed (0 or 1), error of the law
# Intermediate arrays, for hosts that compute the channels' quantities themselves:
MAP = 11  # (C, 6) channel velocities from each wheel's twist
GAP = 12  # (W,) gap of the undeformed tyre [m]
B = 13  # (C, C) Delassus matrix of the channels [1/kg]
U = 14  # (C,) channel velocities at the start of the step
U_FREE = 15  # (C,) channel velocities at its end without ground forces
TYRE = 16  # (W, TYRES)
SHAPE = 17  # record of the terrain
CHANGE = 18  # (C,) change of the channel velocities over the last step
TREND = 19  # (rows,) change of the rows' impulses over the last step [N s]
B_EVEN = 20  # (C, C) symmetric part of B
U_EVEN = 21  # (C,) U_FREE with the effect of the antisymmetric part of B
Q_SEEN = 22  # (C,) impulses of that effect
ARRAYS = 23

# Columns of STATE.
SLIP = 0  # ratio [-]
LOAD = 1  # normal force [N]
SINKAGE = 2  # of the soil [m]
COMPRESSION = 3  # of soil and tyre [m]
SLIDING = 4  # velocity of the contact point along the heading [m/s]
SPEED = 5  # of the centre along the heading [m/s]
LATERAL = 6  # of the contact point, to the left [m/s]
STATES = 7  # number of columns
# Columns of TYRE.
RADIUS, STIFFNESS = 0, 1
TYRES = 2

# Codes returned by a call.
DONE = 0
BAD_BLOCK = 1  # N[0] is not MAGIC
BAD_STEP = 2
NOT_FINITE = 3  # a number from the host
TOO_DEEP = 4  # a wheel's centre more than its radius below the ground
NOT_DEFINITE = 5  # not the mobility of a positive definite mass matrix
BAD_AXIS = 6  # not a unit vector, or along the ground's normal
NOT_FROM_C = 7  # varying ground or a solver without a kernel: call WheelsOnGround from Python
