"""Flows of a branch at given pressures, opening and spool position, with exact derivatives."""

import math

from mlcp.jit import kernel

from ...kernels.oil_data import HEAD, LINE, OPENING, ROD
from ...kernels.tables import schedule
from .orifice import orifice
from .volume import work_of

CHAMBERS = 2
WIDE = 4  # number of derivatives of a flow: by head and rod pressure, opening, line pressure


@kernel
def area(circuit, curve, spool):
    """Opening [m^2] of a metering edge at a spool position."""
    return schedule(circuit.x, circuit.y, curve.first, curve.count, curve.stepped, abs(spool))


@kernel
def driven_side(spool):
    """Chamber fed by the pump at a spool position."""
    return HEAD if spool > 0.0 else ROD


@kernel
def clear(flow):
    """Set the flows of a branch (a cylinder with its valves) and their derivatives to zero."""
    for i in range(3):
        flow.rate[i] = 0.0
    for i in range(WIDE):
        flow.drawn_slope[i] = 0.0
    for i in range(3 * WIDE):
        flow.slope[i] = 0.0
    for c in range(CHAMBERS):
        flow.returned[c] = flow.lost[c] = flow.moved[c] = 0.0
    flow.drawn = 0.0
    flow.load = -1


@kernel
def supply(circuit, k, spool, line, x):
    """Add the flow through compensator and inlet into the driven chamber, and the rate of the
    compensator's opening."""
    branch, flow = circuit.branches[k], circuit.flows[k]
    fluid = circuit.fluids[branch.pump]
    inlet = area(circuit, branch.inlet, spool)
    side = driven_side(spool)
    load = fluid.tank
    if inlet > 0.0:
        flow.load, load = side, x[side]
    drop, live = line - load, 1.0
    if branch.check == 1 and drop <= 0.0:
        drop, live = 0.0, 0.0
    opening, series, wider = x[OPENING], inlet, 0.0
    if branch.compensated == 1:
        fraction, more = 1.0, 0.0  # closed inlet, no flow: the whole pressure drop is over the inlet
        if inlet > 0.0:
            root = math.sqrt(inlet * inlet + opening * opening)
            series, wider = inlet * opening / root, inlet * inlet * inlet / (root * root * root)
            fraction = opening * opening / (root * root)
            more = 2.0 * opening * inlet * inlet / (root * root * root * root)
        flow.rate[OPENING] = branch.gain * (branch.drop - drop * fraction)
        at = WIDE * OPENING
        flow.slope[at + OPENING] = -branch.gain * drop * more
        flow.slope[at + LINE] = -branch.gain * fraction * live
        if inlet > 0.0:
            flow.slope[at + side] = branch.gain * fraction * live
    if inlet == 0.0:
        return
    g, slope = orifice(drop, fluid)
    q, slope = fluid.discharge * series * g, fluid.discharge * series * slope * live
    flow.drawn = q
    flow.drawn_slope[side] = -slope
    flow.drawn_slope[OPENING] = fluid.discharge * wider * g
    flow.drawn_slope[LINE] = slope
    flow.rate[side] += q
    for i in range(WIDE):
        flow.slope[WIDE * side + i] += flow.drawn_slope[i]
    flow.lost[side] += q * (work_of(line, fluid) - work_of(load, fluid))


@kernel
def add_outflow(flow, c, q, slope, worth):
    """Subtract a flow q [m^3/s] from chamber c.

    ``slope``: derivative of q by the chamber's pressure; ``worth``: energy lost per volume of oil [Pa].
    """
    flow.rate[c] -= q
    flow.slope[WIDE * c + c] -= slope
    flow.lost[c] += q * worth


@kernel
def in_cushion(circuit, k, c):
    """Whether a chamber's cushion is active at the start of the step."""
    branch, length = circuit.branches[k], circuit.now[k].length
    return (length if c == HEAD else branch.stroke - length) < branch.cushion


