"""What the wheel-ground solve works with, by name: wheels, rows, and the ground that varies under them.

Channels are velocities that the host sees; rows are what the complementarity problem sees. Two
rows may share a channel: the smooth part of the thrust and its set-valued part both act on the
sliding velocity.
"""

from __future__ import annotations

from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import (
    MODEL,
    STATE,
    Bundle,
    Record,
    array,
    inner,
    integer,
    nested,
    number,
    record,
    records,
    table,
    whole,
    whole_table,
)

# Channels of one wheel, velocities [m/s]; impulses q on them [N s].
NORMAL = 0  # contact point against the ground, along the ground normal, separating positive
SLIDING = 1  # contact point along the wheel's heading, v_t = v_x - omega r
LATERAL = 2  # contact point to the left
CENTRE = 3  # wheel centre along the wheel's heading, v_x
CHANNELS = 4

# Rows of one wheel.
ROW_NORMAL = 0  # on NORMAL: tyre and soil stiffness, p >= 0
ROW_TRACTION = 1  # on SLIDING: the smooth odd part of the thrust, regularised
ROW_STICK = 2  # on SLIDING: the set-valued part of the thrust (and all of it at rest)
ROW_RESISTANCE = 3  # on CENTRE: motion resistance, set-valued
ROWS = 4  # that every wheel has; the others stand behind them, see ``Wheel``

# Schemes, in the order of contact.REGULARISATIONS.
SET_VALUED = 0
GLOBAL = 1
LOCAL = 2
LOCAL_CURRENT = 3
IMPLICIT = 4
LUGRE = 5  # bristle rows instead of a regularisation; not in that table

# Solvers with a kernel.
DIRECT = 0
PGS = 1
NEWTON = 2


class Wheel(Record):
    """What describes one wheel; constant during a run."""

    first_channel = integer("its NORMAL channel")
    first_row = integer("its ROW_NORMAL")
    law = integer("which ground law")
    scheme = integer("which regularisation, or LUGRE")
    smooth_slip = integer("1: eq 7 instead of eqs 5-6")
    spin_row = integer("row of the rolling moment, on CENTRE - SLIDING = omega r; -1: none")
    lateral_row = integer("first of the two rows on LATERAL, smooth and set-valued; -1: none")
    lateral_law = integer("which lateral law")
    ellipse = integer("1: thrust and lateral force share one ellipse")
    v_0 = number("m/s", "floor of v_max")
    v_min = number("m/s", "of the smooth slip, eq 7")
    eta_n = number("s", "damping time of the normal row, eq 22")
    sigma_0 = number("N/m", "LuGre: stiffness of the bristle")
    sigma_1 = number("N s/m", "LuGre: its damping")
    sigma_2 = number("N s/m", "LuGre: viscosity")
    v_hold = number("m/s", "LuGre: below it the envelope is that of a wheel at rest")


class LawMemo(Record):
    """The ground law as last evaluated, per unit load on +x: it is asked for one point several times."""

    slip = number("-", "asked for, i_s")
    direction = number("-", "asked for")
    v_max = number("m/s", "asked for")
    load = number("N", "asked for")
    ratio = number("-", "smooth part of the thrust")
    slope = number("-", "of it over i_s")
    jump = number("-", "set-valued part of the thrust")
    gamma = number("-", "resistance")
    rho = number("-", "rolling moment over the radius")
    peak = number("-", "largest smooth thrust")


class LateralMemo(Record):
    """The lateral law as last evaluated."""

    v_x = number("m/s", "asked for")
    v_y = number("m/s", "asked for")
    load = number("N", "asked for")
    ratio = number("-", "lateral force over load")
    slope = number("1/rad", "of it over the slip angle")
    largest = number("-", "ratio of all slip angles")


class WheelStep(Record):
    """What the passes of a step work with for one wheel. Starred: the linearisation point."""

    load = number("N", "F_n*")
    slip = number("-", "i_s*")
    v_t = number("m/s", "v_t*")
    v_x = number("m/s", "v_x*")
    v_max = number("m/s", "v_max*")
    direction = number("-", "d*")
    slip_low = number("-", "lower end of the bracket of the end-of-step slip, implicit scheme")
    slip_high = number("-", "and its upper end")
    at_rest = number("-", "1: the pure set-valued row")
    standing = number("-", "1: the centre stands, resistance holds with gamma(0)")
    mismatch = number("-", "traction against the law at the end of the step, relative to the peak")
    gamma = number("-", "resistance ratio that the resistance row was laid with")
    slope_share = number("-", "slope of the traction row, as a share of eq 28's")
    rho = number("-", "rolling-moment ratio that the spin row was laid with")
    v_y = number("m/s", "v_y*")
    share = number("-", "ellipse: what is left of thrust and lateral force, in (0, 1]")
    damping_x = number("N s/m", "LuGre: sigma_1 of the step, kept within the passive range")
    damping_y = number("N s/m", "the same sideways")
    stalled = number("-", "passes of the step so far that left the mismatch where it was")
    grip_ratio = number("-", "LuGre: envelope over load, from the slip at the start of the step")
    rest_x = number("-", "ellipse at rest: share of the capacity lengthwise that bounds the force")
    rest_y = number("-", "and sideways")
    hold_x = number("N s", "full capacity at rest, lengthwise")
    hold_y = number("N s", "and sideways")
    count = number("-", "passes of the step so far")
    step_share = number("-", "of the way to the next linearisation point that this pass goes")
    step_t = number("m/s", "the last pass's whole way of v_t")
    step_x = number("m/s", "of v_x")
    step_y = number("m/s", "of v_y")
    beyond = number("-", "passes in a row that came out beyond the bracket: + above, - below")
    law = nested(LawMemo, "the ground law as last evaluated")
    lateral = nested(LateralMemo, "the lateral law as last evaluated")


