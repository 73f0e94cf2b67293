"""A mechanism goes through a TOML file unchanged; a misspelt key names the nearest known one."""

import pytest

import bodies as B
from benchmarks import vehicle_like
from bodies.files import mechanism_from_toml, mechanism_to_toml

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


def test_a_vehicle_goes_through_a_file_unchanged(tmp_path):
    vehicle = vehicle_like.mechanism(throttle=B.Schedule(((0.0, 0.0), (1.0, 0.8))))
    B.write_mechanism(vehicle, tmp_path / "vehicle.toml")
    again = B.read_mechanism(tmp_path / "vehicle.toml")
    assert again.bodies == vehicle.bodies
    assert again.wheels == vehicle.wheels
    assert sorted(e.name for e in again.elements) == sorted(e.name for e in vehicle.elements)
    by_name = {e.name: e for e in again.elements}
    assert all(by_name[e.name] == e for e in vehicle.elements)
    assert mechanism_to_toml(again) == mechanism_to_toml(vehicle)


def test_contacts_go_through_a_file_unchanged():
    box = B.Body('a "box"', 1.0, (1, 1, 1))
    contact = B.RigidContact(
        name="c",
        body='a "box"',
        shape=B.Box(1.0, 2.0, 3.0),
        friction=0.3,
        surface=B.HeightField((0, 0), (1, 1), ((0, 0), (0.5, 1))),
    )
    mechanism = B.Mechanism("m", (box,), contacts=(contact,), inputs={"pedal": 0.5})
    again = mechanism_from_toml(mechanism_to_toml(mechanism))
    assert again.contacts == mechanism.contacts
    assert again.inputs == mechanism.inputs


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass_kg", "mas_kg", "did you mean 'mass_kg'"),
        ("mass_kg", "mass", "did you mean 'mass_kg'"),
        ("[[revolute]]", "[[revolut]]", "did you mean 'revolute'"),
        ("mass_kg = 20.0\n", "", "'mass_kg' is missing"),
        ("[[body]]", "[body]", "two brackets"),
        ("= 20.0", "= -20.0", "mass"),
        ("= 20.0", "= ,", "not a TOML file"),
        ('"door"\nmass', '"dor"\nmass', "did you mean 'dor'"),
    ],
)
def test_misspelt_files_get_a_sentence(old, new, words):
    with pytest.raises(B.MechanismError, match=words):
        mechanism_from_toml(DOOR.replace(old, new))
