"""The step: detect -> assemble -> factor -> solve contacts -> integrate -> project."""

from __future__ import annotations

import functools

import numpy as np

from mlcp.jit import call, entry_point, kernel
from mlcp.kernels import kkt

from . import layout as L
from .channels import solve_contacts
from .contacts import detect_rigid
from .coordinates import assemble_coordinates, measure_coordinates, predict_coordinates
from .couplings import assemble_couplings, measure_couplings
from .data import MEASURED, USED, WATCHED, run_of
from .forces import add_forces, assemble_momentum
from .joints import assemble_joints, measure_joints
from .mixed import solve_all
from .pose import assemble_mass, keep_pose, move, update_rotations
from .soil import leave_tracks, see_ground, solve_soil
from .tables import update_inputs
from .wheels import detect_wheels
from .work import book_work

DETECT, ASSEMBLE, FACTOR, SOLVE, INTEGRATE, PROJECT, MEASURE, POSE = range(8)
RUNNING, REORDER, NOT_FINITE, APART = range(4)  # COUNT[STATUS]
FEW, OPEN = 3, 1e-6  # projections after which only errors above it [m, rad] get more
LEFT = 0.9  # share of the tolerance that a projection leaves to the next step
REORDER_AT = 1e-3  # share of the planned smallest pivot that asks for a new order


@kernel
def detect(F, N):
    """Where everything is at the start of the step: poses, inputs, coordinates."""
    keep_pose(F, N)
    update_rotations(F, N)
    update_inputs(F, N)
    assemble_coordinates(run_of(F, N))


@kernel
def assemble(F, N):
    """Every row (J, e, b, bounds), every mass block and every momentum."""
    assemble_mass(F, N)
    carry_errors(F, N)
    assemble_joints(run_of(F, N))
    assemble_couplings(F, N)
    assemble_momentum(F, N)
    add_forces(F, N)


@kernel
def carry_errors(F, N):
    """What the last step left of the joint errors, as the bias ``error / h`` of their rows.

    This step takes it out with the velocities that a projection would have fed back, one step later
    and without a solve of its own. Rows with a bias of their own overwrite it.
    """
    e, b = L.floats(F, N, L.ERROR), L.floats(F, N, L.BIAS)
    rate = 1.0 / L.floats(F, N, L.SCALAR)[L.STEP]
    for r in range(L.ints(N, L.COUNT_I)[L.ROWS]):
        b[r] = rate * e[r]


@kernel
def factor(F, N):
    """Eliminate the multibody part; leaves the reduced contact problem."""
    S, count = L.floats(F, N, L.SCALAR), L.ints(N, L.COUNT_I)
    n = max(count[L.CHANNELS], 1)
    S[L.PIVOT] = kkt.factor(
        L.ints(N, L.PLAN_I),
        L.floats(F, N, L.SCALE),
        L.floats(F, N, L.MASS_BLOCK),
        L.floats(F, N, L.JACOBIAN),
        L.floats(F, N, L.COMPLIANCE),
        L.floats(F, N, L.MOMENTUM),
        L.floats(F, N, L.BIAS),
        L.floats(F, N, L.PANELS),
        L.floats(F, N, L.DELASSUS).reshape((n, n)),
        L.floats(F, N, L.FREE),
    )
    if not S[L.PIVOT] > REORDER_AT * S[L.PIVOT_PLANNED]:
        count[L.STATUS] = REORDER


@kernel
def integrate(F, N):
    """End-of-step velocities and impulses from the channel impulses; then move the poses."""
    v, start = L.floats(F, N, L.VELOCITY), L.floats(F, N, L.VELOCITY_START)
    n = 6 * L.ints(N, L.COUNT_I)[L.BODIES]
    for k in range(n):
        start[k] = v[k]
    kkt.back(
        L.ints(N, L.PLAN_I),
        L.floats(F, N, L.PANELS),
        L.floats(F, N, L.CHANNEL_IMPULSE),
        L.floats(F, N, L.SCRATCH),
        v,
        L.floats(F, N, L.IMPULSE),
    )
    h = L.floats(F, N, L.SCALAR)[L.STEP]
    move(F, N, v, h)
    update_rotations(F, N)
    predict_coordinates(run_of(F, N))
    measure_coordinates(run_of(F, N), np.int64(MEASURED), np.int64(MEASURED))


