"""Mobility maps from rasters of soil and elevation."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from bodies.progress import Elapsed, Progress
from contact import checks
from mlcp.cores import cores
from mlcp.kinds import at_least, checked
from mlcp.writing import make_folder

from ..performance.odds import odds
from ..performance.surface import Surface
from . import store
from .engine import has_dask, local_cluster, run_in_threads, run_on_dask
from .geotiff import write_layer
from .glance import glance
from .layers import LAYERS
from .page import curves, map_layers, write_page, write_picture
from .rasters import Inputs, opened, release
from .routes import Route, cell_at, read_routes, routes, why_no_route, write_routes
from .tiles import Job, strips

SUMMARY, ROUTES = "map.json", "routes.geojson"
BINS = 1 << 16  # number of intervals of speed in the histogram
SOME_ROWS = 128  # rows of a layer read at once
SMALL = 1 << 24  # number of cells below which threads are faster than starting processes
LINES = {"fastest": "#d7191c", "safest": "#1a1a1a"}
CAUTION = "Made by a force balance from the vehicle's description; not compared with a measured vehicle."


@dataclass(frozen=True)
@checked
class Errors:
    """Uncertainty of strength and slope.

    Arguments:
        strength: coefficient of variation [-], at least 0. slope: standard deviation of the tangent [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    strength: Annotated[float, at_least(0.0)] = 0.15
    slope: Annotated[float, at_least(0.0)] = 0.03


@checked.explained
@dataclass(frozen=True)
class Map:
    """Finished map.

    Attributes:
        folder: folder with a GeoTIFF for each of ``LAYERS``, ``map.html`` and ``map.png``.
        summary: "V50", "V80": mean speed over the best half and four fifths of the area [m/s]; "NO-GO":
            fraction of the area [-].
        tiles: number of tiles. computed: number of tiles computed in this call.
        routes: routes between the given places; no_route: reason if no route exists, else "".
    """

    folder: Path
    summary: Mapping[str, float]
    tiles: int
    computed: int
    routes: Mapping[str, Route] = field(default_factory=dict)
    no_route: str = ""

    def layer(self, name: str) -> Path:
        """Path of the GeoTIFF of a layer.

        Raises:
            ValueError: an unknown layer; the message has the nearest known name.
        """
        return self.folder / f"{checks.known('layer', name, LAYERS)}.tif"


@checked
def make_map(
    table: Surface,
    inputs: Inputs,
    out: Path,
    errors: Errors | None = None,
    size: int = 512,
    *,
    client: Any = None,
    workers: int | None = None,
    threads: int | None = None,
    page: bool = True,
    between: tuple[tuple[float, float], tuple[float, float]] | None = None,
) -> Map:
    """Make a map: tiles, then a GeoTIFF for each of ``LAYERS``, ``map.html`` and ``map.png``.

    Finished tiles are stored, so that an interrupted computation continues at the next call. Tiles are
    computed by threads, or from ``SMALL`` cells on by processes of this computer, or by a given
    cluster. The bytes of the layers depend neither on this choice nor on the size of the tiles.

    Arguments:
        table: table of the vehicle. inputs: rasters. out: folder for this map only, made if needed.
        errors: uncertainty of the inputs; default ``Errors()``.
        size: side of a tile [cells], at least 16.
        client: ``distributed.Client`` with workers that access the files under the same names.
        workers: number of processes on this computer, for any size; default: one for each core.
        threads: number of threads of this process, without a cluster; the default for a small map, and
            without Dask.
        page: False: no page and no picture.
        between: two places (east, north) [m]; the fastest and the safest route between them are written
            to ``routes.geojson`` and shown on the page.

    Raises:
        ValueError: naming the field, its value and the allowed range, or the faulty raster; a folder
            with another map; damaged tiles on the disk.
        OSError: the folder cannot be written.
        ModuleNotFoundError: rasterio or zarr is not installed.
    """
    ready(inputs, out, size, workers, threads, between)
    errors = errors or Errors()
    with Elapsed(f"map {out.name}: tables of probabilities"):
        likely = odds(table, errors.strength, errors.slope)
    job = Job(table.table, likely, inputs, size)
    store.create(out, job, table.vehicle.name)
    (out / SUMMARY).unlink(missing_ok=True)  # the existence of this file marks a complete map
    computed: set[tuple[int, int]] = set()
    with ThreadPoolExecutor(cores()) as pool:
        for _ in range(2):  # a second round computes damaged tiles again
            todo = store.unmarked_tiles(out, job)
            _compute(out, todo, client, workers, threads, math.prod(inputs.grid.shape) < SMALL)
            computed |= set(todo)
            damaged = set[tuple[int, int]]().union(
                *pool.map(lambda name: store.damaged(out, job, name), LAYERS)
            )
            store.undo(out, damaged)
            if not damaged:
                break
        else:
            names = ", ".join(store.mark_of(*place) for place in sorted(damaged)[:5])
            raise ValueError(f"{out}: tiles {names} were damaged again while they were made anew")
        list(pool.map(lambda name: _write_geotiff(out, job, name, table.vehicle.gearing), LAYERS))
    found = summary(out / "speed.tif", float(table.driver.maximum))
    found_routes = (
        {} if between is None else routes(table, inputs, *between, errors.strength, errors.slope)
    )
    no_route = ""
    if between is not None:
        no_route = "" if found_routes else why_no_route(table, inputs, *between)
        release()
        write_routes(out / ROUTES, found_routes, inputs)
    if page:
        with Elapsed(f"map {out.name}: page and picture"):
            _show(table, errors, out, inputs, found, found_routes, no_route)
    about = {"vehicle": table.vehicle.name, "gears": table.vehicle.gearing, "no_route": no_route}
    store.write_file(out / SUMMARY, json.dumps(found | about, indent=1).encode())
    return Map(out, found, len(job.tiles), len(computed), found_routes, no_route)


def _write_geotiff(out: Path, job: Job, name: str, gearing: str) -> None:
    """Write the tiles of a layer as one GeoTIFF; ValueError for damaged tiles.

    gearing: description of the permitted gears, added to the layers of speed.
    """
    layer = LAYERS[name]
    if gearing and layer.unit == "m/s":
        layer = replace(layer, words=f"{layer.words}; {gearing}")
    write_layer(out / f"{name}.tif", store.layer_of(out, name), job.inputs.grid, layer)


@checked
def open_map(folder: Path) -> Map:
    """Open a finished map.

    Raises:
        ValueError: a folder without a finished map.
    """
    folder = Path(folder)
    try:
        about = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        found = {name: float(about[name]) for name in ("V50", "V80", "NO-GO")}
    except (OSError, ValueError, TypeError, KeyError):
        begun = (folder / store.ABOUT).is_file()
        more = "its map is not finished; make it again, it continues" if begun else "it is no map"
        raise ValueError(f"{folder} has no {SUMMARY}: {more}") from None
    tiles = len([path for path in (folder / store.DONE).glob("[0-9]*")])
    there = folder / ROUTES
    found_routes = read_routes(there) if there.is_file() else {}
    return Map(folder, found, tiles, 0, found_routes, about.get("no_route", ""))


def ready(
    inputs: Inputs,
    out: Path,
    size: int,
    workers: int | None,
    threads: int | None,
    between: tuple[tuple[float, float], tuple[float, float]] | None = None,
) -> None:
    """Check the arguments of ``make_map`` and the rasters before the computation; make the folder.

    Arguments, raises: as for ``make_map``.
    """
    checks.within("make_map", "size", size, 16)
    for name, count in (("workers", workers), ("threads", threads)):
        checks.within("make_map", name, 1 if count is None else count, 1)
    for name, place in zip(("start", "goal"), between or (), strict=False):
        cell_at(inputs, name, place)
    try:
        glance(inputs)
    finally:
        release()
    store.make_writable_folder(out)


def _show(
    table: Surface,
    errors: Errors,
    out: Path,
    inputs: Inputs,
    found: Mapping[str, float],
    found_routes: Mapping[str, Route],
    no_route: str,
) -> None:
    """Write page and picture of a map; found: its summary."""
    name = table.vehicle.name
    title = f"Where {name} can go, and how fast"
    layers = map_layers(out)
    rows = [
        ("V50, mean speed over the best half", f"{found['V50']:.1f} m/s"),
        ("V80, over the best four fifths", f"{found['V80']:.1f} m/s"),
        ("NO-GO", f"{found['NO-GO']:.1%} of the area"),
        ("driven in", table.vehicle.gearing),
        ("known to", f"strength {errors.strength:.0%}, slope {errors.slope:g}"),
    ]
    for kind, route in found_routes.items():
        text = (
            f"{route.length / 1e3:.2f} km, {route.time / 60.0:.1f} min, "
            f"goes on with chance {route.chance:.2f}"
        )
        rows.append((f"{kind} way", text))
    if no_route:
        rows.append(("no route", no_route))
    lines = [
        {"name": kind, "colour": LINES[kind], "places": route.places}
        for kind, route in found_routes.items()
    ]
    shapes = curves(table, errors.strength, errors.slope)
    write_page(out / "map.html", title, layers, inputs.grid, rows, shapes, CAUTION, lines)
    some = {name: layers[name] for name in ("class", "speed", "reason", "chance")}
    write_picture(out / "map.png", title, some, inputs.grid)


def _compute(
    out: Path, todo: list[tuple[int, int]], client: Any, workers: Any, threads: Any, small: bool
) -> None:
    """Compute the missing tiles by threads, by local processes or by a cluster."""
    if not todo:
        return
    progress = Progress(f"map {out.name}", len(todo), "tiles")
    try:
        if client is not None:
            run_on_dask(out, todo, client, progress.at)
        elif threads is not None or not has_dask() or (workers is None and small):
            run_in_threads(out, todo, threads or workers or cores(), progress.at)
        else:
            with local_cluster(min(workers or cores(), len(todo))) as own:
                run_on_dask(out, todo, own, progress.at)
    finally:
        progress.end()


def summary(speed: Path, fastest: float) -> dict[str, float]:
    """Summary of a map: V50 and V80 [m/s], fraction of NO-GO [-], see ``Map``.

    The speeds are counted in a histogram of 65536 classes, which needs little memory.

    Arguments: speed: GeoTIFF [m/s]; nan: no data, not counted; 0: NO-GO. fastest: largest speed [m/s].

    Raises:
        ValueError: no cell has data.
    """
    count, total = np.zeros(BINS, np.int64), np.zeros(BINS)
    stopped = 0
    with opened(speed) as file:
        for rows in strips(file.height, SOME_ROWS):
            found = file.read(1, window=((rows.start, rows.stop), (0, file.width))).astype(float)
            found = found[np.isfinite(found)]
            stopped += int(np.sum(found == 0.0))
            places = np.minimum((found * (BINS / fastest)).astype(np.int64), BINS - 1)
            count += np.bincount(places, minlength=BINS)
            total += np.bincount(places, found, minlength=BINS)
    known = int(count.sum())
    if known == 0:
        raise ValueError("no cell of the map has both strength and slope: do the rasters hold data?")
    most, sums = np.cumsum(count[::-1]), np.cumsum(total[::-1])
    answer = {}
    for percent in (50, 80):
        wanted = max(1, round(known * percent / 100))
        k = int(np.searchsorted(most, wanted))
        before, so_far = (most[k - 1], sums[k - 1]) if k else (0, 0.0)
        mean = total[::-1][k] / count[::-1][k]
        answer[f"V{percent}"] = float((so_far + (wanted - before) * mean) / wanted)
    return answer | {"NO-GO": stopped / known}


@checked
def scenarios(
    table: Surface, inputs: Inputs, out: Path, wetness: Mapping[str, float], **settings: Any
) -> dict[str, Map]:
    """Make a map for each scenario of moisture, in a folder with its name; returns the maps by name.

    Arguments:
        table, inputs: as for ``make_map``; the inputs need a raster of moisture.
        out: folder. wetness: factor on the moisture [-] by name, such as {"wet": 1.3, "dry": 0.7}.
        settings: further arguments of ``make_map``.

    Raises:
        ValueError: inputs without moisture; otherwise as ``make_map``.
    """
    if inputs.moisture is None:
        raise ValueError("scenarios of moisture need a raster of it, moisture, and soil classes")
    make_folder(out)
    return {
        name: make_map(table, replace(inputs, wetness=factor), out / name, **settings)
        for name, factor in wetness.items()
    }
