"""Named data of the contact kernels.

The bundle ``Contact`` is stored in two flat arrays (float64, int64): those of ``GroundContact``, or a
part of the memory of a simulated machine or of another multibody code (host).
"""

from mlcp.compiled.bundles import (
    MODEL,
    STATE,
    Bundle,
    array,
    inner,
    record,
    records,
    table,
    whole,
    whole_table,
)
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, integer, nested, number, numbers
from mlcp.kernels.numbered import SolverSettings

from ..laws.wong_reece_law import SEARCH


class LawMemo(Record):
    """Last evaluation of a wheel's ground law: arguments and results.

    The linearisations of a step evaluate the law several times in succession at the same point.
    """

    slip = number("-", "i_s")
    direction = number("-", "d")
    v_max = number("m/s", "")
    load = number("N", "F_n")
    values = numbers(6, "-", "F / F_n, its slope over i_s, coulomb, gamma, rho, peak")
    shifted = number("-", "thrust at zero slip that is part of rho in the values")
    rates = numbers(6, "-", "slopes of the values over i_s by ``law_close_by``")
    has_rates = integer("1: rates belong to the present values")
    searches = numbers(2 * SEARCH, "-", "last searches of an entry angle, see ``wong_reece_law``")


class LateralMemo(Record):
    """Last evaluation of a wheel's lateral law."""

    v_x = number("m/s", "of the centre")
    v_y = number("m/s", "lateral")
    load = number("N", "F_n")
    values = numbers(3, "-", "ratio, its slope over the slip angle, the largest")


class BothMemo(Record):
    """Last evaluation of thrust and lateral force by the direction of sliding (``combined``)."""

    v_t = number("m/s", "of the contact point along the heading")
    v_x = number("m/s", "of the centre")
    v_y = number("m/s", "lateral")
    v_max = number("m/s", "")
    direction = number("-", "d")
    load = number("N", "F_n")
    values = numbers(7, "-", "thrust, slope over i_s, coulomb, peak; side, slope over v_y, largest")


class Grip(Record):
    """Largest forces of LuGre's bristles over the load; fields other than x are used only if the forces
    are combined by the direction of sliding (``combined``)."""

    x = number("-", "limit of a sliding bristle along the heading")
    y = number("-", "limit to the left")
    most_x = number("-", "largest force along the heading")
    most_y = number("-", "largest force to the left")
    whole_x = number("-", "half axis along the heading of the ellipse that bounds both forces")
    whole_y = number("-", "half axis to the left")


class Wheel(Record):
    """Description of a wheel, constant in a run."""

    channel = integer("number of its first channel")
    row = integer("number of its first row")
    scheme = integer("linearisation in the passes, see ``layout``")
    line = integer("number of its scheme, or address of a user's, see ``schemes.kernels.table``")
    static_friction = integer("1: below v_0 its force is set-valued")
    smooth_slip = integer("1: eq 7 instead of eqs 5-6")
    spin_row = integer("row of the rolling moment, set-valued, on CENTRE - SLIDING = omega r; -1: none")
    lateral_row = integer("first of two rows on LATERAL, smooth and set-valued part; -1: none")
    side_by_load = integer("1: its lateral ratio depends on the load")
    ellipse = integer("1: thrust and lateral force share one ellipse")
    sliding = integer("1: both forces combine by the sliding, 0: by the demands, see ``combined``")
    relaxes = integer("1: lateral force with a relaxation length, see the module ``relaxation``")
    digs = integer("1: its normal force depends on the slip, see ``slip_sinkage``")
    softens = integer("1: its soil softens by the slip angle, see ``slip_sinkage``")
    ploughs = integer("1: lateral force from the sinkage at slip and slip angle, see ``slip_sinkage``")
    tyre_stiffness = number("N/m", "")
    v_0 = number("m/s", "floor of v_max")
    v_min = number("m/s", "of the smooth slip, eq 7")
    eta_n = number("s", "damping time of the normal row, eq 22")
    sigma_0 = number("N/m", "LuGre: stiffness of the bristle")
    sigma_1 = number("N s/m", "LuGre: its damping")
    sigma_2 = number("N s/m", "LuGre: viscosity")
    v_hold = number("m/s", "LuGre: sliding speed at which the envelopes' least values fall to 1/e")
    angle_hold = number("rad", "LuGre: slip angle at which a lateral least value is 1/e, 0: none")
    relaxation = number("m", "relaxation length of the lateral force, 0: none")
    resists = number("-", "factor on coulomb, gamma, rho, offset: 1, or 0 in phases of a static search")


