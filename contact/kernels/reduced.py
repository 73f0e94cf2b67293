"""The step's reduced contact problem, all wheels at once: begin, lay, solve, judge.

The host supplies its Delassus matrix on the channels, ``B = J_c M^-1 J_c'`` (bilateral
constraints eliminated), and the channels' velocities: ``u`` at the start of the step, ``u_free`` at
its end without ground forces. With channel impulses q the end-of-step velocities are
``u+ = u_free + B q``. Rows are laid on channels: ``A = B[row, row] + diag(e)``, ``b = u_free + bias``.
"""

from __future__ import annotations

import math

from mlcp.compiled.late import ARRAY, BOOL, FLOAT, MATRIX, bundle, late, record
from mlcp.jit import kernel, part
from mlcp.kernels.channel_rows import ChannelRows, respond, solve_on_channels
from mlcp.kernels.dense_problem import Problem
from mlcp.kernels.free_rows import symmetric_matrix
from mlcp.kernels.numbered import DIRECT, solve_numbered
from mlcp.kernels.one_row import SizeWork
from mlcp.kernels.residual import residual_above

from . import layout as at
from .agreement import choose_share, follow, goes_on, lay_wheel, next_points
from .bristles import move_bristles
from .data import Rows, Settings, Wheels
from .dense_rows import assemble, own_row
from .friction_beside import Beside
from .judge import judge_wheel
from .lateral_rows import begin_lateral, judge_lateral
from .path import split_rows
from .points import keep_impulses
from .relaxation import relax
from .rest import needs_settling, settle_rest, start_rest
from .rows import begin_wheel, normal_row, rolling_impulse
from .wheel_law import linearise_at

ROUNDED = 20.0  # times the tolerance: residual that rounding may leave, as ``direct`` accepts it


@part
def on_channels(rows):
    """The rows as the kernels of rows on channels take them."""
    return ChannelRows(
        rows.channel, rows.minus, rows.e, rows.bias, rows.lower, rows.upper, rows.z, rows.active, rows.q,
        rows.u, rows.work,
    )  # fmt: skip


