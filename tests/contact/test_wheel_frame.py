"""A round wheel on ground of any shape: contact at the point nearest to its axle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar

from contact import rigid
from contact.kernels.ground.section import BILINEAR, GroundShape
from contact.kernels.ground.wheel_frame import heading, touching
from contact.terrain import HeightField, Plane, Sine, Step, Terrain, rough_ground

R = 0.47
_RANDOM = np.random.default_rng(4)
BUMPS = rigid.HeightField(
    (0.0, -4.0), (0.3, 0.4), tuple(map(tuple, 0.1 * _RANDOM.standard_normal((40, 40))))
)
GROUNDS = {
    "plane": Plane(0.1, 0.2, -0.1),
    "sine": Sine(0.1, 1.0),
    "narrow sine": Sine(0.05, 0.3, 0.4),
    "step": Step(3.0, 0.5, 0.3),
    "wall": Step(3.0, 1.0, 1e-4),
    "rough D": rough_ground("D", 20.0, seed=1),
    "rough H": rough_ground("H", 20.0, seed=1),
    "field": HeightField(0.1 * _RANDOM.standard_normal((30, 30)), (0.5, 0.5), (-1.0, -7.0)),
    "folds": BUMPS,
}
GENTLE = Sine(0.05, 6.0, 0.5)


def ground_of(shape):
    """``GroundShape`` of a ``Terrain`` or ``HeightField``, an argument of the contact kernels."""
    if isinstance(shape, Terrain):
        record, rows, columns = shape.record()
        return GroundShape(shape.number, record, 0, rows, columns)
    z = np.array(shape.heights)
    slopes = [np.abs(np.diff(z, axis=k)).max() / shape.spacing[k] for k in range(2)]
    record = np.array([*shape.origin, *shape.spacing, *z.ravel(), np.hypot(*slopes)])
    return GroundShape(BILINEAR, record, 0, *z.shape)


def height(shape, x, y):
    """Height of the ground; for a bilinear ``HeightField`` by an independent formula."""
    if isinstance(shape, Terrain):
        return np.asarray(shape.height(x, y))
    (x_0, y_0), (dx, dy), z = shape.origin, shape.spacing, np.array(shape.heights)
    u, v = (np.asarray(x) - x_0) / dx, (np.asarray(y) - y_0) / dy
    i = np.clip(np.floor(u).astype(int), 0, z.shape[0] - 2)
    j = np.clip(np.floor(v).astype(int), 0, z.shape[1] - 2)
    u, v = u - i, v - j
    low = (1 - u) * z[i, j] + u * z[i + 1, j]
    return (1 - v) * low + v * ((1 - u) * z[i, j + 1] + u * z[i + 1, j + 1])


def axis_of(yaw, camber):
    c = np.cos(camber)
    return np.array([-np.sin(yaw) * c, np.cos(yaw) * c, np.sin(camber)])


def touch(shape, centre, axis, r=R):
    """Gap, normal, and vector to the point at which the normal force acts."""
    found = np.array(touching(ground_of(shape), *centre, *axis, r))
    return found[0], found[1:4], found[7] * found[4:7]


def nearest_upright(shape, centre, yaw):
    """Distance of the axle from the ground in an upright wheel's plane, by sampling and SciPy."""
    ahead = np.array([np.cos(yaw), np.sin(yaw)])

    def square(u):
        x, y = centre[0] + u * ahead[0], centre[1] + u * ahead[1]
        return u * u + (height(shape, x, y) - centre[2]) ** 2

    u = np.linspace(-1.3 * R, 1.3 * R, 20001)
    if isinstance(shape, Step):  # its ramp may lie between two samples
        with np.errstate(divide="ignore", invalid="ignore"):
            ramp = (np.linspace(shape.x_0, shape.x_0 + shape.length, 2001) - centre[0]) / ahead[0]
        u = np.sort(np.concatenate([u, ramp[np.abs(ramp) < 1.3 * R]]))
    f = square(u)
    best = f.min()
    for k in np.flatnonzero((f[1:-1] <= f[:-2]) & (f[1:-1] <= f[2:])) + 1:
        if f[k] < best + 1e-3:
            bounds = (u[k - 1], u[k + 1])
            best = min(best, minimize_scalar(square, bounds=bounds, options={"xatol": 1e-13}).fun)
    return np.sqrt(best)


places = dict(x=st.floats(1.5, 4.5), y=st.floats(-1.0, 1.0), up=st.floats(0.15, 0.6))
turns = dict(yaw=st.floats(-3.1, 3.1), camber=st.sampled_from([0.0, 0.02, -0.1, 0.3]))


@pytest.mark.parametrize("name", GROUNDS)
@given(**places, yaw=turns["yaw"])
@settings(max_examples=25)
def test_an_upright_wheel_touches_where_the_ground_is_nearest_to_its_axle(name, x, y, up, yaw):
    shape = GROUNDS[name]
    centre = np.array([x, y, float(height(shape, x, y)) + up])
    gap, normal, down = touch(shape, centre, axis_of(yaw, 0.0))
    wanted = nearest_upright(shape, centre, yaw)
    if shape is GROUNDS["plane"]:
        wanted = R + (wanted - R) * np.sqrt(1.0 - (normal @ axis_of(yaw, 0.0)) ** 2)
    elif wanted < R:
        assert np.linalg.norm(down) == pytest.approx(wanted, abs=1e-6)
    if wanted < R:
        assert gap + R == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("name", GROUNDS)
