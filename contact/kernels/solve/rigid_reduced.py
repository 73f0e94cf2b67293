"""The reduced contact problem with friction: an outer loop over the friction bounds, with exact solves.

The multibody part has been eliminated: ``u = B q + u_free`` are the channel velocities for channel
impulses q. Every channel is a row ``w = u + e q + b``, with a lower and an upper bound on q; a friction
channel has the bounds ``+- coefficient q_parent``, parent being its normal channel. The outer loop sets
the bounds from the last normal impulses, solves, and repeats until bounds and impulses agree.

Friction cones. A point that did not slide in the last step starts as sticking: both tangents within
``+- mu p_n``, mu: coefficient, p_n: normal impulse. If the impulse p_t then leaves the cone or meets a
bound, the point slides: its first tangent is turned along

    d = p_t - w_t / a,   a = sum_k max(|A_1k|, |A_2k|),

with the velocity w_t along the tangents 1 and 2 and the problem's matrix A, and the impulse of its
second tangent is 0. At the fixed point p_t = mu p_n d/|d| opposes w_t, or
w_t = 0 and p_t is inside: the cone's law, to tolerance. A sliding point that could stick returns to
sticking, at most RETURNS times in a step.

Four corners of a box carry more impulses than its weight determines, and B is singular. So every
round is a proximal point step on the contact rows, ``(A + D) z = D z_k - b``, D being PROXIMAL_WEIGHT
times the diagonal: it has one solution, near the last impulses, which solves the problem itself once
z no longer changes.

Newton's method finds the tangents of a sliding cone within the solve, in some four rounds;
successive substitution takes twenty. Each of the two may cycle in cases in which the other
converges, so they alternate in the order Newton, substitution, Newton, each for SPELL rounds.

Where a small stiffness divides a force between points, as between a plate and soft wheels beside it,
proximal steps would take hundreds of rounds. If a round changes neither active set nor cones, and
divides the residual by less than SLOW, D is divided by SLOW^2 in the next round. If corners contradict
each other by round-off, or joints nearly fix a tangent, there would be thousands of rounds: after
SETTLED rounds D falls by WEIGHT_FACTOR from round to round.
"""

import math

from mlcp.jit import kernel, part
from mlcp.kernels.dense_problem import Problem
from mlcp.kernels.numbered import solve_numbered
from mlcp.kernels.one_row import SizeWork
from mlcp.kernels.residual import residual_above

from ..wheel.layout import LEAST_BIAS

PROXIMAL_WEIGHT = 1e-3  # D over the diagonal in a proximal step
SETTLED, PHASE = 20, 40  # rounds before D is reduced; rounds from one reset of D to the next
SPELL = 6  # rounds of one method (Newton's or substitution) before the next
WEIGHT_FACTOR = 0.5  # factor on D from round to round, while D is reduced
SLOW = 10  # divisor of the residual below which a round is slow; D is divided by the square
RETURNS = 3  # largest number of returns of a sliding point to sticking in one step
OUTER = 300  # largest number of rounds of the outer loop


@kernel
def gather(friction):
    """Collect the channels that take part in this step in the dense problem; return their number.

    Channels whose impulse can only be zero (a released brake, a friction channel with coefficient 0) are
    left out, and their impulse is set to zero.
    """
    given, A, n = friction.given, friction.A, 0
    for c in range(given.free.shape[0]):
        friction.place[c] = -1
        if given.parent[c] < 0:
            idle = given.lower[c] == 0.0 and given.upper[c] == 0.0
        else:
            idle = given.coefficient[c] == 0.0
        if given.live[c] != 0 and not idle:
            friction.channel[n] = c
            friction.place[c] = n
            n += 1
        else:
            given.impulse[c] = 0.0
            given.active[c] = 0
    for i in range(n):
        c = friction.channel[i]
        for j in range(n):
            A[i, j] = given.B[c, friction.channel[j]]
        A[i, i] += given.compliance[c]
        weight = 0.0
        if given.proximal[c] != 0:  # both tangents have the same weight, so it does not depend on turns
            normal = given.parent[c] if given.parent[c] >= 0 else c
            weight = PROXIMAL_WEIGHT * given.B[normal, normal]
        friction.weight[i] = weight
        friction.b[i] = given.free[c] + given.bias[c]
        friction.lower[i], friction.upper[i] = given.lower[c], given.upper[c]
        friction.z[i] = given.impulse[c]
        friction.cosine[i], friction.sine[i] = 1.0, 0.0
        friction.sliding[i], friction.bound[i], friction.returns[i] = 0.0, 0.0, 0.0
    return n


