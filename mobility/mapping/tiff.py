"""Check that a written GeoTIFF is complete, since GDAL reports no errors when it closes a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .rasters import need_rasterio, opened


def is_whole(path: Path) -> bool:
    """Whether all blocks of the first band and its overviews lie in the file, non-zero and disjoint.

    Source: positions and sizes of GDAL's GeoTIFF driver (items BLOCK_OFFSET, BLOCK_SIZE).
    """
    rasterio = need_rasterio()
    try:
        data = np.memmap(path, np.uint8, "r")
        with opened(path) as file:
            levels = len(file.overviews(1))
            found = [(int(a), int(n)) for a, n in _blocks(rasterio, file, path, levels)]
    except (rasterio.errors.RasterioError, TypeError, ValueError):
        return False
    places, lengths = np.array(sorted(found), np.int64).T
    if np.any(lengths <= 0) or np.any(places + lengths > data.size):
        return False
    return bool(np.all((places + lengths)[:-1] <= places[1:]) and np.all(data[places] != 0))


def _blocks(rasterio: Any, file: Any, path: Path, levels: int) -> Iterator[tuple[Any, Any]]:
    """Position and size of every block, level by level; None for a missing block."""
    for level in range(-1, levels):
        given = {} if level < 0 else {"OVERVIEW_LEVEL": level}
        with rasterio.open(path, **given) as part:
            high, wide = part.block_shapes[0]
            for row in range(-(-part.height // high)):
                for column in range(-(-part.width // wide)):
                    yield tuple(
                        part.get_tag_item(f"BLOCK_{what}_{column}_{row}", "TIFF", bidx=1)
                        for what in ("OFFSET", "SIZE")
                    )
