"""Synthetic rasters of height and soil, and bytes of a map's layers, for tests of mobility maps."""

import pytest

from mobility import LAYERS

rasterio = pytest.importorskip(
    "rasterio", reason="maps need rasterio: pip install 'wheelground[mobility]'"
)
pytest.importorskip("zarr", reason="maps need zarr: pip install 'wheelground[mobility]'")


def write(path, values, crs="EPSG:32633", nodata=-9999.0, cell=10.0):
    place = rasterio.transform.from_origin(5e5, 5e6, cell, cell)
    with rasterio.open(
        path, "w", driver="GTiff", height=values.shape[0], width=values.shape[1], count=1,
        dtype="float64", crs=crs, transform=place, nodata=nodata,
    ) as file:  # fmt: skip
        file.write(values, 1)
    return path


def read(path):
    with rasterio.open(path) as file:
        return file.read(1)


def layer_bytes(folder):
    """Bytes of every layer's file."""
    return {name: (folder / f"{name}.tif").read_bytes() for name in LAYERS}