class Bristle(Record):
    """LuGre's deflections of one wheel."""

    x = number("m", "lengthwise")
    y = number("m", "sideways")


class Wheels(Bundle):
    """The wheels: what describes them, and what a step works with."""

    bristle = records(Bristle, "LuGre's state", STATE)
    wheel = records(Wheel, "what describes each", MODEL)
    law = table("", "parameters of the ground law for each variant: a wheel on a soil of its", MODEL)
    lateral = table("", "parameters of the lateral law for each variant", MODEL)
    series = table("N", "normal force over compression for each variant, and its slope, in turn", MODEL)
    deepest = array("m", "compression at the end of that table, for each variant", MODEL)
    variant = whole_table("the variants that each wheel stands on")
    weight = table("-", "and their weights, which sum to 1; a 0 ends the list")
    now = records(WheelStep, "linearisation point, bracket and memory of the laws of each")


class Report(Record):
    """What one step reports."""

    residual = number("-", "natural residual of the step's last problem")
    passes = number("-", "problems solved in the step")
    missed = number("-", "1: the ground law or the solver missed its tolerance")
    agreement = number("-", "largest mismatch over the wheels")


class Rows(Bundle):
    """The rows of the reduced problem, its dense form and its solution."""

    z = array("N s", "impulses, warm start and solution", STATE)
    active = whole("-1 at lower, 0 free, 1 at upper", STATE)
    channel = whole("the channel that each row acts on", MODEL)
    minus = whole("a channel that counts negative for the row, -1: none", MODEL)
    e = array("1/kg", "compliance")
    bias = array("m/s", "of the row's velocity")
    lower = array("N s", "bound")
    upper = array("N s", "bound")
    A = table("1/kg", "the problem's matrix")
    b = array("m/s", "and its constant part")
    work = array("", "of the direct solver")
    q = array("N s", "channel impulses")
    u = array("m/s", "end-of-step channel velocities", STATE)
    report = record(Report, "of the step")


class Place(Record):
    """The ground of one wheel, where it varies: a map of patches and the memory of ruts."""

    first_patch = integer("of its map")
    patches = integer("how many")
    levels = integer("numbers of passes that are told apart, 0 included")
    first_variant = integer("of the map's ground, untouched")
    grids = integer("where the remembered area lies in the memory, -1: none")
    columns = integer("of the area, along x")
    rows = integer("along y")
    trail = integer("where the wheel's trail lies in the memory")
    most = integer("places that the trail can hold")
    x_0 = number("m", "corner of the area")
    y_0 = number("m", "corner of the area")
    cell = number("m", "of the area")
    half_width = number("m", "of the wheel")
    clear = number("m", "from a place after which it is remembered")
    tyre_stiffness = number("N/m", "of the wheel")


class Grounds(Bundle):
    """What lies under the wheels where it varies."""

    memory = array("", "what wheels have left behind", STATE)
    place = records(Place, "of each wheel", MODEL)
    patches = table("m", "x from, to, y from, to, blend", MODEL)
    rut = array("m", "depth of the rut that each wheel stands in")


class Settings(Record):
    """Settings of the contact solve."""

    law_tolerance = number("-", "on the agreement with the ground law, relative to the peak force")
    solver_tolerance = number("-", "on the natural residual")
    max_passes = number("-", "after which a step counts as missed")
    max_iterations = number("-", "of the solver: sweeps or pivots")
    relaxation = number("-", "of PGS")


class Contact(Bundle):
    """The contact problem of all wheels."""

    wheels = inner(Wheels, "the wheels")
    rows = inner(Rows, "their rows")
    grounds = inner(Grounds, "what varies under them")
    settings = record(Settings, "of the solve", MODEL)
    gap = array("m", "of the undeformed tyres, negative when compressed")
    start = array("m/s", "channel velocities at the start of the step")


contact_of = viewer(Contact)
