"""Reference circuits of a cylinder with a mass on its rod: heavy boom (5 Hz), light bucket (36 Hz)."""

from __future__ import annotations

from bodies import Schedule
from bodies.hydraulics import (
    Bench,
    Branch,
    Circuit,
    Compensator,
    Fluid,
    HydraulicCylinder,
    LoadSensingPump,
    MakeUp,
    Relief,
    Rod,
    SpoolValve,
)

DURATION = 3.0  # duration of a run [s]
LEVER = (
    (0.0, 0.0), (0.2, 0.0), (0.3, 0.8), (1.2, 0.8), (1.25, 0.0), (1.6, 0.0), (1.7, -0.6), (2.4, -0.6),
    (2.45, 0.0), (3.0, 0.0),
)  # fmt: skip
CASES = ("boom", "bucket")


def lever(share: float) -> Schedule:
    """Schedule of the lever: rod out, stop, rod in, stop; ``share``: largest opening, 1 for full [-]."""
    return Schedule(tuple((t, share * y) for t, y in LEVER))


def valve(share: float) -> SpoolValve:
    """Spool valve with 5 % overlap and linear edges."""
    return SpoolValve(
        command=lever(share), inlet=((0.05, 0.0), (1.0, 60e-6)), outlet=((0.05, 0.0), (1.0, 90e-6))
    )


def cylinder(name: str) -> HydraulicCylinder:
    """Cylinder of the boom or of the bucket."""
    if name == "boom":
        return HydraulicCylinder(
            name=name, bore=0.12, rod=0.065, stroke=0.8, extension=0.35, dead_volume=5e-4, damping=2e4
        )
    return HydraulicCylinder(
        name=name, bore=0.09, rod=0.055, stroke=0.8, extension=0.1, dead_volume=5e-5, damping=5e3
    )


def bench(name: str) -> Bench:
    """A reference circuit with its load."""
    boom = name == "boom"
    branch = Branch(
        valve=valve(1.0 if boom else 0.6),
        compensator=Compensator(),
        cylinder=cylinder(name),
        relief=Relief(pressure=28e6, slope=1.95e8),
        make_up=MakeUp(pressure=8e4, slope=2e7),
    )
    circuit = Circuit(
        name=name,
        fluid=Fluid(transition=2e5),
        pump=LoadSensingPump(line=2e-3 if boom else 5e-4),
        branches=(branch,),
    )
    rod = Rod(mass=32e3, force=-60e3) if boom else Rod(mass=1500.0, force=-15e3)
    return Bench(circuit, (rod,))
