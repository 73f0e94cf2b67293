"""A vehicle's file sets single axles and wheels, ground, start and a user's own parts by its tables."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import SOILS, BekkerSoil, ConeIndexSinkage, Crolla, Tyre
from contact.terrain import Plane as Terrain
from tests.refusals import refusals

from .drives import full_throttle

ROBOT = vehicle.path_of("skid_steer").read_text(encoding="utf-8")
SOFT = ROBOT.replace("[hard]", "[wheels.front_left.hard]")


def robot(more="", text=ROBOT):
    return vehicle.from_toml(text + more)


def wheel_of(car, name):
    return next(w for w in car.mechanism().wheels if w.name == name)


def test_a_wheels_own_fields_go_before_its_axles_and_all_wheels():
    car = robot(
        """
[wheels.front]
tyre = { pressure_Pa = 60000.0 }
soil = { name = "dry sand" }
law = "wong-reece"

[wheels.front_left]
tyre = { width_m = 0.1 }
regularisation = "global"
lateral = { type = "brixius_lateral" }
hard = false

[wheels.rear]
hard = { friction = 0.3 }
"""
    )
    common, axle, one = (car.rolling(n) for n in ("spare", "front_right", "front_left"))
    assert common.contact.tyre == Tyre(0.19, 0.089, 0.04, 45e3)
    assert axle.contact.tyre == dataclasses.replace(common.contact.tyre, pressure=60e3)
    assert one.contact.tyre == dataclasses.replace(axle.contact.tyre, width=0.1)
    dry = SOILS["dry sand"]
    assert (axle.contact.soil, axle.contact.base) == (dry.cone, dry.bekker)
    assert axle.contact.ground == dry.bekker  # the parameters of Wong-Reece
    assert (axle.contact.law, one.contact.law) == ("wong-reece", "wong-reece")
    assert (axle.contact.regularisation, one.contact.regularisation) == ("implicit", "global")
    assert one.hard is None
    assert axle.hard == common.hard
    assert wheel_of(car, "front_left").soil == one.contact
    assert wheel_of(car, "rear_left").friction == 0.3
    assert wheel_of(car, "rear_left").lateral == "coulomb"  # from [hard], extended by [wheels.rear]


def test_wheels_on_soil_and_on_hard_ground_stand_in_one_vehicle():
    car = robot(text=SOFT)
    model = B.compile(car.mechanism())
    run = B.simulate(model, 1e-3, 1e-3, state=B.equilibrium(model))
    loads = [run.channel_force(w.name)[-1, 0] for w in model.mechanism.wheels]
    assert sum(loads) == pytest.approx(15.0 * 9.80665, rel=1e-6)
    assert [w.soil is None for w in model.mechanism.wheels] == [True, False, False, False]


test_mistakes_are_answered_with_table_and_nearest_word = refusals(
    ("[wheels.frnt]\nhard = false", "axle or wheel: 'frnt' is unknown; did you mean 'front'"),
    ("[wheels.front]\nlaww = 'sand'", r"\[wheels.front\]: key: 'laww' is unknown; did you mean 'law'"),
    ("[wheels.front]\ntyre = { width_m = -0.1 }", r"\[wheels.front\], tyre: width_m = -0.1"),
    ("[wheels.front]\nsoil = { name = 'dry sad' }", "did you mean 'dry sand'"),
    ("[wheels.front]\nsoil = { name = 'snow', n = 1 }", "key: 'n' is unknown"),
    ("[wheels.front]\nhard = { frction = 0.1 }", "did you mean 'friction'"),
    ("[wheels.front]\nhard = { friction = -0.1 }", "friction = -0.1 must be at least 0"),
    ("[wheels.front]\nhard = 5", "one bracket"),
    ("[[wheels]]\nname = 'front'", "one bracket"),
    ("[wheels]\nfront = 3", "one bracket"),
    ("[wheels.front]\ntyre = { diameter_m = 0.4 }", "'front_left' and 'rear_left' overlap: .* 0.262 m"),
    ("[wheels.front]\ntyre = { width_m = [0.1] }", r"\[wheels.front\], tyre: width_m must be a number"),
    ("[ground]\ntype = 'slop'", "did you mean 'slope'"),
    of=lambda more: robot("\n" + more).mechanism(),
    error=B.MechanismError,
)


def test_on_changes_every_wheel():
    car = vehicle.read("tractor").on(regularisation="local", cone_index=5e5, lateral=Crolla(0.1))
    for name in ("front_left", "rear_left"):
        contact = car.rolling(name).contact
        assert (contact.regularisation, contact.soil.cone_index) == ("local", 5e5)
        assert contact.lateral == Crolla(0.1)
    assert car.rolling("front_left").contact.tyre.width == 0.48
    assert car.rolling("rear_left").contact.tyre.width == 0.52


def test_a_heading_turns_the_whole_vehicle_about_its_origin():
    """A vehicle with another heading starts in the rotated pose and drives the rotated turn to 1 mm."""
    text = vehicle.path_of("tractor").read_text(encoding="utf-8")
    place = "heading_rad = 2.2\norigin_m = [3.0, -2.0, 0.06]"
    turned = vehicle.from_toml(text.replace("origin_m = [0.0, 0.0, 0.06]", place, 1))
    go = full_throttle(gear=5, steering=8.0)
    starts, paths = [], []
    for car in (vehicle.read("tractor"), turned):
        sim = B.Simulation(B.compile(car.mechanism(go)), 2e-3)
        starts.append(np.array([sim.position(b) for b in sim.model.body_index]))
        sim.run(1500)
        paths.append(sim.position("frame"))
    c, s = np.cos(2.2), np.sin(2.2)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    np.testing.assert_allclose(starts[1], starts[0] @ R.T + [3.0, -2.0, 0.0], atol=1e-12)
    assert paths[0][1] > 0.1
    np.testing.assert_allclose(paths[1], R @ paths[0] + [3.0, -2.0, 0.0], atol=1e-3)


def test_ground_and_gravity_come_from_the_file():
    head, tail = ROBOT.split("about =", 1)
    moon = vehicle.from_toml(
        f'{head}gravity_m_s2 = [0.0, 0.0, -1.62]\nabout ={tail}\n[ground]\ntype = "slope"\n'
    )
    mechanism = moon.mechanism()
    assert mechanism.gravity.acceleration == (0.0, 0.0, -1.62)
    assert all(isinstance(w.ground, Terrain) for w in mechanism.wheels)


def test_a_users_part_is_registered_for_files_in_one_line():
    @vehicle.register
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Antenna(vehicle.Part):
        body: vehicle.Piece
        on: str = "frame"

        def build(self, to):
            mast = to.body(self.name, self.body, to.at(self.body.centre))
            to.add(
                B.Fixed(name=f"{self.name} foot", body_a=self.on, body_b=mast, position=to.at((0, 0, 0)))
            )

    try:
        car = robot(
            '\n[[antenna]]\nname = "mast"\n'
            "body = { mass_kg = 0.5, inertia_kg_m2 = [0.01, 0.01, 0.001], centre_m = [0.0, 0.0, 0.4] }\n"
        )
        assert sum(b.mass for b in car.mechanism().bodies) == pytest.approx(15.5)
        with pytest.raises(B.MechanismError, match="did you mean 'antenna'"):
            robot('\n[[antena]]\nname = "mast"\n')
    finally:
        vehicle.PARTS.pop("antenna")
    with pytest.raises(B.MechanismError, match="part = 5 must be a class of Part"):
        vehicle.register(5)
    with pytest.raises(B.MechanismError, match=r"a table \[\[frame\]\] already"):
        vehicle.register(type("Frame", (vehicle.Part,), {}))


def test_hub_drives_and_final_drives_name_the_axle_that_is_not_there():
    with pytest.raises(B.UnknownName, match="did you mean 'rear'"):
        robot(text=ROBOT.replace('axles = ["front", "rear"]', 'axles = ["front", "reer"]')).mechanism()
    tractor = vehicle.read("tractor").with_part(vehicle.FinalDrive, "front", output=None)
    assert tractor.part(vehicle.FinalDrive, "front").output is None
    with pytest.raises(B.MechanismError, match="output = 5 must be a Piece"):
        tractor.with_part(vehicle.FinalDrive, "front", output=5)


FIELD = vehicle.path_of("tractor").read_text(encoding="utf-8")
LOAM = """{ type = "bekker_soil", k_c_N_m_n_1 = 5270.0, k_phi_N_m_n_2 = 1515040.0, n = 0.7, \
cohesion_Pa = 1720.0, friction_angle_rad = 0.506, shear_modulus_m = 0.025 }"""


def test_a_file_with_a_cone_index_alone_sinks_by_it():
    """Sinkage is by the cone index; by Bekker's relation if a key implies it, or for a rigid wheel."""
    rigid = FIELD.replace("pressure_Pa = 110000.0", "pressure_Pa = 110000.0\ndeflection_m = 0.0")
    for text, bearing in (
        (FIELD, ConeIndexSinkage),
        (FIELD.replace('law = "brixius-radial"', 'sinkage = "bekker"'), BekkerSoil),
        (FIELD.replace('law = "brixius-radial"', f"base = {LOAM}"), BekkerSoil),
        (FIELD.replace('law = "brixius-radial"', 'law = "wong-reece"'), BekkerSoil),
        (FIELD.replace("cone_index_Pa = 1200000.0", 'name = "wet sandy loam"'), BekkerSoil),
        (rigid, BekkerSoil),
    ):
        assert isinstance(vehicle.from_toml(text).wheel.bearing, bearing)
    assert vehicle.read("hmmwv").wheel.sinkage == "bekker"
    sand = vehicle.read("tractor").on(soil=SOILS["dry sand"].bekker, law="wong-reece")
    for wheel in ("front_left", "rear_left"):
        assert sand.rolling(wheel).contact.bearing == SOILS["dry sand"].bekker


