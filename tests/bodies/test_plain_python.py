"""The compiled step and the same functions as plain Python give the same motion."""

import json
import os
import subprocess
import sys

import numpy as np

import bodies as B
from benchmarks import vehicle_like
from bodies.kernels import layout as L

SCRIPT = """
import json
from tests.bodies.test_plain_python import models, motion
print(json.dumps({k: motion(m) for k, m in models().items()}))
"""


def models():
    """A vehicle on bumps (all joints, driveline, wheels) and a tumbling, touching box."""
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
    return {
        "vehicle": vehicle_like.mechanism(ground=vehicle_like.bumps(), speed=5.0),
        "solids": B.Mechanism("solids", (box, cylinder), contacts=contacts),
    }


def motion(mechanism):
    """Poses, velocities and coordinates after a few steps.

    Impulses of redundant joints are left out: they are only determined to 1e-7 of their size.
    """
    sim = B.Simulation(B.compile(mechanism), 2e-3, book_work=True)
    sim.run(5)
    kept = (L.POSITION, L.QUATERNION, L.VELOCITY, L.COORDINATE, L.CHANNEL_IMPULSE)
    return [float(x) for k in kept for x in sim.work.f(k)]


def test_compiled_and_plain_python_agree():
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    plain = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False
    )
    assert plain.returncode == 0, plain.stderr
    expected = json.loads(plain.stdout.splitlines()[-1])
    for name, mechanism in models().items():
        np.testing.assert_allclose(motion(mechanism), expected[name], rtol=1e-9, atol=1e-9)
