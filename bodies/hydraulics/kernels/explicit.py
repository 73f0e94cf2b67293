"""A circuit with masses on its rods by an explicit Runge-Kutta method of fixed step, for comparison.

State of a branch (cylinder with its valve): position and speed of the piston, oil of head and rod side,
opening of the compensator, spool position; state of a pump's line: its oil. Relief and make-up valves
must have a slope: explicit methods cannot integrate set-valued ones. The load curve of a rod with
prescribed speed is its acceleration [m/s^2].
"""

from mlcp.jit import kernel

from ...kernels.oil_data import HEAD, OPENING, ROD
from .flows import CHAMBERS, find_flows
from .oil import command, curve_value, spool_rate
from .pump import pump_line, sensed_load
from .volume import chamber, pressure_of

EACH = 6  # numbers in the state of a branch, at the offsets below
LENGTH, SPEED, OIL, WIDTH, SPOOL = 0, 1, 2, 4, 5


@kernel
def branch_rates(circuit, k, time, state, rates):
    """Write the time derivatives of branch k's state, from its pressures (``circuit.now``) and flows."""
    branch, now, flow, at = circuit.branches[k], circuit.now[k], circuit.flows[k], EACH * k
    load = curve_value(circuit, branch.load, time)
    force = load - branch.viscous * now.speed
    for c in range(CHAMBERS):
        force += branch.area[c] * now.x[c]
        rates[at + OIL + c] = flow.rate[c]
    rates[at + LENGTH] = now.speed
    rates[at + SPEED] = load if branch.driven == 1 else force / branch.mass
    opening, rate = state[at + WIDTH], flow.rate[OPENING]
    if (opening <= 0.0 and rate < 0.0) or (opening >= branch.widest and rate > 0.0):
        rate = 0.0
    rates[at + WIDTH] = rate
    rates[at + SPOOL] = 0.0
    if branch.lag > 0.0:
        rates[at + SPOOL] = spool_rate(branch, command(circuit, branch, time), state[at + SPOOL])


@kernel
def evaluate_branch(circuit, k, time, state):
    """Write pressures and flows of branch k at a state and time [s] to ``circuit.now`` and
    ``circuit.flows``."""
    branch, now, at = circuit.branches[k], circuit.now[k], EACH * k
    now.length, now.speed = state[at + LENGTH], state[at + SPEED]
    now.x[OPENING] = min(max(state[at + WIDTH], 0.0), branch.widest)
    for c in range(CHAMBERS):
        volume, widening = chamber(circuit, k, c, now.length)
        now.oil[c] = state[at + OIL + c]
        now.x[c] = pressure_of(volume, widening, now.oil[c], circuit.fluids[branch.pump])
    now.spool = state[at + SPOOL] if branch.lag > 0.0 else command(circuit, branch, time)
    find_flows(circuit, k, now.spool, circuit.lines[branch.pump].pressure, now.x, now.length)


@kernel
def find_rates(circuit, time, state, rates):
    """Write the time derivative of ``state`` to ``rates``."""
    n = len(circuit.branches)
    for j in range(len(circuit.pumps)):
        pump, line = circuit.pumps[j], circuit.lines[j]
        if pump.sensing == 1:
            line.oil = state[EACH * n + j]
            line.pressure = pressure_of(pump.volume, 0.0, line.oil, circuit.fluids[j])
        for k in range(pump.first, pump.last):
            evaluate_branch(circuit, k, time, state)
            branch_rates(circuit, k, time, state, rates)
        rate = 0.0
        if pump.sensing == 1:
            rate = pump_line(circuit, j, line.pressure, sensed_load(circuit, j, 0)[0])
            for k in range(pump.first, pump.last):
                rate -= circuit.flows[k].drawn
        rates[EACH * n + j] = rate


@kernel
def read_state(circuit):
    """Copy the present state into ``circuit.state``."""
    n = len(circuit.branches)
    for k in range(n):
        now, at = circuit.now[k], EACH * k
        circuit.state[at + LENGTH], circuit.state[at + SPEED] = now.length, now.speed
        circuit.state[at + OIL], circuit.state[at + OIL + 1] = now.oil[HEAD], now.oil[ROD]
        circuit.state[at + WIDTH], circuit.state[at + SPOOL] = now.x[OPENING], now.spool
    for j in range(len(circuit.pumps)):
        circuit.state[EACH * n + j] = circuit.lines[j].oil


@kernel
def explicit_step(circuit):
    """One step by the method whose tableau is ``couplings``, ``weights`` and ``nodes``."""
    clock, state, trial = circuit.clock, circuit.state, circuit.trial
    h, size, stages = clock.step, len(state), len(circuit.nodes)
    read_state(circuit)
    for s in range(stages):
        for i in range(size):
            total = 0.0
            for m in range(s):
                total += circuit.couplings[s, m] * circuit.stages[m, i]
            trial[i] = state[i] + h * total
        find_rates(circuit, clock.time + circuit.nodes[s] * h, trial, circuit.right)
        for i in range(size):
            circuit.stages[s, i] = circuit.right[i]
    for i in range(size):
        total = 0.0
        for s in range(stages):
            total += circuit.weights[s] * circuit.stages[s, i]
        state[i] += h * total
    for k in range(len(circuit.branches)):
        at = EACH * k
        state[at + WIDTH] = min(max(state[at + WIDTH], 0.0), circuit.branches[k].widest)
    clock.time += h
    find_rates(circuit, clock.time, state, circuit.right)
