"""What the compiled step works with, by name: the bundle of a machine's records and arrays.

``layout`` says where each lies in the two flat workspaces.
"""

from __future__ import annotations

from mlcp.compiled.bundles import Bundle, array, record, records, whole
from mlcp.compiled.record_types import viewer

from . import layout as L
from .records import (
    Clock,
    Coordinate,
    Count,
    Coupling,
    Force,
    Group,
    InputSource,
    Joint,
    Point,
    PointPlace,
    Shape,
    Surface,
    TablePlace,
    Wheel,
    WheelFrame,
)


class Run(Bundle):
    """Everything of a run but the contact problem of wheels on soil."""

    clock = record(Clock, "time, settings, worst step")
    count = record(Count, "how many")
    # state
    position = array("m", "centres of mass, three numbers a body, world axes")
    quaternion = array("-", "orientations, scalar first, four numbers a body")
    velocity = array("m/s, rad/s", "of the centre of mass and angular, six numbers a body, world axes")
    coordinate = array("rad, m", "values, turns counted")
    input = array("", "values")
    applied = array("N, N m", "force and torque from outside, six numbers a body")
    impulse = array("N s, N m s", "of every bilateral row in the last step")
    channel_impulse = array("N s, N m s", "of every channel in the last step")
    work_done = array("J", "by rows, channels, forces, gravity with what is applied")
    error = array("m, rad", "position error of every bilateral row")
    wheel_state = records(WheelFrame, "where the wheels are")
    # model
    joints = records(Joint, "joints and bushings")
    coordinates = records(Coordinate, "of joints")
    couplings = records(Coupling, "of coordinates")
    forces = records(Force, "explicit")
    tables = records(TablePlace, "of all elements")
    table_x = array("", "points of all tables")
    table_y = array("", "and their values")
    sources = records(InputSource, "of every input")
    groups = records(Group, "nodes of the factorisation")
    surfaces = records(Surface, "of rigid contact, and terrain")
    surface_data = array("", "numbers of all surfaces")
    shapes = records(Shape, "of rigid contact")
    point_places = records(PointPlace, "of every contact point")
    wheels = records(Wheel, "those on soil first")
    mass = array("kg", "of every body")
    inertia = array("kg m^2", "about the centre of mass, body axes, nine numbers a body")
    body_free = whole("1: the body has no joint")
    angular = whole("1: the row is one of an angle")
    plan = whole("tables of the factorisation")
    scale = array("", "its floors and pivot sizes")
    # work
    rotation = array("-", "body to world axes, nine numbers a body, row by row")
    coordinate_jac = array("", "Jacobian of each, six numbers for body a, six for b")
    coordinate_rate = array("rad/s, m/s", "at the start of the step")
    mass_block = array("kg, kg m^2", "6 x 6 of every body, world axes")
    jacobian = array("", "blocks of rows of six numbers, one for each body of a node")
    compliance = array("", "of every bilateral row")
    bias = array("", "of every bilateral row")
    momentum = array("N s, N m s", "M v + h f, six numbers a body")
    panels = array("", "of the factorisation")
    scratch = array("", "of its solves")
    delassus = array("1/kg", "of the channels, row by row")
    free = array("m/s", "channel velocities at the end of the step without channel impulses")
    channel_compliance = array("1/kg", "of every channel")
    channel_bias = array("m/s", "of every channel")
    channel_lower = array("N s", "bound of every channel")
    channel_upper = array("N s", "bound of every channel")
    channel_live = whole("0: the channel is left out of this step")
    correction = array("m, rad", "of the poses by a projection")
    correction_impulse = array("", "its multipliers")
    excess = array("m, rad", "what of the errors a projection takes")
    nothing = array("", "zeros")
    position_start = array("m", "at the start of the step")
    quaternion_start = array("-", "at the start of the step")
    velocity_start = array("m/s, rad/s", "at the start of the step")
    force_wrench = array("N s, N m s", "impulse of each force on body a, on body b; of drag: its factor")
    points = records(Point, "of rigid contact")
    frame = array("m, -", "centre and axes of the shape that is looked at")


# Where each lies today: the numbers of ``layout``.
_RECORDS = {
    "clock": (L.SCALAR, -1), "count": (-1, L.COUNT_I), "wheel_state": (L.WHEEL_STATE, -1),
    "joints": (L.JOINT_DATA, L.JOINT_I), "coordinates": (L.COORDINATE_DATA, L.COORDINATE_I),
    "couplings": (L.COUPLING_DATA, L.COUPLING_I), "forces": (L.FORCE_DATA, L.FORCE_I),
    "tables": (-1, L.TABLE_I), "sources": (-1, L.INPUT_TABLE_I), "groups": (-1, L.GROUP_I),
    "surfaces": (-1, L.SURFACE_I), "shapes": (L.CONTACT_DATA, L.CONTACT_I),
    "point_places": (-1, L.PLACE_I), "wheels": (L.WHEEL_DATA, L.WHEEL_I), "points": (L.POINT, -1),
}  # fmt: skip
_WHOLE = {
    "body_free": L.BODY_FREE_I, "angular": L.ROW_ANGULAR_I, "plan": L.PLAN_I,
    "channel_live": L.CHANNEL_LIVE_I,
}  # fmt: skip
for _name, _entry in Run.entries.items():
    _floats, _ints = _RECORDS.get(_name, (-1, _WHOLE.get(_name, -1)))
    if _floats < 0 and _ints < 0:
        _floats = getattr(L, _name.upper())
    _entry.floats, _entry.ints = _floats, L.N_FLOATS + _ints if _ints >= 0 else -1

run_of = viewer(Run)
