"""What the kernels of a circuit work with, by name.

Chamber 0 of a branch is the head, chamber 1 the rod side; a branch's third unknown is the opening of
its compensator. Pressures are absolute. "Oil" is the volume that it would have at zero pressure.
"""

from __future__ import annotations

from mlcp.compiled.bundles import MODEL, STATE, Bundle, array, record, records, table, whole
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

HEAD, ROD, OPENING, LINE = range(4)  # unknowns of a branch, and the pressure of its pump
PUMPED, DONE, LOST, STORED, TANK = range(5)  # of the book


class Fluid(Record):
    modulus = number("Pa", "bulk modulus of the oil")
    hose = number("1/Pa", "widening of the hoses")
    wall = number("1/Pa", "widening of the cylinders")
    discharge = number("m s^-1 Pa^-0.5", "C_d sqrt(2/rho)")
    transition = number("Pa", "below which an orifice is laminar")
    linear = integer("1: linear below the transition")
    by_volume = integer("1: what crosses a valve keeps its volume instead of its oil")
    tank = number("Pa", "pressure of the tank")
    cavity = number("Pa", "least pressure")


class Curve(Record):
    first = integer("place of its first point")
    count = integer("of points")
    hold = integer("1: steps")


class Branch(Record):
    pump = integer("its pump")
    area = numbers(2, "m^2", "dV/ds of both chambers: the rod side's is negative")
    volume = numbers(2, "m^3", "of both chambers with the piston at the head's end, without hoses")
    hose = numbers(2, "m^3", "of both chambers' hoses")
    viscous = number("N s/m", "of the piston")
    stroke = number("m", "of the piston")
    cushion = number("m", "way to either end over which oil leaves by a throttle, 0: none")
    throttle = number("m^2", "area of that throttle at the end")
    command = nested(Curve, "the lever")
    inlet = nested(Curve, "area over spool position, pump to cylinder")
    outlet = nested(Curve, "area over spool position, cylinder to tank")
    check = integer("1: no flow back to the pump")
    lag = number("s", "of the spool, 0: none")
    fastest = number("1/s", "of the spool")
    compensated = integer("1: there is a compensator")
    gain = number("m^2/(s Pa)", "of the compensator")
    drop = number("Pa", "that it keeps over the inlet")
    widest = number("m^2", "its largest opening")
    piston_leak = number("m^3/(s Pa)", "across the piston")
    spool_leak = number("m^3/(s Pa)", "to the tank")
    relief = number("Pa", "set pressure of both port reliefs")
    relief_slope = number("Pa s/m^3", "of them; 0: set-valued")
    makeup = number("Pa", "below which the tank feeds the chambers")
    makeup_slope = number("Pa s/m^3", "of that; 0: set-valued")
    mass = number("kg", "on the rod")
    load = nested(Curve, "force on the rod")
    driven = integer("1: the rod's speed is given by the load's curve")
    lever = integer("input of a mechanism that moves the spool")
    coordinate = integer("of a mechanism along which the piston moves")
    channel = integer("of a mechanism that takes the piston's impulse")
    sense = number("-", "-1: the lever is mounted the other way round")
    start = number("m", "piston where that coordinate is 0")


class Pump(Record):
    first = integer("its first branch")
    last = integer("behind its last branch")
    sensing = integer("0: constant pressure")
    flow = number("m^3/s", "largest")
    margin = number("Pa", "above the load that is sensed")
    band = number("Pa", "from full flow to none")
    leak = number("m^3/(s Pa)", "to the tank")
    volume = number("m^3", "of the line")
    relief = number("Pa", "set pressure; that of a constant supply")
    relief_slope = number("Pa s/m^3", "of the relief; 0: set-valued")
    theta = number("-", "weight of the centred force on its branches' rods")
    centred = number("-", "1: centred, 0: backward, -1: by the stiffness")


class BranchNow(Record):
    x = numbers(3, "Pa, m^2", "pressures of both chambers, opening of the compensator")
    oil = numbers(2, "m^3", "in both chambers")
    before = numbers(2, "Pa", "pressures a step before")
    spool = number("-", "position")
    length = number("m", "position of the piston from the head's end")
    speed = number("m/s", "of the piston, extension positive")
    lever = number("-", "of a mechanism, at the end of the last step")
    lost = numbers(2, "W", "in the orifices of head and rod side at the end of the last step")


class PumpNow(Record):
    pressure = number("Pa", "of the line")
    oil = number("m^3", "in the line")
    power = number("W", "of the pump at the end of the last step")
    lost = number("W", "of relief and leak then")


