"""Time steps by the compiled, block-sparse code equal those of an independent dense code."""

import numpy as np

import bodies as B

from . import naive


def test_double_pendulum_with_a_hinge_and_a_ball_joint():
    axis = np.array([0.2, 1.0, -0.3])
    axis /= np.linalg.norm(axis)
    inertia = (
        np.diag([0.02, 0.1, 0.11]),
        np.array([[0.05, 0.01, 0], [0.01, 0.06, 0.005], [0, 0.005, 0.04]]),
    )
    hinge, ball = np.zeros(3), np.array([1.0, 0.1, 0.0])
    centres = (np.array([0.5, 0.0, 0.0]), np.array([1.4, 0.2, 0.1]))
    bodies = tuple(B.Body(f"b{k}", 1.0 + k, inertia[k], position=tuple(centres[k])) for k in range(2))
    joints = (
        B.Revolute(name="hinge", body_a="ground", body_b="b0", axis=tuple(axis)),
        B.Spherical(name="ball", body_a="b0", body_b="b1", position=tuple(ball)),
    )
    sim = B.Simulation(B.compile(B.Mechanism("m", bodies, joints)), 1e-3, tolerance=0.0, projections=1)
    world = naive.World(
        [
            {
                "mass": 1.0 + k,
                "inertia": inertia[k],
                "x": centres[k],
                "R": np.eye(3),
                "v": np.zeros(3),
                "w": np.zeros(3),
            }
            for k in range(2)
        ],
        [
            naive.point_error(None, 0, hinge, hinge - centres[0]),
            naive.axis_error(None, 0, axis, axis),
            naive.point_error(0, 1, ball - centres[0], ball - centres[1]),
        ],
        (0, 0, -9.80665),
    )
    for _ in range(200):
        world.step(1e-3)
    sim.run(200)
    for k in range(2):
        np.testing.assert_allclose(sim.position(f"b{k}"), world.bodies[k]["x"], atol=2e-9)
        np.testing.assert_allclose(sim.velocity(f"b{k}"), world.bodies[k]["v"], atol=2e-9)
        np.testing.assert_allclose(sim.angular_velocity(f"b{k}"), world.bodies[k]["w"], atol=2e-9)
