"""The records of a machine, by name: what the compiled step knows of each joint, wheel, coupling...

``data`` is the bundle of all of them. Body number ``bodies`` is the ground: its pose is the identity,
its velocity zero, and what is written for it goes to a dummy area.
"""

from __future__ import annotations

from contact.kernels.layout import TRAIL_ANGLES, TRAIL_LOADS
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

WRENCHES = 12  # numbers that a force element keeps: impulse on body a, on body b; of drag: its factor
# Status of a run: it goes on, or why it has stopped; IDLE: of a lane without a vehicle.
IDLE, RUNNING, REORDER, NOT_FINITE, APART, OFF_STROKE = range(-1, 5)
WATCHED, USED, MEASURED = 0, 1, 2  # what needs a coordinate: no row; rows or forces; joint errors too


class Clock(Record):
    """Time, settings of the run, and what it reports of its worst step."""

    time = number("s", "of the pose")
    step = number("s", "h")
    gravity = numbers(3, "m/s^2", "world axes")
    tolerance = number("m, rad", "joint errors above it are projected away within the step")
    error_m = number("m", "largest joint error of now")
    error_rad = number("rad", "the same of angles")
    residual = number("-", "natural residual of the last step")
    residual_max = number("-", "largest since the start")
    pivot = number("-", "smallest scaled pivot of the last factorisation")
    projections = number("-", "projections a step at most")
    friction_tolerance = number("-", "on the directions of sliding cones (sine)")
    error_m_max = number("m", "largest joint error since the start")
    error_rad_max = number("rad", "the same of angles")
    recovery = number("-", "share of a penetration that a step takes back")
    bounce_speed = number("m/s", "below it nothing bounces")
    pivot_planned = number("-", "smallest scaled pivot when the order was chosen")
    solver_tolerance = number("-", "on the natural residual")
    parted = number("m", "joint error that ends a run")
    speeds = number("m/s, rad/s", "sum of all velocities: no number as soon as one of them is none")
    spare = numbers(3, "", "")


class Count(Record):
    """How many there are of everything, and how often."""

    bodies = integer("without the ground")
    joints = integer("and bushings")
    coordinates = integer("of joints")
    couplings = integer("of coordinates")
    forces = integer("explicit")
    inputs = integer("of the machine")
    rows = integer("bilateral")
    channels = integer("bounded rows")
    contacts = integer("rigid")
    wheels = integer("of all kinds")
    solver = integer("of the reduced contact problem")
    steps = integer("done so far")
    missed = integer("of them that missed their tolerance")
    iterations = integer("passes of all of them")
    groups = integer("nodes of the factorisation")
    status = integer("RUNNING, or why it has stopped")
    unused = integers(3, "")
    soil_wheels = integer("wheels on soil; they come first")
    booking = integer("1: the work of every element is summed up")
    varies = integer("1: soil maps or ruts")
    spare = integers(2, "")


class Ends(Record):
    """Two points and two frames that a joint or coordinate compares, each in the axes of its body."""

    a = integer("body a")
    b = integer("body b")
    point_a = numbers(3, "m", "from the centre of mass of body a, axes of a")
    point_b = numbers(3, "m", "from the centre of mass of body b, axes of b")
    axes_a = numbers(9, "-", "row by row, in the axes of a; the third column is the joint's axis")
    axes_b = numbers(9, "-", "the same in the axes of b")


class Joint(Record):
    """A joint or bushing: a node of the factorisation."""

    kind = integer("which joint")
    ends = nested(Ends, "where it is on its bodies")
    jac_a = integer("where body a's block of the Jacobian begins")
    jac_b = integer("and body b's")
    row = integer("its first row")
    p = numbers(12, "", "parameters of its kind")


class Coordinate(Record):
    """A scalar joint coordinate."""

    kind = integer("angle, translation or length")
    ends = nested(Ends, "as of its joint")
    use = integer("WATCHED, USED or MEASURED")


class Coupling(Record):
    """A row over coordinates: gear, drive, spring, engine, brake, clutch, stop."""

    kind = integer("which coupling")
    terms = integer("how many coordinates it combines")
    row = integer("its row, or its channel where it is bounded")
    signal = integers(2, "inputs that it reads, -1: none")
    table = integers(2, "tables that it reads, -1: none")
    jac = integer("where its block of the Jacobian begins")
    jac_size = integer("and how long it is")
    other = integer("number of a coupling whose impulse it reads, -1: none")
    term = integers(9, "for each term: coordinate, place of its body a's block, of body b's")
    coefficient = numbers(3, "", "of the terms")
    start = number("rad, m", "value of the combination in the described pose")
    p = numbers(4, "", "parameters of its kind")


