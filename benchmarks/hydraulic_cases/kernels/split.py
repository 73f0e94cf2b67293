"""Linkage and oil solved in turn at one rate: an explicit coupling, for comparison.

The linkage takes the forces of the oil at the start of the step; then the oil goes over the step by an
explicit Runge-Kutta method, with pistons in uniform motion between their positions at both ends of the
step.
"""

from bodies.hydraulics.kernels.explicit import explicit_step
from bodies.kernels.data import run_of
from mlcp.jit import entry_point


@entry_point("mlcp", "contact", "bodies", "benchmarks")
def constant_force(F, N, stage):
    """Write the impulses of the oil forces at the start of the step; F, N: memory of the model."""
    run = run_of(F, N)
    circuit = run.oil
    for c in range(run.count.channels):
        run.channels.impulse[c] = 0.0
    for k in range(len(circuit.branches)):
        branch, now = circuit.branches[k], circuit.now[k]
        force = -branch.viscous * run.coordinate_rate[branch.coordinate]
        for c in range(2):
            force += branch.area[c] * now.x[c]
        run.channels.impulse[branch.channel] = run.clock.step * force
    return 0


@entry_point("mlcp", "contact", "bodies", "benchmarks")
def follow_moved(F, N, stage):
    """Advance the oil over a step with the motion of the linkage; F, N: memory of the model."""
    run = run_of(F, N)
    circuit = run.oil
    clock, h = circuit.clock, run.clock.step
    clock.time, clock.step = run.clock.time - h, h
    for k in range(len(circuit.branches)):
        branch, now = circuit.branches[k], circuit.now[k]
        first, length = branch.command.first, run.coordinate[branch.coordinate] + branch.start
        circuit.x[first], circuit.x[first + 1] = clock.time, run.clock.time
        circuit.y[first] = circuit.y[first + 1]
        circuit.y[first + 1] = run.input[branch.lever]
        now.speed = (length - now.length) / h
    explicit_step(circuit)
    return 0
