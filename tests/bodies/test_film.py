"""Runs as pictures, films, offline pages and meshes: objects are drawn at the run's positions."""

import dataclasses
import io
import math
import re
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

import bodies as B
from bodies.view import kernels
from bodies.view.film import Studio, save_video
from bodies.view.surfaces import SQUARE_SIDE, box_of, ground_mesh, squares
from contact.rigid import HeightField as RigidField
from contact.terrain import HeightField, rough_ground
from tests import browser
from wheelground.reports.full.case import FullVehicleCase

from .mechanisms import wheel_and_rod


@pytest.fixture(scope="module")
def run():
    return B.simulate(B.compile(wheel_and_rod()), 1.0, 1e-3, record_every=20)


def travel(*places):
    """Given positions of one body, in place of a run."""
    return SimpleNamespace(positions=np.array(places, float)[:, None, :])


@pytest.mark.parametrize(
    "field",
    [
        HeightField(np.arange(12.0).reshape(3, 4) ** 1.5, (2.0, 3.0), (-1.0, 5.0)),
        rough_ground("D", 60.0, seed=1),
    ],
    ids=["3 x 4", "rough"],
)
def test_drawn_ground_lies_on_the_terrain(field):
    """Every drawn vertex is on the terrain; the mesh covers the run's 50 m along x and faces up."""
    mesh = ground_mesh(field, *box_of(travel((0, 0, 0), (50, 1, 0))))
    x, y, z = mesh.vertices.T
    np.testing.assert_allclose(z, field.height(x, y), atol=1e-12)
    assert np.ptp(x) > 50.0
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()


def test_a_rigid_height_field_is_drawn_by_its_own_order():
    """heights[i][j] is drawn at (x + i dx, y + j dy): origin (x, y), spacing (dx, dy)."""
    field = RigidField((-1.0, 5.0), (2.0, 3.0), ((0, 1, 2), (10, 11, 12)))
    mesh = ground_mesh(field, *box_of(travel((0, 5, 0))))
    found = {(float(x), float(y)): float(z) for x, y, z in mesh.vertices}
    assert found[1.0, 8.0] == 11.0
    assert found[-1.0, 11.0] == 2.0


def test_the_squares_of_a_field_are_all_of_it():
    mesh = ground_mesh(HeightField(np.zeros((9, 9)), (1.0, 1.0)), *box_of(travel((4, 4, 0))))
    one, other = squares(mesh)
    assert len(one.faces) + len(other.faces) == len(mesh.faces)
    assert min(len(one.faces), len(other.faces)) > 0.3 * len(mesh.faces)


def test_a_large_ground_is_drawn_where_the_run_passes():
    field = HeightField(np.zeros((3000, 2000)), (1.0, 1.0))
    mesh = ground_mesh(field, *box_of(travel((1000, 1500, 0), (1100, 1500, 0))))
    assert len(mesh.vertices) < 60_000
    np.testing.assert_allclose(mesh.vertices[:, 0].min(), 940.0)
    np.testing.assert_allclose(mesh.vertices[:, 1].max(), 1560.0)


def test_triangles_cover_their_pixels_and_the_nearer_hides_the_farther():
    picture, depth = np.zeros((8, 10, 3), np.float32), np.zeros((8, 10), np.float32)
    points = np.array([[1, 1, 0.5], [6, 1, 0.5], [1, 6, 0.5], [0, 0, 0.2], [10, 0, 0.2], [0, 8, 0.2]])
    faces, colours = np.array([[0, 1, 2], [3, 4, 5]]), np.array([[9, 9, 9], [5, 5, 5]], np.float32)
    for fill in (kernels.draw_triangles, kernels.draw_triangles.py_func):
        picture[:], depth[:] = 0.0, 0.0
        fill(picture, depth, points, faces, colours, 1.0)
        near = {(i, j) for i, j in np.argwhere(picture[..., 0] == 9.0)}
        inside = {(i, j) for i in range(8) for j in range(10) if i >= 1 and j >= 1 and i + j + 1 <= 7}
        assert near == inside
        assert picture[0, 0, 0] == 5.0
        assert picture[7, 9, 0] == 0.0
        assert depth[1, 1] == np.float32(0.5)
    fill(picture, depth, points + np.array([0, 0, 0.1]), faces[:1], np.float32([[1, 1, 1]]), 0.25)
    assert picture[2, 2, 0] == 7.0  # opacity 0.25: 0.25 x 1 (new) + 0.75 x 9 (old colour)
    assert depth[2, 2] == np.float32(0.5)


