"""Pressures and openings of a pump's network at the end of a step, for given speeds u of the rods.

    W_i(P, s + h u) - W_i0 - h (w Q_i + (1 - w) Q_i0) = 0   every chamber and line, P between bounds
    A - A_0 - h (w r + (1 - w) r_0) = 0                     every compensator, 0 <= A <= A_max
    r = K (dp_set - (P_m - P_l))

W, P, Q: oil, pressure and flow of a chamber or line; s: position of the chamber's piston; A: opening of
a compensator with gain K and set pressure drop dp_set; P_m - P_l: drop over the valve's inlet; h: step
length; index 0: start of the step; w: weight of the rates at the end of the step. At a bound the
equation becomes an inequality: at the least pressure oil is missing (a void), at the pressure of a
set-valued relief valve the excess of oil flows to the tank. A semismooth Newton method solves this mixed
complementarity problem: at an active bound the row is x = bound, the other rows are linearised exactly.
The branches (cylinders with valves) are coupled by the line pressure alone, so the unknowns of each
branch are eliminated before the line's row is solved.
"""

import math

from mlcp.jit import kernel

from ...kernels.oil_data import LINE, OPENING
from .flows import CHAMBERS, WIDE, area, find_flows
from .pump import pump_line, sensed_load
from .volume import chamber, oil_in

STEPS = 30  # most steps of Newton's method
HALVINGS = 6  # most halvings of the step length in the line search
PRESSURE_TOLERANCE = 1e-4  # [Pa] tolerance on the largest error of all rows, scaled to a pressure


@kernel
def projected_step(x, step, lower, upper):
    """Newton step after projection to the bounds, ``x - clamp(x - step, lower, upper)``; and 1 if a
    bound is active, else 0."""
    goal = x - step
    if goal <= lower:
        return x - lower, 1
    if goal >= upper:
        return x - upper, 1
    return step, 0


@kernel
def chamber_row(circuit, k, c):
    """Write residual, Jacobian and active bound of the row of chamber c of branch k.

    Returns the error [Pa]: Newton step of this row alone, projected to the bounds.
    """
    solve, flow, now = circuit.solves[k], circuit.flows[k], circuit.now[k]
    h = circuit.clock.step
    fluid = circuit.fluids[circuit.branches[k].pump]
    volume, widening = chamber(circuit, k, c, solve.length)
    oil, slope, phi = oil_in(volume, widening, solve.x[c], fluid)
    w = h * solve.weight[c]
    residual = oil - now.oil[c] - w * flow.rate[c] - (h - w) * solve.start[c]
    for i in range(3):
        solve.block[3 * c + i] = -w * flow.slope[WIDE * c + i]
    own = solve.block[3 * c + c] + slope
    solve.block[3 * c + c] = own
    solve.line[c] = -w * flow.slope[WIDE * c + LINE]
    wall = fluid.wall * solve.x[c]
    solve.moved[c] = h * (circuit.branches[k].area[c] * (phi + wall) - w * flow.moved[c])
    solve.residual[c] = residual
    error, solve.at_bound[c] = projected_step(solve.x[c], residual / own, solve.lower[c], solve.upper[c])
    return error


@kernel
def opening_row(circuit, k):
    """Write residual, Jacobian and active bound of the row of branch k's compensator.

    Returns the error [Pa]: projected Newton step of this row alone, scaled so that A_max is 1 MPa.
    """
    solve, flow, now = circuit.solves[k], circuit.flows[k], circuit.now[k]
    h, w = circuit.clock.step, circuit.clock.step * solve.weight[OPENING]
    residual = solve.x[OPENING] - now.x[OPENING] - w * flow.rate[OPENING]
    residual -= (h - w) * solve.start[OPENING]
    for i in range(3):
        solve.block[3 * OPENING + i] = -w * flow.slope[WIDE * OPENING + i]
    own = solve.block[3 * OPENING + OPENING] + 1.0
    solve.block[3 * OPENING + OPENING] = own
    solve.line[OPENING] = -w * flow.slope[WIDE * OPENING + LINE]
    solve.moved[OPENING] = 0.0
    solve.residual[OPENING] = residual
    x, step = solve.x[OPENING], residual / own
    error, solve.at_bound[OPENING] = projected_step(x, step, solve.lower[OPENING], solve.upper[OPENING])
    return error * 1e6 / max(solve.upper[OPENING], 1e-12)


