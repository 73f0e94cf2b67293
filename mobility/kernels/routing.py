"""Cheapest routes over a raster with direction-dependent cost (Dijkstra's algorithm).

t: ``tables.SurfaceArrays`` of the vehicle; g: ``CostGrid``; h: ``Heap``. Risk of a route [-]:
-log(probability to continue), integrated over the route's length in mean sides of a cell.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel

from .cells import SURE, node, probit
from .chance import below
from .look import going

NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # (rows, columns)


class CostGrid(NamedTuple):
    """Data of all cells, arrays (rows, columns), and the weights of a route's cost."""

    strength: Any  # strength of the ground [Pa]
    east: Any  # rise per run along the columns [-]
    south: Any  # rise per run down the rows [-]
    limit: Any  # speed limit of the land use [m/s]; nan: none
    risks: Any  # (angles, slopes, strengths) probit of the probability to continue; empty: no risk
    grid: Any  # nodes of ``risks``: first slope, step, first log strength, step
    sides: Any  # lengths (dx, dy) of a cell's sides [m]
    weights: Any  # (2,) weights of time [1/s] and of risk [-]


class Heap(NamedTuple):
    """Binary heap of cells by cost; index of a cell: row x columns + column."""

    cost: Any  # (n,) least known cost of each cell [-]
    cells: Any  # (n,) cells in heap order
    place: Any  # (n,) position of each cell in the heap; -1: not reached, -2: done
    came: Any  # (n,) previous cell on the route; -1: the start


@kernel
def pace(t, g, r, c, x, y):
    """``(time [s/m], risk [1/m])`` per length of a route in cell (r, c), direction (x east, y south)."""
    strength = g.strength[r, c]
    east, south = g.east[r, c], g.south[r, c]
    if not (strength > 0.0 and east * east + south * south < math.inf):
        return math.inf, math.inf
    along, across = east * x + south * y, abs(east * y - south * x)
    _, speed, _, _, _ = going(t, strength, along, across)
    if g.limit[r, c] < speed:
        speed = g.limit[r, c]
    if speed <= 0.0:
        return math.inf, math.inf
    risk, angles = 0.0, g.risks.shape[0]
    if angles > 0:
        steep = math.hypot(along, across)
        a, w = node(0.0, math.pi / (angles - 1), angles, math.atan2(across, along))
        i, u = node(g.grid[0], g.grid[1], g.risks.shape[1], steep)
        j, v = node(g.grid[2], g.grid[3], g.risks.shape[2], math.log(strength))
        z = (1.0 - w) * probit(g.risks[a], i, u, j, v) + w * probit(g.risks[a + 1], i, u, j, v)
        risk = -math.log(below(min(z, SURE))) / math.sqrt(g.sides[0] * g.sides[1])
    return 1.0 / speed, risk


@kernel
def neighbour_of(t, g, here, k):
    """``(cell, time [s], risk [-], length [m])`` of the neighbour in direction k; cell -1: none."""
    rows, columns = g.strength.shape
    r, c = here // columns, here % columns
    r_, c_ = r + NEIGHBOURS[k][0], c + NEIGHBOURS[k][1]
    if not (0 <= r_ < rows and 0 <= c_ < columns):
        return -1, math.inf, math.inf, 0.0
    x, y = NEIGHBOURS[k][1] * g.sides[0], NEIGHBOURS[k][0] * g.sides[1]
    far = math.hypot(x, y)
    time_1, risk_1 = pace(t, g, r, c, x / far, y / far)
    time_2, risk_2 = pace(t, g, r_, c_, x / far, y / far)
    return r_ * columns + c_, 0.5 * far * (time_1 + time_2), 0.5 * far * (risk_1 + risk_2), far


@kernel
def rise(h, k):
    """Move the cell at position k of the heap up to its place (sift-up)."""
    cell = h.cells[k]
    while k > 0:
        above = (k - 1) // 2
        if h.cost[h.cells[above]] <= h.cost[cell]:
            break
        h.cells[k] = h.cells[above]
        h.place[h.cells[k]] = k
        k = above
    h.cells[k] = cell
    h.place[cell] = k


@kernel
def pop(h, size):
    """Remove and return the cheapest of ``size`` cells of the heap."""
    first, last = h.cells[0], h.cells[size - 1]
    h.place[first] = -2
    size -= 1
    if size > 0:
        k = 0
        while 2 * k + 1 < size:
            child = 2 * k + 1
            if child + 1 < size and h.cost[h.cells[child + 1]] < h.cost[h.cells[child]]:
                child += 1
            if h.cost[last] <= h.cost[h.cells[child]]:
                break
            h.cells[k] = h.cells[child]
            h.place[h.cells[k]] = k
            k = child
        h.cells[k] = last
        h.place[last] = k
    return first


@kernel
def cheapest(t, g, h, start, goal):
    """Fill ``h.came`` from the start until the goal is reached; returns 1, or 0 without a route."""
    for k in range(h.cost.shape[0]):
        h.cost[k], h.place[k], h.came[k] = math.inf, -1, -1
    h.cost[start], h.cells[0], h.place[start] = 0.0, start, 0
    size = 1
    while size > 0:
        here = pop(h, size)
        size -= 1
        if here == goal:
            return 1
        for k in range(8):
            there, time, risk, _ = neighbour_of(t, g, here, k)
            if there < 0 or h.place[there] == -2:
                continue
            cost = h.cost[here] + g.weights[0] * time + g.weights[1] * risk
            if not cost < h.cost[there]:
                continue
            h.cost[there], h.came[there] = cost, here
            if h.place[there] == -1:
                h.cells[size], h.place[there] = there, size
                size += 1
            rise(h, h.place[there])
    return 0


@kernel
def measure(t, g, cells, out):
    """Write time [s], risk [-] and length [m] of a route through ``cells`` to ``out`` (3,)."""
    out[0], out[1], out[2] = 0.0, 0.0, 0.0
    columns = g.strength.shape[1]
    for m in range(cells.shape[0] - 1):
        down = cells[m + 1] // columns - cells[m] // columns
        right = cells[m + 1] % columns - cells[m] % columns
        for k in range(8):
            if NEIGHBOURS[k][0] == down and NEIGHBOURS[k][1] == right:
                _, time, risk, far = neighbour_of(t, g, cells[m], k)
                out[0], out[1], out[2] = out[0] + time, out[1] + risk, out[2] + far
