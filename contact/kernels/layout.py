"""Where things stand in the flat arrays of the wheel-ground kernels. One place, no magic numbers.

Channels are velocities that the host sees; rows are what the complementarity problem sees. Two
rows may share a channel: the smooth part of the thrust and its set-valued part both act on the
sliding velocity.
"""

from __future__ import annotations

# Channels of one wheel, velocities [m/s]; impulses q on them [N s].
NORMAL = 0  # contact point against the ground, along the ground normal, separating positive
SLIDING = 1  # contact point along the wheel's heading, v_t = v_x - omega r
LATERAL = 2  # contact point to the left
CENTRE = 3  # wheel centre along the wheel's heading, v_x
CHANNELS = 4

# Rows of one wheel.
ROW_NORMAL = 0  # on NORMAL: tyre and soil stiffness, p >= 0
ROW_TRACTION = 1  # on SLIDING: the smooth odd part of the thrust, regularised
ROW_STICK = 2  # on SLIDING: the set-valued part of the thrust (and all of it at rest)
ROW_RESISTANCE = 3  # on CENTRE: motion resistance, set-valued
ROWS = 4  # that every wheel has; after them, for a wheel that needs them:
# SPIN_ROW, on CENTRE - SLIDING = omega r: rolling moment, set-valued
# LATERAL_ROW and the row after it, on LATERAL: smooth and set-valued part of the lateral force

# Integers that describe one wheel: columns of wheel_i.
FIRST_CHANNEL = 0
FIRST_ROW = 1
LAW = 2
SCHEME = 3
SMOOTH_SLIP = 4  # 1: eq 7 instead of eqs 5-6
SPIN_ROW = 5  # row of the rolling moment, -1: none
LATERAL_ROW = 6  # first of the two lateral rows, -1: none
LATERAL_LAW = 7
ELLIPSE = 8  # 1: thrust and lateral force share one ellipse
WHEEL_INTS = 9

# Numbers that describe one wheel: columns of wheel_p.
V_0 = 0  # floor of v_max [m/s]
V_MIN = 1  # of the smooth slip, eq 7 [m/s]
ETA_N = 2  # damping time of the normal row, eq 22 [s]
SIGMA_0 = 3  # LuGre: bristle stiffness [N/m], damping and viscosity [N s/m], hold speed [m/s]
SIGMA_1 = 4
SIGMA_2 = 5
V_HOLD = 6
ANGLE_HOLD = 7  # slip angle of the lateral envelope's floor at speed [rad], 0: none
WHEEL_FLOATS = 8

# What the step works with for one wheel: columns of wheel_w. Starred: the linearisation point.
LOAD = 0  # F_n* [N]
SLIP = 1  # i_s*
V_T = 2  # v_t* [m/s]
V_X = 3  # v_x* [m/s]
V_MAX = 4  # v_max* [m/s]
DIRECTION = 5  # d*
SLIP_LOW = 6  # bracket of the end-of-step slip, implicit scheme
SLIP_HIGH = 7
AT_REST = 8  # 1: the pure set-valued row
STANDING = 9  # 1: v_max <= v_0, rim and centre stand: resistance holds with gamma(0)
MISMATCH = 10  # traction against the law at the end of the step, relative to the peak
GAMMA = 11  # resistance ratio the resistance row was laid with
SLOPE_SHARE = 12  # slope of the traction row, as a share of eq 28's
RHO = 13  # rolling-moment ratio the spin row was laid with
V_Y = 14  # lateral velocity of the linearisation point [m/s]
SHARE = 15  # ellipse: what is left of thrust and lateral force, in (0, 1]
DAMPING_X = 16  # LuGre: sigma_1 of the step, kept within the passive range
DAMPING_Y = 17
STALLS = 18  # passes of the step whose slip came out to and fro without closing in
GRIP_RATIO = 19  # LuGre: envelope over load, from the slip at the start of the step
REST_X = 20  # ellipse at rest: shares of the two capacities that bound the forces
REST_Y = 21
HOLD_X = 22  # the full capacities at rest [N s]
HOLD_Y = 23
# The laws as last evaluated: where, and what came out. They are asked for the same point several
# times in a pass, and again in the next.
LAW_SLIP = 24
LAW_DIRECTION = 25
LAW_V_MAX = 26
LAW_LOAD = 27
LAW_VALUES = 28  # six
LATERAL_V_X = 34
LATERAL_V_Y = 35
LATERAL_LOAD = 36
LATERAL_VALUES = 37  # three
COUNT = 40  # passes of the step so far
STEP_SHARE = 41  # of the way to the next linearisation point that this pass goes
FROM_T = 42  # where the last pass was linearised: v_t, v_x, v_y [m/s], F_n [N], i_s
FROM_X = 43
FROM_Y = 44
FROM_LOAD = 45
LAW_SHIFT = 46  # thrust at zero slip that the values have as rolling moment instead
SHIFT = 47  # and that the spin row was laid with, part of RHO
ROLLING = 48  # rolling moment T_rr of the step over the radius, on omega r [N s]
FROM_SLIP = 49
LEAST_WAY = 50  # squared ways of all wheels, from in to out: the shortest of a pass so far, and the last
WAY = 51
LAST_WAY = 52  # of the slip in the pass before
FOLD = 53  # how far to go on, in ways of a pass, where Newton would turn back
HELD_Y = 54  # 1: a wheel that spins where its centre stands, held sideways
BESIDE = 55  # its lateral force in the last pass, over its capacity: thrust keeps beside it
WHEEL_WORK = 56

# Bristle deflections of one wheel [m].
BRISTLE_X = 0
BRISTLE_Y = 1
BRISTLES = 2

# Schemes, in the order of contact.REGULARISATIONS.
SET_VALUED = 0
GLOBAL = 1
LOCAL = 2
LOCAL_CURRENT = 3
IMPLICIT = 4
LUGRE = 5  # bristle rows instead of a regularisation; not in that table

# Solvers with a kernel.
DIRECT = 0
PGS = 1
NEWTON = 2

# What one step reports: columns of the report.
RESIDUAL = 0  # natural residual of the step's last problem
PASSES = 1  # problems solved in the step
MISSED = 2  # 1: the ground law or the solver missed its tolerance
AGREEMENT = 3  # largest MISMATCH over the wheels
REPORT = 4

# [m/s] Rows whose b is smaller are judged as if it were this: of what stands, b is round-off.
REST = 1e-3

# Settings of the contact solve: columns of the settings array.
LAW_TOLERANCE = 0  # on the agreement with the ground law, relative to the peak force
SOLVER_TOLERANCE = 1  # on the natural residual
MAX_PASSES = 2
MAX_ITERATIONS = 3  # of the solver: sweeps or pivots
RELAXATION = 4  # of PGS
SETTINGS = 5