@kernel
def second_of(friction, i):
    """Row of the second tangent of the cone whose first tangent is row i; -1: none in the dense problem.

    A first tangent whose second tangent is left out is bounded like a box.
    """
    partner = friction.given.partner[friction.channel[i]]
    return friction.place[partner] if partner >= 0 else -1


@kernel
def turn_pair(friction, n, i, j, c, s):
    """Turn the tangents i, j in A, b and z by the angle with cosine c and sine s."""
    A, b, z = friction.A, friction.b, friction.z
    for k in range(n):
        x, y = A[i, k], A[j, k]
        A[i, k] = c * x + s * y
        A[j, k] = c * y - s * x
    for k in range(n):
        x, y = A[k, i], A[k, j]
        A[k, i] = c * x + s * y
        A[k, j] = c * y - s * x
    x, y = b[i], b[j]
    b[i], b[j] = c * x + s * y, c * y - s * x
    x, y = z[i], z[j]
    z[i], z[j] = c * x + s * y, c * y - s * x
    x, y = friction.cosine[i], friction.sine[i]
    friction.cosine[i], friction.sine[i] = x * c - y * s, x * s + y * c


@kernel
def start_friction(friction, n):
    """Set the warm start: the active set, and tangents turned along the last impulses; return whether
    any row is friction."""
    given, z, rubs = friction.given, friction.z, False
    for i in range(n):
        c = friction.channel[i]
        friction.active[i] = given.active[c]
        rubs = rubs or given.parent[c] >= 0
        j = second_of(friction, i)
        if j >= 0:
            x, y = z[i], z[j]
            r = math.sqrt(x * x + y * y)
            if r > 0.0 and y != 0.0:
                turn_pair(friction, n, i, j, x / r, y / r)
            friction.sliding[i] = 1.0 if given.active[c] != 0 else 0.0
    return rubs


@kernel
def bounds_from_normals(friction, n):
    """Set the bounds of friction rows from the present normal impulses."""
    given, lower, upper = friction.given, friction.lower, friction.upper
    for i in range(n):
        c = friction.channel[i]
        if given.parent[c] < 0:
            continue
        k = friction.place[given.parent[c]]
        bound = given.coefficient[c] * max(friction.z[k], 0.0) if k >= 0 else 0.0
        friction.bound[i] = bound
        lower[i], upper[i] = -bound, bound
    for i in range(n):  # the second tangent of a sliding cone has impulse 0
        j = second_of(friction, i)
        if j >= 0 and friction.sliding[i] == 1.0:
            lower[j], upper[j] = 0.0, 0.0


@part
def turn_cones(friction, n, tolerance):
    """Set each cone to stick or slide, and turn the tangents of sliding cones; return the largest sine
    of a turn, or 1 if a cone changes between sticking and sliding."""
    A, z, worst = friction.A, friction.z, 0.0
    sliding, returns = friction.sliding, friction.returns
    for i in range(n):
        j = second_of(friction, i)
        if j < 0:
            continue
        bound, x, y = friction.bound[i], z[i], z[j]
        if bound <= 0.0:
            continue
        inside = abs(x) < bound and x * x + y * y <= bound * bound * (1.0 + 1e-12)
        if sliding[i] == 0.0 and inside and abs(y) < bound:
            continue
        wx, wy, a = friction.b[i], friction.b[j], 0.0
        for k in range(n):
            wx += A[i, k] * z[k]
            wy += A[j, k] * z[k]
            a += max(abs(A[i, k]), abs(A[j, k]))
        dx, dy = x - wx / a, y - wy / a
        r = math.sqrt(dx * dx + dy * dy)
        if r <= 0.0:
            continue
        sine = abs(dy) / r if dx > 0.0 else 1.0
        if sliding[i] == 1.0 and abs(x) < bound and sine > tolerance and returns[i] < RETURNS:
            sliding[i] = 0.0  # along the first tangent the point does not move: it may be able to stick
            returns[i] += 1.0
            worst = 1.0
            continue
        if sliding[i] == 0.0:
            sliding[i] = 1.0
            worst = 1.0
        worst = max(worst, sine)
        if sine > 0.0:
            turn_pair(friction, n, i, j, dx / r, dy / r)
    return worst


