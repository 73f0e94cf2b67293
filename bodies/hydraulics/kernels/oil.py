"""A step of the oil: preparation, forces at given speeds of the rods, update at the end.

    f = sum a_i P^_i - b ((1 - q/2) u + q/2 u_0),   P^ = P + q (P_0 + theta (P - 2 P_0 + P_-1) - P)

f: force on a rod; a_i: signed areas of its chambers; b: viscous friction; u, u_0: speeds of the rod at
the end and the start of the step; P, P_0, P_-1: pressures at the end of the step, at its start, one step
earlier; theta: weight of their second difference. The centred fraction q is 0 for backward Euler; for
q = 1 the force is centred about the start of the step: no numerical damping of an oil spring, stable
for theta >= 1/4.
"""

import math

from mlcp.jit import kernel

from ...kernels.oil_data import DONE, HEAD, LINE, LOST, OPENING, PUMPED, ROD, TANK
from ...kernels.tables import schedule
from .flows import CHAMBERS, WIDE, driven_side, find_flows, in_cushion
from .network import drawn, line_slope, solve_block, solve_network
from .pump import pump_line, sensed_load
from .volume import chamber, oil_in, pressure_of, work_of


@kernel
def curve_value(circuit, curve, time):
    """Value of the curve of a lever or load at a time [s]."""
    return schedule(circuit.x, circuit.y, curve.first, curve.count, curve.stepped, time)


@kernel
def command(circuit, branch, time):
    """Commanded spool position [-] of a branch at a time [s], from its lever, within -1 and 1."""
    return branch.sense * min(max(curve_value(circuit, branch.command, time), -1.0), 1.0)


@kernel
def spool_rate(branch, goal, spool):
    """Speed [1/s] of a spool with a lag at position ``spool`` and commanded position ``goal``."""
    rate = (goal - spool) / branch.lag
    return min(max(rate, -branch.fastest), branch.fastest)


@kernel
def move_spool(circuit, k):
    """Spool position [-] at the end of the step; exact if the lever's speed is constant in the step."""
    branch, now, clock = circuit.branches[k], circuit.now[k], circuit.clock
    h, lag = clock.step, branch.lag
    goal = command(circuit, branch, clock.time + h)
    if lag == 0.0:
        return goal
    start = command(circuit, branch, clock.time)
    behind = (goal - start) * lag / h
    move = goal - behind + (now.spool - start + behind) * math.exp(-h / lag) - now.spool
    most = h * branch.fastest
    return now.spool + min(max(move, -most), most)


@kernel
def stiffness(circuit, k):
    """Stiffness [N/m] of the oil in a cylinder with closed ports, about ``beta a^2/V`` summed over its
    chambers; beta: bulk modulus, a: piston area, V: volume."""
    now, branch = circuit.now[k], circuit.branches[k]
    fluid = circuit.fluids[branch.pump]
    total = 0.0
    for c in range(CHAMBERS):
        volume, widening = chamber(circuit, k, c, now.length)
        _oil, slope, phi = oil_in(volume, widening, now.x[c], fluid)
        total += branch.area[c] * branch.area[c] * phi / slope
    return total


@kernel
def set_bounds(circuit, k):
    """Write the bounds of the chamber pressures (least pressure, set-valued valves) and of the opening
    of the compensator (its stops)."""
    solve, branch = circuit.solves[k], circuit.branches[k]
    for c in range(CHAMBERS):
        solve.lower[c] = circuit.fluids[branch.pump].cavity
        solve.upper[c] = math.inf
        if branch.makeup_slope == 0.0:
            solve.lower[c] = max(solve.lower[c], branch.makeup)
        if branch.relief_slope == 0.0 and not in_cushion(circuit, k, c):
            solve.upper[c] = branch.relief
    solve.lower[OPENING], solve.upper[OPENING] = 0.0, branch.widest


