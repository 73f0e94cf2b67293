"""Hydraulic machines for several tests: the crane of Rahikainen et al. (2020), a mass on a slide."""

import math

import bodies as B
import bodies.hydraulics as H

ONE = ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))
LEVER = B.Schedule(((0, 0), (0.5, 0), (2, 0.6), (7, 0.6), (9, -1), (10, 0)))


def crane(integration="auto"):
    """A boom of 1 m at 30 degrees on a cylinder at its middle; a ball swings 0.3 m below its tip."""
    c, s = math.cos(math.radians(30.0)), 0.5
    boom = B.Body(name="boom", mass=500.0, inertia=ONE, position=(c / 2, 0, s / 2))
    ball = B.Body(name="ball", mass=100.0, inertia=ONE, position=(c, 0, s - 0.3))
    pivot = {"position": (0, 0, 0), "axis": (0, 1, 0)}
    elements = (
        B.Revolute(name="pivot", body_a="ground", body_b="boom", **pivot),
        B.Revolute(name="tip", body_a="boom", body_b="ball", position=(c, 0, s), axis=(0, 1, 0)),
        B.Length(
            name="way", body_a="ground", body_b="boom", position=(c, 0, 0), position_b=(c / 2, 0, s / 2)
        ),
        crane_circuit(integration),
    )
    return B.Mechanism("crane", (boom, ball), elements, gravity=B.Gravity((0, 0, -9.8)))


def crane_circuit(integration):
    fluid = H.Fluid(
        modulus=1.5e9,
        hose_modulus=0.15e9,
        wall_modulus=31.5e9,
        laminar="linear",
        transition=2e5,
        conserve="volume",
    )
    full = 24e-3 / 60.0 / math.sqrt(3.5e6)  # [m^3/s Pa^-0.5] flow coefficient: 24 l/min at 3.5 MPa
    edge = (0.0, 0.0), (1.0, full / (fluid.discharge * math.sqrt(2.0 / fluid.density)))
    valve = H.SpoolValve(command=LEVER, inlet=edge, outlet=edge, bandwidth=35.0, load_check=False)
    cylinder = H.HydraulicCylinder(
        name="lift", joint="way", bore=0.08, rod=0.035, stroke=0.442, extension=0.221, dead_volume=1e-9,
        hose_volume=(3.14e-5, 7.85e-5), damping=1e5, pressures=(4.4e6, 3.3e6), stops=False,
    )  # fmt: skip
    branch = H.Branch(valve=valve, cylinder=cylinder)
    return H.Circuit(
        name="oil",
        fluid=fluid,
        pump=H.ConstantPressure(pressure=7.6e6),
        branches=(branch,),
        integration=integration,
    )


def slide(circuit, mass=1500.0, **more):
    """Mass on a slide along x, moved by a circuit's cylinder; gravity acts against x."""
    body = B.Body(name="mass", mass=mass, inertia=ONE, position=(0, 0, 0))
    way = B.Prismatic(name="slide", body_a="ground", body_b="mass", position=(0, 0, 0), axis=(1, 0, 0))
    return B.Mechanism("slide", (body,), (way, circuit), gravity=B.Gravity((-10.0, 0, 0)), **more)


def ram_circuit(lever=None, integration="auto", **changes):
    points = ((0, 0), (0.2, 0), (0.3, 0.5), (0.8, 0.5), (0.85, 0), (1.1, -0.6))
    lever = B.Schedule(points) if lever is None else lever
    given = {
        "bore": 0.09,
        "rod": 0.055,
        "stroke": 0.8,
        "extension": 0.1,
        "damping": 5e3,
        "joint": "slide",
    }
    branch = H.Branch(
        valve=H.SpoolValve(command=lever, inlet=((0.05, 0), (1, 6e-5)), outlet=((0.05, 0), (1, 9e-5))),
        compensator=H.Compensator(),
        cylinder=H.HydraulicCylinder(name="ram", **given | changes),
        relief=H.Relief(pressure=28e6),
        make_up=H.MakeUp(pressure=9e4),
    )
    return H.Circuit(name="oil", pump=H.LoadSensingPump(), branches=(branch,), integration=integration)
