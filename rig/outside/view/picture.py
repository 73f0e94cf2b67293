"""Content of the live scene: bodies, ground, planned path, boundary."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bodies.frames import quaternion_matrix
from bodies.view.stage import DrawnPlane, Meshes

from ...posed import Posed
from ...rig import Rig
from .planar import Tractor
from .ruts import RuttingWheel
from .stand import add_stand

Array = NDArray[np.float64]
#: Height of lines above the ground, for visibility [m].
ABOVE = 0.03
#: Distance between two points of the planned path [m].
SPACING = 0.5
DISTANCE = 1.25  # distance of the camera over the diagonal of the machine [-]
TRENCH = 0.35  # opacity of level ground into which a bucket digs, so that the bucket is seen [-]


@dataclass(frozen=True)
class Picture:
    """Fixed content of the scene of a rig.

    Attributes:
        drawn: bodies and ground.
        planar: arguments of a ``Tractor`` drawn at the chassis's pose; None: state frames contain the
            poses of all bodies.
        path, boundary: lines, shape (n, 3) [m].
        camera: initial position and target, relative to the followed point [m].
        follow: True: the camera follows the machine.
        reference: number of the body that the camera follows, and height of the body above the ground
            [m]; None: the camera follows the signal "position".
        wheels: wheels that leave ruts.
    """

    drawn: Meshes
    planar: dict[str, float] | None = None
    path: Array = field(default_factory=lambda: np.zeros((0, 3)))
    boundary: Array = field(default_factory=lambda: np.zeros((0, 3)))
    camera: tuple[tuple[float, ...], tuple[float, ...]] = ((-9.0, 3.5, 4.5), (4.0, 0.0, 0.5))
    follow: bool = True
    reference: tuple[int, float] | None = None
    wheels: list[RuttingWheel] = field(default_factory=list)

    @staticmethod
    def of(rig: Rig, boundary: Any = None) -> Picture:
        """Picture of a rig in its initial state, also before its blocks have begun.

        Arguments:
            rig: rig with a chassis, a machine or a linkage.
            boundary: corners of the field, shape (n, 2) [m]; None: none.
        """
        panel, machine = rig.panel, posed(rig)
        camera: dict[str, Any] = (
            {} if panel.camera is None else {"camera": (panel.camera.eye, panel.camera.target)}
        )
        if machine is not None and "chassis" not in rig.blocks:
            return _of_a_machine(machine, panel.links, rig.site.terrain, camera)
        chassis: Any = rig.blocks.get("chassis")
        terrain = rig.site.terrain
        path = _on(terrain, rig.site.path.points(SPACING)[:, :2])
        edge = np.zeros((0, 2)) if boundary is None else np.asarray(boundary, float)
        closed = _on(terrain, _dense(np.vstack((edge, edge[:1]))))
        corners = np.vstack((path, closed, rig["position"][None]))
        low, high = corners.min(axis=0), corners.max(axis=0)
        if hasattr(chassis, "poses"):
            drawn, wheels = Meshes.of(chassis.model, low, high), RuttingWheel.of(chassis.model)
            return Picture(drawn, None, path, closed, wheels=wheels, **camera)
        implement: Any = rig.blocks.get("implement")
        planar = {
            "wheelbase": float(getattr(chassis, "wheelbase", 2.9)),
            "track": float(getattr(chassis, "track", 1.8)),
            "drawbar": float(getattr(implement, "drawbar", 0.0)),
        }
        drawn = Meshes(Tractor(**planar).bodies)
        if terrain is None:
            drawn.planes.append(DrawnPlane((0.0, 0.0, -2e-3)))
        else:
            drawn.add_ground(terrain, low[:2], high[:2])
        return Picture(drawn, planar, path, closed, **camera)


def posed(rig: Rig) -> Any:
    """Block of the drawn bodies; None: the rig has none."""
    return next((block for block in rig.blocks.values() if isinstance(block, Posed)), None)


def _of_a_machine(machine: Any, links: Any, terrain: Any, camera: dict[str, Any]) -> Picture:
    """Picture of a machine of bodies, followed by the camera.

    On a panel with a side view of links (``links``) a bucket digs below the ground: level ground is then
    transparent.
    """
    model, x = machine.model, machine.poses()[:, :3]
    low, high = x.min(axis=0), x.max(axis=0)
    drawn = Meshes.of(model, low, high)
    wheels = bool(model.mechanism.wheels)
    if links is not None:
        planes = [dataclasses.replace(p, opacity=TRENCH) for p in drawn.planes]
        if not wheels:
            planes = [DrawnPlane((0.0, 0.0, links.ground), opacity=TRENCH)]
        drawn = dataclasses.replace(drawn, planes=planes)
        if not wheels:
            add_stand(drawn, model, machine.poses(), links.ground)
    seen = np.vstack(
        [
            part.mesh.vertices @ quaternion_matrix(pose[3:]).T + pose[:3]
            for pose, parts in zip(machine.poses(), drawn.bodies.values(), strict=True)
            for part in parts
        ]
    )
    middle, size = (
        0.5 * (seen.min(axis=0) + seen.max(axis=0)),
        float(np.linalg.norm(np.ptp(seen, axis=0))),
    )
    reference, origin = None, np.zeros(3)
    if wheels:
        k = model.body_index[machine.reference]
        origin = np.array([*x[k, :2], seen[:, 2].min()])
        reference = k, float(x[k, 2] - origin[2])
    eye = middle - origin + DISTANCE * size * np.array([-0.55, -0.75, 0.4])
    framed = {"camera": (tuple(eye.tolist()), tuple((middle - origin).tolist()))}
    ruts = RuttingWheel.of(model)
    return Picture(drawn, follow=wheels, reference=reference, wheels=ruts, **{**framed, **camera})


def _on(terrain: Any, points: Array) -> Array:
    """Points (x, y) with the height of the ground as z, shape (n, 3)."""
    z = np.zeros(len(points)) if terrain is None else np.asarray(terrain.height(*points.T), float)
    return np.column_stack((points, z + ABOVE))


def _dense(line: Array) -> Array:
    """Polyline refined to points at most 6 m apart, to follow the ground."""
    if len(line) < 2:
        return line
    pieces = [
        np.linspace(a, b, max(2, int(np.hypot(*(b - a)) / 2.0))) for a, b in itertools.pairwise(line)
    ]
    return np.vstack(pieces)
