"""A force on a point of a body and an electric motor move bodies as in closed forms."""

import numpy as np
import pytest

import bodies as B
from tests.refusals import refusals

STILL = B.Gravity((0.0, 0.0, 0.0))


def run(body, elements, seconds, step=1e-4, **more):
    mechanism = B.Mechanism("m", (body,), elements, gravity=STILL, **more)
    sim = B.Simulation(B.compile(mechanism), step, record_work=True)
    sim.run(round(seconds / step))
    return sim


def test_a_force_that_keeps_to_the_world_drags_and_turns():
    """A force through the centre of mass changes velocity by f t/m in its direction, not the spin."""
    body = B.Body("b", 2.0, (0.3, 0.4, 0.5), position=(1, 2, 3), angular_velocity=(0, 0, 5.0))
    push = B.PointForce(
        name="push", body="b", position=(1, 2, 3), direction=(0, 2, 0), effort=4.0, turns=False
    )
    sim = run(body, (push,), 1.0)
    assert sim.velocity("b") == pytest.approx([0.0, 2.0, 0.0], abs=1e-9)
    assert sim.angular_velocity("b") == pytest.approx([0.0, 0.0, 5.0], abs=1e-9)


def test_a_force_that_follows_the_body_drives_it_round_a_circle():
    """A force m w^2 r towards the axis of rotation keeps the centre of mass on a circle of radius r."""
    m, w, r = 3.0, 2.0, 0.7
    body = B.Body(
        "b", m, (1, 1, 1), position=(r, 0, 0), velocity=(0, w * r, 0), angular_velocity=(0, 0, w)
    )
    pull = B.PointForce(
        name="pull", body="b", position=(r - 0.2, 0, 0), direction=(-1, 0, 0), effort=m * w * w * r
    )
    seconds = 2.0
    sim = run(body, (pull,), seconds)
    at = r * np.array([np.cos(w * seconds), np.sin(w * seconds), 0.0])
    assert sim.position("b") == pytest.approx(at, abs=1e-3)
    assert np.linalg.norm(sim.velocity("b")) == pytest.approx(w * r, rel=1e-3)


def test_off_the_centre_it_turns_the_body_and_its_work_is_booked():
    """Force f at lever s of a fixed hinge, inertia I: speed s f t/I, work s f times the angle."""
    body = B.Body("b", 1.0, (0.1, 0.1, 0.1))
    hinge = B.Revolute(name="h", body_a="ground", body_b="b", axis=(0, 0, 1))
    push = B.PointForce(name="p", body="b", position=(0.5, 0, 0), direction=(0, 1, 0), effort="gas")
    sim = run(body, (hinge, push), 1.0, inputs={"gas": 0.2})
    assert sim.angular_velocity("b")[2] == pytest.approx(0.2 * 0.5 / 0.1, rel=1e-9)
    assert sim.work_done()["p"] == pytest.approx(0.5 * 0.1 * 1.0**2, rel=1e-6)
    sim.set_input("gas", 0.0)
    sim.run(10)
    assert sim.angular_velocity("b")[2] == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("command", [1.0, 0.4, -0.4, -1.0])
def test_a_direct_current_motor_runs_up_to_its_fraction_of_the_free_speed(command):
    """Torque T_0 (u - w/w_0) gives w = u w_0 (1 - exp(-t T_0/(w_0 I))), forward and backward.

    T_0: stall torque, u: command, w: speed, w_0: free speed, I: inertia.
    """
    stall, free, inertia = 6.0, 20.0, 0.05
    body = B.Body("b", 1.0, (inertia,) * 3)
    hinge = B.Revolute(name="h", body_a="ground", body_b="b", axis=(0, 1, 0))
    motor = B.ElectricMotor(
        name="m",
        joint="h",
        full_load=((0, stall), (free, 0)),
        motoring=((0, 0), (free, stall)),
        command=command,
    )
    seconds = 0.1
    sim = run(body, (hinge, motor), seconds, step=1e-5)
    expected = command * free * (1.0 - np.exp(-seconds * stall / (free * inertia)))
    assert sim.angular_velocity("b")[1] == pytest.approx(expected, rel=1e-3)


def test_an_overrun_motor_brakes_and_backward_is_the_mirror_image():
    table = {"full_load": ((0, 5.0), (10, 5.0), (30, 1.0)), "motoring": ((0, 0.5), (30, 1.0))}
    ends = []
    for way in (1.0, -1.0):
        body = B.Body("b", 1.0, (0.05,) * 3, angular_velocity=(0, -15.0 * way, 0))
        hinge = B.Revolute(name="h", body_a="ground", body_b="b", axis=(0, 1, 0))
        motor = B.ElectricMotor(name="m", joint="h", command=0.6 * way, **table)
        sim = run(body, (hinge, motor), 0.5, step=1e-3)
        ends.append(sim.angular_velocity("b")[1])
    assert ends[0] > 0.0
    assert ends[0] == -ends[1]


PUSH = {"name": "p", "body": "b", "position": (0, 0, 0), "direction": (1, 0, 0), "effort": 1.0}
MOTOR = {"name": "m", "joint": "h", "full_load": ((0, 1), (1, 0))}


test_impossible_fields_are_named = refusals(
    (lambda: B.PointForce(**PUSH | {"position": (0, 0)}), "position"),
    (lambda: B.PointForce(**PUSH | {"direction": (0, 0, 0)}), "direction"),
    (lambda: B.PointForce(**PUSH | {"body": "ground"}), "body must be one that moves"),
    (lambda: B.Drag(name="d", body="ground", area=1.0, coefficient=1.0), "body must be one that moves"),
    (lambda: B.PointForce(**PUSH | {"turns": 1}), "turns = 1 must be True or False"),
    (lambda: B.ElectricMotor(**MOTOR | {"command": 1.5}), "command"),
    (lambda: B.ElectricMotor(**MOTOR | {"full_load": ((0, 1),)}), "full_load"),
    error=B.MechanismError,
)
