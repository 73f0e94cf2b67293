"""Masses on the rods: one implicit step of masses and oil together.

M (u - u_0) = h (f(u) + F),   Newton's method with the exact derivative of f

M: masses; u_0, u: speeds of the rods at the start and the end of the step; f: oil forces; F: loads; h:
step length.
"""

import math

from mlcp.jit import kernel

from .cylinders import invert
from .oil import begin, curve_value, find_forces, find_impedance, finish, predict

STEPS = 30  # most steps of Newton's method
IMPULSE_TOLERANCE = 1e-11  # tolerance on the relative residual of a rod's impulses


@kernel
def loads(circuit):
    """Write the load on every rod, or its prescribed speed.

    The load is taken at the end of the step for backward Euler, at its start for the centred method; a
    centred fraction between 0 and 1 takes the weighted mean of these two loads."""
    clock = circuit.clock
    for k in range(len(circuit.branches)):
        solve, branch = circuit.solves[k], circuit.branches[k]
        end = curve_value(circuit, branch.load, clock.time + clock.step)
        if branch.driven == 1:
            solve.speed, solve.load = end, 0.0
        else:
            start = curve_value(circuit, branch.load, clock.time)
            solve.load = (1.0 - solve.centred) * end + solve.centred * start


@kernel
def imbalance(circuit):
    """Write the residual of the module's equation for each rod [N s] to ``right``; returns the largest
    relative residual."""
    h, worst = circuit.clock.step, 0.0
    for k in range(len(circuit.branches)):
        solve, branch, now = circuit.solves[k], circuit.branches[k], circuit.now[k]
        circuit.right[k] = 0.0
        if branch.driven == 0:
            gain = branch.mass * (solve.speed - now.speed)
            circuit.right[k] = gain - h * (solve.force + solve.load)
            pushed = branch.area[0] * solve.x[0] - branch.area[1] * solve.x[1]
            scale = h * (abs(pushed) + abs(solve.load)) + branch.mass * abs(now.speed)
            worst = max(worst, abs(circuit.right[k]) / max(scale, 1e-300))
    return worst


@kernel
def newton(circuit):
    """One Newton step of the rods' speeds."""
    n, h, A, X = len(circuit.branches), circuit.clock.step, circuit.impedance, circuit.coupled
    find_impedance(circuit)
    for r in range(n):
        for c in range(n):
            A[r, c] *= h
        if circuit.branches[r].driven == 1:
            for c in range(n):
                A[r, c] = 0.0
            A[r, r] = 1.0
        else:
            A[r, r] += circuit.branches[r].mass
    invert(A, X, n)
    for k in range(n):
        step = 0.0
        for c in range(n):
            step -= X[k, c] * circuit.right[c]
        circuit.solves[k].change = step
        circuit.solves[k].speed += step
    predict(circuit)


@kernel
def take_step(circuit):
    """One implicit step of all masses and all oil; adds 1 to ``missed`` if it does not converge."""
    begin(circuit)
    loads(circuit)
    agreed = find_forces(circuit)
    error = imbalance(circuit)
    for _ in range(STEPS):
        if error <= IMPULSE_TOLERANCE:
            break
        newton(circuit)
        agreed = find_forces(circuit)
        old, error = error, imbalance(circuit)
        if error >= old and error <= 1e3 * IMPULSE_TOLERANCE:  # round-off prevents a further decrease
            break
    if agreed == 0 or not error <= 1e3 * IMPULSE_TOLERANCE or math.isnan(error):
        circuit.clock.missed += 1
    finish(circuit)
