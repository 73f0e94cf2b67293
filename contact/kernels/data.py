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


contact_of = viewer(Contact)
