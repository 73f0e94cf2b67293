"""Files of vehicles: a copy is the same vehicle, mistakes are refused, variants build on a base file."""

import shutil

import pytest

import bodies as B
from bodies import vehicle
from contact import BekkerSoil, Brixius, LuGre
from tests.refusals import refusals


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


FORK = """
name = "fork"
[tyre]
diameter_m = 0.7
width_m = 0.25
section_height_m = 0.15
pressure_Pa = 9e5
[soil]
cone_index_Pa = 2e6
"""
FRAME = """
[[frame]]
name = "frame"
body = { mass_kg = 3000.0, inertia_kg_m2 = [900.0, 2500.0, 2600.0], centre_m = [0.7, 0.0, 0.8] }
"""
AXLE = """
[[solid_mounted_axle]]
name = "front"
wheel_centre_m = [1.6, 0.45, 0.35]
brake_capacity_N_m = 3000.0
wheel_body = { mass_kg = 60.0, inertia_kg_m2 = [2.0, 3.5, 2.0] }
"""
OPEN = "[controls]\nbrake = 0.0\n"


test_from_an_empty_file_each_sentence_names_the_next_missing_part = refusals(
    ("", "the key 'name' is missing"),
    ('name = "fork"', r"the table \[tyre\] is missing"),
    (FORK, r"begin with a \[\[frame\]\]"),
    (FORK + FRAME.replace(", centre_m = [0.7, 0.0, 0.8]", ""), "Frame 'frame': body must have a centre"),
    (FORK + FRAME + AXLE, r"'brake' is missing; give it .* under \[controls\]"),
    (FORK + OPEN + FRAME + AXLE.replace("0.45", "-0.45"), "'front_left' lies 0.45 m to the right"),
    of=lambda text: vehicle.from_toml(text).mechanism(),
    error=B.MechanismError,
)


