"""A vehicle's file on heights and cone indices of GeoTIFFs: position and local ground."""

import json

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import terrain as T

rasterio = pytest.importorskip("rasterio")
from rasterio import warp  # noqa: E402

UTM, X_0, Y_0 = "EPSG:32632", 500300.0, 5400200.0
FILE = """
base = "skid_steer"
name = "on a map"
origin_m = [{x}, {y}, {z}]
heading_rad = 0.6
[contact]
sinkage = "maclaurin"
[wheels]
front = {{ hard = false }}
rear = {{ hard = false }}
[ground]
type = "geotiff"
path = "heights.tif"
georeferenced = {georeferenced}
soil_map = {{ ground = {{ type = "cone_index_soil", cone_index_Pa = 4e5 }}, strength = {strength} }}
"""
STRENGTH = '{ type = "cone_index_geotiff", path = "strength.tif", unit = "kPa" }'


def height(x, y):
    """Height of the ground at map coordinates [m]."""
    return 100.0 + 0.3 * np.sin((x - X_0) / 7.0) + 0.02 * (y - Y_0)


def strength(x, y):
    """Cone index at map coordinates [kPa]."""
    return 600.0 + 200.0 * np.sin((x - X_0) / 5.0) * np.cos((y - Y_0) / 6.0)


def write(path, crs, values, corner, cell):
    """Write a GeoTIFF; ``corner``: top left, ``cell``: sizes (x, y), ``values``: rows from the north."""
    with rasterio.open(
        path, "w", driver="GTiff",
        width=values.shape[1], height=values.shape[0], count=1, dtype="float64",
        crs=crs, transform=rasterio.Affine(cell[0], 0.0, corner[0], 0.0, -cell[1], corner[1]),
    ) as file:  # fmt: skip
        file.write(values, 1)


def in_metres(path, function, cell, half):
    """Write a raster in the map's projection, centred at (``X_0``, ``Y_0``)."""
    centres = np.arange(-half + 0.5 * cell, half, cell)
    x, y = np.meshgrid(X_0 + centres, Y_0 - centres)
    write(path, UTM, function(x, y), (X_0 - half, Y_0 + half), (cell, cell))


def in_degrees(path, function, cell, half):
    """Write a raster of the same ground in longitude and latitude."""
    (longitude,), (latitude,) = warp.transform(UTM, "EPSG:4326", [X_0], [Y_0])
    d = cell / 111e3 / np.cos(np.radians(latitude)), cell / 111e3
    count = int(2 * half / cell)
    k = np.arange(count) + 0.5 - 0.5 * count
    at = np.meshgrid(longitude + d[0] * k, latitude - d[1] * k)
    x, y = warp.transform("EPSG:4326", UTM, at[0].ravel(), at[1].ravel())
    values = function(np.array(x), np.array(y)).reshape(count, count)
    write(path, "EPSG:4326", values, (longitude - 0.5 * count * d[0], latitude + 0.5 * count * d[1]), d)


def read(folder, x, y, **said):
    said = {"georeferenced": "false", "strength": STRENGTH} | said
    (folder / "robot.toml").write_text(FILE.format(x=x, y=y, z=height(X_0, Y_0), **said))
    return vehicle.read(folder / "robot.toml")


@pytest.mark.parametrize("write_file", [in_metres, in_degrees])
@pytest.mark.parametrize("georeferenced", ["false", "true"])
def test_the_ground_at_map_coordinates_is_the_files(tmp_path, write_file, georeferenced):
    """Heights and cone indices at map coordinates equal those of rasters of different cell and size."""
    write_file(tmp_path / "heights.tif", height, 0.5, 20.0)
    write_file(tmp_path / "strength.tif", strength, 1.0, 26.0)
    read(tmp_path, 0.0, 0.0, georeferenced=georeferenced)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "red.toml").write_text('base = "../robot.toml"')
    ground = vehicle.read(tmp_path / "below" / "red.toml").ground  # rasters beside the base's file
    assert ground.map_place.crs == UTM
    assert (ground.map_place.x == 0.0) == (georeferenced == "true")
    exact = write_file is in_metres
    for name, function, found in (
        ("heights", height, ground.height),
        ("strength", strength, lambda x, y: ground.soil(x, y).cone_index / 1e3),
    ):
        with rasterio.open(tmp_path / f"{name}.tif") as file:
            for row, column in ((5, 7), (20, 31), (44, 40)):
                place = file.xy(row, column)
                own = file.read(1)[row, column]
                if file.crs.is_geographic:
                    place = [c[0] for c in warp.transform(file.crs, UTM, *[[c] for c in place])]
                x, y = ground.map_place.from_map(*place)
                assert found(x, y) == pytest.approx(own, rel=1e-12 if exact else 5e-3)
                assert found(x, y) == pytest.approx(function(*place), rel=1e-9 if exact else 5e-3)
                back = ground.map_place.to_map(x, y)
                assert np.array(back) == pytest.approx(place, abs=1e-9)


