"""Two mobility maps are compared cell by cell; wetter scenarios have less passable area."""

import dataclasses

import numpy as np
import pytest

import mobility
from mobility import Inputs, compare, lumped, make_map, scenarios, surface
from mobility.command import main
from mobility.soils import SOIL_CODES

from .places import read, write

SHAPE = (40, 50)


def test_a_vehicle_with_more_weight_goes_nowhere_else(table, coarse_tables, tmp_path):
    x = np.mgrid[: SHAPE[0], : SHAPE[1]][1]
    inputs = Inputs(write(tmp_path / "soil.tif", 80.0 + 8.0 * x), write(tmp_path / "dem.tif", 0.5 * x))
    heavy = dataclasses.replace(lumped("hmmwv_4x4", open_axles=False), mass=3600.0, name="heavy")
    first = make_map(table, inputs, tmp_path / "light", threads=1, page=False)
    second = make_map(surface(heavy, most=1), inputs, tmp_path / "heavy", threads=1, page=False)
    found = compare(first, second, tmp_path / "both")
    who, faster = read(tmp_path / "both" / "who.tif"), read(tmp_path / "both" / "faster.tif")
    assert found.shares["only the second"] == 0.0
    assert found.shares["only the first"] == np.mean(who[who > 0] == 2) > 0.0
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.faster == pytest.approx(faster[who == 1].mean(), rel=1e-5)
    assert found.faster > 0.0
    assert (tmp_path / "both" / "compare.html").stat().st_size < 5_000_000
    assert (tmp_path / "both" / "compare.png").exists()
    other = make_map(
        table, Inputs(write(tmp_path / "s.tif", np.full((30, 30), 300.0)),
                      write(tmp_path / "d.tif", np.zeros((30, 30)))),
        tmp_path / "other", threads=1, page=False,
    )  # fmt: skip
    with pytest.raises(ValueError, match="other cells"):
        compare(first, other, tmp_path / "no")
    assert not (tmp_path / "no").exists()


def test_the_wetter_the_less_area(table, tmp_path):
    moisture = 20.0 + 0.6 * np.mgrid[: SHAPE[0], : SHAPE[1]][1]
    inputs = Inputs(
        write(tmp_path / "soil.tif", np.full(SHAPE, float(SOIL_CODES["CL"]))),
        write(tmp_path / "dem.tif", np.zeros(SHAPE)),
        moisture=write(tmp_path / "moisture.tif", moisture),
    )
    factors = {"wet": 1.3, "moist": 1.0, "dry": 0.7}
    found = scenarios(table, inputs, tmp_path / "maps", factors, threads=1, page=False)
    closed = [found[name].summary["NO-GO"] for name in factors]
    assert closed[0] > closed[1] > closed[2]
    with pytest.raises(ValueError, match="need a raster of it"):
        scenarios(table, Inputs(inputs.soil, inputs.dem), tmp_path / "no", factors)


def test_a_finished_map_is_opened_and_compared_from_its_folder(table, tmp_path, capsys):
    x = np.mgrid[: SHAPE[0], : SHAPE[1]][1]
    dem = write(tmp_path / "dem.tif", 0.1 * x)
    inputs = [Inputs(write(tmp_path / f"{k}.tif", 150.0 * k + 6.0 * x), dem) for k in (1, 2)]
    ends = (5e5 + 95.0, 5e6 - 95.0), (5e5 + 395.0, 5e6 - 205.0)
    made = [
        make_map(table, one, tmp_path / f"map{k}", threads=1, page=False, between=ends)
        for k, one in enumerate(inputs)
    ]
    again = mobility.open(tmp_path / "map0")
    assert again.summary == made[0].summary
    assert again.tiles == made[0].tiles
    assert again.computed == 0
    for kind, route in made[0].routes.items():
        assert again.routes[kind].time == route.time
        np.testing.assert_array_equal(again.routes[kind].places, route.places)
    folders = [str(tmp_path / "map0"), str(tmp_path / "map1")]
    assert main(["compare", *folders, "--out", str(tmp_path / "both")]) == 0
    found = compare(*made, tmp_path / "same")
    printed = capsys.readouterr().out
    assert f"both {found.shares['both']:.1%}" in printed
    assert found.faster < 0.0  # [m/s] the second map, of firmer soil, is faster
    assert f"the second is faster by {-found.faster:.1f} m/s where both go" in printed
    assert (tmp_path / "both" / "who.tif").read_bytes() == (tmp_path / "same" / "who.tif").read_bytes()
    assert main(["compare", folders[0], str(tmp_path / "none"), "--out", str(tmp_path / "no")]) == 2
    assert "none has no map.json: it is no map" in capsys.readouterr().err
    (tmp_path / "map1" / "map.json").unlink()
    with pytest.raises(ValueError, match="make it again, it continues"):
        mobility.open(tmp_path / "map1")