@given(**places, **turns)
@settings(max_examples=40)
def test_the_normal_force_runs_through_the_axle(name, x, y, up, yaw, camber):
    """The normal force passes within 1e-12 m of the cambered, steered axle; frames are orthonormal."""
    shape, axis = GROUNDS[name], axis_of(yaw, camber)
    centre = np.array([x, y, float(height(shape, x, y)) + up])
    _, normal, down = touch(shape, centre, axis)
    across = np.cross(axis, normal)
    assert abs(down @ across) / np.linalg.norm(across) < 1e-12
    assert abs(np.cross(down, normal) @ axis) < 1e-12
    forward, left = np.split(np.array(heading(*axis, *normal)), 2)
    lean = np.linalg.norm(normal)
    assert 1.0 - 1e-12 <= lean <= 1.0 / 0.7 + 1e-12
    frame = np.array([normal / lean, forward, left])
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
    assert forward @ axis == pytest.approx(0.0, abs=1e-12)
    ground = ground_of(shape)
    plain = touching.py_func(ground, *centre, *axis, R)
    assert touching(ground, *centre, *axis, R) == pytest.approx(plain, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", GROUNDS)
def test_the_gap_is_continuous_as_the_wheel_rolls_from_flank_to_flank(name):
    """An upright wheel's gap changes by no more than its centre moves."""
    shape, step = GROUNDS[name], 1e-3
    x = np.arange(1.5, 4.5, step)
    if name in ("wall", "step"):
        x = x[x < 3.0 - 0.25]
    top = float(np.max(height(shape, x, np.zeros_like(x)))) if name != "folds" else 0.5
    for z in (top + 0.3, top + 0.42):
        gaps = np.array([touch(shape, (at, 0.0, z), axis_of(0.0, 0.0))[0] for at in x])
        near = np.abs(gaps) < R
        assert np.abs(np.diff(gaps))[near[1:]].max() <= step * 1.001


@given(x=places["x"], y=places["y"], yaw=turns["yaw"], camber=st.floats(-0.3, 0.3), k=st.integers(0, 5))
@settings(max_examples=40)
def test_the_normal_row_is_the_rate_of_the_gap(x, y, yaw, camber, k):
    """The rate of the gap in each of a wheel's six motions equals the gap's central difference."""
    d, axis = 1e-5, axis_of(yaw, camber)
    centre = np.array([x, y, float(GENTLE.height(x, y)) + R - 0.06])
    gap, normal, down = touch(GENTLE, centre, axis)
    way = np.eye(6)[k]
    rate = normal @ (way[:3] + np.cross(way[3:], down))
    there = [
        touch(GENTLE, centre + s * d * way[:3], axis + s * d * np.cross(way[3:], axis))[0]
        for s in (1, -1)
    ]
    assert gap < 0.0
    assert (there[0] - there[1]) / (2 * d) == pytest.approx(rate, abs=1e-7)


def test_a_wall_pushes_back_level_and_a_wheel_inside_it_outwards():
    """A wall's normal force is horizontal; with the axle 0.1 m inside, the gap is -0.1 m - radius."""
    wall = GROUNDS["wall"]
    gap, normal, down = touch(wall, (3.0 - 0.4, 0.0, 0.6), axis_of(0.0, 0.0))
    assert gap == pytest.approx(0.4 - R, abs=1e-4)
    assert normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-3)
    assert down == pytest.approx([0.4, 0.0, 0.0], abs=1e-3)
    gap, normal, _ = touch(wall, (3.1, 0.0, 0.6), axis_of(0.0, 0.0))
    assert gap == pytest.approx(-0.1 - R, abs=1e-3)
    assert normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-2)


def test_on_a_plane_it_is_the_lowest_point_of_the_rim():
    """A wheel at any tilt touches a plane at its lowest point; flat, all rim points are equally low."""
    plane = Plane(0.1, 0.3, -0.2)
    n = plane.normal(0.0)
    for axis in (axis_of(0.4, 0.2), axis_of(1.0, 1.2), n, np.array([0.0, 0.0, 1.0])):
        centre = np.array([0.3, 0.2, 0.7])
        gap, normal, down = touch(plane, centre, axis)
        assert normal == pytest.approx(n)
        distance = n @ (centre - np.array([0.0, 0.0, 0.1]))
        assert gap == pytest.approx(distance - R * np.sqrt(max(0.0, 1.0 - (n @ axis) ** 2)), abs=1e-7)
        assert n @ (centre + down) - 0.1 * n[2] == pytest.approx(gap, abs=1e-7)


def test_a_tilted_wheel_on_a_valley_touches_in_its_own_plane():
    """Tilted across a valley, a wheel has the gap found by SciPy's root search in its own plane."""
    valley = Sine(0.2, 4.0, heading=np.pi / 2, phase=-np.pi / 2)  # runs along x
    axis = axis_of(0.0, 0.2)
    centre = np.array([0.0, 0.3, 0.25])
    gap, normal, _ = touch(valley, centre, axis)
    up = np.cross([1.0, 0.0, 0.0], axis)

    def over(w):
        p = centre + w * up
        return p[2] - float(valley.height(p[0], p[1]))

    w = brentq(over, -1.0, 0.0)
    assert gap == pytest.approx(abs(w) - R, abs=1e-12)
    p = centre + w * up
    n = valley.normal(p[0], p[1])
    assert normal == pytest.approx(n / np.sqrt(1.0 - (n @ axis) ** 2), abs=1e-9)
