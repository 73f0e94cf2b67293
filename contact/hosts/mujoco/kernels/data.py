"""What a step of the MuJoCo adapter works with, by name: MuJoCo's memory, the ground's, and our own."""

from __future__ import annotations

from contact.hosts.kernels.exchange import Exchange
from mlcp.compiled.bundles import Bundle, array, halves, inner, record, records, table, whole
from mlcp.compiled.lent import lent_viewer
from mlcp.compiled.records import Record, integer, number, numbers

APPLY = 1 << 16  # a stage of ours: add the ground's force to qfrc_applied, whose own part is kept
START = 1 << 17  # and: let MuJoCo's constraint solver start from the acceleration found


class Options(Record):
    """What kind of step it is."""

    rows = integer("constraint rows that there are now")
    damped = integer("1: damping is taken implicitly after the constraints")
    metric = integer("1: the integrator discrete, which weighs springs and dampers first")


class Wheel(Record):
    """Where a wheel sits."""

    body = integer("that it is part of")
    last = integer("its last freedom")
    root = integer("body at the root of its tree")
    centre = numbers(3, "m", "axes of its body")
    axis = numbers(3, "-", "spin axis, axes of its body, to the left")


class Term(Record):
    """A tendon or an actuator whose damping is taken implicitly."""

    scale = number("N s/m", "of the row's square")
    low = number("N", "force of an actuator at which it saturates")
    high = number("N", "and at the other end")
    actuator = integer("1: an actuator, 0: a tendon")
    row = integer("of its Jacobian")


class Sparse(Bundle):
    """A matrix by its rows over the freedoms; of a symmetric one the lower triangle. Columns ascend."""

    values = array("", "entries row by row")
    count = halves("how many a row has")
    first = halves("where they begin")
    column = halves("freedom of each")


class Host(Bundle):
    """MuJoCo's arrays, under our names."""

    position = table("m", "xpos: of the bodies")
    rotation = table("-", "xmat: body to world axes")
    motion = table("-, m", "cdof: rotation and velocity that a freedom gives the root's mass centre")
    root_centre = table("m", "subtree_com: mass centre of the tree below a body")
    mass = inner(Sparse, "M [kg, kg m^2], each row up to its diagonal")
    velocity = array("m/s, rad/s", "qvel")
    smooth = array("N, N m", "qfrc_smooth: all forces but constraints")
    last = array("m/s^2, rad/s^2", "qacc_warmstart: acceleration of the last step")
    applied = array("N, N m", "qfrc_applied: forces of the user")


class Equations(Bundle):
    """MuJoCo's constraint rows of this step."""

    jacobian = inner(Sparse, "efc_J")
    weight = array("kg", "efc_D: inverse of the compliance in acceleration")
    goal = array("m/s^2", "efc_aref: reference acceleration")
    friction = array("N", "efc_frictionloss")
    kind = halves("efc_type")


class Paths(Bundle):
    """Freedoms from each wheel to its root."""

    at = whole("where the path of each wheel begins")
    freedom = whole("on it")
    all = whole("freedoms on any path, ascending")


class Scratch(Bundle):
    """One row of a Jacobian."""

    value = array("", "its entries")
    freedom = whole("of each")


class Metric(Bundle):
    """What the integrator ``discrete`` adds to M."""

    diagonal = array("kg", "efm_diag: of the joints")
    force = array("N, N m", "efm_c: of all, at the start of the step")
    scale = array("kg", "efm_ts: of each tendon that counts")
    tendon = halves("efm_tid: its number")


class Damping(Bundle):
    """D, taken implicitly after the constraints; n freedoms, C channels."""

    joints = array("N m s", "of every freedom")
    terms = records(Term, "of tendons and actuators")
    force = array("N", "actuator_force")
    values = array("N s/m", "entries of D, in the pattern of M")
    row = array("", "of a Jacobian over all freedoms, zero between two")
    factor = table("", "of M + h D, (n, n)")
    response = table("", "response with damping, (n, C + 1)")


class Step(Bundle):
    """All of it."""

    options = record(Options, "which step")
    ground = inner(Exchange, "the wheels' contacts")
    host = inner(Host, "MuJoCo's arrays")
    wheels = records(Wheel, "where they sit")
    paths = inner(Paths, "from wheels to roots")
    channels = table("-, m", "A: channel velocities over the freedoms, (C, n)")
    force = array("N, N m", "of the ground, generalised")
    own = array("N, N m", "what the user had in qfrc_applied")
    factor = table("", "of M + E, (n, n)")
    response = table("", "(M + E)^-1 of A' and, last, of all other forces, (n, C + 1)")
    equations = inner(Equations, "constraint rows")
    scratch = inner(Scratch, "one of them without its zeros")
    tendons = inner(Sparse, "Jacobian of tendons")
    actuators = inner(Sparse, "Jacobian of actuators")
    metric = inner(Metric, "of the integrator discrete")
    damping = inner(Damping, "taken implicitly")


step_at = lent_viewer(Step)