@kernel
def end_weight(ratio, centred):
    """Weight [-] of the rate at the end of the step: ``max(1/2, 1 - 1/z)`` for the centred fraction 1.

    z = ``ratio``: step length over the row's time constant. If ``centred``, the centred fraction, tends
    to 0, the weight tends to 1 (backward Euler).
    """
    return 1.0 - centred * (1.0 - max(0.5, 1.0 - 1.0 / max(ratio, 1e-9)))


@kernel
def raise_time_ratios(circuit, k, spool):
    """Raise ``weight`` of each row to the ratio of the step length to the row's time constant at this
    spool position, if that is larger."""
    now, h, j = circuit.now[k], circuit.clock.step, circuit.branches[k].pump
    line, flow, weight = circuit.lines[j].pressure, circuit.flows[k], circuit.solves[k].weight
    find_flows(circuit, k, spool, line, now.x, now.length)
    for c in range(CHAMBERS):
        volume, widening = chamber(circuit, k, c, now.length)
        slope = oil_in(volume, widening, now.x[c], circuit.fluids[j])[1]
        weight[c] = max(weight[c], -h * flow.slope[WIDE * c + c] / slope)
    if circuit.pumps[j].sensing == 1:
        slope = oil_in(circuit.pumps[j].volume, 0.0, line, circuit.fluids[j])[1]
        side = driven_side(spool)
        weight[side] = max(weight[side], h * flow.drawn_slope[LINE] / slope)
    weight[OPENING] = max(weight[OPENING], -h * flow.slope[WIDE * OPENING + OPENING])


@kernel
def weigh(circuit, k, centred):
    """Write the weights of the rates at a step's end in branch k's integration, and the start rates.

    The rates are those of both chambers' oil and of the compensator's opening. A flow has the same
    weight in the balances of both volumes that it joins, so that oil is conserved: the flow from the
    line has the weight of the driven chamber; with a leaking piston both chambers have the weight of the
    one with the shorter time constant."""
    solve, now, flow = circuit.solves[k], circuit.now[k], circuit.flows[k]
    weight = solve.weight
    for r in range(3):
        weight[r], solve.start[r] = 1.0, 0.0
    solve.drawn_start, solve.drawn_weight[0], solve.drawn_weight[1] = 0.0, 1.0, 0.0
    for c in range(CHAMBERS):
        solve.returned_start[c] = 0.0
    if centred == 0.0:
        return
    for r in range(3):
        weight[r] = 0.0  # ratio of step length to time constant, until ``end_weight`` below
    if solve.spool != now.spool:
        raise_time_ratios(circuit, k, solve.spool)
    raise_time_ratios(circuit, k, now.spool)
    if circuit.branches[k].piston_leak > 0.0:
        weight[HEAD] = weight[ROD] = max(weight[HEAD], weight[ROD])
    for r in range(3):
        weight[r] = end_weight(weight[r], centred)
        solve.start[r] = flow.rate[r]
    solve.drawn_weight[0] = weight[driven_side(solve.spool)]
    solve.drawn_weight[1] = 1.0 - weight[driven_side(now.spool)]
    solve.drawn_start = flow.drawn
    for c in range(CHAMBERS):
        solve.returned_start[c] = flow.returned[c]


@kernel
def weigh_line(circuit, j, centred):
    """Write the weight of the rate at the step's end for pump j's line, and its flow at the start (pump,
    leak and relief).

    To be called after :func:`weigh` of its branches, which finds the sensed load.
    """
    pump, row, state = circuit.pumps[j], circuit.pumping[j], circuit.lines[j]
    row.weight, row.start = 1.0, 0.0
    row.x = state.pressure
    row.upper = pump.relief if pump.relief_slope == 0.0 else math.inf
    if pump.sensing == 0 or centred == 0.0:
        return
    row.start = pump_line(circuit, j, state.pressure, sensed_load(circuit, j, 0)[0])
    slope = oil_in(pump.volume, 0.0, state.pressure, circuit.fluids[j])[1]
    row.weight = end_weight(-circuit.clock.step * row.own / slope, centred)


