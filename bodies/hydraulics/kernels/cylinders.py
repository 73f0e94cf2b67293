"""The cylinders in the step of a mechanism: impulses, and elimination from the contact problem.

    u = u_free + B p + B' q,   p = h f(u) ~ p_0 - S B' q

u, p: speeds and impulses of the pistons; q: impulses of all other channels (ground, stops, brakes);
B, B': Delassus matrices of the linkage from p and from q to u; u_free: u without impulses; f: oil
forces; h: step length. Linearised at the present speeds, Z = -df/du:

    S = h Z X,   X = (1 + h B Z)^-1,   p_0 = h (f + Z u) - S (u_free + h B (f + Z u))

so that the other channels have a contact problem of the same form, with the Delassus matrix
``B_qq - B_qp S B_pq`` of linkage and oil (B_qq, B_qp, B_pq = B': blocks of the linkage's matrix). Oil is
linearised and the contact problem solved in turn until both have the same u: Newton's method.
"""

from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel
from mlcp.kernels.matrix_rows import symmetric_matrix

from .oil import begin, find_forces, find_impedance, predict

STEPS = 30  # most steps of Newton's method
SPEED_TOLERANCE = 1e-11  # tolerance on the relative error of the speeds
ROUND_OFF_FACTOR = 1e3  # ratio to SPEED_TOLERANCE of the tolerance on an error that no longer falls


@kernel
def copy_linkage(run, circuit):
    """Copy the levers of the valves, and the speeds and Delassus matrix of the linkage in this step, to
    the circuit's memory."""
    clock, C = circuit.clock, run.count.channels
    clock.time, clock.step = run.clock.time, run.clock.step
    for r in range(C):
        circuit.speeds[r] = run.channels.free[r]
        for c in range(C):
            circuit.inertia[r, c] = run.channels.B[r, c]
    for k in range(len(circuit.branches)):
        branch = circuit.branches[k]
        first = branch.command.first
        circuit.x[first], circuit.x[first + 1] = clock.time, clock.time + clock.step
        circuit.y[first], circuit.y[first + 1] = circuit.now[k].lever, run.input[branch.lever]
        circuit.now[k].speed = run.coordinate_rate[branch.coordinate]
        circuit.solves[k].mobility = circuit.inertia[branch.channel, branch.channel]
        for i in range(len(circuit.branches)):
            circuit.of_pistons[k, i] = circuit.inertia[branch.channel, circuit.branches[i].channel]
        for i in range(len(circuit.others)):
            circuit.to_pistons[k, i] = circuit.inertia[branch.channel, circuit.others[i]]
    begin(circuit)


@kernel
def invert(A, X, n):
    """``X = A^-1`` by Gauss-Jordan elimination with partial pivoting; overwrites A."""
    for r in range(n):
        for c in range(n):
            X[r, c] = 1.0 if r == c else 0.0
    for p in range(n):
        best = p
        for r in range(p + 1, n):
            if abs(A[r, p]) > abs(A[best, p]):
                best = r
        if best != p:
            for c in range(n):
                A[p, c], A[best, c] = A[best, c], A[p, c]
                X[p, c], X[best, c] = X[best, c], X[p, c]
        scale = 1.0 / A[p, p]
        for c in range(n):
            A[p, c] *= scale
            X[p, c] *= scale
        for r in range(n):
            factor = A[r, p]
            if r != p and factor != 0.0:
                for c in range(n):
                    A[r, c] -= factor * A[p, c]
                    X[r, c] -= factor * X[p, c]


@kernel
def linearise(circuit):
    """Write S, p_0 and X (``coupled``) of the module's equations at the present speeds."""
    h, n, M = circuit.clock.step, len(circuit.branches), circuit.slopes
    B, Z, X, law = circuit.of_pistons, circuit.impedance, circuit.coupled, circuit.trial
    find_impedance(circuit)
    for r in range(n):
        for c in range(n):
            total = 1.0 if r == c else 0.0
            for k in range(n):
                total += h * B[r, k] * Z[k, c]
            M[r, c] = total
    invert(M, X, n)
    for r in range(n):
        pushed = circuit.solves[r].force
        for c in range(n):
            pushed += Z[r, c] * circuit.solves[c].speed
        law[r] = h * pushed
    for r in range(n):
        for c in range(n):
            total = 0.0
            for k in range(n):
                total += h * Z[r, k] * X[k, c]
            circuit.slopes[r, c] = total
    for r in range(n):
        total = law[r]
        for k in range(n):
            free = circuit.speeds[circuit.branches[k].channel]
            for c in range(n):
                free += B[k, c] * law[c]
            total -= circuit.slopes[r, k] * free
        circuit.locked_impulses[r] = total
    symmetrise(circuit.slopes, n)