@kernel
def worst_error(F, N):
    """Measure every joint at the current pose; keep the largest error in m and in rad."""
    measure_joints(run_of(F, N))
    measure_couplings(F, N)
    e, angular = L.floats(F, N, L.ERROR), L.ints(N, L.ROW_ANGULAR_I)
    S = L.floats(F, N, L.SCALAR)
    metres, radians = 0.0, 0.0
    for r in range(L.ints(N, L.COUNT_I)[L.ROWS]):
        x = abs(e[r])
        if angular[r] == 1:
            radians = max(radians, x)
        else:
            metres = max(metres, x)
    S[L.ERROR_M] = metres
    S[L.ERROR_RAD] = radians


@kernel
def correct(F, N, leave):
    """One projection of the poses along the Jacobian of the step.

    Same factorisation, right-hand side ``0 / -excess``; contact rows are left out and spring rows
    have no error. Errors e up to ``leave`` are left, of larger ones ``leave^4 / |e|^3``.
    """
    dq, dp = L.floats(F, N, L.CORRECTION), L.floats(F, N, L.CORRECTION_IMPULSE)
    e, excess = L.floats(F, N, L.ERROR), L.floats(F, N, L.EXCESS)
    zero = L.floats(F, N, L.NOTHING)
    for r in range(L.ints(N, L.COUNT_I)[L.ROWS]):
        excess[r] = 0.0
        if abs(e[r]) > leave:
            share = leave / e[r]
            excess[r] = e[r] * (1.0 - share * share * share * share)
    kkt.resolve(
        L.ints(N, L.PLAN_I),
        L.floats(F, N, L.PANELS),
        zero,
        excess,
        L.floats(F, N, L.SCRATCH),
        dq,
        dp,
    )
    move(F, N, dq, 1.0)
    update_rotations(F, N)
    measure_coordinates(run_of(F, N), np.int64(MEASURED), np.int64(MEASURED))
    worst_error(F, N)


@kernel
def feed_back(F, N):
    """Give the correction to the velocities, ``dq/h``, and its multipliers to the impulses.

    This makes the projection SHAKE; without it ``J(q) v = 0`` takes (w h)^2/2 of the speed every
    step. The impulses stay the reactions that belong to the velocities.
    """
    dq, dp = L.floats(F, N, L.CORRECTION), L.floats(F, N, L.CORRECTION_IMPULSE)
    v, p = L.floats(F, N, L.VELOCITY), L.floats(F, N, L.IMPULSE)
    count, h = L.ints(N, L.COUNT_I), L.floats(F, N, L.SCALAR)[L.STEP]
    for k in range(6 * count[L.BODIES]):
        v[k] += dq[k] / h
    for r in range(count[L.ROWS]):
        p[r] += dp[r] / h


@kernel
def project(F, N):
    """Bring the joint errors below the tolerance; what stays of them goes with the next step.

    Of every row's error the projection takes one part and the next step the other: never both the
    same. The parts change continuously with the error, so that their sum, and with it the reactions,
    does not jump where a growing error comes to the tolerance. After a few
    projections only joints that are still open get more: at round-off, or in a singular pose, they
    bring nothing.
    """
    S = L.floats(F, N, L.SCALAR)
    leave = LEFT * S[L.TOLERANCE]
    allowed = leave
    worst_error(F, N)
    for k in range(int(S[L.PROJECTIONS])):
        if S[L.ERROR_M] <= allowed and S[L.ERROR_RAD] <= allowed:
            break
        correct(F, N, leave)
        feed_back(F, N)
        allowed = S[L.TOLERANCE] if k + 1 < FEW else max(S[L.TOLERANCE], OPEN)
    S[L.ERROR_M_MAX] = max(S[L.ERROR_M_MAX], S[L.ERROR_M])
    S[L.ERROR_RAD_MAX] = max(S[L.ERROR_RAD_MAX], S[L.ERROR_RAD])


