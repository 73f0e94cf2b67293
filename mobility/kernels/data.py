"""Records of a lumped vehicle for the kernels."""

from mlcp.compiled.bundles import Bundle, record, records
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, number


class Whole(Record):
    """Data of the vehicle as a whole."""

    weight = number("N", "m g")
    height = number("m", "height of the centre of mass above the ground")
    lateral = number("-", "largest lateral ratio")
    brakes = number("N", "sum of the brakes' largest forces at the contacts")
    start_slip = number("-", "slip of the wheels at a start")
    open = number("-", "1: open differentials (equal torques), 0: locked (equal speeds)")
    most = number("N m", "torque of the driven wheels in the strongest gear")
    gravity = number("m/s^2", "g")


class Axle(Record):
    """Data of an axle with its wheels, their tyres, springs and soil."""

    along = number("m", "position ahead of the centre of mass")
    half_track = number("m", "half the distance of its wheels")
    radius = number("m", "rolling radius of its wheels")
    driven = number("-", "1: driven, 0: not")
    load = number("-", "load on the level over the weight")
    takes = number("1/m", "decrease of the axle's load over the moment that lifts the front")
    tyre = number("m/N", "compliance of tyres and soil")
    flat = number("m", "compression of tyres and soil on the level")
    spring = number("m/N", "compliance of the springs at the wheels, linear term")
    bend = number("m/N^2", "quadratic term of this compliance")
    path = number("-", "forward over vertical motion of the wheels' centres")
    path_driven = number("-", "forward over vertical motion of the point of the thrust")
    unsprung = number("-", "unsprung mass over the vehicle's mass")
    lead = number("-", "rim speed of the vehicle's reference wheels over that of these")
    gearing = number("-", "torque of the reference wheels over that of these, at one shaft")
    twist = number("-", "torque of the propeller shaft on the axle over that of its wheels")
    roll = number("N m/rad", "roll stiffness between axle and body")
    stiffening = number("1/rad", "increase of this stiffness over the torque of its wheels")
    below = number("N m/rad", "roll stiffness of tyres and soil")
    over = number("N m/rad", "moment of the body's weight about the roll centre over the roll angle")


class Lumped(Bundle):
    """Data of the vehicle and of its axles, from front to rear."""

    whole = record(Whole, "the vehicle as a whole")
    axles = records(Axle, "axles from front to rear", size="axles")


lumped_of = viewer(Lumped)
