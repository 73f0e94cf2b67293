"""Where everything lies in the two blocks that a host shares with the ground solver.

``F`` holds float64, ``N`` int64. ``N[:TABLE]`` is the header; ``N[TABLE + 2 k]`` is where array
number k begins, counted in its own block, and ``N[TABLE + 2 k + 1]`` how many numbers it has.
``python -m contact.hosts.header`` writes names, numbers and comments for C, into ``wheelground.h``.
"""

from __future__ import annotations

MAGIC = 0x7768656C  # what N[0] must be
# Header.
MAGIC_AT, WHEELS, CHANNELS, SOLVER, TERRAIN, GRID_ROWS, GRID_COLUMNS = range(7)
FLOATS, INTS = 7, 8  # sizes of the blocks
CULPRIT = 9  # after an error: which wheel or row
ONLY_PYTHON = 10  # 1: soil map, ruts or a solver without a kernel; C cannot solve it
CONTACT_FLOATS, CONTACT_INTS = 11, 12  # where the ``Contact`` of contact.kernels.data begins
TABLE = 16  # where the table begins

# Stages of a call, to be added up.
DETECT, PROJECT, CHECK, SOLVE, REPORT = 1, 2, 4, 8, 16
ALL = DETECT | PROJECT | CHECK | SOLVE | REPORT
PREPARED = 32  # Python has put the soils and the ruts of this step in place

# Arrays of the interface, in F. W wheels, C = 4 W channels.
# What the host writes before a call:
STEP = 0  # (1,) h [s]
POSITION = 1  # (W, 3) wheel centres, world [m]
AXIS = 2  # (W, 3) spin axes, unit, pointing left, world
TWIST = 3  # (W, 6) velocity of the centre [m/s], angular velocity [rad/s], world, start of the step
FREE_TWIST = 4  # (W, 6) the same at the end of the step without ground forces
MOBILITY = 5  # (6 W, 6 W) change of the twists per impulse [1/kg, 1/(kg m), 1/(kg m^2)]
# What it reads afterwards:
WRENCH = 6  # (W, 6) force [N] and torque about the wheel centre [N m] on the wheel, world
POINT = 7  # (W, 3) contact point, world [m]
FRAME = 8  # (W, 9) normal, forward, left, world
STATE = 9  # (W, STATES) what each wheel feels, columns below
VERDICT = 10  # (4,) natural residual, passes, missed (0 or 1), agreement with the law
# What lies between, for hosts that make the channels' quantities themselves:
MAP = 11  # (C, 6) channel velocities from each wheel's twist
GAP = 12  # (W,) of the undeformed tyre [m]
B = 13  # (C, C) [1/kg]
U = 14  # (C,) channel velocities at the start of the step
U_FREE = 15  # (C,) and at its end without ground forces
TYRE = 16  # (W, TYRES)
SHAPE = 17  # record of the terrain
CHANGE = 18  # (C,) change of the channel velocities over the last step
TREND = 19  # (rows,) change of the rows' impulses over the last step [N s]
B_EVEN = 20  # (C, C) symmetric part of B
U_EVEN = 21  # (C,) U_FREE and what the rest of B makes of the impulses
Q_SEEN = 22  # (C,) those impulses
ARRAYS = 23

# Columns of STATE.
SLIP = 0  # ratio [-]
LOAD = 1  # normal force [N]
SINKAGE = 2  # of the soil [m]
COMPRESSION = 3  # of soil and tyre [m]
SLIDING = 4  # velocity of the contact point along the heading [m/s]
SPEED = 5  # of the centre along the heading [m/s]
LATERAL = 6  # of the contact point, to the left [m/s]
STATES = 7  # how many
# Columns of TYRE.
RADIUS, STIFFNESS = 0, 1
TYRES = 2

# What a call returns.
DONE = 0
BAD_BLOCK = 1  # N[0] is not MAGIC
BAD_STEP = 2
NOT_FINITE = 3  # a number from the host
TOO_DEEP = 4  # a wheel's centre more than its radius below the ground
NOT_DEFINITE = 5  # no positive definite mass matrix can give this mobility
BAD_AXIS = 6  # no unit vector, or along the ground's normal
NOT_FROM_C = 7  # the ground varies or its solver has no kernel: call WheelsOnGround from Python
