"""The step of several vehicles of one structure side by side in one SIMD register, a lane each.

The kernels are those of a single vehicle; every stage runs for all lanes at once. Contacts outside the
common case (rolling wheels on soil, see ``rolling`` of ``contact``) are solved lane by lane: the inputs
of the contact solve are copied to the lane's own workspace (all arrays of a run of one vehicle), the
resulting impulses are copied back. Contacts are also detected lane by lane, unless all of them are
wheels on plane soil.
"""

from __future__ import annotations

from contact.kernels.lanes.rolling import solve_rolling
from contact.kernels.wheel.data import Report
from mlcp.compiled.branches import bits, no, where
from mlcp.compiled.lanes import lane_viewer
from mlcp.compiled.row_types import as_array
from mlcp.jit import call, entry_point, kernel

from ..contacts.soil import prepare_soil
from ..contacts.wheels import detect_soft_wheels
from ..data import RunData, run_of
from ..records import IDLE, REORDER, RUNNING, ClockRecord
from ..slots import FLOATS
from ..stages import (
    ASSEMBLE,
    DETECT,
    FACTOR,
    INTEGRATE,
    MEASURE,
    POSE,
    PROJECT,
    SOLVE,
    assemble,
    check_end,
    detect,
    factor,
    finish,
    has_parted,
    integrate,
    is_finite,
    pivot_is_sound,
    project,
)
from .batch import ALONE, LEFT, give_back, take_bundle
from .lane_moves import (
    WIDTH,
    active_to_workspace,
    board,
    fill_idle_lanes,
    lane_to_workspace,
    lanes_to_workspaces,
    return_vehicles,
    workspace_to_active,
    workspace_to_lane,
)

PASSES, RESIDUAL = Report.fields["passes"].offset, ClockRecord.fields["residual"].offset
lanes_of = lane_viewer(RunData, WIDTH)


def _slots(*paths: str) -> tuple[int, ...]:
    return tuple(FLOATS[path] for path in paths)


# Arrays that the contact solve of one lane reads (READ) and writes (WRITTEN).
READ = _slots(
    "wheel_state", "channels.compliance", "channels.bias", "channels.lower", "channels.upper",
    "channels.B", "channels.free", "contact.rows.z",
)  # fmt: skip
WRITTEN = _slots("wheel_state", "channels.impulse", "contact.rows.z", "contact.rows.u")
# Arrays that the detection of contacts reads.
SEEN = _slots("position", "rotation", "velocity", "channels.impulse", "wheel_state")
CLOCK, JACOBIAN, FRAMES = _slots("clock", "jacobian", "wheel_state")
COMPLIANCE, BIAS, REPORT = _slots("channels.compliance", "channels.bias", "contact.rows.report")


@entry_point("mlcp", "contact", "bodies")
def prepare(F, N, stage):
    if stage == ASSEMBLE:
        assemble(lanes_of(F, N))
    else:
        detect(lanes_of(F, N))
    if stage == DETECT:
        detect_soft_wheels(lanes_of(F, N))
    return 0


@entry_point("mlcp", "contact", "bodies")
def eliminate(F, N, stage):
    """Factorise the equations of motion; returns the bit set of lanes with large enough pivots."""
    run = lanes_of(F, N)
    factor(run)
    return bits(pivot_is_sound(run))


@entry_point("mlcp", "contact", "bodies")
def advance(F, N, stage):
    """Stages "integrate" and "project"; after "project" returns the bit set of lanes without a stop
    (finite velocities, closed joints)."""
    run = lanes_of(F, N)
    if stage == INTEGRATE:
        integrate(run)
        return 0
    project(run)
    finish(run)
    return bits(is_finite(run) & no(has_parted(run)))


@entry_point("mlcp", "contact", "bodies")
def roll(F, N, stage):
    """Solve the contacts by the kernel of the common case; returns the bit set of lanes that it
    solved."""
    run = lanes_of(F, N)
    prepare_soil(run)
    contact, channels, clock = run.contact, run.channels, run.clock
    q, impulse, B = contact.rows.q, channels.impulse, as_array(channels.B)
    solved, passes, residual = solve_rolling(clock.step, contact, B, as_array(channels.free))
    for c in range(q.shape[0]):
        impulse[c] = where(solved, q[c], impulse[c])
    for m in range(run.count.soil_wheels):
        state, now = run.wheel_state[m], contact.wheels.now[m]
        state.rolling = where(solved, now.rolling, state.rolling)
    clock.residual = where(solved, residual, clock.residual)
    clock.residual_max = where(solved, max(clock.residual_max, residual), clock.residual_max)
    contact.rows.report.passes = passes
    return bits(solved)