def test_the_plane_ends_at_the_horizon_and_its_depth_is_the_rays():
    """Camera 2 m above the plane, looking along x: the stored depth is 1/distance along x.

    In a pixel seen at an angle below the horizon it is ``tan(angle) / 2``.
    """
    camera = np.array([0, -1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2.0, 50.0])
    ground = np.array([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0.5, *np.ones(12), 60.0])
    for plane in (kernels.draw_plane, kernels.draw_plane.py_func):
        picture, depth = np.zeros((40, 60, 3), np.float32), np.zeros((40, 60), np.float32)
        plane(picture, depth, camera, ground)
        assert (depth[:20] == 0.0).all()
        np.testing.assert_allclose(depth[30, :], 10.5 / 50.0 / 2.0, rtol=1e-6)


def test_a_picture_shows_the_wheel_where_it_is(run):
    """The mean place of the tyre's dark pixels is near the wheel's centre, projected by hand."""
    studio = Studio(run, (320, 200), follow="")
    early, late = (studio.picture(t).astype(float) for t in (0.0, 0.3))
    assert early.shape == (200, 320, 3)
    dark = [np.argwhere(p.max(axis=2) < 70.0).mean(axis=0) for p in (early, late)]
    for k, (row, column) in zip((0, 15), dark, strict=True):
        camera = studio.camera(run.positions[0])
        ray = camera[:9].reshape(3, 3) @ (run.position("wheel")[k] - camera[9:12])
        focal = 100.0 / math.tan(math.radians(22.5))
        assert column == pytest.approx(160.0 + focal * ray[0] / ray[2], abs=12.0)
        assert row == pytest.approx(100.0 - focal * ray[1] / ray[2], abs=12.0)
    assert abs(dark[1][1] - dark[0][1]) > 20.0  # the wheel has rolled 0.6 m


def test_the_camera_follows_downhill_too(run):
    studio = Studio(run, (64, 48), follow="wheel")
    high, low = (studio.camera(run.positions[0] + [0.0, 0.0, z]) for z in (0.0, -30.0))
    np.testing.assert_allclose(low - high, [0] * 9 + [0, 0, -30.0, 0], atol=1e-12)


def test_a_gif_needs_nothing_more_and_moves(run, tmp_path):
    image = pytest.importorskip("PIL.Image", reason="comes with matplotlib")
    path = run.save_video(tmp_path / "run.gif", rate=5.0, size=(160, 90))
    with image.open(path) as film:
        assert film.n_frames == 6
        assert film.size == (160, 90)
        first = np.asarray(film.convert("RGB"), float)
        film.seek(5)
        assert np.abs(np.asarray(film.convert("RGB"), float) - first).max() > 100.0


def test_a_saved_picture_is_that_of_the_time(run, tmp_path):
    image = pytest.importorskip("PIL.Image", reason="comes with matplotlib")
    with image.open(run.save_picture(tmp_path / "run.png", 0.3, size=(160, 90))) as file:
        np.testing.assert_array_equal(np.asarray(file), run.picture(0.3, size=(160, 90)))


def test_an_mp4_is_read_back_by_another_program(run, tmp_path):
    pytest.importorskip("imageio_ffmpeg", reason="needs pip install 'wheelground[video]'")
    imageio = pytest.importorskip("imageio.v2", reason="needs pip install 'wheelground[video]'")
    path = save_video(run, tmp_path / "run.mp4", rate=10.0, size=(160, 96))
    pictures = imageio.mimread(path, memtest=False)
    assert len(pictures) == 11
    assert pictures[0].shape == (96, 160, 3)
    assert np.abs(pictures[-1].astype(float) - pictures[0]).max() > 60.0