class Bristle(Record):
    """Deflections of a wheel's bristles, or of its carcass, see ``relaxation``."""

    x = number("m", "along the heading")
    y = number("m", "to the left")
    firm = number("N", "of a carcass: slope of the lateral force at zero slip angle, in the last step")


class WheelStep(Record):
    """Working data of a step for one wheel; a star marks values at the point of linearisation."""

    load = number("N", "F_n*")
    row_load = number("N", "F_n* of the present rows")
    slip = number("-", "i_s*")
    v_t = number("m/s", "v_t*")
    v_x = number("m/s", "v_x*")
    v_y = number("m/s", "v_y*")
    v_max = number("m/s", "v_max*")
    direction = number("-", "d*")
    at_rest = number("-", "1: wheel at rest, its thrust is one set-valued row")
    standing = number("-", "1: v_max <= v_0, rim and centre stand: the slip does not determine gamma")
    mismatch = number("-", "thrust minus the law's at the end of the step, relative to the peak")
    gamma = number("-", "resistance ratio of the resistance row")
    used = number("-", "at rest: use of the thrust in the last step, see module ``standing``")
    rho = number("-", "rolling-moment ratio of the spin row")
    shift = number("-", "thrust at zero slip in the spin row, part of rho")
    rolling = number("N s", "rolling moment T_rr of the step over the radius, on omega r")
    share = number("-", "ellipse: factor of thrust and lateral force, in (0, 1]")
    rest_x = number("-", "ellipse at rest: share of the capacity that bounds the thrust")
    rest_y = number("-", "ellipse at rest: share of the capacity that bounds the lateral force")
    capacity_x = number("N s", "full capacity at rest along the heading")
    capacity_y = number("N s", "full capacity at rest to the left")
    stuck_y = number("-", "1: wheel spins on the spot, held sideways by a set-valued row")
    side_use = number(
        "-", "if stuck_y: lateral force of the last pass over its capacity; bounds the thrust"
    )
    damping_x = number("N s/m", "LuGre: sigma_1 of the step along the heading, within the passive range")
    damping_y = number("N s/m", "LuGre: sigma_1 of the step to the left, within the passive range")
    excess = number("-", "LuGre at rest: excess of the forces over their ellipse in the last pass")
    grip = nested(Grip, "LuGre: envelopes over load, from the slip at the start of the step")
    lag_x = number("m/s", "relaxation length over the step length h")
    lag_y = number("m/s", "deflection at the start of the step over h")
    stiff_y = number("-", "factor on v_y in the slip angle's tangent: 1 plus the damper's part")
    entry = number("rad", "theta_1 of a wheel with slip sinkage, first guess of the next evaluation")
    law = nested(LawMemo, "ground law as last evaluated")
    law_of_sliding = nested(LawMemo, "ground law at the total slip (``combined``) as last evaluated")
    law_of_rest = nested(LawMemo, "ground law of a wheel at rest as last evaluated, without its slope")
    locked = nested(LawMemo, "ground law at full slip as last evaluated, without its slope")
    lateral = nested(LateralMemo, "lateral law as last evaluated")
    both = nested(BothMemo, "both laws as last evaluated, if combined by the sliding")


class Passes(Record):
    """Numbers of passes (a linearisation of all wheels' laws, then a solve) and of Newton steps in a
    time step."""

    count = number("-", "number of passes so far")
    newton_steps = number("-", "steps of Newton's method with new slopes so far, in all searches")
    without_slopes = integer("1: in Newton's method, which takes differences of the laws and no slopes")
    close_by = integer("1: laws are evaluated close to their memorised points, see ``law_close_by``")


