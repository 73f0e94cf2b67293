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

    slip = number("-", "slip i_s")
    direction = number("-", "common sign d of the speeds of rim and centre, see ``slip_state``")
    v_max = number("m/s", "larger of rim speed and centre speed, at least v_0")
    load = number("N", "load F_n")
    values = numbers(6, "-", "result of ``law_at``")
    shifted = number("-", "thrust at zero slip over load, a part of rho in ``values``")
    rates = numbers(6, "-", "slopes of ``values`` over i_s, from ``law_close_by``")
    has_rates = integer("1: ``rates`` belong to the present ``values``")
    searches = numbers(2 * SEARCH, "-", "last searches for an entry angle, see ``wong_reece_law``")


class LateralMemo(Record):
    """Last evaluation of a wheel's lateral law."""

    v_x = number("m/s", "velocity of the centre along the heading")
    v_y = number("m/s", "lateral velocity of the contact point")
    load = number("N", "load F_n")
    values = numbers(3, "-", "lateral ratio, its slope over the slip angle, its maximum")


class BothMemo(Record):
    """Last evaluation of thrust and lateral force by the direction of sliding (``combined``)."""

    v_t = number("m/s", "velocity of the contact point along the heading")
    v_x = number("m/s", "velocity of the centre along the heading")
    v_y = number("m/s", "lateral velocity of the contact point")
    v_max = number("m/s", "larger of rim speed and centre speed, at least v_0")
    direction = number("-", "common sign d of the speeds of rim and centre, see ``slip_state``")
    load = number("N", "load F_n")
    values = numbers(7, "-", "result of ``both_at``, the fields of ``Both``")


class Grip(Record):
    """Largest forces of LuGre's bristles over the load; fields other than x are used only if the forces
    are combined by the direction of sliding (``combined``)."""

    x = number("-", "envelope along the heading")
    y = number("-", "envelope to the left")
    most_x = number("-", "largest force along the heading")
    most_y = number("-", "largest force to the left")
    whole_x = number("-", "half axis along the heading of the ellipse that bounds both forces")
    whole_y = number("-", "half axis to the left")


class Wheel(Record):
    """Description of a wheel, constant in a run."""

    channel = integer("number of the wheel's first channel")
    row = integer("number of the wheel's first row")
    scheme = integer("linearisation in the passes, see ``layout``")
    line = integer("number of the scheme, or address of a user's, see ``schemes.kernels.table``")
    static_friction = integer("1: with v_max below v_0 the thrust is set-valued")
    smooth_slip = integer("1: slip by eq 7 of Peiret et al., 0: by eqs 5-6")
    spin_row = integer("row of the rolling moment, set-valued, on CENTRE - SLIDING = omega r; -1: none")
    lateral_row = integer("first of two rows on LATERAL, smooth and set-valued part; -1: none")
    side_by_load = integer("1: the lateral ratio depends on the load")
    ellipse = integer("1: thrust and lateral force lie in a common friction ellipse")
    sliding = integer("1: thrust and lateral force combine by the sliding, 0: by the demands")
    relaxes = integer("1: lateral force with a relaxation length, see the module ``relaxation``")
    digs = integer("1: the normal force depends on the slip, see ``slip_sinkage``")
    softens = integer("1: the soil softens with the slip angle, see ``slip_sinkage``")
    ploughs = integer("1: the wheel ploughs: passive pressure on its side, see ``slip_sinkage``")
    tyre_stiffness = number("N/m", "vertical stiffness of the tyre")
    v_0 = number("m/s", "lower limit of v_max")
    v_min = number("m/s", "speed v_min of the smooth slip, eq 7")
    eta_n = number("s", "damping time of the normal row, eq 22")
    sigma_0 = number("N/m", "LuGre: stiffness of the bristle")
    sigma_1 = number("N s/m", "LuGre: damping of the bristle")
    sigma_2 = number("N s/m", "LuGre: viscosity")
    stribeck_velocity = number("m/s", "LuGre: speed at which the least envelope is 1/e of that at rest")
    stribeck_angle = number("rad", "LuGre: slip angle of 1/e of the lateral least envelope; 0: none")
    relaxation = number("m", "relaxation length of the lateral force, 0: none")
    resists = number("-", "factor on coulomb, gamma, rho, offset: 1; 0: search for an equilibrium")


