"""Simple pendulum: a point mass on a rod, from horizontal at rest.

Reference: IFToMM multibody benchmark library, A01; reference solution by quadrature.
"""

from __future__ import annotations

from bodies import Body, Distance, Gravity, Mechanism, Model, Simulation, compile

STEPS = (2e-4, 1e-4)
DURATION = 10.0
REFERENCE = {"x(10 s) [m]": -0.2750874626, "y(10 s) [m]": -0.9614192051}
TOLERANCE = 2e-3


def build() -> Model:
    """A mass of 1 kg at (-1, 0), held 1 m from the origin; the benchmark's y axis is z here."""
    bob = Body("bob", 1.0, (1e-3, 1e-3, 1e-3), position=(-1.0, 0.0, 0.0))
    rod = Distance(name="rod", body_a="ground", body_b="bob", position_b=(-1.0, 0.0, 0.0))
    return compile(Mechanism("simple pendulum", (bob,), (rod,), gravity=Gravity((0, 0, -9.81))))


def measure(simulation: Simulation) -> dict[str, float]:
    """Published coordinates of the mass at the end of the run."""
    x, _, z = simulation.position("bob")
    return {"x(10 s) [m]": x, "y(10 s) [m]": z}
