"""Mechanisms come back equal from a TOML file; errors name the known key nearest to a misspelt one."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bodies as B
from bodies import checks, vehicle
from bodies.files import mechanism_from_toml, mechanism_to_toml
from contact import (
    REGULARISATIONS,
    BekkerSoil,
    ConeIndexSoil,
    Crolla,
    Regularisation,
    Tyre,
    WheelContact,
)
from contact import terrain as T
from contact.schemes.own import Line
from tests.refusals import refusals

from .files_to_break import automatic, driveline, machine, oil, wheels
from .mechanisms import truck
from .oil_cases import crane

DOOR = """
name = "door"

[[body]]
name = "door"
mass_kg = 20.0
inertia_kg_m2 = [5.0, 5.0, 0.5]
position_m = [0.5, 0.0, 0.0]

[[revolute]]
name = "hinge"
body_a = "ground"
body_b = "door"
"""


def test_a_small_file_reads_as_written():
    door = mechanism_from_toml(DOOR)
    assert door.bodies[0].mass == 20.0
    assert isinstance(door.elements[0], B.Revolute)
    assert B.compile(door).structure.rows == 5


def pushed():
    """A force and an electric motor, each with an input."""
    elements = (
        B.Revolute(name="h", body_a="ground", body_b="b", axis=(0, 1, 0)),
        B.PointForce(name="p", body="b", position=(0, 0, 1), direction=(1, 0, 0), effort="pull"),
        B.ElectricMotor(name="m", joint="h", full_load=((0, 1), (1, 0)), command="u"),
    )
    return B.Mechanism("m", (B.Body("b", 1.0, (0.1,) * 3),), elements, inputs={"pull": 1.0, "u": -0.5})


def on_grounds():
    """Wheels on ground of several shapes, and a box on heights."""
    memory = T.SoilMemory(x=(-2.0, 30.0), y=(-1.0, 1.0), cell=0.2, multipass=4.0)
    soil = ConeIndexSoil(3e5)
    soils = T.SoilMap(soil, [T.Patch(ConeIndexSoil(9e5), x=(3.0, 6.0), base=BekkerSoil.sandy_loam())])
    grounds = (
        T.Plane(grade_x=0.1, soil_map=soils, memory=memory),
        T.Step(1.0, 0.2),
        T.Sine(0.1, 3.0),
        T.HeightField([[0.0, 0.1], [0.2, 0.3]], soil_map=soils),
        B.Plane(),
    )
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14), soil, lateral=Crolla(), regularisation="local")
    wheels = tuple(
        B.Wheel(name=f"w{k}", body='a "wheel"', centre=(0, 0, 0), soil=wheel, ground=ground)
        for k, ground in enumerate(grounds)
    )
    heights = B.HeightField((0, 0), (1, 1), ((0, 0), (0.5, 1)))
    box = B.RigidContact(
        name="c", body='a "wheel"', shape=B.Box(1.0, 2.0, 3.0), friction=0.3, surface=heights
    )
    return B.Mechanism("m", (B.Body('a "wheel"', 1.0, (1, 1, 1)),), contacts=(box,), wheels=wheels)


def vehicle_with_a_schedule():
    return truck(throttle=B.Schedule(((0.0, 0.0), (1.0, 0.8))))


WRITTEN = (
    driveline,
    automatic,
    machine,
    wheels,
    oil,
    crane,
    pushed,
    on_grounds,
    vehicle_with_a_schedule,
)


@pytest.mark.parametrize("make", WRITTEN, ids=lambda make: make.__name__)
def test_a_mechanism_goes_through_a_file_unchanged(make, tmp_path):
    mechanism = make()
    B.write_mechanism(mechanism, tmp_path / "m.toml")
    again = B.read_mechanism(tmp_path / "m.toml")
    assert again == mechanism
    assert mechanism_to_toml(again) == mechanism_to_toml(mechanism)


test_a_misspelt_key_gets_the_nearest_name = refusals(
    ((crane, "bore_m", "bore"), "bore_m"),
    ((oil, "[[hydraulic_circuit]]", "[[hydraulic_circut]]"), "did you mean 'hydraulic_circuit'"),
    ((pushed, "effort_N", "effrt_N"), "did you mean 'effort_N'"),
    ((on_grounds, "cone_index_Pa", "cone_indx_Pa"), "did you mean 'cone_index_Pa'"),
    of=lambda given: mechanism_from_toml(mechanism_to_toml(given[0]()).replace(*given[1:])),
    error=B.MechanismError,
)


test_misspelt_files_get_a_sentence = refusals(
    (("mass_kg", "mas_kg"), "did you mean 'mass_kg'"),
    (("mass_kg", "mass"), "did you mean 'mass_kg'"),
    (("[[revolute]]", "[[revolut]]"), "did you mean 'revolute'"),
    (("mass_kg = 20.0\n", ""), "'mass_kg' is missing"),
    (("[[body]]", "[body]"), "two brackets"),
    (("= 20.0", "= -20.0"), "mass"),
    (("= 20.0", "= ,"), "not a TOML file"),
    (('"door"\nmass', '"dor"\nmass'), "did you mean 'dor'"),
    of=lambda change: mechanism_from_toml(DOOR.replace(*change)),
    error=B.MechanismError,
)


@pytest.mark.parametrize("name", vehicle.shipped())
def test_shipped_vehicles_come_back_equal_from_a_file(name, tmp_path):
    read = vehicle.read(name)
    trailer = any(isinstance(part, vehicle.Hitch) for part in read.parts)
    mechanism = vehicle.read("hmmwv").mechanism(towing=(read,)) if trailer else read.mechanism()
    B.write_mechanism(mechanism, tmp_path / "m.toml")
    assert B.read_mechanism(tmp_path / "m.toml") == mechanism


@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3).filter(lambda v: max(map(abs, v)) > 1e-3))
def test_a_direction_normalised_twice_is_normalised_once(direction):
    once = checks.unit_vector("joint", "axis", direction)
    assert checks.unit_vector("joint", "axis", once) == once
    assert np.linalg.norm(once) == pytest.approx(1.0, abs=1e-15)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_name_comes_back_from_a_file(name):
    body = B.Body(name, 1.0, (1, 1, 1)) if name != "ground" else B.Body("b", 1.0, (1, 1, 1))
    mechanism = B.Mechanism(name, (body,), inputs={name: np.float64(0.1)})
    assert mechanism_from_toml(mechanism_to_toml(mechanism)) == mechanism


def test_the_order_of_elements_is_kept_in_a_file():
    body = B.Body("b", 1.0, (1, 1, 1))
    hinge = B.Revolute(name="hinge", body_a="ground", body_b="b")
    spring = B.JointSpring(name="spring", joint="hinge", stiffness=1.0)
    for elements in ((hinge, spring), (spring, hinge)):
        mechanism = B.Mechanism("m", (body,), elements)
        assert mechanism_from_toml(mechanism_to_toml(mechanism)).elements == elements


def test_a_scheme_given_as_an_object_is_written_by_its_name_and_one_of_ones_own_is_refused():
    soil = WheelContact(Tyre(0.8, 0.3, 0.2), ConeIndexSoil(3e5), regularisation=REGULARISATIONS["local"])
    body = B.Body("b", 1.0, (1, 1, 1))
    wheel = B.Wheel(name="w", body="b", centre=(0, 0, 0), soil=soil)
    mechanism = B.Mechanism("m", (body,), wheels=(wheel,))
    assert mechanism_from_toml(mechanism_to_toml(mechanism)) == mechanism
    own = Regularisation.own(lambda at: Line(damping=at.secant), "mine")
    mine = dataclasses.replace(wheel, soil=dataclasses.replace(soil, regularisation=own))
    with pytest.raises(B.MechanismError, match="cannot be written"):
        mechanism_to_toml(B.Mechanism("m", (body,), wheels=(mine,)))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (DOOR.encode("utf-16"), "no UTF-8 text"),
        (DOOR.replace("door", "t\u00fcr").encode("latin-1"), "byte .* is 0xfc"),
        (b"x = " + b"[" * 1000 + b"]" * 1000, "nested too deep"),
        (b"x = " + b"9" * 5000, "too many digits"),
        (b"# " + b"x" * 5_000_000, "at most 4000000 bytes"),
        (b"name = 5", "name must be a text, got 5"),
        (b"name = 'm'\ngravity_m_s2 = 0", "gravity_m_s2 must be a list of numbers, got 0"),
        (b"name = 'm'\ngravity_m_s2 = [0, 0]", "gravity_m_s2 must be 3 finite numbers"),
        (b"name = 'm'\nbody = [1, 2]", r"write \[\[body\]\] with two brackets"),
        (b"name = 'm'\ninputs = 3", r"write \[inputs\] with one bracket"),
        (b"name = 'm'\n[inputs]\npedal = true", r"\[inputs\]: pedal must be a number, got True"),
    ],
)
def test_files_that_are_no_mechanisms_get_a_sentence(raw, words, tmp_path):
    path = tmp_path / "m.toml"
    path.write_bytes(raw)
    with pytest.raises(B.MechanismError, match=words) as told:
        B.read_mechanism(path)
    assert str(told.value).startswith(str(path))


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "m.toml"
    path.write_bytes(DOOR.encode("utf-8-sig"))
    assert B.read_mechanism(path) == mechanism_from_toml(DOOR)
    with pytest.raises(B.MechanismError, match=r"no such file or directory; give the path"):
        B.read_mechanism(tmp_path / "nowhere.toml")
    with pytest.raises(B.MechanismError, match="give the path of a TOML file"):
        B.read_mechanism(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("= 20.0", '= "20"', "mass_kg must be a number, got '20'"),
        ("= 20.0", "= true", "mass_kg must be a number, got True"),
        ("= 20.0", "= nan", "mass_kg must be a number, got nan"),
        ("= 20.0", "= inf", "mass_kg = inf must be a finite number"),
        ("= 20.0", f"= {10**400}", "mass_kg must be between -1e.09 and 1e.09 kg"),
        ("= 20.0", "= 1979-05-27", "mass_kg must be a number, got datetime.date"),
        ("[5.0, 5.0, 0.5]", "[[5.0, 5.0], 0.5]", "inertia_kg_m2 must be three principal moments"),
        ("[5.0, 5.0, 0.5]", '["a", 5.0, 0.5]', r"inertia_kg_m2\[0\] must be a number or a list"),
        ("[0.5, 0.0, 0.0]", "[0.5, 0.0]", "position_m must be 3 finite numbers"),
        ('"ground"', "5", "body_a must be a text, got 5"),
        (
            "mass_kg = 20.0",
            "mass_kg = 20.0\nmass = 3",
            r"'mass' is unknown; did you mean 'mass_kg'",
        ),
    ],
)
def test_values_of_another_kind_name_file_table_and_key(old, new, words):
    with pytest.raises(B.MechanismError, match=words) as told:
        mechanism_from_toml(DOOR.replace(old, new), "door.toml")
    assert str(told.value).startswith("door.toml: [[")
