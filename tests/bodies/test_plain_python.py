"""The compiled step and the same functions as plain Python give the same motion."""

import json

import numpy as np
import pytest

import bodies as B
from contact import (
    LAWS,
    REGULARISATIONS,
    ConeIndexSoil,
    Crolla,
    LuGre,
    Pacejka,
    PacejkaLateral,
    Tyre,
    WheelContact,
    terrain,
)
from tests.commands import printed

from .mechanisms import bumps, truck

SCRIPT = """
import json
from tests.bodies import test_plain_python as here
print(json.dumps({k: here.motion(m) for k, m in here.%s().items()}))
"""


def models():
    """A wheel by each scheme and law but Wong and Reece's, a vehicle on bumps, solids that tumble."""
    box = B.Body(
        "box",
        1.0,
        (0.01, 0.02, 0.015),
        position=(0, 0, 0.12),
        velocity=(1, 0.2, -1),
        angular_velocity=(3, 1, -2),
    )
    cylinder = B.Body(
        "cylinder",
        1.0,
        (0.02, 0.02, 0.005),
        position=(0, 3, 0.1),
        orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0),
        velocity=(1, 0, 0),
    )
    contacts = (
        B.RigidContact(
            name="c", body="box", shape=B.Box(0.3, 0.2, 0.1), surface=B.Plane(), restitution=0.3
        ),
        B.RigidContact(
            name="d",
            body="cylinder",
            shape=B.Cylinder(0.1, 0.4),
            surface=B.Plane(),
            friction_model="box",
        ),
    )
    laws = {law: soil_wheel(law=law) for law in LAWS if law != "wong-reece"}
    schemes = {scheme: soil_wheel(regularisation=scheme) for scheme in REGULARISATIONS}
    return (
        laws
        | schemes
        | {
            "sideways": soil_wheel(lateral=Crolla()),
            "bristles": soil_wheel(lugre=LuGre()),
            "road": soil_wheel(
                law=Pacejka(), lateral=PacejkaLateral(), sinkage="none", combined="sliding"
            ),
            "relaxation": soil_wheel(lateral=Crolla(), relaxation_length=0.4),
            "vehicle": truck(ground=bumps(), throttle=1.0),
            "solids": B.Mechanism("solids", (box, cylinder), contacts=contacts),
        }
    )


def slow_models():
    """A wheel by Wong and Reece's law: its integrals take half a minute in plain Python."""
    return {"pressures": soil_wheel(law="wong-reece")}


def soil_wheel(**contact):
    """A free wheel, spinning faster than it travels, on soft ground that rises and falls."""
    soil = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5), **contact)
    rim = B.Body(
        "rim",
        250.0,
        (10, 2, 10),
        position=(0, 0, 0.36),
        velocity=(1, 0.1, 0),
        angular_velocity=(0, 5, 0),
    )
    wheel = B.Wheel(name="t", body="rim", centre=(0, 0, 0.36), soil=soil, ground=terrain.Sine(0.05, 4.0))
    return B.Mechanism("wheel", (rim,), wheels=(wheel,))


def motion(mechanism):
    """Poses, velocities, coordinates and contact impulses after five steps.

    Impulses of joints are left out: redundant joints determine them only to 1e-7 of their size.
    """
    sim = B.Simulation(B.compile(mechanism), 2e-3, record_work=True)
    sim.run(5)
    kept = ("position", "quaternion", "velocity", "coordinate", "channels.impulse")
    return [float(x) for path in kept for x in sim.work.f(path)]


@pytest.mark.parametrize("which", [models, pytest.param(slow_models, marks=pytest.mark.slow)])
def test_compiled_and_plain_python_agree(which):
    plain = printed("-c", SCRIPT % which.__name__, NUMBA_DISABLE_JIT="1")
    expected = json.loads(plain.splitlines()[-1])
    for name, mechanism in which().items():
        np.testing.assert_allclose(motion(mechanism), expected[name], rtol=1e-9, atol=1e-9)


BATCH = """
import json, pickle
import bodies as B
from tests.bodies.test_plain_python import soil_wheel
batch = B.Batch(B.compile(soil_wheel()), 8)
batch.run(3)
other = pickle.loads(pickle.dumps(batch))
other.run(2)
try:
    B.Batch(batch.model, 8, lanes=True)
except B.MechanismError as error:
    told = str(error)
print(json.dumps([batch.lanes, told, other.velocity("rim").tolist()]))
"""


def test_a_batch_in_plain_python_runs_without_lanes():
    plain = printed("-c", BATCH, NUMBA_DISABLE_JIT="1")
    lanes, told, velocity = json.loads(plain.splitlines()[-1])
    assert not lanes
    assert "lanes exist in compiled code only" in told
    batch = B.Batch(B.compile(soil_wheel()), 8)
    batch.run(5)
    np.testing.assert_allclose(batch.velocity("rim"), velocity, rtol=1e-9, atol=1e-12)
