"""Command line for a mobility map."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from bodies.progress import show_in_pipes

from .mapping.compare import compare
from .mapping.maps import Errors, Map, make_map, ready
from .mapping.rasters import PASCALS, Inputs
from .performance.partial_table import tables_folder
from .performance.surface import surface
from .vehicles.lumping import lumped


def _limits(word: str) -> tuple[int, float]:
    """Code of a land use and its speed limit [m/s], from "CODE=SPEED"."""
    code, _, speed = word.partition("=")
    try:
        return int(code), float(speed)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no CODE=SPEED, such as 2=4.5") from None


def _place(word: str) -> tuple[float, float]:
    """East and north [m], from "EAST,NORTH"."""
    east, _, north = word.partition(",")
    try:
        return float(east), float(north)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no EAST,NORTH in metres") from None


def _add_computing(p: argparse.ArgumentParser) -> None:
    """Add the options for uncertainty and computation to a parser."""
    p.add_argument("--strength-variation", type=float, default=0.15, help="standard deviation / mean")
    p.add_argument("--slope-error", type=float, default=0.03, help="standard deviation of the tangent")
    p.add_argument("--tile", type=int, default=512, help="side of a tile [cells]")
    p.add_argument(
        "--workers",
        type=int,
        help="processes; default: a core each for a large map, threads for a small one",
    )
    p.add_argument("--threads", type=int, help="threads of this process instead of processes")
    p.add_argument("--scheduler", help="address of a Dask scheduler of yours instead")


def parser(program: str = "python -m mobility") -> argparse.ArgumentParser:
    """Parser of the command line."""
    p = argparse.ArgumentParser(program, description="Where a vehicle can go, how fast, and how surely.")
    p.add_argument("--soil", type=Path, required=True, help="GeoTIFF of cone index, or of soil classes")
    p.add_argument("--dem", type=Path, required=True, help="GeoTIFF of the elevation [m]")
    p.add_argument("--unit", default="kPa", help=f"of the cone index: {', '.join(PASCALS)}")
    p.add_argument(
        "--moisture", type=Path, help="GeoTIFF [percent of dry weight]; --soil is then classes"
    )
    p.add_argument(
        "--classes",
        type=Path,
        help="CSV of the soil raster's classes: class, and cone_index_kPa, or uscs and moisture_percent",
    )
    p.add_argument("--wetness", type=float, default=1.0, help="factor on the moisture")
    p.add_argument("--land", type=Path, help="GeoTIFF of land use, whole numbers")
    p.add_argument(
        "--limit",
        type=_limits,
        action="append",
        default=[],
        metavar="CODE=SPEED",
        help="speed limit [m/s] of a land use, 0: closed; as often as needed",
    )
    p.add_argument("--vehicle", default="hmmwv_4x4", help="a shipped vehicle, or a file")
    p.add_argument(
        "--transfer",
        type=float,
        action="append",
        default=[],
        metavar="RATIO",
        help="ratio of a range of the transfer case; several: the best; default: the file's",
    )
    p.add_argument(
        "--gear",
        type=int,
        action="append",
        default=[],
        help="a gear that may be used; as often as needed; default: all",
    )
    p.add_argument(
        "--tables",
        type=Path,
        help=f"folder that keeps the vehicles' tables between runs; default: {tables_folder()}",
    )
    _add_computing(p)
    for name in ("from", "to"):
        p.add_argument(
            f"--{name}",
            dest=f"{name}_",
            type=_place,
            metavar="EAST,NORTH",
            help=f"place [m] {name} which the fastest and the safest way lead",
        )
    p.add_argument("--out", type=Path, required=True, help="folder for the layers")
    return p


def compared(words: Sequence[str], program: str) -> int:
    """Compare two finished maps; returns the exit code, 2 with one sentence for bad input."""
    p = argparse.ArgumentParser(f"{program} compare", description="Two finished maps of one area.")
    p.add_argument("first", type=Path, help="folder of a map")
    p.add_argument("second", type=Path, help="folder of another map on the same cells")
    p.add_argument("--out", type=Path, default=Path("compared"), help="folder for layers and page")
    given = p.parse_args(words)
    try:
        found = compare(given.first, given.second, given.out)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(", ".join(f"{word} {share:.1%}" for word, share in found.shares.items()))
    faster = "the first" if found.faster >= 0.0 else "the second"
    print(f"{faster} is faster by {abs(found.faster):.1f} m/s where both go")
    print(f"page: {found.folder / 'compare.html'}")
    return 0


def main(words: Sequence[str] | None = None, program: str = "python -m mobility") -> int:
    """Run the command; returns its exit code: 2 with one sentence for bad input, 130 interrupted."""
    words = sys.argv[1:] if words is None else words
    if words and words[0] == "compare":
        return compared(words[1:], program)
    given = parser(program).parse_args(words)
    log = logging.getLogger("mobility")
    if not log.handlers:
        log.addHandler(logging.StreamHandler())
    log.setLevel(logging.INFO)
    show_in_pipes()
    print(f"map of {given.vehicle}: reading the vehicle and the rasters ...", flush=True)
    try:
        found = _make(given)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: the same command continues with what is done", file=sys.stderr)
        return 130  # 128 + SIGINT, as in a shell
    half, most = found.summary["V50"], found.summary["V80"]
    print(f"V50 {half:.1f} m/s, V80 {most:.1f} m/s, NO-GO {found.summary['NO-GO']:.1%}")
    for kind, route in found.routes.items():
        print(
            f"{kind} route: {route.length / 1e3:.2f} km, {route.time / 60.0:.1f} min, passable with "
            f"probability {route.chance:.2f}"
        )
    print(f"tiles: {found.computed} of {found.tiles} computed now")
    print(f"layers: {found.folder}")
    print(f"page: {found.folder / 'map.html'}")
    if given.from_ is not None and not found.routes:
        print(f"no route: {found.no_route}", file=sys.stderr)
        return 1
    return 0


def _make(given: argparse.Namespace) -> Map:
    inputs = Inputs(
        given.soil,
        given.dem,
        given.unit,
        given.moisture,
        given.wetness,
        given.land,
        dict(given.limit),
        given.classes,
    )
    errors = Errors(given.strength_variation, given.slope_error)
    car = lumped(given.vehicle, transfers=given.transfer, allowed_gears=given.gear)
    car.check_strength()
    if (given.from_ is None) != (given.to_ is None):
        raise ValueError("--from and --to belong together")
    between = None if given.from_ is None else (given.from_, given.to_)
    ready(
        inputs, given.out, given.tile, given.workers, given.threads, between
    )  # raises errors for bad input before the long computation of the vehicle's table
    settings = {
        "between": between,
        "size": given.tile,
        "workers": given.workers,
        "threads": given.threads,
    }
    print(
        f"{car.name}: {car.gearing}; first its table (some 20 s, or kept from an earlier run) ...",
        flush=True,
    )
    table = surface(car, folder=given.tables or tables_folder())
    if given.scheduler is None:
        return make_map(table, inputs, given.out, errors, **settings)
    from distributed import Client

    with Client(given.scheduler) as client:
        return make_map(table, inputs, given.out, errors, client=client, **settings)
