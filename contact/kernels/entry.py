"""The compiled functions that Python calls: the contact solve whole, and its stages one by one.

F, N and base say where the ``Contact`` lies.
"""

from __future__ import annotations

from mlcp.jit import entry_point

from . import ground as soils
from . import layout as at
from . import reduced
from . import rows as laying
from .data import contact_of


@entry_point("mlcp", "contact")
def solve_reduced(source_hash):
    def solve_reduced(h, solver, B, u_free, F, N, base):
        source_hash
        reduced.solve_reduced(h, solver, contact_of(F, N, base), B, u_free)

    return solve_reduced


@entry_point("mlcp", "contact")
def begin(source_hash):
    def begin(h, B, u_free, F, N, base):
        source_hash
        reduced.begin(h, contact_of(F, N, base), B, u_free)

    return begin


@entry_point("mlcp", "contact")
def lay(source_hash):
    def lay(h, B, u_free, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        reduced.lay(h, B, u_free, c.wheels, c.rows)

    return lay


@entry_point("mlcp", "contact")
def judge(source_hash):
    def judge(h, B, u_free, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        return reduced.judge(h, c.settings.law_tolerance, B, u_free, c.wheels, c.rows)

    return judge


@entry_point("mlcp", "contact")
def conclude(source_hash):
    def conclude(agreed, passes, tol, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        reduced.conclude(agreed, passes, tol, c.wheels, c.rows)

    return conclude


@entry_point("mlcp", "contact")
def remember(source_hash):
    def remember(h, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        reduced.remember(h, c.wheels, c.rows)

    return remember


@entry_point("mlcp", "contact")
def law_at(source_hash):
    def law_at(i, point, F, N, base, out):
        """``(F, dF/di_s, jump, peak, |F| locked)`` of wheel i on the soils it stands on, per F_n.

        point: slip, direction, v_max, load.
        """
        source_hash
        wheels = contact_of(F, N, base).wheels
        slip, direction, v_max, load = point[0], point[1], point[2], point[3]
        hold = laying.hold_ratio(i, load, wheels)
        ratio, slope, jump, _, _, peak = laying.law_at(i, slip, direction, v_max, load, wheels)
        out[0], out[1], out[2], out[3], out[4] = ratio, slope, jump, peak, hold

    return law_at


@entry_point("mlcp", "contact")
def see_grounds(source_hash):
    def see_grounds(x, y, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        for i in range(x.shape[0]):
            soils.see_ground(i, x[i], y[i], c.grounds, c.wheels)

    return see_grounds


@entry_point("mlcp", "contact")
def leave_tracks(source_hash):
    def leave_tracks(h, gap, x, y, left, F, N, base):
        source_hash
        c = contact_of(F, N, base)
        wheels, rows, ground = c.wheels, c.rows, c.grounds
        for i in range(x.shape[0]):
            wheel = wheels.each[i]
            u = rows.u[wheel.channel + at.NORMAL]
            load = rows.z[wheel.row + at.ROW_NORMAL] / h
            sunk = soils.sinkage_below(i, gap[i] + h * u, load, ground)
            soils.leave_track(i, x[i], y[i], left[i, 0], left[i, 1], sunk, ground)

    return leave_tracks
