"""Small mechanisms for several tests."""

from __future__ import annotations

import dataclasses

import numpy as np

import bodies as B
from bodies import vehicle

JOINTS = {
    "fixed": (B.Fixed, {}),
    "revolute": (B.Revolute, {}),
    "prismatic": (B.Prismatic, {}),
    "cylindrical": (B.Cylindrical, {}),
    "spherical": (B.Spherical, {}),
    "universal": (B.Universal, {"axis": (1, 0, 0), "axis_b": (0, 1, 0)}),
    "constant velocity": (B.ConstantVelocity, {"axis_b": (0.5, -0.4, 0.7)}),
    "planar": (B.Planar, {}),
    "distance": (B.Distance, {"position": (0.2, 0, 0), "position_b": (0.6, 0.3, 0.1)}),
    "point on line": (B.PointOnLine, {}),
    "bushing": (
        B.Bushing,
        {
            "stiffness": (1e3, 2e3, 3e3),
            "damping": (10, 20, 30),
            "rotational_stiffness": (5, 6, 7),
            "rotational_damping": (0.1, 0.2, 0.3),
        },
    ),
}


def two_bodies(kind: str, *, gravity: bool = False, seed: int = 3) -> B.Mechanism:
    """Two free, tumbling bodies of general inertia, joined by one joint of the given kind."""
    rng = np.random.default_rng(seed)

    def body(name: str, mass: float, position: tuple) -> B.Body:
        points = rng.normal(size=(8, 3))
        inertia = sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points) * 0.02
        q = rng.normal(size=4)
        return B.Body(
            name,
            mass,
            inertia,
            position=position,
            orientation=tuple(q),
            velocity=tuple(rng.normal(size=3)),
            angular_velocity=tuple(rng.normal(size=3)),
        )

    cls, options = JOINTS[kind]
    given = {"position": (0.4, 0.1, -0.2), "axis": (0.3, -0.5, 0.8)} | options
    joint = cls(name="joint", body_a="first", body_b="second", **given)
    field = B.Gravity() if gravity else B.Gravity((0, 0, 0))
    return B.Mechanism(
        f"two bodies, {kind}",
        (body("first", 2.0, (0.0, 0.0, 0.0)), body("second", 0.7, (1.0, 0.3, 0.2))),
        (joint,),
        gravity=field,
    )


def shafts(axis: tuple = (1.0, 0.0, 0.0), speed: dict | None = None, **moments: float) -> tuple:
    """(bodies, hinges) of shafts that turn about ``axis``, each on a hinge to the ground.

    ``moments`` has the moment of inertia [kg m^2] of each shaft by name, ``speed`` its speed [rad/s].
    """

    def shaft(name: str) -> B.Body:
        turning = (speed or {}).get(name, 0.0) * np.array(axis)
        return B.Body(f"{name} shaft", 5.0, (moments[name],) * 3, angular_velocity=tuple(turning))

    hinges = (B.Revolute(name=n, body_a="ground", body_b=f"{n} shaft", axis=axis) for n in moments)
    return tuple(map(shaft, moments)), tuple(hinges)


def wheel_and_rod(rolling: float = 0.0) -> B.Mechanism:
    """A wheel rolls along x at 2 m/s on hard ground; beside it a rod hangs on a hinge and a spring."""
    spin = (0, 2.0 / 0.47, 0)
    parts = (
        B.Body("wheel", 50.0, (2, 4, 2), (0, 0, 0.46), velocity=(2, 0, 0), angular_velocity=spin),
        B.Body("rod", 2.0, (0.1, 0.1, 0.01), (0, 2, 0.5)),
    )
    ends = {"body_a": "ground", "body_b": "rod"}
    elements = (
        B.Revolute(name="hinge", position=(0.3, 2, 1.0), axis=(0, 1, 0), **ends),
        B.SpringDamper(
            name="spring", position=(0, 2, 1.5), position_b=(0, 2, 0.5), stiffness=50.0, **ends
        ),
    )
    wheel = B.Wheel(name="tyre", body="wheel", centre=(0, 0, 0.46), radius=0.47, rolling=rolling)
    return B.Mechanism("wheel and rod", parts, elements, wheels=(wheel,))


def free_body(inertia: tuple, angular_velocity: tuple, **more) -> B.Mechanism:
    """One free body without gravity."""
    return B.Mechanism(
        "free body",
        (B.Body("body", 1.0, inertia, angular_velocity=angular_velocity, **more),),
        gravity=B.Gravity((0, 0, 0)),
    )


def drive(vehicle, duration, step=1e-3, *, speed=0.0, **settings):
    """A quarter vehicle's run from static equilibrium, and the record of its wheel."""
    run = B.simulate(B.compile(vehicle.mechanism(speed)), duration, step, **settings)
    return run, run.wheel("wheel")


def truck(redundant: int = 0, ground=None, **controls) -> B.Mechanism:
    """The HMMWV of 45 bodies on hard ground; ``redundant`` of its lower arms have a second hinge."""
    made = vehicle.read("hmmwv").mechanism(controls, hard=True, ground=ground)
    hinges = [e for e in made.elements if e.name.endswith("lower hinge")][:redundant]
    second = (dataclasses.replace(e, name=e.name.replace("lower", "second")) for e in hinges)
    return dataclasses.replace(made, elements=(*made.elements, *second))


def bumps(height: float = 0.05, length: float = 150.0) -> B.HeightField:
    """Rough ground: bumps of the given height every two metres, left and right out of phase."""
    x = np.arange(-6.0, length, 0.25)
    left, right = (
        height * np.maximum(0.0, np.sin(np.pi * (x + shift))) * (x > 3) for shift in (0.0, 0.7)
    )
    return B.HeightField(
        (-6.0, -1.5), (0.25, 1.0), np.stack([right, right, left, left], axis=1).tolist()
    )