class Settings(Record):
    """Settings of the contact solve."""

    law_tolerance = number("-", "on the agreement with the ground law, relative to the peak force")
    solver_tolerance = number("-", "on the natural residual")
    max_passes = number("-", "most passes; a step that needs more misses its tolerance")
    solver = nested(SolverSettings, "settings of the solver in a pass")


class Report(Record):
    """Report on the solve of a time step."""

    residual = number("-", "natural residual of the step's last problem")
    passes = number("-", "problems solved in the step")
    missed = number("-", "1: the ground law or the solver missed its tolerance")
    agreement = number("-", "largest mismatch over the wheels")


class WheelGround(Record):
    """Soil map and ruts under one wheel."""

    first_patch = integer("number of the map's first patch")
    patches = integer("number of the map's patches")
    levels = integer("number of soils by passes: 0, 1, ... levels - 1 passes")
    first_variant = integer("the wheel's first variant: the map's ground before any pass")
    grids = integer("offset of the remembered area in the memory, -1: none")
    columns = integer("cells of the area along x")
    rows = integer("cells of the area along y")
    trail = integer("offset of the wheel's trail in the memory")
    most = integer("most places of the trail")
    x_0 = number("m", "corner of the area")
    y_0 = number("m", "corner of the area")
    cell = number("m", "size of the area's cells")
    levels_of_strength = integer("number of cone indices with variants of their own, 0: no raster")
    strength = integer("offset in ``Grounds.strength``: these cone indices, ascending, then the cells")
    between = integer("variant interpolated between two cone indices; next: after one pass more")
    law_floats = integer("leading parameters of the ground law that depend on the cone index")
    lateral_floats = integer("leading parameters of the lateral law that depend on the cone index")
    strength_columns = integer("cells of the raster along x")
    strength_rows = integer("cells of the raster along y")
    half_width = number("m", "half width of the tyre")
    clear = number("m", "distance of the wheel from which on a place of its trail enters the area")
    tyre_stiffness = number("N/m", "")
    strength_x = number("m", "centre of the raster's first cell")
    strength_y = number("m", "centre of the raster's first cell")
    strength_dx = number("m", "spacing of the raster along x")
    strength_dy = number("m", "spacing of the raster along y")


class Patch(Record):
    """A rectangle or polygon of other soil in a map."""

    first = integer("offset of its corners in ``Grounds.corners``")
    corners = integer("number of its corners, 0: a rectangle")
    x_from = number("m", "")
    x_to = number("m", "")
    y_from = number("m", "")
    y_to = number("m", "")
    blend = number("m", "width of its border")


class Wheels(Bundle):
    """The wheels: their descriptions (constant in a run) and the step's working data."""

    each = records(Wheel, "descriptions", MODEL, "wheels")
    laws = whole("number of each variant's ground law", MODEL)
    sides = whole("number of each variant's lateral law", MODEL)
    law = table("", "parameters of the ground law, a row for each variant: a wheel on one of its soils; "
                "rows between two cone indices are computed in a step", MODEL)  # fmt: skip
    lateral = table("", "of the lateral law, for each variant", MODEL)
    normal = table("N", "normal force over compression, for each variant, see ``normal``", MODEL)
    deepest = array("m", "compression at the end of the table ``normal`` of each variant", MODEL)
    variant = whole_table("(wheels, most) those that each wheel stands on")
    weight = table("-", "weight of each of these variants; sum 1, a 0 ends the list")
    now = records(WheelStep, "linearisation points and working data", size="wheels")
    passes = record(Passes, "of the step")
    bristle = records(Bristle, "deflections of bristles or carcass", STATE, "wheels")


