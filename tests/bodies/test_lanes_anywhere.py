"""Vehicles in lanes (vector registers), or one by one where lanes are not supported: the same bytes."""

import dataclasses

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil
from contact import terrain as T
from contact.rigid import Sphere

from .mechanisms import two_bodies
from .test_batch import end, quarter
from .test_ground import AREA
from .test_lanes import same_bytes

BUMPS = 0.04 * np.add.outer(np.sin(np.arange(60) / 2.0), np.cos(np.arange(12)))
FIELD = T.HeightField(BUMPS, (0.25, 0.25), (-2.0, -1.5))
PATCHES = T.SoilMap(ConeIndexSoil(4e5), [T.Patch(ConeIndexSoil(2.5e5), x=(0.2, 2.0))])
GROUNDS = {
    "field": FIELD,
    "rigid field": B.HeightField(spacing=(0.25, 0.25), origin=(-2.0, -1.5), heights=BUMPS),
    "step": T.Step(0.6, 0.1),
    "soil map": T.Plane(soil_map=PATCHES),
    "ruts": dataclasses.replace(FIELD, soil_map=PATCHES, memory=AREA),
}


def driven(batch):
    share = np.linspace(0.0, 1.0, batch.n)
    batch.set("wheel.mass", 250.0 - 40.0 * share)
    batch.set_input("torque", 500.0 * share - 60.0)


@pytest.mark.parametrize("name", GROUNDS)
def test_wheels_on_any_ground(name):
    wheel = dataclasses.replace(quarter().wheels[0], ground=GROUNDS[name])
    batch = same_bytes(B.compile(dataclasses.replace(quarter(), wheels=(wheel,))), 400, driven)
    assert len({end(one) for one in batch}) == batch.n
    assert batch.missed.sum() == 0
    apart = name in ("soil map", "ruts")  # these never run in lanes, the others nearly always
    assert (batch.fallbacks == 400).all() if apart else batch.fallbacks.sum() < 0.1 * 400 * batch.n


def test_wheels_on_hard_ground_that_slide_jump_and_stand():
    robot = vehicle.load("skid_steer", hard=True)
    thrown = tuple(dataclasses.replace(b, velocity=(0.0, 0.0, 1.2)) for b in robot.bodies)
    both = B.compile(robot), B.compile(dataclasses.replace(robot, bodies=thrown))

    def change(batch):
        batch.set_input("left", np.linspace(-1.0, 1.0, batch.n))
        batch.set_input("right", 0.5)

    models = [both[k % 3 == 0] for k in range(11)]
    up = same_bytes(models, 80, change).position("frame")[:, 2]
    assert up[::3].min() > up[1::3].max() + 0.03
    landed = same_bytes(models, 400, change)
    assert np.ptp(landed.position("frame")[:, 2]) < 0.01
    assert landed.missed.sum() == 0
    assert (landed.fallbacks == 400).all()


def beside():
    """A wheel on soil, one on hard ground, and a ball and a box that fall beside them."""
    soft = quarter()
    extra = (
        B.Body("ball", 4.0, (0.1, 0.1, 0.1), position=(0.0, 2.0, 0.6), velocity=(1.0, 0.0, 0.0)),
        B.Body("box", 9.0, (0.2, 0.3, 0.4), position=(0.0, 4.0, 0.4), velocity=(2.0, 1.0, 0.0)),
        B.Body("drum", 60.0, (2.0, 3.0, 2.0), position=(0.0, -2.0, 0.4), velocity=(1.0, 0.5, 0.0)),
    )
    contacts = (
        B.RigidContact(name="a", body="ball", shape=Sphere(0.2), surface=B.Plane(), restitution=0.4),
        B.RigidContact(name="b", body="box", shape=B.Box(0.4, 0.3, 0.2), surface=B.Plane()),
    )
    drum = B.Wheel(name="hard", body="drum", centre=(0.0, -2.0, 0.4), radius=0.4)
    return dataclasses.replace(
        soft, bodies=(*soft.bodies, *extra), wheels=(*soft.wheels, drum), contacts=contacts
    )


def test_wheels_beside_everything_rigid():
    same_bytes(B.compile(beside()), 400, driven)


def test_rigid_contacts_alone():
    whole = beside()
    bodies = tuple(b for b in whole.bodies if b.name in ("ball", "box"))
    model = B.compile(B.Mechanism("thrown", bodies, contacts=whole.contacts))
    batch = same_bytes(model, 400, lambda b: b.set("box.mass", np.linspace(5.0, 12.0, b.n)))
    assert len({end(one) for one in batch}) == batch.n


def test_no_contacts_at_all():
    model = B.compile(two_bodies("revolute", seed=3))
    batch = same_bytes(model, 200, lambda b: b.set("first.mass", np.linspace(1.0, 2.0, b.n)))
    assert batch.fallbacks.sum() == 0


@pytest.mark.parametrize("hard", [False, True])
def test_one_that_diverges_there_stops_alone(hard):
    """A vehicle diverges on a height field, or beside rigid bodies, and stops; the others run on."""
    wheel = dataclasses.replace(quarter().wheels[0], ground=FIELD)
    model = B.compile(beside() if hard else dataclasses.replace(quarter(), wheels=(wheel,)))
    batch, calm = B.Batch(model, 9), B.Batch(model, 9)
    for b, torque in ((batch, 1e306), (calm, 20.0)):
        b.set_input("torque", np.where(np.arange(9) == 2, torque, 20.0))
    with pytest.warns(B.SimulationWarning, match="1 of 9 vehicles stopped"):
        batch.run(40)
    calm.run(40)
    assert list(batch.stopped) == [2]
    assert all(end(batch[k]) == end(calm[k]) for k in range(9) if k != 2)
