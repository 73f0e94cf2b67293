"""Compiled functions with which Python evaluates ground laws outside a run, for arrays of input."""

import math

from mlcp.jit import entry_point, kernel

from ..laws.lateral import lateral_law
from ..laws.law import ground_law
from ..laws.slip_sinkage import lateral_shear, ploughed, soften_by_angle
from ..laws.wong_reece_law import fill_tables, wheel_at
from ..stresses import wong_reece as wheel
from .combined import on_ellipse
from .slip import STUCK_SPEED, slip_state


@entry_point("mlcp", "contact")
def law_over(law, p, slip, load, out):
    """Set the rows of ``out`` to the seven results of a ground law (``laws.law``) at each slip and
    load."""
    for k in range(slip.shape[0]):
        values = ground_law(law, p, slip[k], load[k])
        for c in range(7):
            out[k, c] = values[c]


@entry_point("mlcp", "contact")
def wheel_over(p, load, slip, skid, out):
    """Write ``(entry angle theta_1, thrust, compaction resistance, torque / r, carried load)`` [rad, N]
    of Wong and Reece's wheel to a row of ``out`` for each load and slip; a skid >= 0: towed wheel."""
    for k in range(load.shape[0]):
        if skid[k] >= 0.0:
            values = wheel.at_load(p, load[k], slip[k], skid[k])
        else:
            values = wheel_at(p, load[k], slip[k])
        for c in range(5):
            out[k, c] = values[c]


@entry_point("mlcp", "contact")
def tables_over(p, loads, slips, out, entries):
    fill_tables(p, loads, slips, out, entries)


@entry_point("mlcp", "contact")
def side_over(law, p, angle, load, out):
    """Write lateral force over load, its slope over the slip angle and its maximum to a row of ``out``
    for each slip angle [rad] and load [N]."""
    for k in range(angle.shape[0]):
        values = lateral_law(law, p, angle[k], load[k])
        for c in range(3):
            out[k, c] = values[c]


@kernel
def steady_wheel(p, side, load, slip, tangent):
    """Wheel of Wong and Reece in steady motion at slip s and slip angle beta, tangent = tan(beta) >= 0.

    p, side: parameters of the ground law and of the lateral law; load [N]. Returns: entry angle theta_1
    [rad]; pull, lateral force, torque / r [N]. The forces combine by the sliding, see ``combined``.
    """
    rim, v_x = (1.0, 1.0 - slip) if slip >= 0.0 else (1.0 + slip, 1.0)
    v_y = v_x * tangent
    soften_by_angle(p, v_x, v_y, STUCK_SPEED)
    theta_1, thrust, compaction, torque, carried = wheel_at(p, load, slip)
    if v_y <= STUCK_SPEED:
        return theta_1, thrust - compaction, 0.0, torque
    v = math.sqrt((v_x - rim) ** 2 + v_y * v_y)
    _, _, v_max = slip_state(v_x - rim, v_x, STUCK_SPEED)
    along, across, whole = abs(v_x - rim) / v, v_y / v, min(1.0, v / v_max)
    rolling = wheel.at_load(p, load, 0.0, -1.0)
    offset = rolling[1] / rolling[4]
    sliding = wheel_at(p, load, whole if slip >= 0.0 else -whole)
    ratio = sliding[1] / sliding[4] - offset
    below, _, _ = lateral_shear(p, side, math.atan(v / v_max), load)
    g, root = on_ellipse(abs(ratio), below, whole, along, across * across)
    pressure = ploughed(p, side, theta_1) / carried * v_y / math.sqrt(v_x * v_x + v_y * v_y)
    ratio = ratio * along * g + offset
    pull, turning = load * (ratio - compaction / carried), load * (ratio + (torque - thrust) / carried)
    return theta_1, pull, load * (below * across * g * root + pressure), turning


@entry_point("mlcp", "contact")
def steady_over(p, side, load, slip, tangent, out):
    """Write the results of ``steady_wheel`` to a row of ``out`` for each load, slip and slip angle."""
    for k in range(load.shape[0]):
        values = steady_wheel(p, side, load[k], slip[k], tangent[k])
        for c in range(4):
            out[k, c] = values[c]