class Rows(Bundle):
    """The rows (constraints) of the contact problem, its dense form and its solution."""

    channel = whole("channel that each row acts on", MODEL)
    minus = whole("channel that is subtracted in the row, -1: none", MODEL)
    e = array("1/kg", "compliance", size="rows")
    bias = array("m/s", "of each row", size="rows")
    lower = array("N s", "bound", size="rows")
    upper = array("N s", "bound", size="rows")
    z = array("N s", "impulses, warm start and solution", STATE, "rows")
    active = whole("-1 at lower, 0 free, 1 at upper", STATE, "rows")
    A = table("1/kg", "", size="rows, rows")
    b = array("m/s", "of each row", size="rows")
    work = array("", "of the direct solver")
    q = array("N s", "channel impulses", size="channels")
    u = array("m/s", "end-of-step channel velocities", STATE, "channels")
    report = record(Report, "of the last step")


class Grounds(Bundle):
    """Soil maps and ruts under the wheels."""

    each = records(WheelGround, "under every wheel", MODEL, "wheels")
    patches = records(Patch, "of all maps", MODEL)
    corners = array("m", "x and y of their corners in turn", MODEL)
    strength = array("Pa", "rasters of the cone index, see ``ground``", MODEL)
    memory = array("", "ruts and trails of the wheels, see ``ground``", STATE)
    rut = array("m", "depth of the rut that each wheel stands in", size="wheels")


class Contact(Bundle):
    """Data of the wheels' contact problem, except the host's inertia and free velocities."""

    wheels = inner(Wheels, "the wheels", {"wheels": "wheels"})
    rows = inner(Rows, "of the reduced problem", {"rows": "rows", "channels": "channels"})
    grounds = inner(Grounds, "under the wheels", {"wheels": "wheels"})
    settings = record(Settings, "of the solve", MODEL)
    gap = array("m", "of each undeformed tyre above the ground, negative when compressed", size="wheels")
    start = array("m/s", "channel velocities at the start of the step", size="channels")


class Bounded(Bundle):
    """Channels of a step's problem with friction, each a velocity on which one bounded impulse acts, and
    these impulses.
    """

    B = table("1/kg", "Delassus matrix", size="rows, rows")
    free = array("m/s", "velocities at the end of the step without channel impulses", size="rows")
    compliance = array("1/kg", "of every channel", size="rows")
    bias = array("m/s", "of every channel", size="rows")
    lower = array("N s", "bound", size="rows")
    upper = array("N s", "bound", size="rows")
    parent = whole("normal channel of a friction channel, -1: none", MODEL)
    coefficient = array("-", "of its friction", MODEL)
    partner = whole("second tangent of a cone's first tangent, -1: none", MODEL)
    proximal = whole("1: contact whose impulses may be undetermined: proximal steps", MODEL)
    live = whole("0: the channel is left out of this step")
    impulse = array("N s", "warm start and solution", STATE, "rows")
    active = whole("-1 at lower, 0 free, 1 at upper", STATE, "rows")


class Friction(Bundle):
    """Dense problem with friction; its rows are those given channels that may have an impulse."""

    given = inner(Bounded, "the channels", {"rows": "rows"})
    channel = whole("of each row", size="rows")
    place = whole("row of each channel, -1: none", size="rows")
    A = table("1/kg", "of the rows", size="rows, rows")
    b = array("m/s", "of each row", size="rows")
    lower = array("N s", "present bound", size="rows")
    upper = array("N s", "present bound", size="rows")
    z = array("N s", "impulse", size="rows")
    active = whole("-1 at lower, 0 free, 1 at upper", size="rows")
    cosine = array("-", "of the angle by which a cone's tangents are turned", size="rows")
    sine = array("-", "of that angle", size="rows")
    sliding = array("-", "0: the cone sticks, 1: it slides", size="rows")
    bound = array("N s", "coefficient times present normal impulse", size="rows")
    returns = array("-", "how often a sliding point went back to sticking", size="rows")
    weight = array("1/kg", "proximal", size="rows")
    last = array("N s", "impulses of the last proximal step", size="rows")
    follows = array(
        "-", "impulse over normal impulse that a row is coupled to have, 0: none", size="rows"
    )
    own = array("1/kg", "diagonal of A before ``relax_bounds``", size="rows")
    work = array("", "of the solvers, ``mlcp.kernels.numbered.work_length``")
    settings = record(SolverSettings, "of the solver", MODEL)


contact_of = viewer(Contact)
friction_of = viewer(Friction)