@kernel
def lock(circuit):
    """Write S and p_0 of locked pistons: ``S = X (2 - B X)``, ``X = (B + e)^-1``, ``p_0 = -S (B S) v``.

    e: small compliance. S is the inverse of B up to e^2, if B has an inverse. v: free speeds plus the
    displacement of the pistons since locking over h. The factor ``B S`` removes the round-off by which
    two pistons on one degree of freedom act against each other.
    """
    n, B, h = len(circuit.branches), circuit.of_pistons, circuit.clock.step
    v, pushes, Y, S = circuit.trial, circuit.locked_impulses, circuit.coupled, circuit.slopes
    for r in range(n):
        for c in range(n):
            Y[r, c] = B[r, c]
        # e, 1e-5 of B's diagonal, keeps Y = B + e invertible if two cylinders lock one degree of freedom
        Y[r, r] += 1e-5 * B[r, r]
        at = circuit.branches[r].channel
        v[r] = circuit.speeds[at] + (circuit.now[r].length - circuit.solves[r].rest) / h
    invert(Y, circuit.impedance, n)
    for r in range(n):
        for c in range(n):
            Y[r, c] = 2.0 if r == c else 0.0
            for k in range(n):
                Y[r, c] -= B[r, k] * circuit.impedance[k, c]
    for r in range(n):
        for c in range(n):
            S[r, c] = 0.0
            for k in range(n):
                S[r, c] += circuit.impedance[r, k] * Y[k, c]
    for r in range(n):
        pushes[r] = 0.0
        for c in range(n):
            pushes[r] += S[r, c] * v[c]
    for r in range(n):
        v[r] = 0.0
        for c in range(n):
            v[r] += B[r, c] * pushes[c]
    for r in range(n):
        total = 0.0
        for k in range(n):
            total -= S[r, k] * v[k]
        pushes[r] = total
    symmetrise(S, n)


@kernel
def symmetrise(A, n):
    """Symmetrise a matrix that is symmetric up to round-off: solvers test for exact symmetry."""
    for r in range(n):
        for c in range(r):
            mean = 0.5 * (A[r, c] + A[c, r])
            if abs(A[r, c] - A[c, r]) <= 1e-9 * (abs(A[r, r]) + abs(A[c, c])):
                A[r, c] = A[c, r] = mean


@kernel
def condense(run, circuit):
    """Eliminate the cylinders: write Delassus matrix and free speeds of all other channels.

    B: Delassus matrix of all channels; T = B_pq; R = S T. Each row of ``T' R`` is summed in
    ``circuit.right``, so that all inner loops run along rows. With a symmetric S the entries right of
    the diagonal are computed and mirrored; otherwise entries equal up to round-off are made equal, as
    the solvers require for a symmetric matrix.
    """
    n, m, others = len(circuit.branches), len(circuit.others), circuit.others
    B, S, T, R = circuit.inertia, circuit.slopes, circuit.to_pistons, circuit.reactions
    to, total, mirrors = run.channels.B, circuit.right, symmetric_matrix(S, n)
    for i in range(n):
        for j in range(m):
            R[i, j] = 0.0
        for k in range(n):
            for j in range(m):
                R[i, j] += S[i, k] * T[k, j]
    for i in range(m):
        r, first = others[i], i if mirrors else 0
        for j in range(first, m):
            total[j] = 0.0
        for k in range(n):
            for j in range(first, m):
                total[j] += T[k, i] * R[k, j]
        for j in range(first, m):
            c = others[j]
            value = B[r, c] - total[j]
            to[r, c] = value
            if mirrors:
                to[c, r] = value
        free = circuit.speeds[r]
        for k in range(n):
            free += T[k, i] * circuit.locked_impulses[k]
            to[r, circuit.branches[k].channel] = to[circuit.branches[k].channel, r] = 0.0
        run.channels.free[r] = free
    for i in range(0 if mirrors else m):
        r = others[i]
        for j in range(i):
            c = others[j]
            a, b = to[r, c], to[c, r]
            if abs(a - b) <= 1e-12 * (to[r, r] + to[c, c]):
                to[r, c] = to[c, r] = 0.5 * (a + b)
    for k in range(n):
        for i in range(k):
            a, b = circuit.branches[k].channel, circuit.branches[i].channel
            to[a, b] = to[b, a] = 0.0