@kernel
def couple(friction, n, cones):
    """Couple the impulses of friction rows at their bound to their normal impulses.

    With ``z_t = s mu z_n`` (s = +-1: the bound) ``s mu`` times column t is added to column n, and z_t is
    fixed at zero: one solve then finds the limit of the loop over the bounds, if the same rows slide.
    :func:`uncouple` undoes this. ``cones``: couple the first tangents of sliding cones as well.
    """
    given, A, active = friction.given, friction.A, friction.active
    for i in range(n):
        friction.follows[i] = 0.0
        c = friction.channel[i]
        if given.parent[c] < 0 or active[i] == 0 or given.coefficient[c] == 0.0:
            continue
        slides = cones and friction.sliding[i] == 1.0
        first = second_of(friction, i) >= 0
        second = c > 0 and given.partner[c - 1] == c and friction.place[c - 1] >= 0
        if (first and not slides) or second:
            continue  # ``turn_cones`` treats the tangents of a cone
        k = friction.place[given.parent[c]]
        if k < 0 or active[k] != 0 or friction.upper[i] == 0.0:
            continue
        f = active[i] * given.coefficient[c]
        friction.follows[i] = f
        friction.lower[i], friction.upper[i] = 0.0, 0.0
        for r in range(n):
            A[r, k] += f * A[r, i]


@kernel
def uncouple(friction, n):
    """Undo :func:`couple`: restore the matrix, and set impulse and active set of the coupled rows."""
    A = friction.A
    for i in range(n):
        f = friction.follows[i]
        if f != 0.0:
            k = friction.place[friction.given.parent[friction.channel[i]]]
            for r in range(n):
                A[r, k] -= f * A[r, i]
            friction.z[i] = f * friction.z[k]
            friction.active[i] = 1 if f > 0.0 else -1


@kernel
def relax_bounds(friction, n):
    """Add the first-order change of direction of sliding cones to the problem, as in Newton's method.

    Where the impulse ``p_t`` is along the first tangent, ``p_t x w_t = 0`` is to first order the row
    ``w_2 - (w_1/p_1) p_2 = 0`` of the second tangent. :func:`tighten` undoes this.
    """
    A, z = friction.A, friction.z
    for i in range(n):
        friction.own[i] = A[i, i]
    for i in range(n):
        j = second_of(friction, i)
        if j < 0 or friction.sliding[i] == 0.0 or not z[i] > 0.0:
            continue
        w = friction.b[i]
        for k in range(n):
            w += A[i, k] * z[k]
        if w >= 0.0:
            continue
        A[j, j] -= w / z[i]
        friction.lower[j], friction.upper[j] = -friction.bound[i], friction.bound[i]


@kernel
def tighten(friction, n):
    """Restore the diagonal of the matrix as it was before :func:`relax_bounds`."""
    for i in range(n):
        friction.A[i, i] = friction.own[i]


@kernel
def reduce_steps(friction, n, rounds, share, slow):
    """Scale the proximal weights for the next round, and return their new ratio to the first weights.

    share: present ratio; slow: whether the last round reduced nothing but the residual, and that slowly.
    """
    excess, wanted = rounds - SETTLED, 1.0
    if excess > 0:
        wanted = WEIGHT_FACTOR ** (excess % PHASE)
    elif slow:
        wanted = max(share / (SLOW * SLOW), PROXIMAL_WEIGHT * PROXIMAL_WEIGHT)
    if wanted != share:
        for i in range(n):
            friction.weight[i] *= wanted / share
    return wanted


