"""Where everything lies in the two flat workspaces ``F`` (float64) and ``N`` (int64).

``N`` starts with pairs (start, stop), first of every float array, then of every int array; the
names below are the positions in those lists. Body index ``nb`` is the ground: its pose is the
identity, its velocity zero, and what is written for it goes to a dummy area.
"""

from __future__ import annotations

from .records import Clock, Count

# Up to where the arrays of each kind go.
STATE_FLOATS, MODEL_FLOATS, N_FLOATS = 17, 42, 89
STATE_INTS, MODEL_INTS, N_INTS = 3, 35, 40

# state floats: saving these restores the future bit for bit
(
    SCALAR,
    POSITION,
    QUATERNION,
    VELOCITY,
    COORDINATE,
    INPUT,
    APPLIED,
    IMPULSE,
    CHANNEL_IMPULSE,
    WORK_DONE,
    MEMORY,
    SOIL_Z,
    SOIL_BRISTLE,
    ERROR,
    WHEEL_STATE,
    SOIL_U,
    OIL,
) = range(STATE_FLOATS)
# model floats: constant during a run
(
    MASS,
    INERTIA,
    JOINT_DATA,
    COORDINATE_DATA,
    COUPLING_DATA,
    FORCE_DATA,
    TABLE_X,
    TABLE_Y,
    CONTACT_DATA,
    SURFACE_DATA,
    WHEEL_DATA,
    SCALE,
    SOIL_FLOATS,
    SOIL_LAW,
    SOIL_TABLE,
    SOIL_SETTINGS,
    SOIL_LATERAL,
    SOIL_DEEPEST,
    GROUND_DATA,
    PATCH_DATA,
    PATCH_CORNERS,
    SOIL_STRENGTH,
    ROW_COEFFICIENT,
    SOLVER_SETTINGS,
    OIL_MODEL,
) = range(STATE_FLOATS, MODEL_FLOATS)
# work floats: rewritten in every step
(
    ROTATION,
    COORDINATE_JAC,
    COORDINATE_RATE,
    MASS_BLOCK,
    JACOBIAN,
    COMPLIANCE,
    BIAS,
    MOMENTUM,
    PANELS,
    SCRATCH,
    DELASSUS,
    FREE,
    CHANNEL_COMPLIANCE,
    CHANNEL_BIAS,
    CHANNEL_LOWER,
    CHANNEL_UPPER,
    CORRECTION,
    CORRECTION_IMPULSE,
    NOTHING,
    POINT,
    VELOCITY_START,
    REDUCED,
    REDUCED_VECTOR,
    REDUCED_WORK,
    CHANNEL_COEFFICIENT,
    FRAME,
    SOIL_NOW,
    SOIL_E,
    SOIL_BIAS,
    SOIL_LOWER,
    SOIL_UPPER,
    SOIL_A,
    SOIL_B,
    SOIL_WORK,
    SOIL_Q,
    SOIL_REPORT,
    SOIL_START,
    SOIL_GAP,
    SOIL_WEIGHT,
    SOIL_RUT,
    ROW_NOTHING,
    FORCE_WRENCH,
    EXCESS,
    POSITION_START,
    QUATERNION_START,
    SOIL_PASSES,
    OIL_WORK,
) = range(MODEL_FLOATS, N_FLOATS)
# state ints, model ints, work ints
(COUNT_I, CHANNEL_ACTIVE_I, SOIL_ACTIVE_I) = range(STATE_INTS)
(
    JOINT_I,
    COORDINATE_I,
    COUPLING_I,
    FORCE_I,
    INPUT_TABLE_I,
    TABLE_I,
    ROW_ANGULAR_I,
    CONTACT_I,
    SURFACE_I,
    WHEEL_I,
    PLAN_I,
    PLACE_I,
    CHANNEL_PARENT_I,
    CHANNEL_PARTNER_I,
    CHANNEL_SOFT_I,
    SOIL_I,
    SOIL_CHANNEL_I,
    SOIL_MINUS_I,
    SOIL_LAWS_I,
    SOIL_SIDES_I,
    PATCH_I,
    GROUP_I,
    BODY_FREE_I,
    GROUND_I,
    ROW_PARENT_I,
    ROW_PARTNER_I,
    ROW_PROXIMAL_I,
    CONTACT_TABLE_I,
    FRICTION_TABLE_I,
    OIL_TABLE_I,
    OIL_HOME_I,
    OIL_I,
) = range(STATE_INTS, MODEL_INTS)
(CHANNEL_LIVE_I, REDUCED_INDEX_I, REDUCED_ACTIVE_I, SOIL_VARIANT_I, ROW_LIVE_I) = range(
    MODEL_INTS, N_INTS
)
LANES = 8  # vehicles side by side: one vector register of AVX-512, two of AVX2
# Where N says where the tables of the inner bundles stand: ``contact``'s own, and the circuit's.
CONTACT_PLACE, FRICTION_PLACE = 2 * (N_FLOATS + CONTACT_TABLE_I), 2 * (N_FLOATS + FRICTION_TABLE_I)
OIL_PLACE = 2 * (N_FLOATS + OIL_TABLE_I)

# Places in SCALAR, which is a ``Clock``.
TIME: int = Clock.time.offset
STEP: int = Clock.step.offset
TOLERANCE: int = Clock.tolerance.offset
RESIDUAL: int = Clock.residual.offset
RESIDUAL_MAX: int = Clock.residual_max.offset
PROJECTIONS: int = Clock.projections.offset
FRICTION_TOLERANCE: int = Clock.friction_tolerance.offset
ERROR_M_MAX: int = Clock.error_m_max.offset
ERROR_RAD_MAX: int = Clock.error_rad_max.offset
RECOVERY: int = Clock.recovery.offset
BOUNCE_SPEED: int = Clock.bounce_speed.offset
PIVOT_PLANNED: int = Clock.pivot_planned.offset
SOLVER_TOLERANCE: int = Clock.solver_tolerance.offset
PARTED: int = Clock.parted.offset
GX, GY, GZ = range(Clock.gravity.offset, Clock.gravity.offset + 3)
# What of SCALAR and COUNT is the model's or the simulation's own: no state brings it along.
SETTINGS = (STEP, GX, GY, GZ, TOLERANCE, PROJECTIONS, FRICTION_TOLERANCE, RECOVERY, BOUNCE_SPEED)
SETTINGS += (SOLVER_TOLERANCE, PARTED)
# Places in COUNT, which is a ``Count``.
BODIES: int = Count.bodies.offset
JOINTS: int = Count.joints.offset
COORDINATES: int = Count.coordinates.offset
COUPLINGS: int = Count.couplings.offset
FORCES: int = Count.forces.offset
INPUTS: int = Count.inputs.offset
ROWS: int = Count.rows.offset
CHANNELS: int = Count.channels.offset
CONTACTS: int = Count.contacts.offset
WHEELS: int = Count.wheels.offset
SOLVER: int = Count.solver.offset
STEPS: int = Count.steps.offset
MISSED: int = Count.missed.offset
ITERATIONS: int = Count.iterations.offset
GROUPS: int = Count.groups.offset
STATUS: int = Count.status.offset
SOIL_WHEELS: int = Count.soil_wheels.offset
BOOKING: int = Count.booking.offset
VARIES: int = Count.varies.offset
COUNTED = (STEPS, MISSED, ITERATIONS)  # what of COUNT is state