@kernel
def begin(circuit):
    """Prepare the step: spool positions, bounds and weights, which do not depend on the rods' new
    speeds."""
    clock = circuit.clock
    for j in range(len(circuit.pumps)):
        pump, least = circuit.pumps[j], 1.0
        for k in range(pump.first, pump.last):
            solve, now = circuit.solves[k], circuit.now[k]
            solve.spool = move_spool(circuit, k)
            solve.speed = now.speed
            for i in range(3):
                solve.x[i] = now.x[i]
            set_bounds(circuit, k)
            centred = pump.centred
            if centred < 0.0:
                turn = clock.step * math.sqrt(stiffness(circuit, k) * solve.mobility)
                # "auto": ``turn`` [rad], step length times natural frequency, gives q = 1 below 0.5 rad,
                # q = 0 above 2 rad, and a linear transition between
                centred = min(max((2.0 - turn) / (2.0 - 0.5), 0.0), 1.0)
            solve.centred = centred
            least = min(least, centred)
            weigh(circuit, k, centred)
        weigh_line(circuit, j, least)


@kernel
def find_forces(circuit):
    """Write pressures and forces at the end of the step for given speeds of the rods.

    Returns 1, or 0 without convergence.
    """
    agreed, clock = 1, circuit.clock
    for k in range(len(circuit.branches)):
        solve, now = circuit.solves[k], circuit.now[k]
        solve.length = now.length + clock.step * solve.speed
    for j in range(len(circuit.pumps)):
        agreed = min(agreed, solve_network(circuit, j))
    for k in range(len(circuit.branches)):
        solve, now, branch = circuit.solves[k], circuit.now[k], circuit.branches[k]
        q, theta = solve.centred, circuit.pumps[branch.pump].theta
        force = -branch.viscous * ((1.0 - 0.5 * q) * solve.speed + 0.5 * q * now.speed)
        for c in range(CHAMBERS):
            about_start = now.x[c] + theta * (solve.x[c] - 2.0 * now.x[c] + now.before[c])
            force += branch.area[c] * (solve.x[c] + q * (about_start - solve.x[c]))
        solve.force = force
    return agreed


@kernel
def find_impedance(circuit):
    """Write ``Z = -df/du`` of all branches by the implicit-function theorem, after
    :func:`find_forces`."""
    Z = circuit.impedance
    for row in range(len(circuit.branches)):
        for column in range(len(circuit.branches)):
            Z[row, column] = 0.0
    for j in range(len(circuit.pumps)):
        pump, line = circuit.pumps[j], circuit.pumping[j]
        theta, schur = pump.theta, line.own
        for k in range(pump.first, pump.last):
            solve = circuit.solves[k]
            solve_block(solve.block, solve.line, solve.by_line)
            solve_block(solve.block, solve.moved, solve.by_speed)
            for i in range(3):
                schur -= line_slope(circuit, j, k, i) * solve.by_line[i]
        for k in range(pump.first, pump.last):
            solve, branch = circuit.solves[k], circuit.branches[k]
            weight = 1.0 - solve.centred * (1.0 - theta)
            rise = 0.0
            for i in range(3):
                rise += line_slope(circuit, j, k, i) * solve.by_speed[i]
            rise /= schur
            solve.rise = rise
            Z[k, k] += branch.viscous * (1.0 - 0.5 * solve.centred)
            for c in range(CHAMBERS):
                Z[k, k] += weight * branch.area[c] * solve.by_speed[c]
            for other in range(pump.first, pump.last):
                its, area = circuit.solves[other], circuit.branches[other].area
                weight = 1.0 - its.centred * (1.0 - theta)
                for c in range(CHAMBERS):
                    Z[other, k] += weight * area[c] * its.by_line[c] * rise


@kernel
def predict(circuit):
    """Write a first-order prediction of pressures and openings after a change of the rods' speeds."""
    for j in range(len(circuit.pumps)):
        pump, line, risen = circuit.pumps[j], circuit.pumping[j], 0.0
        for k in range(pump.first, pump.last):
            risen += circuit.solves[k].rise * circuit.solves[k].change
        if pump.sensing == 1:
            line.x = min(max(line.x + risen, circuit.fluids[j].cavity), line.upper)
        for k in range(pump.first, pump.last):
            solve = circuit.solves[k]
            for i in range(3):
                x = solve.x[i] - solve.by_speed[i] * solve.change - solve.by_line[i] * risen
                solve.x[i] = min(max(x, solve.lower[i]), solve.upper[i])