@kernel
def keep_active(friction, n):
    """Write a round's active set to its channels; return whether it is the last round's."""
    active, same = friction.given.active, True
    for i in range(n):
        c = friction.channel[i]
        same = same and active[c] == friction.active[i]
        active[c] = friction.active[i]
    return same


@part
def solve_dense(friction, n, solver, tolerance):
    """Do one proximal step with the present bounds by the chosen solver."""
    A, b, z, weight, last = friction.A, friction.b, friction.z, friction.weight, friction.last
    for i in range(n):
        A[i, i] += weight[i]
        b[i] -= weight[i] * z[i]
        last[i] = z[i]
    problem = Problem(A, b, friction.lower, friction.upper, n)
    solve_numbered(
        solver,
        problem,
        z,
        friction.active,
        friction.work,
        friction.settings,
        0.1 * tolerance,
        LEAST_BIAS,
    )
    for i in range(n):
        A[i, i] -= weight[i]
        b[i] += weight[i] * last[i]


@kernel
def solve_round(friction, n, solver, tolerance, coupled, turning):
    """Do one proximal step; ``coupled``: with :func:`couple`; ``turning``: with :func:`relax_bounds`."""
    if turning:
        relax_bounds(friction, n)
    if coupled:
        couple(friction, n, turning)
    solve_dense(friction, n, solver, tolerance)
    if coupled:
        uncouple(friction, n)
    if turning:
        tighten(friction, n)


@kernel
def scatter(friction, n):
    """Write impulses and active set to their channels; turn impulses back to the channels' tangents."""
    given, z = friction.given, friction.z
    for i in range(n):
        c = friction.channel[i]
        given.impulse[c] = z[i]
        given.active[c] = friction.active[i]
    for i in range(n):
        c, j = friction.channel[i], second_of(friction, i)
        if j >= 0:
            x, y, co, si = z[i], z[j], friction.cosine[i], friction.sine[i]
            given.impulse[c] = co * x - si * y
            given.impulse[given.partner[c]] = si * x + co * y


@part
def solve_with_friction(friction, solver, friction_tolerance, tolerance):
    """Solve a step's contacts with friction by the outer loop over the bounds (see the module).

    Arguments:
        friction: the problem, warm start and result in ``given.impulse`` and ``given.active``.
        solver: number of ``mlcp.kernels.numbered``; a constant of the compiled run, so that the
            code of the other solvers is left out.
        friction_tolerance: tolerance on the directions of sliding cones (sine of the angle).
        tolerance: tolerance on the scaled natural residual, with bounds from the present normal
            impulses.
    Returns: (residual, rounds, converged): natural residual of the final problem, rounds of the
        outer loop, 1 if bounds and directions agreed.
    """
    n = gather(friction)
    if n == 0:
        return 0.0, 0, 1
    rubs = start_friction(friction, n)
    rounds, converged, share, slow, last = 0, 1, 1.0, False, math.inf
    if rubs:
        bounds_from_normals(friction, n)
    while True:
        rounds += 1
        share = reduce_steps(friction, n, rounds, share, slow)
        # even rounds are not coupled: their solve determines which friction rows slide
        coupled = rubs and rounds % 2 == 1
        turning = (rounds - 1) // SPELL % 3 != 1
        solve_round(friction, n, solver, tolerance, coupled, turning)
        sine = 0.0
        if rubs:
            sine = turn_cones(friction, n, friction_tolerance)
            bounds_from_normals(friction, n)
        problem = Problem(friction.A, friction.b, friction.lower, friction.upper, n)
        residual = residual_above(problem, friction.z, SizeWork(friction.work, n), LEAST_BIAS)
        if residual <= tolerance and sine <= friction_tolerance:
            break
        if rounds == OUTER:
            converged = 0
            break
        same = keep_active(friction, n)
        slow = same and sine <= friction_tolerance and SLOW * residual > last
        last = residual
    scatter(friction, n)
    return residual, rounds, converged
