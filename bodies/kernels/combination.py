"""Kernels that all couplings (constraint rows over joint coordinates) use: for the linear combination of
the coordinates, for the row of a force law, and for a row with bounds."""

from mlcp.jit import kernel

LEAST_DAMPING = 1e-9  # [N s/m, N m s/rad] least divisor h k + c; a constant force has k = c = 0


@kernel
def combine(run, it, scale):
    """Add the Jacobian of a coupling's linear combination of coordinates; returns its value and rate.

    ``scale``: factor on the coefficient of the second term, such as the ratio of the engaged gear.
    """
    q, rate, C, J = run.coordinate, run.coordinate_rate, run.coordinate_jac, run.jacobian
    term, x, v = it.term, 0.0, 0.0
    for k in range(it.terms):
        c, coordinate, ja, jb = it.coefficient[k], term[3 * k], term[3 * k + 1], term[3 * k + 2]
        if k == 1:
            c *= scale
        x += c * q[coordinate]
        v += c * rate[coordinate]
        for i in range(6):
            J[ja + i] += c * C[12 * coordinate + i]
            J[jb + i] += c * C[12 * coordinate + 6 + i]
    return x, v


@kernel
def deviation(run, it):
    """Coupling's combination of coordinates less its value in the pose in which the bodies are described
    [rad or m]."""
    x = -it.start
    for k in range(it.terms):
        x += it.coefficient[k] * run.coordinate[it.term[3 * k]]
    return x


@kernel
def force_row(run, it, f, k, c, v):
    """Write compliance and bias of the row of a force f against the motion, linearised at the step's
    start.

    The row's impulse is ``p = -h (f + h k v+ + c (v+ - v))``, h: step length, v: rate at the start of
    the step, v+: at its end. k, c: slopes of f by the coordinate and by its rate; a negative slope
    is set to 0 (the force is then explicit in that variable).
    """
    h = run.clock.step
    k = max(k, 0.0)
    c = max(max(c, LEAST_DAMPING - h * k), 0.0)
    s = h * k + c
    run.compliance[it.row] = 1.0 / (h * s)
    run.bias[it.row] = (f - c * v) / s


@kernel
def bounded_row(run, it, bias, lower, upper):
    """Write a coupling's bounded row, without compliance: bias [rad/s, m/s] and bounds of the impulse
    [N m s, N s]."""
    row = it.row
    run.channels.compliance[row] = 0.0
    run.channels.bias[row] = bias
    run.channels.lower[row] = lower
    run.channels.upper[row] = upper


@kernel
def signal(run, it):
    """Value of the coupling's first input signal."""
    return run.input[it.signal[0]]


@kernel
def input_fraction(run, it):
    """Value of the coupling's first input signal, clamped to [0, 1]."""
    return min(max(signal(run, it), 0.0), 1.0)
