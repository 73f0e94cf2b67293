"""Memory of the kernels of a circuit, with named fields.

Chamber 0 of a branch is the head, chamber 1 the rod side; a branch's third unknown is the opening of
its compensator. Pressures are absolute. "Oil" is its volume at zero pressure.
"""

from __future__ import annotations

from mlcp.compiled.bundles import MODEL, STATE, Bundle, array, record, records, table, whole
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

HEAD, ROD, OPENING, LINE = range(4)  # unknowns of a branch, and the pressure of its pump
PUMPED, DONE, LOST, STORED, TANK = range(5)  # entries of the account of energy and oil


class FluidRecord(Record):
    modulus = number("Pa", "bulk modulus of the oil")
    hose = number("1/Pa", "expansion of the hoses")
    wall = number("1/Pa", "expansion of the cylinders")
    discharge = number("m s^-1 Pa^-0.5", "C_d sqrt(2/rho)")
    transition = number("Pa", "below which an orifice is laminar")
    linear = integer("1: linear below the transition")
    by_volume = integer("1: oil through a valve keeps its volume instead of its mass")
    tank = number("Pa", "pressure of the tank")
    cavity = number("Pa", "least pressure")


class CurveRecord(Record):
    first = integer("place of its first point")
    count = integer("of points")
    stepped = integer("1: piecewise constant")


class BranchRecord(Record):
    pump = integer("its pump")
    area = numbers(2, "m^2", "dV/ds of both chambers: the rod side's is negative")
    volume = numbers(2, "m^3", "of both chambers with the piston at the head's end, without hoses")
    hose = numbers(2, "m^3", "of both chambers' hoses")
    viscous = number("N s/m", "of the piston")
    stroke = number("m", "of the piston")
    cushion = number("m", "length of the end cushion; 0: none")
    throttle = number("m^2", "area of the cushion's throttle at the end")
    command = nested(CurveRecord, "lever over time")
    inlet = nested(CurveRecord, "area over spool position, pump to cylinder")
    outlet = nested(CurveRecord, "area over spool position, cylinder to tank")
    check = integer("1: no flow back to the pump")
    lag = number("s", "of the spool, 0: none")
    fastest = number("1/s", "of the spool")
    compensated = integer("1: with a compensator")
    gain = number("m^2/(s Pa)", "of the compensator")
    drop = number("Pa", "of the inlet, set by the compensator")
    widest = number("m^2", "largest opening of the compensator")
    piston_leak = number("m^3/(s Pa)", "across the piston")
    spool_leak = number("m^3/(s Pa)", "to the tank")
    relief = number("Pa", "set pressure of both port reliefs")
    relief_slope = number("Pa s/m^3", "slope of the reliefs; 0: set-valued")
    makeup = number("Pa", "pressure below which the tank feeds the chambers")
    makeup_slope = number("Pa s/m^3", "slope of the make-up; 0: set-valued")
    mass = number("kg", "on the rod")
    load = nested(CurveRecord, "force on the rod")
    driven = integer("1: the rod's speed is given by the load's curve")
    lever = integer("number of the mechanism's input for the spool")
    coordinate = integer("number of the mechanism's coordinate along the piston")
    channel = integer("number of the mechanism's channel for the piston's impulse")
    sense = number("-", "-1: reversed lever")
    start = number("m", "position of the piston at coordinate 0")


class PumpRecord(Record):
    first = integer("its first branch")
    last = integer("end of its branches, exclusive")
    sensing = integer("0: constant pressure")
    flow = number("m^3/s", "largest delivery")
    margin = number("Pa", "above the sensed load pressure")
    band = number("Pa", "pressure range from full flow to none")
    leak = number("m^3/(s Pa)", "to the tank")
    volume = number("m^3", "of the line")
    relief = number("Pa", "set pressure; that of a constant supply")
    relief_slope = number("Pa s/m^3", "of the relief; 0: set-valued")
    theta = number("-", "weight of the centred force on its branches' rods")
    centred = number("-", "fraction: 1 centred, 0 backward, -1 by the stiffness")


class BranchNow(Record):
    x = numbers(3, "Pa, m^2", "pressures of both chambers, opening of the compensator")
    oil = numbers(2, "m^3", "in both chambers")
    before = numbers(2, "Pa", "pressures of the step before")
    spool = number("-", "position")
    length = number("m", "position of the piston from the head's end")
    speed = number("m/s", "of the piston, extension positive")
    lever = number("-", "lever in a mechanism, at the end of the last step")
    lost = numbers(2, "W", "in the orifices of head and rod side at the end of the last step")


class PumpNow(Record):
    pressure = number("Pa", "of the line")
    oil = number("m^3", "in the line")
    power = number("W", "of the pump at the end of the last step")
    lost = number("W", "losses of relief and leak at the end of the last step")


