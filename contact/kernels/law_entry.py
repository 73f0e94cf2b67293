"""The compiled functions with which Python evaluates ground laws outside a run."""

from __future__ import annotations

from mlcp.jit import entry_point

from . import wong_reece as wheel
from .lateral import lateral_law
from .law import ground_law
from .wong_reece_law import fill_tables, wheel_at


@entry_point("mlcp", "contact")
def law_over(source_hash):
    def law_over(law, p, slip, load, out):
        """Rows ``(mu, slope, jump, gamma, rho, peak, push)`` for every slip and load."""
        source_hash
        for k in range(slip.shape[0]):
            values = ground_law(law, p, slip[k], load[k])
            for c in range(7):
                out[k, c] = values[c]

    return law_over


@entry_point("mlcp", "contact")
def wheel_over(source_hash):
    def wheel_over(p, load, slip, skid, out):
        """Rows ``(theta_1, thrust, compaction, torque / r, carried)``; skid >= 0: towed."""
        source_hash
        for k in range(load.shape[0]):
            if skid[k] >= 0.0:
                values = wheel.at_load(p, load[k], slip[k], skid[k])
            else:
                values = wheel_at(p, load[k], slip[k])
            for c in range(5):
                out[k, c] = values[c]

    return wheel_over


@entry_point("mlcp", "contact")
def forces_over(source_hash):
    def forces_over(p, theta_1, slip, skid, out):
        """Rows ``(load, thrust, compaction, torque / r)`` of wheels with given entry angles."""
        source_hash
        for k in range(theta_1.shape[0]):
            values = wheel.forces_at(p, theta_1[k], slip[k], skid[k])
            for c in range(4):
                out[k, c] = values[c]

    return forces_over


@entry_point("mlcp", "contact")
def tables_over(source_hash):
    def tables_over(p, loads, slips, out, entries):
        source_hash
        fill_tables(p, loads, slips, out, entries)

    return tables_over


@entry_point("mlcp", "contact")
def side_over(source_hash):
    def side_over(law, p, angle, load, out):
        """Rows ``(ratio, slope, largest)`` of a lateral law for every slip angle and load."""
        source_hash
        for k in range(angle.shape[0]):
            values = lateral_law(law, p, angle[k], load[k])
            for c in range(3):
                out[k, c] = values[c]

    return side_over
