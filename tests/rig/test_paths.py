"""Paths to follow: points, headings, curvatures and errors beside them, against closed forms."""

import math

import numpy as np
import pytest
from scipy.special import fresnel

import rig
from tests.refusals import refusals


def test_a_clothoid_is_fresnels():
    length, k1 = 40.0, 0.05
    x, y, psi, k = rig.clothoid(length, 0.0, k1).at(length)
    scale = math.sqrt(math.pi * length / k1)
    s, c = fresnel(length / scale)
    assert (x, y) == pytest.approx((scale * c, scale * s), abs=1e-10)
    assert (psi, k) == pytest.approx((0.5 * k1 * length, k1))


@pytest.mark.parametrize(("width", "radius"), [(12.0, 5.0), (10.0, 5.0), (6.0, 5.0)])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_headland_turn_leads_back_beside_the_track(width, radius, side):
    turn = rig.headland_turn(width, radius, side)
    x, y, psi, _ = turn.at(turn.length)
    assert (x, y) == pytest.approx((0.0, side * width), abs=1e-9)
    assert math.remainder(psi - math.pi, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_errors_beside_lines_and_arcs():
    path = rig.straight(50.0).then(rig.arc(20.0, 0.5 * math.pi))
    off, error, k, s = path.errors(10.0, 1.5, 0.1, 0.0)
    assert (off, error, k, s) == pytest.approx((1.5, 0.1, 0.0, 10.0))
    a = 0.4  # heading [rad] beside the arc about (50, 20); the position is 1 m to the arc's right
    x, y = 50.0 + 21.0 * math.sin(a), 20.0 - 21.0 * math.cos(a)
    off, error, k, s = path.errors(x, y, a, 50.0)
    assert (off, error, k, s) == pytest.approx((-1.0, 0.0, 0.05, 50.0 + 20.0 * a), abs=1e-9)
    assert path.nearest(x, y) == pytest.approx(s)


def test_the_goal_is_at_its_distance_and_ahead():
    path = rig.straight(20.0).then(rig.arc(15.0, 2.0)).then(rig.clothoid(10.0, 1.0 / 15.0, 0.0))
    rng = np.random.default_rng(3)
    for s in rng.uniform(0.0, 55.0, 30):
        x, y, psi, _ = path.at(s)
        x, y = x - 0.5 * math.sin(psi), y + 0.5 * math.cos(psi)
        gx, gy = path.goal(x, y, 6.0, s)
        assert math.hypot(gx - x, gy - y) == pytest.approx(6.0, rel=1e-9)
        assert path.nearest(gx, gy) > s


def test_a_polyline_turns_at_its_points():
    path = rig.polyline([(0.0, 0.0), (10.0, 0.0), (10.0, 5.0)])
    assert path.length == 15.0
    assert path.at(12.0) == pytest.approx((10.0, 2.0, 0.5 * math.pi, 0.0))


def test_field_work_covers_its_tracks():
    path = rig.field_work(100.0, 12.0, 6.0, tracks=3)
    p = path.points()
    assert p[:, 1].max() == pytest.approx(24.0, abs=1e-6)
    assert path.at(path.length)[:2] == pytest.approx((100.0, 24.0), abs=1e-6)


test_bad_paths_are_sentences = refusals(
    (lambda: rig.straight(-1.0), "length = -1.0 m must be above 0"),
    (lambda: rig.arc(0.0, 1.0), "radius = 0.0 m must be above 0"),
    (lambda: rig.polyline([(0.0, 0.0)]), "two points"),
    (lambda: rig.polyline([(0.0, 0.0), (0.0, 0.0)]), "points 0 and 1 of a polyline are one"),
    (lambda: rig.headland_turn(-3.0, 1.0), "width = -3.0"),
    (lambda: rig.field_work(10.0, 3.0, 1.0, tracks=0), "tracks = 0"),
    (lambda: rig.Path(((1.0, math.nan, 0.0, 0.0),)), "pieces.* = .*nan.* must be .*finite"),
    (lambda: rig.straight(5.0).at(math.nan), "s = nan must be .*finite"),
    error=rig.RigError,
)


def test_the_nearest_point_of_a_polyline_is_on_it_and_nearest():
    """Against the closed form of each line; outside of a corner the nearest point is the corner."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        corners = np.cumsum(rng.uniform(-10.0, 10.0, (6, 2)), axis=0)
        path = rig.polyline(corners)
        x, y = rng.uniform(-20.0, 20.0, 2)
        a, d = corners[:-1], np.diff(corners, axis=0)
        along = np.clip(np.sum(((x, y) - a) * d, axis=1) / np.sum(d * d, axis=1), 0.0, 1.0)
        least = np.linalg.norm((x, y) - a - along[:, None] * d, axis=1).min()
        s = path.nearest(x, y)
        assert math.dist(path.at(s)[:2], (x, y)) < least + 0.1
        assert path.project(x, y, s) == pytest.approx(s, abs=1e-6)