@pytest.mark.parametrize("write_file", [in_metres, in_degrees])
def test_a_drive_follows_the_maps_ground(tmp_path, write_file):
    """Wheels roll on the map's ground with the cone index below them; the track lies on the map."""
    write_file(tmp_path / "heights.tif", height, 0.5, 20.0)
    write_file(tmp_path / "strength.tif", strength, 1.0, 26.0)
    place = read(tmp_path, 0.0, 0.0).ground.map_place
    x, y = place.from_map(X_0, Y_0)
    car = read(tmp_path, float(x), float(y))
    model = B.compile(car.mechanism({"left": 0.3, "right": 0.3}))
    run = B.simulate(model, 2.0, 2e-3, record_every=50)
    for wheel in model.mechanism.wheels:
        record = run.wheel(wheel.name)
        east, north = place.to_map(record.contact_point[:, 0], record.contact_point[:, 1])
        below = (height(east, north) - record.contact_point[:, 2])[1:]
        assert (below > 0.0).all()  # tyre deflection plus sinkage
        assert (below < 0.006).all()
        soil = wheel.ground.soil(record.contact_point[-1, 0], record.contact_point[-1, 1])
        assert soil.cone_index == pytest.approx(1e3 * strength(east[-1], north[-1]), rel=0.03)
    run.to_geojson(tmp_path / "track.geojson", "frame", model.mechanism.wheels[0].name)
    track = json.loads((tmp_path / "track.geojson").read_text())
    body, wheel = track["features"]
    assert [f["properties"]["name"] for f in track["features"]] == [
        "frame",
        model.mechanism.wheels[0].name,
    ]
    longitude, latitude, z = np.array(body["geometry"]["coordinates"]).T
    back = np.array(warp.transform("EPSG:4326", UTM, longitude, latitude))
    assert back == pytest.approx(np.array(place.to_map(*run.position("frame")[:, :2].T)), abs=1e-6)
    assert z == pytest.approx(run.position("frame")[:, 2])
    assert np.hypot(*(back[:, -1] - back[:, 0])) > 0.3
    assert body["properties"]["time_s"] == run.time.tolist()


def test_wrong_maps_are_refused_in_a_sentence(tmp_path):
    in_metres(tmp_path / "heights.tif", height, 0.5, 20.0)
    in_metres(tmp_path / "strength.tif", strength, 1.0, 26.0)
    with pytest.raises(B.MechanismError, match="unknown unit of a cone index 'kpa'; did you mean 'kPa'"):
        read(tmp_path, 0, 0, strength=STRENGTH.replace("kPa", "kpa"))
    with pytest.raises(B.MechanismError, match="has bands 1 to 1, none of number 3"):
        read(tmp_path, 0, 0, strength=STRENGTH.replace(" }", ", band = 3 }"))
    with pytest.raises(B.MechanismError, match="No such file"):
        read(tmp_path, 0, 0, strength=STRENGTH.replace("strength.tif", "strenght.tif"))
    write(tmp_path / "strength.tif", "EPSG:32633", np.full((9, 9), 300.0), (X_0, Y_0), (1.0, 1.0))
    with pytest.raises(B.MechanismError, match="are in EPSG:32633, the heights in EPSG:32632"):
        read(tmp_path, 0, 0)
    write(tmp_path / "strength.tif", UTM, np.full((9, 9), -1.0), (X_0, Y_0), (1.0, 1.0))
    with pytest.raises(B.MechanismError, match="must be above 0 Pa"):
        read(tmp_path, 0, 0)
    plain = B.simulate(B.compile(vehicle.load("skid_steer")), 0.01, 1e-3)
    with pytest.raises(B.MechanismError, match="has a place on a map"):
        plain.to_geojson(tmp_path / "track.geojson")
    unknown = T.HeightField(np.zeros((2, 2)), map_place=T.MapPlace("", 0.0, 0.0))
    assert unknown.map_place is not None
    with pytest.raises(ValueError, match="no coordinate system"):
        unknown.map_place.to_degrees(0.0, 0.0)
