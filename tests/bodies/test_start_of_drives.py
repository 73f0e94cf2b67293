"""Position motors whose target starts away from 0: the mechanism starts there, with closed joints."""

import numpy as np
import pytest

import bodies as B
from bodies import Schedule, vehicle


def arm(target, mode="position"):
    body = B.Body("arm", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0, 0))
    hinge = B.Revolute(name="hinge", body_a="ground", body_b="arm")
    motor = B.Motor(name="motor", joint="hinge", target=target, mode=mode)
    return B.Simulation(B.compile(B.Mechanism("m", (body,), (hinge, motor))), 1e-3)


@pytest.mark.parametrize("angle", [0.0, 1e-4, 0.3, -2.0, 3.0])
def test_an_arm_starts_at_its_drives_angle_and_stays(angle):
    sim = arm(angle)
    np.testing.assert_allclose(sim.position("arm"), (np.cos(angle), np.sin(angle), 0), atol=1e-12)
    sim.run(100)
    assert sim.coordinate("hinge") == pytest.approx(angle, abs=1e-9)
    assert np.abs(sim.velocity("arm")).max() < 1e-9


@pytest.mark.parametrize("rate", [0.5, 1.1, 20.0])
def test_a_schedule_from_zero_starts_in_the_described_pose(rate):
    sim = arm(Schedule(((0.0, 0.0), (1.0, rate))))
    np.testing.assert_array_equal(sim.position("arm"), (1.0, 0.0, 0.0))
    sim.run(100)
    assert sim.coordinate("hinge") == pytest.approx(0.1 * rate, abs=1e-6)


def test_a_loop_that_a_drive_cannot_reach_is_refused():
    """A crank of 1 m and a rod of 1.5 m let the slider reach 2.5 m, its start, but not 3.5 m."""
    crank = B.Body("crank", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    slider = B.Body("slider", 1.0, (0.1, 0.1, 0.1), position=(2.5, 0, 0))
    elements = (
        B.Revolute(name="pivot", body_a="ground", body_b="crank"),
        B.Prismatic(
            name="guide", body_a="ground", body_b="slider", position=(2.5, 0, 0), axis=(1, 0, 0)
        ),
        B.Distance(
            name="rod",
            body_a="crank",
            body_b="slider",
            position=(1, 0, 0),
            position_b=(2.5, 0, 0),
            rod_length=1.5,
        ),
        B.Motor(name="drive", joint="guide", target=1.0, mode="position"),
    )
    with pytest.raises(B.NotClosed, match="where the drives start: give smaller targets than 1"):
        B.compile(B.Mechanism("m", (crank, slider), elements))


def yaw(sim, body):
    """Direction of a body's y axis, as an angle about z [rad]; the y axis of a wheel points left."""
    w, x, y, z = sim.quaternion(body)
    return np.arctan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))


def heading(sim, wheel):
    """Steering angle of a wheel relative to the frame [rad], positive to the left."""
    return yaw(sim, f"{wheel} wheel") - yaw(sim, "frame")


@pytest.mark.parametrize("name", ["hmmwv", "hmmwv_pitman"])
def test_a_vehicle_whose_steering_starts_turned_starts_with_its_wheels_turned(name):
    """Front wheels start as after a slow turn of the column; rear wheels are straight, all at rest."""
    turned = B.Simulation(B.compile(vehicle.load(name, controls={"steering": 3.0, "gear": 0})), 1e-3)
    slow = Schedule(((0.0, 0.0), (1.0, 3.0)))
    model = B.compile(vehicle.load(name, hard=True, controls={"steering": slow, "gear": 0}))
    driven = B.Simulation(model, 1e-3)
    driven.run(1500)
    for side in ("left", "right"):
        angle = heading(turned, f"front_{side}")
        assert 0.05 < angle < 0.5
        assert angle == pytest.approx(heading(driven, f"front_{side}"), abs=0.02)
        assert heading(turned, f"rear_{side}") == pytest.approx(0.0, abs=1e-4)
    assert max(turned.joint_error()) < 1e-9
    turned.run(1)
    assert np.abs(turned.velocity("front_left upright")).max() < 0.02


def test_it_drives_to_the_side_to_which_its_wheels_start_turned():
    controls = {"throttle": Schedule.ramp(1.0, 0.2), "gear": 2}
    ends = []
    for angle in (-3.0, 3.0):
        model = B.compile(vehicle.load("hmmwv", controls=controls | {"steering": angle}))
        sim = B.Simulation(model, 2e-3, state=B.equilibrium(model))
        sim.run(1500)
        ends.append(sim.position("frame")[1])
        assert sim.coordinate("steering wheel") == pytest.approx(angle, abs=1e-6)
    assert ends[0] < -0.05 < 0.05 < ends[1]
