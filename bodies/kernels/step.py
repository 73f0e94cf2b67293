"""The step: detect -> assemble -> factor -> solve contacts -> integrate -> project."""

from __future__ import annotations

from mlcp.jit import entry_point, kernel
from mlcp.kernels import kkt

from . import layout as L
from .channels import detect_contacts, solve_contacts
from .coordinates import assemble_coordinates, measure_coordinates
from .couplings import assemble_couplings, measure_couplings
from .forces import add_forces, assemble_momentum
from .joints import assemble_joints, measure_joints
from .pose import assemble_mass, move, update_rotations
from .tables import update_inputs

DETECT, ASSEMBLE, FACTOR, SOLVE, INTEGRATE, PROJECT, MEASURE, POSE = range(8)
RUNNING, REORDER, NOT_FINITE = 0, 1, 2   # COUNT[STATUS]
REORDER_AT = 1e-3                        # share of the planned smallest pivot that asks for a new order


@kernel
def detect(F, I):
    """Where everything is at the start of the step: poses, inputs, coordinates, contact points."""
    update_rotations(F, I)
    update_inputs(F, I)
    assemble_coordinates(F, I)
    detect_contacts(F, I)


@kernel
def assemble(F, I):
    """Every row (J, e, b, bounds), every mass block and every momentum."""
    assemble_mass(F, I)
    assemble_joints(F, I)
    assemble_couplings(F, I)
    assemble_momentum(F, I)
    add_forces(F, I)


@kernel
def factor(F, I):
    """Eliminate the multibody part; leaves the reduced contact problem."""
    S, count = L.floats(F, I, L.SCALAR), L.ints(I, L.COUNT_I)
    n = max(count[L.CHANNELS], 1)
    S[L.PIVOT] = kkt.factor(
        L.ints(I, L.PLAN_I), L.floats(F, I, L.SCALE), L.floats(F, I, L.MASS_BLOCK),
        L.floats(F, I, L.JACOBIAN), L.floats(F, I, L.COMPLIANCE), L.floats(F, I, L.MOMENTUM),
        L.floats(F, I, L.BIAS), L.floats(F, I, L.PANELS),
        L.floats(F, I, L.DELASSUS).reshape((n, n)), L.floats(F, I, L.FREE))
    if not S[L.PIVOT] > REORDER_AT * S[L.PIVOT_PLANNED]:
        count[L.STATUS] = REORDER


@kernel
def integrate(F, I):
    """End-of-step velocities and impulses from the channel impulses; then move the poses."""
    v, start = L.floats(F, I, L.VELOCITY), L.floats(F, I, L.VELOCITY_START)
    n = 6 * L.ints(I, L.COUNT_I)[L.BODIES]
    for k in range(n):
        start[k] = v[k]
    kkt.back(L.ints(I, L.PLAN_I), L.floats(F, I, L.PANELS), L.floats(F, I, L.CHANNEL_IMPULSE),
             L.floats(F, I, L.SCRATCH), v, L.floats(F, I, L.IMPULSE))
    h = L.floats(F, I, L.SCALAR)[L.STEP]
    move(F, I, v, h)
    update_rotations(F, I)
    measure_coordinates(F, I, h)


@kernel
def worst_error(F, I):
    """Measure every joint at the current pose; keep the largest error in m and in rad."""
    measure_joints(F, I)
    measure_couplings(F, I)
    e, angular = L.floats(F, I, L.ERROR), L.ints(I, L.ROW_ANGULAR_I)
    S = L.floats(F, I, L.SCALAR)
    metres, radians = 0.0, 0.0
    for r in range(L.ints(I, L.COUNT_I)[L.ROWS]):
        x = abs(e[r])
        if angular[r] == 1:
            radians = max(radians, x)
        else:
            metres = max(metres, x)
    S[L.ERROR_M] = metres
    S[L.ERROR_RAD] = radians


@kernel
def correct(F, I, feedback):
    """One projection along the Jacobian of the step: ``dq`` to the poses, ``dq/h`` to v if asked.

    Same factorisation, right-hand side ``0 / -error``; contact rows are left out and spring rows
    have no error. With feedback the impulses take ``p/h`` as well, so that they stay the
    reactions that belong to the velocities (SHAKE).
    """
    h = L.floats(F, I, L.SCALAR)[L.STEP]
    dq, dp = L.floats(F, I, L.CORRECTION), L.floats(F, I, L.CORRECTION_IMPULSE)
    zero = L.floats(F, I, L.NOTHING)
    kkt.resolve(L.ints(I, L.PLAN_I), L.floats(F, I, L.PANELS), zero, L.floats(F, I, L.ERROR),
                L.floats(F, I, L.SCRATCH), dq, dp)
    move(F, I, dq, 1.0)
    update_rotations(F, I)
    if feedback:
        v, p = L.floats(F, I, L.VELOCITY), L.floats(F, I, L.IMPULSE)
        count = L.ints(I, L.COUNT_I)
        for k in range(6 * count[L.BODIES]):
            v[k] += dq[k] / h
        for r in range(count[L.ROWS]):
            p[r] += dp[r] / h
    measure_coordinates(F, I, 0.0)
    worst_error(F, I)


@kernel
def project(F, I):
    """Project joint errors away; a second and third time while above the tolerance."""
    S = L.floats(F, I, L.SCALAR)
    worst_error(F, I)
    for k in range(int(S[L.PROJECTIONS])):
        if k > 0 and S[L.ERROR_M] <= S[L.TOLERANCE] and S[L.ERROR_RAD] <= S[L.TOLERANCE]:
            break
        correct(F, I, True)
    S[L.ERROR_M_MAX] = max(S[L.ERROR_M_MAX], S[L.ERROR_M])
    S[L.ERROR_RAD_MAX] = max(S[L.ERROR_RAD_MAX], S[L.ERROR_RAD])


@kernel
def finish(F, I):
    """Book the work of every row, advance the time, look for numbers that are none."""
    S, count = L.floats(F, I, L.SCALAR), L.ints(I, L.COUNT_I)
    S[L.TIME] += S[L.STEP]
    count[L.STEPS] += 1
    v = L.floats(F, I, L.VELOCITY)
    total = 0.0
    for k in range(6 * count[L.BODIES]):
        total += v[k]
    if not abs(total) < 1e300:
        count[L.STATUS] = NOT_FINITE


@entry_point("mlcp", "contact", "bodies")
def run(source_hash):
    def run(F, I, n, first, last):
        """Do the stages first..last of n steps; returns how many steps were done."""
        source_hash
        count = L.ints(I, L.COUNT_I)
        for k in range(n):
            if first <= DETECT <= last:
                detect(F, I)
            if first <= ASSEMBLE <= last:
                assemble(F, I)
            if first <= FACTOR <= last:
                factor(F, I)
                if count[L.STATUS] != RUNNING and last > FACTOR:
                    return k
            if first <= SOLVE <= last:
                solve_contacts(F, I)
            if first <= INTEGRATE <= last:
                integrate(F, I)
            if first <= PROJECT <= last:
                project(F, I)
                finish(F, I)
                if count[L.STATUS] != RUNNING:
                    return k + 1
            if first <= MEASURE <= last:
                worst_error(F, I)
            if first <= POSE <= last:
                correct(F, I, False)
        return n

    return run
