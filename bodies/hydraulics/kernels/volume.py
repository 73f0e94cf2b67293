"""Oil and pressure of a chamber.

W = (V_d + V(s) + V_h) phi(P) + V_h P/beta_hose + V(s) P/beta_cyl,   phi(P) = exp(P/beta)
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

SHARP = 1e-15  # relative error of the oil at which a pressure is found
STEPS = 8  # at most; two or three are usual


@kernel
def chamber(circuit, k, c, length):
    """Volume of the chamber, of its hose, and their widening by pressure [m^3/Pa]."""
    branch = circuit.branches[k]
    fluid = circuit.fluids[branch.pump]
    inside = branch.volume[c] + branch.area[c] * length
    hose = branch.hose[c]
    return inside + hose, hose * fluid.hose + inside * fluid.wall


@kernel
def oil_in(volume, widening, pressure, fluid):
    """Oil, its slope by the pressure, and its share of the volume."""
    share = math.exp(pressure / fluid.modulus)
    return volume * share + widening * pressure, volume * share / fluid.modulus + widening, share


@kernel
def pressure_of(volume, widening, oil, fluid):
    """Pressure of so much oil; where there is too little, the least one, with a void beside it."""
    if oil <= oil_in(volume, widening, fluid.cavity, fluid)[0]:
        return fluid.cavity
    pressure = fluid.modulus * math.log(oil / volume)
    if widening == 0.0:
        return pressure
    for _ in range(STEPS):
        held, slope, _share = oil_in(volume, widening, pressure, fluid)
        pressure -= (held - oil) / slope
        if abs(held - oil) <= SHARP * oil:
            break
    return max(pressure, fluid.cavity)


@kernel
def work_of(pressure, fluid):
    """Work that a unit of oil can do from this pressure down to none [Pa]."""
    return fluid.modulus * (1.0 - math.exp(-pressure / fluid.modulus))


@kernel
def stored(volume, widening, oil, pressure, fluid):
    """Energy of the oil in a chamber and of its widened walls, above that in the tank [J]; a void gives
    what the least pressure does on it."""
    full, _slope, share = oil_in(volume, widening, pressure, fluid)
    held, beta = min(oil, full), fluid.modulus
    pure = held - widening * pressure
    own = pure * beta * (1.0 - (1.0 + pressure / beta) * math.exp(-pressure / beta))
    void = (full - held) / share
    walls = 0.5 * widening * pressure * pressure
    return own + walls - fluid.cavity * void - oil * work_of(fluid.tank, fluid)
