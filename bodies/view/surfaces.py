"""Triangle meshes of grounds, with vertices exactly on the ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from contact.terrain import Terrain

from ..body import GROUND
from ..mechanism import Mechanism
from ..running.trajectory import Trajectory
from .meshes import Mesh
from .shapes import Colour
from .soil_colours import SoilColours

SOILS = (184, 172, 150), (174, 161, 138)  # colours of the light and dark squares of a ground
GROUND_MARGIN = 60.0  # [m] width of the ground drawn around the run
MOST = 500  # largest number of a field's nodes along a side of its mesh
FINE = 240  # largest number of points along a side if points are interpolated between nodes
SQUARE_SIDE = 2.0  # [m] side of a square of the chessboard
SHADES = 1.0, 0.94  # factors on a soil's colour for the two kinds of squares
SAMPLES = 240  # largest number of cells along a side of a ground without nodes


def grounds(m: Mechanism) -> list[Any]:
    """All different grounds of a mechanism's wheels and contacts."""
    found: list[Any] = []
    for surface in [w.ground for w in m.wheels] + [c.surface for c in m.contacts if c.body_b == GROUND]:
        if not any(surface is other or surface == other for other in found):
            found.append(surface)
    return found


def soil_under(m: Mechanism, surface: Any) -> Any:
    """The common soil of all wheels on a ground; None: different soils, a soil map, or hard ground."""
    if getattr(surface, "soil_map", None) is not None:
        return None
    contacts = [w.soil for w in m.wheels if w.ground is surface or w.ground == surface]
    soils = [c.soil if c is not None and c.sinkage != "none" else None for c in contacts]
    return soils[0] if soils and all(soil == soils[0] for soil in soils) else None


def shaded(colour: Colour, factor: float) -> Colour:
    """Colour with all tones multiplied by a factor up to 1."""
    r, g, b = (round(factor * tone) for tone in colour)
    return r, g, b


def is_field(surface: Any) -> bool:
    """Whether a ground is a field of heights over x and y."""
    return hasattr(surface, "heights") or hasattr(surface, "height")


def ground_pieces(
    surface: Any, low: Any, high: Any, side: float = math.inf
) -> list[tuple[Mesh, Colour]]:
    """Meshes with colours of a height field around a box: squares of a chessboard, in the colours of the
    soils if the field has a soil map. Arguments as of :func:`ground_mesh`."""
    soil_map = getattr(surface, "soil_map", None)
    mesh = ground_mesh(surface, low, high, side if soil_map is None else SQUARE_SIDE / 4)
    if soil_map is None:
        return list(zip(squares(mesh), SOILS, strict=True))
    colours, found = SoilColours(soil_map), []
    for half, shade in zip(squares(mesh), SHADES, strict=True):
        middle = half.vertices[half.faces, :2].mean(axis=1)
        kinds, which = np.unique(colours.at(*middle.T), axis=0, return_inverse=True)
        for k, (r, g, b) in enumerate(np.round(shade * kinds).astype(int).tolist()):
            faces = half.faces[which.ravel() == k]
            used, renumbered = np.unique(faces, return_inverse=True)
            found.append((Mesh(half.vertices[used], renumbered.reshape(faces.shape)), (r, g, b)))
    return found


def box_of(run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box that contains all bodies of a run, x and y [m]."""
    x = run.positions[..., :2]
    return x.min(axis=(0, 1)), x.max(axis=(0, 1))


def ground_mesh(surface: Any, low: Any, high: Any, side: float = math.inf) -> Mesh:
    """Mesh of a height field at its nodes, or of another ground at samples of ``height(x, y)``, around a
    box.

    Arguments:
        surface: a terrain of ``contact.terrain``, or the surface of a rigid contact.
        low, high: corners of the box, x and y [m].
        side: largest distance between points [m]: between nodes farther apart there are interpolated
            points, at most ``FINE`` along a side.

    There are two kinds of fields: ``contact.terrain.SmoothHeightField`` has a row of heights for each y
    and a function ``height``; the field of rigid contact has ``heights[i][j]`` at ``x + i dx``, ``y + j
    dy``, with its origin (x, y) and spacing (dx, dy).
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
        x, y = (_samples(a, b) for a, b in zip(low, high, strict=True))
    if answers:
        x, y = (_finer(nodes, side) for nodes in (x, y))
        return grid(x, y, np.asarray(surface.height(*np.meshgrid(x, y, indexing="ij"))))
    place = (
        np.clip(np.round((u - o) / s).astype(int), 0, n - 1)
        for u, o, s, n in zip((x, y), surface.origin, surface.spacing, heights.shape, strict=True)
    )
    return grid(x, y, heights[np.ix_(*place)])


def squares(mesh: Mesh) -> tuple[Mesh, Mesh]:
    """Meshes of the light and the dark squares of a chessboard, whose pattern makes motion visible."""
    middle = mesh.vertices[mesh.faces, :2].mean(axis=1)
    odd = np.floor(middle / SQUARE_SIDE).sum(axis=1) % 2.0 == 1.0
    return Mesh(mesh.vertices, mesh.faces[~odd]), Mesh(mesh.vertices, mesh.faces[odd])


def _samples(low: float, high: float) -> np.ndarray:
    """Equidistant points from ``low`` to ``high`` [m] or a little beyond. The borders of the squares of
    the chessboard are among them, unless this needs more than ``SAMPLES`` cells."""
    parts = int((SAMPLES - 2 * SQUARE_SIDE) * SQUARE_SIDE / (high - low))
    if parts < 1:
        return np.linspace(low, high, SAMPLES + 1)
    step = SQUARE_SIDE / parts
    return step * np.arange(np.floor(low / step), np.ceil(high / step) + 1.0)


def _finer(nodes: np.ndarray, side: float) -> np.ndarray:
    """Nodes and interpolated points, at most ``side`` [m] apart if ``FINE`` points suffice for this."""
    parts = min(int(np.ceil(np.diff(nodes).max() / side)), FINE // len(nodes))
    if parts < 2:
        return nodes
    k = np.arange(parts * (len(nodes) - 1) + 1) / parts
    return np.interp(k, np.arange(len(nodes)), nodes)


def _nodes(origin: float, spacing: float, count: int, low: float, high: float) -> np.ndarray:
    """Coordinates [m] of at most ``MOST`` of a field's nodes from low to high along one axis; also low
    or high itself if it is outside the field."""
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
