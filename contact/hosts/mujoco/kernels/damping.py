"""Correction of the mobility for the implicit damping of MuJoCo's integrators.

M: mass matrix; D: matrix of joint, tendon and actuator damping; h: step length. MuJoCo first solves its
constraints for the acceleration a, then computes a' with ``(M + h D) a' = M a``. With the Jacobian A of
the contact velocities the contact accelerations are ``A K^-1 M a`` instead of ``A a``, with ``K = M +
h D`` and ``K^-1 M = 1 - K^-1 h D``.
"""

from contact.hosts.kernels.algebra import backward_row, factor, forward_rows
from mlcp.jit import kernel


@kernel
def add_damper(damping, mass, jacobian, r, scale):
    """Add ``scale g g'`` to D, with row g = ``jacobian[r]``; drop entries outside the pattern of M."""
    values, column, first, row = jacobian.values, jacobian.column, jacobian.first[r], damping.row
    end = first + jacobian.count[r]
    for m in range(first, end):
        row[column[m]] = values[m]
    for m in range(first, end):
        k, g = column[m], scale * values[m]
        for e in range(mass.first[k], mass.first[k] + mass.count[k]):
            damping.values[e] += g * row[mass.column[e]]
    for m in range(first, end):
        row[column[m]] = 0.0


@kernel
def read_dampers(step):
    """Assemble D: joints on the diagonal, tendons and actuators within the pattern of M."""
    damping, mass = step.damping, step.host.mass
    for e in range(len(damping.values)):
        damping.values[e] = 0.0
    for k in range(len(damping.joints)):
        # the last stored entry of a row is its diagonal
        damping.values[mass.first[k] + mass.count[k] - 1] = damping.joints[k]
    for t in range(len(damping.terms)):
        term = damping.terms[t]
        if term.actuator == 0:
            add_damper(damping, mass, step.tendons, term.row, term.scale)
        elif term.low < damping.force[term.row] < term.high:
            add_damper(damping, mass, step.actuators, term.row, term.scale)


@kernel
def damp(step, h):
    """Set ``damping.response = K^-1 M X`` on the wheels' paths; X is the response without damping."""
    damping, mass, X, Y = step.damping, step.host.mass, step.response, step.damping.response
    n, columns = X.shape
    read_dampers(step)
    K, D, needed = damping.factor, damping.values, step.paths.all
    for k in range(n):
        for c in range(columns):
            Y[k, c] = 0.0
        for j in range(k):
            K[k, j] = 0.0
    for k in range(n):
        for e in range(mass.first[k], mass.first[k] + mass.count[k]):
            j, d = mass.column[e], h * D[e]
            K[k, j] = mass.values[e] + d
            if d != 0.0:
                for c in range(columns):
                    Y[k, c] += d * X[j, c]
                    if j != k:
                        Y[j, c] += d * X[k, c]
    # The masses of two halves of a body, split at a loop, can cancel in M: ``factor`` then fixes the
    # freedom of the zero pivot. This is harmless: only the loop's rows, which are not in M, determine
    # the motion of the halves, and no damper acts on them.
    factor(K, n, True)
    forward_rows(K, n, Y, columns)
    for m in range(len(needed)):
        backward_row(K, needed[m], Y, columns)
    for m in range(len(needed)):
        k = needed[m]
        for c in range(columns):
            Y[k, c] = X[k, c] - Y[k, c]
