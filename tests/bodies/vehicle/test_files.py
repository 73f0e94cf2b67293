"""Vehicles in files: a copy is the same vehicle, mistakes get a sentence, variants build on a base."""

import shutil

import pytest

import bodies as B
from bodies import vehicle


def copy(tmp_path, old="", new="", name="hmmwv"):
    path = tmp_path / "mine.toml"
    shutil.copy(vehicle.path_of(name), path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_a_copy_is_the_same_vehicle_and_an_edit_is_another(tmp_path):
    assert vehicle.load(copy(tmp_path)) == vehicle.load("hmmwv")
    heavier = vehicle.load(copy(tmp_path, "mass_kg = 1076.68", "mass_kg = 1276.68"))
    assert sum(b.mass for b in heavier.bodies) == pytest.approx(2773.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("free_length_m", "free_lenth_m", "did you mean 'free_length_m'"),
        ("[[final_drive]]", "[[final_driv]]", "did you mean 'final_drive'"),
        ("mass_kg = 420.0", "mas_kg = 420.0", "did you mean 'mass_kg'"),
        ("cone_index_Pa = 260000.0", "cone_index_Pa = -1.0", "cone_index"),
        ("throttle = 0.0", "throtle = 0.0", "control: 'throttle' is unknown; did you mean 'throtle'"),
        ('differential = "open"', 'differential = "lockd"', "did you mean 'locked'"),
        ("pinion_radius_m = -0.012", "", "the key 'pinion_radius_m' is missing"),
        ("[[cab]]", "[cab]", "two brackets"),
    ],
)
def test_mistakes_are_named_with_the_nearest_known_word(tmp_path, old, new, said):
    with pytest.raises(B.MechanismError, match=said):
        vehicle.load(copy(tmp_path, old, new))


def test_unknown_vehicles_and_controls_get_the_nearest_name():
    with pytest.raises(B.UnknownName, match="did you mean 'hmmwv'"):
        vehicle.load("hmwv")
    with pytest.raises(B.UnknownName, match="did you mean 'steering'"):
        vehicle.load("hmmwv", controls={"stering": 0.1})
    with pytest.raises(B.UnknownName, match="did you mean 'rear'"):
        vehicle.read("hmmwv").part(vehicle.FinalDrive, "reer")


@pytest.mark.parametrize(
    ("name", "bodies", "freedoms"), [("hmmwv_4x4", 54, 20), ("hmmwv_pitman", 47, 21)]
)
def test_variants_from_the_same_parts(name, bodies, freedoms):
    mechanism = vehicle.load(name)
    assert len(mechanism.bodies) == bodies
    assert sum(b.mass for b in mechanism.bodies) == pytest.approx(2573.0)
    m = B.mobility(B.compile(mechanism))
    assert m.counted == m.freedoms == freedoms


def test_every_vehicle_of_the_package_can_be_read():
    assert set(vehicle.shipped()) == {"hmmwv", "hmmwv_4x4", "hmmwv_pitman", "trailer"}
    for name in vehicle.shipped():
        assert vehicle.read(name).name == name


def test_a_mechanism_goes_through_a_plain_file_on_hard_ground(tmp_path):
    mechanism = vehicle.load("hmmwv", hard=True)
    B.write_mechanism(mechanism, tmp_path / "plain.toml")
    again = B.read_mechanism(tmp_path / "plain.toml")
    assert set(again.bodies) == set(mechanism.bodies)
    assert set(again.wheels) == set(mechanism.wheels)
