"""Contact problem of several vehicles side by side in one SIMD register ("lanes"), in its common case.

In the common case wheels roll or rest, the laws are linearised at the end of the step (scheme
``implicit``), the problem is solved on channels (contact coordinates) without the dense matrix, and the
forces agree with the laws after a few passes (linearisation and solve) or after Newton's method.
``solve.reduced`` solves single vehicles with the same kernels and bit for bit the same results. It also
solves the vehicles outside the common case, which are returned as not solved.
"""

import math

from mlcp.compiled.branches import as_many, no, some, where
from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import kernel
from mlcp.kernels.channel_factor import couple
from mlcp.kernels.channel_rows import ChannelWork, respond
from mlcp.kernels.channel_solve import exchange_until_solved

from ..rows.dense_rows import assemble, on_channels
from ..rows.rest import AT_THE_RIM, bound_by_ellipse
from ..rows.rows import rolling_impulse
from ..solve.agreement import MAX_PLAIN_PASSES, ROUND_OFF_FACTOR, linearise_there
from ..solve.balance import Unknowns, begin, take_impulses, value_at
from ..solve.newton import MAX_RISE, MAX_STEPS, iterate
from ..solve.reduced import begin as begin_step
from ..solve.reduced import check_wheels, residual_there, set_rows
from ..wheel import layout as at

MAX_PASSES = 9  # largest number of passes in lanes; ``reduced`` solves the vehicles that need more


class LaneWork(WorkArray, sizes="n"):
    """Work arrays of a solve in lanes; the active set ``active`` is kept from step to step."""

    active = part("n", "-1 at lower, 0 free, 1 at upper")
    before = part("n", "impulses at the start of the step")
    was = part("n", "active set at the start of the step")
    solve = within(ChannelWork, "the rows on their channels")


@kernel
def follow_rolling(h, going, wheels, rows):
    """Solve the laws of all wheels at once by Newton's method in the lanes ``going``; return the lanes
    in which the method converges."""
    n = rows.z.shape[0]
    W = Unknowns(rows.work[3 * n :], n)  # this overwrites ``LaneWork.solve``
    n, weighs = begin(W, wheels, rows, None)
    going, _ = iterate(MAX_STEPS, MAX_RISE, going & weighs, h, n, W, wheels, rows)
    # recompute the largest friction forces of wheels at rest at each lane's solution: in lanes that
    # converged early the values are those of later iterations
    value_at(W.point, h, n, W, wheels, rows)
    take_impulses(going, n, W, wheels, rows)
    return going


@kernel
def note_rolling(which, wheels, rows):
    """Store the wheels' rolling moments over their radii, as impulses [N s], in the lanes ``which``."""
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        now.rolling = where(which, rolling_impulse(i, wheels, rows), now.rolling)


@kernel
def solve_rolling(h, contact, B, u_free):
    """Solve a step's contacts in lanes, in the common case (``reduced.solve_reduced``: one vehicle).

    Arguments: step length h [s]; ``Contact``; Delassus matrix B of the channels [1/kg]; u_free: the
    channels' velocities at the end of the step without ground forces [m/s].
    Returns, for each lane: whether it is solved, number of passes, natural residual. In lanes that are
    not solved the rows' impulses and active sets are those at the start of the step.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    n, tolerance = rows.z.shape[0], settings.law_tolerance
    W = LaneWork(rows.work, n)
    there = on_channels(rows, W.active)
    for i in range(n):
        W.before[i], W.was[i] = rows.z[i], W.active[i]
    begin_step(h, contact, B, u_free)
    couple(B, there, W.solve)
    going = h == h
    solved, factored = going & no(going), going & no(going)
    passes, residual = as_many(0.0, h), as_many(math.inf, h)
    for k in range(MAX_PASSES):
        if not some(going):
            break
        going = going & (passes < settings.max_passes)
        set_rows(h, B, u_free, True, wheels, rows)
        if k == 0:
            bound_by_ellipse(AT_THE_RIM, going, wheels, rows)
        found, factored = exchange_until_solved(
            B, u_free, there, going, factored, W.solve, at.LEAST_BIAS
        )
        going = going & (found <= settings.solver_tolerance)
        residual, passes = where(going, found, residual), where(going, k + 1.0, passes)
        agreed = check_wheels(h, tolerance, going, wheels, rows)
        note_rolling(agreed, wheels, rows)
        solved, going = solved | agreed, going & no(agreed)
        if k + 1 > MAX_PLAIN_PASSES and some(going):
            if k == MAX_PLAIN_PASSES:
                assemble(B, rows)
            going = follow_rolling(h, going, wheels, rows)
            respond(B, u_free, there)
            linearise_there(h, going, wheels, rows)
            set_rows(h, B, u_free, True, wheels, rows)
            couple(B, there, W.solve)
            found = residual_there(True, going, B, u_free, there, W.solve, wheels, rows)
            factored = going & no(going)  # Newton's method has overwritten the factorisation
            agreed = check_wheels(h, tolerance, going, wheels, rows)
            note_rolling(agreed, wheels, rows)
            agreed = agreed & (found <= ROUND_OFF_FACTOR * settings.solver_tolerance)
            residual = where(going, found, residual)
            solved, going = solved | agreed, going & no(agreed)
    for i in range(n):
        rows.z[i] = where(solved, rows.z[i], W.before[i])
        W.active[i] = where(solved, W.active[i], W.was[i])
    return solved, passes, residual
