"""The live scene: objects drawn for a rig, and their poses after each frame of signals."""

import math

import numpy as np
import pytest

import rig
from bodies.frames import quaternion_matrix
from bodies.view.meshes import Mesh
from bodies.view.soil_colours import SoilColours
from bodies.view.stage import Meshes
from contact import ConeIndexSoil
from contact.terrain import Patch, Sine, Slope, SoilMap
from rig import RigError
from rig.catalogue import make
from rig.gnss.receiver import rotation
from rig.outside.front import Front
from rig.outside.view import unavailable
from rig.outside.view.picture import ABOVE, Picture
from rig.outside.view.planar import Tractor, quaternion
from rig.outside.view.ruts import Ruts, RuttingWheel, height_of

EDGE = ((-10.0, -10.0), (50.0, -10.0), (50.0, 10.0), (-10.0, 10.0))


def planar(**more):
    return rig.Rig(0.01, path=rig.straight(40.0), speed=2.0, chassis="kinematic", **more)


@pytest.fixture
def server():
    viser = pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[live]'")
    from bodies.view.viewer import free_port

    found = viser.ViserServer(host="127.0.0.1", port=free_port("127.0.0.1"), verbose=False)
    yield found
    found.stop()


def test_a_backhoe_without_a_carrier_stands_on_the_ground():
    digger = rig.Rig(0.01, linkage="backhoe")
    for _ in range(2):
        bodies, pose = Picture.of(digger).drawn.bodies, digger.blocks["linkage"].poses()
        post = pose[list(bodies).index("swing post")]
        meshes = [
            p.mesh.vertices @ quaternion_matrix(post[3:]).T + post[:3] for p in bodies["swing post"]
        ]
        assert meshes[-1][:, 2].min() == pytest.approx(digger.panel.links.ground, abs=1e-3)
        assert meshes[-1][:, 2].max() == pytest.approx(min(m[:, 2].min() for m in meshes[:-1]), abs=1e-3)
        np.testing.assert_allclose(np.abs(meshes[-1][:, :2]).max(axis=0), 0.9, atol=1e-3)
        digger.run(1.0, outside=lambda time: {"swing_lever": 0.5})


def test_planned_path_and_boundary_lie_on_the_ground():
    ground = Sine(0.5, 12.0, heading=0.4)
    picture = Picture.of(planar(terrain=ground), EDGE)
    for line in (picture.path, picture.boundary):
        np.testing.assert_allclose(line[:, 2], ground.height(*line[:, :2].T) + ABOVE, atol=1e-12)
    np.testing.assert_allclose(picture.path[:, 1], 0.0)
    for corner in EDGE:
        assert (np.abs(picture.boundary[:, :2] - corner).max(axis=1) == 0.0).any()
    assert np.hypot(*np.diff(picture.boundary[:, :2], axis=0).T).max() < 4.1


def test_the_legend_of_the_soils_is_that_of_the_grounds_colours():
    soils = SoilMap(ConeIndexSoil(4e5), [Patch(ConeIndexSoil(2e5), x=(2.0, 8.0))])
    legend = Picture.of(planar(terrain=Slope(soil_map=soils))).drawn.legend
    assert legend == SoilColours(soils).legend
    assert [words for words, _ in legend] == ["cone index 200 kPa", "cone index 400 kPa"]
    assert Picture.of(planar(terrain=Sine(0.5, 12.0))).drawn.legend == []


def test_wheels_of_a_planar_tractor_stand_roll_and_point_to_the_turn():
    tractor = Tractor(2.9, 1.8)
    steer, rolled = 0.3, 1.7
    x, q = tractor.poses(np.array([3.0, 4.0, 0.5]), np.array([0.0, 0.0, 0.6]), steer, rolled)
    names = list(tractor.bodies)
    radius = 2.9 / math.tan(steer)
    middle = np.array([3.0 - radius * math.sin(0.6), 4.0 + radius * math.cos(0.6)])
    for name in names[1:]:
        k = names.index(name)
        turned = quaternion_matrix(q[k])
        axle, to_middle = turned[:2, 1], middle - x[k, :2]
        assert abs(axle[0] * to_middle[1] - axle[1] * to_middle[0]) < 1e-9  # axle through the middle
        wheel = x[k, 2] - 0.5
        lowest = min((p.mesh.vertices @ turned.T)[:, 2].min() for p in tractor.bodies[name])
        assert lowest == pytest.approx(-wheel, abs=0.03 * 2.9)
    still, _ = tractor.poses(np.zeros(3), np.zeros(3), 0.0, 0.0)
    _, full = tractor.poses(np.zeros(3), np.zeros(3), 0.0, 2.0 * math.pi * still[1, 2])
    np.testing.assert_allclose(np.abs(full[1]), [1.0, 0.0, 0.0, 0.0], atol=1e-12)


