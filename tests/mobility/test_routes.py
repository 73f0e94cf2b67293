"""Routes: straight on uniform ground, around soft ground, and equal to those of another program."""

import json

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from mobility import Inputs, routes, write_routes
from mobility.mapping.routes import cell_at, why_no_route
from mobility.mapping.slopes import gradient

from .places import write

CELL = 10.0


def inputs_of(folder, soil, dem):
    return Inputs(write(folder / "soil.tif", soil), write(folder / "dem.tif", dem))


def at(row, column):
    """East and north coordinate of a cell's middle."""
    return 5e5 + CELL * (column + 0.5), 5e6 - CELL * (row + 0.5)


def test_on_even_ground_it_goes_straight_at_its_speed(table, tmp_path):
    inputs = inputs_of(tmp_path, np.full((20, 40), 400.0), np.zeros((20, 40)))
    found = routes(table, inputs, at(10, 3), at(10, 36))
    speed = float(table.going(4e5, 0.0, 0.0).speed)
    for way in found.values():
        assert way.length == pytest.approx(33 * CELL)
        assert way.time == pytest.approx(33 * CELL / speed, rel=1e-9)
    assert found["fastest"].chance > 0.99


def test_up_takes_longer_than_down_and_the_way_back_is_another(table, tmp_path):
    x = np.mgrid[:20, :40][1]
    inputs = inputs_of(tmp_path, np.full((20, 40), 400.0), 3.0 * x)
    up, down = (routes(table, inputs, at(10, a), at(10, b))["fastest"] for a, b in ((3, 36), (36, 3)))
    assert up.time > 1.05 * down.time
    assert up.time == pytest.approx(330.0 / float(table.going(4e5, 0.3).speed), rel=1e-6)


def test_the_fastest_way_is_that_of_another_code(table, tmp_path):
    """SciPy's Dijkstra on the graph of all steps, with costs by ``Surface.going``."""
    random = np.random.default_rng(8)
    rows, columns = 17, 21
    y, x = np.mgrid[:rows, :columns]
    dem = 12.0 * np.sin(x / 3.0) * np.cos(y / 4.0)
    soil = np.exp(random.uniform(np.log(120.0), np.log(900.0), (rows, columns)))
    inputs = inputs_of(tmp_path, soil, dem)
    whole = slice(0, rows), slice(0, columns)
    east, south = gradient(inputs.elevation(*whole, 1), inputs.grid.spacing)
    start, goal = (3, 3), (14, 17)
    price = {}
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            far = np.hypot(dr, dc)
            if far > 0.0:
                along = (east * dc + south * dr) / far
                across = (east * dr - south * dc) / far
                with np.errstate(divide="ignore"):
                    price[dr, dc] = 0.5 * far * CELL / table.going(1e3 * soil, along, across).speed
    edges = []
    for (dr, dc), cost in price.items():
        for r in range(max(0, -dr), rows - max(0, dr)):
            for c in range(max(0, -dc), columns - max(0, dc)):
                total = cost[r, c] + cost[r + dr, c + dc]
                if np.isfinite(total):
                    edges.append((r * columns + c, (r + dr) * columns + c + dc, total))
    here, there, cost = map(np.array, zip(*edges, strict=True))
    graph = coo_array((cost, (here, there)), shape=(rows * columns,) * 2).tocsr()
    least = dijkstra(graph, indices=start[0] * columns + start[1])[goal[0] * columns + goal[1]]
    found = routes(table, inputs, at(*start), at(*goal))
    assert found["fastest"].time == pytest.approx(least, rel=1e-12)
    assert found["safest"].time >= least
    assert found["safest"].chance >= found["fastest"].chance


def test_the_safe_way_goes_around_what_is_nearly_too_soft(table, tmp_path):
    soil = np.full((40, 60), 700.0)
    soil[:30, 28:32] = 150.0  # [kPa] hardly passable; firm ground farther south
    inputs = inputs_of(tmp_path, soil, np.zeros((40, 60)))
    found = routes(table, inputs, at(10, 5), at(10, 55))
    assert found["fastest"].length < 0.9 * found["safest"].length
    assert found["safest"].chance > 0.95 > found["fastest"].chance
    kept = json.loads(write_routes(tmp_path / "ways.geojson", found, inputs).read_text())
    assert kept["features"][0]["geometry"]["coordinates"][0] == list(at(10, 5))


@pytest.mark.parametrize("end", ["start", "goal"])
def test_no_route_ends_in_a_no_go_cell_that_it_could_cross(end, table, tmp_path):
    """No route has an end on a ramp too steep to climb, though a moving vehicle could descend it."""
    x = np.mgrid[:20, :40][1]
    inputs = inputs_of(tmp_path, np.full((20, 40), 200.0), -3.0 * np.clip(x - 15, 0, 10))
    on_ramp, firm = at(10, 20), at(10, 3 if end == "goal" else 36)
    ends = (firm, on_ramp) if end == "goal" else (on_ramp, firm)
    assert routes(table, inputs, at(10, 3), at(10, 36))
    assert routes(table, inputs, *ends) == {}
    assert why_no_route(table, inputs, *ends).startswith(f"the {end} {on_ramp} is NO-GO: up its slope")


def test_where_there_is_no_way_none_is_given(table, tmp_path):
    soil = np.full((20, 40), 400.0)
    soil[:, 20] = 1.5  # [kPa] too soft; 342 = 18 x 19 cells west of it (edge cells do not count)
    inputs = inputs_of(tmp_path, soil, np.zeros((20, 40)))
    assert routes(table, inputs, at(10, 5), at(10, 35)) == {}
    why = why_no_route(table, inputs, at(10, 5), at(10, 35))
    assert "reaches 342 cells and comes to 160 m from the goal, at (500195, " in why
    assert (
        "the start (500205.0, 4999895.0) is NO-GO: up its slope of 0% on 2 kPa the limit is soil"
        in why_no_route(table, inputs, tuple(map(np.float64, at(10, 20))), at(10, 35))
    )
    soil[8:13, 2:9] = 1.5
    soil[10, 5] = 400.0  # [kPa] firm, within soft ground
    (tmp_path / "island").mkdir()
    inputs = inputs_of(tmp_path / "island", soil, np.zeros((20, 40)))
    assert why_no_route(table, inputs, at(10, 5), at(10, 35)).startswith("the vehicle cannot leave")
    with pytest.raises(ValueError, match=r"start = \(0\.0, 0\.0\) lies outside the map"):
        routes(table, inputs, tuple(np.zeros(2)), at(10, 35))
    for nowhere in (np.nan, np.inf):
        with pytest.raises(ValueError, match="outside the map"):
            cell_at(inputs, "start", (nowhere, 0.0))
