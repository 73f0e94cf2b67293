"""The HTML page of a mobility map: one small file that contains the map's layers."""

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

from mobility import Inputs, command, make_landscape, make_map
from mobility.__main__ import main
from mobility.mapping import page
from mobility.mapping.layers import LAYERS
from tests import browser

from .places import rasterio, read


@pytest.fixture(scope="module")
def made(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    place = make_landscape(folder, cells=120, cell=25.0, seed=3)
    inputs = Inputs(place["soil"], place["dem"], land=place["land"], limits={2: 4.0, 3: 0.0})
    return make_map(table, inputs, folder / "map", threads=1)


def data_of(page):
    return json.loads(
        re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1]
    )


def test_the_page_is_one_file_without_a_network(made):
    text = (made.folder / "map.html").read_text()
    assert len(text) < 5_000_000
    assert not re.findall(r'(?:src|href)="|https?://|@import|url\(|@@', text)
    assert f"{made.summary['V50']:.1f} m/s" in text


def test_every_value_of_the_page_is_the_layers(made):
    data = data_of((made.folder / "map.html").read_text())
    assert [one["name"] for one in data["layers"]] == list(LAYERS)
    for one in data["layers"]:
        shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(one["png"]))))
        held = read(made.layer(one["name"]))
        if one["codes"]:
            assert (shown == held).all()
            continue
        assert ((shown == 0) == np.isnan(held)).all()
        x = (shown - 1.0) / 254.0
        if one["log"]:
            value, step = one["low"] * (one["high"] / one["low"]) ** x, held * 0.02
        else:
            value, step = one["low"] + x * (one["high"] - one["low"]), one["high"] / 254.0
        known = shown > 0
        assert (np.abs(value - held)[known] <= (0.51 * step * np.ones_like(held))[known]).all()


def test_a_page_above_the_limit_of_its_size_is_announced(made, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "LARGEST", 10_000)
    grid = page.Grid((120, 120), (25.0, 0.0, 0.0, 0.0, -25.0, 3e3), "EPSG:32632", (25.0, 25.0))
    layers = {"class": page.map_layers(made.folder)["class"]}
    with pytest.warns(UserWarning, match=r"large.html has 0\.0\d+ MB, more than 0.01 MB"):
        page.write_page(tmp_path / "large.html", "place", layers, grid, [])


def test_the_picture_is_drawn(made):
    picture = Image.open(made.folder / "map.png")
    assert min(picture.size) > 600
    assert len(picture.convert("RGB").getcolors(1 << 24)) > 500


def test_the_landscape_has_all_kinds_of_ground_and_the_same_bytes_again(made, tmp_path):
    assert {1, 2, 3} <= set(np.unique(read(made.layer("class"))))
    first = make_landscape(tmp_path / "a", cells=64, seed=3)
    second = make_landscape(tmp_path / "b", cells=64, seed=3)
    for name, path in first.items():
        assert path.read_bytes() == second[name].read_bytes()
    with rasterio.open(first["dem"]) as file:
        assert file.crs.is_projected


def test_one_command_makes_map_and_page(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "surface", lambda car, folder: table)  # instead of computing one
    place = make_landscape(tmp_path, cells=40)
    words = ["--soil", str(place["classes"]), "--dem", str(place["dem"]), "--land", str(place["land"])]
    words += ["--moisture", str(place["moisture"]), "--limit", "3=0", "--threads", "1"]
    assert main([*words, "--out", str(tmp_path / "map")]) == 0
    assert "V50" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    assert "percent of dry weight" in capsys.readouterr().out
    assert (tmp_path / "map" / "map.html").stat().st_size > 10_000

    def stop(car, folder):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "surface", stop)
    assert main([*words, "--out", str(tmp_path / "another")]) == 130
    assert "the same command continues" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_works_in_a_browser_without_a_network(made, width):
    size = {"width": width, "height": 844}
    with browser.page(offline=True, viewport=size) as (page, errors, asked):
        page.goto(f"file://{made.folder / 'map.html'}")
        page.wait_for_selector("body[data-ready=yes]")
        box = page.locator("#map").bounding_box()
        row, column = 40, 70
        page.mouse.click(
            box["x"] + (column + 0.5) / 120 * box["width"], box["y"] + (row + 0.5) / 120 * box["height"]
        )
        told = page.locator("#cell").inner_text()
        curves = page.locator("#curves svg").count()
        page.check("input[value=speed]", force=True)
        legend = page.locator("#legend").inner_text()
        wide = page.evaluate("document.documentElement.scrollWidth")
    kind = read(made.layer("class"))[row, column]
    assert f"class\t{LAYERS['class'].codes[kind]}" in told
    assert curves == 3
    assert "m/s" in legend
    assert wide <= width  # no horizontal scrolling, also on a telephone
    assert errors == []
    assert [url for url in asked if not url.startswith("data:")] == asked[:1]
