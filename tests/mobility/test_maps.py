"""Maps from made-up rasters: the same bytes for any tiles, seams of a plane, refused input."""

import numpy as np
import pytest

from mobility import lumped, surface
from mobility.__main__ import main
from mobility.limits import NO_DATA
from mobility.maps import LAYERS, Errors, make_map
from mobility.rasters import Inputs

rasterio = pytest.importorskip(
    "rasterio", reason="maps need rasterio: pip install 'wheelground[mobility]'"
)
SHAPE = (70, 90)


def write(path, values, crs="EPSG:32633", nodata=-9999.0):
    place = rasterio.transform.from_origin(5e5, 5e6, 10.0, 10.0)
    with rasterio.open(
        path, "w", driver="GTiff", height=values.shape[0], width=values.shape[1], count=1,
        dtype="float64", crs=crs, transform=place, nodata=nodata,
    ) as file:  # fmt: skip
        file.write(values, 1)
    return path


def read(path):
    with rasterio.open(path) as file:
        return file.read(1)


@pytest.fixture(scope="module")
def table():
    return surface(lumped("hmmwv_4x4", open_axles=False))


@pytest.fixture
def rasters(tmp_path):
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    soil = 200.0 + 150.0 * np.sin(x / 17.0) + 30.0 * np.cos(y / 9.0)
    soil[10:14, 20:25] = -9999.0
    dem = 60.0 * np.sin(x / 13.0) * np.cos(y / 16.0)
    return write(tmp_path / "ci.tif", soil), write(tmp_path / "dem.tif", dem)


def test_every_byte_is_the_same_for_any_tiles_and_threads(table, rasters, tmp_path):
    inputs, found = Inputs(*rasters), []
    for size, threads in ((256, 1), (32, 2), (17, 1)):
        make_map(table, inputs, tmp_path / "map", size=size, threads=threads)
        found.append({name: read(tmp_path / "map" / f"{name}.tif").tobytes() for name in LAYERS})
    assert found[0] == found[1] == found[2]


def test_a_plane_has_one_slope_and_holes_stay_holes(table, rasters, tmp_path):
    x = np.mgrid[: SHAPE[0], : SHAPE[1]][1].astype(float)
    plane = write(tmp_path / "plane.tif", 2.0 * x)  # slope 0.2
    soil = np.full(SHAPE, 300.0)
    soil[30, 30] = -9999.0
    inputs = Inputs(write(tmp_path / "even.tif", soil), plane)
    make_map(table, inputs, tmp_path / "map", Errors(0.0, 0.0), size=16)
    speed, kind = read(tmp_path / "map" / "speed.tif"), read(tmp_path / "map" / "class.tif")
    ways = [float(table.going(3e5, a, c).speed) for a, c in ((0.2, 0.0), (-0.2, 0.0), (0.0, 0.2))]
    inner = np.isfinite(speed)
    assert np.unique(speed[inner]) == pytest.approx([3.0 / sum(1.0 / v for v in ways)])
    assert kind[30, 30] == NO_DATA
    assert inner.sum() == (SHAPE[0] - 2) * (SHAPE[1] - 2) - 1
    assert set(np.unique(read(tmp_path / "map" / "chance.tif")[inner])) == {1.0}


def test_layers_say_where_they_are_and_what(table, rasters, tmp_path):
    make_map(table, Inputs(*rasters), tmp_path / "map")
    with rasterio.open(tmp_path / "map" / "speed.tif") as file:
        assert file.crs.to_epsg() == 32633
        assert file.units == ("m/s",)
        assert np.isnan(file.nodata)
    with rasterio.open(tmp_path / "map" / "class.tif") as file:
        assert "3 NO-GO" in file.descriptions[0]


def test_what_does_not_belong_together_is_a_sentence(rasters, tmp_path, capsys):
    soil, dem = rasters
    values = read(soil)
    for other, words in (
        (write(tmp_path / "a.tif", values, crs="EPSG:32634"), "differ in coordinates"),
        (write(tmp_path / "b.tif", values, crs="EPSG:4326"), "in degrees"),
        (write(tmp_path / "c.tif", values[1:]), "differ in size"),
        (tmp_path / "none.tif", "cannot be read"),
    ):
        command = ["--soil", str(other), "--dem", str(dem), "--out", str(tmp_path / "map")]
        assert main(command) == 2
        assert words in capsys.readouterr().err
    cut = tmp_path / "cut.tif"
    cut.write_bytes(soil.read_bytes()[:20_000])
    with pytest.raises(ValueError, match="damaged or cut off"):
        Inputs(cut, dem).read("soil", slice(0, 70), slice(0, 90))
    with pytest.raises(ValueError, match="is its unit MPa"):
        Inputs(soil, dem, "MPa").read("soil", slice(0, 70), slice(0, 90))
    assert not (tmp_path / "map").exists()
