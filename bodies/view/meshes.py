"""Triangle meshes of simple shapes, lengths in m; only faces of a smooth surface share vertices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..frames import frame


@dataclass(frozen=True)
class Mesh:
    """Triangle mesh: ``vertices`` (n, 3) [m] and ``faces`` (m, 3), counter-clockwise seen from
    outside."""

    vertices: np.ndarray
    faces: np.ndarray


def join(meshes: Iterable[Mesh]) -> Mesh:
    """One mesh with the triangles of several."""
    meshes = list(meshes)
    starts = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.faces + k for m, k in zip(meshes, starts, strict=False)]),
    )


def placed(mesh: Mesh, centre: Any = (0, 0, 0), axes: np.ndarray | None = None) -> Mesh:
    """Mesh turned to the axes in the columns of ``axes`` and moved to ``centre`` [m]."""
    R = np.eye(3) if axes is None else axes
    return Mesh(mesh.vertices @ R.T + np.asarray(centre, float), mesh.faces)


def box(size: ArrayLike, bevel: float = 0.0) -> Mesh:
    """Box with the edges ``size`` [m], bevelled by ``bevel`` [m]."""
    h = 0.5 * np.asarray(size, float)
    c = min(bevel, 0.45 * float(h.min()))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    points = np.concatenate([corners * (h - c * (1.0 - np.eye(3)[k])) for k in range(3)])
    return hull(points) if c > 0.0 else hull(corners * h)


def hull(points: np.ndarray) -> Mesh:
    """Convex hull of points (n, 3) [m], with flat faces."""
    from scipy.spatial import ConvexHull

    found = ConvexHull(points)
    vertices, faces = [], []
    for simplex, normal in zip(found.simplices, found.equations[:, :3], strict=True):
        a, b, c = points[simplex]
        if np.cross(b - a, c - a) @ normal < 0.0:
            b, c = c, b
        faces.append(3 * len(faces) + np.arange(3))
        vertices += [a, b, c]
    return Mesh(np.array(vertices), np.array(faces))


def lathe(profile: ArrayLike, crease: float = 35.0, sides: int = 48) -> Mesh:
    """Solid of revolution about the z axis of a profile of points (radius, height) [m].

    The outside is to the right of the profile. Corners sharper than ``crease`` [deg] stay sharp, other
    corners are smooth."""
    p = np.asarray(profile, float)
    d = np.diff(p, axis=0)
    angle = np.arctan2(d[:, 1], d[:, 0])
    pieces, start = [], 0
    for k in range(1, len(d) + 1):
        turn = np.degrees(abs((angle[k % len(d)] - angle[k - 1] + np.pi) % (2 * np.pi) - np.pi))
        if k == len(d) or turn > crease:
            pieces.append(_turned(p[start : k + 1], sides))
            start = k
    return join(pieces)


def _turned(p: np.ndarray, sides: int) -> Mesh:
    t = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(t), np.sin(t)], axis=1)
    vertices = np.concatenate([np.column_stack([r * ring, np.full(sides, z)]) for r, z in p])
    faces = []
    for k in range(len(p) - 1):
        a = k * sides + np.arange(sides)
        b = k * sides + (np.arange(sides) + 1) % sides
        if p[k, 0] > 0.0:
            faces.append(np.column_stack([a, b, a + sides]))
        if p[k + 1, 0] > 0.0:
            faces.append(np.column_stack([b, b + sides, a + sides]))
    return Mesh(vertices, np.concatenate(faces))


def rod(start: Any, end: Any, radius: float, sides: int = 20) -> Mesh:
    """Cylinder between two points with rounded rims."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(end - start))
    if length < 1e-9:
        return ball(start, radius)
    c = min(0.25 * radius, 0.25 * length)
    rim = radius - c
    profile = [(0, 0), (rim, 0), (radius, c), (radius, length - c), (rim, length), (0, length)]
    return placed(lathe(profile, sides=sides), start, frame((end - start) / length))


