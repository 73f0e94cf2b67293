"""What the compiled step works with, by name: the records of a machine, and the bundle of all of them.

Body number ``bodies`` is the ground: its pose is the identity, its velocity zero, and what is written
for it goes to a dummy area. ``layout`` says where each array lies in the two flat workspaces.
"""

from __future__ import annotations

from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import (
    Bundle,
    Record,
    array,
    integer,
    integers,
    nested,
    number,
    numbers,
    record,
    records,
    whole,
)

from . import layout as L

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
    spare = numbers(4, "", "")


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
    status = integer("why a run has stopped, see ``step``")
    unused = integers(3, "")
    soil_wheels = integer("wheels on soil; they come first")
    booking = integer("1: the work of every element is summed up")
    varies = integer("1: soil maps or ruts")
    spare = integers(2, "")


class Frames(Record):
    """Two points and two frames that a joint or coordinate compares, each in the axes of its body."""

    point_a = numbers(3, "m", "from the centre of mass of body a, axes of a")
    point_b = numbers(3, "m", "from the centre of mass of body b, axes of b")
    axes_a = numbers(9, "-", "row by row, in the axes of a; the third column is the joint's axis")
    axes_b = numbers(9, "-", "the same in the axes of b")


class Joint(Record):
    """A joint or bushing: a node of the factorisation."""

    kind = integer("which joint")
    a = integer("body a")
    b = integer("body b")
    jac_a = integer("where body a's block of the Jacobian begins")
    jac_b = integer("and body b's")
    row = integer("its first row")
    frames = nested(Frames, "where it is")
    extra = numbers(12, "", "a distance joint's length [m]; a bushing's stiffness and damping")


class Coordinate(Record):
    """A scalar joint coordinate."""

    kind = integer("angle, translation or length")
    a = integer("body a")
    b = integer("body b")
    use = integer("WATCHED, USED or MEASURED")
    frames = nested(Frames, "as of its joint")


class Run(Bundle):
    """Everything of a run."""

    clock = record(Clock, "time, settings, worst step")
    count = record(Count, "how many")
    joints = records(Joint, "joints and bushings")
    coordinates = records(Coordinate, "of joints")
    position = array("m", "centres of mass, three numbers a body, world axes")
    velocity = array("m/s, rad/s", "of the centre of mass and angular, six numbers a body, world axes")
    rotation = array("-", "body to world axes, nine numbers a body, row by row")
    coordinate = array("rad, m", "values, turns counted")
    coordinate_jac = array("", "Jacobian of each, six numbers for body a, six for b")
    coordinate_rate = array("rad/s, m/s", "at the start of the step")
    jacobian = array("", "blocks of rows of six numbers, one for each body of a node")
    compliance = array("", "of every bilateral row")
    bias = array("", "of every bilateral row")
    error = array("m, rad", "position error of every bilateral row")
    angular = whole("1: the row is one of an angle")


for _name, _entry in Run.entries.items():  # where they lie today
    _entry.floats = getattr(L, _name.upper(), -1)
Run.angular.ints, Run.angular.floats = L.N_FLOATS + L.ROW_ANGULAR_I, -1
for _entry, _floats, _ints in (
    (Run.clock, L.SCALAR, -1),
    (Run.count, -1, L.COUNT_I),
    (Run.joints, L.JOINT_DATA, L.JOINT_I),
    (Run.coordinates, L.COORDINATE_DATA, L.COORDINATE_I),
):
    _entry.floats, _entry.ints = _floats, L.N_FLOATS + _ints if _ints >= 0 else -1

run_of = viewer(Run)