def test_a_tractor_stands_deeper_on_softer_soil():
    """The rear wheels' sinkage is that of the cone-index relation, and falls with the cone index."""
    car, load, sunk = vehicle.read("tractor"), 27000.0, []
    for cone_index in (3e5, 6e5, 1.2e6, 2.4e6):
        wheel = car.on(cone_index=cone_index).rolling("rear_left").contact
        sunk.append(wheel.static_compression(load) - load / wheel.tyre.stiffness)
        wanted = ConeIndexSinkage(cone_index=cone_index).sinkage(wheel.tyre, load)
        assert sunk[-1] == pytest.approx(float(wanted), rel=1e-4)
    assert np.all(np.diff(sunk) < 0.0)
    assert sunk[0] > 0.04 > 4.0 * sunk[-1]


def test_a_map_of_other_kinds_of_soil_bears_by_each():
    ground = f"""
[ground]
type = "slope"
soil_map = {{ type = "soil_map", ground = {{ type = "cone_index_soil", cone_index_Pa = 6e5 }}, \
patches = [{{ type = "patch", soil = {LOAM}, law = "wong-reece", x_m = [3.0, 6.0] }}] }}
"""
    car = vehicle.from_toml(FIELD + ground)
    there = car.ground.soil_map.wheels(car.wheel)
    assert [type(w.bearing) for w in there] == [ConeIndexSinkage, BekkerSoil]
