"""Computation of a vehicle's table: steepest slopes, border, and values above it."""

from __future__ import annotations

import itertools

import numpy as np

from ..kernels import answers as L
from ..kernels.tables import ABOVE, MOVING, STARTING
from ..vehicles.vehicle import LumpedVehicle
from .bisection import Margin, zero_between
from .limits import balance, margins
from .partial_table import PartialTable
from .threads import over_rows

BORDER = 1e-4  # relative tolerance of the least strength
DIRECTION_NODES = 257  # number of directions with a computed steepest slope
CLOSER = 4  # parts of an interval between nodes of the border, filled by interpolation
FIRST_SLOPE_NODES, FIRST_DIRECTION_NODES = 25, 13  # nodes before the refinement
MOST = (97, 97)  # largest numbers of nodes (slopes, directions)
ROWS = 6  # number of relative slopes whose values above the border are computed at once
REACHED, BORDERED = 20.0, 70.0  # [%] progress after the steepest slopes, and after the border
LIKELY_PLACES = 8000  # expected number of nodes of the refined border, for the progress line


def slope_components(
    relative_slope: np.ndarray, direction: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Slopes ``(along, across)`` [-] at given directions, from slopes over the steepest one there;
    ends: the steepest slopes at equidistant directions."""
    far = relative_slope * np.interp(direction, np.linspace(-1.0, 1.0, ends.size), ends)
    along, across = unit_slope(direction)
    return far * along, far * across


def unit_slope(direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``(along, across)`` [-] of a unit slope with direction = along / (|along| + |across|)."""
    whole = np.hypot(direction, 1.0 - np.abs(direction))
    return direction / whole, (1.0 - np.abs(direction)) / whole


def reach(vehicle: LumpedVehicle, high: float, farthest: float) -> np.ndarray:
    """Steepest slope R(w) in every direction on a strength ``high`` [Pa], at most ``farthest`` [-].

    Shape (2, ``DIRECTION_NODES``): at a start, in motion. Brakes and tipping are left out here, since
    they are checked at every look-up.
    """
    along, across = unit_slope(np.linspace(-1.0, 1.0, DIRECTION_NODES))

    def margin(kind: int) -> Margin:
        def at(far: np.ndarray, index: np.ndarray) -> np.ndarray:
            return _margin(vehicle, high, far * along[index], far * across[index], kind)

        return at

    nowhere, end = np.zeros(DIRECTION_NODES), np.full(DIRECTION_NODES, farthest)
    found = np.array([zero_between(margin(kind), end, nowhere, 1e-6) for kind in (STARTING, MOVING)])
    return np.nan_to_num(found, nan=0.0)


def spinning_pull(
    vehicle: LumpedVehicle, strength: np.ndarray, along: np.ndarray, across: np.ndarray
) -> np.ndarray:
    """Net force uphill [N] at the slip of a start, for strengths [Pa] and slopes of shapes (n,)."""
    from ..kernels.entry import pulls_over

    out, slopes = np.empty(strength.size), np.stack([along, across], axis=1)
    law, soils, v = vehicle.contact.ground_law.number, vehicle.soils(strength), vehicle.numbers()
    over_rows(
        lambda r: pulls_over(law, soils[r], v.F, v.N, slopes[r], vehicle.start_slip, out[r]),
        strength.size,
    )
    return out


def _margin(
    vehicle: LumpedVehicle,
    strength: np.ndarray | float,
    along: np.ndarray,
    across: np.ndarray,
    kind: int,
) -> np.ndarray:
    answers = balance(vehicle, strength, along, across, full=False)
    answers[..., L.TIP] = 0.0  # checked at look-ups: independent of the strength
    answers[..., L.BRAKING] = np.inf  # checked at look-ups: not monotone in the strength
    return margins(vehicle, answers)[1 if kind == STARTING else 0]


def border_of(
    vehicle: LumpedVehicle,
    along: np.ndarray,
    across: np.ndarray,
    kind: int,
    strengths: tuple[float, float],
    guess: np.ndarray | None = None,
) -> np.ndarray:
    """1/c* [1/Pa] at slopes (n,), by bisection; 0: impassable even on the largest strength.

    A start requires a pull at the slip of a start, a cheap check that comes first, and all conditions of
    motion.

    Arguments: guess: initial guess of 1/c* [1/Pa].
    """

    def margin(at: np.ndarray, index: np.ndarray) -> np.ndarray:
        return _margin(vehicle, np.exp(at), along[index], across[index], kind)

    def spinning(at: np.ndarray, index: np.ndarray) -> np.ndarray:
        return spinning_pull(vehicle, np.exp(at), along[index], across[index])

    low, high = (np.full(along.size, np.log(c)) for c in strengths)
    if kind == STARTING:
        found = zero_between(spinning, low, high, BORDER)
        pulls = np.flatnonzero(np.isfinite(found))
        more = pulls[margin(found[pulls], pulls) < 0.0]
        part = zero_between(lambda at, index: margin(at, more[index]), found[more], high[more], BORDER)
        found[more] = part
    else:
        near = None if guess is None else -np.log(np.maximum(guess, 1e-300))
        found = zero_between(margin, low, high, BORDER, near)
    return np.nan_to_num(np.exp(-found), nan=0.0)


def refined(
    vehicle: LumpedVehicle,
    strengths: tuple[float, float],
    ends: np.ndarray,
    steepest: float,
    tolerance: float,
    most: int,
    partial: PartialTable,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Refined nodes (relative slopes, directions), and 1/c* [1/Pa], c* the border; shape (2, n, m)."""
    nodes = [np.linspace(0.0, 1.0, FIRST_SLOPE_NODES), np.linspace(-1.0, 1.0, FIRST_DIRECTION_NODES)]
    kept = partial.parts.get("places", np.empty((0, 2))), partial.parts.get("found", np.empty((0, 2)))
    known = {(float(s), float(w)): found for (s, w), found in zip(*kept, strict=True)}

    def weakness(s: np.ndarray, w: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        grid = list(itertools.product(s.tolist(), w.tolist()))
        new = [k for k, place in enumerate(grid) if place not in known]
        if new:
            relative_slope, direction = np.array([grid[k] for k in new]).T
            guesses = (None, None) if near is None else near.reshape(2, -1)[:, new]
            found = np.array(
                [
                    border_of(
                        vehicle,
                        *slope_components(relative_slope, direction, ends[kind]),
                        kind,
                        strengths,
                        guesses[kind],
                    )
                    for kind in (STARTING, MOVING)
                ]
            )
            found = np.maximum(found, 1.0 / strengths[1])  # c* at s = 1 is the largest strength
            known.update(zip((grid[k] for k in new), found.T, strict=True))
            partial.keep(places=np.array(list(known)), found=np.array(list(known.values())))
            partial.at(REACHED + (BORDERED - REACHED) * min(1.0, len(known) / LIKELY_PLACES))
        return np.array([known[place] for place in grid]).T.reshape(2, len(s), len(w))

    for _ in range(most):
        halved = False
        for axis in (0, 1):
            middles = 0.5 * (nodes[axis][1:] + nodes[axis][:-1])
            at = (middles, nodes[1]) if axis == 0 else (nodes[0], middles)
            interpolated = smooth(weakness(*nodes), nodes, at)
            off = np.abs(interpolated / np.maximum(weakness(*at, interpolated), 1e-300) - 1.0)
            relative_slopes, directions = np.meshgrid(*at, indexing="ij")
            far = [np.hypot(*slope_components(relative_slopes, directions, e)) for e in ends]
            off[np.array(far) > steepest] = 0.0  # no refinement beyond the table
            coarse = (off > tolerance).any(axis=(0, 2 - axis))
            if coarse.any() and len(nodes[axis]) < MOST[axis]:
                nodes[axis] = np.sort(np.concatenate([nodes[axis], middles[coarse]]))
                halved = True
        if not halved:
            break
    return nodes, weakness(*nodes)


def closer(nodes: np.ndarray) -> np.ndarray:
    """Nodes with each interval divided into ``CLOSER`` parts."""
    at = np.arange(CLOSER * (len(nodes) - 1) + 1) / CLOSER
    return np.interp(at, np.arange(len(nodes)), nodes)


def smooth(weak: np.ndarray, nodes: list[np.ndarray], at: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """1/c* at finer nodes, by monotone cubic interpolation of its square root along both axes.

    Source: Fritsch and Carlson (1980), SIAM J. Numer. Anal. 17, implemented in ``scipy.interpolate``.
    """
    from scipy.interpolate import PchipInterpolator

    first = PchipInterpolator(nodes[0], np.sqrt(weak), axis=1)(at[0])
    return PchipInterpolator(nodes[1], first, axis=2)(at[1]) ** 2


def monotone(weak: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Table of 1/c* made non-increasing in the slope: uphill, and downhill beyond its largest value."""
    for table in weak:
        for column, w in zip(table.T, direction, strict=True):
            top = 0 if w >= 0.0 else int(np.argmax(column))
            column[top:] = np.minimum.accumulate(column[top:])
            column[: top + 1] = np.minimum.accumulate(column[top::-1])[::-1]
    return np.ascontiguousarray(weak)


def above_border(
    vehicle: LumpedVehicle,
    nodes: tuple[np.ndarray, ...],
    ends: np.ndarray,
    weak: np.ndarray,
    high: float,
    partial: PartialTable,
) -> np.ndarray:
    """Tables of slip, torque and deceleration above the border of motion, shape (3, n, m, k).

    nodes: relative slopes, directions, eta (scaled strength, see ``Surface``). ends: steepest slopes
    R(w). weak: 1/c* at the nodes of slopes and directions [1/Pa]. high: largest strength [Pa].
    partial: storage of the finished rows.
    """
    relative_slope, direction, eta = nodes
    start = 1.0 / weak
    whole = np.log(np.maximum(high / start, ABOVE))
    c = start[..., None] * np.exp(eta**2 * whole[..., None]) * (1.0 + 2.0 * BORDER)
    relative_slopes, directions = np.meshgrid(relative_slope, direction, indexing="ij")
    along, across = slope_components(relative_slopes, directions, ends)

    def rows_from(k: int) -> np.ndarray:
        here = slice(k, k + ROWS)
        answers = balance(vehicle, c[here], along[here, :, None], across[here, :, None])
        return np.stack([answers[..., k] for k in (L.CODED, L.TORQUE, L.BRAKING)])

    parts = []
    for k in range(0, len(relative_slope), ROWS):
        parts.append(partial.part(f"above {k}", lambda k=k: rows_from(k)))
        partial.at(BORDERED + (100.0 - BORDERED) * (k + ROWS) / len(relative_slope))
    tables = np.concatenate(parts, axis=1)
    for row in range(1, len(relative_slope)):  # no balance at s = 1 by round-off: copy the row before
        bad = np.isnan(tables[:, row])
        tables[:, row][bad] = tables[:, row - 1][bad]
    return np.ascontiguousarray(np.nan_to_num(tables))
