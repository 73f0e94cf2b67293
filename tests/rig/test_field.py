"""Field work: areas, distances and the worked area of an implement, against closed forms."""

import math

import numpy as np
import pytest

import rig
from rig.field import Boundary
from tests.refusals import refusals

SQUARE = Boundary([(0, 0), (100, 0), (100, 30), (0, 30)])
CORNER = Boundary([(0, 0), (40, 0), (40, 10), (10, 10), (10, 40), (0, 40)])  # an L, not convex


def straight(y, length=100.0, step=0.5):
    x = np.arange(0.0, length + step, step)
    return np.column_stack((x, np.full_like(x, y))), np.zeros_like(x)


def test_areas_lengths_and_distances():
    assert (SQUARE.area, SQUARE.length) == (3000.0, 260.0)
    assert (CORNER.area, CORNER.length) == (700.0, 160.0)
    back = Boundary(CORNER.corners[::-1])
    for field in (CORNER, back):
        points = np.array([(5.0, 5.0), (20.0, 4.0), (20.0, 20.0), (-3.0, -4.0), (10.0, 25.0)])
        assert field.inside(points[:4]).tolist() == [True, True, False, False]
        assert field.distance(points) == pytest.approx([5.0, 4.0, -10.0, -5.0, 0.0])


def test_a_circle_of_many_corners_has_its_area_and_its_points_inside():
    angles = np.linspace(0.0, 2.0 * math.pi, 361)[:-1]
    circle = Boundary(20.0 * np.column_stack((np.cos(angles), np.sin(angles))))
    assert circle.area == pytest.approx(400.0 * math.pi, rel=1e-4)
    points = np.random.default_rng(0).uniform(-25.0, 25.0, (2000, 2))
    radius = np.hypot(*points.T)
    assert circle.distance(points) == pytest.approx(20.0 - radius, abs=2e-3)


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_one_pass_works_its_width(turn):
    track, heading = straight(15.0)
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s], [s, c]])
    found = Boundary(SQUARE.corners @ R.T).worked(track @ R.T, heading + turn, 3.0)
    assert found.share == pytest.approx(0.1, rel=0.01)
    assert found.overlap == 0.0
    assert found.outside < 1.0


@pytest.mark.parametrize(
    ("spacing", "count", "share", "overlap"),
    [(3.0, 10, 1.0, 0.0), (2.5, 11, 28.0 / 30.0, 5.0 / 30.0), (4.0, 7, 21.0 / 30.0, 0.0)],
    ids=["side by side", "closer", "wider"],
)
def test_passes_of_a_lifted_implement(spacing, count, share, overlap):
    """An implement lifted between two passes works no strip on the return."""
    lines = [straight(1.5 + spacing * k) for k in range(count)]
    track, heading = (np.concatenate(parts) for parts in zip(*lines, strict=True))
    down = np.tile(np.r_[False, np.ones(len(lines[0][1]) - 1, bool)], count)
    found = SQUARE.worked(track, heading, 3.0, down=down)
    assert found.share == pytest.approx(share, rel=0.01)
    assert found.overlap == pytest.approx(overlap, abs=2e-3)
    assert found.outside == 0.0


def test_the_same_strip_again_is_overlap_and_beyond_the_boundary_is_outside():
    out, heading = straight(15.0, 120.0)
    track = np.vstack((out, out[::-1]))
    found = SQUARE.worked(track, np.concatenate((heading, heading + math.pi)), 3.0)
    assert found.share == pytest.approx(0.1, rel=0.01)
    assert found.overlap == pytest.approx(found.share, rel=0.02)
    assert found.outside == pytest.approx(60.0, rel=0.02)


test_bad_input_is_a_sentence = refusals(
    (lambda: Boundary([(0, 0), (1, 1)]), "three points"),
    (lambda: Boundary([(0, 0), (1, 1), (2, 2)]), "enclose an area"),
    (lambda: Boundary([(0, 0), (1, 1), (1, 0), (0, 1)]), "must not cross itself"),
    (lambda: SQUARE.worked(np.zeros((3, 2)), np.zeros(2), 3.0), "with a heading each"),
    (lambda: SQUARE.worked(np.zeros((3, 2)), np.zeros(3), 1.0, down=[True]), "down must be 3"),
    (lambda: SQUARE.worked(np.zeros((3, 2)), np.zeros(3), -1.0), "width = -1.0 m must be above 0"),
    (lambda: SQUARE.worked(np.zeros((3, 2)), np.zeros(3), 1.0, 1e-3), "take larger ones"),
    error=rig.RigError,
)


@pytest.mark.parametrize("radius", [10.0, 5.5, 3.0, 0.0])
def test_an_implement_that_turns_works_its_ring_or_disc(radius):
    """Also about a point of the implement, whose ends then move in opposite directions."""
    angles = np.linspace(0.0, 2.0 * math.pi, 721)
    place = radius * np.column_stack((np.cos(angles), np.sin(angles)))
    field = Boundary([(-20, -20), (20, -20), (20, 20), (-20, 20)])
    found = field.worked(place, angles + 0.5 * math.pi, 12.0, 0.1)
    ring = math.pi * ((radius + 6.0) ** 2 - max(0.0, radius - 6.0) ** 2)
    assert found.share * field.area == pytest.approx(ring, rel=2e-3)
    assert found.overlap == 0.0
