"""What the compiled step works with, by name: state, model and work of one machine.

Body number ``nb`` is the ground: its pose is the identity, its velocity zero, and what is written for
it goes to a dummy area.
"""

from __future__ import annotations

from mlcp.compiled.records import (
    Record,
    integer,
    number,
    numbers,
)

WATCHED, USED, MEASURED = 0, 1, 2  # what needs a coordinate: no row; rows or forces; joint errors too


class Clock(Record):
    """Time, and what a run reports of its worst step."""

    steps = integer("done so far")
    missed = integer("of them that missed their tolerance")
    iterations = integer("passes of all of them")
    time = number("s", "of the pose")
    error_m = number("m", "largest joint error of now")
    error_rad = number("rad", "the same of angles")
    error_m_max = number("m", "largest joint error since the start")
    error_rad_max = number("rad", "the same of angles")
    residual = number("-", "natural residual of the last step")
    residual_max = number("-", "largest since the start")
    pivot = number("-", "smallest scaled pivot of the last factorisation")
    pivot_planned = number("-", "the same when its order was chosen")


class Settings(Record):
    """What the simulation or the model has set; no state brings it along."""

    solver = integer("of the reduced contact problem")
    booking = integer("1: the work of every element is summed up")
    step = number("s", "h")
    gravity = numbers(3, "m/s2", "world axes")
    tolerance = number("m, rad", "joint errors above it are projected away within the step")
    projections = number("-", "projections a step at most")
    friction_tolerance = number("-", "on the directions of sliding cones (sine)")
    recovery = number("-", "share of a penetration that a step takes back")
    bounce_speed = number("m/s", "below it nothing bounces")
    solver_tolerance = number("-", "on the natural residual")
    parted = number("m", "joint error that ends a run")


class Count(Record):
    """How many there are."""

    bodies = integer("without the ground")
    rows = integer("bilateral")
    channels = integer("bounded")
    soil_wheels = integer("wheels on soil; they come first")
    varies = integer("1: soil maps or ruts")
    status = integer("why a run has stopped: see ``step``")


class Joint(Record):
    """A joint or bushing: a node of the factorisation."""

    kind = integer("which joint")
    a = integer("body a")
    b = integer("body b")
    jac_a = integer("where body a's block of the Jacobian begins")
    jac_b = integer("and body b's")
    row = integer("its first row")
    point_a = numbers(3, "m", "joint point from body a's centre of mass, axes of a")
    point_b = numbers(3, "m", "the same on body b, axes of b")
    frame_a = numbers(9, "-", "the joint's frame in a's axes, row by row; the third column is the axis")
    frame_b = numbers(9, "-", "the same in b's")
    extra = numbers(12, "", "a distance joint's length; a bushing's stiffness and damping")


class Coordinate(Record):
    """A scalar joint coordinate."""

    kind = integer("angle, translation or length")
    a = integer("body a")
    b = integer("body b")
    use = integer("WATCHED, USED or MEASURED")
    point_a = numbers(3, "m", "as of a joint")
    point_b = numbers(3, "m", "as of a joint")
    frame_a = numbers(9, "-", "as of a joint")
    frame_b = numbers(9, "-", "as of a joint")


class TablePlace(Record):
    """A piecewise linear table among all tables' points."""

    first = integer("its first point")
    count = integer("how many points")


class InputSource(Record):
    """Where an input's value comes from."""

    table = integer("of its schedule, -1: it is set from outside")
    hold = integer("1: the schedule keeps each value until the next")


class Term(Record):
    """A coordinate in a coupling."""

    coordinate = integer("which")
    jac_a = integer("where its body a's block of the Jacobian begins")
    jac_b = integer("and body b's")


class Surface(Record):
    """A surface that wheels or shapes touch."""

    kind = integer("which shape")
    first = integer("its first number")
    nx = integer("points of its grid along x; of terrain: rows")
    ny = integer("along y; of terrain: columns")


class Point(Record):
    """A point of a rigid contact."""

    position = numbers(3, "m", "world axes")
    gap = number("m", "to the surface")
    normal = numbers(3, "-", "of the surface, world axes")
    spare = number("", "")
