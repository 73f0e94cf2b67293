"""Machines that a user might describe, for tests."""

from bodies import Body, Length, Mechanism, Revolute
from bodies.files import mechanism_to_toml
from bodies.hydraulics import (
    Branch,
    Circuit,
    Compensator,
    HydraulicCylinder,
    LoadSensingPump,
    Relief,
    SpoolValve,
)

ROUND = ((20.0, 0.0, 0.0), (0.0, 40.0, 0.0), (0.0, 0.0, 40.0))
INLET, OUTLET = ((0.05, 0.0), (1.0, 4e-5)), ((0.05, 0.0), (1.0, 6e-5))


def loader():
    """TOML of a loader: an arm that lifts, a grapple at its end, two cylinders on one pump."""
    arm = Body(name="arm", mass=300.0, position=(1.0, 0.0, 1.0), inertia=ROUND)
    grapple = Body(name="grapple", mass=80.0, position=(2.3, 0.0, 0.9), inertia=ROUND)
    pins = [
        Revolute(name=name, body_a=a, body_b=b, position=position, axis=(0, -1, 0))
        for name, a, b, position in (
            ("arm pin", "ground", "arm", (0.0, 0.0, 1.0)),
            ("grapple pin", "arm", "grapple", (2.0, 0.0, 1.0)),
        )
    ]
    ways = [
        Length(name="lift way", body_a="ground", body_b="arm", position=(0.4, 0.0, 0.2),
               position_b=(1.0, 0.0, 0.9)),
        Length(name="tilt way", body_a="arm", body_b="grapple", position=(1.2, 0.0, 1.3),
               position_b=(2.1, 0.0, 1.2)),
    ]  # fmt: skip
    branches = tuple(
        Branch(
            valve=SpoolValve(command=f"{name} lever", inlet=INLET, outlet=OUTLET),
            cylinder=HydraulicCylinder(name=name, joint=f"{name} way", bore=0.07, rod=0.035, stroke=0.5,
                              extension=0.2, damping=5e3),
            compensator=Compensator(), relief=Relief(pressure=25e6),
        )
        for name in ("lift", "tilt")
    )  # fmt: skip
    oil = Circuit(name="oil", branches=branches, pump=LoadSensingPump())
    levers = {"lift lever": 0.0, "tilt lever": 0.0}
    return mechanism_to_toml(Mechanism("loader", (arm, grapple), (*pins, *ways, oil), inputs=levers))
