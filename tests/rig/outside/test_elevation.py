"""Elevation from a GeoTIFF: wheels, receiver and scene have the height of the file."""

import datetime as dt
import math
import shutil

import numpy as np
import pynmea2
import pytest

import rig
from contact.terrain.geotiff import band_values
from rig import RigError
from rig.gnss.receiver import rotation
from rig.outside.elevation import Elevation
from rig.outside.geodesy import Origin
from rig.outside.journal import Journal
from rig.outside.nmea import Fix, sentences
from rig.outside.replay import read
from rig.outside.view.picture import Picture

rasterio = pytest.importorskip("rasterio", reason="needs rasterio")
pytest.importorskip("pymap3d", reason="needs pymap3d")

CELL = 1.0 / 3600.0 / 3.0  # [deg]: a third of a second, some 10 m northward
LATITUDE, LONGITUDE = 47.3, 11.4  # [deg] the north-western corner
CELLS = 90


def hills(column, row):
    """Heights [m] over the file's cells."""
    return 850.0 + 14.0 * np.sin(0.09 * column + 0.3) * np.cos(0.07 * row) + 0.4 * row


def written(path, heights, crs, *origin):
    """Write heights [m] to a GeoTIFF; ``origin``: its corner x, y and the cells' sides."""
    (height, width), place = heights.shape, rasterio.transform.from_origin(*origin)
    profile = {"driver": "GTiff", "width": width, "height": height, "count": 1, "dtype": "float64"}
    with rasterio.open(path, "w", **profile, crs=crs, transform=place) as file:
        file.write(heights, 1)
    return path


@pytest.fixture(scope="module")
def degrees(tmp_path_factory):
    """(path of a GeoTIFF in degrees of latitude and longitude, its heights [m])."""
    heights = hills(*np.meshgrid(np.arange(CELLS), np.arange(CELLS)))
    path = tmp_path_factory.mktemp("dem") / "degrees.tif"
    return written(path, heights, "EPSG:4326", LONGITUDE, LATITUDE, CELL, CELL), heights


def middle_of(column, row):
    """Latitude and longitude of the middle of a cell."""
    return LATITUDE - (row + 0.5) * CELL, LONGITUDE + (column + 0.5) * CELL


@pytest.mark.parametrize(("column", "row"), [(45, 45), (60, 30), (20, 70)])
def test_wheels_receiver_and_scene_stand_at_the_height_of_that_cell(degrees, column, row):
    path, heights = degrees
    ground = Elevation.read(path, *middle_of(45, 45), reach=400.0)
    x, y, _ = ground.place.local(*middle_of(column, row), heights[row, column])
    machine = rig.Rig(
        0.01,
        terrain=ground,
        chassis="kinematic",
        speed=0.0,
        gnss=rig.make("gnss", "perfect", compensation="none"),
        start={"position": (x, y, 0.0), "attitude": (0.0, 0.0, 0.7)},
    )
    machine.run(0.1)
    wanted = heights[row, column]
    # the machine's reference point, between its rear wheels, is on the ground
    axle = machine["position"]
    assert ground.place.geodetic(*axle)[2] == pytest.approx(wanted, abs=0.01)
    left = np.array([-math.sin(0.7), math.cos(0.7)])
    wheels = [axle[:2] + side * 0.9 * left for side in (1.0, -1.0)]
    assert axle[2] == pytest.approx(np.mean([ground.height(*w) for w in wheels]), abs=1e-9)
    # altitude of the antenna in the NMEA sentence, less its lever arm
    antenna = machine["fix_position"]
    fix = Fix.of(ground.place, dt.datetime(2026, 5, 1, tzinfo=dt.UTC), antenna, heading=0.7, speed=0.0)
    told = pynmea2.parse(sentences(fix, ("GGA",))[0].strip())
    arm = rotation(*machine["attitude"]) @ (1.5, 0.0, 3.0)
    foot = antenna - arm
    assert float(told.altitude) - arm[2] == pytest.approx(wanted, abs=0.01)
    assert np.abs(foot - axle).max() < 1e-9
    # the nearest vertex of the mesh that is drawn
    vertices = np.concatenate([part.mesh.vertices for part in Picture.of(machine).drawn.ground])
    near = vertices[np.hypot(*(vertices[:, :2] - (x, y)).T).argmin()]
    assert np.hypot(*(near[:2] - (x, y))) < 0.05
    slope = 2.0  # bound [-] of the ground's slope, which is below 0.3 (1.3 m over a cell of 7 m)
    assert ground.place.geodetic(*near)[2] == pytest.approx(wanted, abs=0.01 + 0.05 * slope)
    assert near[2] == pytest.approx(float(ground.height(*near[:2])), abs=1e-9)


def test_every_cell_within_reach_has_the_file_s_height(degrees):
    """Heights agree also at 400 m, where the Earth's surface is 1 cm below the level plane."""
    path, heights = degrees
    ground = Elevation.read(path, *middle_of(45, 45), reach=400.0)
    for column in range(5, 85, 7):
        for row in range(10, 80, 7):
            x, y, z = ground.place.local(*middle_of(column, row), heights[row, column])
            if max(abs(x), abs(y)) < 390.0:
                assert float(ground.height(x, y)) == pytest.approx(z, abs=2e-3)
    x, y, z = Origin(*middle_of(45, 45), ground.place.height).local(*middle_of(45, 12))
    assert ground.place.height == pytest.approx(heights[45, 45], abs=1e-9)
    assert abs(y) > 300.0


