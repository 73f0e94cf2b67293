"""Wheels on soil: the reduced contact problem of ``contact`` on the arrays of a mechanism's step.

The joints are eliminated from this problem. Its unknowns are the impulses of channels (contact
coordinates), those of the wheels on soil first.
Wheels on hard ground, bounded couplings (brakes, clutches, limits) and rigid contacts follow; each of
their channels is an extra row of the problem.
"""

from contact.kernels.ground import ground as soils
from contact.kernels.solve.reduced import solve_reduced
from contact.kernels.wheel import layout as at
from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel, part

from ..data import run_of


@kernel
def see_ground(run):
    """Look up soil and rut depth at the contact point of every wheel on soil."""
    contact = run.contact
    for m in range(run.count.soil_wheels):
        point = run.wheel_state[m].point
        soils.see_ground(m, point[0], point[1], contact.grounds, contact.wheels)


@kernel
def leave_tracks(run):
    """Write the sinkage of every wheel on soil at the end of the step to the ground's memory of ruts."""
    contact = run.contact
    ground, rows, h = contact.grounds, contact.rows, run.clock.step
    for m in range(run.count.soil_wheels):
        frame, wheel = run.wheel_state[m], contact.wheels.each[m]
        point, left = frame.point, frame.left
        load = rows.z[wheel.row + at.ROW_NORMAL] / h
        predicted = contact.gap[m] + h * rows.u[wheel.channel + at.NORMAL]
        sunk = soils.sinkage_below(m, predicted, load, ground)
        soils.leave_track(m, point[0], point[1], left[0], left[1], sunk, ground)


@kernel
def prepare_soil(run):
    """Write the gaps to the rut's bottom, the channel velocities at the start of the step, and the extra
    rows' compliance, bias and bounds."""
    contact, channels = run.contact, run.channels
    wheels, gap, u, rut = run.count.soil_wheels, contact.gap, contact.start, contact.grounds.rut
    for m in range(wheels):
        frame = run.wheel_state[m]
        gap[m] = frame.gap + rut[m] * frame.normal[2]
        for k in range(at.CHANNELS):
            u[at.CHANNELS * m + k] = frame.velocity[k]
    rows = contact.rows
    extra = u.shape[0] - at.CHANNELS * wheels
    first = rows.e.shape[0] - extra
    for k in range(extra):
        row, c = first + k, at.CHANNELS * wheels + k
        rows.e[row], rows.bias[row] = channels.compliance[c], channels.bias[c]
        rows.lower[row], rows.upper[row] = channels.lower[c], channels.upper[c]


@kernel
def write_back_soil(run):
    """Copy impulses, natural residual and counts of the contact solve to the run's arrays; a pass is a
    fixed-point iteration."""
    contact = run.contact
    q, impulse, report = contact.rows.q, run.channels.impulse, contact.rows.report
    for c in range(q.shape[0]):
        impulse[c] = q[c]
    clock, count = run.clock, run.count
    clock.residual = report.residual
    clock.residual_max = max(clock.residual_max, report.residual)
    count.iterations += int(report.passes)
    count.missed += int(report.missed)
    for m in range(count.soil_wheels):
        run.wheel_state[m].rolling = contact.wheels.now[m].rolling


@part
def solve_soil(F, N, solver):
    """Solve all wheels on soil by their ground law together with all bounded couplings."""
    run = run_of(F, N)
    prepare_soil(run)
    channels = run.channels
    solve_reduced(run.clock.step, solver, run.contact, as_array(channels.B), as_array(channels.free))
    write_back_soil(run)