@kernel
def give_some(F, k, given, first, count):
    """Copy ``count`` numbers, from index ``first`` on, from the workspace of lane ``given`` to lane
    k."""
    lanes = F.reshape(F.size)
    for i in range(first, first + count):
        lanes[WIDTH * i + k] = F[WIDTH + given, i]


@kernel
def give_contacts(F, N, k, given):
    """Copy contact frames and contact rows from the workspace of lane ``given`` to lane k."""
    run, jacobian = run_of(F[WIDTH + given], N[given]), N[0, 2 * JACOBIAN]
    compliance, bias = N[0, 2 * COMPLIANCE], N[0, 2 * BIAS]
    workspace_to_lane(F, N, FRAMES, k, given)
    for m in range(len(run.wheels)):
        wheel = run.wheels[m]
        give_some(F, k, given, jacobian + wheel.jac, 6 * wheel.channels)
        give_some(F, k, given, compliance + wheel.row, wheel.channels)
        give_some(F, k, given, bias + wheel.row, wheel.channels)
    for m in range(len(run.shapes)):
        shape = run.shapes[m]
        give_some(F, k, given, compliance + shape.row, 3 * shape.points)
        give_some(F, k, given, bias + shape.row, 3 * shape.points)
        for p in range(shape.first_point, shape.first_point + shape.points):
            give_some(F, k, given, jacobian + run.point_places[p].jac_a, 18)
            give_some(F, k, given, jacobian + run.point_places[p].jac_b, 18)


@kernel
def find_contacts(F, N, touch, leader):
    """Detect the contacts lane by lane; idle lanes get copies of the contacts of lane ``leader``."""
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status == RUNNING:
            for number in SEEN:
                lane_to_workspace(F, N, number, k)
            call(touch, F[WIDTH + k], N[k], DETECT)
            give_contacts(F, N, k, k)
    for k in range(WIDTH):
        if run_of(F[WIDTH + k], N[k]).count.status != RUNNING:
            give_contacts(F, N, k, leader)


@kernel
def solve_alone(F, N, parts, k):
    """Solve the contacts of lane k in its workspace, by the kernels of a single vehicle."""
    for number in READ:
        lane_to_workspace(F, N, number, k)
    lane_to_workspace(F, N, CLOCK, k)
    active_to_workspace(F, N, k)
    if parts[2 * SOLVE] != 0:
        call(parts[2 * SOLVE], F[WIDTH + k], N[k], SOLVE)
    if parts[2 * SOLVE + 1] != 0:
        call(parts[2 * SOLVE + 1], F[WIDTH + k], N[k], SOLVE)
    if parts[2 * INTEGRATE + 1] != 0:
        call(parts[2 * INTEGRATE + 1], F[WIDTH + k], N[k], INTEGRATE)


@kernel
def take_over(F, N, k, given):
    """Copy the results of the contact solve from the workspace of lane ``given`` to lane k."""
    for number in WRITTEN:
        workspace_to_lane(F, N, number, k, given)
    workspace_to_active(F, N, k, given)
    lanes, residual = F.reshape(F.size), N[0, 2 * CLOCK] + RESIDUAL
    for i in range(residual, residual + 2):  # natural residual of the step, largest one of the run
        lanes[WIDTH * i + k] = F[WIDTH + given, i]


