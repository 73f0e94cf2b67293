"""Oil balance of a pump's line.

dW/dt = Q_max clamp((P_ls + margin - P)/band, 0, 1) - K (P - P_tank) - Q_relief - drawn

W, P: oil and pressure of the line; Q_max: largest flow of the pump; P_ls: sensed load pressure; margin:
set line pressure above P_ls; band: range of P from full flow to none; K: leakage; P_tank: pressure of
the tank; Q_relief: flow through the relief valve; drawn: flow into the branches.
"""

from mlcp.jit import kernel

from .volume import work_of


@kernel
def sensed_load(circuit, j, ended):
    """Largest load pressure [Pa] among pump j's branches with an open inlet, and number of its branch.

    If no load exceeds the tank pressure: tank pressure and -1. ``ended``: 1 for the pressures at the end
    of the step, 0 for those at its start.
    """
    pump = circuit.pumps[j]
    most, by = circuit.fluids[j].tank, -1
    for k in range(pump.first, pump.last):
        side = circuit.flows[k].load
        if side >= 0:
            load = circuit.solves[k].x[side] if ended == 1 else circuit.now[k].x[side]
            if load > most:
                most, by = load, k
    return most, by


@kernel
def pump_line(circuit, j, line, sensed):
    """Flow of pump j into its line less leak and relief [m^3/s], without the flow into the branches.

    Writes the derivatives of this flow by line pressure (``own``) and sensed pressure (``sensed``).
    """
    pump, fluid, out = circuit.pumps[j], circuit.fluids[j], circuit.pumping[j]
    fraction = (sensed + pump.margin - line) / pump.band
    slope = pump.flow / pump.band
    if fraction <= 0.0:
        fraction, slope = 0.0, 0.0
    elif fraction >= 1.0:
        fraction, slope = 1.0, 0.0
    leak = pump.leak * (line - fluid.tank)
    out.delivered, out.sensed, out.own = pump.flow * fraction, slope, -slope - pump.leak
    out.relieved = 0.0
    if pump.relief_slope > 0.0 and line > pump.relief:
        out.relieved = (line - pump.relief) / pump.relief_slope
        out.own -= 1.0 / pump.relief_slope
    out.lost = (leak + out.relieved) * (work_of(line, fluid) - work_of(fluid.tank, fluid))
    return out.delivered - leak - out.relieved
