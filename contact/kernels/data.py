"""What the contact kernels work with, by name.

All of it is one bundle, ``Contact``, in two flat arrays: ``GroundContact`` has its own, a machine and
a host keep it in theirs.
"""

from __future__ import annotations

from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import (
    MODEL,
    STATE,
    Bundle,
    array,
    inner,
    table,
    whole,
    whole_table,
)


class Wheels(Bundle):
    """The wheels: what describes them (constant in a run) and what a step works with."""

    ints = whole_table("(wheels, WHEEL_INTS), see ``layout``", MODEL)
    floats = table("", "(wheels, WHEEL_FLOATS), see ``layout``", MODEL)
    law = table("", "(variants, longest) of the ground law, for each wheel and soil of its", MODEL)
    lateral = table("", "(variants, LATERAL_FLOATS) of the lateral law", MODEL)
    normal = table("N", "(variants, 2 x points) normal force over compression, see ``normal``", MODEL)
    deepest = array("m", "compression at the end of that table, for each variant", MODEL)
    variant = whole_table("(wheels, most) the soils that each wheel stands on")
    weight = table("-", "and their weights, which sum to 1; a 0 ends the list")
    now = table("", "(wheels, WHEEL_WORK) linearisation point and bracket, see ``layout``")
    bristle = table("m", "(wheels, BRISTLES) LuGre's deflections", STATE)


class Rows(Bundle):
    """The rows of the reduced problem, its dense form and its solution."""

    channel = whole("that each row acts on", MODEL)
    minus = whole("a channel that counts negative for the row, -1: none", MODEL)
    e = array("1/kg", "compliance")
    bias = array("m/s", "of each row")
    lower = array("N s", "bound")
    upper = array("N s", "bound")
    z = array("N s", "impulses, warm start and solution", STATE)
    active = whole("-1 at lower, 0 free, 1 at upper", STATE)
    A = table("1/kg", "(rows, rows)")
    b = array("m/s", "of each row")
    work = array("", "of the direct solver")
    q = array("N s", "channel impulses")
    u = array("m/s", "end-of-step channel velocities", STATE)
    report = array("", "of the last step, see ``layout``")


class Grounds(Bundle):
    """What lies under the wheels where it varies. Columns: ``ground``."""

    ints = whole_table("(wheels, GROUND_INTS)", MODEL)
    floats = table("", "(wheels, GROUND_FLOATS)", MODEL)
    patches = table("m", "(patches, PATCH_FLOATS)", MODEL)
    memory = array("", "what wheels have left behind", STATE)
    rut = array("m", "depth of the rut that each wheel stands in")


class Contact(Bundle):
    """Everything of the wheels' contact problem but the host's own inertia and velocities."""

    wheels = inner(Wheels, "the wheels")
    rows = inner(Rows, "of the reduced problem")
    grounds = inner(Grounds, "under the wheels")
    settings = array("", "of the solve, see ``layout``", MODEL)
    gap = array("m", "of each undeformed tyre above the ground, negative when compressed")
    start = array("m/s", "channel velocities at the start of the step")


class Bounded(Bundle):
    """Bounded channels, as the step gives them to the problem with friction, and their impulses."""

    B = table("1/kg", "Delassus matrix")
    free = array("m/s", "velocities at the end of the step without channel impulses")
    compliance = array("1/kg", "of every channel")
    bias = array("m/s", "of every channel")
    lower = array("N s", "bound")
    upper = array("N s", "bound")
    parent = whole("normal channel of a friction channel, -1: none", MODEL)
    coefficient = array("-", "of its friction", MODEL)
    partner = whole("second tangent of a cone's first tangent, -1: none", MODEL)
    proximal = whole("1: of a contact that may carry too many impulses", MODEL)
    live = whole("0: the channel is left out of this step")
    impulse = array("N s", "warm start and solution", STATE)
    active = whole("-1 at lower, 0 free, 1 at upper", STATE)


class Friction(Bundle):
    """The problem with friction: of the channels given the live ones, as dense rows."""

    given = inner(Bounded, "the channels")
    channel = whole("of each row")
    place = whole("row of each channel, -1: none")
    A = table("1/kg", "of the rows")
    b = array("m/s", "of each row")
    lower = array("N s", "present bound")
    upper = array("N s", "present bound")
    z = array("N s", "impulse")
    active = whole("-1 at lower, 0 free, 1 at upper")
    cosine = array("-", "of the angle by which a cone's tangents are turned")
    sine = array("-", "of that angle")
    sliding = array("-", "0: the cone sticks, 1: it slides")
    bound = array("N s", "coefficient times present normal impulse")
    returns = array("-", "how often a sliding point went back to sticking")
    weight = array("1/kg", "proximal")
    last = array("N s", "impulses of the last proximal step")
    follows = array("-", "share of its normal impulse that a row is coupled to carry, 0: none")
    work = array("", "of the solvers")


contact_of = viewer(Contact)
friction_of = viewer(Friction)
