"""A vehicle-like mechanism for measurements: 45 bodies, 64 joints and couplings, 4 wheels.

Four double-wishbone corners, steering, engine, clutch, gearbox, cardan shaft, differential and
half-shafts with universal and sliding joints. Proportions of a light off-road truck; it is there
to be stepped, not to match a vehicle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import bodies as B

WHEELBASE, TRACK, RADIUS = 3.3, 1.82, 0.47
UP, LEFT, FORWARD = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


def _at(*coordinates: float) -> tuple[float, ...]:
    return tuple(float(c) for c in coordinates)


def corner(name: str, x: float, side: float, guide: str) -> tuple[list[B.Body], list[Any]]:
    """Seven bodies and ten joints of one corner; ``guide`` is what holds the tie rod."""
    y = side * TRACK / 2
    z = RADIUS
    inner = side * 0.45
    ball_high, ball_low = _at(x, y - side * 0.1, z + 0.2), _at(x, y - side * 0.1, z - 0.15)
    high, low = _at(x, inner, z + 0.15), _at(x, inner, z - 0.1)
    rod_in, rod_out = _at(x - 0.2, inner, z), _at(x - 0.2, y - side * 0.1, z)
    top, foot = _at(x + 0.1, inner + side * 0.1, z + 0.55), _at(x + 0.1, y - side * 0.25, z - 0.12)

    def mid(a: tuple, b: tuple, share: float = 0.5) -> tuple:
        return tuple(float(p + share * (q - p)) for p, q in zip(a, b, strict=True))

    bodies = [
        B.Body(f"{name} upper arm", 6.0, (0.1, 0.02, 0.1), mid(high, ball_high)),
        B.Body(f"{name} lower arm", 24.0, (0.5, 0.15, 0.6), mid(low, ball_low)),
        B.Body(f"{name} upright", 34.0, (0.5, 0.4, 0.4), _at(x, y - side * 0.1, z)),
        B.Body(f"{name} wheel", 56.0, (2.8, 4.8, 2.8), _at(x, y, z)),
        B.Body(f"{name} tie rod", 3.0, (0.03, 0.002, 0.03), mid(rod_in, rod_out)),
        B.Body(f"{name} damper tube", 4.0, (0.04, 0.04, 0.01), mid(foot, top, 0.25)),
        B.Body(f"{name} damper rod", 3.0, (0.03, 0.03, 0.008), mid(foot, top, 0.75)),
    ]
    axis = tuple(np.subtract(top, foot))
    elements: list[Any] = [
        B.Revolute(
            name=f"{name} upper hinge",
            body_a="chassis",
            body_b=f"{name} upper arm",
            position=high,
            axis=FORWARD,
        ),
        B.Revolute(
            name=f"{name} lower hinge",
            body_a="chassis",
            body_b=f"{name} lower arm",
            position=low,
            axis=FORWARD,
        ),
        B.Spherical(
            name=f"{name} upper ball",
            body_a=f"{name} upper arm",
            body_b=f"{name} upright",
            position=ball_high,
        ),
        B.Spherical(
            name=f"{name} lower ball",
            body_a=f"{name} lower arm",
            body_b=f"{name} upright",
            position=ball_low,
        ),
        B.Spherical(
            name=f"{name} tie rod end",
            body_a=f"{name} upright",
            body_b=f"{name} tie rod",
            position=rod_out,
        ),
        B.Universal(
            name=f"{name} tie rod root",
            body_a=guide,
            body_b=f"{name} tie rod",
            position=rod_in,
            axis=FORWARD,
            axis_b=UP,
        ),
        B.Revolute(
            name=f"{name} hub",
            body_a=f"{name} upright",
            body_b=f"{name} wheel",
            position=_at(x, y, z),
            axis=LEFT,
        ),
        B.Spherical(
            name=f"{name} damper foot",
            body_a=f"{name} lower arm",
            body_b=f"{name} damper tube",
            position=foot,
        ),
        B.Universal(
            name=f"{name} damper top",
            body_a="chassis",
            body_b=f"{name} damper rod",
            position=top,
            axis=FORWARD,
            axis_b=tuple(np.cross(axis, FORWARD)),
        ),
        B.Cylindrical(
            name=f"{name} damper",
            body_a=f"{name} damper tube",
            body_b=f"{name} damper rod",
            position=mid(foot, top),
            axis=axis,
        ),
        B.SpringDamper(
            name=f"{name} spring",
            body_a="chassis",
            body_b=f"{name} lower arm",
            position=top,
            position_b=foot,
            stiffness=9e4,
            damping=7e3,
            free_length=float(np.linalg.norm(axis)) + 0.08,
        ),
    ]
    return bodies, elements


def half_shaft(name: str, side: float, x: float) -> tuple[list[B.Body], list[Any]]:
    """Two bodies and three joints between a differential output and a wheel."""
    a, b = _at(x, side * 0.3, RADIUS), _at(x, side * TRACK / 2, RADIUS)
    m = _at(x, side * 0.5 * (0.3 + TRACK / 2), RADIUS)
    bodies = [
        B.Body(f"{name} inner shaft", 5.0, (0.05, 0.004, 0.05), _at(x, side * 0.45, RADIUS)),
        B.Body(f"{name} outer shaft", 5.0, (0.05, 0.004, 0.05), _at(x, side * 0.75, RADIUS)),
    ]
    return bodies, [
        B.Universal(
            name=f"{name} inner joint",
            body_a=f"{name} output",
            body_b=f"{name} inner shaft",
            position=a,
            axis=FORWARD,
            axis_b=UP,
        ),
        B.Prismatic(
            name=f"{name} spline",
            body_a=f"{name} inner shaft",
            body_b=f"{name} outer shaft",
            position=m,
            axis=LEFT,
        ),
        B.Universal(
            name=f"{name} outer joint",
            body_a=f"{name} outer shaft",
            body_b=f"{name} wheel",
            position=b,
            axis=UP,
            axis_b=FORWARD,
        ),
    ]


def mechanism(
    *, redundant: int = 2, ground: Any = None, throttle: B.signals.Signal = 0.5, speed: float = 0.0
) -> B.Mechanism:
    """The whole thing.

    Arguments:
        redundant: how many lower arms have a second, redundant hinge (2 makes 64 joints).
        ground: plane or height field under the wheels.
        throttle: signal in [0, 1].
        speed: initial speed along x [m/s], wheels rolling.
    """
    ground = B.Plane() if ground is None else ground
    front, rear, z = WHEELBASE / 2, -WHEELBASE / 2, RADIUS
    bodies = [B.Body("chassis", 1500.0, (700.0, 2400.0, 2800.0), _at(0, 0, 0.9))]
    elements: list[Any] = []
    for name, x, side, guide in (
        ("front left", front, 1, "rack"),
        ("front right", front, -1, "rack"),
        ("rear left", rear, 1, "chassis"),
        ("rear right", rear, -1, "chassis"),
    ):
        more = corner(name, x, side, guide)
        bodies += more[0]
        elements += more[1]
    shafts = [
        ("crankshaft", 1.2, 30.0, 0.4),
        ("gearbox shaft", 0.4, 8.0, 0.02),
        ("cardan front", -0.1, 6.0, 0.01),
        ("cardan rear", -0.7, 6.0, 0.01),
        ("pinion", rear + 0.25, 5.0, 0.01),
    ]
    for name, x, mass, spin in shafts:
        bodies.append(B.Body(name, mass, (spin, 0.6 * spin + 0.1, 0.6 * spin + 0.1), _at(x, 0, z)))
    for name in ("crankshaft", "gearbox shaft", "pinion"):
        x = next(s[1] for s in shafts if s[0] == name)
        elements.append(
            B.Revolute(
                name=name + " bearing",
                body_a="chassis",
                body_b=name,
                position=_at(x, 0, z),
                axis=FORWARD,
            )
        )
    elements += [
        B.Universal(
            name="front cardan joint",
            body_a="gearbox shaft",
            body_b="cardan front",
            position=_at(0.2, 0, z),
            axis=LEFT,
            axis_b=UP,
        ),
        B.Prismatic(
            name="cardan spline",
            body_a="cardan front",
            body_b="cardan rear",
            position=_at(-0.4, 0, z),
            axis=FORWARD,
        ),
        B.Universal(
            name="rear cardan joint",
            body_a="cardan rear",
            body_b="pinion",
            position=_at(rear + 0.4, 0, z),
            axis=UP,
            axis_b=LEFT,
        ),
    ]
    for name, side in (("rear left", 1), ("rear right", -1)):
        bodies.append(B.Body(f"{name} output", 6.0, (0.05, 0.02, 0.05), _at(rear, side * 0.2, z)))
        elements.append(
            B.Revolute(
                name=f"{name} output bearing",
                body_a="chassis",
                body_b=f"{name} output",
                position=_at(rear, side * 0.2, z),
                axis=LEFT,
            )
        )
        more = half_shaft(name, side, rear)
        bodies += more[0]
        elements += more[1]
    bodies += [
        B.Body("column", 6.0, (0.1, 0.1, 0.02), _at(front - 0.6, 0.3, 1.2)),
        B.Body("rack", 8.0, (0.5, 0.02, 0.5), _at(front - 0.2, 0, z)),
        B.Body("cab", 250.0, (90.0, 80.0, 100.0), _at(0.3, 0, 1.5)),
        B.Body("load", 300.0, (60.0, 80.0, 100.0), _at(-1.0, 0, 1.2)),
        B.Body("hitch", 15.0, (0.2, 0.2, 0.2), _at(-2.1, 0, 0.6)),
    ]
    elements += [
        B.Revolute(
            name="steering wheel",
            body_a="chassis",
            body_b="column",
            position=_at(front - 0.6, 0.3, 1.2),
            axis=(0.6, 0.0, 0.8),
        ),
        B.Prismatic(
            name="rack slide",
            body_a="chassis",
            body_b="rack",
            position=_at(front - 0.2, 0, z),
            axis=LEFT,
        ),
        B.Fixed(name="cab mount", body_a="chassis", body_b="cab", position=_at(0.3, 0, 1.2)),
        B.Fixed(name="load mount", body_a="chassis", body_b="load", position=_at(-1, 0, 1.0)),
        B.Fixed(name="hitch mount", body_a="chassis", body_b="hitch", position=_at(-2, 0, 0.6)),
        B.RackAndPinion(name="steering gear", rack="rack slide", pinion="steering wheel", radius=0.01),
        B.Gearbox(name="gearbox", input="gearbox shaft bearing", output="pinion bearing", ratios=(1.0,)),
        B.Differential(
            name="differential",
            input="pinion bearing",
            left="rear left output bearing",
            right="rear right output bearing",
            ratio=4.0,
        ),
        B.JointSpring(name="steering damper", joint="steering wheel", damping=2.0, stiffness=40.0),
        B.Engine(
            name="engine",
            joint="crankshaft bearing",
            throttle=throttle,
            full_load=((0.0, 300.0), (150.0, 450.0), (300.0, 380.0), (400.0, 0.0)),
        ),
        B.Clutch(
            name="clutch", joint_1="crankshaft bearing", joint_2="gearbox shaft bearing", capacity=900.0
        ),
    ]
    # the gearbox row repeats what the cardan shaft does: one redundant row that must not matter
    for name in ("rear left", "rear right", "front left", "front right")[:redundant]:
        arm = next(e for e in elements if e.name == f"{name} lower hinge")
        elements.append(
            B.Revolute(
                name=f"{name} second hinge",
                body_a="chassis",
                body_b=f"{name} lower arm",
                axis=FORWARD,
                position=_at(arm.position[0] - 0.2, *arm.position[1:]),
            )
        )
    wheels = tuple(
        B.Wheel(
            name=f"{name} tyre",
            body=f"{name} wheel",
            ground=ground,
            centre=next(b.position for b in bodies if b.name == f"{name} wheel"),
            radius=RADIUS,
            stiffness=3e5,
            damping=2e3,
            rolling=0.02,
        )
        for name in ("front left", "front right", "rear left", "rear right")
    )
    if speed:
        import dataclasses

        spin = {"wheel": speed / RADIUS, "output": speed / RADIUS, "shaft": speed / RADIUS}
        moving = []
        for b in bodies:
            w = [0.0, 0.0, 0.0]
            if b.name.split()[-1] in spin and b.name != "gearbox shaft":
                w[1] = speed / RADIUS
            if b.name in {s[0] for s in shafts}:
                w[0] = 4.0 * speed / RADIUS
            moving.append(dataclasses.replace(b, velocity=(speed, 0.0, 0.0), angular_velocity=tuple(w)))
        bodies = moving
    return B.Mechanism("vehicle-like", tuple(bodies), tuple(elements), wheels=wheels)


def bumps(height: float = 0.05, length: float = 150.0) -> B.HeightField:
    """Rough ground: bumps of the given height every two metres, left and right out of phase."""
    x = np.arange(-6.0, length, 0.25)
    y = np.array([-4.0, -0.6, 0.6, 4.0])
    left = height * np.maximum(0.0, np.sin(np.pi * x)) * (x > 3)
    right = height * np.maximum(0.0, np.sin(np.pi * (x + 0.7))) * (x > 3)
    z = np.stack([right, right, left, left], axis=1)
    del y
    return B.HeightField((-6.0, -1.5), (0.25, 1.0), tuple(tuple(row) for row in z))