test_unknown_vehicles_and_controls_get_the_nearest_name = refusals(
    (lambda: vehicle.load("hmwv"), "did you mean 'hmmwv'"),
    (lambda: vehicle.load("hmmwv", controls={"stering": 0.1}), "did you mean 'steering'"),
    (lambda: vehicle.read("hmmwv").part(vehicle.FinalDrive, "reer"), "did you mean 'rear'"),
    (lambda: vehicle.load("tractor", pressure=1.2), "field of the contact: .pressure. is unknown"),
    error=B.UnknownName,
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("free_length_m", "free_lenth_m", "did you mean 'free_length_m'"),
        ("[[final_drive]]", "[[final_driv]]", "did you mean 'final_drive'"),
        ("mass_kg = 420.0", "mas_kg = 420.0", "did you mean 'mass_kg'"),
        ("cone_index_Pa = 260000.0", "cone_index_Pa = -1.0", "cone_index"),
        ("throttle = 0.0", "throtle = 0.0", "control: 'throttle' is unknown; did you mean 'throtle'"),
        ("wheel_body = { ", "wheel_body = { centre_m = [0.0, 0.9, 0.0], ", "leave out its centre"),
        ("half = { ", "half = { centre_m = [0.0, 0.0, 0.1], ", "leave out its centre"),
        ('differential = "open"', 'differential = "lockd"', "did you mean 'locked'"),
        ("pinion_radius_m = -0.012", "", "the key 'pinion_radius_m' is missing"),
        ("[[cab]]", "[cab]", "two brackets"),
        ("[4.0, 6.88, 4.0]", "[4e-12, 4e-12, 4e-12]", "radius of gyration must be 0.0001 to 100 m"),
        ("free_length_m = 0.31803", "free_length_m = 31.803", "between the spring's ends"),
        ('name = "cab"', f'name = "{"cab" * 100}"', "at most 200 characters, got 300"),
        ('name = "hmmwv"', f'name = "long"\nbase = "{"b" * 5000}"', "base: vehicle: 'bbb.* is unknown"),
        ("brake_capacity_N_m = 3000.0", "brake_capacity_N_m = -3000.0", "-3000.0 must be at least 0"),
        ("brake_capacity_N_m = 3000.0", "brake_capacity_N_m = nan", "must be a number, got nan"),
        (
            "drag_N_m_s_rad = 0.015",
            "drag_N_m_s_rad = -0.015",
            "drag_N_m_s_rad = -0.015 must be at least",
        ),
        ("mass_kg = 420.0", "mass_kg = true", r"'cab', body: mass_kg must be a number, got True"),
        ("mass_kg = 420.0", 'mass_kg = "420"', "must be a number, got '420'"),
        ("diameter_m = 0.94", 'diameter_m = "0.94"', r"\[tyre\]: diameter_m must be a number"),
        ("[1000.0, 50.0], [2000.0, 70.0]", "[1000.0, -50.0], [2000.0, 70.0]", "at least 0, got -50"),
        ("[3000.0, 90.0]]", "[3000.0, 60.0]]", "motoring_rpm_N_m must not fall between its last two"),
        ("[0.0, 0.0], [2.0, 44920.0]", "[0.0, 0.0], [2.0, -44920.0]", "must not fall in its second"),
        ("[800.0, 382.0]", "[800.0, -382.0]", "falls below 0 at 800 and rises again"),
        ("throttle = 0.0", "throttle = {points = [[0, 0]], hold = 'no'}", "hold must be true or false"),
        ("throttle = 0.0", "throttle = {points = [0, 1]}", r"points\[0\] must be 2 numbers, got 0"),
        ("throttle = 0.0", "throttle = 3.0", r"input 'throttle'.*3.0 must be at least 0 and at most 1"),
        ("gear = 1", "gear = 9", "input 'gear'.*9.0 must be at least -1 and at most 6"),
        ("[172.0, 296.0, 350.0]", "[[172.0], [296.0, 350.0]]", "inertia_kg_m2 must be three principal"),
        ("[172.0, 296.0, 350.0]", "[172.0, 296.0, 35000000.0]", "sum of the other two"),
        ("origin_m = [1.688965, 0.0, 0.0]", "origin_m = [1.688965, 0.0]", "origin_m must be 3 finite"),
        ("ratios = [5.8548, 3.5829,", "ratios = [0.0, 3.5829,", r"ratios\[0\] must not be zero"),
        ("[tyre]", "[[tyre]]", r"write \[tyre\] with one bracket"),
        ('law = "brixius"', 'law = "brixus"', "did you mean 'brixius'"),
        ('law = "brixius"', "lugre = { sigma_0_N_m = 0.0 }", r"\[contact\], lugre: sigma_0_N_m = 0.0"),
        ('name = "hmmwv"', "name = 5", "name must be a text, got 5"),
        ('name = "hmmwv"', 'name = "hmmwv"\nbase = 5', "base must be a text, got 5"),
        ('name = "hmmwv"', 'name = "hmmwv"\nremove = ["cab"]', "remove needs a base"),
        ('[[cab]]   # [E]\nname = "cab"', '[[frame]]\nname = "frame"', "the name 'frame' is used twice"),
        ('name = "cab"', 'name = ""', "name must be a non-empty text"),
        (
            "damper_m = [[0.10401, 0.49779, 0.32314],",
            "damper_m = [[0.09721, 0.54318, -0.04661],",
            "coincide",
        ),
        ("centre_m = [0.30, 0.0, 0.78]", "centre_m = [300.0, 0.0, 0.78]", "-100 and at most 100"),
    ],
)
def test_unknown_keys_and_values_are_refused_with_file_table_and_key(tmp_path, old, new, said):
    path = copy(tmp_path, old, new)
    with pytest.raises(B.MechanismError, match=said) as told:
        vehicle.load(path)
    assert "\n" not in str(told.value)
    where = (f"{path}: ", "mechanism 'hmmwv': input", "vehicle 'hmmwv': ", "Double", "FinalDrive 'rear'")
    assert str(told.value).startswith(where)


