"""The viewer shows the record: poses, force arrows, clock; and a browser can draw it."""

import dataclasses
import io
import time

import numpy as np
import pytest

import bodies as B
from bodies import vehicle, view
from bodies.frames import quaternion_matrix
from bodies.view import meshes
from bodies.view.forces import arrow_points
from bodies.view.poses import poses_at
from bodies.view.shapes import shapes_of
from tests import browser

from .mechanisms import wheel_and_rod


@pytest.fixture(scope="module")
def run():
    return B.simulate(B.compile(wheel_and_rod(rolling=0.05)), 1.0, 1e-3, record_every=10)


@pytest.fixture
def viewer(run):
    pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[view]'")
    shown = view.show(run, port=0, block=False, play=False)
    yield shown
    shown.close()


def test_poses_between_records_are_interpolated(run):
    x, q = poses_at(run, 0.0025)
    np.testing.assert_allclose(x, 0.75 * run.positions[0] + 0.25 * run.positions[1], atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0)
    np.testing.assert_array_equal(poses_at(run, 99.0)[0], run.positions[-1])


def test_bodies_springs_and_arrows_are_drawn_at_their_positions(viewer, run):
    viewer.seek(0.5)
    assert viewer.time == 0.5
    for name in ("wheel", "rod"):
        node = viewer.scene.bodies[name]
        np.testing.assert_allclose(node.position, run.position(name)[50])
    tyre = run.wheel("tyre")
    arrows = np.asarray(viewer.scene.arrows.points) + np.asarray(viewer.scene.arrows.position)
    span = arrows[0, 1] - arrows[0, 0]
    np.testing.assert_allclose(span, [0, 0, viewer.scene.scale * tyre.load[50]], atol=1e-6)
    assert 0.0 < arrows[0, 0, 2] < 0.1
    assert "tyre" in viewer._readout.content
    viewer.seek(-3.0)
    assert viewer.time == 0.0
    viewer.seek(30.0)
    assert viewer.time == run.time[-1]


def test_a_followed_body_stays_at_the_cameras_target(viewer, run):
    """The scene moves against the body in all three directions, the force arrows with it."""
    scene = viewer.scene
    scene.follow = "rod"  # the rod falls during the run
    viewer.seek(0.4)
    start, there = run.position("rod")[0], run.position("rod")[40]
    assert there[2] < start[2] - 0.01
    np.testing.assert_allclose(scene.world.position, start * [0, 0, 1] - there, atol=1e-12)
    arrows = np.asarray(scene.arrows.points) + np.asarray(scene.arrows.position)
    want = arrow_points(scene.wheels, 40, scene.scale)
    np.testing.assert_allclose(arrows, want, atol=1e-6)


def test_a_viewer_shows_its_address(viewer):
    assert viewer.url in repr(viewer)
    assert viewer.url in viewer._repr_html_()


def test_seeking_stops_the_clock(viewer):
    viewer.play()
    viewer.seek(0.25)
    assert not viewer.playing
    assert viewer.time == 0.25


def test_the_clock_plays_pauses_and_stops_at_the_end(viewer, run):
    viewer.seek(0.0)
    viewer.play(rate=0.5)
    time.sleep(0.3)
    viewer.pause()
    stood = viewer.time
    assert 0.0 < stood < run.time[-1]
    time.sleep(0.1)
    assert viewer.time == stood
    viewer.play(rate=50.0)
    deadline = time.monotonic() + 10.0
    while viewer.playing and time.monotonic() < deadline:
        time.sleep(0.02)
    assert viewer.time == run.time[-1]
    assert not viewer.playing


def test_bad_input_is_a_sentence(run):
    pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[view]'")
    with pytest.raises(B.UnknownName, match="did you mean 'wheel'"):
        view.show(run, port=0, follow="wheal", block=False)


