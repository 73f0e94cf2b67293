"""The step's reduced contact problem of all wheels: start, rows, solve, check against the laws.

The host supplies its Delassus matrix on the channels, ``B = J_c M^-1 J_c'`` (mass matrix M, Jacobian J_c
of the channels, bilateral constraints eliminated), and the channels' velocities: ``u`` at the start of
the step, ``u_free`` at the end without ground forces. With channel impulses q the end-of-step velocities
are ``u+ = u_free + B q``. Each row acts on a channel, the spin row on the difference of two:
``A = S B S' + diag(e)``, ``b = S u_free + bias``, with one +1 and at most one -1 in a row of S, and the
compliance e of the rows.
"""

import math

from mlcp.compiled.branches import some, where
from mlcp.compiled.lazy import FLOAT, bundle, lazy
from mlcp.jit import kernel, part
from mlcp.kernels.channel_rows import ChannelWork, respond
from mlcp.kernels.channel_solve import residual_on_channels, solve_on_channels, start_rows
from mlcp.kernels.dense_problem import Problem
from mlcp.kernels.matrix_rows import symmetric_matrix
from mlcp.kernels.numbered import DIRECT, solve_numbered
from mlcp.kernels.one_row import SizeWork
from mlcp.kernels.residual import residual_above

from ..rows.dense_rows import assemble, on_channels, own_row
from ..rows.lateral_check import check_lateral
from ..rows.lateral_rows import begin_lateral, lateral_rows
from ..rows.law_check import check_wheel
from ..rows.other_wheels import BEGIN, MOVE, other_wheel
from ..rows.rest import AT_THE_RIM, bound_by_ellipse
from ..rows.rows import begin_wheel, normal_row, rolling_impulse, traction_rows
from ..rows.standing import soften_at_rest
from ..wheel import layout as at
from ..wheel.data import Rows
from ..wheel.wheel_law import linearise_at
from .agreement import MAX_PLAIN_PASSES, ROUND_OFF_FACTOR, follow_law, linearise_there, split_rows
from .other_friction import OtherFriction


@kernel
def predict_loads(h, B, u_free, wheels, rows):
    """Predict the step's loads by the normal rows alone, with all other impulses from the last step.

    In the first pass wheels that were loaded are linearised at the predicted loads. Bristles, and forces
    combined by the sliding, depend on two velocities, but a row has the slope over one velocity only:
    with LuGre and under ``implicit`` the first pass linearises such wheels at the velocities predicted
    from the last impulses, where the error by the change of the other velocity is smallest. The ratios
    of LuGre's envelopes to the load remain those of the step's start.
    """
    respond(B, u_free, on_channels(rows, rows.active))
    count = len(wheels.each)
    for i in range(count):  # add the effect of the other impulses on the normal rows to b
        wheel = wheels.each[i]
        normal = wheel.row + at.ROW_NORMAL
        channel = wheel.channel + at.NORMAL
        total = rows.u[channel] + rows.bias[normal]
        for j in range(count):
            other = wheels.each[j].channel + at.NORMAL
            total -= B[channel, other] * rows.q[other]
        rows.b[normal] = total
    for _sweep in range(3):  # the wheels are weakly coupled: three Gauss-Seidel sweeps suffice
        for i in range(count):
            wheel = wheels.each[i]
            channel = wheel.channel + at.NORMAL
            normal = wheel.row + at.ROW_NORMAL
            touches = rows.upper[normal] > 0.0
            if some(touches):
                total = rows.b[normal]
                for j in range(count):
                    other = wheels.each[j].channel + at.NORMAL
                    if j != i:
                        total += B[channel, other] * rows.q[other]
                impulse = max(0.0, -total / (B[channel, channel] + rows.e[normal]))
                rows.q[channel] = where(touches, impulse, rows.q[channel])
    for i in range(count):
        wheel, now = wheels.each[i], wheels.now[i]
        normal, c, u = wheel.row + at.ROW_NORMAL, wheel.channel, rows.u
        known = (rows.upper[normal] > 0.0) & (rows.z[normal] > 0.0)
        now.load = where(known, rows.q[c + at.NORMAL] / h, now.load)
        moves = known & (now.at_rest == 0.0)
        bristles, combines = wheel.scheme == at.LUGRE, wheel.scheme == at.IMPLICIT and wheel.sliding == 1
        if (bristles or combines) and some(moves):
            v_t, v_x = where(moves, u[c + at.SLIDING], now.v_t), where(moves, u[c + at.CENTRE], now.v_x)
            now.v_y = where(moves, u[c + at.LATERAL], now.v_y)
            if bristles:
                now.v_t, now.v_x = v_t, v_x
            else:
                linearise_at(i, v_t, v_x, wheels)


