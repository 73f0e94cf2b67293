"""Fastest and safest route between two places, with direction-dependent cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contact import checks
from mlcp.kinds import checked

from ..kernels.routing import CostGrid, Heap
from ..performance.borders import border
from ..performance.limits import GO_CLASSES, REASONS
from ..performance.odds import LEAST_ERROR, LEAST_SPREAD, nodes, probits
from ..performance.surface import Surface
from .rasters import Inputs
from .slopes import HALO, gradient
from .store import write_file

#: Weights of time [1/s] and of risk [-] for each kind of route.
KINDS = {"fastest": (1.0, 0.0), "safest": (1e-6, 1.0)}
ANGLES = 13  # nodes of the table of risks between uphill and downhill
MOST = 40_000_000  # largest number of cells, all in memory


@dataclass(frozen=True, eq=False)
class Route:
    """Route between two places.

    Attributes:
        kind: "fastest" or "safest".
        places: (n, 2) east and north of the cells' centres [m].
        length: length of the route [m]. time: travel time [s].
        chance: probability that all cells are passable [-], for independent errors of the cells.
    """

    kind: str
    places: np.ndarray
    length: float
    time: float
    chance: float


@checked
def routes(
    table: Surface,
    inputs: Inputs,
    start: tuple[float, float],
    goal: tuple[float, float],
    variation: float = 0.15,
    error: float = 0.03,
) -> dict[str, Route]:
    """Fastest and safest route, {kind: route}; empty without a route, or with a NO-GO start or goal.

    Each step of length d leads to one of eight neighbours, half of it in either cell, at the speeds v_1
    and v_2 of a moving vehicle for the step's direction on the slope of each cell:

        time = sum of d / 2 (1/v_1 + 1/v_2),    risk = -sum of d / (2 a) (log P_1 + log P_2)

    P_1, P_2: probabilities that the cells are passable, a: square root of a cell's area [m]. The safest
    route has the least risk and, of routes with equal risk, the least time.

    Arguments:
        table: table of the vehicle. inputs: rasters. start, goal: east and north [m].
        variation: coefficient of variation of the strength [-], at least 0.02.
        error: standard deviation of the slope [-], at least 0.004.

    Raises:
        ValueError: a place outside the map, a map of more than 40 million cells, errors out of range.
    """
    checks.within("routes", "variation", variation, LEAST_SPREAD)
    checks.within("routes", "error", error, LEAST_ERROR)
    height, width = inputs.grid.shape
    if height * width > MOST:
        raise ValueError(f"routes hold the map in memory: {height} x {width} cells are too many")
    first, last = (cell_at(inputs, name, at) for name, at in (("start", start), ("goal", goal)))
    from ..kernels.entry import measure_route, route_over

    plain, heap = _ground(inputs), _heap(height * width)
    if any(_why_closed(table, plain, cell) for cell in (first, last)):
        return {}
    risks, grid = _risks(table, variation, error)
    found = {}
    for kind, weights in KINDS.items():
        some = risks if weights[1] > 0.0 else risks[:0]
        ground = plain._replace(risks=some, grid=grid, weights=np.array(weights))
        if not route_over(table.table, ground, heap, first, last):
            return {}
        cells = [last]
        while cells[-1] != first:
            cells.append(int(heap.came[cells[-1]]))
        cells_of_route, out = np.array(cells[::-1]), np.empty(3)
        measure_route(table.table, ground._replace(risks=risks), cells_of_route, out)
        places = np.stack(_middle(inputs, cells_of_route // width, cells_of_route % width), axis=1)
        found[kind] = Route(kind, places, float(out[2]), float(out[0]), float(np.exp(-out[1])))
    return found


def why_no_route(
    table: Surface, inputs: Inputs, start: tuple[float, float], goal: tuple[float, float]
) -> str:
    """Sentence on a missing route: an impassable end, or the reachable place nearest to the goal."""
    from ..kernels.entry import route_over

    height, width = inputs.grid.shape
    start, goal = ((float(x), float(y)) for x, y in (start, goal))  # NumPy's numbers print their type
    ends = {"start": cell_at(inputs, "start", start), "goal": cell_at(inputs, "goal", goal)}
    ground, heap = _ground(inputs), _heap(height * width)
    for (name, cell), place in zip(ends.items(), (start, goal), strict=True):
        why = _why_closed(table, ground, cell)
        if why:
            return f"the {name} {place} {why}"
    route_over(table.table, ground, heap, ends["start"], ends["goal"])
    reached = np.flatnonzero(heap.place == -2)
    if reached.size == 1:
        return f"the vehicle cannot leave the start {start}: all its neighbours are NO-GO or closed"
    far = np.hypot(*(m - g for m, g in zip(_middle(inputs, *divmod(reached, width)), goal, strict=True)))
    x, y = _middle(inputs, *divmod(reached[[np.argmin(far)]], width))
    return (
        f"from the start {start} the vehicle reaches {reached.size} cells and comes to "
        f"{far.min():.0f} m from the goal, at ({x[0]:.0f}, {y[0]:.0f}); between are NO-GO, "
        "closed or unknown cells"
    )


def _ground(inputs: Inputs) -> CostGrid:
    """All cells of the rasters, without risks, with the weights of the fastest route."""
    rows, columns = (slice(0, count) for count in inputs.grid.shape)
    east, south = gradient(inputs.elevation(rows, columns, HALO), inputs.grid.spacing)
    return CostGrid(
        inputs.strength(rows, columns), np.ascontiguousarray(east), np.ascontiguousarray(south),
        inputs.limit(rows, columns), np.zeros((0, 0, 0)), np.zeros(4), np.array(inputs.grid.spacing),
        np.array(KINDS["fastest"]),
    )  # fmt: skip


def _heap(n: int) -> Heap:
    return Heap(np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))


def _why_closed(table: Surface, g: CostGrid, cell: int) -> str:
    """Reason why a route cannot end in a cell: closed, unknown or NO-GO; "" if it can.

    A route may cross a NO-GO cell in a passable direction, but a vehicle that stands there is stuck.
    """
    at = divmod(cell, g.strength.shape[1])
    if g.limit[at] == 0.0:
        return "is closed by its land use"
    if not np.isfinite([g.strength[at], g.east[at], g.south[at]]).all():
        return "has no data of soil or slope"
    steep = float(np.hypot(g.east[at], g.south[at]))
    found = table.going(g.strength[at], [steep, -steep, 0.0], [0.0, 0.0, steep])
    for heading, kind, reason in zip(("up", "down", "across"), found.kind, found.reason, strict=True):
        if GO_CLASSES[kind] == "NO-GO":
            return (
                f"is NO-GO: {heading} its slope of {steep:.0%} on {g.strength[at] / 1e3:.0f} kPa the "
                f"limit is {REASONS[reason]}"
            )
    return ""


def _risks(table: Surface, variation: float, error: float) -> tuple[np.ndarray, np.ndarray]:
    """Table of the probit of P(passable) over the angle to uphill, the slope and the log strength.

    Returns the table, and its grid: first node and step of the slope, then of the log strength.
    """
    spread = float(np.sqrt(np.log1p(variation**2)))
    slopes, logs = nodes(table, spread, error)
    angles = np.linspace(0.0, np.pi, ANGLES)
    headings = [(float(np.cos(a)), float(np.sin(a))) for a in angles]
    borders = (border(table, heading, moving=True) for heading in headings)
    tables = [probits(one, slopes, logs, variation, error) for one in borders]
    return np.array(tables), np.array([0.0, slopes[1], logs[0], logs[1] - logs[0]])


def cell_at(inputs: Inputs, name: str, at: tuple[float, float]) -> int:
    """Index of the cell at a place (east, north) [m]; ``name``: for errors.

    Raises:
        ValueError: a place outside the map.
    """
    grid = inputs.grid
    column = np.floor((at[0] - grid.transform[2]) / grid.transform[0])
    row = np.floor((at[1] - grid.transform[5]) / grid.transform[4])
    if not (0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]):
        t, place = grid.transform, tuple(map(float, at))
        east = sorted((t[2], t[2] + grid.shape[1] * t[0]))
        north = sorted((t[5], t[5] + grid.shape[0] * t[4]))
        raise ValueError(
            f"routes: {name} = {place} lies outside the map, east {east[0]:.0f} to {east[1]:.0f}, north "
            f"{north[0]:.0f} to {north[1]:.0f} m"
        )
    return int(row) * grid.shape[1] + int(column)


def _middle(inputs: Inputs, row: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """East and north of the centres of cells [m]."""
    t = inputs.grid.transform
    return t[2] + (column + 0.5) * t[0], t[5] + (row + 0.5) * t[4]


def read_routes(path: Path) -> dict[str, Route]:
    """Read routes from a GeoJSON of ``write_routes``.

    Raises:
        ValueError: another file.
    """
    try:
        found = {}
        for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
            about = feature["properties"]
            numbers = (float(about[name]) for name in ("length_m", "time_s", "chance"))
            places = np.array(feature["geometry"]["coordinates"])
            found[about["kind"]] = Route(about["kind"], places, *numbers)
    except (OSError, ValueError, TypeError, KeyError):
        raise ValueError(f"{path} does not hold routes of a map") from None
    return found


@checked
def write_routes(path: Path, found: Mapping[str, Route], inputs: Inputs) -> Path:
    """Write routes as GeoJSON, in the rasters' coordinates.

    Arguments: path: file. found: result of ``routes``. inputs: their rasters.
    """
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": route.places.tolist()},
            "properties": {
                "kind": kind,
                "length_m": route.length,
                "time_s": route.time,
                "chance": route.chance,
            },
        }
        for kind, route in found.items()
    ]
    crs = {"type": "name", "properties": {"name": inputs.grid.crs}}
    whole = {"type": "FeatureCollection", "crs": crs, "features": features}
    write_file(path, json.dumps(whole).encode())
    return path