@kernel
def speed_error(run, circuit):
    """Write the residuals ``u - u_free - B' q - h B f(u)`` to ``right``; returns the largest relative
    one."""
    h, n, worst = circuit.clock.step, len(circuit.branches), 0.0
    B, T, q, others = circuit.of_pistons, circuit.to_pistons, run.channels.impulse, circuit.others
    for r in range(n):
        free = circuit.speeds[circuit.branches[r].channel]
        scale = 1e-6 + abs(free)  # [m/s] scale of the relative error, at least 1e-6
        for i in range(len(others)):
            part = T[r, i] * q[others[i]]
            free += part
            scale += abs(part)
        for c in range(n):
            part = h * B[r, c] * circuit.solves[c].force
            free += part
            scale += abs(part)
        circuit.right[r] = circuit.solves[r].speed - free
        worst = max(worst, abs(circuit.right[r]) / scale)
    return worst


@kernel
def move_pistons(circuit):
    """Take a Newton step of the speeds, ``du = -X error``, and solve the oil at the new speeds.

    Returns 1; 0 if the solve of the oil did not converge.
    """
    n = len(circuit.branches)
    for r in range(n):
        change = 0.0
        for c in range(n):
            change += circuit.coupled[r, c] * circuit.right[c]
        circuit.solves[r].change = -change
        circuit.solves[r].speed -= change
    predict(circuit)
    return find_forces(circuit)


@kernel
def approach_pistons(run, circuit, agreed):
    """Take a Newton step of the speeds with the last step's impulses of all other channels.

    This is left out if the speeds at the step's start have a relative error up to 2e-3: Newton's method
    squares the error, so one contact solve is enough anyway. ``agreed``: 1 if the last solve of the oil
    converged; returns that of the present one.
    """
    if speed_error(run, circuit) <= 2e-3:
        return agreed
    linearise(circuit)
    return move_pistons(circuit)


@kernel
def has_ended(error, old, agreed):
    """Return 1 if the iteration ends: ``error`` is below its tolerance, or below the relaxed tolerance
    and not smaller than the last error ``old``.

    ``agreed``: 1 if the solve of the oil converged, otherwise the iteration continues.
    """
    if agreed == 0 or not error <= ROUND_OFF_FACTOR * SPEED_TOLERANCE:
        return 0
    return 1 if error <= SPEED_TOLERANCE or error >= old else 0


@kernel
def apply_forces(run, circuit):
    """Write the impulses [N s] of all cylinders in this step to their channels."""
    impulse = run.channels.impulse
    for k in range(len(circuit.branches)):
        impulse[circuit.branches[k].channel] = circuit.clock.step * circuit.solves[k].force


@kernel
def apply_locked_forces(run, circuit):
    """Write the impulses [N s] of locked pistons, ``p_0 - S B' q``, to their channels."""
    q, others, n, T = run.channels.impulse, circuit.others, len(circuit.branches), circuit.to_pistons
    for r in range(n):
        total = circuit.locked_impulses[r]
        for k in range(n):
            for i in range(len(others)):
                total -= circuit.slopes[r, k] * T[k, i] * q[others[i]]
        q[circuit.branches[r].channel] = total


@kernel
def other_channels_rest(run, circuit):
    """Return 1 and set the impulses of all channels without cylinder to 0, if no stop, contact or
    friction acts in this step; otherwise return 0."""
    live, lower, upper = run.channels.live, run.channels.lower, run.channels.upper
    others, bias, free = circuit.others, run.channels.bias, run.channels.free
    for i in range(len(others)):
        c = others[i]
        if live[c] == 0 or (lower[c] == 0.0 and upper[c] == 0.0):
            continue
        w = free[c] + bias[c]
        if not ((lower[c] == 0.0 and w >= 0.0) or (upper[c] == 0.0 and w <= 0.0)):
            return 0
    for i in range(len(others)):
        run.channels.impulse[others[i]] = 0.0
    return 1


@kernel
def bristles(run, contact, circuit, keep):
    """Save (keep = 1) or restore (0) the bristle state of the wheels on soil, which every contact solve
    advances."""
    own = as_array(circuit.bristles)
    for m in range(run.count.soil_wheels):
        bristle = contact.wheels.bristle[m]
        if keep == 1:
            own[3 * m], own[3 * m + 1], own[3 * m + 2] = bristle.x, bristle.y, bristle.firm
        else:
            bristle.x, bristle.y, bristle.firm = own[3 * m], own[3 * m + 1], own[3 * m + 2]
