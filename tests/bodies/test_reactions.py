"""Reactions of all joints satisfy Newton's and Euler's equations and are zero along free motions."""

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import bodies as B

from .mechanisms import JOINTS, two_bodies

STEP = 1e-3
# axes, fixed to body a or b, about which a joint has no reaction torque
NO_TORQUE = {
    "revolute": "a",
    "cylindrical": "a",
    "planar": "a",
    "universal": "ab",
    "spherical": "all",
    "distance": "all",
    "point on line": "all",
}
NO_FORCE = ("prismatic", "cylindrical", "point on line")


def rotation(q):
    return Rotation.from_quat(np.roll(q, -1)).as_matrix()


def spheres(kind, grounded):
    """Joint of two bodies or of ground and body; equal moments of inertia: no gyroscopic torque."""
    described = two_bodies(kind, gravity=True)
    balls = [dataclasses.replace(b, inertia=(0.3 * b.mass,) * 3) for b in described.bodies]
    (joint,) = described.elements
    if grounded:
        balls, joint = balls[1:], dataclasses.replace(joint, body_a="ground")
    return dataclasses.replace(described, bodies=tuple(balls), elements=(joint,))


def poses(sim):
    found = {n: (sim.position(n), rotation(sim.quaternion(n))) for n in sim.model.body_index}
    return found | {"ground": (np.zeros(3), np.eye(3))}


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_by_newton_and_euler(kind, grounded):
    described = spheres(kind, grounded)
    model, joint = B.compile(described), described.elements[0]
    sim = B.Simulation(model, STEP)
    begin = poses(sim)
    R_a, R_b = begin[joint.body_a][1], begin[joint.body_b][1]
    point = R_b.T @ (
        np.array(getattr(joint, "position_b", None) or joint.position) - begin[joint.body_b][0]
    )
    axis = np.array(getattr(joint, "axis", (0, 0, 1)), float)
    axis_b = np.array(getattr(joint, "axis_b", None) or axis, float)
    n_a, n_b = R_a.T @ axis / np.linalg.norm(axis), R_b.T @ axis_b / np.linalg.norm(axis_b)
    sim.run(20)
    for _ in range(100):
        before, old = (
            poses(sim),
            {n: (sim.velocity(n), sim.angular_velocity(n)) for n in model.body_index},
        )
        sim.run(1)
        found = sim.reaction("joint")
        size = 1.0 + np.linalg.norm(found.force_b) + np.linalg.norm(found.moment_b)
        a, b = joint.body_a, joint.body_b
        (x_a, R_a), (x_b, R_b) = before[a], before[b]
        for body in described.bodies:
            force, moment = (
                (found.force_a, found.moment_a) if body.name == a else (found.force_b, found.moment_b)
            )
            v, w = old[body.name]
            push = body.mass * ((sim.velocity(body.name) - v) / STEP + (0.0, 0.0, 9.80665))
            turn = 0.3 * body.mass * (sim.angular_velocity(body.name) - w) / STEP
            np.testing.assert_allclose(force, push, atol=1e-9 * size)
            np.testing.assert_allclose(moment, turn, atol=1e-9 * size)
        np.testing.assert_allclose(found.force_a, -found.force_b, atol=1e-12 * size)
        about_origin = found.moment_a + found.moment_b
        about_origin += np.cross(x_a, found.force_a) + np.cross(x_b, found.force_b)
        np.testing.assert_allclose(about_origin, 0.0, atol=1e-6 * size)  # tolerance: the joint's error
        torque = found.moment_b - np.cross(R_b @ point, found.force_b)
        np.testing.assert_allclose(found.torque_b, torque, atol=1e-9 * size)
        free = NO_TORQUE.get(kind, "")
        if free == "all":
            np.testing.assert_allclose(found.torque_b, 0.0, atol=1e-12 * size)
        if "a" in free:
            assert abs(found.torque_b @ (R_a @ n_a)) < 1e-11 * size
        if "b" in free:
            assert abs(found.torque_b @ (R_b @ n_b)) < 1e-11 * size
        if kind in NO_FORCE:
            assert abs(found.force_b @ (R_a @ n_a)) < 1e-11 * size


@pytest.mark.parametrize("reach", [0.1, 0.45, 2.0])
def test_reactions_do_not_jump_where_errors_come_to_the_tolerance(reach):
    """The hinge of an accelerated door carries the forces m r w^2 and m r dw/dt.

    m: mass, r: distance of the centre of mass from the hinge, w: angular speed.
    """
    mass = 30.0
    inertia = 3.4 + mass * reach**2
    torque = max(4.0, 0.3 * inertia)
    door = B.Body("door", mass, (2.5, 1.0, 3.4), position=(reach, 0.0, 1.0))
    hinge = B.Revolute(name="hinge", body_a="ground", body_b="door", position=(0, 0, 1), axis=(0, 0, 1))
    push = B.Torque(name="push", joint="hinge", effort=torque)
    model = B.compile(B.Mechanism("door", (door,), (hinge, push)))
    seconds = 3.0 * inertia / torque  # time [s] in which the door reaches 3 rad/s
    run = B.simulate(model, seconds, 1e-3, reactions=("hinge",), record_every=1)
    force, _ = run.reaction("hinge")
    rate = run.angular_velocity("door")[:, 2]
    want = mass * reach * np.hypot(rate**2, torque / inertia)
    off = np.abs(np.hypot(force[:, 0], force[:, 1]) - want)[5:]
    assert np.max(off / want[5:]) < 5e-3
    assert max(run.joint_errors[-1]) < 5e-7