@kernel
def update_oil(circuit, k):
    """Update the oil of a branch at the end of the step; the excess of the oil balance flows through a
    set-valued valve to or from the tank."""
    now, solve, flow = circuit.now[k], circuit.solves[k], circuit.flows[k]
    fluid, h = circuit.fluids[circuit.branches[k].pump], circuit.clock.step
    for c in range(CHAMBERS):
        w = solve.weight[c]
        circuit.account[TANK] += h * (w * flow.returned[c] + (1.0 - w) * solve.returned_start[c])
        new = now.oil[c] + h * (w * flow.rate[c] + (1.0 - w) * solve.start[c])
        volume, widening = chamber(circuit, k, c, solve.length)
        if solve.at_bound[c] == 1 and solve.x[c] > fluid.cavity:
            passed = new - oil_in(volume, widening, solve.x[c], fluid)[0]
            circuit.account[LOST] += passed * (work_of(solve.x[c], fluid) - work_of(fluid.tank, fluid))
            circuit.account[TANK] += passed
            new -= passed
        now.oil[c] = new
        now.before[c] = now.x[c]
        now.x[c] = pressure_of(volume, widening, new, fluid)
    now.x[OPENING] = solve.x[OPENING]
    now.spool, now.length, now.speed = solve.spool, solve.length, solve.speed


@kernel
def update_line(circuit, j):
    """Update the oil of a line at the end of the step, and the work of its pump."""
    pump, row, state = circuit.pumps[j], circuit.pumping[j], circuit.lines[j]
    fluid, h, end = circuit.fluids[j], circuit.clock.step, row.weight
    worth = work_of(row.x, fluid) - work_of(fluid.tank, fluid)
    taken = 0.0
    for k in range(pump.first, pump.last):
        taken += drawn(circuit, k)
    if pump.sensing == 0:
        circuit.account[TANK] -= taken
        circuit.account[PUMPED] += taken * worth
        return
    rate = pump_line(circuit, j, row.x, sensed_load(circuit, j, 1)[0])
    gained = h * (end * rate + (1.0 - end) * row.start)
    new = state.oil + gained - taken
    circuit.account[TANK] -= gained
    if row.at_bound == 1 and row.x > fluid.cavity:
        passed = new - oil_in(pump.volume, 0.0, row.x, fluid)[0]
        circuit.account[LOST] += passed * worth
        circuit.account[TANK] += passed
        new -= passed
    power = row.delivered * worth
    circuit.account[PUMPED] += h * (end * power + (1.0 - end) * state.power)
    circuit.account[LOST] += h * (end * row.lost + (1.0 - end) * state.lost)
    state.power, state.lost = power, row.lost
    state.oil = new
    state.pressure = pressure_of(pump.volume, 0.0, new, fluid)


@kernel
def finish(circuit):
    """Update oil, pressures, balances of energy and oil, and time at the end of the step."""
    clock = circuit.clock
    for j in range(len(circuit.pumps)):
        update_line(circuit, j)
    for k in range(len(circuit.branches)):
        solve, flow, branch = circuit.solves[k], circuit.flows[k], circuit.branches[k]
        q = solve.centred
        mean = (1.0 - 0.5 * q) * solve.speed + 0.5 * q * circuit.now[k].speed
        lost, before = branch.viscous * mean * mean, circuit.now[k].lost
        for c in range(CHAMBERS):
            lost += solve.weight[c] * flow.lost[c] + (1.0 - solve.weight[c]) * before[c]
            before[c] = flow.lost[c]
        circuit.account[LOST] += clock.step * lost
        circuit.account[DONE] += clock.step * mean * solve.force
        update_oil(circuit, k)
    clock.time += clock.step