@kernel
def finish(F, N):
    """Book the work of every row if asked, advance the time, look for what cannot go on: numbers that
    are none, and joints that are further apart than the mechanism is large."""
    S, count = L.floats(F, N, L.SCALAR), L.ints(N, L.COUNT_I)
    measure_coordinates(run_of(F, N), np.int64(WATCHED), np.int64(USED))
    if count[L.BOOKING] != 0:
        book_work(F, N)
    S[L.TIME] += S[L.STEP]
    count[L.STEPS] += 1
    v = L.floats(F, N, L.VELOCITY)
    even, odd = 0.0, 0.0  # two sums, so that one addition need not wait for the other
    for k in range(3 * count[L.BODIES]):
        even += v[2 * k]
        odd += v[2 * k + 1]
    if not abs(even + odd) < 1e300:
        count[L.STATUS] = NOT_FINITE
    elif S[L.ERROR_M] > S[L.PARTED]:
        count[L.STATUS] = APART


# What touches the ground; MIXED: wheels on soil beside hard ones or rigid contacts.
NO_CONTACTS, HARD, SOFT, MIXED = range(4)

# The step is compiled in parts that call each other by address, so that each is compiled once, in a
# process of its own, and the next kind of contacts or solver costs its own part only. A part is
# called with the number of the stage.


@entry_point("mlcp", "contact", "bodies")
def prepare(source_hash):
    def prepare(F, N, stage):
        source_hash
        if stage == DETECT:
            detect(F, N)
        else:
            assemble(F, N)
        return 0

    return prepare


@entry_point("mlcp", "contact", "bodies")
def eliminate(source_hash):
    def eliminate(F, N, stage):
        source_hash
        factor(F, N)
        return 0

    return eliminate


@entry_point("mlcp", "contact", "bodies")
def advance(source_hash):
    def advance(F, N, stage):
        source_hash
        if stage == INTEGRATE:
            integrate(F, N)
        elif stage == PROJECT:
            project(F, N)
            finish(F, N)
        elif stage == MEASURE:
            worst_error(F, N)
        else:
            correct(F, N, 0.0)
            measure_coordinates(run_of(F, N), np.int64(WATCHED), np.int64(USED))
        return 0

    return advance


@functools.cache
def make_touch(contacts):
    """Where the contacts are."""

    @entry_point("mlcp", "contact", "bodies")
    def touch(source_hash):
        def touch(F, N, stage):
            source_hash
            detect_wheels(F, N)
            if contacts != SOFT:
                detect_rigid(F, N)
            return 0

        return touch

    return touch


@entry_point("mlcp", "contact", "bodies")
def vary(source_hash):
    def vary(F, N, stage):
        """Soil maps and ruts: seen before the contacts are solved, left behind after."""
        source_hash
        if stage == SOLVE:
            see_ground(F, N)
        else:
            leave_tracks(F, N)
        return 0

    return vary


@functools.cache
def make_solve(contacts, solver):
    """The reduced contact problem, for one kind of contacts and one solver."""

    @entry_point("mlcp", "contact", "bodies")
    def solve(source_hash):
        def solve(F, N, stage):
            source_hash
            if contacts == HARD:
                solve_contacts(F, N, solver)
            elif contacts == SOFT:
                solve_soil(F, N)
            else:
                solve_all(F, N, solver)
            return 0

        return solve

    return solve


@entry_point("mlcp", "contact", "bodies")
def run(source_hash):
    def run(F, N, parts, n, first, last):
        """Do the stages first..last of n steps; returns how many steps were done.

        ``parts`` (2 x 8): addresses of what every mechanism does in a stage, and what its contacts
        add; 0 is nothing.
        """
        source_hash
        count = L.ints(N, L.COUNT_I)
        for k in range(n):
            for stage in range(first, last + 1):
                if parts[2 * stage] != 0:
                    call(parts[2 * stage], F, N, stage)
                if parts[2 * stage + 1] != 0:
                    call(parts[2 * stage + 1], F, N, stage)
                if count[L.STATUS] != RUNNING:
                    if stage == FACTOR and last > FACTOR:
                        return k
                    if stage == PROJECT:
                        return k + 1
        return n

    return run
