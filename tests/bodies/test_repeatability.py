"""Same run, same bytes; a restored run has the same future; a state goes through a file."""

import hashlib
import subprocess
import sys

import numpy as np

import bodies as B

from .mechanisms import two_bodies

SCRIPT = """
import hashlib, bodies as B
from tests.bodies.mechanisms import two_bodies
sim = B.Simulation(B.compile(two_bodies("universal", gravity=True)), 1e-3)
sim.run(500)
print(hashlib.sha256(sim.state().floats.tobytes()).hexdigest())
"""


def test_same_bytes_in_another_process():
    sim = B.Simulation(B.compile(two_bodies("universal", gravity=True)), 1e-3)
    sim.run(500)
    here = hashlib.sha256(sim.state().floats.tobytes()).hexdigest()
    there = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here


def bouncing_box():
    box = B.Body(
        "box",
        1.0,
        (0.01, 0.02, 0.015),
        position=(0, 0, 0.3),
        velocity=(1, 0.2, 0),
        angular_velocity=(3, 1, -2),
    )
    contact = B.RigidContact(
        name="c", body="box", shape=B.Box(0.3, 0.2, 0.1), surface=B.Plane(), restitution=0.3
    )
    return B.compile(B.Mechanism("box", (box,), contacts=(contact,)))


def test_restored_run_has_the_same_future(tmp_path):
    model = bouncing_box()
    sim = B.Simulation(model, 1e-3)
    sim.run(300)
    sim.state().save(tmp_path / "state.npz")
    sim.run(300)
    other = B.Simulation(model, 1e-3, state=B.State.load(tmp_path / "state.npz"))
    other.run(300)
    assert other.state().floats.tobytes() == sim.state().floats.tobytes()
    assert other.state().ints.tobytes() == sim.state().ints.tobytes()


def test_callback_every_step_changes_nothing_by_itself():
    model = bouncing_box()
    plain = B.simulate(model, 0.3, 1e-3, record_every=10)
    called = B.simulate(model, 0.3, 1e-3, record_every=10, callback=lambda sim: None)
    assert np.array_equal(plain.positions, called.positions)


def test_stages_one_by_one_are_the_step():
    model = bouncing_box()
    one, two = B.Workspace(model), B.Workspace(model)
    for _ in range(100):
        one.run(1)
        for stage in ("detect", "assemble", "factor", "solve", "integrate", "project"):
            two.stage(stage)
    assert one.state().floats.tobytes() == two.state().floats.tobytes()
