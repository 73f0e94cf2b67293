"""Writing of GeoTIFF layers, block by block, with legend and overviews; complete or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .layers import Layer
from .rasters import Grid, need_rasterio, opened
from .tiff import is_whole
from .tiles import strips

BLOCK = 256  # cells along a side of a block
ROWS = 2 * BLOCK  # rows written at once
COLUMNS = 16 * BLOCK


def write_layer(path: Path, values: Any, grid: Grid, layer: Layer) -> None:
    """Write one layer as a GeoTIFF with overviews, in a fixed order of blocks for equal bytes.

    Arguments:
        path: file. values: array of cells, or an object with ``values[rows, columns]``.
        grid: position and coordinates. layer: unit, description, codes and colours.

    Raises:
        OSError: the file cannot be written, or the disk is full; no file is left then.
    """
    rasterio = need_rasterio()
    for left in path.parent.glob(f".{path.stem}.*.tif"):  # remains of an interrupted run
        left.unlink()
    part = path.with_name(f".{path.stem}.{os.getpid()}.tif")
    profile = {
        "driver": "GTiff", "height": grid.shape[0], "width": grid.shape[1], "count": 1,
        "dtype": layer.kind, "crs": grid.crs, "transform": rasterio.Affine(*grid.transform),
        "nodata": 0 if layer.codes else float("nan"), "compress": "deflate", "tiled": True,
        "blockxsize": BLOCK, "blockysize": BLOCK, "BIGTIFF": "IF_SAFER",
    }  # fmt: skip
    resampling = rasterio.enums.Resampling.nearest if layer.codes else rasterio.enums.Resampling.average
    levels = [2**k for k in range(1, 12) if min(grid.shape) >> k >= 64]
    try:
        with opened(part, "w", **profile) as file:
            file.set_band_unit(1, layer.unit)
            file.set_band_description(1, layer.legend)
            if layer.codes:
                colours = enumerate(layer.colours)
                file.write_colormap(1, {k: (*_channels(c), 255 if k else 0) for k, c in colours})
            for rows in strips(grid.shape[0], ROWS):
                for columns in strips(grid.shape[1], COLUMNS):
                    window = ((rows.start, rows.stop), (columns.start, columns.stop))
                    file.write(values[rows, columns], 1, window=window)
        if levels:
            with opened(part, "r+") as file:
                file.build_overviews(levels, resampling)
        if not is_whole(part):
            raise OSError("the disk is full, or failed")
        part.replace(path)
    except (rasterio.errors.RasterioError, OSError) as error:
        raise OSError(f"{path} cannot be written: {error.__cause__ or error}") from None
    finally:
        part.unlink(missing_ok=True)


def _channels(colour: str) -> tuple[int, ...]:
    """Red, green and blue, 0 to 255, of "#rrggbb"."""
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))