class Bristle(Record):
    """Deflections of a wheel's bristles, or of its carcass, see ``relaxation``."""

    x = number("m", "deflection along the heading")
    y = number("m", "deflection to the left")
    firm = number("N", "carcass: slope of the lateral force at zero slip angle in the last step")


class WheelStep(Record):
    """Working data of a step for one wheel; a star marks values at the point of linearisation."""

    load = number("N", "load F_n*")
    row_load = number("N", "load F_n* for which the present rows were set")
    slip = number("-", "slip i_s*")
    v_t = number("m/s", "velocity v_t* of the contact point along the heading")
    v_x = number("m/s", "velocity v_x* of the centre along the heading")
    v_y = number("m/s", "lateral velocity v_y* of the contact point")
    v_max = number("m/s", "v_max*: larger of rim speed and centre speed, at least v_0")
    direction = number("-", "common sign d* of the speeds of rim and centre, see ``slip_state``")
    at_rest = number("-", "1: wheel at rest, the thrust is one set-valued row")
    standing = number("-", "1: v_max <= v_0, rim and centre stand, so the slip does not determine gamma")
    mismatch = number("-", "largest mismatch of a force with its law at the end of the step")
    gamma = number("-", "resistance ratio of the resistance row")
    used = number("-", "at rest: ``use`` of the thrust in the last step, see the module ``standing``")
    rho = number("-", "rolling-moment ratio of the spin row")
    shift = number("-", "thrust at zero slip over load, a part of rho")
    rolling = number("N s", "impulse of the rolling moment T_rr over the radius, on omega r")
    share = number("-", "factor of the friction ellipse on thrust and lateral force, in (0, 1]")
    rest_x = number("-", "at rest: bound of the thrust over its capacity, from the ellipse")
    rest_y = number("-", "at rest: bound of the lateral force over its capacity, from the ellipse")
    capacity_x = number("N s", "at rest: capacity (largest friction impulse) along the heading")
    capacity_y = number("N s", "at rest: capacity (largest friction impulse) to the left")
    stuck_y = number("-", "1: wheel spins on the spot, held sideways by a set-valued row")
    side_use = number("-", "if ``stuck_y``: lateral force of the last pass over its capacity")
    damping_x = number("N s/m", "LuGre: sigma_1 along the heading in the step, limited for passivity")
    damping_y = number("N s/m", "LuGre: sigma_1 to the left in the step, limited for passivity")
    excess = number("-", "LuGre at rest: excess of the forces over their ellipse in the last pass")
    grip = nested(Grip, "LuGre: envelopes over load, at the slip of the start of the step")
    lag_x = number("m/s", "relaxation length over the step length h")
    lag_y = number("m/s", "carcass's deflection at the start of the step, over h")
    stiff_y = number("-", "factor on v_y in the tangent of the slip angle: 1 plus the part of a damper")
    entry = number("rad", "entry angle theta_1 with slip sinkage, first guess of the next evaluation")
    law = nested(LawMemo, "ground law as last evaluated")
    law_of_sliding = nested(LawMemo, "ground law at the total slip (``combined``) as last evaluated")
    law_of_rest = nested(LawMemo, "ground law of a wheel at rest as last evaluated, without its slope")
    locked = nested(LawMemo, "ground law at full slip as last evaluated, without its slope")
    lateral = nested(LateralMemo, "lateral law as last evaluated")
    both = nested(BothMemo, "thrust and lateral force combined by the sliding, as last evaluated")


class Passes(Record):
    """Numbers of checks and of Newton steps in a time step; a pass is a linearisation of all wheels'
    laws, then a solve."""

    count = number("-", "number of checks against the laws: one a pass, one after Newton's method")
    remaining_newton_steps = number("-", "largest number of further Newton steps (``max_newton_steps``)")
    without_slopes = integer("1: during Newton's method, which uses no slopes of the laws")
    close_by = integer("1: laws are evaluated close to their memorised points, see ``law_close_by``")
    resumes = integer("1: a further solve of the same step, which starts at the end of the last one")


class Settings(Record):
    """Settings of the contact solve."""

    law_tolerance = number("-", "largest mismatch with the ground law, relative to the peak force")
    solver_tolerance = number("-", "largest natural residual")
    max_passes = number("-", "largest number of passes; a step that needs more misses its tolerance")
    max_newton_steps = number("-", "largest number of Newton steps with new slopes in a time step")
    solver = nested(SolverSettings, "settings of the solver in a pass")


