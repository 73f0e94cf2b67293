"""Memory of the kernels of a hydraulic circuit: records of fluid, branches and pumps, solver arrays.

A branch is a cylinder with its valve. Its unknowns are the pressures of chamber 0 (head side) and
chamber 1 (rod side), and the opening of its pressure compensator. Pressures are absolute. An amount of
oil [m^3] is its volume at zero pressure.
"""

from mlcp.compiled.bundles import MODEL, STATE, Bundle, array, record, records, table, whole
from mlcp.compiled.record_types import viewer
from mlcp.compiled.records import Record, integer, integers, nested, number, numbers

HEAD, ROD, OPENING, LINE = range(4)  # indices: unknowns of a branch, pressure of its pump's line
PUMPED, DONE, LOST, STORED, TANK = range(5)  # indices in ``CircuitData.account``


class FluidRecord(Record):
    modulus = number("Pa", "bulk modulus of the oil")
    hose = number("1/Pa", "relative volume expansion of the hoses")
    wall = number("1/Pa", "relative volume expansion of the cylinders")
    discharge = number("m s^-1 Pa^-0.5", "C_d sqrt(2/rho) of the orifices")
    transition = number("Pa", "pressure drop below which an orifice is laminar")
    linear = integer("1: flow linear in the pressure drop below the transition")
    by_volume = integer("1: oil through a valve keeps its volume instead of its mass")
    tank = number("Pa", "pressure of the tank")
    cavity = number("Pa", "least pressure")


class CurveRecord(Record):
    first = integer("index of its first point")
    count = integer("number of its points")
    stepped = integer("1: piecewise constant, 0: piecewise linear")


class BranchRecord(Record):
    pump = integer("number of its pump")
    area = numbers(2, "m^2", "dV/ds of both chambers; that of the rod side is negative")
    volume = numbers(2, "m^3", "volume of both chambers without hoses, piston at the head's end")
    hose = numbers(2, "m^3", "volume of the hoses of both chambers")
    viscous = number("N s/m", "viscous friction of the piston")
    stroke = number("m", "stroke of the piston")
    cushion = number("m", "length of the end cushion; 0: none")
    throttle = number("m^2", "area of the cushion's throttle at the end")
    command = nested(CurveRecord, "lever over time")
    inlet = nested(CurveRecord, "area over spool position, pump to cylinder")
    outlet = nested(CurveRecord, "area over spool position, cylinder to tank")
    check = integer("1: no flow back to the pump")
    lag = number("s", "time constant of the spool, 0: none")
    fastest = number("1/s", "largest speed of the spool")
    compensated = integer("1: with a compensator")
    gain = number("m^2/(s Pa)", "gain of the compensator")
    drop = number("Pa", "pressure drop over the inlet that the compensator controls")
    widest = number("m^2", "largest opening of the compensator")
    piston_leak = number("m^3/(s Pa)", "leakage across the piston")
    spool_leak = number("m^3/(s Pa)", "leakage of the spool to the tank")
    relief = number("Pa", "set pressure of both port reliefs")
    relief_slope = number("Pa s/m^3", "slope of the reliefs; 0: set-valued")
    makeup = number("Pa", "pressure below which the tank feeds the chambers")
    makeup_slope = number("Pa s/m^3", "slope of the make-up; 0: set-valued")
    mass = number("kg", "mass on the rod")
    load = nested(CurveRecord, "force on the rod over time")
    driven = integer("1: ``load`` is the rod's speed, prescribed over time")
    lever = integer("number of the mechanism's input for the spool")
    coordinate = integer("number of the mechanism's coordinate along the piston")
    channel = integer("number of the mechanism's channel for the piston's impulse")
    sense = number("-", "-1: reversed lever")
    start = number("m", "position of the piston at coordinate 0")


class PumpRecord(Record):
    first = integer("its first branch")
    last = integer("end of its branches, exclusive")
    sensing = integer("1: load-sensing pump, 0: supply of constant pressure")
    flow = number("m^3/s", "largest flow of the pump")
    margin = number("Pa", "set line pressure above the sensed load pressure")
    band = number("Pa", "range of the line pressure from full flow to none")
    leak = number("m^3/(s Pa)", "leakage to the tank")
    volume = number("m^3", "volume of the line")
    relief = number("Pa", "set pressure of the relief, or pressure of a constant supply")
    relief_slope = number("Pa s/m^3", "slope of the relief; 0: set-valued")
    theta = number("-", "weight of the centred force on its branches' rods")
    centred = number("-", "fraction: 1 centred, 0 backward, -1 by the stiffness")


class BranchNow(Record):
    x = numbers(3, "Pa, m^2", "pressures of both chambers, opening of the compensator")
    oil = numbers(2, "m^3", "oil in both chambers")
    before = numbers(2, "Pa", "pressures of both chambers one step earlier")
    spool = number("-", "position of the spool")
    length = number("m", "position of the piston from the head's end")
    speed = number("m/s", "speed of the piston, extension positive")
    lever = number("-", "lever in a mechanism, at the end of the last step")
    lost = numbers(2, "W", "losses in the orifices of head and rod side, end of the last step")


class PumpNow(Record):
    pressure = number("Pa", "pressure of the line")
    oil = number("m^3", "oil in the line")
    power = number("W", "power of the pump at the end of the last step")
    lost = number("W", "losses of relief and leak at the end of the last step")