def test_bad_input_is_a_sentence(run, tmp_path):
    with pytest.raises(B.MechanismError, match=r"must end with \.mp4 or \.gif"):
        run.save_video(tmp_path / "run.avi")
    with pytest.raises(B.MechanismError, match=r"must end with \.png or \.jpg"):
        run.save_picture(tmp_path / "run.bmp")
    with pytest.raises(B.UnknownName, match="did you mean 'wheel'"):
        run.picture(0.0, follow="wheal")
    with pytest.raises(B.MechanismError, match="size"):
        run.picture(0.0, size=(0, 100))
    with pytest.raises(B.MechanismError, match="rate"):
        run.save_html(tmp_path / "run.html", rate=-1.0)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_is_a_sentence_with_the_command(run, tmp_path, monkeypatch):
    for name in ("imageio_ffmpeg", "trimesh", "viser"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'wheelground\[video\]'"):
        run.save_video(tmp_path / "run.mp4")
    for save in (run.save_glb, run.save_html):
        with pytest.raises(ImportError, match=r"pip install 'wheelground\[view\]'"):
            save(tmp_path / "run")


def test_a_glb_has_every_body_where_it_stands_with_y_up(run, tmp_path):
    trimesh = pytest.importorskip("trimesh", reason="needs pip install 'wheelground[view]'")
    scene = trimesh.load(run.save_glb(tmp_path / "run.glb", 1.0))
    pose, _ = scene.graph["wheel"]
    x, y, z = run.position("wheel")[-1]
    np.testing.assert_allclose(pose[:3, 3], (x, z, -y), atol=1e-6)
    assert {"wheel", "rod"} <= set(scene.graph.nodes)


def test_a_glb_has_springs_and_the_looks_of_the_ground(tmp_path):
    """They were left out; on the ground looks were opaque in films, whatever their opacity."""
    trimesh = pytest.importorskip("trimesh", reason="needs pip install 'wheelground[view]'")
    made = wheel_and_rod()
    plate = {"outline": ((3.0, 0.0), (4.0, 0.0), (4.0, 1.0)), "span": (0.5, 0.7), "opacity": 0.4}
    post = B.Look(name="post", body="ground", **plate)
    made = dataclasses.replace(made, elements=(*made.elements, post))
    swung = B.simulate(B.compile(made), 0.2, 1e-3, record_every=20)
    scene = trimesh.load(swung.save_glb(tmp_path / "run.glb", 0.2))
    corners = {}
    for node in ("strut 0", "ground"):
        pose, mesh = scene.graph[node]
        points = scene.geometry[mesh].vertices @ pose[:3, :3].T + pose[:3, 3]
        corners[node] = points @ [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # from y up to z up
    assert scene.geometry[mesh].visual.material.baseColorFactor[3] == 102
    np.testing.assert_allclose(np.ptp(corners["ground"], axis=0), (1.0, 0.2, 1.0), atol=1e-6)
    np.testing.assert_allclose(corners["ground"].min(axis=0), (3.0, 0.5, 0.0), atol=1e-6)
    end = swung.position("rod")[-1]  # the spring's lower end is the rod's centre
    low, high = corners["strut 0"].min(axis=0), corners["strut 0"].max(axis=0)
    np.testing.assert_allclose((low[2], high[2]), (end[2], 1.5), atol=0.05)
    assert [p.cover for p in Studio(swung).pieces if p.body is None] == [0.4]


def test_an_offline_page_is_complete_and_loads_nothing(run, tmp_path):
    pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[view]'")
    path = run.save_html(tmp_path / "run.html", rate=10.0)
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 6e6
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=\"https?:", page)


@pytest.mark.slow
def test_an_offline_page_plays_in_a_browser_without_a_network(tmp_path):
    """A page with ten seconds of the 45-body vehicle is below 6 MB; its pictures change with time."""
    pytest.importorskip("viser", reason="needs viser: pip install 'wheelground[view]'")
    image = pytest.importorskip("PIL.Image", reason="comes with matplotlib")
    model = FullVehicleCase().model("implicit")
    drive = B.simulate(model, 10.0, 1e-3, record_every=10, state=B.equilibrium(model))
    path = drive.save_html(tmp_path / "drive.html")
    assert path.stat().st_size < 6e6
    size = {"width": 640, "height": 400}
    with browser.page(viewport=size, offline=True) as (page, errors, asked):
        page.goto(path.as_uri())
        pictures = []
        deadline = time.monotonic() + 120.0
        while len(pictures) < 2 and time.monotonic() < deadline:
            page.wait_for_timeout(3000)
            shot = np.asarray(
                image.open(io.BytesIO(page.screenshot(timeout=60000))).convert("RGB"), float
            )
            if (shot[:350].max(axis=2) < 70.0).mean() > 0.005:  # the tyres are drawn
                pictures.append(shot[:350])
    assert errors == []
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    changed = np.abs(pictures[1] - pictures[0]).max(axis=2) > 30.0
    assert changed.mean() > 0.002  # lugs and lines on the ground have moved


def test_a_coarse_field_is_drawn_curved_between_its_nodes():
    x = np.arange(12)
    field = HeightField(np.sin(0.9 * x)[None, :] * np.cos(0.7 * x)[:, None], (10.0, 10.0))
    coarse, fine = (ground_mesh(field, (30, 30), (80, 80), side) for side in (math.inf, SQUARE_SIDE))
    spacing = np.unique(np.round(np.diff(np.unique(np.round(fine.vertices[:, 0], 6))), 6))
    assert spacing.max() <= 2.0
    for mesh in (coarse, fine):
        np.testing.assert_allclose(
            mesh.vertices[:, 2], field.height(*mesh.vertices[:, :2].T), atol=1e-12
        )
    kept = {tuple(v) for v in np.round(fine.vertices[:, :2], 6)}
    assert {tuple(v) for v in np.round(coarse.vertices[:, :2], 6)} <= kept