def test_laws_soils_and_bristles_may_be_tables(tmp_path):
    new = 'law = { type = "brixius", variant = "radial" }\nlugre = { sigma_0_N_m = 2e5 }'
    wheel = vehicle.read(copy(tmp_path, 'law = "brixius"', new)).wheel
    assert (wheel.law, wheel.lugre) == (Brixius("radial"), LuGre(2e5))
    old = new.replace("2e5 }", "2e5, v_hold_m_s = 0.1 }")
    with pytest.warns(DeprecationWarning, match="v_hold_m_s is now called stribeck_velocity_m_s"):
        wheel = vehicle.read(copy(tmp_path, 'law = "brixius"', old)).wheel
    assert wheel.lugre == LuGre(2e5, stribeck_velocity=0.1)
    bekker = '[soil]\ntype = "bekker_soil"\nk_c_N_m_n_1 = 1e3\nk_phi_N_m_n_2 = 1e6\nn = 1.0'
    text = vehicle.path_of("hmmwv").read_text().replace('law = "brixius"', 'law = "wong-reece"')
    text = text.replace("cone_index_Pa = 260000.0", "").replace(
        "[soil]   # soft, wet loam, on which the vehicle reaches the 19.1 km/h of Peiret et al.", bekker
    )
    assert vehicle.from_toml(text).wheel.soil == BekkerSoil(1e3, 1e6, 1.0)


def test_a_base_is_looked_for_beside_the_file_and_may_not_lead_back(tmp_path):
    folder = tmp_path / "vehicles"
    folder.mkdir()
    copy(folder)  # writes mine.toml
    heavier = folder / "heavier.toml"
    heavier.write_text('base = "mine.toml"\nname = "heavier"\n')
    assert vehicle.read(heavier).parts == vehicle.read("hmmwv").parts
    (folder / "loop.toml").write_text('base = "./heavier.toml"\nname = "loop"\n')
    assert vehicle.read(folder / "loop.toml").name == "loop"
    heavier.write_text('base = "../vehicles/loop.toml"\n')
    with pytest.raises(B.MechanismError, match=r"base leads back .*heavier.toml -> .*loop.toml -> "):
        vehicle.read(heavier)
    heavier.write_text('base = "hmwv"\n')
    with pytest.raises(B.UnknownName, match=r"heavier.toml: base: .*did you mean 'hmmwv'"):
        vehicle.read(heavier)


def test_a_tool_is_looked_for_beside_the_base_that_names_it(tmp_path):
    folder = tmp_path / "vehicles"
    folder.mkdir()
    copy(folder, 'file = "backhoe"', 'file = "tool.toml"', "backhoe_loader")
    shutil.copy(
        vehicle.path_of("backhoe_loader").parents[2] / "hydraulics/backhoe.toml", folder / "tool.toml"
    )
    (tmp_path / "red.toml").write_text('base = "vehicles/mine.toml"\nname = "red"\n')
    bodies = vehicle.read(tmp_path / "red.toml").mechanism().bodies
    assert bodies == vehicle.read("backhoe_loader").mechanism().bodies


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        (vehicle.DoubleWishbone, {"free_length": "0.3"}, "free_length = '0.3' is not a number"),
        (vehicle.DoubleWishbone, {"upper_arm_body": None}, "upper_arm_body = None must be a Piece"),
        (vehicle.DoubleWishbone, {"carrier": 5}, "carrier must be a non-empty text, got 5"),
        (vehicle.DoubleWishbone, {"tie_rod": ((0, 1, 0),)}, "tie_rod must be 2 points"),
        (vehicle.FinalDrive, {"ratio": 0.0}, "ratio must not be zero"),
    ],
)
def test_parts_are_checked_where_they_are_made(part, changes, said):
    with pytest.raises(B.MechanismError, match=said):
        vehicle.read("hmmwv").with_part(part, "rear", **changes)


def test_controls_of_a_schedule_stay_in_their_range():
    for name, level in (("brake", -0.1), ("throttle", 1.5), ("clutch", float("inf")), ("gear", -2)):
        if level < float("inf"):
            with pytest.raises(B.MechanismError, match=f"{level:g}.* must be at least"):
                vehicle.load("hmmwv", controls={name: B.Schedule(((0.0, 0.0), (1.0, level)))})
        with pytest.raises(B.MechanismError):
            vehicle.load("hmmwv", controls={name: level})