class Flow(Record):
    rate = numbers(3, "m^3/s, m^2/s", "oil into both chambers, rate of the opening")
    slope = numbers(12, "", "of the rates: by head, rod, opening, line")
    moved = numbers(2, "m^2/s", "slope of both chambers' rates by the piston's position")
    drawn = number("m^3/s", "oil from the line")
    drawn_slope = numbers(4, "", "slope of drawn: by head, rod, opening, line")
    load = integer("chamber with the sensed load; -1: the tank")
    returned = numbers(2, "m^3/s", "oil of both chambers to the tank")
    lost = numbers(2, "W", "in the orifices of both chambers")


class Solve(Record):
    spool = number("-", "at the end of the step")
    length = number("m", "at the end of the step")
    rest = number("m", "position of the locked piston")
    speed = number("m/s", "at the end of the step")
    change = number("m/s", "change of the speed in the last Newton step")
    x = numbers(3, "Pa, m^2", "pressures and opening at the end of the step")
    lower = numbers(3, "Pa, m^2", "lower bounds of x")
    upper = numbers(3, "Pa, m^2", "upper bounds of x")
    at_bound = integers(3, "1: active bound")
    residual = numbers(3, "m^3, m^2", "of oil and opening")
    start = numbers(3, "m^3/s, m^2/s", "rates at the start of the step")
    weight = numbers(3, "-", "weights of the end's rates")
    drawn_start = number("m^3/s", "from the line at the start of the step")
    drawn_share = numbers(2, "-", "weights of the oil from the line: at the step's end, at its start")
    returned_start = numbers(2, "m^3/s", "to the tank at the start of the step")
    share = number("-", "centred fraction of the force")
    mobility = number("1/kg", "inverse of the effective mass at the rod")
    load = number("N", "on the rod in this step")
    block = numbers(9, "", "Jacobian by the three unknowns")
    line = numbers(3, "", "Jacobian by the pressure of the line")
    moved = numbers(3, "", "Jacobian by the rod's speed")
    step = numbers(3, "", "Newton step")
    base = numbers(3, "Pa, m^2", "unknowns before the Newton step")
    by_line = numbers(3, "", "block^-1 line")
    by_speed = numbers(3, "", "block^-1 moved")
    rise = number("Pa s/m", "derivative of the line's pressure by the rod's speed")
    force = number("N", "of the oil on the rod, extension positive, with viscous friction")


class LineRecord(Record):
    x = number("Pa", "pressure at the end of the step")
    upper = number("Pa", "upper bound of the pressure")
    at_bound = integer("1: active bound")
    residual = number("m^3", "of oil")
    start = number("m^3/s", "flow of pump, leak and relief at the start of the step")
    weight = number("-", "weight of the end's flow")
    delivered = number("m^3/s", "by the pump")
    relieved = number("m^3/s", "through a relief with a slope")
    lost = number("W", "of relief and leak")
    own = number("", "slope of the balance by the line's pressure")
    sensed = number("", "slope of the balance by the sensed pressure")
    by = integer("branch with the sensed load, -1: none")
    step = number("Pa", "Newton step")
    base = number("Pa", "pressure before the Newton step")
    schur = number("", "pivot of the line's row")


class OilClock(Record):
    time = number("s", "at the start of the step")
    step = number("s", "length")
    passes = integer("Newton steps of the network, all steps")
    missed = integer("steps that did not converge")
    locked = integer("1: locked pistons, as in a search for equilibrium")


class CircuitData(Bundle):
    clock = record(OilClock, "time and settings", part=MODEL)
    fluids = records(FluidRecord, "the oil of every pump and of its branches", part=MODEL)
    branches = records(BranchRecord, "cylinders with their valves", part=MODEL)
    pumps = records(PumpRecord, "and supplies", part=MODEL)
    x = array("", "points of all curves", part=MODEL)
    y = array("", "values of these points", part=MODEL)
    now = records(BranchNow, "of every branch", part=STATE)
    lines = records(PumpNow, "of every pump", part=STATE)
    account = array("J, m^3", "pumped, done on the rods, lost, stored; oil in the tank", part=STATE)
    flows = records(Flow, "of every branch")
    solves = records(Solve, "of every branch")
    pumping = records(LineRecord, "of every pump")
    impedance = table("N s/m", "-df/du between all branches")
    coupled = table("-", "of the speeds of cylinders in a mechanism, inverted in place")
    others = whole("other channels of the mechanism, without cylinders", part=MODEL)
    slopes = table("kg", "S: impulses of the cylinders by their free speeds")
    locked_impulses = array("N s", "p_0: impulses of the cylinders at zero free speeds")
    inertia = table("1/kg", "Delassus matrix of the mechanism's channels before condensation")
    speeds = array("m/s", "free speeds of the mechanism's channels before condensation")
    bristles = array("m", "bristle states of wheels on soil before the solve")
    right = array("", "residuals of the rods' equations")
    nodes = array("-", "nodes of an explicit method")
    weights = array("-", "weights of an explicit method")
    couplings = table("-", "coefficients of its stages")
    stages = table("", "rates of its stages")
    state = array("", "state of an explicit method")
    trial = array("", "state at a stage")


circuit_of = viewer(CircuitData)
