"""Stages of a step without the contacts: detect, assemble, factor, integrate, project, finish."""

import numpy as np

from mlcp.compiled.branches import no, same, some, where
from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel
from mlcp.kernels.kkt import kkt

from .codes import STAGES
from .coordinates import assemble_coordinates, measure_coordinates, predict_coordinates
from .couplings import assemble_couplings, measure_couplings
from .forces import add_forces, assemble_momentum
from .joints import assemble_joints, measure_joints
from .pose import assemble_mass, keep_pose, move, update_rotations
from .records import JOINTS_OPEN, MEASURED, NOT_FINITE, OBSERVED, REORDER, USED
from .tables import update_inputs
from .work import record_work

DETECT, ASSEMBLE, FACTOR, SOLVE, INTEGRATE, PROJECT, MEASURE, POSE = range(len(STAGES))
FULL_PROJECTIONS = 3  # projections in a step, after which only errors above 1e-6 m or rad are projected


@kernel
def detect(run):
    """Store the poses of the step's start; update rotations, scheduled inputs and coordinates."""
    keep_pose(run)
    update_rotations(run)
    update_inputs(run)
    assemble_coordinates(run)


@kernel
def assemble(run):
    """Assemble all rows (Jacobian J, compliance e, bias b, bounds), mass blocks and momenta."""
    assemble_mass(run)
    carry_errors(run)
    assemble_joints(run)
    assemble_couplings(run)
    assemble_momentum(run)
    add_forces(run)


@kernel
def carry_errors(run):
    """Set the bias of all rows to ``error / h - h floor static_load``.

    h: step length. By the first term the velocities of this step correct the joint errors of the last
    step: one step later than a projection, but without its solve. The factorisation gives every row a
    small compliance (``floor``); the second term cancels its deflection under the load of static
    equilibrium, so that a standing machine does not creep in its joints. Elements with a bias of their
    own overwrite both terms.
    """
    e, b, floor, load = run.error, run.bias, run.scale, run.static_load
    h = run.clock.step
    rate = 1.0 / h
    for r in range(run.count.rows):
        b[r] = rate * e[r] - h * floor[r] * load[r]


@kernel
def factor(run):
    """Factorise the equations of motion with all bilateral rows; write the reduced contact problem:
    Delassus matrix B and free velocities of the channels (contact coordinates)."""
    values = kkt.Values(
        as_array(run.mass_block), as_array(run.jacobian), as_array(run.compliance),
        as_array(run.momentum), as_array(run.bias),
    )  # fmt: skip
    run.clock.pivot = kkt.factor(
        as_array(run.plan), as_array(run.scale), values, as_array(run.panels),
        as_array(run.channels.B), as_array(run.channels.free),
    )  # fmt: skip


@kernel
def pivot_is_sound(run):
    """Whether the smallest pivot exceeds 1e-3 of the smallest pivot at the choice of the elimination
    order."""
    return run.clock.pivot > 1e-3 * run.clock.pivot_planned


@kernel
def check_pivot(run):
    """Request a new elimination order if a pivot is too small."""
    if not pivot_is_sound(run):
        run.count.status = REORDER


@kernel
def integrate(run):
    """Compute velocities and impulses of rows at the end of the step from the contact impulses, and move
    the poses."""
    v, start = run.velocity, run.velocity_start
    n = 6 * run.count.bodies
    for k in range(n):
        start[k] = v[k]
    kkt.back(
        as_array(run.plan), as_array(run.panels), as_array(run.channels.impulse), as_array(run.scratch),
        as_array(v), as_array(run.impulse),
    )  # fmt: skip
    h = run.clock.step
    move(run, v, h, h == h)
    update_rotations(run)
    predict_coordinates(run)
    measure_coordinates(run, np.int64(MEASURED), np.int64(MEASURED))


@kernel
def worst_error(run):
    """Write all joint errors at the current pose; store the largest one in m and the largest in rad."""
    measure_joints(run)
    measure_couplings(run)
    e, angular = run.error, run.angular
    clock = run.clock
    metres, radians = 0.0, 0.0
    for r in range(run.count.rows):
        x = abs(e[r])
        if angular[r] == 1:
            radians = max(radians, x)
        else:
            metres = max(metres, x)
    clock.error_m = metres
    clock.error_rad = radians


