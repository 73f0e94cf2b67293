"""Records of a machine for the compiled step: joints, couplings, wheels...

``data`` is the bundle of all of them. Body number ``bodies`` is the ground: its pose is the identity,
its velocity zero, and writes for it go to a dummy area.
"""

from __future__ import annotations

from contact.kernels.wheel.layout import TRAIL_ANGLES, TRAIL_LOADS
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

WRENCHES = 12  # numbers stored of a force element: impulse on body a, on body b; factor of a drag
# Status of a run: running, or the reason of its stop; IDLE: lane without a vehicle.
IDLE, RUNNING, REORDER, NOT_FINITE, JOINTS_OPEN, OFF_STROKE = range(-1, 5)
OBSERVED, USED, MEASURED = 0, 1, 2  # use of a coordinate: no row; rows or forces; joint errors too


class ClockRecord(Record):
    """Time, settings of the run, and the largest errors of its steps."""

    time = number("s", "of the pose")
    step = number("s", "step length h")
    gravity = numbers(3, "m/s^2", "world axes")
    tolerance = number("m, rad", "largest joint error without a projection in the step")
    error_m = number("m", "present largest joint error")
    error_rad = number("rad", "present largest joint error of angles")
    residual = number("-", "natural residual of the last step")
    residual_max = number("-", "largest residual since the start")
    pivot = number("-", "smallest scaled pivot of the last factorisation")
    projections = number("-", "largest number of projections a step")
    friction_tolerance = number("-", "tolerance on the directions of sliding cones (sine)")
    error_m_max = number("m", "largest joint error since the start")
    error_rad_max = number("rad", "largest joint error of angles since the start")
    recovery = number("-", "fraction of a penetration removed in a step")
    bounce_speed = number("m/s", "least approach speed for restitution")
    pivot_planned = number("-", "smallest scaled pivot when the order was chosen")
    solver_tolerance = number("-", "tolerance on the natural residual")
    parted = number("m", "joint error that ends a run")
    speeds = number("m/s, rad/s", "sum of all velocities: NaN or infinite if one of them is")
    spare = numbers(3, "", "")


class Count(Record):
    """Numbers of parts, steps and passes."""

    bodies = integer("without the ground")
    joints = integer("with bushings")
    coordinates = integer("of joints")
    couplings = integer("of coordinates")
    forces = integer("force elements that are not rows")
    inputs = integer("of the machine")
    rows = integer("bilateral")
    channels = integer("bounded rows")
    contacts = integer("rigid contacts")
    wheels = integer("of all kinds")
    solver = integer("code of the solver of the reduced contact problem")
    steps = integer("completed steps")
    missed = integer("steps beyond their tolerance")
    iterations = integer("passes of all steps")
    groups = integer("nodes of the factorisation")
    status = integer("RUNNING, or the reason of the stop")
    unused = integers(3, "")
    soil_wheels = integer("wheels on soil; they come first")
    recording = integer("1: account for the work of every element")
    varies = integer("1: ground with soil maps or ruts")
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
    row = integer("its first row")
    p = numbers(12, "", "parameters of its kind")


class CoordinateRecord(Record):
    """A scalar joint coordinate."""

    kind = integer("angle, translation or length")
    ends = nested(EndsRecord, "those of its joint")
    use = integer("WATCHED, USED or MEASURED")


class CouplingRecord(Record):
    """A row over coordinates: gear, drive, spring, engine, brake, clutch, stop."""

    kind = integer("index in codes.COUPLINGS")
    terms = integer("number of combined coordinates")
    row = integer("its row, or its channel if bounded")
    signal = integers(2, "numbers of its inputs, -1: none")
    table = integers(2, "numbers of its tables, -1: none")
    jac = integer("start of its block of the Jacobian")
    jac_size = integer("length of that block")
    other = integer("number of another coupling, for its impulse, -1: none")
    term = integers(9, "for each term: coordinate, start of body a's block, of body b's")
    coefficient = numbers(3, "", "of the terms")
    start = number("rad, m", "value of the combination in the described pose")
    p = numbers(4, "", "parameters of its kind")


class ForceRecord(Record):
    """An explicit force: on a coordinate, the drag of a body, or on a point of it."""

    kind = integer("index in codes.FORCES")
    target = integer("number of its coordinate or body")
    input = integer("number of the input with the force")
    coefficient = number(
        "N s^2/m^2", "of drag; of a point force 1: direction turns with the body; v_0 of a draft"
    )
    vector = numbers(
        3, "m/s", "wind, world axes; direction [-], axes of the body if it turns; d of a draft"
    )
    point = numbers(3, "m", "point of action from the centre of mass, axes of the body")


