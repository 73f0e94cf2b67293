"""Drawn shapes of bodies from a file: their position, also on a turned tool; no effect on motion."""

import dataclasses
import math

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.files import mechanism_from_toml, mechanism_to_toml
from bodies.frames import quaternion_matrix
from bodies.hydraulics import backhoe, mounted
from bodies.view import meshes
from bodies.view.shapes import shapes_of
from bodies.view.stage import Meshes
from tests.refusals import refusals

PLATE = {"outline": ((0.0, 0.0), (1.0, 0.0), (1.0, 0.5)), "span": (0.2, 0.3)}


def tilted(*looks):
    """A body at (1, 0, 2), tilted by 0.3 rad about y, on a hinge."""
    body = B.Body(
        "arm", 5.0, (1, 1, 1), position=(1, 0, 2), orientation=(math.cos(0.15), 0, math.sin(0.15), 0)
    )
    pin = B.Revolute(name="pin", body_a="ground", body_b="arm", axis=(0, 1, 0))
    return B.Mechanism("arm", (body,), (pin, *looks))


def corners(model, body):
    """Corners (n, 3) of a body's shapes in world axes [m]."""
    k = model.body_index[body]
    x, q = model.machine.position.reshape(-1, 3)[k], model.machine.quaternion.reshape(-1, 4)[k]
    points = np.vstack([part.mesh.vertices for part in shapes_of(model)[body]])
    return np.unique(np.round(points @ quaternion_matrix(q).T + x, 9), axis=0)


def expected(*signs):
    return np.unique(
        [(x, s * y, z) for x, z in PLATE["outline"] for y in PLATE["span"] for s in signs], axis=0
    )


@pytest.mark.parametrize(("mirrored", "signs"), [(False, (1,)), (True, (1, -1))])
def test_a_plate_lies_where_its_outline_lies(mirrored, signs):
    mechanism = tilted(B.Look(name="plate", body="arm", mirrored=mirrored, **PLATE))
    np.testing.assert_allclose(corners(B.compile(mechanism), "arm"), expected(*signs), atol=1e-9)
    assert mechanism_from_toml(mechanism_to_toml(mechanism)) == mechanism


def test_a_plate_of_a_turned_tool_is_turned_with_it():
    carrier = B.Mechanism("carrier", (B.Body("frame", 1.0, (1, 1, 1)),))
    tool = tilted(B.Look(name="plate", body="arm", **PLATE))
    found = corners(B.compile(mounted(tool, carrier, "frame", (5.0, 0.0, 1.0), math.pi)), "arm")
    wanted = expected(1) * (-1, -1, 1) + (5.0, 0.0, 1.0)
    np.testing.assert_allclose(found, np.unique(np.round(wanted, 9), axis=0), atol=1e-9)


def test_a_plate_of_the_ground_stands_on_the_drawn_plane():
    post = {"outline": ((0.0, -1.0), (0.2, -1.0), (0.1, 2.0)), "span": (0.2, 0.3)}
    model = B.compile(tilted(B.Look(name="post", body="ground", opacity=0.4, **post)))
    drawn = Meshes.of(model, np.zeros(3), np.ones(3))
    part, (plane,) = drawn.ground[0], drawn.planes
    found = np.unique(np.round(part.mesh.vertices, 9), axis=0)
    wanted = np.unique([(x, y, z) for x, z in post["outline"] for y in post["span"]], axis=0)
    np.testing.assert_allclose(found, wanted, atol=1e-9)
    assert part.colour == (228, 168, 44)
    assert part.opacity == 0.4
    assert plane.position[2] == -1.0


def test_each_plate_is_built_once(monkeypatch):
    """The viewer built the plates of all looks twice: for the bodies, and for the ground."""
    built = []
    monkeypatch.setattr(meshes, "hull", lambda points, hull=meshes.hull: built.append(1) or hull(points))
    looks = (B.Look(name=body, body=body, **PLATE) for body in ("arm", "ground"))
    Meshes.of(B.compile(tilted(*looks)), np.zeros(3), np.ones(3))
    assert len(built) == 2


def test_it_has_no_effect_on_the_motion():
    whole = backhoe({"boom lever": 0.4})
    bare = tuple(e for e in whole.elements if not isinstance(e, B.Look))
    assert len(bare) < len(whole.elements)
    ends = []
    for elements in (whole.elements, bare):
        sim = B.Simulation(B.compile(dataclasses.replace(whole, elements=elements)), 1e-3)
        sim.run(200)
        ends.append(sim.poses().tobytes())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", ["wheel_loader", "backhoe_loader"])
def test_a_shipped_loader_has_hull_cab_and_bucket(name):
    """The frame has five shapes or more, one of them transparent; the bucket is wider than 0.7 m."""
    mechanism = vehicle.load(name)
    drawn = shapes_of(B.compile(mechanism))
    assert any(part.opacity for part in drawn["frame"])
    assert len(drawn["frame"]) >= 5
    assert np.ptp(np.vstack([p.mesh.vertices for p in drawn["bucket"]])[:, 1]) > 0.7


test_a_look_without_a_plate_or_body_is_a_sentence = refusals(
    ({"body": "arm", "outline": ((0, 0), (1, 0)), "span": (0, 1)}, "it needs an outline of three"),
    (
        {"body": "arm", "outline": ((0, 0), (1, 1), (2, 2)), "span": (0, 1)},
        "look 'x': the corners of a plate lie in one plane or line",
    ),
    ({"body": "arm", "hulls": (((0, 0, 0), (1, 0, 0), (0, 1, 0)),)}, "'x': .* in one plane or line"),
    ({"body": "arm", "colour": (0, 300, 0), **PLATE}, r"look 'x': colour\[1\] = 300.0 must be"),
    ({"body": "arn", **PLATE}, "body of 'x': 'arn' is unknown; did you mean 'arm'"),
    of=lambda given: tilted(B.Look(name="x", **given)),
    error=B.MechanismError,
)
