"""The mechanism in viser's scene: one node a body, springs, ground and arrows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..builder import frame, quaternion_matrix
from ..mjcf.geometry import quaternion_of
from ..trajectory import Trajectory
from . import meshes
from .forces import arrow_points, wheel_arrows
from .poses import poses_at, record_at
from .shapes import SPRING, shapes_of, springs_of
from .surfaces import SOILS, grounds, is_field, squares, surface_mesh

NORMAL, TRACTION, LATERAL = (20, 80, 200), (226, 84, 0), (126, 36, 180)


class Scene:
    """Nodes under ``/world``, and how they move.

    Attributes:
        bodies: node of every body, by name.
        arrows: the force arrows, None without wheels.
        scale: length of an arrow over its force [m/N].
        follow: name of the body at which the camera keeps looking, or None.
    """

    def __init__(self, server: Any, run: Trajectory) -> None:
        self.run, self.scene = run, server.scene
        self.wheels = wheel_arrows(run)
        self.follow: str | None = None
        self.world = self.scene.add_frame("/world", show_axes=False)
        self._translucent: list[Any] = []
        self.bodies: dict[str, Any] = {}
        for name, parts in shapes_of(run.model).items():
            node = self.scene.add_frame(f"/world/{_path(name)}", show_axes=False)
            self.bodies[name] = node
            for k, part in enumerate(parts):
                handle = self.scene.add_mesh_simple(
                    f"/world/{_path(name)}/{k}",
                    part.mesh.vertices.astype(np.float32),
                    part.mesh.faces.astype(np.uint32),
                    color=part.colour,
                    opacity=part.opacity,
                    flat_shading=False,
                )
                if part.opacity is not None:
                    self._translucent.append(handle)
        self._add_springs()
        self._add_ground()
        forces = [w.forces for w in self.wheels]
        largest = max((float(np.percentile(np.abs(f[:, 0]), 90)) for f in forces), default=0.0)
        self.scale = 1.1 / largest if largest > 0.0 else 1e-4
        self.arrows: Any = None
        if self.wheels:
            colours = np.array([NORMAL, TRACTION, LATERAL] * len(self.wheels), np.uint8)
            self.arrows = self.scene.add_arrows(
                "/world/forces",
                arrow_points(self.wheels, 0, self.scale).astype(np.float32),
                colours,
                shaft_radius=0.017,
                head_radius=0.042,
                head_length=0.09,
            )

    def _add_springs(self) -> None:
        """Coils between the ends of point-to-point springs, drawn one metre long and scaled."""
        self._springs = []
        for k, (coil, held) in enumerate(springs_of(self.run.model)):
            node = self.scene.add_mesh_simple(
                f"/world/spring {k}",
                coil.vertices.astype(np.float32),
                coil.faces.astype(np.uint32),
                color=SPRING,
            )
            self._springs.append((node, held))

    def _add_ground(self) -> None:
        """Every ground that a wheel or contact touches, once; a grid where there is none."""
        surfaces = grounds(self.run)
        for k, surface in enumerate(surfaces):
            self._add_surface(surface, f"/world/ground {k}")
        if not surfaces:
            low = float(self.run.positions[..., 2].min()) - 0.5
            self._add_grid("/world/ground", (0, 0, low), (1, 0, 0, 0), 0.0)

    def _add_surface(self, surface: Any, name: str) -> None:
        if is_field(surface):
            for mesh, colour in zip(squares(surface_mesh(surface, self.run)), SOILS, strict=True):
                self.scene.add_mesh_simple(
                    f"{name} {colour[0]}",
                    mesh.vertices.astype(np.float32),
                    mesh.faces.astype(np.uint32),
                    color=colour,
                    side="double",
                    cast_shadow=False,
                )
        elif hasattr(surface, "normal"):
            normal = np.array(surface.normal, float)
            self._add_grid(
                name, np.array(surface.point, float) - 2e-3 * normal, quaternion_of(frame(normal)), 1.0
            )
        else:
            mesh = meshes.ball(surface.centre, surface.radius)
            self.scene.add_mesh_simple(
                name, mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32), color=SOILS[0]
            )

    def _add_grid(self, name: str, position: Any, wxyz: Any, opacity: float) -> None:
        self.scene.add_grid(
            name,
            width=60.0,
            height=60.0,
            infinite_grid=True,
            cell_size=0.5,
            section_size=5.0,
            cell_color=(206, 198, 182),
            section_color=(160, 150, 132),
            cell_thickness=0.6,
            section_thickness=1.1,
            fade_distance=60.0,
            plane_color=(232, 226, 214),
            plane_opacity=opacity,
            shadow_opacity=0.3,
            position=position,
            wxyz=wxyz,
        )

    def draw(self, time: float) -> None:
        """Put everything where it is at a time."""
        x, q = poses_at(self.run, time)
        for (_, node), position, turn in zip(self.bodies.items(), x, q, strict=True):
            node.position, node.wxyz = position, turn
        for node, held in self._springs:
            a, b = (p if k is None else x[k] + quaternion_matrix(q[k]) @ p for k, p in held)
            length = float(np.linalg.norm(b - a))
            node.position, node.scale = a, (1.0, 1.0, length)
            node.wxyz = quaternion_of(frame((b - a) / max(length, 1e-9)))
        moved = np.zeros(3)
        if self.follow is not None:
            k = self.run.model.body_index[self.follow]
            moved = x[k] - [
                0.0,
                0.0,
                self.run.positions[0, k, 2],
            ]  # the camera was put at its first height
        if self.arrows is not None and self.arrows.visible:
            # beside what is followed: a browser that lags must not leave them behind
            points = arrow_points(self.wheels, record_at(self.run, time), self.scale) - moved
            self.arrows.points, self.arrows.position = points.astype(np.float32), moved
        self.world.position = -moved

    def show_hulls(self, visible: bool) -> None:
        """Show or hide what is translucent."""
        for handle in self._translucent:
            handle.visible = visible


def _path(name: str) -> str:
    """A name that does not read as a path of the scene."""
    return name.replace("/", "_")
