"""A lumped vehicle as the kernels read it."""

from __future__ import annotations

from mlcp.compiled.bundles import Bundle, record, records
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, number


class Whole(Record):
    """The vehicle as a whole."""

    weight = number("N", "m g")
    height = number("m", "of the centre of mass above the ground")
    lateral = number("-", "largest lateral ratio")
    brakes = number("N", "sum of the brakes' largest forces at the contacts")
    start_slip = number("-", "slip of a start")
    open = number("-", "1: the wheels of an axle share a torque, 0: a speed")
    most = number("N m", "torque of the driven wheels in the strongest gear")


class Axle(Record):
    """An axle with its wheels, their tyres, springs and soil."""

    along = number("m", "place ahead of the centre of mass")
    half_track = number("m", "half the distance of its wheels")
    radius = number("m", "of its wheels")
    driven = number("-", "1 or 0")
    load = number("-", "on the level, share of the weight")
    takes = number("1/m", "of a moment that lifts the front: load off this axle")
    tyre = number("m/N", "compliance of tyres and soil")
    flat = number("m", "their compression on the level")
    spring = number("m/N", "compliance of the springs at the wheels")
    bend = number("m/N^2", "and of its square")
    path = number("-", "forward motion of the wheels' centres as they rise")
    path_driven = number("-", "the same of what the thrust pushes")
    unsprung = number("-", "share of the mass that rises with the wheels")
    lead = number("-", "way of the vehicle's wheels over the way of these, rolling")
    gearing = number("-", "torque of the vehicle's wheels over that of these, of one shaft")
    twist = number("-", "torque of the propeller shaft on the axle over that of its wheels")
    roll = number("N m/rad", "stiffness of the axle against roll of the body")
    stiffening = number("1/rad", "more of it for a torque of its wheels")
    below = number("N m/rad", "stiffness of tyres and soil against its roll")
    over = number("N m/rad", "moment of the body's weight about its roll centre, for a turn")


class Lumped(Bundle):
    """The vehicle and its axles, the first in front."""

    whole = record(Whole, "the vehicle as a whole")
    axles = records(Axle, "from the front", size="axles")


lumped_of = viewer(Lumped)