class Force(Record):
    """An explicit force: on a coordinate, the drag of a body, or on a point of it."""

    kind = integer("which force")
    target = integer("coordinate, or body")
    input = integer("that carries the force")
    coefficient = number(
        "N s^2/m^2", "of drag; of a point force 1: it turns with the body; of draft v_0"
    )
    vector = numbers(
        3, "m/s", "wind, world axes; direction [-], axes of the body if it turns; of draft d"
    )
    point = numbers(3, "m", "where the force acts, axes of the body from its centre of mass")


class TablePlace(Record):
    """A piecewise linear table among the points of all."""

    first = integer("its first point")
    count = integer("how many")


class InputSource(Record):
    """Where the value of an input comes from."""

    table = integer("of its schedule, -1: set from outside")
    hold = integer("1: the schedule keeps each value until the next")
    middle = integer("1: of the middle of a step, as an explicit force's mean; 0: of its end")


class Group(Record):
    """A node of the factorisation: a joint, a coupling, a contact, a wheel."""

    rows = integer("how many")
    bodies = integer("how many moving bodies")
    jac = integer("where its blocks of the Jacobian begin")
    body = integers(4, "the bodies")


class Surface(Record):
    """What wheels and shapes touch."""

    kind = integer("which surface")
    first = integer("its first number")
    nx = integer("points of its grid along x; of terrain: rows")
    ny = integer("and along y; of terrain: columns")


class Shape(Record):
    """A rigid shape on a body that touches a surface of another."""

    kind = integer("which shape")
    a = integer("its body")
    b = integer("the surface's owner")
    surface = integer("what it touches")
    points = integer("contact points it may have")
    row = integer("channel of the first")
    first_point = integer("its first point")
    cone = integer("1: friction cone, 0: box")
    centre = numbers(3, "m", "axes of its body")
    axes = numbers(9, "-", "in the axes of its body")
    size = numbers(3, "m", "half edges, or radius and half length")
    friction = number("-", "coefficient")
    restitution = number("-", "coefficient")
    spare = numbers(3, "", "")


class Point(Record):
    """A point of a rigid contact."""

    position = numbers(3, "m", "world axes")
    gap = number("m", "to the surface")
    normal = numbers(3, "-", "of the surface, world axes")
    spare = number("", "")


class PointPlace(Record):
    """Where the blocks of a contact point's rows begin in the Jacobian."""

    jac_a = integer("of body a")
    jac_b = integer("of body b")


class Wheel(Record):
    """A wheel: where it is on its body, and a hard one's tyre."""

    body = integer("that turns with it")
    surface = integer("what it rolls on")
    row = integer("its first channel")
    jac = integer("where its block of the Jacobian begins")
    channels = integer("three, or four with the centre")
    trails = integer("its lateral force acts behind the contact point: 1 by the tyre, 2 by the soil")
    centre = numbers(3, "m", "axes of its body")
    axis = numbers(3, "-", "axes of its body, to the left")
    radius = number("m", "undeformed")
    width = number("m", "of the tyre")
    friction = number("-", "on hard ground")
    rolling = number("-", "resistance ratio on hard ground")
    stiffness = number("N/m", "of the tyre on hard ground")
    damping = number("N s/m", "of the tyre on hard ground")
    gamma = number("rad", "crossover slip angle on hard ground, 0: Coulomb's friction")
    cone = number("-", "1: on hard ground, friction along and across is one cone")
    give = number("m/N", "of the tyre on soil, one over its stiffness")
    slack = number("m/N", "what of it the effective rolling radius is smaller by")
    trail = number("-", "of half the contact length, at zero slip angle")
    slope = number("-", "tangent of the slip angle without trail, or of the middle of a soil's table")
    lightest = number("N", "load where the table of a soil's trail begins")
    heavier = number("-", "logarithm of the ratio of its loads")
    lengths = numbers(TRAIL_ANGLES * TRAIL_LOADS, "m", "that table: the loads of every slip angle")


class WheelFrame(Record):
    """Where a wheel is at the start of the step, world axes."""

    centre = numbers(3, "m", "of the wheel")
    point = numbers(3, "m", "of contact")
    normal = numbers(3, "-", "of the ground there; of length 1 on a plane")
    forward = numbers(3, "-", "along the heading")
    left = numbers(3, "-", "across it")
    gap = number("m", "of the undeformed tyre, negative when compressed")
    velocity = numbers(4, "m/s", "of its channels")
    rolling = number("N s", "T_rr / r of the last step, see eqs 10 to 12")