@kernel
def begin(h, contact, B, u_free):
    """Start the step: set the normal rows and the wheels' linearisation points at the current
    velocities, and predict the loads."""
    wheels, rows, gap, u = contact.wheels, contact.rows, contact.gap, contact.start
    passes = wheels.passes
    passes.count, passes.remaining_newton_steps = 0.0, contact.settings.max_newton_steps
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        channel = wheel.channel
        normal = wheel.row + at.ROW_NORMAL
        normal_row(i, h, gap[i], u_free[channel + at.NORMAL], u, wheels, rows)
        if passes.resumes == 1 and wheel.scheme == at.LUGRE and wheel.relaxes == 0:
            continue
        load = where(rows.upper[normal] > 0.0, rows.z[normal] / h, 0.0)
        if wheel.lateral_row >= 0:
            wheels.now[i].v_y = u[channel + at.LATERAL]
        begin_wheel(i, load, u[channel + at.SLIDING], u[channel + at.CENTRE], wheels)
        if wheel.scheme == at.LUGRE:
            other_wheel(BEGIN, i, h, 0.0, wheels, rows)
        if wheel.lateral_row >= 0:
            begin_lateral(i, h, u[channel + at.LATERAL], wheels, rows)
    predict_loads(h, B, u_free, wheels, rows)


@kernel
def no_other_friction(rows):
    """Empty ``OtherFriction``, for problems of wheels only."""
    none = rows.active[:0]
    return OtherFriction(none, none, rows.z[:0], none)


@kernel
def set_wheel_rows(i, h, B, soft, wheels, rows):
    """Set the rows of wheel i, except the normal row, at its linearisation point."""
    wheel = wheels.each[i]
    sliding = wheel.channel + at.SLIDING
    centre = wheel.channel + at.CENTRE
    own = B[sliding, sliding]
    heavy = own > 0.0
    share = where(heavy, min(1.0, max(0.0, B[centre, sliding] / where(heavy, own, 1.0))), 0.0)
    traction_rows(i, h, share, wheels, rows)
    soften_at_rest(i, B, soft, wheels, rows)
    if wheel.lateral_row >= 0:
        lateral_rows(i, h, wheels, rows)


