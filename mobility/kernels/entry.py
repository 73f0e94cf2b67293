"""Compiled functions called from Python, each over many points.

law: compiled ground law; t: table of a vehicle (``tables.SurfaceArrays``); odds: tables of probabilities
(``tables.Odds``); out: results, a row for each point; full: as for ``balance.write_point``.
"""

import math

from mlcp.jit import entry_point

from . import tables as T
from .balance import net_pull, write_point
from .cells import cell, cell_by_chance, worst
from .chance import likely
from .data import lumped_of
from .look import border, going, least_limit
from .routing import cheapest, measure


@entry_point("mlcp", "contact", "mobility", nogil=True)
def points_over(law, soils, which, F, N, slopes, full, out):
    """Write rows of ``answers`` at slopes[k] = (along, across) and soil parameters soils[which[k]].

    F, N: numbers and integers of the vehicle, see ``data.Lumped``.
    """
    for k in range(which.shape[0]):
        write_point(law, soils[which[k]], lumped_of(F, N), slopes[k, 0], slopes[k, 1], full, out[k])


@entry_point("mlcp", "contact", "mobility", nogil=True)
def pulls_over(law, soils, F, N, slopes, slip, out):
    """Write net forces uphill [N] at one slip of the shafts; other arguments as for ``points_over``."""
    for k in range(out.shape[0]):
        out[k], _, _ = net_pull(law, soils[k], lumped_of(F, N), slip, slopes[k, 0], slopes[k, 1], 0)


@entry_point("mlcp", "mobility")
def limits_over(gears, numbers, points, out):
    """Write rows (speed [m/s], reason, gear) for rows (slip [-], torque [N m], deceleration [m/s^2]).

    gears: torque curves; numbers: data of vehicle and driver, see ``tables.SurfaceArrays``.
    """
    for k in range(points.shape[0]):
        slip, torque, braking = points[k, 0], points[k, 1], points[k, 2]
        out[k, 0], out[k, 1], out[k, 2] = least_limit(gears, numbers, slip, torque, braking)


@entry_point("mlcp", "mobility", nogil=True)
def going_over(t, points, out):
    """Write rows (class, speed [m/s], reason, slip, gear) for rows (strength [Pa], along, across)."""
    for k in range(points.shape[0]):
        c, along, across = points[k, 0], points[k, 1], points[k, 2]
        if 0.0 < c < math.inf and abs(along) < math.inf and abs(across) < math.inf:
            out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4] = going(t, c, along, across)
        else:
            out[k, 0], out[k, 1], out[k, 2] = T.NO_DATA, math.nan, 0
            out[k, 3], out[k, 4] = math.nan, 0


@entry_point("mlcp", "mobility", nogil=True)
def weakness_over(t, kind, slopes, out):
    """Write 1/c* [1/Pa], c*: least passable strength, for slopes (along, across) [-]; 0 beyond the
    table.
    """
    for k in range(slopes.shape[0]):
        along, side = slopes[k, 0], abs(slopes[k, 1])
        inside = math.hypot(along, side) <= t.numbers[T.STEEPEST]
        out[k] = border(t, kind, along, side) if inside else 0.0


@entry_point("mlcp", "mobility", nogil=True)
def worst_over(t, points, out):
    """Write harmonic mean speeds up, down and across [m/s] for rows (strength [Pa], slope [-])."""
    for k in range(points.shape[0]):
        _, out[k], _, _ = worst(t, points[k, 0], points[k, 1], math.nan)


@entry_point("mlcp", "mobility", nogil=True)
def likely_over(slopes, weak, turn, points, out):
    """Write the probabilities of ``likely`` [-] for rows (log strength: median, deviation; slope: mean,
    deviation)."""
    for k in range(points.shape[0]):
        p = points[k]
        out[k] = likely(slopes, weak, turn, p[0], p[1], p[2], p[3])


@entry_point("mlcp", "mobility", nogil=True)
def cells_over(t, odds, strength, slope, limit, codes, values):
    """Write the cells of a tile: ``codes`` (3, n), ``values`` (5, n), in the order of
    ``mapping.layers.LAYERS``."""
    kind, reason, validity = codes[0], codes[1], codes[2]
    for k in range(strength.shape[0]):
        kind[k], values[0, k], reason[k], validity[k] = cell(t, strength[k], slope[k], limit[k])
    # a second loop: its tables would displace those of the first from the processor's cache
    for k in range(strength.shape[0]):
        values[1, k], values[2, k], values[3, k], values[4, k] = cell_by_chance(
            t, odds, strength[k], slope[k], limit[k]
        )


@entry_point("mlcp", "mobility", nogil=True)
def route_over(t, ground, heap, start, goal):
    """Whether there is a route between two cells, see ``routing.cheapest``."""
    return cheapest(t, ground, heap, start, goal)


@entry_point("mlcp", "mobility")
def measure_route(t, ground, cells, out):
    """Write time [s], risk [-] and length [m] of a route, see ``routing.measure``."""
    measure(t, ground, cells, out)