@kernel
def goes_ahead(i, wheels):
    """True if wheel i is first linearised at the velocities by the last impulses, not the step's start.

    Forces that combine by the sliding depend on two velocities, and a row has the slope of one: from
    there the remaining error by the other's change is least.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    return wheel.sliding == 1 and wheel.scheme == at.IMPLICIT and now.at_rest == 0.0


@kernel
def predict_loads(h, B, u_free, wheels, rows):
    """Guess this step's loads: the normal rows solved beside all other impulses of the last step.

    Only where the passes start, of wheels that were loaded; LuGre's envelope belongs to the last load.
    The velocities to which the last impulses lead are where some begin (``goes_ahead``).
    """
    respond(B, u_free, on_channels(rows))
    count = len(wheels.each)
    for i in range(count):  # effect of the other rows on the normal rows, into b
        wheel = wheels.each[i]
        normal = wheel.row + at.ROW_NORMAL
        channel = wheel.channel + at.NORMAL
        total = rows.u[channel] + rows.bias[normal]
        for j in range(count):
            other = wheels.each[j].channel + at.NORMAL
            total -= B[channel, other] * rows.q[other]
        rows.b[normal] = total
    for _sweep in range(3):  # the host hardly couples its wheels: three sweeps are plenty
        for i in range(count):
            wheel = wheels.each[i]
            channel = wheel.channel + at.NORMAL
            normal = wheel.row + at.ROW_NORMAL
            if rows.upper[normal] > 0.0:
                total = rows.b[normal]
                for j in range(count):
                    other = wheels.each[j].channel + at.NORMAL
                    if j != i:
                        total += B[channel, other] * rows.q[other]
                rows.q[channel] = max(0.0, -total / (B[channel, channel] + rows.e[normal]))
    for i in range(count):
        wheel, now = wheels.each[i], wheels.now[i]
        normal = wheel.row + at.ROW_NORMAL
        known = rows.upper[normal] > 0.0 and rows.z[normal] > 0.0
        if known and wheel.scheme != at.LUGRE:
            now.load = rows.q[wheel.channel + at.NORMAL] / h
        if known and goes_ahead(i, wheels):
            c, u = wheel.channel, rows.u
            linearise_at(i, u[c + at.SLIDING], u[c + at.CENTRE], wheels)
            now.v_y = u[c + at.LATERAL]


@kernel
def begin(h, contact, B, u_free):
    """Start the step: normal rows, and every wheel linearised at the current velocities."""
    wheels, rows, gap, u = contact.wheels, contact.rows, contact.gap, contact.start
    wheels.passes.count, wheels.passes.share = 0.0, 1.0
    wheels.passes.paths, wheels.passes.systems = 0.0, 0.0
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        channel = wheel.channel
        normal = wheel.row + at.ROW_NORMAL
        normal_row(i, h, gap[i], u_free[channel + at.NORMAL], u, wheels, rows)
        load = rows.z[normal] / h if rows.upper[normal] > 0.0 else 0.0
        if wheel.lateral_row >= 0:
            wheels.now[i].v_y = u[channel + at.LATERAL]
        begin_wheel(i, load, u[channel + at.SLIDING], u[channel + at.CENTRE], wheels)
        if wheel.lateral_row >= 0:
            begin_lateral(i, h, u[channel + at.LATERAL], wheels, rows)
    predict_loads(h, B, u_free, wheels, rows)


@part
def nothing_beside(rows):
    """That no row beside the wheels is friction."""
    none = rows.active[:0]
    return Beside(none, none, rows.z[:0], none)


@kernel
def lay_rows(h, B, u_free, wheels, rows):
    """Lay the wheels' rows; b and the diagonal of A."""
    for i in range(len(wheels.each)):
        lay_wheel(i, h, B, wheels, rows)
    for i in range(rows.channel.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        own_row(i, B, rows)
        rows.b[i] = u_free[channel] + rows.bias[i]
        if minus >= 0:
            rows.b[i] -= u_free[minus]


@kernel
def lay(h, B, u_free, wheels, rows):
    """Lay the wheels' rows and assemble the dense problem (A, b)."""
    lay_rows(h, B, u_free, wheels, rows)
    assemble(B, rows)


@kernel
def end_velocities(B, u_free, rows):
    """Channel impulses q and velocities u+ of the solution z."""
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
def judge_wheels(h, tol, wheels, rows):
    """Hold every wheel against its law at the velocities u+; True when all agree."""
    agreed = True
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        if not judge_wheel(i, h, tol, wheels, rows):
            agreed = False
        if wheel.lateral_row >= 0 and not judge_lateral(i, h, tol, wheels, rows):
            agreed = False
    return agreed


@kernel
def judge(h, tol, B, u_free, wheels, rows, beside):
    """Channel impulses q and velocities u+ of the solution z.

    Returns: whether every wheel agrees, and if not whether a path led to a solution, now in z.
    """
    end_velocities(B, u_free, rows)
    agreed = judge_wheels(h, tol, wheels, rows)
    count = choose_share(wheels)
    if not agreed:
        if needs_settling(count, wheels) and settle_rest(wheels, rows):
            end_velocities(B, u_free, rows)
            follow(h, wheels, rows)
        if goes_on(count, wheels):
            keep_impulses(wheels, rows)
        else:
            return False, next_points(h, B, wheels, rows, beside)
    return agreed, False


@kernel
def report(agreed, passes, residual, tol, wheels, rows):
    """Write the step's report: natural residual, passes, missed, agreement with the law."""
    worst = 0.0
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        worst = max(worst, now.mismatch)
    rows.report.residual = residual
    rows.report.passes = passes
    rows.report.agreement = worst
    rows.report.missed = 0.0 if agreed and residual <= ROUNDED * tol else 1.0


@late(FLOAT(bundle(Rows)), "mlcp", "contact")
def residual_of(source_hash):
    def dense_residual(rows):
        """Natural residual of the rows as laid, with ``REST`` as lower limit of |b| in the sizes.
        Lazily compiled: a solve on channels has its own residual."""
        source_hash
        n = rows.z.shape[0]
        problem = Problem(rows.A, rows.b, rows.lower, rows.upper, n)
        return residual_above(problem, rows.z, SizeWork(rows.work, n), at.REST)

    return dense_residual


@kernel
def conclude(agreed, passes, tol, wheels, rows):
    """The report of passes from Python, the residual taken from the dense problem."""
    residual = residual_of(rows)
    report(agreed, passes, residual, tol, wheels, rows)


@kernel
def remember(h, wheels, rows):
    """Move bristles and carcasses to the end of the step, and note the rolling moments."""
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        now.rolling = rolling_impulse(i, wheels, rows)
        if wheel.scheme == at.LUGRE:
            move_bristles(i, h, wheels, rows)
        elif wheel.relaxes == 1:
            u, channel = rows.u, wheel.channel
            relax(i, h, u[channel + at.CENTRE], u[channel + at.LATERAL], now.share, wheels)


@late(BOOL(FLOAT, record(Settings), MATRIX, ARRAY, bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def takes_solution(source_hash):
    def takes_solution(h, settings, B, u_free, wheels, rows):
        """True if the solution at the end of a path, with rows laid there, is the step's."""
        source_hash
        end_velocities(B, u_free, rows)
        split_rows(wheels, rows)
        agreed = judge_wheels(h, settings.law_tolerance, wheels, rows)
        return agreed and residual_of(rows) <= settings.solver_tolerance

    return takes_solution


@part
def solve_reduced(h, solver, contact, B, u_free):
    """Solve the step's contacts: pass after pass until the rows agree with the ground law.

    ``direct`` starts each pass from the last one's active set on the channels themselves; the dense
    matrix is only assembled when that does not end at once. Where the solver's number is a constant of
    the compiled run, the other solvers' code is left out of it.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    problem = Problem(rows.A, rows.b, rows.lower, rows.upper, rows.z.shape[0])
    tol = settings.solver_tolerance
    begin(h, contact, B, u_free)
    there, quick = on_channels(rows), solver == DIRECT and symmetric_matrix(B, rows.q.shape[0])
    agreed, assembled, fresh = False, False, True
    passes, residual = 0, math.inf
    while not agreed and passes < settings.max_passes:
        passes += 1
        lay_rows(h, B, u_free, wheels, rows)
        if passes == 1:
            start_rest(wheels, rows)
        residual = math.inf
        if quick:
            residual = solve_on_channels(B, u_free, there, fresh, at.REST)
        solved = residual <= tol
        fresh = not solved
        if not solved:
            if not assembled:
                assemble(B, rows)
                assembled = True
            solve_numbered(
                solver, problem, rows.z, rows.active, rows.work, settings.solver, tol, at.REST
            )
            end_velocities(B, u_free, rows)
        agreed = judge_wheels(h, settings.law_tolerance, wheels, rows)
        choose_share(wheels)
        settling = not agreed and needs_settling(passes, wheels)
        goes = agreed or goes_on(float(passes), wheels)
        if (settling or not goes) and not assembled:
            assemble(B, rows)
            assembled = True
        if settling:
            fresh = True  # its work is the factorisation's
            if settle_rest(wheels, rows):
                end_velocities(B, u_free, rows)
                follow(h, wheels, rows)
        if goes and not agreed:
            keep_impulses(wheels, rows)
        elif not agreed:
            if next_points(h, B, wheels, rows, nothing_beside(rows)) and solver == DIRECT:
                lay_rows(h, B, u_free, wheels, rows)
                agreed, solved = takes_solution(h, settings, B, u_free, wheels, rows), False
            fresh = True  # their work is the factorisation's
        if not solved and (agreed or not passes < settings.max_passes):
            residual = residual_of(rows)
    report(agreed, passes, residual, tol, wheels, rows)
    remember(h, wheels, rows)