@kernel
def set_rows(h, B, u_free, soft, wheels, rows):
    """Set the wheels' rows, b, and the diagonal of A; ``soft``: with the compliance of wheels at rest
    (``soften_at_rest``)."""
    for i in range(len(wheels.each)):
        set_wheel_rows(i, h, B, soft, wheels, rows)
    for i in range(rows.channel.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        own_row(i, B, rows)
        rows.b[i] = u_free[channel] + rows.bias[i]
        if minus >= 0:
            rows.b[i] -= u_free[minus]


@kernel
def set_problem(h, B, u_free, wheels, rows):
    """Set the wheels' rows and assemble the dense problem (A, b)."""
    set_rows(h, B, u_free, False, wheels, rows)
    assemble(B, rows)


@kernel
def end_velocities(B, u_free, rows):
    """Set the channel impulses q and end-of-step velocities u+ (``rows.u``) of the solution z."""
    channels = rows.q.shape[0]
    for c in range(channels):
        rows.q[c] = 0.0
    for i in range(rows.channel.shape[0]):
        rows.q[rows.channel[i]] += rows.z[i]
        if rows.minus[i] >= 0:
            rows.q[rows.minus[i]] -= rows.z[i]
    for c in range(channels):
        total = u_free[c]
        for k in range(channels):
            total += B[c, k] * rows.q[k]
        rows.u[c] = total


@kernel
def check_wheels(h, tol, which, wheels, rows):
    """Compare every wheel with its law at the velocities u+, and count the pass; return the vehicles of
    ``which`` whose wheels all agree with their laws."""
    for i in range(len(wheels.each)):
        which = check_wheel(i, h, tol, wheels, rows) & which
        if wheels.each[i].lateral_row >= 0:
            which = check_lateral(i, h, tol, wheels, rows) & which
    wheels.passes.count += 1.0
    return which


@kernel
def check(h, tol, B, u_free, wheels, rows, other_friction):
    """Check the solution z of a pass: set q and u+, and the points at which the next pass linearises.

    After ``MAX_PLAIN_PASSES`` these points are a solution of all laws, if one is found; rows.A has to be
    assembled. Returns: whether every wheel agrees with its law at z.
    """
    end_velocities(B, u_free, rows)
    agreed = check_wheels(h, tol, True, wheels, rows)
    if (
        not agreed
        and wheels.passes.count > MAX_PLAIN_PASSES
        and follow_law(h, wheels, rows, other_friction)
    ):
        end_velocities(B, u_free, rows)
        linearise_there(h, True, wheels, rows)
    return agreed


@kernel
def report(agreed, passes, residual, limit, wheels, rows):
    """Write the step's report: natural residual, passes, missed (1: no convergence, or a residual above
    ``limit``), and the largest mismatch of a force with its law."""
    worst = 0.0
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        worst = max(worst, now.mismatch)
    rows.report.residual = residual
    rows.report.passes = passes
    rows.report.agreement = worst
    rows.report.missed = 0.0 if agreed and residual <= limit else 1.0


@lazy(FLOAT(bundle(Rows)), "mlcp", "contact")
def dense_residual(rows):
    """Natural residual of the dense problem, with ``LEAST_BIAS`` as lower limit of |b| in the rows'
    scales. Compiled at the first call, since a solve on channels returns a residual itself."""
    n = rows.z.shape[0]
    problem = Problem(rows.A, rows.b, rows.lower, rows.upper, n)
    return residual_above(problem, rows.z, SizeWork(rows.work, n), at.LEAST_BIAS)


@kernel
def conclude(agreed, passes, tol, wheels, rows):
    """Write the report of passes run from Python, with the residual of the dense problem."""
    report(agreed, passes, dense_residual(rows), ROUND_OFF_FACTOR * tol, wheels, rows)


@kernel
def remember(h, wheels, rows):
    """Move bristles and carcasses to the end of the step, and store the rolling moments."""
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        now.rolling = rolling_impulse(i, wheels, rows)
        if wheel.scheme == at.LUGRE or wheel.relaxes == 1:
            other_wheel(MOVE, i, h, 0.0, wheels, rows)


@kernel
def take_velocities(quick, B, u_free, rows):
    """Set q and u+ like ``end_velocities``. If ``quick`` (B symmetric), add up in the same order as the
    solve on channels, so that the results are equal to the last bit."""
    if quick:
        respond(B, u_free, on_channels(rows, rows.active))
    else:
        end_velocities(B, u_free, rows)


@kernel
def residual_there(quick, which, B, u_free, there, W, wheels, rows):
    """Natural residual of a solution of ``follow_law`` in the rows linearised at this solution."""
    split_rows(which, wheels, rows)
    take_velocities(quick, B, u_free, rows)  # recomputed, since the sums of the split parts are rounded
    sound = start_rows(B, u_free, there, which, W)
    return where(sound, residual_on_channels(B, there, W, at.LEAST_BIAS), math.inf)


@part
def solve_reduced(h, solver, contact, B, u_free):
    """Solve the step's contacts: pass after pass until the rows agree with the ground law.

    Arguments: step length h [s]; solver: number of ``mlcp.kernels.numbered``; contact: ``Contact``; B,
    u_free: see the module. With a symmetric B ``direct`` solves each pass on the channels, from the
    active set of the last pass; the dense matrix is only assembled if that solve fails, or for Newton's
    method. If the solver's number is a constant of the compiled run, the code of the other solvers is
    left out.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    problem = Problem(rows.A, rows.b, rows.lower, rows.upper, rows.z.shape[0])
    tol = settings.solver_tolerance
    begin(h, contact, B, u_free)
    there, W = on_channels(rows, rows.active), ChannelWork(rows.work, rows.z.shape[0])
    quick = solver == DIRECT and symmetric_matrix(B, rows.q.shape[0])
    agreed, assembled, factored = False, False, False
    passes, residual = 0, math.inf
    while not agreed and passes < settings.max_passes:
        passes += 1
        set_rows(h, B, u_free, solver == DIRECT, wheels, rows)
        if passes == 1:
            bound_by_ellipse(AT_THE_RIM, True, wheels, rows)
        residual = math.inf
        if quick:
            residual, factored = solve_on_channels(B, u_free, there, factored, at.LEAST_BIAS)
        solved = residual <= tol
        if not solved:
            factored = False  # the other solvers overwrite the factorisation
            if not assembled:
                assemble(B, rows)
                assembled = True
            solve_numbered(
                solver, problem, rows.z, rows.active, rows.work, settings.solver, tol, at.LEAST_BIAS
            )
            end_velocities(B, u_free, rows)
        agreed, lost = check_wheels(h, settings.law_tolerance, True, wheels, rows), False
        if not solved and (agreed or not passes < settings.max_passes):
            residual = dense_residual(rows)
            # if the law determines only a sum of forces, only Newton's method reaches round-off
            lost = solver == DIRECT and residual > ROUND_OFF_FACTOR * tol
        if lost or (not agreed and passes > MAX_PLAIN_PASSES):
            if not assembled:
                assemble(B, rows)
                assembled = True
            factored = False
            if follow_law(h, wheels, rows, no_other_friction(rows)):
                take_velocities(quick, B, u_free, rows)
                linearise_there(h, True, wheels, rows)
                set_rows(h, B, u_free, solver == DIRECT, wheels, rows)
                residual = residual_there(quick, True, B, u_free, there, W, wheels, rows)
                agreed = check_wheels(h, settings.law_tolerance, True, wheels, rows)
                agreed = agreed and residual <= ROUND_OFF_FACTOR * tol
    report(agreed, passes, residual, ROUND_OFF_FACTOR * tol, wheels, rows)
    remember(h, wheels, rows)