class Flow(Record):
    rate = numbers(3, "m^3/s, m^2/s", "flows into both chambers, rate of the opening")
    slope = numbers(12, "", "derivatives of ``rate`` by head and rod pressure, opening, line pressure")
    moved = numbers(2, "m^2/s", "derivatives of the flows by the piston's position")
    drawn = number("m^3/s", "flow from the line")
    drawn_slope = numbers(4, "", "derivatives of ``drawn``, by the same variables as ``slope``")
    load = integer("chamber whose pressure is the sensed load; -1: tank")
    returned = numbers(2, "m^3/s", "flows of both chambers to the tank")
    lost = numbers(2, "W", "losses in the orifices of both chambers")


class Solve(Record):
    spool = number("-", "position of the spool at the end of the step")
    length = number("m", "position of the piston at the end of the step")
    rest = number("m", "position of the locked piston")
    speed = number("m/s", "speed of the piston at the end of the step")
    change = number("m/s", "change of the speed in the last Newton step")
    x = numbers(3, "Pa, m^2", "pressures and opening at the end of the step")
    lower = numbers(3, "Pa, m^2", "lower bounds of x")
    upper = numbers(3, "Pa, m^2", "upper bounds of x")
    at_bound = integers(3, "1: active bound")
    residual = numbers(3, "m^3, m^2", "residuals of the oil balances and of the opening")
    start = numbers(3, "m^3/s, m^2/s", "``Flow.rate`` at the start of the step")
    weight = numbers(3, "-", "weights of the rates at the end of the step, theta")
    drawn_start = number("m^3/s", "flow from the line at the start of the step")
    drawn_weight = numbers(2, "-", "weights of the flow from the line: at the step's end, at its start")
    returned_start = numbers(2, "m^3/s", "flows to the tank at the start of the step")
    centred = number("-", "centred fraction of the force")
    mobility = number("1/kg", "inverse of the effective mass at the rod")
    load = number("N", "load on the rod in this step")
    block = numbers(9, "", "Jacobian of the residuals by the three unknowns")
    line = numbers(3, "", "Jacobian of the residuals by the line pressure")
    moved = numbers(3, "", "Jacobian of the residuals by the rod's speed")
    step = numbers(3, "", "Newton step of the unknowns")
    base = numbers(3, "Pa, m^2", "unknowns before the Newton step")
    by_line = numbers(3, "", "block^-1 line")
    by_speed = numbers(3, "", "block^-1 moved")
    rise = number("Pa s/m", "derivative of the line's pressure by the rod's speed")
    force = number("N", "force of the oil on the rod, extension positive, with viscous friction")


class LineRecord(Record):
    x = number("Pa", "line pressure at the end of the step")
    upper = number("Pa", "upper bound of the pressure")
    at_bound = integer("1: active bound")
    residual = number("m^3", "residual of the line's oil balance")
    start = number("m^3/s", "flow of pump, leak and relief at the start of the step")
    weight = number("-", "weight of the flow at the end of the step, theta")
    delivered = number("m^3/s", "flow of the pump")
    relieved = number("m^3/s", "flow through a relief with a slope")
    lost = number("W", "losses of relief and leak")
    own = number("", "derivative of the oil balance by the line pressure")
    sensed = number("", "derivative of the oil balance by the sensed pressure")
    by = integer("number of the branch with the sensed load, -1: none")
    step = number("Pa", "Newton step of the pressure")
    base = number("Pa", "pressure before the Newton step")
    schur = number("", "pivot of the line's row")


class OilClock(Record):
    time = number("s", "time at the start of the step")
    step = number("s", "step length h")
    passes = integer("Newton steps of the network, all steps")
    missed = integer("steps that did not converge")
    locked = integer("1: locked pistons, as in a search for equilibrium")


class CircuitData(Bundle):
    clock = record(OilClock, "time and settings", part=MODEL)
    fluids = records(FluidRecord, "the oil of every pump and of its branches", part=MODEL)
    branches = records(BranchRecord, "cylinders with their valves", part=MODEL)
    pumps = records(PumpRecord, "pumps and supplies of constant pressure", part=MODEL)
    x = array("", "points of all curves", part=MODEL)
    y = array("", "values of these points", part=MODEL)
    now = records(BranchNow, "state of every branch", part=STATE)
    lines = records(PumpNow, "state of every pump's line", part=STATE)
    account = array(
        "J, m^3", "energy pumped, work on the rods, losses, energy stored; oil in the tank", part=STATE
    )
    flows = records(Flow, "flows of every branch")
    solves = records(Solve, "step of every branch")
    pumping = records(LineRecord, "step of every pump's line")
    impedance = table("N s/m", "Z = -df/du of all branches: forces by speeds")
    coupled = table("-", "X = (1 + h B Z)^-1 of cylinders in a mechanism; of rods (M + h Z)^-1")
    others = whole("other channels of the mechanism, without cylinders", part=MODEL)
    slopes = table("kg", "S: impulses of the cylinders by their free speeds")
    locked_impulses = array("N s", "p_0: impulses of the cylinders at zero free speeds")
    inertia = table("1/kg", "Delassus matrix of the mechanism's channels before condensation")
    of_pistons = table("1/kg", "Delassus matrix B_pp of the pistons")
    to_pistons = table("1/kg", "Delassus matrix B_pq from the other channels to the pistons")
    reactions = table("-", "S B_pq: impulses of the cylinders by those of the other channels")
    speeds = array("m/s", "free speeds of the mechanism's channels before condensation")
    bristles = array("m", "bristle states of wheels on soil before the contact solve")
    right = array("", "residuals of the rods' speed equations; sums of a row in the condensation")
    nodes = array("-", "nodes c of an explicit Runge-Kutta method")
    weights = array("-", "weights b of the explicit method")
    couplings = table("-", "coefficients A of the explicit method")
    stages = table("", "rates at the stages of the explicit method")
    state = array("", "state of the explicit method at the start of the step")
    trial = array("", "state at a stage of the explicit method")


circuit_of = viewer(CircuitData)
