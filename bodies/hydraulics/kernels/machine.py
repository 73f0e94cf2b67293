"""The oil between two stages of a mechanism's step: the cylinders' impulses, by the Delassus matrix.

u = u_free + B p,   p = h f(u)
"""

from __future__ import annotations

from mlcp.jit import entry_point, kernel

from .data import circuit_of
from .oil import begin, find_forces, find_impedance, finish
from .rods import eliminate
from .run import stored_energy

STEPS = 30  # of Newton's method, at most
CLOSE = 1e-11  # relative error of the speeds
ROUNDED = 1e3  # times that: where rounding ends it
SLOW = 1e-6  # [m/s] speeds of no account


@kernel
def speed_error(circuit, B, free):
    """``u - u_free - h B f(u)``, into ``right``; returns the largest, relative."""
    h, n, worst = circuit.clock.step, len(circuit.branches), 0.0
    for r in range(n):
        pushed, scale = 0.0, SLOW + abs(free[r])
        for c in range(n):
            part = h * B[r, c] * circuit.solves[c].force
            pushed += part
            scale += abs(part)
        circuit.right[r] = circuit.solves[r].speed - free[r] - pushed
        worst = max(worst, abs(circuit.right[r]) / scale)
    return worst


@kernel
def speed_step(circuit, B):
    """Newton's step of the speeds, ``(1 + h B Z) du = -error``."""
    h, n, A = circuit.clock.step, len(circuit.branches), circuit.coupled
    find_impedance(circuit)
    for r in range(n):
        for c in range(n):
            total = 1.0 if r == c else 0.0
            for k in range(n):
                total += h * B[r, k] * circuit.impedance[k, c]
            A[r, c] = total
    eliminate(A, circuit.right, n)
    for k in range(n):
        circuit.solves[k].speed -= circuit.right[k]


@kernel
def push(circuit, B, free, impulse):
    """Impulses [N s] of all cylinders in this step; counts it as missed where they do not agree."""
    n = len(circuit.branches)
    for k in range(n):
        circuit.solves[k].mobility = B[k, k]
    begin(circuit)
    agreed = find_forces(circuit)
    error = speed_error(circuit, B, free)
    for _ in range(STEPS):
        if error <= CLOSE:
            break
        speed_step(circuit, B)
        agreed = find_forces(circuit)
        old, error = error, speed_error(circuit, B, free)
        if error >= old and error <= ROUNDED * CLOSE:
            break
    if agreed == 0 or not error <= ROUNDED * CLOSE:
        circuit.clock.missed += 1
    for k in range(n):
        impulse[k] = circuit.clock.step * circuit.solves[k].force


@entry_point("mlcp", "bodies")
def push_rods(source_hash):
    def push_rods(F, N, B, free, impulse):
        source_hash
        push(circuit_of(F, N), B, free, impulse)

    return push_rods


@entry_point("mlcp", "bodies")
def follow_rods(source_hash):
    def follow_rods(F, N, lengths):
        """The oil at the lengths where the step has ended; returns the energy it has stored [J]."""
        source_hash
        circuit = circuit_of(F, N)
        for k in range(len(circuit.branches)):
            circuit.solves[k].length = lengths[k]
        finish(circuit)
        return stored_energy(circuit)

    return follow_rods