class Report(Record):
    """Report on the solve of a time step."""

    residual = number("-", "natural residual of the step's last problem")
    passes = number("-", "number of passes (linearised problems solved) in the step")
    missed = number("-", "1: the ground law or the solver missed its tolerance")
    agreement = number("-", "largest mismatch of a wheel's force with its law")


class WheelGround(Record):
    """Soil map and ruts under one wheel."""

    first_patch = integer("number of the map's first patch")
    patches = integer("number of the map's patches")
    levels = integer("number of states of each soil: after 0, 1, ... levels - 1 passes")
    first_variant = integer("the wheel's first variant: the soil outside all patches, before any pass")
    grids = integer("offset in ``Grounds.memory`` of the area with ruts, -1: none")
    columns = integer("number of cells of the area along x")
    rows = integer("number of cells of the area along y")
    trail = integer("offset of the wheel's trail in ``Grounds.memory``")
    most = integer("largest number of places of the trail")
    x_0 = number("m", "x of the area's corner, its least x")
    y_0 = number("m", "y of the area's corner, its least y")
    cell = number("m", "side of the area's cells")
    levels_of_strength = integer("number of cone indices with variants of their own, 0: no raster")
    strength = integer("offset in ``Grounds.strength``: these cone indices, ascending, then the cells")
    between = integer("variant interpolated between two cone indices; the next: after one pass more")
    law_floats = integer("number of leading parameters of the ground law that vary with the cone index")
    lateral_floats = integer("the same of the lateral law")
    strength_columns = integer("number of cells of the raster along x")
    strength_rows = integer("number of cells of the raster along y")
    half_width = number("m", "half width of the tyre")
    clear = number("m", "distance of the wheel at which a place of its trail is entered in the grids")
    tyre_stiffness = number("N/m", "vertical stiffness of the tyre")
    strength_x = number("m", "x of the centre of the raster's first cell")
    strength_y = number("m", "y of the centre of the raster's first cell")
    strength_dx = number("m", "spacing of the raster along x")
    strength_dy = number("m", "spacing of the raster along y")


class Patch(Record):
    """A rectangle or polygon of other soil in a map."""

    first = integer("offset of the polygon's corners in ``Grounds.corners``")
    corners = integer("number of the polygon's corners, 0: a rectangle")
    x_from = number("m", "least x of the rectangle")
    x_to = number("m", "largest x of the rectangle")
    y_from = number("m", "least y of the rectangle")
    y_to = number("m", "largest y of the rectangle")
    blend = number("m", "width of the strip along the border in which the soils are blended")


class Wheels(Bundle):
    """The wheels: their descriptions (constant in a run) and the step's working data."""

    each = records(Wheel, "descriptions of the wheels", MODEL, "wheels")
    laws = whole("number of each variant's ground law", MODEL)
    sides = whole("number of each variant's lateral law", MODEL)
    law = table("", "parameters of the ground law, a row for each variant: a wheel on one of its soils; "
                "rows between two cone indices are computed in a step", MODEL)  # fmt: skip
    lateral = table("", "parameters of the lateral law, a row for each variant", MODEL)
    normal = table("N", "normal force over compression, a row for each variant, see ``normal``", MODEL)
    deepest = array("m", "compression at the end of the table ``normal`` of each variant", MODEL)
    variant = whole_table("(wheels, most) numbers of the variants that each wheel stands on")
    weight = table("-", "weights of these variants, sum 1; a weight 0 ends the list")
    now = records(WheelStep, "linearisation points and working data", size="wheels")
    passes = record(Passes, "numbers of checks and Newton steps in the step")
    bristle = records(Bristle, "deflections of each wheel's bristles or carcass", STATE, "wheels")


class Rows(Bundle):
    """The rows (constraints) of the contact problem, its dense form and its solution."""

    channel = whole("number of the channel that each row acts on", MODEL)
    minus = whole("number of the channel that is subtracted in each row, -1: none", MODEL)
    e = array("1/kg", "compliance of each row", size="rows")
    bias = array("m/s", "bias of each row", size="rows")
    lower = array("N s", "lower bound of each row's impulse", size="rows")
    upper = array("N s", "upper bound of each row's impulse", size="rows")
    z = array("N s", "impulses of the rows, warm start and solution", STATE, "rows")
    active = whole("active set: -1 at the lower bound, 0 free, 1 at the upper bound", STATE, "rows")
    A = table("1/kg", "matrix of the dense problem ``w = A z + b``", size="rows, rows")
    b = array("m/s", "right-hand side of the dense problem", size="rows")
    work = array("", "work array of the solvers")
    q = array("N s", "channel impulses", size="channels")
    u = array("m/s", "end-of-step channel velocities", STATE, "channels")
    report = record(Report, "report on the solve of the last step")