def test_a_frame_puts_bodies_where_they_are_and_the_world_around_the_machine(server):
    from rig.outside.view.moving_picture import MovingPicture

    shown = MovingPicture(server, Picture.of(planar(), EDGE))
    seen = {
        "position": np.array([5.0, 2.0, 0.0]),
        "attitude": np.array([0.0, 0.0, 0.5]),
        "velocity": np.array([2.0, 0.0, 0.0]),
        "steer_angle": np.array(0.1),
        "implement_position": np.zeros(3),
        "hitch_angle": np.array(0.0),
    }
    shown.show(0.1, seen)
    hull, world = shown.stage.bodies["hull"], shown.stage.world
    np.testing.assert_allclose(hull.position, seen["position"])
    there = quaternion_matrix(np.array(world.wxyz)) @ seen["position"] + world.position
    np.testing.assert_allclose(there, 0.0, atol=1e-12)
    ahead = quaternion_matrix(np.array(world.wxyz)) @ [math.cos(0.5), math.sin(0.5), 0.0]
    np.testing.assert_allclose(ahead, [1.0, 0.0, 0.0], atol=1e-12)
    for k in range(200):
        shown.show(0.1 + 0.02 * k, seen | {"position": np.array([5.0 + 0.1 * k, 2.0, 0.0])})
    handle = server.scene.get_handle_by_name
    drawn = [handle(f"/world/driven/{k}") for k in range(shown._pieces + 1)]
    points = np.concatenate([np.asarray(piece.points).reshape(-1, 3) for piece in drawn])
    assert points[:, 0].min() == pytest.approx(5.0)
    assert points[:, 0].max() > 24.5
    assert len(drawn) == 3  # finished pieces of the track are not sent again


def test_bodies_of_a_solve_stand_where_the_simulation_has_them(server):
    from rig.outside.body_poses import POSES
    from rig.outside.view.moving_picture import MovingPicture

    digger = rig.Rig(0.01, linkage="backhoe")
    block = digger.blocks["linkage"]
    shown = MovingPicture(server, Picture.of(digger))
    digger.run(0.2, outside=lambda time: {"boom_lever": 0.5})
    shown.show(0.2, {POSES: block.poses().ravel(), "position": np.zeros(3), "attitude": np.zeros(3)})
    for name in ("boom", "bucket"):
        np.testing.assert_array_equal(shown.stage.bodies[name].position, block.sim.position(name))
        np.testing.assert_array_equal(shown.stage.bodies[name].wxyz, block.sim.quaternion(name))
    np.testing.assert_array_equal(shown.stage.world.position, 0.0)


def test_wheels_on_soil_leave_ruts_of_their_width_on_the_ground(server):
    """Two wheels on a sine drive along a quarter circle; one is lifted over the last third."""
    ground, scene = Sine(0.3, 12.0, heading=0.4), server.scene
    drawn = Meshes({}, [])
    drawn.add_ground(ground, np.zeros(2), np.full(2, 10.0))
    wheels = [RuttingWheel(0, (0.0, s, 0.0), (0.0, 1.0, 0.0), 0.6, 0.4) for s in (0.8, -0.8)]
    ruts = Ruts(scene, wheels, drawn, height_of(drawn))
    for angle in np.linspace(0.0, 0.5 * math.pi, 200):
        turn = quaternion(rotation(0.35 if angle > math.pi / 3.0 else 0.0, 0.0, angle))
        x, y = 8.0 * math.sin(angle), 8.0 - 8.0 * math.cos(angle)
        at = np.array([[x, y, float(ground.height(x, y)) + 0.55]])
        ruts.extend(at, turn[None])
    handles = [scene.get_handle_by_name(f"/world/ruts/{k}") for k in range(ruts.pieces + 1)]
    found = [Mesh(np.asarray(h.vertices, float), np.asarray(h.faces)) for h in handles]
    corners = np.concatenate([m.vertices[m.faces].reshape(-1, 3) for m in found])
    np.testing.assert_allclose(corners[:, 2], ground.height(*corners[:, :2].T), atol=0.02)
    off = np.hypot(corners[:, 0], corners[:, 1] - 8.0) - 8.0
    outer, level = off > 0.0, np.arctan2(corners[:, 0], 8.0 - corners[:, 1]) < 1.0
    for which, middle in ((outer, 0.8), (~outer, -0.8)):
        np.testing.assert_allclose(np.abs(off[which & level] - middle), 0.2, atol=0.02)
    ends = [np.arctan2(corners[w, 0], 8.0 - corners[w, 1]).max() for w in (outer, ~outer)]
    assert min(ends) == pytest.approx(math.pi / 3.0, abs=0.1)  # [rad] where one wheel is lifted
    assert max(ends) == pytest.approx(0.5 * math.pi, abs=0.1)


def test_level_ground_has_the_colour_of_its_soil_and_hard_ground_no_ruts():
    soil = rig.Rig(0.01, machine=make("machine", "described", file="truck"), begin=False)
    picture = Picture.of(soil)
    ((words, colour),) = picture.drawn.legend
    assert words == "cone index 1.2 MPa"
    assert picture.drawn.planes[0].colour == colour
    assert len(picture.wheels) == 6
    assert height_of(picture.drawn)(np.zeros(2), np.ones(2)) == pytest.approx(-2e-3)
    hard = Picture.of(rig.Rig(0.01, machine=make("machine", "described"), begin=False))
    assert hard.wheels == hard.drawn.legend == []


def test_a_scene_that_cannot_be_is_a_sentence(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'wheelground[live]'" in unavailable()


@pytest.mark.slow  # a process that imports everything anew
def test_its_process_is_a_client_of_the_front_and_ends_with_its_run():
    pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[live]'")
    from rig.outside.view.scene import LiveScene

    r = planar()
    with LiveScene(r) as scene, Front(r, port=-1) as front, pytest.raises(RigError, match="over TCP"):
        scene.follow(front)
    with LiveScene(r) as scene, Front(r) as front:
        scene.follow(front)
        r.run(0.5, clock=rig.WallClock(), outside=front)
        process = scene._process
    assert process.wait(1.0) == 0
