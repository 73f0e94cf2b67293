"""Comparison of two maps of one area: trafficability and speed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.kinds import checked
from mlcp.writing import make_folder

from ..kernels.tables import NO_DATA, NO_GO
from . import store
from .geotiff import write_layer
from .layers import Layer
from .maps import SOME_ROWS, SUMMARY, Map, open_map
from .page import write_page, write_picture
from .rasters import CACHE, Grid, need_rasterio
from .tiles import strips

WHICH_GOES = ("no data", "both", "only the first", "only the second", "neither")
_BLUE_RED = ("#2166ac", "#92c5de", "#f7f7f7", "#f4a582", "#b2182b")


@dataclass(frozen=True)
class Compared:
    """Comparison of two maps.

    Attributes:
        folder: folder with ``who.tif``, ``faster.tif``, ``compare.html`` and ``compare.png``.
        shares: fractions of the area by class: passable for both, only the first, only the second,
            neither [-].
        faster: mean speed difference, first less second, on the area passable for both [m/s].
    """

    folder: Path
    shares: dict[str, float]
    faster: float


class _Both:
    """Layer computed from two maps, strip by strip."""

    def __init__(self, files: list[Any], made: Callable[..., np.ndarray]) -> None:
        self.files, self.made = files, made

    def __getitem__(self, place: tuple[slice, slice]) -> np.ndarray:
        rows, columns = place
        window = ((rows.start, rows.stop), (columns.start, columns.stop))
        return self.made(*(file.read(1, window=window) for file in self.files))


def _which_goes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    goes = [(kind != NO_DATA) & (kind < NO_GO) for kind in (first, second)]
    known = (first != NO_DATA) & (second != NO_DATA)
    found = np.select([goes[0] & goes[1], goes[0], goes[1]], [1, 2, 3], 4)
    return np.where(known, found, 0).astype(np.uint8)


@checked
def compare(first: Map | Path, second: Map | Path, out: Path) -> Compared:
    """Compare two maps of one area, of two vehicles or two scenarios.

    Arguments:
        first, second: finished maps on the same cells, or their folders. out: folder, made if needed.

    Raises:
        ValueError: maps with different cells; a folder without a finished map.
        OSError: the folder cannot be written.
    """
    rasterio = need_rasterio()
    first, second = (m if isinstance(m, Map) else open_map(m) for m in (first, second))
    names = [_name(made.folder) for made in (first, second)]
    layers = {
        "who": Layer(
            "",
            f"who goes: first {names[0]}, second {names[1]}",
            WHICH_GOES,
            ("#ffffff", "#4d9221", "#2166ac", "#b2182b", "#8c8c8c"),
        ),
        "faster": Layer("m/s", f"speed of {names[0]} less that of {names[1]}", (), _BLUE_RED, True),
    }
    with rasterio.Env(GDAL_CACHEMAX=CACHE):
        kinds, speeds = (
            [rasterio.open(made.layer(name)) for made in (first, second)] for name in ("class", "speed")
        )
        one, two = kinds
        same = (one.shape, one.crs, one.transform) == (two.shape, two.crs, two.transform)
        if not same:
            raise ValueError(f"{first.folder} and {second.folder} are maps of other cells")
        make_folder(out)
        grid = Grid(one.shape, tuple(one.transform)[:6], one.crs.to_string(), one.res)
        found = {"who": _Both(kinds, _which_goes), "faster": _Both(speeds, np.subtract)}
        for name, layer in layers.items():
            write_layer(out / f"{name}.tif", found[name], grid, layer)
        count, total = np.zeros(len(WHICH_GOES), np.int64), 0.0
        whole = slice(0, grid.shape[1])
        for rows in strips(grid.shape[0], SOME_ROWS):
            which = found["who"][rows, whole]
            count += np.bincount(which.ravel(), minlength=len(WHICH_GOES))
            total += float(np.sum(found["faster"][rows, whole][which == 1], dtype=float))
        for file in (*kinds, *speeds):
            file.close()
    known = max(int(count[1:].sum()), 1)
    shares = {word: float(n) / known for word, n in zip(WHICH_GOES[1:], count[1:], strict=True)}
    faster = total / max(int(count[1]), 1)
    title = f"{names[0]} and {names[1]}"
    rows = [(f"{word}", f"{share:.1%} of the area") for word, share in shares.items()]
    rows.append((f"{names[0]} is faster by", f"{faster:.1f} m/s where both go"))
    files = {name: (layer, out / f"{name}.tif") for name, layer in layers.items()}
    write_page(out / "compare.html", title, files, grid, rows)
    write_picture(out / "compare.png", title, files, grid)
    store.write_file(
        out / "compare.json", json.dumps({"shares": shares, "faster": faster}, indent=1).encode()
    )
    return Compared(out, shares, faster)


def _name(folder: Path) -> str:
    """Name of a map's vehicle, followed by the folder's name, which distinguishes scenarios."""
    saved = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    return f"{saved['vehicle']} ({folder.name})"