def ball(centre: Any, radius: float) -> Mesh:
    """Sphere about ``centre`` [m] with ``radius`` [m]."""
    t = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 13)
    return placed(lathe(np.column_stack([radius * np.cos(t), radius * np.sin(t)]), 90.0, 24), centre)


def tyre(radius: float, width: float) -> Mesh:
    """Tyre about the z axis: rounded shoulders, open in the middle."""
    w, inner = 0.5 * width, 0.6 * radius
    t = np.linspace(0.0, 0.5 * np.pi, 7)
    s = 0.28 * min(width, radius)
    shoulder = np.column_stack([radius - s + s * np.cos(t[::-1]), -w + s - s * np.sin(t[::-1])])
    half = np.concatenate([[(inner, -0.82 * w)], shoulder])
    profile = np.concatenate([half, half[::-1] * [1, -1], half[:1]])
    return lathe(profile, 50.0, 64)


def lugs(radius: float, width: float, count: int = 22) -> Mesh:
    """``count`` lugs across the tread of a tyre, which make the rotation of a wheel visible."""
    one = box((0.045 * radius, 0.5 * width, 0.09 * radius), 0.01 * radius)
    bars = []
    for k in range(2 * count):
        t, side = np.pi * k / count, 1.0 if k % 2 else -1.0
        x, y = np.array([np.cos(t), np.sin(t), 0.0]), np.array([0.0, 0.0, 1.0])
        y = y + 0.35 * side * np.cross(y, x)
        y /= np.linalg.norm(y)
        axes = np.column_stack([x, y, np.cross(x, y)])
        bars.append(placed(one, 1.005 * radius * x + [0, 0, 0.22 * side * width], axes))
    return join(bars)


def rim(radius: float, width: float, bolts: int = 5) -> Mesh:
    """Rim, disc with spokes and hub about the z axis."""
    r, w = 0.62 * radius, 0.42 * width
    ring = lathe([(r, -w), (r, w), (0.9 * r, w), (0.85 * r, 0.0), (0.9 * r, -w), (r, -w)])
    hub = lathe(
        [(0, -0.5 * w), (0.26 * r, -0.5 * w), (0.26 * r, 0.7 * w), (0.18 * r, 0.9 * w), (0, 0.9 * w)]
    )
    back = lathe([(0, -0.62 * w), (0.3 * r, -0.55 * w), (0, -0.5 * w)])
    spokes = []
    for k in range(bolts):
        t = 2.0 * np.pi * k / bolts
        x = np.array([np.cos(t), np.sin(t), 0.0])
        axes = np.column_stack([x, np.cross([0, 0, 1.0], x), [0, 0, 1.0]])
        spokes.append(placed(box((0.66 * r, 0.24 * r, 0.5 * w), 0.03 * r), 0.55 * r * x, axes))
    return join([ring, hub, back, *spokes])


def spring(start: Any, end: Any, radius: float, wire: float, turns: float = 7.0) -> Mesh:
    """Coil spring between two points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    n = int(turns * 16)
    t = np.linspace(0.0, 2.0 * np.pi * turns, n)
    length = float(np.linalg.norm(end - start))
    path = np.column_stack([radius * np.cos(t), radius * np.sin(t), np.linspace(0, length, n)])
    out = np.column_stack([np.cos(t), np.sin(t), np.zeros(n)])
    up = np.tile([0.0, 0.0, 1.0], (n, 1))
    s = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    vertices = (
        path[:, None]
        + wire * (np.cos(s)[None, :, None] * out[:, None] + np.sin(s)[None, :, None] * up[:, None])
    ).reshape(-1, 3)
    a = (np.arange(n - 1)[:, None] * 8 + np.arange(8)).ravel()
    b = (np.arange(n - 1)[:, None] * 8 + (np.arange(8) + 1) % 8).ravel()
    faces = np.concatenate([np.column_stack([a, b, a + 8]), np.column_stack([b, b + 8, a + 8])])
    axes = frame((end - start) / max(length, 1e-9))
    return placed(Mesh(vertices, faces), start, axes)
