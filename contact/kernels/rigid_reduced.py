"""The reduced contact problem with friction: exact solves inside an outer loop over the bounds.

The multibody part has been eliminated: ``u = B q + u_free`` are the channel velocities for channel
impulses q. Every channel is a row ``w = u + e q + b``, bounded below and above; a friction channel
has the bounds ``+- coefficient q_parent``, parent being its normal channel. The outer loop sets
the bounds from the last normal impulses, solves, and repeats until they agree.

Friction cones. A point starts as sticking: both tangents within ``+- mu p_n``. If the impulse then
leaves the cone or meets a bound, the point slides: its first tangent is turned along

    d = p_t - w_t / a,   a = sum_j |A_ij|,

and its second carries nothing. At the fixed point p_t = mu p_n d/|d| opposes w_t, or w_t = 0 and
p_t is inside: the cone's law, to tolerance. A sliding point that could stick goes back (a few
times).

Four corners of a box carry more impulses than its weight determines, and B is singular. So every
round is a proximal point step on the contact rows, ``(A + D) z = D z_k - b`` with D a share
PROXIMAL of the diagonal: unique, near the last impulses, and exact once z repeats.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel, part
from mlcp.kernels.direct import direct
from mlcp.kernels.newton import newton
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import residual_above

from .layout import REST

DIRECT, PGS, NEWTON = 0, 1, 2
PROXIMAL = 1e-3  # share of the diagonal in a proximal step
RETURNS = 3  # times a sliding point may go back to sticking in one step
OUTER = 300  # rounds of the outer loop at most
SWEEPS = 5000  # of pgs in one round
PIVOTS = 2000  # of direct
NEWTONS = 100  # of newton


@kernel
def gather(C, B, free, e, b, lower, upper, parent, coefficient, proximal, live, q, active, index, A, V):
    """Collect the live channels in a dense problem; returns how many there are.

    Channels that can carry nothing stay out: a released brake, a contact without friction.

    ``index[:C]`` lists them, ``index[C:2C]`` is the inverse (-1 for the others, whose impulse is
    set to zero). V holds C numbers each of: b, lower, upper, z, cosine, sine, sliding, bound,
    returns, proximal weight, last z, coupling.
    """
    n = 0
    for c in range(C):
        index[C + c] = -1
        if parent[c] < 0:
            idle = lower[c] == 0.0 and upper[c] == 0.0
        else:
            idle = coefficient[c] == 0.0
        if live[c] != 0 and not idle:
            index[n] = c
            index[C + c] = n
            n += 1
        else:
            q[c] = 0.0
            active[c] = 0
    for i in range(n):
        c = index[i]
        for j in range(n):
            A[i, j] = B[c, index[j]]
        A[i, i] += e[c]
        V[9 * C + i] = PROXIMAL * B[c, c] if proximal[c] != 0 else 0.0
        if proximal[c] != 0 and parent[c] >= 0:  # equal on both tangents, so that turning keeps it
            V[9 * C + i] = PROXIMAL * B[parent[c], parent[c]]
        V[i] = free[c] + b[c]
        V[C + i] = lower[c]
        V[2 * C + i] = upper[c]
        V[3 * C + i] = q[c]
        V[4 * C + i] = 1.0
        for k in range(5, 9):
            V[k * C + i] = 0.0
    return n


@kernel
def turn_pair(A, V, C, n, i, j, c, s):
    """Turn the frame of the tangents i, j by the angle of cosine c and sine s."""
    for k in range(n):
        x, y = A[i, k], A[j, k]
        A[i, k] = c * x + s * y
        A[j, k] = c * y - s * x
    for k in range(n):
        x, y = A[k, i], A[k, j]
        A[k, i] = c * x + s * y
        A[k, j] = c * y - s * x
    for o in (0, 3 * C):  # right-hand side and impulse
        x, y = V[o + i], V[o + j]
        V[o + i] = c * x + s * y
        V[o + j] = c * y - s * x
    x, y = V[4 * C + i], V[5 * C + i]
    V[4 * C + i] = x * c - y * s
    V[5 * C + i] = x * s + y * c


@kernel
def align_pair(A, V, C, n, i, j, x, y):
    """Turn the tangents i, j so that the first lies along (x, y)."""
    r = math.sqrt(x * x + y * y)
    if r > 0.0 and y != 0.0:
        turn_pair(A, V, C, n, i, j, x / r, y / r)


@kernel
def start_friction(C, n, index, parent, partner, active, reduced_active, A, V):
    """Warm start: active sets, tangents along the last impulses; whether there is friction."""
    friction = False
    for i in range(n):
        c = index[i]
        reduced_active[i] = active[c]
        friction = friction or parent[c] >= 0
        if partner[c] >= 0:
            j = index[C + partner[c]]
            align_pair(A, V, C, n, i, j, V[3 * C + i], V[3 * C + j])
            V[6 * C + i] = 1.0 if active[c] != 0 else 0.0
    return friction


@kernel
def bounds_from_normals(C, n, index, parent, partner, coefficient, V):
    """Set the bounds of friction rows from the present normal impulses."""
    for i in range(n):
        c = index[i]
        if parent[c] < 0:
            continue
        k = index[C + parent[c]]
        bound = coefficient[c] * max(V[3 * C + k], 0.0) if k >= 0 else 0.0
        V[7 * C + i] = bound
        V[C + i] = -bound
        V[2 * C + i] = bound
    for i in range(n):  # the second tangent of a sliding cone carries nothing
        c = index[i]
        if partner[c] >= 0 and V[6 * C + i] == 1.0:
            j = index[C + partner[c]]
            V[C + j] = 0.0
            V[2 * C + j] = 0.0


@part
def turn_cones(C, n, index, partner, A, V, tolerance):
    """Decide stick or slide and turn the tangents of sliding cones; largest sine of a turn.

    V[6C:]: 0 sticking, 1 sliding; V[8C:]: how often a point went back to sticking.
    """
    worst = 0.0
    for i in range(n):
        c = index[i]
        if partner[c] < 0:
            continue
        j = index[C + partner[c]]
        bound, x, y = V[7 * C + i], V[3 * C + i], V[3 * C + j]
        if bound <= 0.0:
            continue
        inside = abs(x) < bound and x * x + y * y <= bound * bound * (1.0 + 1e-12)
        if V[6 * C + i] == 0.0 and inside and abs(y) < bound:
            continue
        wx, wy, a = V[i], V[j], 0.0
        for k in range(n):
            wx += A[i, k] * V[3 * C + k]
            wy += A[j, k] * V[3 * C + k]
            a += max(abs(A[i, k]), abs(A[j, k]))
        dx, dy = x - wx / a, y - wy / a
        r = math.sqrt(dx * dx + dy * dy)
        if r <= 0.0:
            continue
        sine = abs(dy) / r if dx > 0.0 else 1.0
        if V[6 * C + i] == 1.0 and abs(x) < bound and sine > tolerance and V[8 * C + i] < RETURNS:
            V[6 * C + i] = 0.0  # w_1 = 0 but w_2 is not: it may be able to stick
            V[8 * C + i] += 1.0
            worst = 1.0
            continue
        if V[6 * C + i] == 0.0:
            V[6 * C + i] = 1.0
            worst = 1.0
        worst = max(worst, sine)
        if sine > 0.0:
            turn_pair(A, V, C, n, i, j, dx / r, dy / r)
    return worst


@kernel
def couple(C, n, index, parent, partner, coefficient, state, A, V):
    """Let friction rows that are at their bound follow their normal impulse exactly.

    With ``z_t = s mu z_n`` column n takes ``s mu`` times column t, and row t is prescribed zero:
    one solve then finds what the loop over the bounds would converge to, if the guess of who
    slides is right. Undone by :func:`uncouple`.
    """
    for i in range(n):
        V[11 * C + i] = 0.0
        c = index[i]
        if parent[c] < 0 or state[i] == 0 or coefficient[c] == 0.0:
            continue
        if partner[c] >= 0 or (c > 0 and partner[c - 1] == c):
            continue  # cones turn their tangents instead
        k = index[C + parent[c]]
        if k < 0 or state[k] != 0 or V[2 * C + i] == 0.0:
            continue
        f = state[i] * coefficient[c]
        V[11 * C + i] = f
        V[C + i] = 0.0
        V[2 * C + i] = 0.0
        for r in range(n):
            A[r, k] += f * A[r, i]


@kernel
def uncouple(C, n, index, parent, state, A, V):
    """Give the followers their impulses and the matrix its columns back."""
    for i in range(n):
        f = V[11 * C + i]
        if f != 0.0:
            k = index[C + parent[index[i]]]
            for r in range(n):
                A[r, k] -= f * A[r, i]
            V[3 * C + i] = f * V[3 * C + k]
            state[i] = 1 if f > 0.0 else -1


@part
def solve_dense(solver, A, V, C, n, active, W, tolerance):
    """One proximal step with the present bounds by the chosen solver."""
    b, lower, upper, z = V[:C], V[C : 2 * C], V[2 * C : 3 * C], V[3 * C : 4 * C]
    for i in range(n):
        A[i, i] += V[9 * C + i]
        b[i] -= V[9 * C + i] * z[i]
        V[10 * C + i] = z[i]
    if solver == PGS:
        pgs(A, b, lower, upper, z, n, 1.0, True, 0.1 * tolerance, np.int64(SWEEPS), math.inf, REST, W)
    elif solver == NEWTON:
        newton(A, b, lower, upper, z, n, 0.1 * tolerance, np.int64(NEWTONS), math.inf, REST, W)
    else:
        # a literal limit would be a type of its own, and cost another compile
        direct(A, b, lower, upper, z, active, n, W, np.int64(PIVOTS), math.inf)
    for i in range(n):
        A[i, i] -= V[9 * C + i]
        b[i] += V[9 * C + i] * V[10 * C + i]


@kernel
def scatter(C, n, index, partner, V, reduced_active, q, active):
    """Hand the impulses back to their channels, tangents turned back."""
    for i in range(n):
        c = index[i]
        q[c] = V[3 * C + i]
        active[c] = reduced_active[i]
    for i in range(n):
        c = index[i]
        if partner[c] >= 0:
            j = index[C + partner[c]]
            x, y, co, si = V[3 * C + i], V[3 * C + j], V[4 * C + i], V[5 * C + i]
            q[c] = co * x - si * y
            q[partner[c]] = si * x + co * y


@part
def solve_reduced(
    C,
    B,
    free,
    e,
    b,
    lower,
    upper,
    parent,
    coefficient,
    partner,
    proximal,
    live,
    q,
    active,
    index,
    reduced_active,
    A,
    V,
    W,
    solver,
    friction_tolerance,
    tolerance,
):
    """Solve the whole reduced problem.

    Arguments:
        C: number of channels; B (C, C), free (C,): Delassus matrix and free velocities.
        e, b, lower, upper (C,): compliance, bias and bounds of every channel.
        parent (C,) int64: normal channel of a friction channel, else -1; coefficient (C,).
        partner (C,) int64: second tangent of a cone's first tangent, else -1.
        proximal (C,) int64: 1 for the rows of contacts that may carry too many impulses.
        live (C,) int64: 0 leaves a channel out.
        q, active (C,): warm start and result.
        index (2C,), reduced_active (C,) int64, A (C, C), V (12C,), W (2 C^2 + 13 C): work.
        solver: DIRECT, PGS or NEWTON; a constant of the compiled run, so that the others' code
            is left out of it.
        friction_tolerance: on the directions of sliding cones (sine).
        tolerance: on the scaled natural residual, bounds at the present normal impulses.
    Returns: (residual, rounds, converged): natural residual of the final problem, rounds of the
        outer loop, 1 if bounds and directions agreed.
    """
    n = gather(
        C, B, free, e, b, lower, upper, parent, coefficient, proximal, live, q, active, index, A, V
    )
    if n == 0:
        return 0.0, 0, 1
    friction = start_friction(C, n, index, parent, partner, active, reduced_active, A, V)
    rounds, converged = 0, 1
    if friction:
        bounds_from_normals(C, n, index, parent, partner, coefficient, V)
    while True:
        rounds += 1
        coupled = friction and rounds % 2 == 1  # the rounds between decide who slides
        if coupled:
            couple(C, n, index, parent, partner, coefficient, reduced_active, A, V)
        solve_dense(solver, A, V, C, n, reduced_active, W, tolerance)
        if coupled:
            uncouple(C, n, index, parent, reduced_active, A, V)
        sine = 0.0
        if friction:
            sine = turn_cones(C, n, index, partner, A, V, friction_tolerance)
            bounds_from_normals(C, n, index, parent, partner, coefficient, V)
        residual = residual_above(
            A, V[:C], V[C : 2 * C], V[2 * C : 3 * C], V[3 * C : 4 * C], n, W, 0, REST
        )
        if residual <= tolerance and sine <= friction_tolerance:
            break
        if rounds == OUTER:
            converged = 0
            break
    scatter(C, n, index, partner, V, reduced_active, q, active)
    return residual, rounds, converged
