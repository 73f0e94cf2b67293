"""Records of a machine for the compiled step: joints, couplings, forces, surfaces, shapes, wheels.

The arrays of these records are in ``data.RunData``. The body with number ``bodies`` is the ground: its
pose is the identity, its velocity zero; kernels write the ground's results to a dummy area.
"""

from contact.kernels.wheel.layout import TRAIL_ANGLES, TRAIL_LOADS
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

WRENCHES = 12  # numbers stored per force element for its work, e.g. six impulses on each of two bodies
# Status of a run: RUNNING, or the reason of its stop; IDLE: lane (of several vehicles side by side in
# one SIMD register) without a vehicle.
IDLE, RUNNING, REORDER, NOT_FINITE, JOINTS_OPEN, OFF_STROKE = range(-1, 5)
# Use of a coordinate: OBSERVED: output only; USED: in rows or forces; MEASURED: also in position errors.
OBSERVED, USED, MEASURED = 0, 1, 2


class ClockRecord(Record):
    """Time, settings of the run, and the largest errors of its steps."""

    time = number("s", "time of the current pose")
    step = number("s", "step length h")
    gravity = numbers(3, "m/s^2", "acceleration of gravity, world axes")
    tolerance = number("m, rad", "largest joint error without a projection in the step")
    error_m = number("m", "present largest joint error")
    error_rad = number("rad", "present largest joint error of angles")
    residual = number("-", "natural residual of the last step")
    residual_max = number("-", "largest residual since the start")
    pivot = number("-", "smallest scaled pivot of the last factorisation")
    projections = number("-", "largest number of projections in a step")
    friction_tolerance = number("-", "tolerance on the directions of sliding cones, as a sine")
    error_m_max = number("m", "largest joint error since the start")
    error_rad_max = number("rad", "largest joint error of angles since the start")
    recovery = number("-", "fraction of a penetration removed in a step")
    bounce_speed = number("m/s", "least approach speed for restitution")
    pivot_planned = number("-", "smallest scaled pivot when the elimination order was chosen")
    solver_tolerance = number("-", "tolerance on the natural residual")
    parted = number("m", "joint error that ends a run")
    speeds = number("m/s, rad/s", "sum of all velocities: NaN or infinite if one of them is")
    spare = numbers(3, "", "")


class Count(Record):
    """Numbers of parts, steps and passes (contact iterations); codes of solver and status."""

    bodies = integer("bodies without the ground")
    joints = integer("joints and bushings")
    coordinates = integer("joint coordinates")
    couplings = integer("rows over joint coordinates")
    forces = integer("explicit force elements")
    inputs = integer("input signals")
    rows = integer("bilateral rows")
    channels = integer("bounded rows")
    contacts = integer("rigid contacts")
    wheels = integer("wheels on soil and on hard ground")
    solver = integer("code of the solver of the reduced contact problem")
    steps = integer("completed steps")
    missed = integer("steps whose contact solve did not reach its tolerance")
    iterations = integer("passes of the contact solves of all steps")
    groups = integer("nodes of the factorisation")
    status = integer("RUNNING, or the reason of the stop")
    unused = integers(3, "")
    soil_wheels = integer("wheels on soil; they come first")
    recording = integer("1: account for the work of every element")
    varies = integer("1: ground with soil maps or memory of ruts")
    spare = integers(2, "")


class EndsRecord(Record):
    """Points and frames of a joint or coordinate on its two bodies, in the axes of each body."""

    a = integer("body a")
    b = integer("body b")
    point_a = numbers(3, "m", "from the centre of mass of body a, axes of a")
    point_b = numbers(3, "m", "from the centre of mass of body b, axes of b")
    axes_a = numbers(9, "-", "row by row, in the axes of a; the third column is the joint's axis")
    axes_b = numbers(9, "-", "row by row, in the axes of b")


class JointRecord(Record):
    """A joint or bushing: a node of the factorisation."""

    kind = integer("index in codes.JOINTS")
    ends = nested(EndsRecord, "points and frames on its bodies")
    jac_a = integer("start of body a's block of the Jacobian")
    jac_b = integer("start of body b's block of the Jacobian")
    row = integer("number of its first row")
    p = numbers(12, "", "parameters of the joint's kind")


class CoordinateRecord(Record):
    """A scalar joint coordinate."""

    kind = integer("angle, translation or length")
    ends = nested(EndsRecord, "points and frames of its joint")
    use = integer("OBSERVED, USED or MEASURED")


class CouplingRecord(Record):
    """A coupling (constraint row over joint coordinates): gear, drive, spring, engine, brake, clutch or
    stop."""

    kind = integer("index in codes.COUPLINGS")
    terms = integer("number of combined coordinates")
    row = integer("number of its row, or of its channel if bounded")
    signal = integers(2, "numbers of its inputs, -1: none")
    table = integers(2, "numbers of its tables, -1: none")
    jac = integer("start of its block of the Jacobian")
    jac_size = integer("length of that block")
    other = integer("number of the coupling whose impulse its law needs, -1: none")
    term = integers(9, "for each term: coordinate, starts of the Jacobian blocks of bodies a and b")
    coefficient = numbers(3, "", "coefficients of the terms")
    start = number("rad, m", "value of the combination in the described pose")
    p = numbers(4, "", "parameters of the coupling's kind")


