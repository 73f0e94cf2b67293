"""Shipped machines as their panels drive them: work cycles without a missed step, and the camera."""

import pathlib

import numpy as np
import pytest

from bodies.frames import quaternion_matrix
from rig.command.arguments import rig_of
from rig.outside.view.picture import Picture


@pytest.mark.parametrize("name", ["skid_steer", pytest.param("rover", marks=pytest.mark.slow)])
def test_a_hub_driven_vehicle_is_driven_by_its_controls(name):
    r = rig_of(pathlib.Path(name))
    run = r.run(1.0, outside=lambda time: {"left": 0.5, "right": 0.5})
    assert run["position"][-1, 0] > 0.01
    assert abs(run["position"][-1, 1]) < 1e-3


def driven(name, seconds, script):
    """Run of a shipped machine; ``script``: signals by the time [s] from which they hold."""
    r = rig_of(pathlib.Path(name))
    times = sorted(script)
    return r, r.run(seconds, outside=lambda t: script[max(x for x in times if x <= t + 1e-9)])


@pytest.mark.slow
def test_the_wheel_loader_drives_turns_brakes_and_lifts():
    """Driven by its own panel, the loader is faster with its automatic gearbox than in first gear."""
    script = {
        0.0: {"gear": 1.0, "throttle": 1.0, "brake": 0.0},
        6.0: {"gear": 1.0, "throttle": 0.2, "brake": 0.0, "steering_lever": 0.4},
        7.5: {"gear": 1.0, "throttle": 0.0, "brake": 1.0, "steering_lever": 0.0},
        10.0: {"gear": 0.0, "throttle": 0.0, "brake": 1.0, "lift_lever": 0.6, "load": 30e3},
    }
    r, run = driven("wheel_loader", 14.0, script)
    assert {lever.signal for lever in r.panel.levers} == set(r.blocks["machine"].inputs)
    first = 2250.0 * np.pi / 30.0 / (3.6 * 21.0) * 0.745  # [m/s] governed speed in the first gear
    assert run["velocity"][:600, 0].max() > 1.2 * first
    assert run["attitude"][900, 2] > 0.2
    assert abs(run["velocity"][990, 0]) < 0.05
    lift = run["cylinder_extension"][:, 2]
    assert lift[-1] - lift[1000] > 0.2
    assert r.blocks["machine"].sim.missed == 0


#: One cycle of work [s]: legs up, drive, brake, legs down, dig, swing and dump.
CYCLE = {
    0.0: {"brake": 1.0, "gear": 0.0, "stabiliser_lever": -1.0, "boom_lever": 0.4},
    4.0: {"brake": 0.0, "gear": 1.0, "throttle": 0.5, "steering": 2.0},
    8.0: {"brake": 0.8, "gear": 1.0, "throttle": 0.0},
    11.0: {"brake": 1.0, "gear": 0.0, "stabiliser_lever": 1.0, "boom_lever": -0.6},
    12.6: {"brake": 1.0, "gear": 0.0, "stabiliser_lever": 1.0},
    16.0: {"brake": 1.0, "gear": 0.0, "crowd_lever": 0.5, "digging_force": 8e3},
    17.5: {"brake": 1.0, "gear": 0.0, "bucket_lever": 0.6, "digging_force": 4e3},
    18.5: {"brake": 1.0, "gear": 0.0, "boom_lever": 0.7, "load": 3e3, "loader_lift_lever": 0.6},
    20.0: {"brake": 1.0, "gear": 0.0, "swing_lever": 0.5, "load": 3e3},
    21.5: {"brake": 1.0, "gear": 0.0, "bucket_lever": -0.7, "load": 0.0, "loader_tilt_lever": -0.5},
    22.5: {
        "brake": 1.0,
        "gear": 0.0,
        "swing_lever": -0.5,
        "crowd_lever": -0.4,
        "loader_lift_lever": -1.0,
        "loader_tilt_lever": 0.7,
    },
}
CYCLE = {
    t: dict.fromkeys(sorted({k for row in CYCLE.values() for k in row}), 0.0) | row
    for t, row in CYCLE.items()
}
PERIOD = 24.0  # time of a cycle [s]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [30.0, 480.0])
def test_the_backhoe_loader_drives_brakes_digs_and_drives_on(seconds):
    """In each cycle of 24 s the loader drives over 4 m, stops, and digs at rest, with no missed step."""
    r = rig_of(pathlib.Path("backhoe_loader"))
    times = sorted(CYCLE)
    run = r.run(seconds, outside=lambda t: CYCLE[max(x for x in times if x <= t % PERIOD + 1e-9)])
    tick, turns = round(PERIOD / r.tick), int((seconds - 12.0) // PERIOD) + 1
    for k in range(turns):
        way = run["position"][k * tick : (k + 1) * tick]
        assert np.linalg.norm(way[1050, :2] - way[350, :2]) > 4.0  # [m] drive that ends braked
        assert abs(run["velocity"][k * tick + 1090, 0]) < 0.1
        if len(way) > 2000:
            assert np.linalg.norm(way[2000, :2] - way[1300, :2]) < 0.3  # [m] at rest while it dug
            assert np.ptp(run["joint_angle"][k * tick : k * tick + len(way), 2]) > 0.3
    assert r.blocks["machine"].sim.missed == 0


@pytest.mark.parametrize("name", ["wheel_loader", "backhoe_loader", "skid_steer", "forwarder", "rover"])
def test_the_camera_frames_the_whole_machine(name):
    """The machine lies within a view of 45 degrees and fills more than half of its width or height."""
    r = rig_of(pathlib.Path(name))
    picture, poses = Picture.of(r), r.blocks["machine"].poses()
    body, height = picture.reference
    eye, target = (np.array(p) + poses[body, :3] - [0.0, 0.0, height] for p in picture.camera)
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(ahead, [0.0, 0.0, 1.0]) / np.linalg.norm(ahead[:2])
    axes = np.array([right, np.cross(right, ahead)])
    seen = np.vstack(
        [
            part.mesh.vertices @ quaternion_matrix(pose[3:]).T + pose[:3] - eye
            for pose, parts in zip(poses, picture.drawn.bodies.values(), strict=True)
            for part in parts
        ]
    )
    across = (seen @ axes.T) / (seen @ ahead)[:, None] / np.tan(np.radians(22.5))
    assert np.abs(across).max() < 1.0
    assert np.ptp(across, axis=0).max() > 1.0
