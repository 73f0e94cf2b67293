"""Mechanisms with redundant joints or extreme masses run; impossible ones are refused by a sentence."""

import numpy as np
import pytest

import bodies as B
from tests.refusals import refusals


def door(hinges):
    body = B.Body(
        "door",
        20.0,
        (5.0, 5.0, 0.5),
        position=(0.5, 0, 0),
        angular_velocity=(0, 0, 1),
        velocity=(0, 0.5, 0),
    )
    joints = tuple(
        B.Revolute(name=f"hinge {k}", body_a="ground", body_b="door", position=(0, 0, 0.2 * k))
        for k in range(hinges)
    )
    return B.compile(B.Mechanism("door", (body,), joints))


def test_eight_parallel_hinges_move_like_one():
    one, eight = (B.Simulation(door(k), 1e-3, tolerance=1e-12) for k in (1, 8))
    one.run(1000)
    eight.run(1000)
    np.testing.assert_allclose(eight.position("door"), one.position("door"), atol=1e-8)
    assert max(eight.joint_error()) < 1e-9
    weight = sum(eight.reaction(f"hinge {k}").force_b[2] for k in range(8))
    assert weight == pytest.approx(20 * 9.80665, rel=1e-6)


def test_mass_ratio_of_a_million():
    light = B.Body("thread", 1e-6, (1e-9,) * 3, position=(0, 0, -0.5))
    heavy = B.Body("load", 1.0, (0.01,) * 3, position=(0.3, 0, -1.0))
    joints = (
        B.Spherical(name="top", body_a="ground", body_b="thread"),
        B.Spherical(name="end", body_a="thread", body_b="load", position=(0, 0, -1.0)),
    )
    sim = B.Simulation(B.compile(B.Mechanism("pendulum", (light, heavy), joints)), 1e-3)
    sim.run(2000)
    assert max(sim.joint_error()) < 1e-6
    assert sim.energy().total == pytest.approx(-9.80665, rel=0.05)


def gap(offset):
    body = B.Body("rod", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 0))
    joint = B.Spherical(name="eye", body_a="ground", body_b="rod", position_b=(offset, 0, 0))
    return B.Mechanism("open", (body,), (joint,))


def test_an_open_assembly_is_refused_with_its_gap_and_can_be_closed():
    with pytest.raises(B.NotClosed, match=r"'eye'.*0\.05 m.*close=True"):
        B.compile(gap(0.05))
    sim = B.Simulation(B.compile(gap(0.05), close=True), 1e-3)
    np.testing.assert_allclose(sim.position("rod"), (0.95, 0, 0), atol=1e-9)


def test_small_opening_is_closed_silently():
    sim = B.Simulation(B.compile(gap(5e-4)), 1e-3)
    sim.run(1)
    assert sim.joint_error()[0] < 1e-9


def test_assembly_that_cannot_close():
    body = B.Body("rod", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 0))
    joints = tuple(
        B.Spherical(
            name=f"eye {k}",
            body_a="ground",
            body_b="rod",
            position=(0, 0, 0),
            position_b=(0.1 * k, 0, 0),
        )
        for k in range(2)
    )
    with pytest.raises(B.NotClosed, match="no nearby pose"):
        B.compile(B.Mechanism("impossible", (body,), joints), close=True)


def body(**changes):
    return B.Body(**({"name": "b", "mass": 1.0, "inertia": (1, 1, 1)} | changes))


def held(**changes):
    """A body on a hinge, with a brake."""
    hub = B.Revolute(**({"name": "hub", "body_a": "ground", "body_b": "b"} | changes))
    return B.Mechanism("m", (body(),), (hub, B.Brake(name="brake", joint="hub", capacity=10.0)))


def wheel(**changes):
    return B.Wheel(**({"name": "w", "body": "b", "centre": (0, 0, 0.4), "radius": 0.4} | changes))


test_wrong_arguments_are_refused_with_the_field = refusals(
    (lambda: wheel(body="ground"), "body must be one that moves"),
    (lambda: wheel(spin_axis=(0, 0, 2.0)), "lies flat does not roll"),
    (lambda: wheel(centre=("0", "0", "0")), "centre must be 3 finite numbers"),
    (lambda: wheel(radius=400.0), "radius = 400.0 must be above 0 and at most 100"),
    (lambda: wheel(radius="0.4"), "radius = '0.4' is not a number"),
    (lambda: wheel(friction=10**400), "friction is an integer beyond the largest float"),
    (lambda: wheel(rolling=True), "rolling = True is not a number"),
    (lambda: body(mass=0.0), "mass = 0.0 kg must be above 0"),
    (lambda: body(mass=np.nan), "mass = nan must be a finite number"),
    (lambda: body(mass=True), "mass = True is not a number"),
    (lambda: body(mass=1e-30), "radius of gyration must be at most 1e\\+06 m"),
    (lambda: body(inertia=(1, 1, 3)), "sum of the other two"),
    (lambda: body(inertia=(0, 1, 1)), "principal moments of inertia must be positive"),
    (lambda: body(inertia=(5e-324,) * 3), "principal moments of inertia must be positive"),
    (lambda: body(inertia=(1, 1, 5e-324)), "principal moments of inertia must be positive"),
    (lambda: body(inertia=(1, 1)), "three principal moments"),
    (lambda: body(inertia=((1, 0), 1, 1)), "three principal moments"),
    (lambda: body(position=(0, np.inf, 0)), "position must be 3 finite numbers"),
    (lambda: body(position=[[0], [0], [0]]), "position must be 3 finite numbers"),
    (lambda: body(orientation=(0, 0, 0, 0)), "orientation .a quaternion. must be a direction"),
    (lambda: body(name="ground"), "name must be a non-empty text other than 'ground'"),
    (lambda: held(body_a="b"), "two different bodies"),
    (lambda: held(body_b="bb"), "body_b of 'hub': 'bb' is unknown; did you mean 'b'"),
    (lambda: B.compile(held(name="hubb")), "'hub' is unknown; did you mean 'hubb'"),
    (lambda: B.Mechanism("m", (body(), body())), "'b' is used twice"),
    (lambda: B.Mechanism(5, (body(),)), "name = 5 must be a text"),
    (lambda: B.Plane(normal=("a", 0, 1)), "Plane.normal = .* must be 3 finite numbers"),
    (lambda: B.HeightField((0, 0), (1, 1), ((0, 0), (1,))), "HeightField.heights must be a table"),
    (
        lambda: B.HeightField((0, 0), (1, -1), ((0, 0), (1, 1))),
        r"spacing\[1\] = -1.0 m must be above 0",
    ),
    (lambda: B.Sphere("1"), "Sphere.radius = '1' is not a number"),
)
