"""What a step of the MuJoCo adapter works with, by name: MuJoCo's memory, the ground's, and our own."""

from __future__ import annotations

from contact.hosts.kernels.exchange import Exchange
from mlcp.compiled.bundles import Bundle, array, halves, inner, record, records, table, whole
from mlcp.compiled.lent import lent_viewer
from mlcp.compiled.records import Record, integer, number, numbers

APPLY = 1 << 16  # a stage of ours: add the ground's force to qfrc_applied, whose own part is kept
START = 1 << 17  # and: let MuJoCo's constraint solver start from the acceleration found
GREW = 99  # code: an entry of a matrix lies outside the plan
CROWDED = 98  # code: the lists of the constraint rows need more room


class Options(Record):
    """What kind of step it is."""

    rows = integer("constraint rows that there are now")
    sparse = integer("1: MuJoCo keeps them sparse")
    fresh = integer("1: they are to be listed anew")
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


class Host(Bundle):
    """MuJoCo's arrays, under our names."""

    position = table("m", "xpos: of the bodies")
    rotation = table("-", "xmat: body to world axes")
    motion = table("-, m", "cdof: rotation and velocity that a freedom gives the root's mass centre")
    root_centre = table("m", "subtree_com: mass centre of the tree below a body")
    mass = array("kg, kg m^2", "M: the entries of the mass matrix")
    velocity = array("m/s, rad/s", "qvel")
    smooth = array("N, N m", "qfrc_smooth: all forces but constraints")
    last = array("m/s^2, rad/s^2", "qacc_warmstart: acceleration of the last step")
    applied = array("N, N m", "qfrc_applied: forces of the user")


class Jacobian(Bundle):
    """Sparse rows over the freedoms, of tendons or of actuators."""

    values = array("", "entries row by row")
    count = halves("how many a row has")
    first = halves("where they begin")
    column = halves("freedom of each")


class Equations(Bundle):
    """MuJoCo's constraint rows of this step, and how they are listed; n freedoms."""

    jacobian = array("", "efc_J, dense or sparse")
    weight = array("kg", "efc_D: inverse of the compliance in acceleration")
    goal = array("m/s^2", "efc_aref: reference acceleration")
    friction = array("N", "efc_frictionloss")
    kind = halves("efc_type")
    count = halves("sparse: entries of a row")
    first = halves("sparse: where they begin")
    column = halves("sparse: freedom of each")
    filled = whole("entries of each row, as listed")
    group = whole("3 or 1 for a row that leads so many, 0 for one that is led")
    target_at = whole("where the places of a row's products begin in targets")
    freedom = whole("of every entry, n places a row")
    spot = whole("its place in the order of elimination")
    values = array("", "of every entry")
    targets = whole("where products of entries lie in the matrix")


class Factor(Bundle):
    """A sparse L D L' whose pattern is known beforehand.

    Columns are those of the order of elimination. The products of an entry with those below it go to
    places from ``start`` on, one after the other, or, where that is negative, to those that ``into``
    lists from ``-1 - start`` on.
    """

    values = array("", "pivots, then the entries below them by columns, then what lies outside")
    first = whole("where each column begins")
    row = whole("in which row each entry lies")
    start = whole("where the products of an entry go")
    into = whole("places, one by one")
    least = array("", "what a pivot must exceed, zero or more")


class Panels(Bundle):
    """Right-hand sides of the wheels' channels in the order of a factor, and places they fill.

    Two wheels make a panel, four columns each, side by side: the number (place k, column c) of wheel i
    lies at ``8 (n (i // 2) + k) + 4 (i % 2) + c``. The last one of an odd number has four zero columns.
    """

    path_place = whole("place of every freedom of the paths")
    reach_at = whole("where the list of each panel begins in reach")
    reach = whole("places that forward substitution fills, ascending")
    rows = array("", "L^-1 A'")
    scaled = array("", "D^-1 L^-1 A'")


class Paths(Bundle):
    """Freedoms from each wheel to its root."""

    at = whole("where the path of each wheel begins")
    freedom = whole("on it")


class Metric(Bundle):
    """What the integrator ``discrete`` adds to M."""

    diagonal = array("kg", "efm_diag: of the joints")
    force = array("N, N m", "efm_c: of all, at the start of the step")
    scale = array("kg", "efm_ts: of each tendon that counts")
    tendon = halves("efm_tid: its number")


class Damping(Bundle):
    """D, what it touches, and K = M + h D in the order of the tree."""

    joints = array("N m s", "of every freedom")
    terms = records(Term, "of tendons and actuators")
    force = array("N", "actuator_force")
    entry_of = whole("number of the entry of D of two freedoms, n x n")
    values = array("N s/m", "entries of D, then what MuJoCo drops, then what is not listed")
    row = whole("of each entry, among the damped freedoms")
    column = whole("of each entry")
    slot = whole("of each entry in K")
    mass_slot = whole("of the entries of M in K")
    factor = inner(Factor, "of K")
    panels = inner(Panels, "in the order of K")
    support = whole("places of the damped freedoms in the order of M + E")
    support_k = whole("and in that of K")
    needed = whole("places that backward substitution must visit for them, M + E")
    needed_k = whole("and K")
    counting = whole("0, 1, 2, ...")
    response = array("", "K^-1 A' at the damped freedoms, panels")
    seen = array("", "(M + E)^-1 A' there, panels")
    seen_free = array("", "acceleration there")
    force_columns = array("", "-h D (M + E)^-1 A', panels over the damped freedoms")
    force_free = array("", "-h D a")


class Step(Bundle):
    """All of it. M + E is factored in the order of least fill."""

    options = record(Options, "which step")
    ground = inner(Exchange, "the wheels' contacts")
    host = inner(Host, "MuJoCo's arrays")
    wheels = records(Wheel, "where they sit")
    paths = inner(Paths, "from wheels to roots")
    channels = table("-, m", "A: channel velocities over the freedoms, (C, n)")
    force = array("N, N m", "of the ground, generalised")
    own = array("N, N m", "what the user had in qfrc_applied")
    order = whole("freedom by place")
    place = whole("place by freedom")
    slot = whole("where the entry of two freedoms is kept, n x n")
    mass_slot = whole("where the entries of M are")
    factor = inner(Factor, "of M + E")
    panels = inner(Panels, "in its order")
    shared_at = whole("where the list of each pair of panels begins")
    shared = whole("places that both fill")
    free = array("", "acceleration without the ground, in the order of elimination")
    seen = array("1/kg", "mobility of the panels' columns")
    seen_free = array("m/s^2", "their free acceleration")
    equations = inner(Equations, "constraint rows")
    tendons = inner(Jacobian, "of tendons")
    actuators = inner(Jacobian, "of actuators")
    metric = inner(Metric, "of the integrator discrete")
    damping = inner(Damping, "taken implicitly")


step_at = lent_viewer(Step)