@kernel
def solve_lanes(F, N, parts, leader, sound):
    """Solve the contacts of all lanes: those in the common case together, the others lane by lane.

    Returns the bit set of the lanes solved one by one. Idle lanes get the results of lane ``leader``.
    ``sound``: bit set of lanes whose pivots are large enough; the others stop for a new elimination
    order.
    """
    lanes, solved, alone = F.reshape(F.size), 0, 0
    for k in range(WIDTH):
        count = run_of(F[WIDTH + k], N[k]).count
        if count.status == RUNNING and (sound >> k) & 1 == 0:
            count.status = REORDER
            # saves the state before the contact solve, from which the step is repeated
            lanes_to_workspaces(F, N, 1 << k)
    if parts[SOLVE] != 0:
        solved = call(parts[SOLVE], lanes[: WIDTH * F.shape[1]], N[0], SOLVE)
    passes = N[0, 2 * REPORT] + PASSES
    for k in range(WIDTH):
        run = run_of(F[WIDTH + k], N[k])
        if run.count.status == RUNNING:
            if (solved >> k) & 1 == 1:
                run.count.iterations += int(lanes[WIDTH * passes + k])
            else:
                solve_alone(F, N, parts[POSE + 1 :], k)
                take_over(F, N, k, k)
                alone |= 1 << k
    for k in range(WIDTH):
        idle = run_of(F[WIDTH + k], N[k]).count.status == IDLE
        if idle and (alone >> leader) & 1 == 1:
            take_over(F, N, k, leader)
    return alone if parts[POSE + 1 + 2 * SOLVE + 1] != 0 else 0  # without contacts no lane is counted


@kernel
def step_lanes(F, N, parts, leader):
    """One step of all lanes; afterwards ``count.status`` of each lane's workspace is RUNNING, or the
    reason why the lane's vehicle stopped.

    Returns the bit set of the lanes with contacts outside the common case.
    """
    lanes, table, touch = F.reshape(F.size)[: WIDTH * F.shape[1]], N[0], parts[POSE + 1 + 2 * DETECT + 1]
    if parts[MEASURE] == 0:  # all wheels on plane soil: contacts are detected for all lanes at once
        call(parts[DETECT], lanes, table, DETECT)
    else:
        call(parts[DETECT], lanes, table, MEASURE)
        if touch != 0:
            find_contacts(F, N, touch, leader)
    call(parts[ASSEMBLE], lanes, table, ASSEMBLE)
    sound = call(parts[FACTOR], lanes, table, FACTOR)
    alone = solve_lanes(F, N, parts, leader, sound)
    call(parts[INTEGRATE], lanes, table, INTEGRATE)
    fine = call(parts[PROJECT], lanes, table, PROJECT)
    for k in range(WIDTH):
        run = run_of(F[WIDTH + k], N[k])
        if run.count.status == RUNNING:
            if (fine >> k) & 1 == 1:
                run.count.steps += 1
            else:
                lane_to_workspace(F, N, CLOCK, k)
                check_end(run)
    return alone


@entry_point("mlcp", "contact", "bodies", nogil=True)
def run_chunk(F, N, parts, todo, states, counters, values, places):
    """``batch.run_chunk`` with bundles of up to ``WIDTH`` vehicles.

    ``F`` (2 WIDTH, n): floats of all lanes, then a workspace for each lane; ``N`` (WIDTH, ...):
    integers of these workspaces. ``parts``: addresses of the stages for lanes, then of those for a
    single vehicle. The other arguments are those of ``batch.run_chunk``.
    """
    count, size, first, idle = todo.shape[0], states.shape[1], 0, 0
    while idle < count:
        steps, idle = take_bundle(todo, first, WIDTH), idle + WIDTH
        if steps > 0:
            own, idle = todo[first : min(first + WIDTH, count)], 0
            board(F, N, own, states, counters, values, places)
            leader = fill_idle_lanes(F, N, size, places)
            while leader >= 0:
                alone, leaving, steps = step_lanes(F, N, parts, leader), 0, steps - 1
                for k in range(own.shape[0]):
                    status = run_of(F[WIDTH + k], N[k]).count.status
                    if status != IDLE:
                        own[k, LEFT] -= 0 if status == REORDER else 1
                        own[k, ALONE] += (alone >> k) & 1
                        if status != RUNNING or own[k, LEFT] == 0 or steps == 0:
                            leaving |= 1 << k
                if leaving != 0:
                    return_vehicles(F, N, leaving, own, states, counters)
                    leader = fill_idle_lanes(F, N, size, places)
            give_back(todo, first)
        first = first + WIDTH if first + WIDTH < count else 0
    return 0
