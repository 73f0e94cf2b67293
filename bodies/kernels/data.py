"""Memory of the compiled step: one bundle of named arrays and records.

The body with index ``bodies`` (their number) is the ground: its pose is the identity, its velocity zero;
kernels write the ground's results to a dummy area.
"""

from contact.kernels.wheel.data import Bounded, Contact, Friction
from mlcp.compiled.bundles import MODEL, STATE, Bundle, array, inner, record, records, whole
from mlcp.compiled.record_types import viewer

from .oil_data import CircuitData
from .records import (
    WRENCHES,
    ClockRecord,
    CoordinateRecord,
    Count,
    CouplingRecord,
    ForceRecord,
    Group,
    InputSource,
    JointRecord,
    PointPlace,
    PointRecord,
    ShapeRecord,
    SurfaceRecord,
    TablePlace,
    WheelFrame,
    WheelGeometry,
)


class RunData(Bundle):
    """All data of a run; entries marked STATE and MODEL determine its further steps bit for bit."""

    clock = record(ClockRecord, "time, settings, largest errors", STATE)
    count = record(Count, "numbers of parts and steps", STATE)
    # state
    position = array("m", "centres of mass, three numbers a body, world axes", STATE, "3 bodies + 3")
    quaternion = array("-", "orientations, scalar first, four numbers a body", STATE, "4 bodies + 4")
    velocity = array(
        "m/s, rad/s",
        "velocity of the centre of mass, angular velocity, six numbers a body, world axes",
        STATE,
        "6 bodies + 6",
    )
    coordinate = array("rad, m", "joint coordinates; angles with full turns", STATE, "coordinates")
    input = array("", "values of the input signals", STATE, "inputs")
    applied = array("N, N m", "external force and torque, six numbers a body", STATE, "6 bodies")
    impulse = array("N s, N m s", "impulse of every bilateral row in the last step", STATE, "rows")
    static_load = array("N, N m", "load of every bilateral row in static equilibrium", STATE, "rows")
    work_done = array(
        "J",
        "work of rows, channels, forces, gravity with applied wrenches, gyroscopic terms",
        STATE,
        "rows + channels + forces + 2",
    )
    error = array("m, rad", "position error of every bilateral row", STATE, "rows")
    wheel_state = records(WheelFrame, "frames of the wheels", STATE, "wheels")
    # model
    joints = records(JointRecord, "joints and bushings", MODEL, "joints")
    coordinates = records(CoordinateRecord, "joint coordinates", MODEL, "coordinates")
    couplings = records(CouplingRecord, "rows over joint coordinates", MODEL, "couplings")
    forces = records(ForceRecord, "explicit forces", MODEL, "forces")
    tables = records(TablePlace, "ranges of the tables of all elements", MODEL)
    table_x = array("", "points of all tables", MODEL)
    table_y = array("", "values of these points", MODEL)
    sources = records(InputSource, "schedule of every input", MODEL, "inputs")
    groups = records(Group, "nodes of the factorisation", MODEL, "groups")
    surfaces = records(SurfaceRecord, "surfaces of rigid contact, and terrain", MODEL)
    surface_data = array("", "numbers of all surfaces", MODEL)
    shapes = records(ShapeRecord, "shapes of rigid contact", MODEL, "contacts")
    point_places = records(PointPlace, "Jacobian blocks of every contact point", MODEL, "points")
    wheels = records(WheelGeometry, "all wheels, those on soil first", MODEL, "wheels")
    mass = array("kg", "mass of every body", MODEL, "bodies")
    inertia = array(
        "kg m^2", "inertia about the centre of mass, body axes, nine numbers a body", MODEL, "9 bodies"
    )
    body_free = whole("1: the body has no joint", MODEL, "bodies")
    angular = whole("1: the row's position error is an angle", MODEL, "rows")
    plan = whole("tables of the factorisation", MODEL)
    scale = array("", "least compliance (floor) of each row, then the rows' reference pivots", MODEL)
    # work arrays of a step
    rotation = array("-", "body to world axes, nine numbers a body, row by row", size="9 bodies + 9")
    coordinate_jac = array(
        "", "Jacobian of each coordinate, six numbers for body a, six for b", size="12 coordinates"
    )
    coordinate_rate = array(
        "rad/s, m/s", "rates of the coordinates at the step's start", size="coordinates"
    )
    mass_block = array("kg, kg m^2", "6 x 6 mass matrix of every body, world axes", size="36 bodies")
    jacobian = array(
        "",
        "blocks of rows of six numbers, one for each body of a node; last a dummy of the ground",
        size="jacobian + 36",
    )
    compliance = array("", "compliance of every bilateral row", size="rows")
    bias = array("", "bias of every bilateral row", size="rows")
    momentum = array("N s, N m s", "momenta M v + h f, six numbers a body", size="6 bodies")
    panels = array("", "factors of the mass matrix and rows")
    scratch = array("", "temporary numbers: of a solve, or a rotation", size="scalars + channels + 9")
    correction = array("m, rad", "correction of the poses by a projection", size="6 bodies + 6")
    correction_impulse = array("", "multipliers of the rows in a projection of the poses", size="rows")
    excess = array("m, rad", "part of the position errors that a projection corrects", size="rows")
    nothing = array("", "zeros, in place of the momenta in a projection", size="6 bodies")
    position_start = array("m", "``position`` at the start of the step", size="3 bodies + 3")
    quaternion_start = array("-", "``quaternion`` at the start of the step", size="4 bodies + 4")
    velocity_start = array("m/s, rad/s", "``velocity`` at the start of the step", size="6 bodies + 6")
    force_wrench = array(
        "N s, N m s",
        "impulse of each force on its body a, then on b; of drag and draft the damping, then the arm",
        size=f"{WRENCHES} forces",
    )
    points = records(PointRecord, "points of rigid contact", size="points")
    frame = array("m, -", "centre and axes of the present shape", size="12")
    # contacts and oil
    channels = inner(Bounded, "bounded channels", {"rows": "channels"})
    contact = inner(
        Contact, "wheels on soil", {"wheels": "soil_wheels", "rows": "soil_rows", "channels": "channels"}
    )
    hard = inner(
        Friction,
        "problem of all channels (no wheel on soil)",
        {"rows": "channels"},
        {"given": "channels"},
    )
    mixed = inner(
        Friction, "problem of wheels on soil with hard contacts", {"rows": "soil_rows"},
        {
            "given.B": "contact.rows.A", "given.free": "contact.rows.b",
            "given.lower": "contact.rows.lower", "given.upper": "contact.rows.upper",
            "given.impulse": "contact.rows.z", "given.active": "contact.rows.active",
        },
    )  # fmt: skip
    oil = inner(CircuitData, "hydraulic circuits")


run_of = viewer(RunData)
