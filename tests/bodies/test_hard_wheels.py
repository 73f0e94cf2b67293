"""Wheels on hard ground have a side force exponential in the slip angle, and static friction."""

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.kernels.contacts.slip_angle import lateral_compliance
from tests.refusals import refusals

from .test_hard_combined import GAMMA, MU, towed
from .vehicle.drives import rolling

WHEELBASE = 3.302  # distance of the axles [m]
COASTING = {"throttle": 0.0, "brake": 0.0, "gear": 0, "clutch": 0.0, "steering": 0.0}


@pytest.mark.parametrize("angle", [-0.3, -0.02, 1e-5, 0.05, 0.15, 0.6])
@pytest.mark.parametrize(("speed", "step"), [(0.2, 1e-3), (5.0, 1e-3), (20.0, 1 / 60)])
def test_the_side_force_is_the_laws(angle, speed, step):
    run = B.simulate(towed(angle, speed, start=0.0), 3.0, step)
    wheel = run.wheel("tyre")
    want = MU * wheel.load[-1] * np.sign(angle) * (1.0 - np.exp(-abs(angle) / GAMMA))
    assert wheel.lateral[-1] == pytest.approx(want, rel=1e-6)
    assert wheel.load[-1] == pytest.approx(100.0 * 9.80665, rel=1e-6)


def test_dry_friction_by_name():
    wheel = B.simulate(towed(0.02, 5.0, start=0.0, lateral="coulomb"), 1.0, 1e-3).wheel("tyre")
    assert wheel.lateral[-1] == pytest.approx(MU * wheel.load[-1], rel=1e-9)


test_other_names_and_angles_are_refused = refusals(
    (lambda: towed(0.0, 1.0, lateral="columb"), "lateral 'columb' is unknown"),
    (lambda: towed(0.0, 1.0, gamma=0.0), "gamma"),
    error=B.MechanismError,
)


def test_the_compliance_is_the_laws_secant():
    rng = np.random.default_rng(4)
    for _ in range(200):
        v_x, v_y = 10.0 ** rng.uniform(-6, 2, 2) * rng.choice([-1, 1], 2)
        force = 700.0 * (1.0 - np.exp(-np.arctan(abs(v_y / v_x)) / GAMMA))
        for found in (lateral_compliance, lateral_compliance.py_func):
            assert found(v_x, v_y, 700.0, GAMMA) * force == pytest.approx(abs(v_y), rel=1e-6)
    assert lateral_compliance(0.0, 0.0, 700.0, GAMMA) == 0.0  # a standing wheel sticks
    assert lateral_compliance(3.0, 0.0, 700.0, GAMMA) == pytest.approx(3.0 * GAMMA / 700.0)


@pytest.fixture(scope="module")
def car():
    return vehicle.load("hmmwv", hard=True, controls=COASTING)


def drive(car, speed, seconds, controls):
    sim = rolling(car, speed)
    history = []
    for _ in range(round(seconds / sim.step / 5)):
        for name, value in controls(sim.time).items():
            sim.set_input(name, value)
        sim.run(5)
        yaw = sim.angular_velocity("frame")[2]
        history.append((*sim.position("frame"), np.linalg.norm(sim.velocity("frame")), yaw))
    last = B.simulate(sim.model, sim.step, sim.step, state=sim.state())
    wheels = {w.name: last.wheel(w.name) for w in sim.model.mechanism.wheels}
    return np.array(history), wheels


def heading(wheel):
    """Direction of a wheel in the world, from its last record [rad]."""
    return np.arctan2(wheel.forward[-1, 1], wheel.forward[-1, 0])


def test_straight_ahead_no_wheel_pushes_sideways(car):
    """No wheel has a lateral force; plain dry friction would allow 1444 N at each front wheel."""
    history, wheels = drive(car, 3.0, 4.0, lambda t: {})
    for wheel in wheels.values():
        assert abs(wheel.lateral[-1]) < 0.002 * wheel.load[-1]
    for axle in ("front", "rear"):
        left, right = (wheels[f"{axle}_{side}"].load[-1] for side in ("left", "right"))
        assert left == pytest.approx(right, rel=1e-5)
    assert abs(history[-1, 1]) < 1e-3
    assert abs(history[-1, 4]) < 1e-6


@pytest.mark.parametrize("steering", [0.1, 1.0, -1.0])
def test_slowly_it_turns_as_the_kinematic_bicycle(car, steering):
    """``yaw rate = v tan(delta) / l`` (speed, steering angle, wheelbase), positive to the left."""
    history, wheels = drive(car, 2.0, 4.0, lambda t: {"steering": steering * min(1.0, t / 0.5)})
    ahead = heading(wheels["rear_left"]), heading(wheels["rear_right"])
    front = heading(wheels["front_left"]), heading(wheels["front_right"])
    delta = 0.5 * sum(front) - 0.5 * sum(ahead)
    assert delta * steering > 0.0
    want = history[-1, 3] * np.tan(delta) / WHEELBASE
    assert history[-1, 4] == pytest.approx(want, rel=0.02)


def test_braked_it_stops_straight_and_stands(car):
    history, wheels = drive(car, 8.0, 6.0, lambda t: {"brake": float(t > 0.5)})
    assert history[-1, 3] < 1e-4  # springs still settle
    assert abs(history[-1, 1]) < 5e-3
    assert sum(w.load[-1] for w in wheels.values()) == pytest.approx(
        9.80665 * sum(b.mass for b in car.bodies), rel=1e-4
    )


def test_across_a_slope_it_stands_without_creeping(car):
    from dataclasses import replace

    slope = replace(car, gravity=B.Gravity((0.0, -2.0, -9.6)))
    model = B.compile(slope)
    rest = B.equilibrium(model, inputs={"brake": 1.0}, scrub=True)
    sim = B.Simulation(model, 2e-3, state=rest)
    begin = sim.position("frame")
    sim.run(5000)
    np.testing.assert_allclose(sim.position("frame"), begin, atol=1e-6)