class Flow(Record):
    rate = numbers(3, "m^3/s, m^2/s", "oil into both chambers, and of the opening")
    slope = numbers(12, "", "of the rates: by head, rod, opening, line")
    moved = numbers(2, "m^2/s", "slope of both chambers' rates by the piston's position")
    drawn = number("m^3/s", "oil from the line")
    drawn_slope = numbers(4, "", "of it")
    load = integer("chamber that the pump feels; -1: the tank")
    returned = numbers(2, "m^3/s", "oil of both chambers to the tank")
    lost = numbers(2, "W", "in the orifices of both chambers")


class Solve(Record):
    spool = number("-", "at the end of the step")
    length = number("m", "at the end of the step")
    rest = number("m", "where it is locked")
    speed = number("m/s", "at the end of the step")
    change = number("m/s", "of it in the last step of Newton's method")
    x = numbers(3, "Pa, m^2", "pressures and opening at the end of the step")
    lower = numbers(3, "Pa, m^2", "bounds of them")
    upper = numbers(3, "Pa, m^2", "bounds of them")
    held = integers(3, "1: at a bound, or beyond")
    residual = numbers(3, "m^3, m^2", "of oil and opening")
    start = numbers(3, "m^3/s, m^2/s", "rates at the start of the step")
    weight = numbers(3, "-", "of the end's rates")
    drawn_start = number("m^3/s", "from the line at the start of the step")
    drawn_share = numbers(2, "-", "of that from the line: at the end, at the start of the step")
    returned_start = numbers(2, "m^3/s", "to the tank at the start of the step")
    share = number("-", "centred share of the force")
    mobility = number("1/kg", "inverse of the mass that the rod feels")
    load = number("N", "on the rod in this step")
    block = numbers(9, "", "Jacobian by the three unknowns")
    line = numbers(3, "", "Jacobian by the pressure of the line")
    moved = numbers(3, "", "Jacobian by the rod's speed")
    step = numbers(3, "", "of Newton's method")
    base = numbers(3, "Pa, m^2", "unknowns where it starts")
    by_line = numbers(3, "", "block^-1 line")
    by_speed = numbers(3, "", "block^-1 moved")
    rise = number("Pa s/m", "of the line's pressure with the rod's speed")
    force = number("N", "of the oil on the rod, extension positive, with viscous friction")


class Line(Record):
    x = number("Pa", "pressure at the end of the step")
    upper = number("Pa", "its bound")
    held = integer("1: at a bound, or beyond")
    residual = number("m^3", "of oil")
    start = number("m^3/s", "of pump, leak and relief at the start of the step")
    weight = number("-", "of the end's")
    delivered = number("m^3/s", "by the pump")
    relieved = number("m^3/s", "over its relief, where that has a slope")
    lost = number("W", "of relief and leak")
    own = number("", "slope of the balance by its own pressure")
    sensed = number("", "slope of the balance by the pressure that is sensed")
    by = integer("branch whose load is sensed, -1: none")
    step = number("Pa", "of Newton's method")
    base = number("Pa", "pressure where it starts")
    schur = number("", "its pivot")


class Clock(Record):
    time = number("s", "at the start of the step")
    step = number("s", "length")
    passes = integer("Newton steps of the network, all steps")
    missed = integer("steps that did not converge")
    locked = integer("1: the pistons stand, as in a search for equilibrium")


class Circuit(Bundle):
    clock = record(Clock, "time and settings", part=MODEL)
    fluids = records(Fluid, "the oil of every pump and of its branches", part=MODEL)
    branches = records(Branch, "cylinders with their valves", part=MODEL)
    pumps = records(Pump, "and supplies", part=MODEL)
    x = array("", "points of all curves", part=MODEL)
    y = array("", "and their values", part=MODEL)
    now = records(BranchNow, "of every branch", part=STATE)
    lines = records(PumpNow, "of every pump", part=STATE)
    book = array("J, m^3", "pumped, done on the rods, lost, stored; oil in the tank", part=STATE)
    flows = records(Flow, "of every branch")
    solves = records(Solve, "of every branch")
    pumping = records(Line, "of every pump")
    impedance = table("N s/m", "-df/du between all branches")
    coupled = table("-", "of the speeds of cylinders in a mechanism, inverted in place")
    others = whole("channels of a mechanism that are no cylinders", part=MODEL)
    slopes = table("kg", "impulse of each cylinder by the free speed of each")
    pushes = array("N s", "impulse of each cylinder beside that")
    inertia = table("1/kg", "of a mechanism's channels, as they come")
    speeds = array("m/s", "of them without their impulses, as they come")
    bristles = array("m", "of wheels on soil, as they come")
    right = array("", "of the rods' equations")
    nodes = array("-", "of an explicit method")
    weights = array("-", "of its result")
    couplings = table("-", "of its stages")
    stages = table("", "rates of its stages")
    state = array("", "its state")
    trial = array("", "its state at a stage")


circuit_of = viewer(Circuit)