@pytest.mark.parametrize(
    "mesh",
    [
        meshes.box((1, 2, 3), 0.1),
        meshes.rod((0, 0, 0), (0, 3, 4), 0.2),
        meshes.ball((1, 1, 1), 0.5),
        meshes.tyre(0.47, 0.3),
        meshes.rim(0.47, 0.3),
    ],
    ids=["box", "rod", "ball", "tyre", "rim"],
)
def test_meshes_are_closed_and_face_outwards(mesh):
    """The flux of x/3 (x: position) out of a closed surface is its volume, whatever the origin."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    area = 0.5 * np.cross(b - a, c - a)
    np.testing.assert_allclose(area.sum(axis=0), 0.0, atol=1e-12)
    assert ((a + b + c) / 9.0 * area).sum() > 0.0


@pytest.mark.parametrize("name", vehicle.shipped())
def test_a_shipped_machine_is_drawn_by_plates_of_its_file(name):
    """The heaviest body has three plates or more; all are above the ground and clear of the wheels."""
    towed = name == "trailer"
    car = vehicle.read("hmmwv" if towed else name)
    mechanism = car.mechanism(towing=(vehicle.read(name),)) if towed else car.mechanism()
    bodies = [b for b in mechanism.bodies if name in b.name] if towed else mechanism.bodies
    looks = [e for e in mechanism.elements if isinstance(e, B.Look)]
    heaviest = max(bodies, key=lambda body: body.mass).name
    assert sum(look.body == heaviest for look in looks) > 2
    corners = np.array([corner for look in looks for hull in look.hulls for corner in hull])
    assert corners[:, 2].min() > -0.11  # shoes of stabilisers stand in the soil
    for wheel in (w for w in mechanism.wheels if w.body not in {look.body for look in looks}):
        inside = np.hypot(*(corners - wheel.centre)[:, [0, 2]].T) < 0.9 * wheel.radius
        beside = np.abs(corners[:, 1] - wheel.centre[1]) < 0.4 * wheel.width
        assert not (inside & beside).any(), wheel.name


def drawn_in(model, body, part):
    """Vertices (n, 3) of a body's part along the axes of a vehicle whose x-axis is the world's y."""
    k = model.body_index[body]
    x, q = model.machine.position.reshape(-1, 3)[k], model.machine.quaternion.reshape(-1, 4)[k]
    points = shapes_of(model)[body][part].mesh.vertices @ quaternion_matrix(q).T + x
    return points[:, [1, 0, 2]] * (1.0, -1.0, 1.0)


def test_rims_open_outwards_wherever_the_vehicle_stands():
    """The sign of y of the wheel's centre chose the open side."""
    robot = dataclasses.replace(vehicle.read("skid_steer"), origin=(3.0, 50.0, 0.2), heading=np.pi / 2)
    model = B.compile(robot.mechanism())
    left, right = (drawn_in(model, f"front_{side} wheel", 1) for side in ("left", "right"))
    middle = 0.5 * (left + right)[:, 1].mean()
    np.testing.assert_allclose(np.sort(left[:, 1] - middle), np.sort(middle - right[:, 1]), atol=1e-9)


def test_all_shapes_of_a_body_are_drawn():
    """Only the last contact of a body was drawn."""
    body = B.Body("skid", 2.0, (0.1, 0.1, 0.1), position=(0.0, 0.0, 0.2))
    contacts = [
        B.RigidContact(
            name=f"ball {x}", body="skid", shape=B.Sphere(0.2), surface=B.Plane(), position=(x, 0, 0.2)
        )
        for x in (-0.5, 0.5)
    ]
    model = B.compile(B.Mechanism("skid", (body,), contacts=contacts))
    places = [part.mesh.vertices.mean(axis=0)[0] for part in shapes_of(model)["skid"]]
    np.testing.assert_allclose(places, [-0.5, 0.5], atol=1e-9)


@pytest.mark.slow
def test_a_browser_draws_it(viewer):
    """Headless chromium shows the dark wheel, without an error on its console."""
    image = pytest.importorskip("matplotlib.image", reason="needs matplotlib")
    with browser.page(viewport={"width": 480, "height": 320}) as (page, errors, _):
        page.goto(viewer.url)
        deadline, dark = time.monotonic() + 40.0, 0.0
        while dark < 0.005 and time.monotonic() < deadline:
            page.wait_for_timeout(500)
            picture = page.screenshot(type="png", timeout=60000)
            dark = float((image.imread(io.BytesIO(picture))[..., :3].max(axis=2) < 0.25).mean())
    assert errors == []
    assert dark > 0.005