def test_the_same_hills_in_a_projection_are_the_same_ground(degrees, tmp_path):
    """A transverse Mercator grid of 5 m, whose north differs from the local north, has equal heights."""
    first = Elevation.read(degrees[0], *middle_of(45, 45), reach=150.0)
    warp = pytest.importorskip("rasterio.warp")
    crs, size = "EPSG:32632", 120
    (x,), (y,) = warp.transform("EPSG:4326", crs, *([v] for v in middle_of(45, 45)[::-1]))
    east, north = np.meshgrid(x - 303.0 + 5.0 * np.arange(size), y + 301.0 - 5.0 * np.arange(size))
    lon, lat = np.array(warp.transform(crs, "EPSG:4326", east.ravel(), north.ravel()))
    heights = hills((lon - LONGITUDE) / CELL - 0.5, (LATITUDE - lat) / CELL - 0.5).reshape(size, size)
    path = written(tmp_path / "utm.tif", heights, crs, x - 305.5, y + 303.5, 5.0, 5.0)
    second = Elevation.read(path, *middle_of(45, 45), reach=150.0)
    assert second.place.height == pytest.approx(first.place.height, abs=1e-3)
    x, y = np.meshgrid(*2 * [np.linspace(-125.0, 125.0, 41)])
    shift = second.place.height - first.place.height
    assert np.abs(second.height(x, y) + shift - first.height(x, y)).max() < 5e-3
    assert np.ptp(first.height(x, y)) > 10.0


def test_a_file_of_scaled_whole_numbers_has_its_heights(degrees, tmp_path):
    path, heights = degrees
    with rasterio.open(path) as file:
        profile = file.profile | {"dtype": "int16"}
    with rasterio.open(tmp_path / "scaled.tif", "w", **profile) as file:
        file.write(np.round(10.0 * (heights - 800.0)).astype("int16"), 1)
        file.scales, file.offsets = (0.1,), (800.0,)
    first, second = (Elevation.read(p, reach=100.0) for p in (path, tmp_path / "scaled.tif"))
    assert second.place.height == pytest.approx(first.place.height, abs=0.1)
    with rasterio.open(tmp_path / "scaled.tif") as file:  # also the reader of maps and grounds
        np.testing.assert_allclose(band_values(file, 1), heights, atol=0.051)


def test_what_cannot_be_is_a_sentence(degrees, tmp_path):
    path, heights = degrees
    for given, more, words in (
        ((path, 10.0, 11.4), {}, r"latitude 10, longitude 11\.4.* lies outside .*degrees\.tif"),
        ((path,), {"reach": 0.5}, "reach = 0.5 of an elevation"),
        ((tmp_path / "none.tif",), {}, "cannot be read as elevation"),
        ((path,), {"band": 2}, "bands 1 to 1, none of number 2"),
    ):
        with pytest.raises(RigError, match=words):
            Elevation.read(*given, **more)
    with rasterio.open(path) as file:
        profile = file.profile
    for name, change, words in (
        ("lost.tif", {"crs": None}, "does not say where it lies"),
        ("holes.tif", {"nodata": heights[45, 45]}, r"without data \(holes\) there: 1"),
    ):
        with rasterio.open(tmp_path / name, "w", **(profile | change)) as file:
            file.write(heights, 1)
        with pytest.raises(RigError, match=words):
            Elevation.read(tmp_path / name, reach=200.0)


def test_a_rig_on_it_is_written_and_read_and_its_journal_replays(degrees, tmp_path):
    ground = Elevation.read(degrees[0], *middle_of(45, 45), reach=60.0)
    r = rig.Rig(0.01, terrain=ground, chassis="kinematic", speed=3.0)
    r.write(tmp_path / "hills.toml")
    again = rig.Rig.read(tmp_path / "hills.toml").site.terrain
    assert (again == ground, again.place, again.file) == (True, ground.place, ground.file)
    (tmp_path / "beside.toml").write_text('[elevation]\nfile = "hills.tif"\nreach_m = 60.0\n')
    shutil.copy(degrees[0], tmp_path / "hills.tif")
    beside = rig.Rig.read(tmp_path / "beside.toml", begin=False)
    assert beside.site.terrain.file == str(tmp_path / "hills.tif")
    with Journal(tmp_path / "hills.mcap", r, origin=ground.place) as journal:
        first = r.run(2.0, outside=journal.outside())
    run, differs = read(tmp_path / "hills.mcap").replay()
    assert differs is None
    assert run.digest() == first.digest()
    assert np.ptp(run["position"][:, 2]) > 0.05
    (tmp_path / "bad.toml").write_text("tick_s = 0.01\n[elevation]\nfil = 'a.tif'\n")
    with pytest.raises(RigError, match="elevation: unknown key 'fil'"):
        rig.Rig.read(tmp_path / "bad.toml")
