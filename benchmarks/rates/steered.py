"""Bicycle and explicit steering oil at one rate, compiled, for the cost of one step of both."""

import math

from bodies.hydraulics.kernels.explicit import explicit_step
from bodies.kernels.oil_data import circuit_of
from mlcp.jit import entry_point

MIDDLE, ARM, SPEED, X, Y = range(5)  # entries of ``at``: mid-stroke, arm [m]; speed [m/s]; position [m]


@entry_point("mlcp", "bodies")
def drive(F, N, steps, P, q, x, trial, at):
    """Take steps of the oil and of the bicycle model ``x = P x + q delta`` (discrete, linear).

    x: state, lateral velocity first, heading last; P, q: its matrix and input vector; delta: steer angle
    at the piston's position; F, N: memory of the circuit; trial: work array of the shape of x; at: see
    ``MIDDLE``.
    """
    circuit, n = circuit_of(F, N), len(x)
    for _ in range(steps):
        explicit_step(circuit)
        delta = (circuit.now[0].length - at[MIDDLE]) / at[ARM]
        for r in range(n):
            trial[r] = q[r] * delta
            for c in range(n):
                trial[r] += P[r, c] * x[c]
        for r in range(n):
            x[r] = trial[r]
        c, s, h = math.cos(x[n - 1]), math.sin(x[n - 1]), circuit.clock.step
        at[X] += h * (at[SPEED] * c - x[0] * s)
        at[Y] += h * (at[SPEED] * s + x[0] * c)
    return at[X]
