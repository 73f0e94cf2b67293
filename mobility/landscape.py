"""Synthetic landscape for trial maps: ``python -m mobility.landscape --out place``.

Hills are a sum of waves; longer waves are higher. Low ground is wet and weak. All numbers are
invented.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from contact import checks
from mlcp.kinds import checked
from mlcp.writing import make_folder, naming, written

from .mapping.rasters import need_rasterio
from .mapping.tiff import is_whole
from .mapping.tiles import strips
from .soils import SOIL_CODES

WAVES = 160  # number of waves in a sum
SHORTEST, LONGEST = 60.0, 9000.0  # lengths of the waves [m]
ROUGHNESS = 1.15  # exponent of a wave's height as a power of its length
ROWS = 512
OPEN, WOOD, WATER = 1, 2, 3
SOILS = ("CH", "CL", "ML", "SC", "SM", "SP", "GP")


class _Waves:
    """Sum of waves of zero mean and unit variance, in closed form at every cell."""

    def __init__(
        self, random: np.random.Generator, shortest: float, longest: float, power: float
    ) -> None:
        length = np.geomspace(shortest, longest, WAVES)
        turn = random.uniform(0.0, 2.0 * np.pi, WAVES)
        self.x, self.y = (2.0 * np.pi / length * f(turn) for f in (np.cos, np.sin))
        self.phase = random.uniform(0.0, 2.0 * np.pi, WAVES)
        self.size = length**power
        self.size *= np.sqrt(2.0 / np.sum(self.size**2))

    def at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Values [-] on a grid of y, x [m]: two matrix products, as sin(a + b) has two terms."""
        a, b = np.outer(y, self.y) + self.phase, np.outer(self.x, x)
        return (np.sin(a) * self.size) @ np.cos(b) + (np.cos(a) * self.size) @ np.sin(b)


@checked
def make_landscape(
    out: Path, cells: int = 1000, cell: float = 10.0, relief: float = 75.0, seed: int = 1
) -> dict[str, Path]:
    """Write a synthetic landscape as GeoTIFFs; returns the files by name.

    Names: "soil" (cone index [kPa]), "dem" [m], "classes" (``SOIL_CODES``), "moisture" [percent], "land"
    (1 open, 2 wood, 3 water).

    Arguments:
        out: folder, made if needed. cells: number of cells along a side. cell: side of a cell [m].
        relief: standard deviation of the height [m], at least 0. seed: seed of the random waves.

    Raises:
        ValueError: naming the field, its value and the allowed range.
        ModuleNotFoundError: rasterio is not installed.
        OSError: a file cannot be written, naming it.
    """
    checks.within("make_landscape", "cells", cells, 16)
    checks.positive("make_landscape", "cell", cell, unit="m")
    checks.within("make_landscape", "relief", relief, 0.0, unit="m")
    checks.within("make_landscape", "seed", seed, 0)
    rasterio = need_rasterio()
    random = np.random.default_rng(seed)
    hills = _Waves(random, SHORTEST, LONGEST, ROUGHNESS)
    patches = _Waves(random, 100.0, 2500.0, 0.7)
    kinds = _Waves(random, 600.0, 6000.0, 1.0)
    x = cell * np.arange(cells)
    kind = {
        "soil": "float32",
        "dem": "float32",
        "classes": "uint8",
        "moisture": "float32",
        "land": "uint8",
    }
    names = {name: out / f"{name}.tif" for name in kind}
    profile = {
        "driver": "GTiff", "height": cells, "width": cells, "count": 1, "crs": "EPSG:32633",
        "transform": rasterio.Affine(cell, 0.0, 4.0e5, 0.0, -cell, 5.4e6), "tiled": True,
        "blockxsize": 256, "blockysize": 256, "compress": "deflate", "BIGTIFF": "IF_SAFER",
    }  # fmt: skip
    make_folder(out)
    with contextlib.ExitStack() as stack:
        files = {}
        for name, path in names.items():
            place = stack.enter_context(written(path))
            stack.enter_context(_checked(place, path))
            files[name] = stack.enter_context(rasterio.open(place, "w", dtype=kind[name], **profile))
        for rows in strips(cells, ROWS):
            y = cell * np.arange(rows.start, rows.stop)
            height, patch = hills.at(x, y), patches.at(x, y)
            wet = 0.5 - 0.5 * np.tanh(0.9 * height)  # from 0 on hilltops to 1 in valleys
            found = {
                "soil": np.exp(np.log(620.0) - 1.45 * wet + 0.33 * patch),
                "dem": 300.0 + relief * height,
                "classes": np.array([SOIL_CODES[s] for s in SOILS])[
                    np.clip(((kinds.at(x, y) + 1.9) / 3.8 * len(SOILS)).astype(int), 0, len(SOILS) - 1)
                ],
                "moisture": np.clip(13.0 + 15.0 * wet + 2.0 * patch, 3.0, 60.0),
                "land": np.select([height < -1.75, patch > 0.8], [WATER, WOOD], OPEN),
            }
            for name, values in found.items():
                window = ((rows.start, rows.stop), (0, cells))
                with naming(names[name]):
                    files[name].write(values.astype(kind[name]), 1, window=window)
    return names


@contextlib.contextmanager
def _checked(place: Path, path: Path) -> Iterator[None]:
    """Context manager for writing a file; OSError if the file is incomplete."""
    yield
    with naming(path):
        if not is_whole(place):
            raise OSError("the disk is full, or failed")


def main(words: Sequence[str] | None = None, program: str = "python -m mobility.landscape") -> int:
    """Run the command; returns its exit code, 2 with one sentence for bad input."""
    parser = argparse.ArgumentParser(program, description="A made-up landscape for trying maps.")
    parser.add_argument("--cells", type=int, default=1000, help="along each side")
    parser.add_argument("--cell", type=float, default=10.0, help="side of a cell [m]")
    parser.add_argument("--relief", type=float, default=75.0, help="standard deviation of height [m]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder")
    given = vars(parser.parse_args(words))
    try:
        made = make_landscape(**given)
    except (ValueError, OSError, MemoryError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("landscape: " + ", ".join(str(path) for path in made.values()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