@kernel
def fix_bounded(solve):
    """Replace the rows at an active bound by ``x = bound``."""
    for r in range(3):
        if solve.at_bound[r] == 1:
            goal = solve.x[r] - solve.residual[r] / solve.block[4 * r]
            bound = solve.lower[r] if goal <= solve.lower[r] else solve.upper[r]
            for i in range(3):
                solve.block[3 * r + i] = 0.0
            solve.block[4 * r] = 1.0
            solve.line[r] = solve.moved[r] = 0.0
            solve.residual[r] = solve.x[r] - bound


@kernel
def drawn(circuit, k):
    """Volume of oil that branch k (a cylinder with its valves) takes from the line in the step [m^3]."""
    solve = circuit.solves[k]
    new, old = solve.drawn_weight[0], solve.drawn_weight[1]
    return circuit.clock.step * (new * circuit.flows[k].drawn + old * solve.drawn_start)


@kernel
def line_row(circuit, j):
    """Write residual and derivatives of the row of pump j's line; returns the error [Pa]."""
    pump, row, state = circuit.pumps[j], circuit.pumping[j], circuit.lines[j]
    if pump.sensing == 0:
        row.at_bound = 1
        row.residual, row.own, row.sensed, row.by = row.x - pump.relief, 1.0, 0.0, -1
        return row.residual
    h, fluid = circuit.clock.step, circuit.fluids[j]
    sensed, by = sensed_load(circuit, j, 1)
    rate = pump_line(circuit, j, row.x, sensed)
    w = h * row.weight
    gained = w * rate + (h - w) * row.start
    oil, slope, _phi = oil_in(pump.volume, 0.0, row.x, fluid)
    row.own, row.sensed, row.by = slope - w * row.own, -w * row.sensed, by
    for k in range(pump.first, pump.last):
        gained -= drawn(circuit, k)
        row.own += h * circuit.solves[k].drawn_weight[0] * circuit.flows[k].drawn_slope[LINE]
    row.residual = oil - state.oil - gained
    step = row.residual / row.own
    error, row.at_bound = projected_step(row.x, step, fluid.cavity, row.upper)
    if row.at_bound == 1:
        bound = fluid.cavity if row.x - step <= fluid.cavity else row.upper
        row.residual, row.own, row.sensed = row.x - bound, 1.0, 0.0
    return error


@kernel
def find_residual(circuit, j):
    """Write all rows of pump j and its branches at the present unknowns; returns the largest error
    [Pa]."""
    pump, row = circuit.pumps[j], circuit.pumping[j]
    worst = 0.0
    for k in range(pump.first, pump.last):
        solve = circuit.solves[k]
        find_flows(circuit, k, solve.spool, row.x, solve.x, solve.length)
        for c in range(CHAMBERS):
            worst = max(worst, abs(chamber_row(circuit, k, c)))
        worst = max(worst, abs(opening_row(circuit, k)))
        fix_bounded(solve)
    return max(worst, abs(line_row(circuit, j)))


@kernel
def solve_block(A, r, x):
    """Write the solution x of ``A x = r``, three rows, by Cramer's rule."""
    m0 = A[4] * A[8] - A[5] * A[7]
    m1 = A[5] * A[6] - A[3] * A[8]
    m2 = A[3] * A[7] - A[4] * A[6]
    d = 1.0 / (A[0] * m0 + A[1] * m1 + A[2] * m2)
    a, b, c = r[0], r[1], r[2]
    x[0] = d * (a * m0 + b * (A[2] * A[7] - A[1] * A[8]) + c * (A[1] * A[5] - A[2] * A[4]))
    x[1] = d * (a * m1 + b * (A[0] * A[8] - A[2] * A[6]) + c * (A[2] * A[3] - A[0] * A[5]))
    x[2] = d * (a * m2 + b * (A[1] * A[6] - A[0] * A[7]) + c * (A[0] * A[4] - A[1] * A[3]))


@kernel
def line_slope(circuit, j, k, i):
    """Derivative of the line's row by unknown i of branch k."""
    row = circuit.pumping[j]
    if row.at_bound == 1:
        return 0.0
    slope = circuit.clock.step * circuit.solves[k].drawn_weight[0] * circuit.flows[k].drawn_slope[i]
    if row.by == k and circuit.flows[k].load == i:
        slope += row.sensed
    return slope


@kernel
def step_of_line(circuit, j, step):
    """Newton step of the line pressure; a step across the pump's whole band ends in the band's middle.

    Below the band the pump delivers its largest flow, above it none: with the derivative of one side of
    the band alone the iteration would cycle.
    """
    pump, row = circuit.pumps[j], circuit.pumping[j]
    if pump.sensing == 0 or row.at_bound == 1:
        return step
    top = sensed_load(circuit, j, 1)[0] + pump.margin
    goal, low = row.x - step, top - pump.band
    if (row.x < low and goal > top) or (row.x > top and goal < low):
        return row.x - 0.5 * (low + top)
    return step


