"""A mechanism mounted on another one: its contacts and plates go with it."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.hydraulics import mounted
from contact.rigid import Ball, Plane, Sphere

CARRIER = B.Mechanism(
    "carrier",
    (B.Body("frame", 900.0, (90.0, 90.0, 90.0)),),
    (B.Fixed(name="hold", body_a="ground", body_b="frame"),),
)


def tray(surface, owner):
    """A marble on a surface 1 m above the tool's origin, and a post on the ground beside it."""
    bodies = [
        B.Body(name, 2.0, (0.1, 0.1, 0.1), position=(0.0, 0.0, z))
        for name, z in (("tray", 0.5), ("marble", 1.1))
    ]
    elements = (
        B.Fixed(name="foot", body_a="ground", body_b="tray"),
        B.Look(
            name="post", body="ground", outline=((0.0, 0.0), (0.2, 0.0), (0.1, 1.0)), span=(0.0, 0.1)
        ),
    )
    contact = B.RigidContact(
        name="lies", body="marble", shape=Sphere(0.1), surface=surface, body_b=owner
    )
    return B.Mechanism("tool", bodies, elements, contacts=(contact,))


@pytest.mark.parametrize("owner", ["tray", "ground"])
@pytest.mark.parametrize("surface", [Plane((0.0, 0.0, 1.0)), Ball((0.0, 0.0, 0.8), 0.2)])
def test_a_body_lies_on_the_surface_that_was_mounted_with_it(surface, owner):
    """The surfaces kept their place in the world: the marble fell through."""
    whole = mounted(tray(surface, owner), CARRIER, "frame", (5.0, 1.0, 2.0), 0.3)
    sim = B.Simulation(B.compile(whole), 1e-3)
    sim.run(300)
    np.testing.assert_allclose(sim.position("marble"), (5.0, 1.0, 3.1), atol=1e-6)
    assert next(e for e in whole.elements if e.name == "post").body == "frame"


def test_a_turned_plane_slopes_the_other_way():
    slope = Plane((0.0, 0.0, 1.0), (0.1, 0.0, 1.0))
    whole = mounted(tray(slope, "tray"), CARRIER, "frame", (0.0, 0.0, 0.0), np.pi)
    sim = B.Simulation(B.compile(whole), 1e-3)
    sim.run(300)
    assert sim.position("marble")[0] < -5e-3


def test_wheels_and_contacts_of_a_mounted_tools_file_are_refused(tmp_path):
    """They were left out without notice."""
    file = tmp_path / "tool.toml"
    B.write_mechanism(tray(Plane((0.0, 0.0, 1.0)), "tray"), file)
    text = vehicle.path_of("tractor").read_text()
    text += (
        f'\n[[mounted_tool]]\nname = "tool"\nfile = "{file.as_posix()}"\nposition_m = [-2.0, 0.0, 1.0]\n'
    )
    with pytest.raises(B.MechanismError, match="neither wheels nor rigid contacts, got 'lies'"):
        vehicle.from_toml(text).mechanism()
