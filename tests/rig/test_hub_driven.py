"""Hub-driven vehicles: guidance sets the speeds of the left and right wheels by speed and curvature."""

import pathlib

import numpy as np
import pytest

import rig
from bodies import vehicle
from rig import RigError
from rig.command.arguments import rig_of


def turned(speed, curvature, **parameters):
    """Last speed [m/s] and yaw rate [rad/s] of the robot after 3 s under constant commands."""
    start = {"wanted_speed": speed, "curvature_command": curvature, "engaged": 1.0}
    block = rig.make("machine", "hub-driven", file="skid_steer", **parameters)
    run = rig.Rig(0.01, machine=block, start=start).run(3.0)
    return block, float(run["velocity"][-1, 0]), float(run["yaw_rate"][-1])


@pytest.mark.parametrize(("speed", "curvature"), [(1.0, 0.4), (1.0, -0.4), (-0.6, 1.0), (0.5, 0.0)])
def test_the_yaw_rate_is_speed_times_curvature(speed, curvature):
    """Speed and yaw rate equal their commands to 1e-3, though the floor's friction resists the turn."""
    _, u, r = turned(speed, curvature)
    assert u == pytest.approx(speed, abs=1e-3)
    assert r == pytest.approx(speed * curvature, abs=1e-3)


def test_beyond_the_top_speed_the_curvature_is_kept():
    block, u, r = turned(9.0, 0.8)
    assert r / u == pytest.approx(0.8, rel=0.03)
    assert u * (1.0 + 0.8 * block.half_track) == pytest.approx(0.7 * block.top_speed, rel=0.03)


def test_its_track_is_that_of_a_file_with_a_heading():
    """It was the distance along the world's y-axis."""
    text = vehicle.path_of("skid_steer").read_text()
    given = rig.make("machine", "hub-driven", text=text)
    other = rig.make("machine", "hub-driven", text="heading_rad = 1.2\norigin_m = [3.0, 2.0]\n" + text)
    assert other.half_track == pytest.approx(given.half_track, rel=1e-12)


@pytest.mark.parametrize("speed", [1.0, -0.6])
def test_the_robot_comes_to_its_path_and_stays_there(speed):
    """From 1 m beside its path the robot comes within 40 mm of it; the receiver's noise is 11 mm."""
    r = rig_of(pathlib.Path("skid_steer"), speed, 1.0, "straight", 0, False, True)
    off = np.abs(r.run(25.0)["position"][:, 1])
    assert off[0] > 0.9
    assert off[-800:].max() < 0.04


@pytest.mark.slow
def test_the_rover_on_sand_comes_to_its_path():
    r = rig_of(pathlib.Path("rover"), None, 1.0, "straight", 0, False, True)
    off = np.abs(r.run(360.0)["position"][:, 1])
    assert off[-5000:].max() < 0.1


def test_the_rovers_step_of_5_ms_gives_the_track_of_half_a_millisecond():
    """With the default step of 5 ms the rover on sand is within 1 mm of a run with steps of 0.5 ms."""

    def driven(**parameters):
        block = rig.make("machine", "described", file="rover", **parameters)
        run = rig.Rig(0.01, machine=block, start={"left": 0.5}).run(3.0)
        return block.sim.step, run["position"][-1], run["attitude"][-1]

    (step, place, attitude), (_, finer, exact) = driven(), driven(step=5e-4)
    assert step == pytest.approx(5e-3)
    assert np.ptp([place, finer], axis=0).max() < 1e-3  # positions [m]
    assert np.ptp([attitude, exact], axis=0).max() < 1e-3  # angles [rad]
    assert abs(finer[0]) > 0.03


def test_the_same_run_has_the_same_bytes_from_a_stored_state():
    def made():
        return rig_of(pathlib.Path("skid_steer"), 1.0, 0.2, "headland", 0, False, True)

    whole, parts = made(), made()
    one = whole.run(2.0)["position"]
    parts.run(1.0)
    stored = parts.state()
    parts.run(0.5)
    parts.restore(stored)
    np.testing.assert_array_equal(parts.run(1.0)["position"][1:], one[101:])


def test_a_vehicle_without_two_sides_is_refused():
    for name in ("hmmwv", "forwarder"):
        with pytest.raises(RigError, match=f"hub-driven.*{name}: it has no hub drives with two inputs"):
            rig.make("machine", "hub-driven", file=name)
