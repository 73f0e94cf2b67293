"""Triangle meshes of grounds, with vertices exactly on the ground."""

from __future__ import annotations

from typing import Any

import numpy as np

from contact.terrain import Terrain

from ..body import GROUND
from ..mechanism import Mechanism
from ..running.trajectory import Trajectory
from .meshes import Mesh

SOILS = (184, 172, 150), (174, 161, 138)  # colours of the chessboard
GROUND_MARGIN = 60.0  # [m] width of the ground drawn around the run
MOST = 500  # largest number of nodes along a side
FINE = 240  # largest number of points along a side with interpolated points
SQUARE_SIDE = 2.0  # [m] side of a square of the chessboard
SAMPLES = 241  # number of points along a side of a ground without nodes


def grounds(m: Mechanism) -> list[Any]:
    """All different grounds of a mechanism's wheels and contacts."""
    found: list[Any] = []
    for surface in [w.ground for w in m.wheels] + [c.surface for c in m.contacts if c.body_b == GROUND]:
        if not any(surface is other or surface == other for other in found):
            found.append(surface)
    return found


def is_field(surface: Any) -> bool:
    """Whether a ground is a field of heights over x and y."""
    return hasattr(surface, "heights") or hasattr(surface, "height")


def surface_mesh(surface: Any, run: Trajectory) -> Mesh:
    """Mesh of a ground around a run, see :func:`ground_mesh`."""
    x = run.positions[..., :2]
    return ground_mesh(surface, x.min(axis=(0, 1)), x.max(axis=(0, 1)))


def ground_mesh(surface: Any, low: Any, high: Any, fine: bool = False) -> Mesh:
    """Mesh of a height field at its nodes, or of another ground at samples of ``height(x, y)``, around a
    box.

    Arguments:
        surface: a terrain of ``contact.terrain``, or the surface of a rigid contact.
        low, high: corners of the box, x and y [m].
        fine: whether to add interpolated points between nodes farther apart than a square, for curved
            fields.

    There are two kinds of fields: ``contact.terrain.SmoothHeightField`` has a row of heights for each y
    and a function ``height``; the field of rigid contact has ``heights[i][j]`` at ``x + i dx``, ``y + j
    dy``.
    """
    low, high = np.asarray(low, float) - GROUND_MARGIN, np.asarray(high, float) + GROUND_MARGIN
    answers: bool = isinstance(surface, Terrain)
    heights = np.zeros((0, 0))
    if hasattr(surface, "heights"):
        heights = np.asarray(surface.heights, float)
        counts = heights.shape[::-1] if answers else heights.shape
        x, y = (
            _nodes(*of) for of in zip(surface.origin, surface.spacing, counts, low, high, strict=True)
        )
    else:
        x, y = (np.linspace(a, b, SAMPLES) for a, b in zip(low, high, strict=True))
    if answers:
        x, y = (_finer(nodes) if fine else nodes for nodes in (x, y))
        return grid(x, y, np.asarray(surface.height(*np.meshgrid(x, y, indexing="ij"))))
    place = (
        np.clip(np.round((u - o) / s).astype(int), 0, n - 1)
        for u, o, s, n in zip((x, y), surface.origin, surface.spacing, heights.shape, strict=True)
    )
    return grid(x, y, heights[np.ix_(*place)])


def squares(mesh: Mesh) -> tuple[Mesh, Mesh]:
    """The meshes of both colours of a chessboard over x and y, which makes motion visible."""
    middle = mesh.vertices[mesh.faces, :2].mean(axis=1)
    odd = np.floor(middle / SQUARE_SIDE).sum(axis=1) % 2.0 == 1.0
    return Mesh(mesh.vertices, mesh.faces[~odd]), Mesh(mesh.vertices, mesh.faces[odd])


def _finer(nodes: np.ndarray) -> np.ndarray:
    """Nodes with interpolated points between them, at most a square apart, at most ``FINE`` points."""
    parts = min(int(np.ceil(np.diff(nodes).max() / SQUARE_SIDE)), FINE // len(nodes))
    if parts < 2:
        return nodes
    k = np.arange(parts * (len(nodes) - 1) + 1) / parts
    return np.interp(k, np.arange(len(nodes)), nodes)


def _nodes(origin: float, spacing: float, count: int, low: float, high: float) -> np.ndarray:
    """Coordinates of a field's nodes between low and high along one axis [m], at most ``MOST`` of them,
    and end points outside the field."""
    first = int(np.clip(np.floor((low - origin) / spacing), 0, count - 1))
    last = int(np.clip(np.ceil((high - origin) / spacing), first, count - 1))
    nodes = np.arange(first, last + 1)
    nodes = np.unique(np.append(nodes[:: -(-len(nodes) // MOST)], last))
    found = origin + spacing * nodes
    before, after = [low] if low < found[0] - 1e-9 else [], [high] if high > found[-1] + 1e-9 else []
    return np.concatenate([before, found, after])


def grid(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> Mesh:
    """Mesh of the heights z[i, j] at x[i], y[j] [m], with its outside upward."""
    nx, ny = z.shape
    k = (np.arange(nx - 1)[:, None] * ny + np.arange(ny - 1)).ravel()
    faces = np.concatenate(
        [np.column_stack([k, k + ny, k + ny + 1]), np.column_stack([k, k + ny + 1, k + 1])]
    )
    X, Y = np.meshgrid(x, y, indexing="ij")
    return Mesh(np.column_stack([X.ravel(), Y.ravel(), z.ravel()]), faces)
