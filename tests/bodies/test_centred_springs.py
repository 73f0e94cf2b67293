"""Springs without numerical damping keep the amplitude of an oscillator in every step."""

import math

import numpy as np
import pytest

import bodies as B

MASS, STIFFNESS = 2.0, 5e3


def oscillator(integration, damping=0.0, point=False):
    """A mass on a slide that starts at rest, 0.01 m from its spring's free length."""
    body = B.Body(name="mass", mass=MASS, inertia=(1.0, 1.0, 1.0))
    slide = B.Prismatic(name="slide", body_a="ground", body_b="mass", axis=(1, 0, 0))
    given = {"stiffness": STIFFNESS, "damping": damping, "integration": integration}
    spring = B.JointSpring(name="spring", joint="slide", rest=-0.01, **given)
    if point:
        ends = {"body_a": "ground", "body_b": "mass", "position": (-1.0, 0, 0), "position_b": (0, 0, 0)}
        spring = B.SpringDamper(name="spring", free_length=0.99, **ends, **given)
    return B.Mechanism("oscillator", (body,), (slide, spring), gravity=B.Gravity((0, 0, 0)))


@pytest.mark.parametrize("point", [False, True])
@pytest.mark.parametrize("turn", [0.05, 0.5, 3.0, 20.0])
def test_no_amplitude_is_lost_at_any_step(turn, point):
    """d, the squared ratio of amplitudes per step, is 1 for centred springs.

    d is fitted to the positions x of successive steps: ``x_(n+1) = a x_n - d x_(n-1)``. With backward
    Euler d is 1 / (1 + turn^2); turn: natural frequency times step.
    """
    found = {}
    for integration in ("centred", "backward"):
        step = turn / math.sqrt(STIFFNESS / MASS)
        sim = B.Simulation(B.compile(oscillator(integration, point=point)), step)
        x = []
        for _ in range(60):
            sim.run(1)
            x.append(sim.coordinate("slide") + 0.01)
        x = np.array(x)
        (_, found[integration]), *_ = np.linalg.lstsq(
            np.column_stack([x[1:-1], -x[:-2]]), x[2:], rcond=None
        )
    assert found["centred"] == pytest.approx(1.0, abs=1e-9)
    assert found["backward"] == pytest.approx(1.0 / (1.0 + turn**2), rel=1e-6)