@kernel
def correct(run, leave, open_ones):
    """One projection of the poses along the Jacobian of the step; moves the lanes (vehicles side by side
    in a SIMD register) in ``open_ones`` only.

    Uses the factorisation of the step with zero momenta, without contact rows, and with the right-hand
    side ``-excess`` of the bilateral rows. ``excess``: corrected part of a row's error e; it is 0 for
    |e| up to ``leave``; of a larger error ``leave^4 / |e|^3`` remains. Rows of springs have no error.
    """
    dq, dp = run.correction, run.correction_impulse
    e, excess = run.error, run.excess
    for r in range(run.count.rows):
        large = abs(e[r]) > leave
        share = leave / where(large, e[r], 1.0)
        excess[r] = where(large, e[r] * (1.0 - share * share * share * share), 0.0)
    kkt.resolve(
        as_array(run.plan), as_array(run.panels), as_array(run.nothing), as_array(excess),
        as_array(run.scratch), as_array(dq), as_array(dp),
    )  # fmt: skip
    move(run, dq, 1.0, open_ones)
    update_rotations(run)
    measure_coordinates(run, np.int64(MEASURED), np.int64(MEASURED))
    worst_error(run)


@kernel
def feed_back(run, open_ones):
    """Add a projection's correction ``dq/h`` to the velocities, and its multipliers over h to the
    impulses; dq: change of the poses q, h: step length.

    With this feedback the projection is SHAKE. Without it, ``J(q) v = 0`` at the next pose would remove
    the fraction (w h)^2/2 of the speed in every step (w: angular velocity). The impulses remain the
    reactions that cause the velocities.
    """
    dq, dp = run.correction, run.correction_impulse
    v, p = run.velocity, run.impulse
    count, h = run.count, run.clock.step
    for k in range(6 * count.bodies):
        v[k] = where(open_ones, v[k] + dq[k] / h, v[k])
    for r in range(count.rows):
        p[r] = where(open_ones, p[r] + dp[r] / h, p[r])


@kernel
def project(run):
    """Project the poses until the joint errors are below the tolerance.

    The projection corrects one part of every row's error (``excess``), the bias of the next step the
    remainder. Both parts are continuous functions of the error: the reactions have no discontinuity when
    a growing error reaches the tolerance. After ``FULL_PROJECTIONS`` only errors above 1e-6 m or rad
    cause further projections, since projections reduce no error at round-off or in a singular pose.
    """
    clock = run.clock
    leave = 0.9 * clock.tolerance  # a projection leaves this error to the next step
    allowed = leave
    worst_error(run)
    for k in range(int(same(clock.projections))):
        open_ones = no((clock.error_m <= allowed) & (clock.error_rad <= allowed))
        if not some(open_ones):
            break
        correct(run, leave, open_ones)
        feed_back(run, open_ones)
        allowed = clock.tolerance if k + 1 < FULL_PROJECTIONS else max(clock.tolerance, 1e-6)
    clock.error_m_max = max(clock.error_m_max, clock.error_m)
    clock.error_rad_max = max(clock.error_rad_max, clock.error_rad)


@kernel
def finish(run):
    """End a step: write the remaining coordinates, add the work of every element if it is recorded,
    advance the time, sum the velocities (for :func:`is_finite`)."""
    clock, count = run.clock, run.count
    measure_coordinates(run, np.int64(OBSERVED), np.int64(USED))
    if count.recording != 0:
        record_work(run)
    clock.time += clock.step
    v = run.velocity
    even, odd = 0.0, 0.0  # two sums, whose additions the processor can overlap
    for k in range(3 * count.bodies):
        even += v[2 * k]
        odd += v[2 * k + 1]
    clock.speeds = even + odd


@kernel
def is_finite(run):
    """Whether the sum of all velocities is finite."""
    return abs(run.clock.speeds) < 1e300


@kernel
def has_parted(run):
    """Whether the largest joint error of a length [m] exceeds the mechanism's size ``parted`` [m]."""
    return run.clock.error_m > run.clock.parted


@kernel
def check_end(run):
    """Count the step; stop the run if velocities are not finite or a joint error of a length exceeds the
    mechanism's size."""
    count = run.count
    count.steps += 1
    if not is_finite(run):
        count.status = NOT_FINITE
    elif has_parted(run):
        count.status = JOINTS_OPEN
