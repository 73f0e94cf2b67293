"""The memory that a host shares with the ground solver: a header of integers, and a bundle of arrays.

The memory has two blocks, ``F`` of float64 and ``N`` of int64. ``N[:TABLE]`` is the header; then comes
the table of offsets, so array number k begins at ``F[N[TABLE + 2 k]]``. ``python -m
contact.hosts.header`` writes names, numbers and meanings of the arrays for C into ``wheelground.h``.
"""

from contact.kernels.wheel.data import Contact, Report
from mlcp.compiled.bundles import Bundle, array, inner, record, records
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, number
from mlcp.jit import part

from .layout import TABLE


class Sensed(Record):
    """State of a wheel at the end of a step."""

    slip = number("-", "slip ratio")
    load = number("N", "normal force")
    sinkage = number("m", "sinkage of the soil")
    compression = number("m", "compression of soil and tyre")
    sliding = number("m/s", "velocity of the contact point along the heading")
    speed = number("m/s", "velocity of the centre along the heading")
    lateral = number("m/s", "velocity of the contact point, to the left")


class Rim(Record):
    """Radius and vertical stiffness of a wheel's tyre."""

    radius = number("m", "undeformed radius")
    stiffness = number("N/m", "vertical stiffness")


class HostBlock(Bundle):
    """Arrays of the interface for W wheels and their C = 4 W channels (contact velocities)."""

    # inputs, written by the host before a call; contiguous
    step = array("s", "(1,) step length h", size="1")
    position = array("m", "(W, 3) wheel centres, world", size="3 wheels")
    axis = array("-", "(W, 3) spin axes, unit, pointing left, world", size="3 wheels")
    twist = array(
        "m/s, rad/s",
        "(W, 6) velocity of the centre, angular velocity, world, start of the step",
        size="6 wheels",
    )
    free_twist = array(
        "m/s, rad/s", "(W, 6) twist at the end of the step without ground forces", size="6 wheels"
    )
    mobility = array(
        "1/kg, 1/(kg m), 1/(kg m^2)",
        "(6 W, 6 W) change of the twists per impulse",
        size="36 wheels wheels",
    )
    # results of a call
    wrench = array(
        "N, N m", "(W, 6) force and torque about the wheel centre on the wheel, world", size="6 wheels"
    )
    point = array("m", "(W, 3) contact point, world", size="3 wheels")
    frame = array("-", "(W, 9) normal, forward, left, world", size="9 wheels")
    state = records(Sensed, "(W, STATES) readings of each wheel, columns below", size="wheels")
    verdict = record(Report, "(4,) natural residual, passes, missed (0 or 1), error of the law")
    # channel quantities, which a host may write itself in place of the stages DETECT and PROJECT
    map = array("-, m", "(C, 6) channel velocities from each wheel's twist", size="6 channels")
    B = array("1/kg", "(C, C) Delassus matrix of the channels", size="channels channels")
    u = array("m/s", "(C,) channel velocities at the start of the step", size="channels")
    u_free = array(
        "m/s", "(C,) channel velocities at the end of the step without ground forces", size="channels"
    )
    # used by the ground's kernels only
    tyre = records(Rim, "tyres of the wheels", size="wheels")
    shape = array("", "record of the terrain")
    change = array("m/s", "(C,) change of the channel velocities over the last step", size="channels")
    trend = array("N s", "(rows,) change of the rows' impulses over the last step", size="rows")
    B_even = array("1/kg", "(C, C) symmetric part of B", size="channels channels")
    u_even = array("m/s", "(C,) u_free with the effect of the antisymmetric part of B", size="channels")
    q_seen = array("N s", "(C,) channel impulses for which u_even was computed", size="channels")
    contact = inner(
        Contact, "the contact problem", {"wheels": "wheels", "rows": "rows", "channels": "channels"}
    )


_view = viewer(HostBlock)


@part
def block_in(F, N):
    """The arrays in a host's two blocks of memory, by name (``HostBlock``)."""
    return _view(F, N[TABLE:])
