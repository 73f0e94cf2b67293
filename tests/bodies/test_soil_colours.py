"""Soils have their colours in the meshes of a ground, in a picture and in its legend."""

import re

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.view.soil_colours import ENTRIES, SoilColours, as_html, legend_of
from bodies.view.surfaces import GROUND_MARGIN, SHADES, SOILS, ground_pieces
from contact import SOILS as CATALOGUE
from contact import ConeIndexSoil
from contact.terrain import ConeIndexField, Patch, Sine, Slope, SoilMap

SOFT, FIRM = ConeIndexSoil(2e5), ConeIndexSoil(8e5)
ROAD = Patch(x=(-6.0, -3.0), law="dry", sinkage="none")
FIELD = SoilMap(ConeIndexSoil(4e5), [Patch(SOFT, x=(2.0, 8.0)), Patch(FIRM, x=(5.0, 8.0)), ROAD])


def area(mesh):
    """Area of a mesh seen from above [m^2]."""
    (ax, ay), (bx, by), (cx, cy) = (mesh.vertices[mesh.faces[:, k], :2].T for k in range(3))
    return 0.5 * float(np.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).sum())


def test_each_place_has_the_colour_of_its_soil_and_a_firmer_soil_is_lighter():
    colours = SoilColours(FIELD)
    known = dict(colours.legend)
    places = np.array([0.0, 3.0, 6.0, -4.0, 9.0])
    soils = ["cone index 400 kPa", "cone index 200 kPa", "cone index 800 kPa", "law dry"]
    for k, words in enumerate([*soils, soils[0]]):
        assert tuple(colours.at(places, 0.0 * places)[k]) == known[words]
    order = [sum(known[f"cone index {c} kPa"]) for c in (200, 400, 800)]
    assert order == sorted(set(order))
    assert len(set(known.values())) == len(known) == 4


def test_a_raster_has_a_short_legend_from_its_softest_to_its_firmest_place():
    values = np.geomspace(1e5, 1.6e6, 40)[None, :].repeat(2, axis=0)
    whole = SoilMap(ConeIndexSoil(5e6), strength=ConeIndexField(values))
    legend = [words for words, _ in SoilColours(whole).legend]
    assert legend == [f"cone index {c}" for c in ("100 kPa", "200 kPa", "400 kPa", "800 kPa", "1.6 MPa")]
    assert len(legend) == ENTRIES
    with_gap = np.where(np.arange(40) == 7, np.nan, values)
    holed = SoilMap(ConeIndexSoil(5e6), strength=ConeIndexField(with_gap))
    assert SoilColours(holed).legend[-1][0] == "cone index 5 MPa"
    x = np.arange(40.0)
    lightness = SoilColours(whole).at(x, 0.0 * x).sum(axis=1)
    assert (np.diff(lightness) >= 0).all()
    assert lightness[-1] > lightness[0]


def test_soils_without_a_cone_index_have_their_names():
    sand, clay = (CATALOGUE[name].bekker for name in ("LETE sand", "clayey soil"))
    legend = SoilColours(SoilMap(sand, [Patch(clay, x=(0.0, 1.0))])).legend
    assert [words for words, _ in legend] == ["LETE sand", "clayey soil"]


@pytest.mark.parametrize("terrain", [Slope(grade_x=0.1), Sine(0.5, 20.0)])
def test_the_coloured_meshes_cover_the_ground_in_proportion(terrain):
    """The soft strip is 3 m wide, the firm one 3 m, the road 3 m: equal areas."""
    mapped = type(terrain)(**{**vars(terrain), "soil_map": FIELD})
    low, high = np.zeros(2), np.array([10.0, 10.0])
    pieces = ground_pieces(mapped, low, high)
    whole = sum(area(mesh) for mesh, _ in ground_pieces(terrain, low, high))
    np.testing.assert_allclose(sum(area(mesh) for mesh, _ in pieces), whole, rtol=1e-12)
    side = 2.0 * GROUND_MARGIN + 10.0
    legend = {words: np.array(colour) for words, colour in SoilColours(FIELD).legend}
    for words in ("cone index 200 kPa", "cone index 800 kPa", "law dry"):
        tones = {tuple(np.round(shade * legend[words]).astype(int)) for shade in SHADES}
        found = sum(area(mesh) for mesh, colour in pieces if colour in tones)
        np.testing.assert_allclose(found, 3.0 * side, rtol=0.25)
    assert {colour for _, colour in ground_pieces(terrain, low, high)} == set(SOILS)


def test_the_picture_and_the_page_of_a_run_have_the_legend(tmp_path):
    pytest.importorskip("viser")
    car = vehicle.read("hmmwv").mechanism(ground=Slope(soil_map=FIELD))
    run = B.simulate(B.compile(car), 2e-3)
    legend = legend_of([run.model.mechanism.wheels[0].ground])
    picture = run.picture(0.0)
    for _, colour in legend:
        assert (picture[:, -300:] == colour).all(axis=2).sum() > 100  # pixels of the legend
    page = run.save_html(tmp_path / "run.html").read_text(encoding="utf-8")
    shown = page[page.rindex("position: fixed; z-index") :]
    assert re.findall(r"</span>([^<]+)</div>", shown) == [words for words, _ in legend]
    assert as_html([]) == ""
