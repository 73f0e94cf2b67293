"""Oil and pressure of a chamber.

W = (V_c + V_h) phi(P) + V_h P/beta_hose + V_c P/beta_wall,   V_c = V_d + V(s),   phi(P) = exp(P/beta)

W: oil, as its volume at zero pressure; P: pressure; V_d: dead volume; V(s): swept volume at the piston's
position s; V_h: volume of the hose; beta, beta_hose, beta_wall: bulk moduli of oil, hose and cylinder.
"""

import math

from mlcp.jit import kernel

STEPS = 8  # most Newton steps; two or three are usual


@kernel
def chamber(circuit, k, c, length):
    """Volume of chamber and hose [m^3], and the expansion of their walls per pressure [m^3/Pa]."""
    branch = circuit.branches[k]
    fluid = circuit.fluids[branch.pump]
    inside = branch.volume[c] + branch.area[c] * length
    hose = branch.hose[c]
    return inside + hose, hose * fluid.hose + inside * fluid.wall


@kernel
def oil_in(volume, widening, pressure, fluid):
    """Oil W [m^3] of a chamber, its derivative by the pressure [m^3/Pa], and ``phi = exp(P/beta)``.

    widening: expansion of the chamber's elastic walls per pressure [m^3/Pa].
    """
    phi = math.exp(pressure / fluid.modulus)
    return volume * phi + widening * pressure, volume * phi / fluid.modulus + widening, phi


@kernel
def pressure_of(volume, widening, oil, fluid):
    """Pressure [Pa] of a chamber with an amount of oil [m^3]; the least pressure if oil is missing."""
    if oil <= oil_in(volume, widening, fluid.cavity, fluid)[0]:
        return fluid.cavity
    pressure = fluid.modulus * math.log(oil / volume)
    if widening == 0.0:
        return pressure
    for _ in range(STEPS):
        content, slope, _phi = oil_in(volume, widening, pressure, fluid)
        pressure -= (content - oil) / slope
        if abs(content - oil) <= 1e-15 * oil:
            break
    return max(pressure, fluid.cavity)


@kernel
def work_of(pressure, fluid):
    """Flow work of oil at this pressure, per volume at zero pressure [Pa]: integral of its volume over
    the pressure from zero."""
    return fluid.modulus * (1.0 - math.exp(-pressure / fluid.modulus))


@kernel
def stored(volume, widening, oil, pressure, fluid):
    """Energy of the oil in a chamber and of its expanded walls, relative to the tank [J].

    A void of the volume V_0 has the energy ``-fluid.cavity V_0``; ``fluid.cavity``: least pressure."""
    full, _slope, phi = oil_in(volume, widening, pressure, fluid)
    content, beta = min(oil, full), fluid.modulus
    pure = content - widening * pressure
    own = pure * beta * (1.0 - (1.0 + pressure / beta) * math.exp(-pressure / beta))
    void = (full - content) / phi
    walls = 0.5 * widening * pressure * pressure
    return own + walls - fluid.cavity * void - oil * work_of(fluid.tank, fluid)