class ForceRecord(Record):
    """An explicit force, without a constraint row: torque on a coordinate, drag, force on a body's point
    or draft of a tool."""

    kind = integer("index in codes.FORCES")
    target = integer("number of its coordinate or body")
    input = integer("number of the input signal with the force")
    coefficient = number(
        "N s^2/m^2", "drag: factor; point force: 1 if its direction turns with the body; draft: v_0"
    )
    vector = numbers(
        3, "m/s", "drag: wind, world axes; point force: direction [-]; draft: coefficients by speed"
    )
    point = numbers(3, "m", "point of action from the centre of mass, axes of the body")


class TablePlace(Record):
    """Range of a piecewise linear table within the points of all tables."""

    first = integer("index of its first point")
    count = integer("number of its points")


class InputSource(Record):
    """Schedule of an input signal."""

    table = integer("number of its schedule's table, -1: value set by the caller")
    stepped = integer("1: piecewise constant schedule, 0: piecewise linear")
    middle = integer("1: evaluated in the middle of a step (explicit force), 0: at the step's end")


class Group(Record):
    """A node of the factorisation: a joint, a coupling, a contact, a wheel."""

    rows = integer("number of rows")
    bodies = integer("number of moving bodies")
    jac = integer("start of its blocks in the Jacobian")
    body = integers(4, "numbers of the bodies")


class SurfaceRecord(Record):
    """A surface under wheels or rigid shapes."""

    kind = integer("code of the surface")
    first = integer("index of its first number in the data of all surfaces")
    nx = integer("points of its grid along x; rows of a terrain")
    ny = integer("points of its grid along y; columns of a terrain")


class ShapeRecord(Record):
    """A rigid shape on a body, in contact with the surface of another body."""

    kind = integer("code of the shape")
    a = integer("number of its body")
    b = integer("number of the surface's body")
    surface = integer("number of the surface")
    points = integer("largest number of contact points")
    row = integer("number of its first channel")
    first_point = integer("number of its first contact point")
    cone = integer("1: friction cone, 0: box")
    centre = numbers(3, "m", "centre, axes of its body")
    axes = numbers(9, "-", "axes of the shape, in the axes of its body")
    size = numbers(3, "m", "half edges, or radius and half length")
    friction = number("-", "coefficient of friction")
    restitution = number("-", "coefficient of restitution")
    spare = numbers(3, "", "")


class PointRecord(Record):
    """A point of a rigid contact."""

    position = numbers(3, "m", "position, world axes")
    gap = number("m", "distance to the surface, negative: penetration")
    normal = numbers(3, "-", "normal of the surface, world axes")
    spare = number("", "")


class PointPlace(Record):
    """Starts of a contact point's blocks in the Jacobian."""

    jac_a = integer("start of the block of body a")
    jac_b = integer("start of the block of body b")


class WheelGeometry(Record):
    """A wheel: its position on the body, and the tyre of a wheel on hard ground."""

    body = integer("number of the spinning body")
    surface = integer("number of its ground surface")
    row = integer("number of its first channel")
    jac = integer("start of its block in the Jacobian")
    channels = integer("3: normal, longitudinal, lateral; 4: also velocity of the centre")
    trails = integer("pneumatic trail of the lateral force: 1 of the tyre, 2 of the soil, 0 none")
    centre = numbers(3, "m", "wheel centre, axes of its body")
    axis = numbers(3, "-", "spin axis to the left, axes of its body")
    radius = number("m", "undeformed radius")
    width = number("m", "width of the tyre")
    friction = number("-", "coefficient of friction on hard ground")
    rolling = number("-", "coefficient of rolling resistance on hard ground")
    stiffness = number("N/m", "stiffness of the tyre on hard ground")
    damping = number("N s/m", "damping of the tyre on hard ground")
    gamma = number("rad", "crossover slip angle on hard ground, 0: Coulomb's friction")
    cone = number("-", "1: one friction cone for both directions on hard ground, 0: box")
    give = number("m/N", "compliance of the tyre on soil")
    slack = number("m/N", "reduction of the effective rolling radius by the load")
    trail = number("-", "pneumatic trail over half the contact length, at zero slip angle")
    slope = number("-", "tangent of the slip angle of zero trail, or of the middle of a soil's table")
    lightest = number("N", "first load in the table of a soil's trail")
    heavier = number("-", "logarithm of the ratio of successive loads in this table")
    lengths = numbers(TRAIL_ANGLES * TRAIL_LOADS, "m", "trails of this table, by slip angle, then load")


class WheelFrame(Record):
    """Frame of a wheel at the start of the step, world axes."""

    centre = numbers(3, "m", "wheel centre")
    point = numbers(3, "m", "contact point")
    normal = numbers(3, "-", "normal of the ground at the contact point; of length 1 on a plane")
    forward = numbers(3, "-", "unit vector along the heading, in the ground")
    left = numbers(3, "-", "unit vector to the left, in the ground")
    gap = number("m", "gap of the undeformed tyre, negative when compressed")
    velocity = numbers(4, "m/s", "velocities of its channels")
    rolling = number("N s", "impulse of the rolling moment over the radius, in the last step")