class Grounds(Bundle):
    """Soil maps and ruts under the wheels."""

    each = records(WheelGround, "ground under each wheel", MODEL, "wheels")
    patches = records(Patch, "patches of all maps", MODEL)
    corners = array("m", "x and y in turn of the corners of all polygons", MODEL)
    strength = array("Pa", "rasters of the cone index, see ``ground``", MODEL)
    memory = array("", "ruts and trails of the wheels, see ``ground``", STATE)
    rut = array("m", "depth of the rut that each wheel stands in", size="wheels")


class Contact(Bundle):
    """Data of the wheels' contact problem, except the host's inertia and free velocities."""

    wheels = inner(Wheels, "the wheels", {"wheels": "wheels"})
    rows = inner(Rows, "rows of the contact problem", {"rows": "rows", "channels": "channels"})
    grounds = inner(Grounds, "ground under the wheels", {"wheels": "wheels"})
    settings = record(Settings, "settings of the contact solve", MODEL)
    gap = array("m", "gap of each undeformed tyre above ground, negative when compressed", size="wheels")
    start = array("m/s", "channel velocities at the start of the step", size="channels")


class Bounded(Bundle):
    """Channels of a step's problem with friction, each a velocity on which one bounded impulse acts, and
    these impulses."""

    B = table("1/kg", "Delassus matrix", size="rows, rows")
    free = array("m/s", "velocities at the end of the step without channel impulses", size="rows")
    compliance = array("1/kg", "compliance of each channel", size="rows")
    bias = array("m/s", "bias of each channel", size="rows")
    lower = array("N s", "lower bound of each channel's impulse", size="rows")
    upper = array("N s", "upper bound of each channel's impulse", size="rows")
    parent = whole("number of a friction channel's normal channel, -1: none", MODEL)
    coefficient = array("-", "coefficient of friction of a friction channel", MODEL)
    partner = whole("for a cone's first tangent: number of the channel of the second, -1: none", MODEL)
    proximal = whole("1: proximal steps, since the contact's impulses may be undetermined", MODEL)
    live = whole("0: the channel is left out of this step")
    impulse = array("N s", "impulses of the channels, warm start and solution", STATE, "rows")
    active = whole("active set: -1 at the lower bound, 0 free, 1 at the upper bound", STATE, "rows")


class Friction(Bundle):
    """Dense problem with friction; its rows are those given channels that may have an impulse."""

    given = inner(Bounded, "the channels of the problem", {"rows": "rows"})
    channel = whole("number of each row's channel", size="rows")
    place = whole("number of each channel's row, -1: none", size="rows")
    A = table("1/kg", "matrix of the dense problem ``w = A z + b``", size="rows, rows")
    b = array("m/s", "right-hand side of the dense problem", size="rows")
    lower = array("N s", "present lower bound of each row's impulse", size="rows")
    upper = array("N s", "present upper bound of each row's impulse", size="rows")
    z = array("N s", "impulses of the rows", size="rows")
    active = whole("active set: -1 at the lower bound, 0 free, 1 at the upper bound", size="rows")
    cosine = array("-", "cosine of the angle by which a cone's tangents are turned", size="rows")
    sine = array("-", "sine of the angle by which a cone's tangents are turned", size="rows")
    sliding = array("-", "0: the cone sticks, 1: it slides", size="rows")
    bound = array("N s", "coefficient times present normal impulse", size="rows")
    returns = array("-", "number of returns of a sliding point to sticking in the step", size="rows")
    weight = array("1/kg", "proximal weight of each row", size="rows")
    last = array("N s", "impulses of the last proximal step", size="rows")
    follows = array(
        "-",
        "impulse over normal impulse of a row coupled by ``couple``; 0: not coupled",
        size="rows",
    )
    own = array("1/kg", "diagonal of A before ``relax_bounds``", size="rows")
    work = array("", "work array of the solvers, length ``mlcp.kernels.numbered.work_length``")
    settings = record(SolverSettings, "settings of the solver", MODEL)


contact_of = viewer(Contact)
friction_of = viewer(Friction)
