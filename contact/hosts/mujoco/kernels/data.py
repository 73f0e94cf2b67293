"""Named data of the MuJoCo adapter's step, in the memory of MuJoCo, the ground and the adapter."""

from contact.hosts.kernels.exchange import Exchange
from mlcp.compiled.borrowed import borrowed_viewer
from mlcp.compiled.bundles import Bundle, array, halves, inner, record, records, table, whole
from mlcp.compiled.records import Record, integer, number, numbers

APPLY = 1 << 16  # stage: save qfrc_applied, the user's forces, then add the ground's force to it
START = 1 << 17  # stage: start MuJoCo's constraint solver from the predicted acceleration


class MujocoOptions(Record):
    """Options of MuJoCo that determine the kind of step."""

    rows = integer("number of constraint rows of this step")
    damped = integer("1: damping is taken implicitly after the constraints")
    metric = integer("1: the integrator discrete, which adds springs and dampers to M")


class WheelBody(Record):
    """A wheel's body and freedoms in the model."""

    body = integer("number of the wheel's body")
    last = integer("last freedom on the path from the root to the wheel")
    root = integer("body at the root of the wheel's tree")
    centre = numbers(3, "m", "wheel centre, axes of its body")
    axis = numbers(3, "-", "spin axis, axes of its body, to the left")


class Term(Record):
    """A tendon or an actuator whose damping is taken implicitly."""

    scale = number("N s/m", "factor of g g', with g the row")
    low = number("N", "lower saturation force of an actuator")
    high = number("N", "upper saturation force of an actuator")
    actuator = integer("1: an actuator, 0: a tendon")
    row = integer("number of the row g in the Jacobian of tendons or actuators")


class Sparse(Bundle):
    """A sparse matrix stored row by row, with ascending columns (freedoms); of a symmetric matrix only
    the lower triangle."""

    values = array("", "entries row by row")
    count = halves("number of entries of each row")
    first = halves("index of each row's first entry")
    column = halves("freedom of each entry")


class Host(Bundle):
    """MuJoCo's arrays, under the names of this package."""

    position = table("m", "xpos: positions of the bodies")
    rotation = table("-", "xmat: body to world axes")
    motion = table("-, m", "cdof: twist at the root's mass centre, per unit speed of a freedom")
    root_centre = table("m", "subtree_com: mass centre of the tree below a body")
    mass = inner(Sparse, "M [kg, kg m^2], each row up to its diagonal")
    velocity = array("m/s, rad/s", "qvel: velocities of the freedoms")
    smooth = array("N, N m", "qfrc_smooth: all forces but constraints")
    last = array("m/s^2, rad/s^2", "qacc_warmstart: acceleration of the last step")
    applied = array("N, N m", "qfrc_applied: forces of the user")


class ConstraintRows(Bundle):
    """MuJoCo's constraint rows of this step."""

    jacobian = inner(Sparse, "efc_J: Jacobian of the rows")
    weight = array("kg", "efc_D: inverse of the compliance in acceleration")
    goal = array("m/s^2", "efc_aref: reference acceleration")
    friction = array("N", "efc_frictionloss: largest dry friction of a row")
    kind = halves("efc_type: kind of each row")


class Paths(Bundle):
    """Freedoms from each wheel to the root of its kinematic tree."""

    at = whole("start of each wheel's path")
    freedom = whole("freedoms of the paths, one after the other")
    all = whole("freedoms on any path, ascending")


class Scratch(Bundle):
    """One row of a Jacobian without its zeros."""

    value = array("", "entries")
    freedom = whole("freedom of each entry")


class Metric(Bundle):
    """Terms that MuJoCo's integrator ``discrete`` adds to the mass matrix M."""

    diagonal = array("kg", "efm_diag: diagonal terms of the joints")
    force = array("N, N m", "efm_c: their force at the start of the step")
    scale = array("kg", "efm_ts: factor of g g' for each tendon below, g its row of the Jacobian")
    tendon = halves("efm_tid: numbers of the tendons with a factor")


class Damping(Bundle):
    """Implicit damping of MuJoCo: matrix D of M + h D; for n freedoms and C contact velocities."""

    joints = array("N m s", "damping of every freedom")
    terms = records(Term, "terms of tendons and actuators")
    force = array("N", "actuator_force: force of each actuator")
    values = array("N s/m", "entries of D, in the pattern of M")
    row = array("", "row of a Jacobian over all freedoms, zeroed after use")
    factor = table("", "factor of M + h D, (n, n)")
    response = table("", "response with damping, (n, C + 1)")


class MujocoStep(Bundle):
    """All data of a MuJoCo step with n freedoms and C channels (contact velocities)."""

    options = record(MujocoOptions, "kind of step")
    ground = inner(Exchange, "the wheels' contacts")
    host = inner(Host, "MuJoCo's arrays")
    wheels = records(WheelBody, "the wheels' places in the model")
    paths = inner(Paths, "freedoms from wheels to roots")
    channels = table("-, m", "A: channel velocities over the freedoms, (C, n)")
    force = array("N, N m", "generalised force of the ground")
    own = array("N, N m", "the user's part of qfrc_applied")
    factor = table("", "factor of M + E, (n, n)")
    response = table("", "(M + E)^-1 of A' and, last, of all other forces, (n, C + 1)")
    equations = inner(ConstraintRows, "constraint rows")
    scratch = inner(Scratch, "one constraint row without its zeros")
    tendons = inner(Sparse, "Jacobian of tendons")
    actuators = inner(Sparse, "Jacobian of actuators")
    metric = inner(Metric, "terms of the integrator discrete")
    damping = inner(Damping, "implicit damping after the constraints")


step_at = borrowed_viewer(MujocoStep)
