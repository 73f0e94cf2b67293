"""Ruts in the live scene: bands behind the wheels that run on soil."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bodies.frames import quaternion_matrix
from bodies.mjcf.geometry import Geometry
from bodies.model import Model
from bodies.view.meshes import Mesh
from bodies.view.stage import Meshes
from bodies.view.surfaces import shaded

Array = NDArray[np.float64]
Height = Callable[[Array, Array], Array]
#: Number of cross sections in one drawn piece, and least distance of two of them [m].
PIECE, MIN_SPACING = 25, 0.25
#: Height of the first band above the ground, and of each further band above the one before [m].
ABOVE, SPACING = 0.01, 0.002
LIFTED = 0.05  # height of a wheel's lowest point above the ground from which it leaves no band [m]
DARK = 0.45  # brightness of the bands' colour over that of the ground's [-]


@dataclass(frozen=True)
class RuttingWheel:
    """Wheel on soil.

    Attributes:
        body: number of its body.
        centre, axle: centre [m] and direction of the spin axis, in the body's axes.
        radius, width: of the tyre [m].
    """

    body: int
    centre: tuple[float, ...]
    axle: tuple[float, ...]
    radius: float
    width: float

    @staticmethod
    def of(model: Model) -> list[RuttingWheel]:
        """Wheels of a model that sink into their ground."""
        geometry, found = Geometry(model), []
        for wheel in model.mechanism.wheels:
            if wheel.soil is None or wheel.soil.sinkage == "none":
                continue
            centre = geometry.point_in(wheel.body, geometry.point_of(wheel.body, wheel.centre))
            axle = geometry.direction_in(wheel.body, geometry.direction_of(wheel.body, wheel.spin_axis))
            found.append(
                RuttingWheel(
                    model.body(wheel.body), tuple(centre), tuple(axle), float(wheel.radius or 0.0),
                    float(wheel.width),
                )
            )  # fmt: skip
        return found


def height_of(drawn: Meshes) -> Height | None:
    """Function that returns the height of the drawn ground at points x, y [m]; None unless the ground is
    one plane or one height field."""
    if len(drawn.planes) == 1 and not drawn.ground:
        (plane,) = drawn.planes
        normal, point = quaternion_matrix(plane.wxyz)[:, 2], np.array(plane.position)
        return lambda x, y: (
            point[2] - (normal[0] * (x - point[0]) + normal[1] * (y - point[1])) / normal[2]
        )
    if not drawn.ground or drawn.planes:
        return None
    x, y, z = np.vstack([part.mesh.vertices for part in drawn.ground]).T
    (xs, i), (ys, j) = (np.unique(v, return_inverse=True) for v in (x, y))
    if min(len(xs), len(ys)) < 2:
        return None
    heights = np.full((len(xs), len(ys)), np.nan)
    heights[i.ravel(), j.ravel()] = z
    return None if np.isnan(heights).any() else lambda x, y: _bilinear(xs, ys, heights, x, y)


def _bilinear(xs: Array, ys: Array, heights: Array, x: Array, y: Array) -> Array:
    """Bilinear interpolation between the nodes of a grid, constant beyond its edge."""
    (i, s), (j, t) = (_cell(nodes, v) for nodes, v in ((xs, x), (ys, y)))
    low, high = (heights[k, j] * (1.0 - t) + heights[k, j + 1] * t for k in (i, i + 1))
    return low * (1.0 - s) + high * s


def _cell(nodes: Array, v: Array) -> tuple[NDArray[np.int64], Array]:
    """Cell of each coordinate, and its place in the cell, 0 to 1."""
    k = np.clip(np.searchsorted(nodes, v) - 1, 0, len(nodes) - 2)
    return k, np.clip((v - nodes[k]) / (nodes[k + 1] - nodes[k]), 0.0, 1.0)


class Ruts:
    """Bands on the ground behind the wheels, as wide as the tyres.

    Arguments:
        scene: viser's scene.
        wheels: wheels on soil.
        drawn: drawn ground; its mean colour, darker, is that of the bands.
        height: height of the ground, see ``height_of``.
    """

    def __init__(self, scene: Any, wheels: list[RuttingWheel], drawn: Meshes, height: Height) -> None:
        self._scene, self._wheels, self._height = scene, wheels, height
        tones = [each.colour for each in (*drawn.planes, *drawn.ground)]
        red, green, blue = np.mean(tones, axis=0)
        self._colour = shaded((red, green, blue), DARK)
        self._sections: list[Array] = []
        self.pieces: int = 0

    def extend(self, x: Array, q: Array) -> None:
        """Extend the bands to the wheels at positions x [m] with quaternions q of all bodies."""
        section = np.array([self._section(wheel, x, q) for wheel in self._wheels])
        # a height of its own for each wheel's band, so that crossing bands do not flicker
        section[..., 2] += SPACING * np.arange(len(section))[:, None]
        if self._sections:
            moved = np.linalg.norm(np.nan_to_num(section - self._sections[-1]).mean(axis=1), axis=1)
            if moved.max() < MIN_SPACING:
                return
        self._sections.append(section)
        mesh = band(np.array(self._sections))
        if len(mesh.faces):
            self._scene.add_mesh_simple(
                f"/world/ruts/{self.pieces}", mesh.vertices.astype(np.float32),
                mesh.faces.astype(np.uint32), color=self._colour, side="double",
                cast_shadow=False,
            )  # fmt: skip
        if len(self._sections) > PIECE:
            self._sections, self.pieces = [section], self.pieces + 1

    def _section(self, wheel: RuttingWheel, x: Array, q: Array) -> Array:
        """Both edges of a wheel's band, shape (2, 3) [m]; nan for a lifted wheel."""
        turned = quaternion_matrix(q[wheel.body])
        centre, axle = x[wheel.body] + turned @ wheel.centre, turned @ wheel.axle
        across = np.array([axle[0], axle[1], 0.0]) / max(float(np.hypot(*axle[:2])), 1e-9)
        edges = centre + np.outer((0.5 * wheel.width, -0.5 * wheel.width), across)
        ground = self._height(edges[:, 0], edges[:, 1])
        if centre[2] - wheel.radius > ground.max() + LIFTED:
            return np.full((2, 3), np.nan)
        edges[:, 2] = ground + ABOVE
        return edges


def band(sections: Array) -> Mesh:
    """Mesh of bands through cross sections, shape (sections, wheels, 2, 3) [m]; nan: no band there."""
    count, wheels = sections.shape[:2]
    k = np.arange(count * wheels * 2).reshape(count, wheels, 2)
    a, b, c, d = (part.reshape(-1) for part in (k[:-1, :, 0], k[:-1, :, 1], k[1:, :, 0], k[1:, :, 1]))
    vertices = sections.reshape(-1, 3)
    quads = np.column_stack((a, b, c, d))
    a, b, c, d = quads[np.isfinite(vertices[quads]).all(axis=(1, 2))].T
    faces = np.concatenate([np.column_stack((a, b, d)), np.column_stack((a, d, c))])
    return Mesh(np.nan_to_num(vertices), faces)