class TablePlace(Record):
    """Range of a piecewise linear table within the points of all tables."""

    first = integer("its first point")
    count = integer("number of points")


class InputSource(Record):
    """Source of an input's value."""

    table = integer("number of its schedule's table, -1: set from outside")
    stepped = integer("1: piecewise constant schedule")
    middle = integer("1: evaluated in the middle of a step, for an explicit force's mean; 0: at its end")


class Group(Record):
    """A node of the factorisation: a joint, a coupling, a contact, a wheel."""

    rows = integer("number of rows")
    bodies = integer("number of moving bodies")
    jac = integer("start of its blocks of the Jacobian")
    body = integers(4, "numbers of the bodies")


class SurfaceRecord(Record):
    """A surface under wheels or rigid shapes."""

    kind = integer("code of the surface")
    first = integer("its first number")
    nx = integer("points of its grid along x; rows of a terrain")
    ny = integer("points of its grid along y; columns of a terrain")


class ShapeRecord(Record):
    """A rigid shape on a body, in contact with the surface of another body."""

    kind = integer("code of the shape")
    a = integer("its body")
    b = integer("body of the surface")
    surface = integer("number of the surface")
    points = integer("largest number of contact points")
    row = integer("first channel")
    first_point = integer("its first point")
    cone = integer("1: friction cone, 0: box")
    centre = numbers(3, "m", "axes of its body")
    axes = numbers(9, "-", "in the axes of its body")
    size = numbers(3, "m", "half edges, or radius and half length")
    friction = number("-", "coefficient")
    restitution = number("-", "coefficient")
    spare = numbers(3, "", "")


class PointRecord(Record):
    """A point of a rigid contact."""

    position = numbers(3, "m", "world axes")
    gap = number("m", "to the surface")
    normal = numbers(3, "-", "of the surface, world axes")
    spare = number("", "")


class PointPlace(Record):
    """Starts of a contact point's blocks in the Jacobian."""

    jac_a = integer("of body a")
    jac_b = integer("of body b")


class WheelRecord(Record):
    """A wheel: its position on the body, and the tyre of a wheel on hard ground."""

    body = integer("spinning body")
    surface = integer("number of its ground surface")
    row = integer("its first channel")
    jac = integer("start of its block of the Jacobian")
    channels = integer("three, or four with the centre")
    trails = integer("pneumatic trail of the lateral force: 1 of the tyre, 2 of the soil, 0 none")
    centre = numbers(3, "m", "axes of its body")
    axis = numbers(3, "-", "axes of its body, to the left")
    radius = number("m", "undeformed")
    width = number("m", "of the tyre")
    friction = number("-", "coefficient on hard ground")
    rolling = number("-", "resistance ratio on hard ground")
    stiffness = number("N/m", "of the tyre on hard ground")
    damping = number("N s/m", "of the tyre on hard ground")
    gamma = number("rad", "crossover slip angle on hard ground, 0: Coulomb's friction")
    cone = number("-", "1: one friction cone along and across on hard ground")
    give = number("m/N", "compliance of the tyre on soil")
    slack = number("m/N", "reduction of the effective rolling radius by the load")
    trail = number("-", "pneumatic trail over half the contact length, at zero slip angle")
    slope = number("-", "tangent of the slip angle of zero trail, or of the middle of a soil's table")
    lightest = number("N", "first load of the table of a soil's trail")
    heavier = number("-", "logarithm of the ratio of successive loads")
    lengths = numbers(TRAIL_ANGLES * TRAIL_LOADS, "m", "a soil's trail: by slip angle, then by load")


class WheelFrame(Record):
    """Frame of a wheel at the start of the step, world axes."""

    centre = numbers(3, "m", "of the wheel")
    point = numbers(3, "m", "of contact")
    normal = numbers(3, "-", "of the ground at that point; of length 1 on a plane")
    forward = numbers(3, "-", "along the heading")
    left = numbers(3, "-", "across it")
    gap = number("m", "of the undeformed tyre, negative when compressed")
    velocity = numbers(4, "m/s", "velocities of its channels")
    rolling = number("N s", "T_rr / r of the last step, see eqs 10 to 12")
