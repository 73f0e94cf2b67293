"""Balance of a pump's line: delivery and losses.

dW/dt = Q_max clamp((P_ls + margin - P)/band, 0, 1) - K (P - P_tank) - Q_relief - drawn
"""

from __future__ import annotations

from mlcp.jit import kernel

from .volume import work_of


@kernel
def sensed_load(circuit, j, ended):
    """Largest load pressure of the branches in use and the number of that branch, or the tank's and -1.

    ``ended``: 1 for the pressures at the end of the step, 0 for the present ones.
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
    """Net flow of a pump into its line before the branches' demand [m^3/s], with its slopes."""
    pump, fluid, out = circuit.pumps[j], circuit.fluids[j], circuit.pumping[j]
    share = (sensed + pump.margin - line) / pump.band
    slope = pump.flow / pump.band
    if share <= 0.0:
        share, slope = 0.0, 0.0
    elif share >= 1.0:
        share, slope = 1.0, 0.0
    leak = pump.leak * (line - fluid.tank)
    out.delivered, out.sensed, out.own = pump.flow * share, slope, -slope - pump.leak
    out.relieved = 0.0
    if pump.relief_slope > 0.0 and line > pump.relief:
        out.relieved = (line - pump.relief) / pump.relief_slope
        out.own -= 1.0 / pump.relief_slope
    out.lost = (leak + out.relieved) * (work_of(line, fluid) - work_of(fluid.tank, fluid))
    return out.delivered - leak - out.relieved