@kernel
def behind_cushion(branch, c, outlet, length):
    """Area A [m^2] of a chamber's outlet in series with its cushion, and the derivative of A by the
    piston's position [m].

    ``1/A^2 = 1/A_o^2 + ((1 - d/l)/A_end)^2`` at a distance d < l from the chamber's end;
    A_o: ``outlet``, l: length of the cushion, A_end: area of its throttle at the end.
    """
    left = max(0.0, length if c == HEAD else branch.stroke - length)
    if left >= branch.cushion:
        return outlet, 0.0
    closed = (1.0 - left / branch.cushion) / branch.throttle
    size = 1.0 / math.sqrt(1.0 / (outlet * outlet) + closed * closed)
    opens = size * size * size * closed / (branch.cushion * branch.throttle)
    if left == 0.0:
        return size, 0.0
    return size, opens if c == HEAD else -opens


@kernel
def drain(circuit, k, spool, x, length):
    """Subtract the flows of both chambers to the tank: outlet, spool leakage, relief and make-up valves
    with a slope (set-valued ones are bounds of the pressure)."""
    branch, flow = circuit.branches[k], circuit.flows[k]
    fluid = circuit.fluids[branch.pump]
    outlet = area(circuit, branch.outlet, spool)
    back = ROD if spool > 0.0 else HEAD
    tank = work_of(fluid.tank, fluid)
    for c in range(CHAMBERS):
        worth = work_of(x[c], fluid) - tank
        drop = x[c] - fluid.tank
        if c == back and outlet > 0.0:
            g, slope = orifice(drop, fluid)
            size = fluid.discharge * outlet
            if drop > 0.0:  # flow into the chamber bypasses the cushion through a check valve
                size, opens = behind_cushion(branch, c, outlet, length)
                size *= fluid.discharge
                flow.moved[c] = -fluid.discharge * opens * g
            add_outflow(flow, c, size * g, size * slope, worth)
            flow.returned[c] += size * g
        leak = branch.spool_leak
        if leak > 0.0:
            add_outflow(flow, c, leak * drop, leak, worth)
            flow.returned[c] += leak * drop
        if branch.relief_slope > 0.0 and x[c] > branch.relief and not in_cushion(circuit, k, c):
            q = (x[c] - branch.relief) / branch.relief_slope
            add_outflow(flow, c, q, 1.0 / branch.relief_slope, worth)
            flow.returned[c] += q
        if branch.makeup_slope > 0.0 and x[c] < branch.makeup:
            q = (x[c] - branch.makeup) / branch.makeup_slope
            add_outflow(flow, c, q, 1.0 / branch.makeup_slope, worth)
            flow.returned[c] += q


@kernel
def add_leakage(circuit, k, x):
    """Add the leakage across the piston to the flows of both chambers."""
    branch, flow = circuit.branches[k], circuit.flows[k]
    fluid = circuit.fluids[branch.pump]
    leak = branch.piston_leak
    if leak > 0.0:
        q = leak * (x[HEAD] - x[ROD])
        worth = work_of(x[HEAD], fluid) - work_of(x[ROD], fluid)
        add_outflow(flow, HEAD, q, leak, worth)
        flow.rate[ROD] += q
        flow.slope[WIDE * ROD + HEAD] += leak
        flow.slope[WIDE * ROD + ROD] -= leak
        flow.slope[WIDE * HEAD + ROD] += leak


@kernel
def as_volume(circuit, k, x):
    """Scale the flows of a fluid with ``conserve="volume"``: a flow enters a chamber with its volume at
    the chamber's pressure P, ``exp(P/beta)`` times as much oil; beta: bulk modulus."""
    flow, fluid = circuit.flows[k], circuit.fluids[circuit.branches[k].pump]
    for c in range(CHAMBERS):
        phi = math.exp(x[c] / fluid.modulus)
        for i in range(WIDE):
            flow.slope[WIDE * c + i] *= phi
        flow.slope[WIDE * c + c] += phi * flow.rate[c] / fluid.modulus
        flow.rate[c] *= phi
        flow.moved[c] *= phi


@kernel
def find_flows(circuit, k, spool, line, x, length):
    """Write all flows of branch k and their derivatives to ``circuit.flows[k]``.

    ``x``: pressures of head and rod side [Pa], opening of the compensator [m^2]; ``line``: line pressure
    [Pa]; ``spool``: position of the spool; ``length``: position of the piston from the head's end [m].
    """
    clear(circuit.flows[k])
    supply(circuit, k, spool, line, x)
    drain(circuit, k, spool, x, length)
    add_leakage(circuit, k, x)
    if circuit.fluids[circuit.branches[k].pump].by_volume == 1:
        as_volume(circuit, k, x)
