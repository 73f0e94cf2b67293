"""The compiled functions that Python calls: the whole contact solve, and its stages one by one.

F, N and base: memory of the bundle ``Contact`` (float64, int64), and the start of its table of offsets.
"""

from mlcp.jit import entry_point

from ...schemes.kernels.line import Line
from ..ground import ground as soils
from ..rows import lines
from ..wheel import layout as at
from ..wheel.combined import lateral_force, motion_of, thrust_at
from ..wheel.data import contact_of
from ..wheel.wheel_law import capacity_ratio
from . import reduced


@entry_point("mlcp", "contact")
def solve_reduced(h, solver, B, u_free, F, N, base):
    reduced.solve_reduced(h, solver, contact_of(F, N, base), B, u_free)


@entry_point("mlcp", "contact")
def begin(h, B, u_free, F, N, base):
    reduced.begin(h, contact_of(F, N, base), B, u_free)


@entry_point("mlcp", "contact")
def set_problem(h, B, u_free, F, N, base):
    c = contact_of(F, N, base)
    reduced.set_problem(h, B, u_free, c.wheels, c.rows)


@entry_point("mlcp", "contact")
def check(h, B, u_free, F, N, base):
    c = contact_of(F, N, base)
    none = reduced.no_other_friction(c.rows)
    return reduced.check(h, c.settings.law_tolerance, B, u_free, c.wheels, c.rows, none)


@entry_point("mlcp", "contact")
def conclude(agreed, passes, tol, F, N, base):
    c = contact_of(F, N, base)
    reduced.conclude(agreed, passes, tol, c.wheels, c.rows)


@entry_point("mlcp", "contact")
def remember(h, F, N, base):
    c = contact_of(F, N, base)
    reduced.remember(h, c.wheels, c.rows)


@entry_point("mlcp", "contact")
def sliding(i, F, N, base, out):
    """Values of wheel i's law and lateral law at its linearisation point.

    out: smooth thrust, slope of the thrust over the slip, set-valued thrust, largest smooth thrust,
    thrust of a locked wheel, all over the load; lateral force [N], its slope over v_y [N s/m], its
    maximum [N].
    """
    wheels = contact_of(F, N, base).wheels
    now = wheels.now[i]
    out[4] = capacity_ratio(i, now.load, wheels)
    law = thrust_at(i, motion_of(now), now.load, wheels)
    out[0], out[1], out[2], out[3] = law.ratio, law.slope, law.coulomb, law.peak
    if wheels.each[i].lateral_row >= 0:
        out[5], out[6], out[7] = lateral_force(i, now.load, motion_of(now), wheels)


@entry_point("mlcp", "contact")
def set_line(smooth, h, line, F, N, base):
    """Replace the linearised force in two rows that are set already, and in the dense problem (A, b).

    line: at_zero [N], damping [N s/m], bound [N], friction [N].
    """
    rows = contact_of(F, N, base).rows
    e, bias = rows.e[smooth], rows.bias[smooth]
    lines.set_line(smooth, h, Line(line[0], line[1], line[2], line[3]), 0.0, rows)
    rows.A[smooth, smooth] += rows.e[smooth] - e
    rows.b[smooth] += rows.bias[smooth] - bias


@entry_point("mlcp", "contact")
def keep_within(smooth, most, F, N, base):
    lines.keep_within(smooth, most, contact_of(F, N, base).rows)


@entry_point("mlcp", "contact")
def see_grounds(x, y, F, N, base):
    c = contact_of(F, N, base)
    for i in range(x.shape[0]):
        soils.see_ground(i, x[i], y[i], c.grounds, c.wheels)


@entry_point("mlcp", "contact")
def leave_tracks(h, gap, x, y, left, F, N, base):
    c = contact_of(F, N, base)
    wheels, rows, ground = c.wheels, c.rows, c.grounds
    for i in range(x.shape[0]):
        wheel = wheels.each[i]
        u = rows.u[wheel.channel + at.NORMAL]
        load = rows.z[wheel.row + at.ROW_NORMAL] / h
        sunk = soils.sinkage_below(i, gap[i] + h * u, load, ground)
        soils.leave_track(i, x[i], y[i], left[i, 0], left[i, 1], sunk, ground)
