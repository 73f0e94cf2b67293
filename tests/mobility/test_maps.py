"""Maps from synthetic rasters: same bytes for any tiles, no seams, resumed runs, refused input."""

import os
import pathlib
from types import SimpleNamespace

import numpy as np
import pytest

from mobility import Errors, Inputs, make_map
from mobility.__main__ import main
from mobility.kernels.tables import NO_DATA, NO_GO, VALID
from mobility.mapping.layers import LAYERS

from .places import layer_bytes, rasterio, read, write

SHAPE = (70, 90)


@pytest.fixture(scope="module")
def rasters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rasters")
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    soil = 200.0 + 150.0 * np.sin(x / 17.0) + 30.0 * np.cos(y / 9.0)
    soil[10:14, 20:25] = -9999.0
    dem = 60.0 * np.sin(x / 13.0) * np.cos(y / 16.0)
    return write(folder / "ci.tif", soil), write(folder / "dem.tif", dem)


@pytest.fixture(scope="module")
def finished(table, rasters, tmp_path_factory):
    """Map of the rasters with the usual errors."""
    return make_map(table, Inputs(*rasters), tmp_path_factory.mktemp("map"), threads=1, page=False)


def test_every_byte_is_the_same_for_any_tiles_and_threads(table, rasters, tmp_path):
    inputs, found = Inputs(*rasters), []
    for size, threads in ((256, 1), (32, 2), (37, 1)):
        made = make_map(table, inputs, tmp_path / f"map{size}", size=size, threads=threads, page=False)
        assert made.computed == made.tiles == -(-SHAPE[0] // size) * -(-SHAPE[1] // size)
        found.append(layer_bytes(made.folder))
    assert found[0] == found[1] == found[2]


def test_what_was_interrupted_goes_on_and_computes_nothing_twice(
    table, rasters, finished, tmp_path, monkeypatch
):
    inputs, whole = Inputs(*rasters), layer_bytes(finished.folder)
    from mobility.mapping import engine

    made, real = [], engine.make_tile

    def until_the_plug_is_pulled(folder, row, column):
        if len(made) == 4:
            raise KeyboardInterrupt
        made.append((row, column))
        return real(folder, row, column)

    monkeypatch.setattr(engine, "make_tile", until_the_plug_is_pulled)
    with pytest.raises(KeyboardInterrupt):
        make_map(table, inputs, tmp_path / "map", size=32, threads=1, page=False)
    assert not (tmp_path / "map" / "map.json").exists()
    assert not list((tmp_path / "map").glob("*.tif"))
    monkeypatch.undo()
    again = make_map(table, inputs, tmp_path / "map", size=32, threads=2, page=False)
    assert (again.tiles, again.computed) == (9, 5)
    assert layer_bytes(tmp_path / "map") == whole
    (tmp_path / "map" / ".speed.999.tif").write_bytes(b"half of a layer, as a killed run leaves it")
    assert make_map(table, inputs, tmp_path / "map", size=32, threads=1, page=False).computed == 0
    assert not list((tmp_path / "map").glob(".*"))
    assert layer_bytes(tmp_path / "map") == whole


def test_a_folder_of_another_map_is_refused(table, rasters, finished):
    with pytest.raises(ValueError, match=r"holds another map \(other vehicle's numbers or errors\)"):
        make_map(table, Inputs(*rasters), finished.folder, Errors(0.2, 0.03), threads=1, page=False)


def test_a_plane_a_bowl_and_a_step_have_no_seams(table, tmp_path):
    """The map of small tiles equals, bit for bit, the table's values at the exact slopes."""
    y, x = np.mgrid[:64, :64].astype(float)
    soil = write(tmp_path / "soil.tif", np.full((64, 64), 300.0))
    plane, step = 2.0 * x, 8.0 * (x >= 32)
    for name, height, rise, fall in (
        ("plane", plane, np.full((64, 64), 0.2), np.zeros((64, 64))),
        ("step", step, np.where((x == 31) | (x == 32), 0.4, 0.0), np.zeros((64, 64))),
        ("bowl", 0.0625 * (x * x + y * y), 0.0125 * x, 0.0125 * y),
    ):
        made = make_map(
            table, Inputs(soil, write(tmp_path / f"{name}.tif", height)), tmp_path / name,
            Errors(0.0, 0.0), size=40, threads=1, page=False,
        )  # fmt: skip
        slope = np.sqrt(rise**2 + fall**2)[1:-1, 1:-1]
        ways = [table.going(3e5, a * slope, c * slope) for a, c in ((1, 0), (-1, 0), (0, 1))]
        worst = np.max([way.kind for way in ways], axis=0)
        assert (read(made.layer("class"))[1:-1, 1:-1] == worst).all()
        with np.errstate(divide="ignore"):
            mean = 3.0 / sum(1.0 / way.speed for way in ways)
        speed = read(made.layer("speed"))[1:-1, 1:-1]
        assert (speed == np.where(worst == NO_GO, 0.0, mean).astype(np.float32)).all(), name


def test_a_turned_landscape_has_the_turned_map(table, rasters, finished, tmp_path):
    turned = [write(tmp_path / f"turned_{p.name}", np.rot90(read(p)).copy()) for p in rasters]
    there = make_map(table, Inputs(*turned), tmp_path / "there", size=48, threads=1, page=False)
    for name in LAYERS:
        assert np.rot90(read(finished.layer(name))).tobytes() == read(there.layer(name)).tobytes()
    assert finished.summary == pytest.approx(there.summary, rel=1e-12)


def test_holes_stay_holes_and_without_errors_nothing_is_by_chance(table, rasters, tmp_path):
    made = make_map(table, Inputs(*rasters), tmp_path / "map", Errors(0.0, 0.0), threads=1, page=False)
    kind, chance = read(made.layer("class")), read(made.layer("chance"))
    assert (kind[10:14, 20:25] == NO_DATA).all()
    assert (kind[0] == NO_DATA).all()  # a cell at the edge has no slope
    known = np.isfinite(chance)
    assert known.sum() == (SHAPE[0] - 2) * (SHAPE[1] - 2) - 20
    assert ((chance == 1.0) == (kind == 1))[known].all()
    for name in ("speed_p20", "speed_p50", "speed_p80"):
        assert (read(made.layer(name))[known] == read(made.layer("speed"))[known]).all()


def test_speeds_by_chance_lie_in_order_and_validity_is_told(finished):
    low, middle, high = (read(finished.layer(f"speed_p{p}")) for p in (20, 50, 80))
    known = np.isfinite(low)
    assert (low[known] <= middle[known]).all()
    assert (middle[known] <= high[known]).all()
    validity, kind = read(finished.layer("validity")), read(finished.layer("class"))
    assert set(np.unique(validity[known])) == {1, 2}
    soil = read(finished.layer("reason")) == 1
    assert (validity[(kind == NO_GO) & soil] != VALID).all()


def test_land_use_limits_and_closes(table, rasters, tmp_path):
    land = np.zeros(SHAPE)
    land[:, 30:] = 1.0
    land[:, 60:] = 2.0
    inputs = Inputs(*rasters, land=write(tmp_path / "land.tif", land), limits={1: 2.0, 2: 0.0})
    made = make_map(table, inputs, tmp_path / "map", threads=1, page=False)
    speed, kind = read(made.layer("speed")), read(made.layer("class"))
    known = kind != NO_DATA
    assert np.nanmax(speed[:, 30:60]) == 2.0
    assert (kind[:, 60:][known[:, 60:]] == NO_GO).all()
    assert np.nanmax(read(made.layer("chance"))[:, 60:]) == 0.0
    assert np.nanmax(speed[:, :30]) > 5.0


def test_layers_say_where_they_are_and_what(finished):
    with rasterio.open(finished.layer("speed")) as file:
        assert file.crs.to_epsg() == 32633
        assert file.units == ("m/s",)
        assert np.isnan(file.nodata)
    with rasterio.open(finished.layer("class")) as file:
        assert "3 NO-GO" in file.descriptions[0]
        assert file.colormap(1)[3][:3] == (0xC5, 0x1B, 0x3A)
    speed = np.sort(read(finished.layer("speed"))[1:-1, 1:-1].ravel())
    known = speed[np.isfinite(speed)][::-1].astype(float)
    assert finished.summary["V50"] == pytest.approx(known[: round(known.size * 0.5)].mean(), rel=1e-4)
    assert finished.summary["NO-GO"] == np.mean(known == 0.0)


@pytest.fixture
def files(rasters, tmp_path):
    """Paths of rasters that do not belong to a map, by name."""
    soil, _ = rasters
    values, ones = read(soil), np.ones(SHAPE)
    with rasterio.open(soil) as file:
        crs, place = file.crs.to_wkt(), ", ".join(map(str, file.transform.to_gdal()))
    empty = tmp_path / "empty.vrt"
    empty.write_text(
        f'<VRTDataset rasterXSize="{SHAPE[1]}" rasterYSize="{SHAPE[0]}"><SRS>{crs}</SRS>'
        f"<GeoTransform>{place}</GeoTransform></VRTDataset>"
    )
    (tmp_path / "file").write_text("no folder")
    return {
        "empty": empty,
        "absent": tmp_path / "none.tif",
        "file": tmp_path / "file",
        "file/map": tmp_path / "file" / "map",
        "zone": write(tmp_path / "zone.tif", values, crs="EPSG:32634"),
        "degrees": write(tmp_path / "degrees.tif", values, crs="EPSG:4326"),
        "smaller": write(tmp_path / "smaller.tif", values[1:]),
    } | {
        name: write(tmp_path / f"{name}.tif", value * ones)
        for name, value in (
            ("unknown", np.nan), ("nothing", 0.0), ("pascals", 3e5), ("megapascals", 0.3),
            ("classes", 5.0), ("share", 0.3), ("percent", 30.0),
        )
    }  # fmt: skip


def test_wrong_input_is_refused_before_the_table_and_makes_no_folder(
    rasters, files, tmp_path, capsys, monkeypatch
):
    """All input is checked before the long computation of the vehicle's table."""
    from mobility import command

    vehicle = SimpleNamespace(check_strength=lambda: None)  # the only attribute that is used
    monkeypatch.setattr(command, "lumped", lambda name, **_: vehicle)
    monkeypatch.setattr(command, "surface", lambda car, **_: pytest.fail("too late"))
    usual = dict(zip(("--soil", "--dem", "--out"), (*rasters, tmp_path / "map"), strict=True))
    for words, sentence in (
        (("--soil", "zone"), "differ in coordinates"),
        (("--soil", "degrees"), "in degrees"),
        (("--soil", "smaller"), "differ in size"),
        (("--soil", "absent"), "cannot be read"),
        (("--soil", "empty"), "cannot be read as a GeoTIFF: Missing"),
        (("--out", "file"), "is a file"),
        (("--out", "file/map"), "cannot be written"),
        (("--out", "/proc/map"), "cannot be written"),
        (("--tile", "3"), "size = 3"),
        (("--threads", "0"), "threads = 0"),
        (("--unit", "KPA"), "did you mean 'kPa'?"),
        (("--from", "1,2", "--to", "3,4"), "outside"),
        (("--soil", "unknown"), "unknown.tif holds no data: every cell is unknown"),
        (("--dem", "unknown"), "unknown.tif holds no data"),
        (("--soil", "nothing"), "holds no cone index above 0"),
        (("--soil", "pascals"), "3e+08 Pa is none; is its unit kPa?"),
        (("--soil", "megapascals"), "300 Pa is none; is its unit kPa?"),
        (("--soil", "classes"), "whole numbers up to 5: soil classes need a raster of moisture"),
        (("--soil", "classes", "--moisture", "share"), "0.3 % of the dry weight is rather a fraction"),
        (("--moisture", "percent"), "holds no soil class"),
    ):
        given = [str(files.get(word, word)) for word in words]
        for option, path in usual.items():
            given += [] if option in words else [option, str(path)]
        assert main(given) == 2
        assert sentence in capsys.readouterr().err
    assert not (tmp_path / "map").exists()
    for words in (["--limit", "2"], ["--from", "here"]):
        with pytest.raises(SystemExit):
            main([word for pair in usual.items() for word in map(str, pair)] + words)
        assert "is no" in capsys.readouterr().err


def test_one_strong_place_between_the_windows_of_the_glance_is_enough(tmp_path):
    """``glance`` reads some windows of a raster. If they have no data, or only cone indices of an
    implausible unit (0.5 kPa), it reads the whole raster; one plausible cell (300 kPa) is enough."""
    from mobility.mapping.glance import glance

    dem = write(tmp_path / "dem.tif", np.zeros((40, 2000)))
    for rest in (np.nan, 0.5):
        values = np.full((40, 2000), rest)
        values[20, 400] = 300.0
        glance(Inputs(write(tmp_path / f"{rest}.tif", values), dem))


def test_what_fails_on_the_way_is_no_map(table, rasters, tmp_path):
    soil, dem = rasters
    cut = tmp_path / "cut.tif"
    cut.write_bytes(soil.read_bytes()[:20_000])
    left = np.arange(SHAPE[1]) < SHAPE[1] // 2
    west, east = (
        write(tmp_path / name, np.where(known, 300.0, -9999.0) * np.ones(SHAPE))
        for name, known in (("west.tif", left), ("east.tif", ~left))
    )
    (tmp_path / "file").write_text("no folder")
    for inputs, out, words in (
        (Inputs(cut, dem), tmp_path / "a", "damaged or cut off"),
        (Inputs(soil, dem, "MPa"), tmp_path / "b", "is its unit MPa"),
        (Inputs(west, east), tmp_path / "c", "do the rasters hold data"),
        (Inputs(soil, dem), tmp_path / "file", "is a file"),
    ):
        with pytest.raises(ValueError, match=words):
            make_map(table, inputs, out, size=64, threads=1, page=False)
        assert not (out / "map.json").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_a_sentence_and_no_map(table, rasters, tmp_path, monkeypatch):
    """A disk that is full while a chunk or layer is written: an error of one sentence, and no map."""
    real = pathlib.Path.write_bytes

    def full(path, data):
        return real(pathlib.Path("/dev/full") if "tiles.zarr" in path.parts else path, data)

    inputs, out = Inputs(*rasters), tmp_path / "map"
    with monkeypatch.context() as patch:
        patch.setattr(pathlib.Path, "write_bytes", full)
        with pytest.raises(OSError, match="cannot be written: No space left"):
            make_map(table, inputs, out, size=64, threads=1, page=False)
    assert not (out / "map.json").exists()
    made = make_map(table, inputs, out, size=64, threads=1, page=False)
    before = layer_bytes(out)

    def no_room(self, *words, **more):
        raise rasterio.errors.RasterioIOError("No space left on device")

    monkeypatch.setattr(rasterio.io.DatasetWriter, "write", no_room)  # disk full at a layer
    with pytest.raises(OSError, match=r"class\.tif cannot be written: No space left"):
        make_map(table, inputs, out, size=64, threads=1, page=False)
    assert not (out / "map.json").exists()
    assert layer_bytes(out) == before
    assert made.computed > 0