@kernel
def find_step(circuit, j):
    """Write the Newton step of all unknowns of pump j: first the line pressure (Schur complement), then
    each branch."""
    pump, row = circuit.pumps[j], circuit.pumping[j]
    right, schur = row.residual, row.own
    for k in range(pump.first, pump.last):
        solve = circuit.solves[k]
        solve_block(solve.block, solve.residual, solve.step)
        solve_block(solve.block, solve.line, solve.by_line)
        for i in range(3):
            slope = line_slope(circuit, j, k, i)
            right -= slope * solve.step[i]
            schur -= slope * solve.by_line[i]
    row.step, row.schur = step_of_line(circuit, j, right / schur), schur
    for k in range(pump.first, pump.last):
        solve = circuit.solves[k]
        for i in range(3):
            solve.step[i] -= solve.by_line[i] * row.step


@kernel
def store_unknowns(circuit, j):
    """Store all unknowns as the start of the line search."""
    pump, row = circuit.pumps[j], circuit.pumping[j]
    row.base = row.x
    for k in range(pump.first, pump.last):
        solve = circuit.solves[k]
        for i in range(3):
            solve.base[i] = solve.x[i]


@kernel
def moved_opening(inlet, opening, change):
    """Opening A_c [m^2] of a compensator after a step in the coordinate ``A_c/sqrt(A_c^2 + A_i^2)``.

    A_c: at the start ``opening``; A_i: area ``inlet`` of the valve's inlet [m^2]. To first order the
    step changes A_c by ``change`` [m^2]. Returns inf if the coordinate reaches 1.
    """
    root = math.sqrt(inlet * inlet + opening * opening)
    coordinate = opening / root + change * inlet * inlet / (root * root * root)
    if coordinate >= 1.0:
        return math.inf
    return inlet * coordinate / math.sqrt(1.0 - coordinate * coordinate) if coordinate > 0.0 else 0.0


@kernel
def move_unknowns(circuit, j, fraction, by_drop):
    """Move all unknowns from the start of the line search by a fraction of the Newton step, clamped to
    their bounds.

    ``by_drop`` = 1: the openings move in the coordinate of :func:`moved_opening`, whose square is the
    relative pressure drop over the inlet. Where this drop saturates, steps in the opening may cycle.
    """
    pump, row = circuit.pumps[j], circuit.pumping[j]
    row.x = min(max(row.base - fraction * row.step, circuit.fluids[j].cavity), row.upper)
    for k in range(pump.first, pump.last):
        solve = circuit.solves[k]
        for i in range(3):
            x = solve.base[i] - fraction * solve.step[i]
            if by_drop == 1 and i == OPENING:
                inlet = area(circuit, circuit.branches[k].inlet, solve.spool)
                if inlet > 0.0:
                    x = moved_opening(inlet, solve.base[i], -fraction * solve.step[i])
            solve.x[i] = min(max(x, solve.lower[i]), solve.upper[i])


@kernel
def solve_network(circuit, j):
    """Solve pressures and openings of pump j and its branches at the end of the step.

    Returns 1, or 0 without convergence. If no step length lowers the error, the flow has a kink (a
    compensator at its stop, or an inlet hardly open). From then on the openings move in the coordinate
    of :func:`moved_opening`; failures of the line search end alternately with the full and the shortest
    step length.
    """
    error, leaps = find_residual(circuit, j), 1
    for _ in range(STEPS):
        if error <= PRESSURE_TOLERANCE:
            break
        circuit.clock.passes += 1
        find_step(circuit, j)
        store_unknowns(circuit, j)
        by_drop = 1 if leaps > 1 else 0
        fraction, old = 1.0, error
        move_unknowns(circuit, j, fraction, by_drop)
        error = find_residual(circuit, j)
        for _h in range(HALVINGS):
            if error < old or error <= PRESSURE_TOLERANCE:
                break
            fraction *= 0.5
            move_unknowns(circuit, j, fraction, by_drop)
            error = find_residual(circuit, j)
        if not (error < old or error <= PRESSURE_TOLERANCE):
            leaps += 1
            if leaps % 2 == 0:
                move_unknowns(circuit, j, 1.0, 1)
                error = find_residual(circuit, j)
    return 1 if error <= PRESSURE_TOLERANCE else 0
