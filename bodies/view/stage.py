"""Meshes of a machine and its grounds, which do not depend on the pose, and their nodes in viser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from contact.terrain import SoilMap

from ..frames import frame, quaternion_matrix
from ..mjcf.geometry import quaternion_of
from ..model import Model
from . import meshes
from .meshes import Mesh
from .shapes import Colour, DrawnPart, Strut, fixed_shapes, shapes_of, struts_of
from .soil_colours import Legend, SoilColours, legend_of
from .surfaces import SHADES, SOILS, SQUARE_SIDE, ground_pieces, grounds, is_field, shaded, soil_under


@dataclass(frozen=True)
class DrawnPlane:
    """A plane drawn as an infinite grid.

    Attributes:
        position: a point of the plane [m].
        wxyz: quaternion of the orientation, with z normal to the plane.
        opacity: opacity of the plane between the lines; 0: only lines.
        colour: colour of the plane; its lines are darker.
    """

    position: tuple[float, ...]
    wxyz: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    opacity: float = 1.0
    colour: Colour = (232, 226, 214)


@dataclass(frozen=True)
class Meshes:
    """Meshes of a machine and its grounds, which do not depend on the pose.

    Attributes:
        bodies: meshes of each body by name, in the body's axes.
        struts: springs and cylinders between two points.
        ground: meshes of grounds and of the looks on the ground, world axes.
        planes: infinite grounds.
        legend: colours of the soils of all grounds with a soil map.
    """

    bodies: dict[str, list[DrawnPart]]
    struts: list[Strut] = field(default_factory=list)
    ground: list[DrawnPart] = field(default_factory=list)
    planes: list[DrawnPlane] = field(default_factory=list)
    legend: Legend = field(default_factory=list)

    @staticmethod
    def of(model: Model, low: Any, high: Any) -> Meshes:
        """Meshes of a model and all its grounds; without a ground a grid below the motion, or
        through the lowest point of the looks on the ground.

        Arguments:
            model: compiled mechanism.
            low, high: corners of the box that contains the motion, shape (3,) [m].
        """
        fixed = fixed_shapes(model)
        found = Meshes(shapes_of(model), struts_of(model), list(fixed))
        surfaces = grounds(model.mechanism)
        for surface in surfaces:
            found.add_ground(surface, low[:2], high[:2], soil_under(model.mechanism, surface))
        if not surfaces:
            feet = (float(part.mesh.vertices[:, 2].min()) for part in fixed)
            found.planes.append(
                DrawnPlane((0.0, 0.0, min(feet, default=float(low[2]) - 0.5)), opacity=0.0)
            )
        return found

    def add_ground(self, surface: Any, low: Any, high: Any, soil: Any = None) -> None:
        """Add the part of a ground around the box with the corners ``low`` and ``high`` [m].

        ``soil``: soil of the whole ground; None: soils of its soil map, or unknown.
        """
        own = [] if soil is None else SoilColours(SoilMap(soil)).legend
        self.legend.extend(entry for entry in own + legend_of([surface]) if entry not in self.legend)
        if is_field(surface):
            pieces = ground_pieces(surface, low, high, SQUARE_SIDE)
            if own:
                tones = [shaded(own[0][1], shade) for shade in SHADES]
                pieces = [(mesh, tone) for (mesh, _), tone in zip(pieces, tones, strict=True)]
            self.ground.extend(DrawnPart(mesh, tone) for mesh, tone in pieces)
        elif hasattr(surface, "normal"):
            normal = np.array(surface.normal, float)
            point = np.array(surface.point, float) - 2e-3 * normal
            colour = own[0][1] if own else DrawnPlane.colour
            turn = tuple(quaternion_of(frame(normal)))
            self.planes.append(DrawnPlane(tuple(point), turn, colour=colour))
        else:
            self.ground.append(DrawnPart(meshes.ball(surface.centre, surface.radius), SOILS[0]))


class Stage:
    """Nodes under ``/world`` in viser's scene, and their motion.

    Attributes:
        bodies: node of every body, by name.
        world: parent of all nodes.
    """

    def __init__(self, server: Any, drawn: Meshes) -> None:
        self.scene = server.scene
        self.world = self.scene.add_frame("/world", show_axes=False)
        self._translucent: list[Any] = []
        self.bodies: dict[str, Any] = {}
        for name, parts in drawn.bodies.items():
            path = f"/world/{name.replace('/', '_')}"  # "/" would be a path separator
            self.bodies[name] = self.scene.add_frame(path, show_axes=False)
            for k, part in enumerate(parts):
                handle = self._mesh(
                    f"{path}/{k}", part.mesh, part.colour, opacity=part.opacity, flat_shading=False
                )
                if part.opacity is not None:
                    self._translucent.append(handle)
        self._struts = [
            (self._mesh(f"/world/strut {k}", strut.mesh, strut.colour), strut)
            for k, strut in enumerate(drawn.struts)
        ]
        for k, part in enumerate(drawn.ground):
            look = {"opacity": part.opacity, "side": "double", "cast_shadow": False}
            self._mesh(f"/world/ground {k}", part.mesh, part.colour, **look)
        for k, plane in enumerate(drawn.planes):
            self._add_plane(f"/world/plane {k}", plane)

    def _mesh(self, name: str, mesh: Mesh, colour: Any, **look: Any) -> Any:
        vertices, faces = mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32)
        return self.scene.add_mesh_simple(name, vertices, faces, color=colour, **look)

    def _add_plane(self, name: str, plane: DrawnPlane) -> None:
        self.scene.add_grid(
            name,
            width=60.0,
            height=60.0,
            infinite_grid=True,
            cell_size=0.5,
            section_size=5.0,
            cell_color=shaded(plane.colour, 0.89),
            section_color=shaded(plane.colour, 0.69),
            cell_thickness=0.6,
            section_thickness=1.1,
            fade_distance=60.0,
            plane_color=plane.colour,
            plane_opacity=plane.opacity,
            shadow_opacity=0.3,
            position=plane.position,
            wxyz=plane.wxyz,
        )

    def place(self, x: np.ndarray, q: np.ndarray) -> None:
        """Move the bodies to positions x, shape (bodies, 3) [m], with quaternions q (bodies, 4)."""
        for node, position, turn in zip(self.bodies.values(), x, q, strict=True):
            node.position, node.wxyz = position, turn
        turns = [quaternion_matrix(each) for each in q] if self._struts else []
        for node, strut in self._struts:
            node.position, axes, length = strut.pose(x, turns)
            node.wxyz, node.scale = quaternion_of(axes), (1.0, 1.0, length)

    def show_hulls(self, visible: bool) -> None:
        """Show or hide the translucent parts."""
        for handle in self._translucent:
            handle.visible = visible
