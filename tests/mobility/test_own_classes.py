"""A CSV beside the raster gives each soil class its cone index, or its USCS class and moisture."""

import numpy as np
import pytest

from mobility import Inputs, make_map, strength_of_class
from mobility.classes import read_classes
from mobility.mapping.glance import glance

from .places import read, write

SHAPE = (20, 30)
CSV = """class, cone_index_kPa, uscs, moisture_percent
1, 300,,
2,, CL, 18
7, 1200
"""


@pytest.fixture
def inputs(tmp_path):
    x = np.mgrid[: SHAPE[0], : SHAPE[1]][1]
    soil = write(tmp_path / "soil.tif", np.choose(x // 8, [1.0, 2.0, 7.0, 9.0]))
    (tmp_path / "own.csv").write_text(CSV)
    dem = write(tmp_path / "dem.tif", 0.3 * x)
    return Inputs(soil, dem, classes=tmp_path / "own.csv")


def test_every_class_has_its_strength_and_others_none(inputs):
    found = inputs.strength(slice(0, SHAPE[0]), slice(0, SHAPE[1]))
    np.testing.assert_array_equal(found[:, :8], 3e5)
    np.testing.assert_allclose(found[:, 8:16], float(strength_of_class("CL", 18.0)))
    np.testing.assert_array_equal(found[:, 16:24], 1.2e6)
    assert np.isnan(found[:, 24:]).all()


def test_classes_without_a_row_are_named_once(inputs, caplog):
    for _ in range(2):
        glance(inputs)
    (record,) = caplog.records
    assert record.getMessage().endswith("own.csv, unknown there: 9")


def test_a_column_of_names_is_for_readers(inputs, tmp_path):
    with_names = tmp_path / "named.csv"
    with_names.write_text("class,name,cone_index_kPa\n1,wet meadow,300\n7,,1200\n")
    assert {code: each.cone_index for code, each in read_classes(with_names).items()} == {
        1: 3e5,
        7: 1.2e6,
    }


def test_moisture_of_a_raster_fills_rows_without_one_and_wetness_scales_it(inputs, tmp_path):
    moisture = write(tmp_path / "moisture.tif", np.full(SHAPE, 25.0))
    (tmp_path / "wet.csv").write_text(CSV.replace("CL, 18", "CL,").replace("7, 1200", "7,, ML, 20"))
    wet = Inputs(inputs.soil, inputs.dem, moisture=moisture, wetness=1.2, classes=tmp_path / "wet.csv")
    found = wet.strength(slice(0, 1), slice(0, SHAPE[1]))[0]
    assert found[8] == pytest.approx(float(strength_of_class("CL", 30.0)))
    assert found[16] == pytest.approx(float(strength_of_class("ML", 24.0)))
    assert found[0] == 3e5


def test_the_map_of_classes_is_the_map_of_their_cone_indices(table, inputs, tmp_path):
    made = make_map(table, inputs, tmp_path / "classes", threads=1, page=False)
    strength = np.nan_to_num(inputs.strength(slice(0, SHAPE[0]), slice(0, SHAPE[1])), nan=-9999.0)
    plain = Inputs(write(tmp_path / "ci.tif", strength), inputs.dem, unit="Pa")
    other = make_map(table, plain, tmp_path / "plain", threads=1, page=False)
    for name in ("class", "speed", "chance"):
        np.testing.assert_array_equal(read(made.layer(name)), read(other.layer(name)))
    (tmp_path / "own.csv").write_text(CSV.replace("300", "310"))
    with pytest.raises(ValueError, match="holds another map"):
        make_map(table, inputs, tmp_path / "classes", threads=1, page=False)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("class, cone_index\n1, 3\n", "did you mean 'cone_index_Pa'|cone_index"),
        ("uscs, moisture_percent\nCL, 3\n", "no column 'class'"),
        ("class, cone_index_kPa\n", "no class"),
        ("class, cone_index_kPa\n1, 0.3\n", "line 2: cone_index_kPa = 0.3 is 300 Pa.*unit"),
        ("class, cone_index_kPa\n1, soft\n", "line 2: cone_index_kPa must be a number"),
        ("class, cone_index_kPa\n1, 300\n1, 400\n", "line 3: class 1 must be .* once"),
        ("class, cone_index_kPa, uscs\n1, 300, CL\n", "line 2: a class needs either"),
        ("class, uscs, moisture_percent\n1, CX, 20\n", "soil class in .*line 2.*'CX'"),
        ("class, cone_index_kPa\n1, 300,5\n", "line 2: more values than the file has columns"),
        ("class, uscs\n1, CL\n", "line 2: uscs needs moisture_percent, or a raster"),
        ("class, uscs, moisture_percent\n1, CL, 0.2\n", "moisture_percent = 0.2"),
    ],
)
def test_a_csv_that_cannot_be_meant_is_refused_with_its_line(text, match, tmp_path):
    (tmp_path / "own.csv").write_text(text)
    with pytest.raises(ValueError, match=match):
        read_classes(tmp_path / "own.csv")


def test_a_csv_that_is_not_there_or_of_other_classes_is_refused(inputs, tmp_path):
    with pytest.raises(ValueError, match="cannot be read as a CSV"):
        Inputs(inputs.soil, inputs.dem, classes=tmp_path / "none.csv")
    (tmp_path / "other.csv").write_text("class, cone_index_kPa\n31, 300\n")
    with pytest.raises(ValueError, match="holds none of the classes of .*other.csv: 31"):
        glance(Inputs(inputs.soil, inputs.dem, classes=tmp_path / "other.csv"))
